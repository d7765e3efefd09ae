/* Folds long lists of like elements in braces, which a statement may have in any length: `{a, b, c,
 * d}` into `{a, b}`.
 */
#ifndef PTXOPT_SYNTAX_FOLD_H
#define PTXOPT_SYNTAX_FOLD_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"
#include "syntax/statement.h"

/* A list of which the first two elements are left. */
struct fold_list {
    uint32_t second; /* the second element among the folded tokens */
    uint32_t more;   /* elements that were after it */
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

/* Appends to whole what parts of the folded statement are in the whole one: each further element of
 * a list is what its second one is. False when that cannot be said of the second by itself. */
bool fold_undo(const struct fold *fold, const struct part *parts, uint32_t count,
               struct fold_parts *whole);

#endif
