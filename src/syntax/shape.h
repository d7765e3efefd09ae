/* Shapes: what a statement of given kinds of tokens is. The parser is run once for each
 * shape: a text of these kinds is parsed, and the positions of its parts are kept for all
 * statements of the shape. */
#ifndef PTXOPT_SYNTAX_SHAPE_H
#define PTXOPT_SYNTAX_SHAPE_H

#include "syntax/cst.h"
#include "syntax/statement.h"
#include "syntax/token.h"

struct shape {
    uint64_t hash;
    const uint8_t *kinds; /* of its tokens, as enum token_kind */
    uint32_t count;
    uint8_t place, kind; /* enum cst_place, enum statement_kind */
    bool holds;          /* false: no such statement, or not decided by kinds alone */
    uint32_t part_count;
    const struct part *parts;
};

struct shapes;

/* Those met so far. known: take the results for some from the table in known_shapes.h, rather than
 * run the parser on each. Released with shapes_free. */
struct shapes *shapes_new(bool known);
void shapes_free(struct shapes *shapes);

/* The shape of the tokens of a statement, a function's without its body. */
const struct shape *shapes_find(struct shapes *shapes, enum cst_place place,
                                const struct token_list *tokens);

/* All of them, in order of first sight. */
const struct shape *const *shapes_all(const struct shapes *shapes, uint32_t *count);

#endif
