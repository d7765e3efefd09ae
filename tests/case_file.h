/* Files of many cases, in the notation of tests/README.md: each function is a case, or each section
 * under a line "//// NAME"; lines "//| VARIANT: …" make a template of it; comments give the
 * expectation for the instruction on their line. */
#ifndef PTXOPT_TESTS_CASE_FILE_H
#define PTXOPT_TESTS_CASE_FILE_H

#include <stdint.h>

#include "harness.h"

/* One expectation: "removed", "kept", "advice", "skipped", "error", "warning", "remark", "note",
 * "missed" or "deleted", with its word: a rule, a reason, a code, a verdict, or "". */
struct mark {
    uint32_t line;    /* in the text of the case, from 1 */
    uint32_t from;    /* the line of the file that it is written on, from 0 */
    uint32_t witness; /* for a finding: the line of its witness, or 0 */
    const char *kind;
    char *word;
};

struct test_case {
    char *name;        /* "rules/wait-covered/loops:back-edge" */
    char *file;        /* "tests/rules/wait-covered/loops.ptx" */
    char *variant;     /* for a template, or NULL */
    char *rule;        /* for a case below tests/rules/RULE: the only enabled rule, or NULL */
    struct bytes text; /* without the marks */
    struct bytes want; /* the output */
    bool has_output;   /* from a separate section */
    uint32_t *origin;  /* for each line of the text the line of the file, from 0 */
    uint32_t line_count;
    struct mark *marks;
    uint32_t mark_count;
};

struct case_list {
    struct test_case *cases;
    size_t count;
};

/* The cases of a file, in order; freed with case_list_free. Ends the program with a message if the
 * file is not in the notation. */
struct case_list case_list_read(const char *path);
void case_list_free(struct case_list *list);

/* Whether make check CASE=GLOB selects it, by its name or by that of its file. */
bool case_is_chosen(const struct test_case *test);

/* Runs the cases of every .ptx file at or below the paths, each in its own process; prints TAP. */
typedef bool case_runner(const struct test_case *test);
int case_files_run(char *const *paths, case_runner *run);

/* Calls visit with each .ptx file at or below the paths, in order of name. */
typedef void file_visitor(const char *path, void *context);
void case_files_visit(char *const *paths, file_visitor *visit, void *context);

/* FOLDER/NAME.ptx, NAME with / for its colon, and a dot for that in front of a variant; freed with
 * free. */
char *case_text_name(const struct test_case *test, const char *folder);

/* Writes the text of each case of the files at or below the paths into the folder. */
void case_files_expand(const char *folder, char *const *paths);

/* Whether an equal mark is among the marks, on any line. */
bool mark_is_among(const struct mark *mark, const struct mark *marks, uint32_t count);

/* The marks and one more, unless it is there; freed with free, the words are the caller's. */
struct mark *mark_add(struct mark *marks, uint32_t *count, struct mark mark);

/* Rewrites the file, so that these are the expectations of the case. False, with a comment, if
 * other variants share a line that would have to change. */
bool case_file_update(const struct test_case *test, const struct mark *marks, uint32_t count);

/* A case below tests/lint-codes or tests/bugs, whose marks are findings; and the function that runs
 * it. */
bool case_is_of_lint(const struct test_case *test);
bool case_lint_run(const struct test_case *test, bool update);

#endif
