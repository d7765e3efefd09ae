/* Waits that must stay, deleted all the same: the comparison of whole kernels (real.c) has to see
 * that something is lost. Else it would not see it either when the optimizer deletes such a wait,
 * and nobody would know whether what it lets pass is too much.
 *
 * Of a case of tests/never, NAME.ptx with NAME.no, the waits on the lines with `async-op` are
 * deleted. Where the machine code differs in nothing that is compared, explained.tsv has a row with
 * the function `-` and `nothing lost`. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "assemble.h"
#include "differential.h"
#include "explained.h"
#include "real.h"

/* Makes the line, from 1, blank. */
static void blank_line(struct bytes text, unsigned long line)
{
    char *at = text.data;
    while (--line && (at = strchr(at, '\n'))) at++;
    while (at && *at && *at != '\n') *at++ = ' ';
}

/* The text without what the case says must stay. */
static struct bytes without_kept(const char *path)
{
    char *list_path = with_suffix(path, ".no");
    struct bytes text = file_read(path), list = file_read(list_path);
    for (char *rest, *line = list.data ? strtok_r(list.data, "\n", &rest) : NULL; line && text.data;
         line = strtok_r(NULL, "\n", &rest)) {
        char *reason;
        unsigned long number = strtoul(line, &reason, 10);
        if (number && !strcmp(reason, " async-op")) blank_line(text, number);
    }
    free(list.data);
    free(list_path);
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

static void judge_case(const char *path)
{
    struct cubin before, after;
    struct bytes text = file_read(path), less = without_kept(path);
    struct buf what = {0};
    bool assembled = text.data && less.data && assemble(text.data, text.len, &before);
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
    free(text.data);
    free(less.data);
}

void run_kept(char *const *paths)
{
    for (; *paths; paths++) judge_case(*paths);
}
