/* What is in this file? */
#include "server/base/file.h"

#include <errno.h>
#include <stdio.h>

bool file_read(const char *path, struct buf *out)
{
    char block[1 << 16];
    size_t got;
    FILE *file = fopen(path, "rb");
    if (!file) return false;
    while ((got = fread(block, 1, sizeof block, file)) > 0) buf_add(out, block, got);
    bool fine = !ferror(file);
    int why = errno;
    fclose(file);
    errno = why;
    return fine;
}
