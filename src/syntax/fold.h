/* Folds lists of any length in a statement: a list of equal elements in braces to two, `{a, b, c,
 * d}` to `{a, b}`, and a list of parameters to the first one and one of each kind after it. */
#ifndef PTXOPT_SYNTAX_FOLD_H
#define PTXOPT_SYNTAX_FOLD_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"
#include "syntax/statement.h"

/* Tokens that were left out. */
struct fold_list {
    uint32_t before; /* the folded token after which they were left out */
    uint32_t tokens;
    uint32_t more; /* in braces: the number of elements left out, each like the token before; 0:
                      parameters */
};

struct fold {
    struct VEC(uint8_t) kinds;          /* enum token_kind */
    uint64_t hash;                      /* of kinds, see token_hash */
    struct VEC(struct fold_list) lists; /* in order; empty: nothing was folded */
};

struct fold_parts VEC(struct part);

/* Folds the tokens of a statement. *fold must be zero. The caller calls fold_free. */
void fold_make(struct fold *fold, const uint8_t *kinds, uint32_t count);
void fold_free(struct fold *fold);

/* Appends to whole the parts of the whole statement, from the parts of the folded one: each further
 * element in braces has the same part as the second one. False if the second element does not have
 * a part of its own, or if a part ends with a parameter after which others were left out. */
bool fold_undo(const struct fold *fold, const struct part *parts, uint32_t count,
               struct fold_parts *whole);

#endif
