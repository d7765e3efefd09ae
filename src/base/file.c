/* What is in this file? */
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"

enum { CHUNK = 1 << 16 };

bool file_read_rest(int fd, size_t limit, struct buf *out)
{
    char *chunk = mem_alloc(CHUNK);
    size_t start = out->len;
    int why = 0;
    for (;;) {
        ssize_t got = read(fd, chunk, CHUNK);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) why = errno;
        if (got > 0 && (size_t)got > limit - (out->len - start)) why = EFBIG;
        if (got <= 0 || why) break;
        buf_add(out, chunk, (size_t)got);
    }
    mem_free(chunk);
    errno = why;
    return !why;
}

bool file_read_path(const char *path, size_t limit, struct buf *out)
{
    if (strcmp(path, "-") == 0) return file_read_rest(STDIN_FILENO, limit, out);
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
    if (fd < 0) return false;
    bool good = file_read_rest(fd, limit, out);
    int why = errno;
    close(fd);
    errno = why;
    return good;
}
