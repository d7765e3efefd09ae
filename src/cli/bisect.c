/* Finds the edit that makes a command fail. Delta debugging over the edits' ids: the command is run
 * on texts in which only some edits are made, until no edit can be left out without the failure
 * going away. Each text is one that ptxopt gives with --skip, so it is proven like any other. The
 * command succeeds with status 0; 125 means that it cannot tell, as for `git bisect run`. */
#include "cli/bisect.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/bug.h"
#include "base/child.h"
#include "base/mem.h"
#include "base/str.h"
#include "cli/input.h"
#include "cli/output.h"
#include "cli/timed.h"

enum { CANNOT_TELL = 125 };
enum verdict { GOOD, BAD, UNKNOWN, BROKEN };

struct search {
    const struct command *command;
    const char *name;
    struct buf input;
    struct arena arena;
    const char *folder, *file;           /* of the text that the command gets */
    struct VEC(const char *) candidates; /* ids of all, edited or not */
    struct VEC(const char *) suspects;   /* ids of the edits that still may be the reason */
    uint32_t runs;
};

/* ---- one run ---- */

/* argument with each {} replaced by the file. */
static char *expand_argument(struct search *search, const char *argument, bool *named)
{
    struct buf text = {0};
    while (*argument) {
        bool hole = argument[0] == '{' && argument[1] == '}';
        if (hole)
            buf_puts(&text, search->file);
        else
            buf_putc(&text, *argument);
        *named |= hole;
        argument += hole ? 2 : 1;
    }
    char *copy = arena_copy(&search->arena, text.data, text.len);
    buf_free(&text);
    return copy;
}

static char **build_arguments(struct search *search)
{
    char *const *tester = search->command->tester;
    size_t count = 0;
    bool named = false;
    while (tester[count]) count++;
    char **arguments = arena_alloc(&search->arena, count + 2, sizeof *arguments);
    for (size_t i = 0; i < count; i++) arguments[i] = expand_argument(search, tester[i], &named);
    if (!named) arguments[count] = arena_copy(&search->arena, search->file, strlen(search->file));
    return arguments;
}

static enum verdict judge_status(int status)
{
    if (!WIFEXITED(status)) return BAD;
    if (WEXITSTATUS(status) == 0) return GOOD;
    return WEXITSTATUS(status) == CANNOT_TELL ? UNKNOWN : BAD;
}

/* Runs the command on the file; what it prints goes to standard error. */
static enum verdict run_tester(struct search *search)
{
    static const struct child_file files[] = {{STDERR_FILENO, STDOUT_FILENO}};
    char **arguments = build_arguments(search);
    pid_t child;
    int failure = child_start(&child, arguments, files, 1);
    search->runs++;
    if (!failure) return judge_status(child_wait(child));
    fprintf(stderr, "ptxopt: --bisect: %s: %s\n", arguments[0], strerror(failure));
    return BROKEN;
}

/* Runs the library with these options; NULL, after a message, when there is no result to go by. */
static struct ptxopt_result *optimize_with(const struct search *search,
                                           const struct ptxopt_options *options)
{
    const char *text = search->input.len ? search->input.data : "";
    struct ptxopt_result *result = ptxopt_run(options, search->name, text, search->input.len);
    const struct ptxopt_finding *error = ptxopt_result_next(result, PTXOPT_DIAGNOSTIC, NULL);
    enum ptxopt_status status = ptxopt_result_status(result);
    if (status == PTXOPT_OK) return result;
    if (status == PTXOPT_NO_MEMORY) mem_exhausted();
    if (status == PTXOPT_CANCELLED)
        fprintf(stderr,
                "ptxopt: --bisect: %s: not done after %zu ms; expected a longer --timeout\n",
                search->name, search->command->timeout_ms);
    else
        fprintf(stderr, "ptxopt: --bisect: %s:%u:%u: %s\n", search->name, error->line,
                error->column, error->message);
    ptxopt_result_free(result);
    return NULL;
}

static bool is_listed(const char *const *ids, uint32_t count, const char *id)
{
    for (uint32_t i = 0; i < count; i++)
        if (strcmp(ids[i], id) == 0) return true;
    return false;
}

/* The command's verdict on the text with only these edits. */
static enum verdict try_edits(struct search *search, const char *const *ids, uint32_t count)
{
    struct timed timed;
    struct buf reason = {0};
    size_t len = 0;
    timed_begin(&timed, search->command->options, search->command->timeout_ms);
    for (uint32_t i = 0; i < search->candidates.count; i++)
        if (!is_listed(ids, count, search->candidates.at[i]))
            BUG_UNLESS(ptxopt_options_skip(timed.options, search->candidates.at[i]));
    struct ptxopt_result *result = optimize_with(search, timed.options);
    const char *text = result ? ptxopt_result_text(result, &len) : NULL;
    enum verdict verdict = BROKEN;
    if (text && output_write(search->file, text, len, &reason))
        verdict = run_tester(search);
    else if (text)
        fprintf(stderr, "ptxopt: --bisect: %s: %.*s\n", search->file, (int)reason.len, reason.data);
    fprintf(stderr, "ptxopt: --bisect: %u %s: the command %s\n", count,
            count == 1 ? "edit" : "edits",
            verdict == GOOD      ? "succeeds"
            : verdict == BAD     ? "fails"
            : verdict == UNKNOWN ? "cannot tell"
                                 : "did not run");
    ptxopt_result_free(result);
    timed_end(&timed);
    buf_free(&reason);
    return verdict;
}

/* ---- the search ---- */

/* Tries the suspects in [from, to), or all the others; when the command fails they are all that is
 * left. */
static bool narrow_suspects(struct search *search, uint32_t from, uint32_t to, bool others)
{
    const char **tried = arena_alloc(&search->arena, search->suspects.count, sizeof *tried);
    uint32_t count = 0;
    for (uint32_t i = 0; i < search->suspects.count; i++)
        if ((i >= from && i < to) != others) tried[count++] = search->suspects.at[i];
    if (try_edits(search, tried, count) != BAD) return false;
    memcpy(search->suspects.at, tried, count * sizeof *tried);
    search->suspects.count = count;
    return true;
}

/* Zeller's ddmin: parts first, then all but a part, then smaller parts. */
static void minimize_suspects(struct search *search)
{
    uint32_t parts = 2;
    while (search->suspects.count > 1) {
        uint32_t count = search->suspects.count, found = 0;
        if (parts > count) parts = count;
        for (uint32_t p = 0; p < parts && !found; p++)
            found =
                narrow_suspects(search, count * p / parts, count * (p + 1) / parts, false) ? 1 : 0;
        for (uint32_t p = 0; parts > 2 && p < parts && !found; p++)
            found =
                narrow_suspects(search, count * p / parts, count * (p + 1) / parts, true) ? 2 : 0;
        if (found == 1)
            parts = 2;
        else if (found)
            parts = parts > 3 ? parts - 1 : 2;
        else if (parts == count)
            break;
        else
            parts *= 2;
    }
}

static void collect_suspects(struct search *search, const struct ptxopt_result *result)
{
    size_t count;
    const struct ptxopt_finding *findings = ptxopt_result_findings(result, &count);
    for (size_t i = 0; i < count; i++) {
        if (findings[i].kind == PTXOPT_DELETED) vec_push(&search->suspects, findings[i].id);
        if (*findings[i].id) vec_push(&search->candidates, findings[i].id);
    }
}

static void print_culprits(const struct search *search, const struct ptxopt_result *result)
{
    struct buf out = {0}, reason = {0};
    const struct ptxopt_finding *edit = NULL;
    while ((edit = ptxopt_result_next(result, PTXOPT_DELETED, edit)))
        if (is_listed(search->suspects.at, search->suspects.count, edit->id))
            buf_printf(&out, "%s %s:%u:%u: %s [%s]\n", edit->id, search->name, edit->line,
                       edit->column, edit->text, edit->code);
    if (!output_write("-", out.data, out.len, &reason))
        fputs("ptxopt: <stdout>: cannot write\n", stderr);
    fprintf(stderr, "ptxopt: --bisect: found in %u runs; leave %s out with --skip\n", search->runs,
            search->suspects.count == 1 ? "it" : "one of them");
    buf_free(&out);
    buf_free(&reason);
}

static int bisect_complain(const char *what, int status)
{
    fprintf(stderr, "ptxopt: --bisect: %s\n", what);
    return status;
}

static int bisect_edits(struct search *search, const struct ptxopt_result *result)
{
    collect_suspects(search, result);
    if (!search->suspects.count) return bisect_complain("there is no edit to test", 1);
    enum verdict none = try_edits(search, NULL, 0);
    if (none == BROKEN) return EXIT_USAGE;
    if (none != GOOD)
        return bisect_complain("the command does not succeed on the input itself", EXIT_USAGE);
    enum verdict all = try_edits(search, search->suspects.at, search->suspects.count);
    if (all == BROKEN) return EXIT_USAGE;
    if (all != BAD) return bisect_complain("the command does not fail with all edits made", 1);
    minimize_suspects(search);
    print_culprits(search, result);
    return 0;
}

/* A folder of our own, and in it a file of the input's name. */
static bool make_place(struct search *search, const char *path)
{
    const char *parent = getenv("TMPDIR"), *slash = strrchr(path, '/');
    const char *name = strcmp(path, "-") == 0 ? "stdin.ptx" : slash ? slash + 1 : path;
    char *folder = arena_printf(&search->arena, "%s/ptxopt-bisect-XXXXXX",
                                parent && *parent ? parent : "/tmp");
    if (!mkdtemp(folder)) return false;
    search->folder = folder;
    search->file = arena_printf(&search->arena, "%s/%s", folder, name);
    return true;
}

int bisect_run(const struct command *command, const char *path)
{
    struct search search = {.command = command, .name = input_name(path)};
    struct buf reason = {0};
    int status = EXIT_USAGE;
    if (!input_read_path(path, command->max_input, &search.input, &reason)) {
        fprintf(stderr, "ptxopt: %s: %.*s\n", search.name, (int)reason.len, reason.data);
    } else if (!make_place(&search, path)) {
        fprintf(stderr, "ptxopt: --bisect: no temporary folder: %s\n", strerror(errno));
    } else {
        struct timed timed;
        timed_begin(&timed, command->options, command->timeout_ms);
        struct ptxopt_result *result = optimize_with(&search, timed.options);
        if (result) status = bisect_edits(&search, result);
        ptxopt_result_free(result);
        timed_end(&timed);
        unlink(search.file);
        rmdir(search.folder);
    }
    buf_free(&reason);
    buf_free(&search.input);
    vec_free(&search.candidates);
    vec_free(&search.suspects);
    arena_free(&search.arena);
    return status;
}
