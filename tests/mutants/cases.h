/* The cases for mutants, read once: texts with the output that the optimizer must make, rewrites
 * with the verdicts that the checker must give, and texts with the findings that lint must
 * report. */
#ifndef PTXOPT_TESTS_MUTANTS_CASES_H
#define PTXOPT_TESTS_MUTANTS_CASES_H

#include "check/check.h"

#include "../harness.h"

/* The failures of a build of the optimizer, of the checker or of lint. */
struct judged {
    unsigned cases;   /* that were tried */
    unsigned wrong;   /* without the checker the output is another one; or another verdict, or
                         other findings */
    unsigned refused; /* of these, the real checker does not prove the output */
    unsigned slipped; /* with the checker, an output was written that the real one refuses */
    bool crashed;
};

/* The checker of the library: the program is linked with --wrap=check_run. */
void __real_check_run(const struct check_options *options, struct str before, struct str after,
                      struct arena *arena, struct check_result *result);

/* Each case of the files below the folders; see tests/case_file.h. */
void texts_read(char *const *folders);

/* The cases that can notice a mutant; NULL: all. */
struct reach {
    const char *word;  /* only cases whose text contains it */
    const char *rules; /* only cases with one of these rules (separated by blanks) on, or all */
};

/* Runs the cases. names: prints the failures. soon: stops when a mutant is known to be caught. */
struct judged texts_judge(struct reach reach, bool names, bool soon);

/* The options for the checker in the first line of a text, "// options: …". */
struct check_options options_asked_for(struct bytes text);

/* Each kernel of tests/check and each instruction of tests/check/opcodes, with its verdict; see
 * check.sh. */
void verdicts_read(void);

/* Runs the checker on them. soon: stops at the first difference. */
struct judged verdicts_judge(struct reach reach, bool names, bool soon);

/* Runs lint on each case of the files at or below the paths, in this order, until one differs. */
struct judged findings_judge(char *const *paths);

#endif
