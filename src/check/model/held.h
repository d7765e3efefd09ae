/* Checks that ptxas holds back every instruction in AFTER that it holds back in BEFORE. By the ISA
 * a wait completes its operations (9.7.16.8.5). ptxas makes all ordering operations wait for this
 * completion only after two synchronisations; after one, only some of them. See ptxas-follows-isa
 * in doc/model.md. */
#ifndef PTXOPT_CHECK_MODEL_HELD_H
#define PTXOPT_CHECK_MODEL_HELD_H

#include "check/model/flow.h"
#include "check/model/program.h"

enum { HELD_KINDS = 3, HELD_STAGES = 4, HELD_STATES = HELD_STAGES * HELD_STAGES };

/* What may hold at a place is sets of states, HELD_STATES bits for each of loads, stores, and mma,
 * cp and shift. A state says how far ptxas holds such an operation back in BEFORE and in AFTER
 * (held.c). */
struct held {
    const struct program *program;
    bool used;           /* a wait or fence was removed, and ptxas-follows-isa is not assumed */
    bool early;          /* an instruction with CHECK_EFFECT_EARLY may follow */
    bool follows_values; /* the last store ends a load that only stores need (value.h) */
    uint32_t observer;   /* of the refusal: the instruction that ptxas would no longer hold back */
    /* While a block is passed: the states of operations, and the last instruction up to which each
     * counts. */
    uint16_t states[HELD_KINDS];
    uint32_t last[HELD_KINDS][HELD_STATES];
};

/* Fills held, which must be zero. program must outlive it. */
void held_prepare(struct held *held, const struct program *program, uint32_t assume);

/* Returns the flow that refuses the first instruction that is held back less. */
struct flow held_flow(struct held *held);

/* Returns the removed wait or fence that the refusal is about, as far as it is known: the last one
 * before the observer in the text, otherwise the first one. */
uint32_t held_culprit(const struct held *held);

/* Whether the instruction waits for what an earlier wait completes, so that all later instructions
 * come after that, too. ptxas moves several before an mma, cp or shift. */
bool held_is_drain(const struct program_instruction *at);

#endif
