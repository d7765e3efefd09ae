/* Has the shapes of statements that compilers often write, so that a run need not parse them.
 * known_shapes_print.c prints the tables from known_shapes.ptx, a text with a statement of each
 * shape. */
#ifndef PTXOPT_SYNTAX_KNOWN_SHAPES_H
#define PTXOPT_SYNTAX_KNOWN_SHAPES_H

#include "syntax/statement.h"

struct known_shape {
    uint64_t hash;                   /* of the kinds, see token_hash */
    uint32_t first_kind, kind_count; /* first_kind: index in known_kinds */
    uint32_t first_part, part_count; /* first_part: index in known_parts */
    uint8_t place, kind;             /* enum cst_place, enum statement_kind */
};

extern const struct known_shape known_shapes[];
extern const uint8_t known_kinds[]; /* enum token_kind */
extern const struct part known_parts[];

/* A hash table with open addressing from known_slot on: 1 + the index of a shape; 0: empty. */
extern const uint16_t known_slots[];
extern const uint32_t known_slot_count; /* a power of two */

static inline uint32_t known_slot(uint64_t hash, uint32_t slot_count)
{
    return (uint32_t)(hash >> 32) & (slot_count - 1);
}

#endif
