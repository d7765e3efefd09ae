/* A shape is a sequence of kinds of tokens, with the kind of statement that has it. The parser is
 * called once for each shape: it parses a sample with these kinds, and the positions of the parts
 * in the sample are used for all statements of the shape. */
#ifndef PTXOPT_SYNTAX_SHAPE_H
#define PTXOPT_SYNTAX_SHAPE_H

#include "syntax/cst.h"
#include "syntax/statement.h"
#include "syntax/token.h"

struct shape {
    uint64_t hash;
    const uint8_t *kinds; /* enum token_kind of its tokens */
    uint32_t count;
    uint8_t place, kind; /* enum cst_place, enum statement_kind */
    bool holds; /* false: no statement has this shape, or the kinds of tokens alone do not decide */
    uint32_t part_count;
    const struct part *parts;
};

struct shapes;

/* Creates an empty set of shapes. known: some results come from the table in known_shapes.h instead
 * of the parser. The caller calls shapes_free. */
struct shapes *shapes_new(bool known);
void shapes_free(struct shapes *shapes);

/* Returns the shape of the tokens of a statement; the tokens of a function end with the '{' of its
 * body. Owned by shapes. */
const struct shape *shapes_find(struct shapes *shapes, enum cst_place place,
                                const struct token_list *tokens);

/* Returns all shapes found so far, in the order in which they were found. */
const struct shape *const *shapes_all(const struct shapes *shapes, uint32_t *count);

#endif
