/* Finds the tensor memory loads of which nothing but stores needs a value. ptxas moves no store
 * across a tcgen05 wait or fence, and such a store waits for the load because of its register
 * dependency (ISA 9.7.16.6.4.5). If ptxas removes the store, because another one overwrites it or
 * its value does not depend on the load, nothing else needs the load, and its time is of no
 * importance. An instruction that may read what such a store has written needs the load, too. */
#ifndef PTXOPT_PTX_STORED_H
#define PTXOPT_PTX_STORED_H

#include "ptx/view.h"

/* A load while stretches of straight code are passed. */
struct stored_load {
    struct stored found;
    uint32_t with; /* number of a later load with a value in common; 0: none */
    bool needed;   /* something other than a store needs a value, or may need it */
};

/* A register that has a value of a load at the end of its stretch. */
struct stored_rest {
    uint32_t load;
    reg_id reg;
};

/* The loads of a function, sorted by load. */
struct stored_list {
    const struct stored *at;
    uint32_t count;
};

/* Zero-initialised by the caller. Can be used for one function after the other. Loads are numbered
 * from 1 through the function. */
struct stored_search {
    bool done;              /* found is that of the function */
    const struct use *uses; /* of all instructions, also of those that only compute */
    uint32_t use_count, reg_count;
    const uint32_t *first_use; /* by instruction, and one more: index in uses; NULL: as in instrs */
    struct VEC(struct stored_load) loads;
    struct VEC(struct stored) found;
    struct VEC(uint32_t) waiting; /* loads with a store after which no event has followed yet */
    struct VEC(uint32_t) written; /* loads with a store after which no memory has been read yet */
    struct VEC(reg_id) holders;   /* registers that got a value of a load in this stretch */
    struct VEC(struct stored_rest) rests;
    uint32_t *load_of;   /* by register: the load from which its value may come */
    uint32_t *reads;     /* by register: reads that are not known to be on the way to a store */
    uint32_t first_load; /* number of loads before the current stretch */
};

/* Lets stored_of find the loads of the function, for which search, uses and first_use must stay as
 * they are. The uses must be those of all instructions, without any others; the labels of the
 * function must be sorted by target. */
void stored_begin(struct stored_search *search, struct function *function, const struct use *uses,
                  uint32_t use_count, const uint32_t *first_use);

/* Returns the loads of which nothing but stores needs a value. The first call for a function takes
 * time linear in the number of uses; few functions need it. */
struct stored_list stored_of(const struct function *function);
/* Whether the next call of stored_of takes no time. */
bool stored_is_known(const struct function *function);
void stored_free(struct stored_search *search);

/* The index in list of the first load at or after instruction i. */
uint32_t stored_from(struct stored_list list, uint32_t i);

#endif
