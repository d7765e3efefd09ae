/* Opens a text for ptxopt without taking it away from ptxas. A file is opened a second time. A pipe
 * can be read only once: its text is copied to memory (a disk may be full), and ptxas reads the
 * copy. If that fails, a child process writes the part that was read, and then the rest, to a new
 * pipe. */
#include "wrapper/text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "cli/output.h"

/* The part of the text that was read from a pipe: len bytes in a memory file, then got bytes in
 * bytes that the file did not accept. */
struct taken {
    int file;
    size_t len, got;
    char bytes[1 << 16];
};

/* Reads up to room bytes. Returns their number, 0 at the end, negative after an error. */
static ssize_t take_bytes_from(int fd, char *bytes, size_t room)
{
    ssize_t got;
    do got = read(fd, bytes, room);
    while (got < 0 && errno == EINTR);
    return got;
}

static void pass_taken_on(struct taken *taken, int from, int to)
{
    char block[1 << 14];
    for (size_t at = 0; at < taken->len;) {
        size_t left = taken->len - at;
        ssize_t got =
            pread(taken->file, block, left < sizeof block ? left : sizeof block, (off_t)at);
        if (got <= 0 || !file_write_all(to, block, (size_t)got)) return;
        at += (size_t)got;
    }
    for (ssize_t got = (ssize_t)taken->got; got > 0;) {
        if (!file_write_all(to, taken->bytes, (size_t)got)) return;
        got = take_bytes_from(from, taken->bytes, sizeof taken->bytes);
    }
}

/* Returns a pipe from which the complete text can be read. If it cannot be made, returns an empty
 * file instead, so that ptxas does not assemble a part of the text. */
static int make_filled_pipe(struct taken *taken, int from)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return open("/dev/null", O_RDONLY | O_CLOEXEC);
    pid_t child = fork();
    if (child == 0) {
        close(ends[0]); /* otherwise the child would never get SIGPIPE when ptxas closes the pipe */
        close(STDOUT_FILENO); /* so that a reader of the output of ptxas sees its end when ptxas
                                 ends */
        close(STDERR_FILENO);
        pass_taken_on(taken, from, ends[1]);
        _exit(0);
    }
    close(ends[1]);
    return ends[0];
}

static void keep_pipe_text(struct text *text)
{
    struct taken taken = {.file = memfd_create("ptx", MFD_CLOEXEC)};
    if (taken.file < 0) return;
    ssize_t got;
    while ((got = take_bytes_from(text->descriptor, taken.bytes, sizeof taken.bytes)) > 0) {
        taken.got = (size_t)got;
        if (!file_write_all(taken.file, taken.bytes, taken.got)) break;
        taken.len += taken.got;
        taken.got = 0;
    }
    if (got == 0)
        text->fd = text->instead = taken.file;
    else if (taken.len || taken.got)
        text->instead = make_filled_pipe(&taken, text->descriptor);
}

/* Returns the descriptor that path names if the caller of ptxas has opened it, otherwise -1.
 * Descriptors of this process are closed when ptxas starts. */
static int descriptor_of(const char *path)
{
    bool standard = strcmp(path, "-") == 0 || strcmp(path, "/dev/stdin") == 0;
    int fd = standard ? STDIN_FILENO : output_named_descriptor(path);
    return fd >= 0 && fcntl(fd, F_GETFD) == 0 ? fd : -1;
}

struct text text_open(const char *path)
{
    struct stat status;
    struct text text = {-1, -1, -1};
    bool standard = strcmp(path, "-") == 0;
    if (!standard && stat(path, &status) == 0 && S_ISREG(status.st_mode))
        text.fd = open(path, O_RDONLY | O_CLOEXEC);
    else if ((text.descriptor = descriptor_of(path)) >= 0)
        keep_pipe_text(&text);
    return text;
}
