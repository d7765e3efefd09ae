/* Reads a call: the function that it names, and the events that represent it. */
#ifndef PTXOPT_CHECK_MODEL_CALL_H
#define PTXOPT_CHECK_MODEL_CALL_H

#include "check/model/operand.h"

/* A `call[.uni] [(returns),] name[, (arguments)];` */
struct call_form {
    struct span name; /* empty: it is none, and its callees are not known */
    bool has_returns;
};

/* Reads what follows the opcode. */
struct call_form call_read(struct str text, struct str modifiers, uint32_t pos);

/* Where the callee is known: adds its events, each of which may happen or not, in a loop; what is
 * then left of the call in made, to be added after, works on registers or ordinary memory. Returns
 * which cta_groups the callee names (enum check_effect_word). */
unsigned call_add(struct program *program, struct program_instruction *made,
                  const struct opcode *opcode);

#endif
