/* Finds removed waits that had no own operation to wait for, but another one in flight. */
#ifndef PTXOPT_CHECK_MODEL_MEANT_H
#define PTXOPT_CHECK_MODEL_MEANT_H

#include "check/model/flow.h"
#include "check/model/program.h"

enum { MEANT_KINDS = 2, MEANT_STATES = 16 };

/* What may hold at a place are sets of states, MEANT_STATES bits for each kind of wait: what may be
 * in flight, and whether a removed wait that may have been intended for it is owed (meant.c). */
struct meant {
    const struct program *program;
    bool used;         /* a wait was removed; else there is no question */
    uint32_t observer; /* of the refusal: the instruction that shows it, and the kind of wait */
    int kind;
};

/* Zero-initialised meant in; borrows from program. */
void meant_prepare(struct meant *meant, const struct program *program);

/* Refuses the first instruction that could show that an owed wait is missing. */
struct flow meant_flow(struct meant *meant);

/* The wait of the refusal, as far as is known: the nearest removed one of the kind in front
 * of the observer, else the first. */
uint32_t meant_culprit(const struct meant *meant);

#endif
