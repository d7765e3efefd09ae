/* Opens a text that is intended for ptxas without consuming it. A file is opened beside it. A
 * pipe gives its bytes once: they are kept in memory, because a disk may be full, and ptxas gets
 * these in place of the pipe. Where even that fails, a child hands on what was taken, and then the
 * rest. */
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

/* What was taken from a pipe: len bytes in a file, then those that it did not take. */
struct taken {
    int file;
    size_t len, got;
    char bytes[1 << 16];
};

/* The next bytes of the descriptor; their number, 0 at its end, below 0 for an error. */
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

/* A pipe with all of it. A part must not pass for the whole: when there can be no pipe, nothing. */
static int make_filled_pipe(struct taken *taken, int from)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return open("/dev/null", O_RDONLY | O_CLOEXEC);
    pid_t child = fork();
    if (child == 0) {
        close(ends[0]);       /* or it would never see that the reader has closed */
        close(STDOUT_FILENO); /* the reader of the output of ptxas waits for no more than that */
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

/* The descriptor that a path names to ptxas, where its caller has opened it. Ours are all closed
 * when ptxas begins. */
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
