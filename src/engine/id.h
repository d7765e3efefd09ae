/* Stable names for candidates, so that people can accept or refuse single edits. */
#ifndef PTXOPT_ENGINE_ID_H
#define PTXOPT_ENGINE_ID_H

#include "order/analysis.h"

enum { ID_BITS = 48, ID_DIGITS = 12 };

/* A number of ID_BITS for each of sites[0..count) (ascending instructions): a hash of the
 * function's name, the statement and the instructions around it that no rule would remove, with the
 * rank among candidates of equal surroundings. It survives changes elsewhere in the file and other
 * edits. */
uint64_t *id_build(const struct view *view, const struct function *function, const uint32_t *sites,
                   uint32_t count, struct arena *arena);

/* The id of what a word says of the instruction with that id, the rank-th time (from 0). */
uint64_t id_of_word(uint64_t id, const char *word, uint32_t rank);

bool id_is_listed(const uint64_t *ids, uint32_t count, uint64_t id);

/* The number that 12 hexadecimal digits spell; false for anything else. */
bool id_parse(const char *text, uint64_t *id);

#endif
