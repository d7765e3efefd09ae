/* Which instructions read a register. */
#ifndef PTXOPT_LINT_READERS_H
#define PTXOPT_LINT_READERS_H

#include "lint/lint.h"

struct readers {
    uint32_t *first;  /* by register, and one more: into instrs */
    uint32_t *instrs; /* in the order of the text; as often as it names the register */
};

/* Of the function, in lint->arena. */
const struct readers *readers_build(const struct lint *lint);

/* Some instruction reads a register that this one writes. */
bool readers_have_result(const struct lint *lint, uint32_t instr);

#endif
