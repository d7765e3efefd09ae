/* Finds deleted waits that had nothing of their own to wait for, but something else in flight. */
#ifndef PTXOPT_CHECK_MODEL_MEANT_H
#define PTXOPT_CHECK_MODEL_MEANT_H

#include "check/model/flow.h"
#include "check/model/program.h"

enum { MEANT_KINDS = 2, MEANT_STATES = 16 };

/* What may hold at a place are sets of states, MEANT_STATES bits for each kind of wait: what may be
 * in flight, and whether a deleted wait that somebody may have meant for it is owed (meant.c). */
struct meant {
    const struct program *program;
    bool used;         /* a wait was deleted; else there is nothing to ask */
    uint32_t observer; /* of the refusal: the instruction that could tell, and the kind of wait */
    int kind;
};

/* Zero-initialised meant in; borrows from program. */
void meant_prepare(struct meant *meant, const struct program *program);

/* Refuses the first instruction that could tell that an owed wait is gone. */
struct flow meant_flow(struct meant *meant);

/* The wait behind the refusal, as far as can be told: the nearest deleted one of the kind in front
 * of the observer, else the first. */
uint32_t meant_culprit(const struct meant *meant);

#endif
