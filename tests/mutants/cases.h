/* The cases that mutants are judged by, read once: texts with what the optimizer must make of them,
 * and rewrites with the verdicts that the checker must give. */
#ifndef PTXOPT_TESTS_MUTANTS_CASES_H
#define PTXOPT_TESTS_MUTANTS_CASES_H

#include "check/check.h"

#include "../harness.h"

/* What a build of the optimizer, or of the checker, gets wrong. */
struct judged {
    unsigned cases;   /* that were tried */
    unsigned wrong;   /* unchecked, the output is not what the case wants; or another verdict */
    unsigned refused; /* of these, the real checker does not prove the output */
    unsigned slipped; /* checked, an output came out that the real checker does not prove */
    bool crashed;
};

/* The real one: the program is linked with --wrap=check_run. */
void __real_check_run(const struct check_options *options, struct str before, struct str after,
                      struct arena *arena, struct check_result *result);

/* Each case of the files below the folders; see tests/case_file.h. */
void texts_read(char *const *folders);

/* Which cases can notice a mutant; NULL: all. */
struct reach {
    const char *word;  /* those in whose text it is */
    const char *rules; /* and in which one of these rules, between blanks, or all are enabled */
};

/* Runs them. names: prints what is wrong. soon: ends when a mutant is known to be caught. */
struct judged texts_judge(struct reach reach, bool names, bool soon);

/* What the first line of a text asks of the checker, "// options: …". */
struct check_options options_asked_for(struct bytes text);

/* Each kernel of tests/check and each instruction of tests/check/opcodes, with its verdict; see
 * check.sh. */
void verdicts_read(void);

/* Asks the checker for them. soon: ends at the first other one. */
struct judged verdicts_judge(struct reach reach, bool names, bool soon);

#endif
