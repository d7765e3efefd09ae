/* Finds the edit that makes a command fail, by delta debugging over the ids of the edits: the
 * command is run on texts with only some of the edits, until no edit can be left out without the
 * failure disappearing. First whole kernels are left out, then all copies of a CUDA line, then
 * single edits. Each text is one that ptxopt can write with --skip, so it is proven. The command
 * succeeds with status 0; 125 means that it cannot decide, as for `git bisect run`. */
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
#include "report/model.h"
#include "report/groups.h"

enum { CANNOT_TELL = 125 };
enum verdict { GOOD, BAD, UNKNOWN, BROKEN };

/* Which edits are left out together. */
enum level { BY_KERNEL, BY_CUDA_LINE, BY_EDIT, LEVELS };

/* An edit that may still be the cause. */
struct suspect {
    const char *id;
    uint32_t line;         /* of the PTX */
    uint32_t unit[LEVELS]; /* by level, the same number for all edits that are left out together */
};
struct suspect_list VEC(struct suspect);

struct search {
    const struct command *command;
    const char *name;
    struct buf input;
    struct arena arena;
    const char *folder, *file;           /* folder and file of the text that the command reads */
    struct VEC(const char *) candidates; /* ids of all candidates, removed or not */
    struct suspect_list suspects;
    uint32_t edits; /* number of edits in the text */
    enum level level;
    uint32_t runs, untold; /* all runs, and runs in which the command could not decide */
    int status;            /* of the last run, as from wait() */
};

/* ---- one run ---- */

/* argument with each {} replaced by the name of the file. */
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

/* Runs the command on the file. Its output goes to standard error. */
static enum verdict run_tester(struct search *search)
{
    static const struct child_file files[] = {{STDERR_FILENO, STDOUT_FILENO}};
    char **arguments = build_arguments(search);
    pid_t child;
    int failure = child_start(&child, arguments, files, 1);
    if (!failure) return judge_status(search->status = child_wait(child));
    fprintf(stderr, "ptxopt: --bisect: %s: %s\n", arguments[0], strerror(failure));
    return BROKEN;
}

/* Runs the library with these options. NULL, after a message, if there is no usable result. */
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

/* ---- the expected number of runs ---- */

/* The number of units to which the suspects belong. */
static uint32_t count_units(const struct suspect_list *suspects, enum level level)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < suspects->count; i++) {
        uint32_t k = 0;
        while (suspects->at[k].unit[level] != suspects->at[i].unit[level]) k++;
        count += k == i;
    }
    return count;
}

/* The expected number of runs to find one of that many units: at each halving one half is tried,
 * and on average every second time the other half as well. */
static uint32_t runs_for(uint32_t units)
{
    uint32_t halvings = 0;
    for (; units > 1; units -= units / 2) halvings++;
    return (3 * halvings + 1) / 2;
}

/* The expected number of remaining runs if a single edit is the cause. */
static uint32_t runs_left(const struct search *search)
{
    uint32_t runs = 0, before = 1;
    for (enum level level = search->level; level < LEVELS; level++) {
        uint32_t units = count_units(&search->suspects, level);
        runs += runs_for((units + before - 1) / before);
        before = units;
    }
    return runs;
}

/* ---- one text ---- */

static bool is_listed(const struct suspect_list *edits, const char *id)
{
    for (uint32_t i = 0; i < edits->count; i++)
        if (strcmp(edits->at[i].id, id) == 0) return true;
    return false;
}

/* Prints the lines of the edits. */
static void print_lines(const struct suspect_list *edits)
{
    if (!edits->count) return;
    uint32_t first = edits->at[0].line, last = edits->at[edits->count - 1].line;
    if (first == last)
        fprintf(stderr, " (PTX line %u)", first);
    else
        fprintf(stderr, " (PTX lines %u to %u)", first, last);
}

static void print_end(const struct search *search, enum verdict verdict)
{
    int status = search->status;
    if (verdict == GOOD)
        fputs("the command succeeds\n", stderr);
    else if (verdict == UNKNOWN)
        fprintf(stderr, "the command cannot test it (exit status %d)\n", CANNOT_TELL);
    else if (verdict == BROKEN)
        fputs("the command did not run\n", stderr);
    else if (WIFEXITED(status))
        fprintf(stderr, "the command fails (exit status %d)\n", WEXITSTATUS(status));
    else
        fprintf(stderr, "the command fails (signal %d)\n", WTERMSIG(status));
}

/* wanted: the number of runs that may follow. */
static void print_run(const struct search *search, const struct suspect_list *edits,
                      enum verdict verdict, uint32_t wanted)
{
    fprintf(stderr, "ptxopt: --bisect: run %u of about %u: %u of %u edits", search->runs,
            search->runs + wanted, edits->count, search->edits);
    print_lines(edits);
    fputs(": ", stderr);
    print_end(search, verdict);
}

/* The verdict of the command on the text with only these edits. behind: the number of runs that may
 * follow. */
static enum verdict try_edits(struct search *search, const struct suspect_list *edits,
                              uint32_t behind)
{
    struct timed timed;
    struct buf reason = {0};
    size_t len = 0;
    timed_begin(&timed, search->command->options, search->command->timeout_ms);
    for (uint32_t i = 0; i < search->candidates.count; i++)
        if (!is_listed(edits, search->candidates.at[i]))
            BUG_UNLESS(ptxopt_options_skip(timed.options, search->candidates.at[i]));
    struct ptxopt_result *result = optimize_with(search, timed.options);
    const char *text = result ? ptxopt_result_text(result, &len) : NULL;
    enum verdict verdict = BROKEN;
    search->runs++;
    if (text && output_write(search->file, text, len, &reason))
        verdict = run_tester(search);
    else if (text)
        fprintf(stderr, "ptxopt: --bisect: %s: %.*s\n", search->file, (int)reason.len, reason.data);
    search->untold += verdict == UNKNOWN;
    print_run(search, edits, verdict, behind);
    ptxopt_result_free(result);
    timed_end(&timed);
    buf_free(&reason);
    return verdict;
}

/* ---- the search ---- */

/* Tries the suspects of units [from, to), in the order of their first occurrence, or with others
 * those of all other units. If the command fails, only these suspects remain. */
static bool narrow_suspects(struct search *search, uint32_t from, uint32_t to, bool others)
{
    struct suspect_list tried = {0}, met = {0};
    for (uint32_t i = 0; i < search->suspects.count; i++) {
        const struct suspect *suspect = &search->suspects.at[i];
        uint32_t unit = 0;
        while (unit < met.count && met.at[unit].unit[search->level] != suspect->unit[search->level])
            unit++;
        if (unit == met.count) vec_push(&met, *suspect);
        if ((unit >= from && unit < to) != others) vec_push(&tried, *suspect);
    }
    vec_free(&met);
    uint32_t left = runs_left(search);
    bool fails = try_edits(search, &tried, left ? left - 1 : 0) == BAD;
    if (fails) {
        vec_free(&search->suspects);
        search->suspects = tried;
    } else {
        vec_free(&tried);
    }
    return fails;
}

/* The algorithm ddmin of Zeller over the units of a level: first each part, then all but one part,
 * then smaller parts. */
static void minimize_units(struct search *search)
{
    uint32_t parts = 2, count;
    while ((count = count_units(&search->suspects, search->level)) > 1) {
        uint32_t found = 0;
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

static void minimize_suspects(struct search *search)
{
    for (search->level = 0; search->level < LEVELS; search->level++) minimize_units(search);
}

static uint32_t kernel_of(const struct review_file *file, const char *function)
{
    uint32_t k = 0;
    while (strcmp(file->kernels.at[k].name, function) != 0) k++;
    return k;
}

static void collect_suspects(struct search *search, const struct ptxopt_result *result)
{
    struct review_file file = {0};
    review_file_build(&file, search->name, search->name, result, NULL);
    for (uint32_t i = 0; i < file.items.count; i++) {
        const struct review_item *item = &file.items.at[i];
        const struct review_item *leader = item->group ? item->group->leader : item;
        const char *id = arena_copy(&search->arena, item->finding.id, strlen(item->finding.id));
        if (*id) vec_push(&search->candidates, id);
        if (item->finding.kind != PTXOPT_DELETED) continue;
        uint32_t kernel = kernel_of(&file, item->finding.function);
        uint32_t line = (uint32_t)(leader - file.items.at);
        vec_push(&search->suspects, (struct suspect){id, item->finding.line, {kernel, line, i}});
    }
    search->edits = search->suspects.count;
    review_file_free(&file);
}

static void print_culprits(const struct search *search, const struct ptxopt_result *result)
{
    struct buf out = {0}, reason = {0};
    const struct ptxopt_finding *edit = NULL;
    while ((edit = ptxopt_result_next(result, PTXOPT_DELETED, edit)))
        if (is_listed(&search->suspects, edit->id))
            buf_printf(&out, "%s %s:%u:%u: %s [%s]\n", edit->id, search->name, edit->line,
                       edit->column, edit->text, edit->code);
    if (!output_write("-", out.data, out.len, &reason))
        fputs("ptxopt: <stdout>: cannot write\n", stderr);
    fprintf(stderr,
            "ptxopt: --bisect: found in %u runs: %u of %u edits; exclude %s with --skip ID\n",
            search->runs, search->suspects.count, search->edits,
            search->suspects.count == 1 ? "it" : "one of them");
    if (search->untold)
        fprintf(stderr,
                "ptxopt: --bisect: %u runs could not be tested: fewer edits may make the command "
                "fail\n",
                search->untold);
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
    const struct suspect_list no_edits = {0};
    uint32_t runs = runs_left(search);
    enum verdict none = try_edits(search, &no_edits, runs + 1);
    if (none == BROKEN) return EXIT_USAGE;
    if (none != GOOD)
        return bisect_complain("expected a command that succeeds without any edit", EXIT_USAGE);
    enum verdict all = try_edits(search, &search->suspects, runs);
    if (all == BROKEN) return EXIT_USAGE;
    if (all == UNKNOWN)
        return bisect_complain(
            "the command cannot test the text with all edits: expected that it fails", 1);
    if (all == GOOD)
        return bisect_complain("the command succeeds with all edits: no edit makes it fail", 1);
    minimize_suspects(search);
    print_culprits(search, result);
    return 0;
}

/* Creates a private folder, and the path of a file in it with the name of the input. */
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
