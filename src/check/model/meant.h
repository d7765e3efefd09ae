/* Finds removed waits for which no operation of their kind was in flight, but another operation
 * was. */
#ifndef PTXOPT_CHECK_MODEL_MEANT_H
#define PTXOPT_CHECK_MODEL_MEANT_H

#include "check/model/flow.h"
#include "check/model/program.h"

enum { MEANT_KINDS = 2, MEANT_STATES = 16 };

/* What may hold at a place is sets of states, MEANT_STATES bits for each kind of wait: what may be
 * in flight, and whether a removed wait that may have been meant for it is owed (meant.c). */
struct meant {
    const struct program *program;
    bool used;         /* a wait was removed; otherwise there is nothing to solve */
    uint32_t observer; /* of the refusal: the instruction that shows it, and the kind of wait */
    int kind;
};

/* Fills meant, which must be zero. program must outlive it. */
void meant_prepare(struct meant *meant, const struct program *program);

/* Returns the flow that refuses the first instruction that could show that an owed wait is
 * missing. */
struct flow meant_flow(struct meant *meant);

/* Returns the removed wait that the refusal is about, as far as it is known: the last one of the
 * kind before the observer in the text, otherwise the first one. */
uint32_t meant_culprit(const struct meant *meant);

#endif
