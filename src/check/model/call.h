/* Reads a call: the function that it names, and the events that represent the callee. */
#ifndef PTXOPT_CHECK_MODEL_CALL_H
#define PTXOPT_CHECK_MODEL_CALL_H

#include "check/model/operand.h"

/* A `call[.uni] [(returns),] name[, (arguments)];`. */
struct call_form {
    struct span name; /* empty: another form of call; the callees are not known */
    bool has_returns;
};

/* Reads a call from pos on, after the opcode. */
struct call_form call_read(struct str text, struct str modifiers, uint32_t pos);

/* If the callee is known, adds its events in a loop in which each event may or may not happen, and
 * changes made to the rest of the call, which works on registers or ordinary memory and which the
 * caller adds after the loop. Returns the cta_groups that the callee names (enum
 * check_effect_word); 0 if the callee is not known, and made stays a call. */
unsigned call_add(struct program *program, struct program_instruction *made,
                  const struct opcode *opcode);

#endif
