/* Proposes the instruction that corrects a finding, and the places where it can be inserted. */
#ifndef PTXOPT_LINT_CURE_H
#define PTXOPT_LINT_CURE_H

#include "lint/lint.h"

/* A place before or after an instruction of the function. */
struct cure {
    const char *text; /* the instruction to insert, without a guard; static */
    uint32_t instr;   /* insert before it, or after it if behind */
    bool behind;
    bool guarded; /* insert it under the guard of instr, if that has one */
};

enum { CURES_MAX = 3 };

/* Fills cures with the places to try, the best first. Returns their number, at most CURES_MAX; 0 if
 * the fix is not a single instruction to insert. The places are not verified: the caller must try
 * them. */
uint32_t cures_find(const struct lint *lint, const struct hazard *hazard,
                    struct cure cures[CURES_MAX]);

#endif
