/* Checks that ptxas still holds back every instruction that it held back before. By the ISA a
 * wait completes its operations (9.7.16.8.5). ptxas makes an ordering operation wait for that
 * completion after two synchronisations, but after one only some of them. See doc/model.md,
 * ptxas-follows-isa. */
#ifndef PTXOPT_CHECK_MODEL_HELD_H
#define PTXOPT_CHECK_MODEL_HELD_H

#include "check/model/flow.h"
#include "check/model/program.h"

enum { HELD_KINDS = 3, HELD_STAGES = 4, HELD_STATES = HELD_STAGES * HELD_STAGES };

/* What may hold at a place are sets of states, HELD_STATES bits for each of loads, stores, and mma,
 * cp and shift: how far such an operation is held back in BEFORE and in AFTER (held.c). */
struct held {
    const struct program *program;
    bool used;           /* a wait or fence was removed, and nothing is assumed of ptxas */
    bool follows_values; /* a store that needs a loaded value ends the load (value.h) */
    uint32_t observer;   /* of the refusal: the instruction that ptxas would hold back no more */
    /* While a block is passed: the states that some operation is in, and until when it counts. */
    uint16_t states[HELD_KINDS];
    uint32_t last[HELD_KINDS][HELD_STATES];
};

/* Zero-initialised held in; borrows from program. */
void held_prepare(struct held *held, const struct program *program, uint32_t assume);

/* Refuses the first instruction that is held back less. */
struct flow held_flow(struct held *held);

/* The removed wait or fence of the refusal, as far as is known: the nearest in front of the
 * observer, else the first. */
uint32_t held_culprit(const struct held *held);

#endif
