/* Executes ptxas: in place of this process on the original text, and in a child on a rewritten
 * text. The output of the child is kept in memory until ptxas has succeeded. If it fails, only the
 * log says so, since ptxas then runs on the original text. */
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

/* execvp, because it runs a script without a "#!" line with the shell, as the caller of ptxas
 * would. */
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

/* ---- output kept in memory ---- */

bool holding_begin(struct holding *holding, const struct assembly *assembly, const char *path)
{
    *holding = (struct holding){.assembly = assembly,
                                .path = path,
                                .out = memfd_create("stdout", MFD_CLOEXEC),
                                .error = memfd_create("stderr", MFD_CLOEXEC)};
    return holding->out >= 0 && holding->error >= 0;
}

void holding_end(const struct holding *holding)
{
    if (holding->out >= 0) close(holding->out);
    if (holding->error >= 0) close(holding->error);
}

void holding_become_ptxas(const struct holding *holding)
{
    const struct assembly *assembly = holding->assembly;
    const char *path = holding->path;
    int descriptor = assembly->text.descriptor;
    if (path && descriptor < 0) assembly->argv[assembly->input] = (char *)path;
    if (path && descriptor >= 0) {
        int input = open(path, O_RDONLY | O_CLOEXEC);
        if (input < 0 || dup2(input, descriptor) < 0) return;
    }
    if (dup2(holding->out, STDOUT_FILENO) >= 0 && dup2(holding->error, STDERR_FILENO) >= 0)
        become_ptxas(assembly);
}

static enum assembled holding_judge_status(int status)
{
    if (!WIFEXITED(status)) return CUT_OFF;
    int exited = WEXITSTATUS(status);
    if (exited == 0) return ASSEMBLED;
    /* ptxas exits with 255 after an error. Other values from 126 are those of a shell for a program
     * that was killed or not found. */
    return exited < 126 || exited == 255 ? REFUSED : CUT_OFF;
}

/* Appends text to out, with each occurrence of path replaced by name. */
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

/* Arguments of read_both_messages. */
struct reading {
    const struct holding *holding;
    struct messages messages;
};

static void read_messages_back(int fd, const struct holding *holding, struct buf *out)
{
    struct buf text = {0};
    lseek(fd, 0, SEEK_SET);
    if (!holding->path)
        (void)file_read_rest(fd, SIZE_MAX, out);
    else if (file_read_rest(fd, SIZE_MAX, &text) && text.len)
        add_renamed(out, &text, holding->path, holding->assembly->argv[holding->assembly->input]);
    buf_free(&text);
}

static void read_both_messages(void *context)
{
    struct reading *reading = context;
    read_messages_back(reading->holding->out, reading->holding, &reading->messages.out);
    read_messages_back(reading->holding->error, reading->holding, &reading->messages.error);
}

enum assembled holding_judge(const struct holding *holding, int status, struct messages *messages)
{
    struct reading reading = {.holding = holding};
    enum assembled end = holding_judge_status(status);
    if (end != ASSEMBLED) return end;
    if (work_run(NULL, read_both_messages, &reading).end != WORK_DONE) return CUT_OFF;
    *messages = reading.messages;
    return ASSEMBLED;
}

enum assembled assemble_held(const struct assembly *assembly, struct messages *messages)
{
    struct holding holding;
    enum assembled end = CUT_OFF;
    pid_t child = holding_begin(&holding, assembly, NULL) ? supervise_fork() : -1;
    if (child == 0) {
        holding_become_ptxas(&holding);
        _exit(127);
    }
    if (child > 0) end = holding_judge(&holding, supervise_wait(child), messages);
    holding_end(&holding);
    return end;
}

void messages_print(struct messages *messages)
{
    (void)file_write_all(STDOUT_FILENO, messages->out.data, messages->out.len);
    (void)file_write_all(STDERR_FILENO, messages->error.data, messages->error.len);
    buf_free(&messages->out);
    buf_free(&messages->error);
}
