/* How does ptxas run? On the text as it is by becoming it; on a rewritten one as a child whose
 * messages wait in a file until it is known that it succeeded: of a failure nobody hears but the
 * log, since ptxas then gets the original. */
#include "wrapper/assemble.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/child.h"
#include "base/file.h"
#include "base/mem.h"
#include "cli/output.h"
#include "wrapper/supervise.h"

static int refuse(const char *real, int failure)
{
    fprintf(stderr, "ptxopt-ptxas: %s: %s\n", real, strerror(failure));
    return failure == ENOENT ? 127 : 126;
}

int assemble_as_it_is(const struct assembly *assembly)
{
    char path[32];
    if (assembly->text >= 0) {
        lseek(assembly->text, 0, SEEK_SET);
        if (assembly->by_stdin) {
            dup2(assembly->text, STDIN_FILENO);
        } else {
            fcntl(assembly->text, F_SETFD, 0);
            snprintf(path, sizeof path, "/dev/fd/%d", assembly->text);
            assembly->argv[assembly->input] = path;
        }
    }
    assembly->argv[0] = (char *)assembly->real;
    execv(assembly->real, assembly->argv);
    return refuse(assembly->real, errno);
}

/* Starts it with the descriptors given. Returns waitpid's status. */
static int run(const struct assembly *assembly, const struct child_file *files, size_t count)
{
    pid_t child;
    assembly->argv[0] = (char *)assembly->real;
    int failure = child_start(&child, assembly->argv, files, count);
    return failure ? refuse(assembly->real, failure) << 8 : supervise_wait(child);
}

int assemble_and_wait(const struct assembly *assembly)
{
    const struct child_file files[] = {{STDIN_FILENO, STDIN_FILENO}};
    return run(assembly, files, 1);
}

/* Prints the messages with name for path. */
static void print(const struct buf *messages, const char *path, const char *name)
{
    struct buf out = {0};
    const char *at = messages->data, *end = at + messages->len;
    for (const char *next; (next = memmem(at, (size_t)(end - at), path, strlen(path)));) {
        buf_add(&out, at, (size_t)(next - at));
        buf_puts(&out, name);
        at = next + strlen(path);
    }
    buf_add(&out, at, (size_t)(end - at));
    (void)output_descriptor(STDERR_FILENO, out.data, out.len);
    buf_free(&out);
}

/* Its input is the file: by its path, or as standard input. */
static int run_on(const struct assembly *assembly, const char *path, int messages)
{
    struct child_file files[2] = {{messages, STDERR_FILENO}, {STDIN_FILENO, STDIN_FILENO}};
    char *name = assembly->argv[assembly->input];
    int input = assembly->by_stdin ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    if (input >= 0) files[1].of = input;
    if (!assembly->by_stdin) assembly->argv[assembly->input] = (char *)path;
    int status = run(assembly, files, 2);
    assembly->argv[assembly->input] = name;
    if (input >= 0) close(input);
    return status;
}

bool assemble_rewritten(const struct assembly *assembly, const char *path)
{
    struct buf text = {0};
    FILE *messages = tmpfile();
    if (!messages) return false;
    bool good = run_on(assembly, path, fileno(messages)) == 0;
    if (good && lseek(fileno(messages), 0, SEEK_SET) == 0 &&
        file_read_rest(fileno(messages), SIZE_MAX, &text) && text.len)
        print(&text, path, assembly->argv[assembly->input]);
    buf_free(&text);
    fclose(messages);
    return good;
}
