/* Checks what one wait holds back, and what only a second one does. For every observer of the grid:
 * after `tcgen05.ld; wait::ld; wait::ld` and without the second wait, and the same with a store.
 * held.tsv has the expectations: OBSERVER (a shell pattern for the opcode), OPERATION (`ld`, `st`
 * or `*`), FROM and BEFORE (releases of ptxas, `-` for any), CLASS (`two`, `neither`, or `any` if
 * it depends on the code around). An observer without a row is held back by one wait. An observer
 * that is not found at one place is printed. */
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "differential.h"
#include "grid.h"

struct row {
    const char *observer, *operation, *class;
    double from, before;
};

static struct {
    struct row *at;
    uint32_t count, cap;
} rows;

static double release_in(const char *cell, double otherwise)
{
    return strcmp(cell, "-") ? strtod(cell, NULL) : otherwise;
}

static void read_rows(const char *path)
{
    struct bytes table = file_read(path); /* the rows point into it */
    for (char *rest, *line = table.data ? strtok_r(table.data, "\n", &rest) : NULL; line;
         line = strtok_r(NULL, "\n", &rest)) {
        char *cell[5], *at = line;
        uint32_t cells = 0;
        while (cells < 5 && (cell[cells] = strsep(&at, "\t"))) cells++;
        if (cells < 5) continue;
        struct row row = {cell[0], cell[1], cell[4], release_in(cell[2], 0),
                          release_in(cell[3], 1000)};
        vec_push(&rows, row);
    }
}

static const char *class_expected(const char *observer, const char *operation, double release)
{
    for (uint32_t i = 0; i < rows.count; i++) {
        const struct row *row = &rows.at[i];
        if (!fnmatch(row->observer, observer, 0) && !fnmatch(row->operation, operation, 0) &&
            release >= row->from && release < row->before)
            return row->class;
    }
    return "one";
}

static const char *class_found(const struct trial *trial)
{
    const struct verdict *verdict = &trial->verdict;
    for (uint32_t i = 0; i < verdict->found.count; i++)
        if (verdict->found.at[i].kind == UNMATCHED) return "unknown";
    if (verdict->found.count) return "two";
    return verdict->kept == verdict->pairs ? "one" : "neither";
}

/* True if it is as expected, or without expectations: then it is printed, separated by tabs. */
static bool compare_class(const struct trial *trial, double release)
{
    const struct body *body = &trial->body;
    const char *operation = body->at[0].op->kind == KIND_LD ? "ld" : "st";
    const char *observer = body->at[body->count - 1].op->ptx, *found = class_found(trial);
    struct opcode_name name = operation_name(body->at[body->count - 1].op);
    if (!rows.count) {
        printf("%s\t%s\t%s\n", observer, operation, found);
        return true;
    }
    const char *expected = class_expected(name.text, operation, release);
    if (!strcmp(found, "unknown")) printf("# %s after %s: not found\n", observer, operation);
    if (!strcmp(found, "unknown") || !strcmp(expected, "any")) return true;
    if (!strcmp(expected, found)) return true;
    printf("# %s after %s: held back by %s, expected %s\n", observer, operation, found, expected);
    return false;
}

static bool judge_observers(const struct observers *observers, double release)
{
    static const char *const access[] = {"tcgen05.ld.sync.aligned.32x32b.x1.b32 {%v1}, [%t+64];",
                                         "tcgen05.st.sync.aligned.32x32b.x1.b32 [%t+64], {%u0};"};
    static const char *const wait[] = {"tcgen05.wait::ld.sync.aligned;",
                                       "tcgen05.wait::st.sync.aligned;"};
    uint32_t count = 2 * observers->count;
    struct trial *trials = must(calloc(count, sizeof *trials));
    for (uint32_t i = 0; i < count; i++) {
        struct draft *draft = &trials[i].draft;
        char line[LINE];
        draft_add(draft, access[i % 2]);
        draft_add(draft, wait[i % 2]);
        draft_add(draft, wait[i % 2]);
        grid_write_observer(line, observers->at[i / 2]);
        draft_add(draft, line);
        trials[i].changed = draft->deleted[2] = true;
    }
    bool judged = trials_judge(trials, count, grid_pairs, false), fine = judged;
    for (uint32_t i = 0; i < count; i++) {
        /* Two loads are not compared. */
        if (judged && trials[i].pairs.count) fine &= compare_class(&trials[i], release);
        trial_free(&trials[i]);
    }
    free(trials);
    return fine;
}

void run_held(const char *table)
{
    double release = release_of_ptxas();
    if (table) read_rows(table);
    struct observers observers = grid_observers(true);
    bool fine = judge_observers(&observers, release);
    if (table)
        report(fine && rows.count, "what one wait holds back in ptxas %.1f, and what only two do",
               release);
}
