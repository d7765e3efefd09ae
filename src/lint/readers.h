/* Lists the instructions that read each register. */
#ifndef PTXOPT_LINT_READERS_H
#define PTXOPT_LINT_READERS_H

#include "lint/lint.h"

struct readers {
    uint32_t *first;  /* by register, with one more at the end: index into instrs; NULL: the reads
                         are not listed yet */
    uint32_t *instrs; /* in the order of the text; an instruction that reads a register twice is
                         listed twice */
};

/* For the function of lint. In lint->arena. readers_of lists the reads in the first call. */
struct readers *readers_new(const struct lint *lint);
const struct readers *readers_of(const struct lint *lint);

/* Some instruction reads a register that this instruction writes. */
bool readers_have_result(const struct lint *lint, uint32_t instr);

#endif
