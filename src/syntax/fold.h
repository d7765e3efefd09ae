/* Folds lists that a statement may have in any length: of like elements in braces, `{a, b, c, d}`
 * into `{a, b}`, and of parameters into the first one and one of each kind after it.
 */
#ifndef PTXOPT_SYNTAX_FOLD_H
#define PTXOPT_SYNTAX_FOLD_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"
#include "syntax/statement.h"

/* Tokens that were left out. */
struct fold_list {
    uint32_t before; /* the folded token that they were after */
    uint32_t tokens;
    uint32_t more; /* in braces: so many elements, each as the token before; 0: parameters */
};

struct fold {
    struct VEC(uint8_t) kinds;          /* enum token_kind */
    uint64_t hash;                      /* of these, see token_hash */
    struct VEC(struct fold_list) lists; /* in order; none: nothing was folded */
};

struct fold_parts VEC(struct part);

/* Folds the tokens of a statement. Zero-initialised fold in; release with fold_free. */
void fold_make(struct fold *fold, const uint8_t *kinds, uint32_t count);
void fold_free(struct fold *fold);

/* Appends to whole what parts of the folded statement are in the whole one: each further element in
 * braces is what the second one is. False when that cannot be said of the second by itself, or a
 * part ends with a parameter that others came after. */
bool fold_undo(const struct fold *fold, const struct part *parts, uint32_t count,
               struct fold_parts *whole);

#endif
