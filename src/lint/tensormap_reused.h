/* The part of bulk-source-reused about tensor maps that a kernel writes. */
#ifndef PTXOPT_LINT_TENSORMAP_REUSED_H
#define PTXOPT_LINT_TENSORMAP_REUSED_H

#include "lint/lint.h"

/* The instruction overwrites a tensor map in global memory. Its first operand is the address. */
bool tensormap_is_written(const struct lint *lint, uint32_t instr);

/* The address of the tensor map that the instruction uses. VALUE_NONE: it is not a tensor copy, or
 * the address is not known. */
struct value tensormap_of_copy(const struct lint *lint, uint32_t instr);

/* Reports, as findings of code, each tensor map that a thread overwrites while a tensor copy that
 * it issued may still read it. */
void tensormap_reused_find(struct lint *lint, const struct lint_code *code);

#endif
