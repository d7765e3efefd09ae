/* Reads and writes whole files. */
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"

enum { CHUNK = 1 << 16 };

/* How many bytes to reserve before the first read: of a regular file the remaining bytes and one
 * more, so that the read that returns 0 needs no second reservation; of anything else CHUNK. */
static size_t expected_bytes(int fd)
{
    struct stat status;
    if (fstat(fd, &status) != 0 || !S_ISREG(status.st_mode)) return CHUNK;
    off_t at = lseek(fd, 0, SEEK_CUR);
    return at >= 0 && status.st_size > at ? (size_t)(status.st_size - at) + 1 : CHUNK;
}

bool file_read_rest(int fd, size_t limit, struct buf *out)
{
    size_t start = out->len, first = expected_bytes(fd);
    buf_expect(out, first <= limit ? first : CHUNK);
    for (;;) {
        if (out->len == out->cap) buf_expect(out, out->cap);
        ssize_t got = read(fd, out->data + out->len, out->cap - out->len);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return !got;
        out->len += (size_t)got;
        if (out->len - start <= limit) continue;
        errno = EFBIG;
        return false;
    }
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

bool file_read_regular(const char *path, size_t limit, struct buf *out)
{
    struct stat status;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    if (fd < 0) return false;
    bool good =
        fstat(fd, &status) == 0 && S_ISREG(status.st_mode) && file_read_rest(fd, limit, out);
    close(fd);
    return good;
}

bool file_write_all(int fd, const char *text, size_t len)
{
    while (len) {
        ssize_t put = write(fd, text, len);
        if (put < 0 && errno == EINTR) continue;
        if (put < 0) return false;
        text += put;
        len -= (size_t)put;
    }
    return true;
}
