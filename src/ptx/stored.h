/* Finds the tensor memory loads whose value a store needs. Such a store waits for the load because
 * of its register dependency (ISA 9.7.16.6.4.5), and ptxas moves no store across a tcgen05 wait or
 * fence. */
#ifndef PTXOPT_PTX_STORED_H
#define PTXOPT_PTX_STORED_H

#include "ptx/view.h"

/* Zero-initialised by the caller. Can be used for one function after the other. */
struct stored_search {
    struct VEC(struct stored) loads; /* all loads of the function */
    struct VEC(uint32_t) waiting;    /* loads whose store is not followed by an event yet */
    uint32_t *load_of;               /* by register: the load on which its value depends */
    uint32_t first_load;             /* number of loads before the current stretch */
    uint32_t pending;                /* number of loads of the stretch that no store needs yet */
};

/* Sets function->stored, which is in the arrays of search until the next call. The uses of all
 * instructions must be present, and labels sorted by target. Time: linear in the number of uses
 * after the first load. */
void stored_find(struct stored_search *search, struct function *function);
void stored_free(struct stored_search *search);

/* The index in function->stored of the first load at or after instruction i. */
uint32_t stored_from(const struct function *function, uint32_t i);

#endif
