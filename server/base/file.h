/* Files that are read whole. */
#ifndef SERVER_BASE_FILE_H
#define SERVER_BASE_FILE_H

#include <stdbool.h>

#include "base/buf.h"

/* Appends what is in the file. False: errno says why not, or not all of it. */
bool file_read(const char *path, struct buf *out);

#endif
