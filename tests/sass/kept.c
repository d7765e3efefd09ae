/* Waits that must be kept, but are removed for this test: the comparison of whole kernels (real.c)
 * must find that an order is lost. Otherwise it would not find the loss if the optimizer removed
 * such a wait, and the comparison might accept too much.
 *
 * The waits marked `kept: async-op` in the cases of tests/never about other columns are removed. If
 * the machine code differs in nothing that is compared, explained.tsv has a row with the function
 * `-` and `nothing lost`. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../case_file.h"
#include "assemble.h"
#include "differential.h"
#include "explained.h"
#include "real.h"

/* Blanks the line, counted from 1. */
static void blank_line(struct bytes text, unsigned long line)
{
    char *at = text.data;
    while (--line && (at = strchr(at, '\n'))) at++;
    while (at && *at && *at != '\n') *at++ = ' ';
}

/* The text without the waits that the case marks as kept. */
static struct bytes without_kept(const struct test_case *test)
{
    struct bytes text = {must(strdup(test->text.data)), test->text.len};
    for (uint32_t i = 0; i < test->mark_count; i++) {
        const struct mark *mark = &test->marks[i];
        if (!strcmp(mark->kind, "kept") && !strcmp(mark->word, "async-op"))
            blank_line(text, mark->line);
    }
    return text;
}

static void compare_cubins(const struct cubin *before, const struct cubin *after, struct buf *what)
{
    const struct deleted deleted = {.wait = true, .wait_st = true};
    for (uint32_t i = 0; i < before->functions.count; i++) {
        const struct code *was = &before->functions.at[i], *is = cubin_find(after, was->name);
        if (is) real_compare(was, is, deleted, what);
    }
}

static void judge_case(const struct test_case *test)
{
    struct cubin before, after;
    struct bytes text = test->text, less = without_kept(test);
    char *path = case_text_name(test, "cases");
    struct buf what = {0};
    bool assembled = assemble(text.data, text.len, &before);
    if (assembled && !assemble(less.data, less.len, &after)) {
        cubin_free(&before);
        assembled = false;
    }
    if (assembled) {
        compare_cubins(&before, &after, &what);
        cubin_free(&before);
        cubin_free(&after);
    }
    bool seen = what.len > 0, explained = is_explained(path, "-", "nothing lost");
    report(assembled && seen != explained, "%s: what is lost without its wait is seen%s", path,
           explained ? ", but for what is explained" : "");
    if (seen) printf("# %s\n", strtok(buf_take(&what), "\n"));
    free(path);
    free(less.data);
}

static void judge_file(const char *path, void *context)
{
    (void)context;
    struct case_list list = case_list_read(path);
    for (size_t i = 0; i < list.count; i++)
        if (strstr(list.cases[i].name, ":other-columns")) judge_case(&list.cases[i]);
    case_list_free(&list);
}

void run_kept(char *const *paths)
{
    case_files_visit(paths, judge_file, NULL);
}
