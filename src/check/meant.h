/* Was a wait that has nothing of its own to wait for meant for something else? */
#ifndef PTXOPT_CHECK_MEANT_H
#define PTXOPT_CHECK_MEANT_H

#include "check/program.h"

/* By block entry a set of states: what may be in flight, and which deleted waits somebody may have
 * meant for it (meant.c). */
struct meant {
    uint32_t *states;
    bool used; /* a wait was deleted; else nothing is allocated */
};

void meant_prepare(struct meant *meant, const struct program *program);
void meant_free(struct meant *meant);

/* Fills the sets; false, and the wait (as far as can be told), where one is missed. */
bool meant_solve(struct meant *meant, const struct program *program, uint32_t *fault);

/* One pass over the sets given. */
bool meant_holds(const struct meant *meant, const struct program *program);

#endif
