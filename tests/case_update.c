/* Rewrites a file of cases, so that a case expects its actual result. See case_file.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "case_file.h"
#include "case_lines.h"

struct mark *mark_add(struct mark *marks, uint32_t *count, struct mark mark)
{
    if (mark_is_among(&mark, marks, *count)) return marks;
    marks = must(realloc(marks, (*count + 1) * sizeof mark));
    marks[(*count)++] = mark;
    return marks;
}

bool mark_is_among(const struct mark *mark, const struct mark *marks, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (marks[i].line == mark->line && marks[i].witness == mark->witness &&
            !strcmp(marks[i].kind, mark->kind) && !strcmp(marks[i].word, mark->word))
            return true;
    return false;
}

/* The label of a witness on that line, or 0: letters in the order of the findings. */
static char label_of(uint32_t line, const struct mark *marks, uint32_t count)
{
    char label = 'A';
    for (uint32_t i = 0; i < count; i++) {
        uint32_t witness = marks[i].witness;
        bool seen = !witness || witness == marks[i].line;
        for (uint32_t k = 0; k < i; k++) seen |= marks[k].witness == witness;
        if (!seen && witness == line) return label;
        label += !seen;
    }
    return 0;
}

/* The same, unless a mark that all variants share already gives the line a label. */
static char own_label_of(uint32_t line, const struct mark *marks, uint32_t count,
                         const struct test_case *known)
{
    bool shared = known && label_of(line, known->marks, known->mark_count);
    return shared ? 0 : label_of(line, marks, count);
}

/* Prints the expectations of a line of the text, as in the rewritten file. */
static void print_marks(FILE *to, uint32_t line, const struct mark *marks, uint32_t count,
                        const struct test_case *known)
{
    const char *open = NULL;
    char label = own_label_of(line, marks, count, known);
    if (label) fprintf(to, " // witness: %c", label);
    for (uint32_t i = 0; i < count; i++) {
        const struct mark *mark = &marks[i];
        if (mark->line != line || (known && mark_is_among(mark, known->marks, known->mark_count)))
            continue;
        if (open && !strcmp(open, mark->kind))
            fprintf(to, ", %s", mark->word);
        else
            fprintf(to, " // %s%s%s", mark->kind, *mark->word ? ": " : "", mark->word);
        open = mark->kind;
        if (mark->witness == line) fprintf(to, " by itself");
        label = label_of(mark->witness, marks, count);
        if (mark->witness && mark->witness != line) fprintf(to, " by %c", label);
    }
}

static bool is_row_of(const struct test_case *test, struct bytes line)
{
    struct bytes names, text;
    return split_row(line, &names, &text) && names.len == strlen(test->variant) &&
           is_named(names, test->variant);
}

/* The line of the text that was made of the file's line; 0 if there is none, or if it only has
 * marks. */
static uint32_t line_from(const struct test_case *test, uint32_t number)
{
    for (uint32_t i = 0; i < test->line_count; i++)
        if (test->origin[i] == number) return i + 1;
    return 0;
}

/* Prints a line that belongs to this case only, with the correct marks. */
static void print_own(FILE *to, const struct test_case *test, struct bytes line, uint32_t number,
                      const struct mark *marks, uint32_t count)
{
    uint32_t at = line_from(test, number);
    /* The marks are on the line of the instruction. */
    if (!at && marks_start(line) < line.len) return;
    line = without_marks(line);
    fprintf(to, "%.*s", (int)line.len, line.data);
    if (at) print_marks(to, at, marks, count, NULL);
    fputc('\n', to);
}

/* A line that other variants share: a row below it has the marks of this variant only. shared: the
 * case with the other marks only. */
static void print_shared(FILE *to, const struct test_case *shared, struct bytes line,
                         uint32_t number, const struct mark *marks, uint32_t count)
{
    uint32_t at = line_from(shared, number);
    bool more = at && own_label_of(at, marks, count, shared);
    fprintf(to, "%.*s\n", (int)line.len, line.data);
    for (uint32_t i = 0; at && i < count; i++)
        more |= marks[i].line == at && !mark_is_among(&marks[i], shared->marks, shared->mark_count);
    if (!more) return;
    fprintf(to, "%.*s//| %s:", (int)indent_of(line), line.data, shared->variant);
    print_marks(to, at, marks, count, shared);
    fputc('\n', to);
}

static bool is_of_case(const struct test_case *test, uint32_t number)
{
    for (uint32_t i = 0; i < test->mark_count; i++)
        if (test->marks[i].from == number) return true;
    return line_from(test, number) != 0;
}

/* A mark that no longer applies, on a line that other variants share. */
static bool is_shared_and_wrong(const struct test_case *test, const struct lines *lines,
                                const struct mark *marks, uint32_t count)
{
    for (uint32_t i = 0; test->variant && i < test->mark_count; i++) {
        const struct mark *mark = &test->marks[i];
        if (!is_row_of(test, lines->at[mark->from]) && !mark_is_among(mark, marks, count))
            return true;
    }
    return false;
}

bool case_file_update(const struct test_case *test, const struct mark *marks, uint32_t count)
{
    struct bytes file = file_read(test->file);
    struct lines lines = split_lines(file);
    bool wrong = is_shared_and_wrong(test, &lines, marks, count);
    FILE *to = wrong ? NULL : must(fopen(test->file, "w"));
    struct test_case shared = *test;
    shared.marks = NULL;
    shared.mark_count = 0;
    for (uint32_t i = 0; i < test->mark_count; i++)
        if (!test->variant || !is_row_of(test, lines.at[test->marks[i].from])) {
            shared.marks =
                must(realloc(shared.marks, (shared.mark_count + 1) * sizeof(struct mark)));
            shared.marks[shared.mark_count++] = test->marks[i];
        }
    for (uint32_t i = 0; to && i < lines.count; i++) {
        struct bytes line = lines.at[i];
        if (!is_of_case(test, i))
            fprintf(to, "%.*s\n", (int)line.len, line.data);
        else if (!test->variant || is_row_of(test, line))
            print_own(to, test, line, i, marks, count);
        else
            print_shared(to, &shared, line, i, marks, count);
    }
    if (to) fclose(to);
    if (wrong)
        printf("# other variants share the line of a wrong expectation: rewrite it by hand\n");
    if (to) printf("# rewrote %s in %s\n", test->name, test->file);
    free(shared.marks);
    free(lines.at);
    free(file.data);
    return to != NULL;
}
