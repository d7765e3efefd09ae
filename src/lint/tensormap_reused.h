/* The part of bulk-source-reused about tensor maps that a kernel writes. */
#ifndef PTXOPT_LINT_TENSORMAP_REUSED_H
#define PTXOPT_LINT_TENSORMAP_REUSED_H

#include "base/vec.h"
#include "lint/lint.h"
#include "value/expr.h"

/* The address of the tensor map that the instruction uses. VALUE_NONE: it is not a tensor copy, or
 * the address is not known. */
struct value tensormap_of_copy(const struct lint *lint, uint32_t instr);

/* Instructions by the address of their tensor map, then in the order of the text. */
struct tensormap_use {
    struct value map;
    uint32_t instr;
};
struct tensormap_uses VEC(struct tensormap_use);

/* Adds all instructions with a known map: those that write one, or those that copy with one. For
 * vec_free. */
void tensormaps_list(const struct lint *lint, bool writes, struct tensormap_uses *uses);

/* Some instruction of the list with that map may follow the instruction. */
bool tensormaps_follow(const struct lint *lint, const struct tensormap_uses *uses, struct value map,
                       uint32_t instr);

/* Reports, as findings of code, each tensor map that a thread overwrites while a tensor copy that
 * it issued may still read it. */
void tensormap_reused_find(struct lint *lint, const struct lint_code *code);

#endif
