/* Proposes the one instruction that corrects a finding, and the places where it may be
 * inserted. */
#ifndef PTXOPT_LINT_CURE_H
#define PTXOPT_LINT_CURE_H

#include "lint/lint.h"

/* A place beside an instruction of the function. */
struct cure {
    const char *text; /* the instruction to insert, without a guard; static */
    uint32_t instr;   /* in front of it or, with behind, after it */
    bool behind;
    bool guarded; /* under the guard of instr, if it has one */
};

enum { CURES_MAX = 3 };

/* Fills cures with the places to try, the best first, and returns how many they are: 0 where the
 * fix is not one instruction to insert. Nothing shows yet that any of them is right. */
uint32_t cures_find(const struct lint *lint, const struct hazard *hazard,
                    struct cure cures[CURES_MAX]);

#endif
