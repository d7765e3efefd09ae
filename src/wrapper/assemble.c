/* How does ptxas run? On the text as it is by becoming it; on a rewritten one as a child whose
 * output waits in memory until it is known that it succeeded: of a failure nobody hears but the
 * log, since ptxas then gets the original. */
#include "wrapper/assemble.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/file.h"
#include "wrapper/supervise.h"

/* A script without a first line "#!" is one for the shell, as for whoever called us. */
static void become(const struct assembly *assembly)
{
    assembly->argv[0] = (char *)assembly->real;
    execvp(assembly->real, assembly->argv);
}

int assemble_as_it_is(const struct assembly *assembly)
{
    const struct text *text = &assembly->text;
    if (text->instead >= 0) {
        lseek(text->instead, 0, SEEK_SET);
        dup2(text->instead, text->descriptor);
    }
    supervise_end();
    become(assembly);
    int failure = errno;
    fprintf(stderr, "ptxopt-ptxas: %s: %s\n", assembly->real, strerror(failure));
    return failure == ENOENT ? 127 : 126;
}

/* ---- held back ---- */

/* In the child: ptxas with that input. */
static void begin(const struct assembly *assembly, const char *path, int out, int error)
{
    int descriptor = assembly->text.descriptor;
    if (path && descriptor < 0) assembly->argv[assembly->input] = (char *)path;
    if (path && descriptor >= 0) {
        int input = open(path, O_RDONLY | O_CLOEXEC);
        if (input < 0 || dup2(input, descriptor) < 0) return;
    }
    if (dup2(out, STDOUT_FILENO) >= 0 && dup2(error, STDERR_FILENO) >= 0) become(assembly);
}

static bool succeeds(const struct assembly *assembly, const char *path, int out, int error)
{
    pid_t child = supervise_fork();
    if (child == 0) {
        begin(assembly, path, out, error);
        _exit(127);
    }
    return child > 0 && supervise_wait(child) == 0;
}

/* Appends the text with name for path. */
static void add_renamed(struct buf *out, const struct buf *text, const char *path, const char *name)
{
    const char *at = text->data, *end = at + text->len;
    for (const char *next; (next = memmem(at, (size_t)(end - at), path, strlen(path)));) {
        buf_add(out, at, (size_t)(next - at));
        buf_puts(out, name);
        at = next + strlen(path);
    }
    buf_add(out, at, (size_t)(end - at));
}

static void read_back(int fd, const struct assembly *assembly, const char *path, struct buf *out)
{
    struct buf text = {0};
    lseek(fd, 0, SEEK_SET);
    if (!path) {
        (void)file_read_rest(fd, SIZE_MAX, out);
    } else if (file_read_rest(fd, SIZE_MAX, &text) && text.len) {
        add_renamed(out, &text, path, assembly->argv[assembly->input]);
    }
    buf_free(&text);
}

bool assemble_held(const struct assembly *assembly, const char *path, struct messages *messages)
{
    int out = memfd_create("stdout", MFD_CLOEXEC), error = memfd_create("stderr", MFD_CLOEXEC);
    *messages = (struct messages){{0}, {0}};
    bool good = out >= 0 && error >= 0 && succeeds(assembly, path, out, error);
    if (good) {
        read_back(out, assembly, path, &messages->out);
        read_back(error, assembly, path, &messages->error);
    }
    if (out >= 0) close(out);
    if (error >= 0) close(error);
    return good;
}

void messages_print(struct messages *messages)
{
    (void)file_write_all(STDOUT_FILENO, messages->out.data, messages->out.len);
    (void)file_write_all(STDERR_FILENO, messages->error.data, messages->error.len);
    buf_free(&messages->out);
    buf_free(&messages->error);
}
