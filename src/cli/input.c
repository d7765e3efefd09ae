/* Reads an input completely before anything is written, so that it is safe to read and write the
 * same file. A file that is too large is rejected by its size, a pipe after it has given more than
 * the limit. See input.h. */
#include "cli/input.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"

const char *input_name(const char *path)
{
    return strcmp(path, "-") == 0 ? "<stdin>" : path;
}

static bool input_refuse(struct buf *error, const char *reason)
{
    buf_puts(error, reason);
    return false;
}

static bool too_large(struct buf *error, size_t limit)
{
    buf_printf(error, "larger than the limit of %zu bytes, see --max-input", limit);
    return false;
}

static bool read_open(int fd, size_t limit, struct buf *text, struct buf *error)
{
    struct stat status;
    if (fstat(fd, &status) != 0) return input_refuse(error, strerror(errno));
    if (S_ISDIR(status.st_mode)) return input_refuse(error, "expected a file, this is a directory");
    if (S_ISREG(status.st_mode) && status.st_size > 0 && (size_t)status.st_size > limit)
        return too_large(error, limit);
    if (text->len > limit) return too_large(error, limit);
    if (file_read_rest(fd, limit - text->len, text)) return true;
    return errno == EFBIG ? too_large(error, limit) : input_refuse(error, strerror(errno));
}

bool input_read_path(const char *path, size_t limit, struct buf *text, struct buf *error)
{
    if (strcmp(path, "-") == 0) return read_open(STDIN_FILENO, limit, text, error);
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
    if (fd < 0) return input_refuse(error, strerror(errno));
    bool good = read_open(fd, limit, text, error);
    close(fd);
    return good;
}
