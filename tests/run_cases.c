/* Checks that the result of each case is the one that its marks describe. case_file.h has the
 * notation, tests/README.md explains it: the instructions marked "removed: RULE" are removed by
 * that rule, no others; those marked "kept: REASON" are kept for it. Below tests/rules/RULE/ only
 * RULE is enabled, elsewhere all rules are. UPDATE=1 replaces the marks of failing cases by the
 * actual results, and passes them. --list prints all expectations, --expand FOLDER writes each case
 * as a separate text, for programs that take whole files. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "case_file.h"

/* One case and its result. */
struct outcome {
    const struct test_case *test;
    struct ptxopt_result *result;
};

static void print_diagnostics(const struct ptxopt_result *result)
{
    size_t count;
    const struct ptxopt_finding *all = ptxopt_result_findings(result, &count);
    for (size_t i = 0; i < count && i < 3 && all[i].kind == PTXOPT_DIAGNOSTIC; i++)
        printf("# %u:%u: %s [%s]\n", all[i].line, all[i].column, all[i].message, all[i].code);
}

/* ---- the report ---- */

static bool is_about(const struct outcome *o, const char *rule)
{
    return !o->test->rule || !strcmp(rule, o->test->rule);
}

/* By the rule, or by any if it is NULL. */
static bool is_removed(const struct outcome *o, uint32_t line, const char *rule)
{
    const struct ptxopt_finding *deleted = NULL;
    while ((deleted = ptxopt_result_next(o->result, PTXOPT_DELETED, deleted)))
        if (deleted->line == line && (!rule || !strcmp(deleted->code, rule))) return true;
    return false;
}

static bool is_declined(const struct outcome *o, uint32_t line, const char *reason)
{
    const struct ptxopt_finding *kept = NULL;
    while ((kept = ptxopt_result_next(o->result, PTXOPT_KEPT, kept)))
        for (uint32_t i = 0; i < kept->decline_count; i++)
            if (kept->line == line && !strcmp(kept->declines[i].reason, reason) &&
                is_about(o, kept->declines[i].rule))
                return true;
    return false;
}

static bool is_advised(const struct outcome *o, uint32_t line)
{
    const struct ptxopt_finding *advice = NULL;
    while ((advice = ptxopt_result_next(o->result, PTXOPT_ADVICE, advice)))
        if (advice->line == line && is_about(o, advice->code)) return true;
    return false;
}

/* A function that was skipped explains every line from its head on. */
static bool is_skipped(const struct outcome *o, uint32_t line, const char *reason)
{
    const struct ptxopt_finding *skipped = NULL;
    while ((skipped = ptxopt_result_next(o->result, PTXOPT_SKIPPED, skipped)))
        if (skipped->line <= line && !strcmp(skipped->code, reason)) return true;
    return false;
}

static struct mark *add(struct mark *marks, uint32_t *count, uint32_t line, const char *kind,
                        const char *word)
{
    struct mark mark = {.line = line, .kind = kind, .word = (char *)(uintptr_t)word};
    return mark_add(marks, count, mark);
}

/* All possible marks; freed when the process ends. */
static struct mark *marks_got(const struct outcome *o, uint32_t *count)
{
    const struct ptxopt_finding *deleted = NULL, *kept = NULL, *advice = NULL, *skipped = NULL;
    struct mark *marks = NULL;
    *count = 0;
    while ((deleted = ptxopt_result_next(o->result, PTXOPT_DELETED, deleted)))
        marks = add(marks, count, deleted->line, "removed", deleted->code);
    while ((kept = ptxopt_result_next(o->result, PTXOPT_KEPT, kept)))
        for (uint32_t i = 0; i < kept->decline_count; i++)
            if (is_about(o, kept->declines[i].rule))
                marks = add(marks, count, kept->line, "kept", kept->declines[i].reason);
    while ((advice = ptxopt_result_next(o->result, PTXOPT_ADVICE, advice)))
        if (is_about(o, advice->code)) marks = add(marks, count, advice->line, "advice", "");
    while ((skipped = ptxopt_result_next(o->result, PTXOPT_SKIPPED, skipped)))
        marks = add(marks, count, skipped->line, "skipped", skipped->code);
    return marks;
}

static bool mark_holds(const struct outcome *o, const struct mark *mark)
{
    if (!strcmp(mark->kind, "removed")) return is_removed(o, mark->line, mark->word);
    if (!strcmp(mark->kind, "kept") && !*mark->word) return !is_removed(o, mark->line, NULL);
    if (!strcmp(mark->kind, "kept")) return is_declined(o, mark->line, mark->word);
    if (!strcmp(mark->kind, "advice")) return is_advised(o, mark->line);
    if (!strcmp(mark->kind, "skipped")) return is_skipped(o, mark->line, mark->word);
    return false;
}

static void print_mark(const char *what, const struct outcome *o, const struct mark *mark)
{
    printf("# %s: %s:%u: %s: %s\n", what, o->test->file, o->test->origin[mark->line - 1] + 1,
           mark->kind, mark->word);
}

/* Every mark is fulfilled, and nothing is removed without a mark. */
static bool marks_hold(const struct outcome *o)
{
    bool hold = true;
    uint32_t count;
    struct mark *got = marks_got(o, &count);
    for (uint32_t i = 0; i < o->test->mark_count; i++) {
        if (mark_holds(o, &o->test->marks[i])) continue;
        print_mark("expected", o, &o->test->marks[i]);
        hold = false;
    }
    for (uint32_t i = 0; i < count; i++) {
        bool removed = !strcmp(got[i].kind, "removed");
        if (!removed || mark_is_among(&got[i], o->test->marks, o->test->mark_count)) continue;
        print_mark("not expected", o, &got[i]);
        hold = false;
    }
    for (uint32_t i = 0; !hold && i < count; i++) print_mark("got", o, &got[i]);
    free(got);
    return hold;
}

/* ---- one case ---- */

static bool is_set(const char *variable)
{
    const char *value = getenv(variable);
    return value && *value;
}

static bool becomes_what_it_should(const struct outcome *o)
{
    struct bytes got;
    got.data = (char *)(uintptr_t)ptxopt_result_text(o->result, &got.len);
    if (bytes_equal(o->test->want.data, o->test->want.len, got.data, got.len)) return true;
    print_difference(o->test->want, got);
    return false;
}

static bool update(const struct outcome *o)
{
    if (o->test->has_output && !becomes_what_it_should(o)) {
        printf("# rewrite its section with the output by hand\n");
        return false;
    }
    uint32_t count;
    struct mark *got = marks_got(o, &count);
    bool updated = case_file_update(o->test, got, count);
    free(got);
    return updated;
}

static bool run_case(const struct test_case *test)
{
    if (case_is_of_lint(test)) return case_lint_run(test, is_set("UPDATE"));
    struct outcome o = {.test = test};
    struct ptxopt_options *options = options_of(test->text);
    if (!options) return false;
    if (test->rule && !ptxopt_options_set_rules(options, test->rule)) {
        printf("# there is no rule %s\n", test->rule);
        return false;
    }
    o.result = ptxopt_run(options, test->file, test->text.data, test->text.len);
    bool accepted = ptxopt_result_status(o.result) == PTXOPT_OK, passed = false;
    if (!accepted) printf("# refused\n");
    if (accepted) {
        passed = marks_hold(&o);
        if (!becomes_what_it_should(&o)) passed = false;
    }
    if (!passed) print_diagnostics(o.result);
    if (accepted && !passed && is_set("UPDATE")) passed = update(&o);
    ptxopt_result_free(o.result);
    ptxopt_options_free(options);
    return passed;
}

/* A line for each expectation: the case, FILE:LINE, the expectation and its instruction. */
static void list_file(const char *path, void *context)
{
    (void)context;
    struct case_list list = case_list_read(path);
    for (size_t i = 0; i < list.count; i++) {
        const struct test_case *test = &list.cases[i];
        if (!test->mark_count && case_is_chosen(test)) printf("%s\t\t\t\n", test->name);
        for (uint32_t k = 0; k < test->mark_count && case_is_chosen(test); k++) {
            const struct mark *mark = &test->marks[k];
            const char *line = test->text.data;
            for (uint32_t at = 1; at < mark->line; at++) line = strchr(line, '\n') + 1;
            line += strspn(line, " \t");
            printf("%s\t%s:%u\t%s%s%s\t%.*s\n", test->name, path, mark->from + 1, mark->kind,
                   *mark->word ? ": " : "", mark->word, (int)strcspn(line, "\n"), line);
        }
    }
    case_list_free(&list);
}

int main(int argc, char **argv)
{
    bool expand = argc > 3 && !strcmp(argv[1], "--expand");
    bool list = argc > 2 && !strcmp(argv[1], "--list");
    if (argc < 2 || (*argv[1] == '-' && !expand && !list))
        return fprintf(stderr, "usage: run_cases [--list | --expand FOLDER] PATH...\n"), 2;
    if (is_set("UPDATE") && is_set("CI")) {
        printf("Bail out! UPDATE is refused under CI\n");
        return EXIT_FAILURE;
    }
    enter_source_tree();
    if (!expand && !list) return case_files_run(argv + 1, run_case);
    if (list) case_files_visit(argv + 2, list_file, NULL);
    if (list) return EXIT_SUCCESS;
    case_files_expand(argv[2], argv + 3);
    return EXIT_SUCCESS;
}
