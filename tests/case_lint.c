/* Checks the findings of lint for each case by its marks. Below tests/bugs lint must report at
 * least the marks of "before", except those marked as missed, and no error or warning for "after";
 * elsewhere exactly the marks. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "case_file.h"

static const char *const levels[] = {[PTXOPT_ERROR] = "error",
                                     [PTXOPT_WARNING] = "warning",
                                     [PTXOPT_REMARK] = "remark",
                                     [PTXOPT_NOTE] = "note"};

static struct ptxopt_result *lint(const struct test_case *test)
{
    struct ptxopt_options *options = options_of(test->text);
    if (!options) return NULL;
    ptxopt_options_set_lint(options, true);
    if (!ptxopt_options_set_lint_level(options, PTXOPT_NOTE)) printf("# there are no notes\n");
    struct ptxopt_result *result = ptxopt_run(options, test->file, test->text.data, test->text.len);
    ptxopt_options_free(options);
    return result;
}

/* Freed with free; the words belong to the result. */
static struct mark *findings_got(const struct ptxopt_result *result, uint32_t *count)
{
    const struct ptxopt_finding *finding = NULL;
    struct mark *marks = NULL;
    *count = 0;
    while ((finding = ptxopt_result_next(result, PTXOPT_HAZARD, finding)))
        marks = mark_add(marks, count,
                         (struct mark){.line = finding->line,
                                       .witness = finding->witness_line,
                                       .kind = levels[finding->level],
                                       .word = (char *)(uintptr_t)finding->code});
    return marks;
}

static void print_finding(const char *what, const struct test_case *test, const struct mark *mark)
{
    uint32_t line = mark->line ? test->origin[mark->line - 1] + 1 : 0;
    uint32_t witness = mark->witness ? test->origin[mark->witness - 1] + 1 : 0;
    printf("# %s: %s:%u: %s: %s by line %u\n", what, test->file, line, mark->kind, mark->word,
           witness);
}

/* No finding on the line of a mark "missed: error CODE" has its level and code. */
static bool is_still_missed(const struct mark *mark, const struct mark *got, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        size_t level = strlen(got[i].kind);
        if (got[i].line == mark->line && !strncmp(mark->word, got[i].kind, level) &&
            mark->word[level] == ' ' && !strcmp(mark->word + level + 1, got[i].word))
            return false;
    }
    return true;
}

/* A mark of a bug has no witness. */
static bool is_found(const struct mark *mark, const struct mark *got, uint32_t count, bool least)
{
    for (uint32_t i = 0; i < count; i++)
        if (got[i].line == mark->line && (least || got[i].witness == mark->witness) &&
            !strcmp(got[i].kind, mark->kind) && !strcmp(got[i].word, mark->word))
            return true;
    return false;
}

static bool all_marked_is_found(const struct test_case *test, const struct mark *got,
                                uint32_t count, bool least)
{
    bool good = true;
    for (uint32_t i = 0; i < test->mark_count; i++) {
        const struct mark *mark = &test->marks[i];
        if (!strcmp(mark->kind, "witness")) continue;
        bool missed = !strcmp(mark->kind, "missed");
        if (missed ? is_still_missed(mark, got, count) : is_found(mark, got, count, least))
            continue;
        print_finding(missed ? "no longer missed" : "expected", test, mark);
        good = false;
    }
    return good;
}

/* For a bug's "after" an error or a warning, elsewhere any finding. */
static bool all_found_is_marked(const struct test_case *test, const struct mark *got,
                                uint32_t count, bool least)
{
    bool good = true;
    for (uint32_t i = 0; i < count; i++) {
        if (least && (!strcmp(got[i].kind, "note") || test->mark_count)) continue;
        if (mark_is_among(&got[i], test->marks, test->mark_count)) continue;
        print_finding("not expected", test, &got[i]);
        good = false;
    }
    return good;
}

bool case_is_of_lint(const struct test_case *test)
{
    return !strncmp(test->name, "lint-codes/", 11) || !strncmp(test->name, "bugs/", 5);
}

bool case_lint_run(const struct test_case *test, bool update)
{
    bool least = !strncmp(test->name, "bugs/", 5);
    struct ptxopt_result *result = lint(test);
    if (!result) return false;
    bool accepted = ptxopt_result_status(result) == PTXOPT_OK;
    if (!accepted) printf("# refused: %s\n", ptxopt_result_message(result));
    uint32_t count;
    struct mark *got = findings_got(result, &count);
    bool passed = all_marked_is_found(test, got, count, least);
    if (!all_found_is_marked(test, got, count, least)) passed = false;
    if (!accepted) passed = false;
    if (accepted && !passed && update && !least) passed = case_file_update(test, got, count);
    free(got);
    ptxopt_result_free(result);
    return passed;
}
