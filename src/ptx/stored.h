/* Finds the tensor-memory loads whose value a store needs. Such a store waits for the load by its
 * register dependency (ISA 9.7.16.6.4.5), and ptxas moves no store over a tcgen05 wait or fence. */
#ifndef PTXOPT_PTX_STORED_H
#define PTXOPT_PTX_STORED_H

#include "ptx/view.h"

/* Zero-initialise; serves one function after the other. */
struct stored_search {
    struct VEC(struct stored) loads; /* of the function, stored or not */
    struct VEC(uint32_t) waiting;    /* loads with a store that no event follows yet */
    uint32_t *load_of;               /* by register: the load that its value comes from */
    uint32_t first_load;             /* loads before the current stretch */
    uint32_t pending;                /* loads of the stretch that no store needs yet */
};

/* Fills function->stored, in search's arrays until the next call. The uses of all instructions
 * must be there; labels ascend by target. Time: linear in the uses after the first load. */
void stored_find(struct stored_search *search, struct function *function);
void stored_free(struct stored_search *search);

/* The index in function->stored of the first load that is not in front of instruction i. */
uint32_t stored_from(const struct function *function, uint32_t i);

#endif
