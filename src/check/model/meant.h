/* Was a wait that has nothing of its own to wait for meant for something else? */
#ifndef PTXOPT_CHECK_MODEL_MEANT_H
#define PTXOPT_CHECK_MODEL_MEANT_H

#include "check/model/program.h"

enum { MEANT_KINDS = 2 };

/* Sets of states, by kind of wait: what may be in flight, and whether a deleted wait that somebody
 * may have meant for it is owed (meant.c). */
struct meant_sets {
    uint16_t of[MEANT_KINDS];
};

struct meant {
    struct meant_sets *at; /* by block entry */
    bool used;             /* a wait was deleted; else nothing is allocated */
};

void meant_prepare(struct meant *meant, const struct program *program);
void meant_free(struct meant *meant);

/* Fills the sets; false, and the wait (as far as can be told), where one is missed. */
bool meant_solve(struct meant *meant, const struct program *program, uint32_t *fault);

/* One pass over the sets given. */
bool meant_holds(const struct meant *meant, const struct program *program);

#endif
