/* Stable names of candidates, so that a user can accept or refuse single edits. */
#ifndef PTXOPT_ENGINE_ID_H
#define PTXOPT_ENGINE_ID_H

#include "order/analysis.h"

enum { ID_BITS = 48, ID_DIGITS = 12 };

/* Returns, in arena, a number of ID_BITS bits for each of sites[0..count) (ascending instruction
 * numbers). It is a hash of the name of the function, the statement, and the instructions around it
 * that are not candidates, with the rank among candidates for which these are equal. It does not
 * change with other edits, or with changes elsewhere in the file. */
uint64_t *id_build(const struct view *view, const struct function *function, const uint32_t *sites,
                   uint32_t count, struct arena *arena);

/* Returns the id of a finding about the instruction with this id. word: its kind; rank: its number,
 * from 0, among findings of equal id and word. */
uint64_t id_of_word(uint64_t id, const char *word, uint32_t rank);

bool id_is_listed(const uint64_t *ids, uint32_t count, uint64_t id);

/* Reads an id of ID_DIGITS hexadecimal digits. Returns false if text is anything else. */
bool id_parse(const char *text, uint64_t *id);

#endif
