/* How does a program of the toolkit see no file of ours by name, and leave none behind? */
#include "report/tool.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/child.h"
#include "base/file.h"

/* A file without a name. child is its descriptor for the program, above all those that the program
 * gets, so that no dup2 overwrites another. */
struct scratch {
    FILE *file;
    int child;
};

enum { INPUT, RESULT, MESSAGES, SCRATCHES };

static bool open_scratch(struct scratch *scratch)
{
    enum { LOWEST = 16 };
    scratch->child = -1;
    scratch->file = tmpfile();
    if (scratch->file) scratch->child = fcntl(fileno(scratch->file), F_DUPFD_CLOEXEC, LOWEST);
    return scratch->child >= 0;
}

static void close_scratch(struct scratch *scratch)
{
    if (scratch->child >= 0) close(scratch->child);
    if (scratch->file) fclose(scratch->file);
}

static void read_back(FILE *file, struct buf *out)
{
    if (lseek(fileno(file), 0, SEEK_SET) == 0) (void)file_read_rest(fileno(file), SIZE_MAX, out);
}

/* The name that a program calls itself by. */
static const char *name_of(char *const *argv)
{
    const char *slash = strrchr(argv[0], '/');
    return slash ? slash + 1 : argv[0];
}

/* The first of the messages that tells of an error, or the first, without the names of program and
 * file. */
static void add_complaint(struct buf *out, const char *name, const char *messages)
{
    const char *chosen = messages;
    for (const char *line = messages; *line; line += strcspn(line, "\n"), line += *line == '\n') {
        size_t len = strcspn(line, "\n");
        if (memmem(line, len, "error", 5) || memmem(line, len, "fatal", 5)) {
            chosen = line;
            break;
        }
    }
    struct str line = {chosen, strcspn(chosen, "\n")};
    const char *const prefixes[] = {name, " ", TOOL_INPUT, ", "};
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++) {
        size_t len = strlen(prefixes[i]);
        if (line.n < len || memcmp(line.p, prefixes[i], len) != 0) continue;
        line.p += len;
        line.n -= len;
    }
    buf_add(out, line.p, line.n);
}

/* Waits for its end and reads what it left; what goes wrong is added to problem. */
static void collect(pid_t child, const char *name, const struct scratch *files, struct buf *result,
                    struct buf *messages, struct buf *problem)
{
    int status = child_wait(child);
    size_t start = messages->len;
    read_back(files[MESSAGES].file, messages);
    bool silent = messages->len == start;
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) {
        read_back(files[RESULT].file, result);
    } else if (WIFEXITED(status) && WEXITSTATUS(status) == 127 && silent) {
        buf_printf(problem, "%s is not on PATH", name);
    } else {
        buf_printf(problem, "%s failed: ", name);
        buf_putc(messages, '\0');
        messages->len--;
        add_complaint(problem, name, messages->data + start);
        if (silent && WIFSIGNALED(status))
            buf_printf(problem, "signal %d", WTERMSIG(status));
        else if (silent)
            buf_printf(problem, "exit status %d", WEXITSTATUS(status));
    }
}

char *tool_run(char *const *argv, enum tool_result from, struct str input, struct buf *result,
               struct buf *messages)
{
    struct scratch files[SCRATCHES] = {{NULL, -1}, {NULL, -1}, {NULL, -1}};
    struct buf problem = {0};
    bool ready = true;
    pid_t child;
    for (int i = 0; i < SCRATCHES && ready; i++) ready = open_scratch(&files[i]);
    ready = ready && fwrite(input.p, 1, input.n, files[INPUT].file) == input.n &&
            fflush(files[INPUT].file) == 0;
    const struct child_file descriptors[] = {{files[MESSAGES].child, STDOUT_FILENO},
                                             {files[MESSAGES].child, STDERR_FILENO},
                                             {files[INPUT].child, 3},
                                             {files[RESULT].child, (int)from}};
    size_t count = sizeof descriptors / sizeof *descriptors;
    int failure = ready ? child_start(&child, argv, descriptors, count) : errno;
    if (!ready)
        buf_printf(&problem, "no temporary file: %s", strerror(failure));
    else if (failure == ENOENT && !strchr(argv[0], '/'))
        buf_printf(&problem, "%s is not on PATH", name_of(argv));
    else if (failure)
        buf_printf(&problem, "%s does not start: %s", name_of(argv), strerror(failure));
    else
        collect(child, name_of(argv), files, result, messages, &problem);
    for (int i = 0; i < SCRATCHES; i++) close_scratch(&files[i]);
    return problem.len ? buf_take(&problem) : NULL;
}
