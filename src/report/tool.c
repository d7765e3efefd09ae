/* Runs a program of a CUDA toolkit with unnamed files, so that no file is left behind. See
 * tool.h. */
#include "report/tool.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/child.h"
#include "base/clock.h"
#include "base/file.h"

/* An unnamed file. child is its descriptor for the program. It is above all descriptors that the
 * program gets, so that no dup2 overwrites another file's. */
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

static void read_scratch(FILE *file, struct buf *out)
{
    if (lseek(fileno(file), 0, SEEK_SET) == 0) (void)file_read_rest(fileno(file), SIZE_MAX, out);
}

/* The name with which a program begins its messages. */
static const char *tool_name(char *const *argv)
{
    const char *slash = strrchr(argv[0], '/');
    return slash ? slash + 1 : argv[0];
}

/* Adds the first message that reports an error, otherwise the first message, without the names of
 * the program and the file. */
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

/* The remaining time in nanoseconds; 0: none. */
static uint64_t time_left(const struct tool_clock *clock)
{
    if (!clock || !clock->limit_ns) return UINT64_MAX;
    return clock->used_ns < clock->limit_ns ? clock->limit_ns - clock->used_ns : 0;
}

/* Waits for the end of the program, and kills it when its time is up. False if it was killed. */
static bool wait_for_tool(pid_t child, struct tool_clock *clock, int *status)
{
    uint64_t start = clock_ns(), left = time_left(clock);
    if (clock) clock->start_ns = start;
    bool ended = child_wait_until(child, left == UINT64_MAX ? 0 : start + left, status);
    if (!ended) {
        kill(child, SIGKILL);
        (void)child_wait(child);
    }
    if (!clock) return ended;
    clock->start_ns = 0;
    clock->used_ns += clock_ns() - start;
    clock->runs++;
    return ended;
}

static void say_late(struct buf *problem, const char *name, const struct tool_clock *clock)
{
    buf_printf(problem, "%s did not finish in %.3g s (--ptxas-timeout)", name,
               (double)clock->limit_ns / 1e9);
}

/* Waits for the end of the program and reads its output. A failure is added to problem. */
static void collect_output(pid_t child, const char *name, const struct scratch *files,
                           struct tool_clock *clock, struct buf *result, struct buf *messages,
                           struct buf *problem)
{
    int status;
    size_t start = messages->len;
    if (!wait_for_tool(child, clock, &status)) {
        say_late(problem, name, clock);
        return;
    }
    read_scratch(files[MESSAGES].file, messages);
    bool silent = messages->len == start;
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) {
        read_scratch(files[RESULT].file, result);
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

char *tool_run(char *const *argv, enum tool_result from, struct str input, struct tool_clock *clock,
               struct buf *result, struct buf *messages)
{
    struct scratch files[SCRATCHES] = {{NULL, -1}, {NULL, -1}, {NULL, -1}};
    struct buf problem = {0};
    bool ready = true;
    pid_t child;
    if (!time_left(clock)) {
        say_late(&problem, tool_name(argv), clock);
        return buf_take(&problem);
    }
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
        buf_printf(&problem, "%s is not on PATH", tool_name(argv));
    else if (failure)
        buf_printf(&problem, "%s does not start: %s", tool_name(argv), strerror(failure));
    else
        collect_output(child, tool_name(argv), files, clock, result, messages, &problem);
    for (int i = 0; i < SCRATCHES; i++) close_scratch(&files[i]);
    return problem.len ? buf_take(&problem) : NULL;
}
