/* Runs ptxas: on the text as it is by becoming it, on a rewritten one as a child whose output waits
 * in memory until it is known that it succeeded. Only the log hears of a failure, since ptxas then
 * gets the original. */
#include "wrapper/assemble.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "base/work.h"
#include "wrapper/supervise.h"

/* A script without a first line "#!" is one for the shell, as for whoever called us. */
static void become_ptxas(const struct assembly *assembly)
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
    become_ptxas(assembly);
    int failure = errno;
    fprintf(stderr, "ptxopt-ptxas: %s: %s\n", assembly->real, strerror(failure));
    return failure == ENOENT ? 127 : 126;
}

/* ---- held back ---- */

/* In the child: ptxas with that input. */
static void begin_child(const struct assembly *assembly, const char *path, int out, int error)
{
    int descriptor = assembly->text.descriptor;
    if (path && descriptor < 0) assembly->argv[assembly->input] = (char *)path;
    if (path && descriptor >= 0) {
        int input = open(path, O_RDONLY | O_CLOEXEC);
        if (input < 0 || dup2(input, descriptor) < 0) return;
    }
    if (dup2(out, STDOUT_FILENO) >= 0 && dup2(error, STDERR_FILENO) >= 0) become_ptxas(assembly);
}

static enum assembled run_held(const struct assembly *assembly, const char *path, int out,
                               int error)
{
    pid_t child = supervise_fork();
    if (child == 0) {
        begin_child(assembly, path, out, error);
        _exit(127);
    }
    int status = child > 0 ? supervise_wait(child) : -1;
    if (child <= 0 || !WIFEXITED(status)) return CUT_OFF;
    int exited = WEXITSTATUS(status);
    if (exited == 0) return ASSEMBLED;
    /* ptxas says 255; from 126 on it is what shells say of a program that was killed or not found
     */
    return exited < 126 || exited == 255 ? REFUSED : CUT_OFF;
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

/* What ptxas has printed, and where it is kept. */
struct reading {
    const char *path; /* of the text; NULL: it has its own name */
    const char *name;
    int out, error;
    struct messages messages;
};

static void read_messages_back(int fd, const struct reading *reading, struct buf *out)
{
    struct buf text = {0};
    lseek(fd, 0, SEEK_SET);
    if (!reading->path)
        (void)file_read_rest(fd, SIZE_MAX, out);
    else if (file_read_rest(fd, SIZE_MAX, &text) && text.len)
        add_renamed(out, &text, reading->path, reading->name);
    buf_free(&text);
}

static void read_both_messages(void *context)
{
    struct reading *reading = context;
    read_messages_back(reading->out, reading, &reading->messages.out);
    read_messages_back(reading->error, reading, &reading->messages.error);
}

enum assembled assemble_held(const struct assembly *assembly, const char *path,
                             struct messages *messages)
{
    struct reading reading = {.path = path,
                              .name = path ? assembly->argv[assembly->input] : NULL,
                              .out = memfd_create("stdout", MFD_CLOEXEC),
                              .error = memfd_create("stderr", MFD_CLOEXEC)};
    enum assembled end = CUT_OFF;
    if (reading.out >= 0 && reading.error >= 0)
        end = run_held(assembly, path, reading.out, reading.error);
    if (end == ASSEMBLED && work_run(NULL, read_both_messages, &reading).end != WORK_DONE)
        end = CUT_OFF;
    if (end == ASSEMBLED) *messages = reading.messages;
    if (reading.out >= 0) close(reading.out);
    if (reading.error >= 0) close(reading.error);
    return end;
}

void messages_print(struct messages *messages)
{
    (void)file_write_all(STDOUT_FILENO, messages->out.data, messages->out.len);
    (void)file_write_all(STDERR_FILENO, messages->error.data, messages->error.len);
    buf_free(&messages->out);
    buf_free(&messages->error);
}
