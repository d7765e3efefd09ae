/* Is a register written while an asynchronous ld or st may still use it? */
#ifndef PTXOPT_CHECK_MODEL_HAZARD_H
#define PTXOPT_CHECK_MODEL_HAZARD_H

#include "check/model/program.h"

/* Per block entry two sets of numbered registers of un-waited ld and st: pending in both
 * programs, and at risk, that is waited for in the original only. */
struct hazard {
    uint32_t words;           /* of one set; 0 when no wait was deleted */
    uint32_t ld_words;        /* of them hold registers of ld, the others of st */
    uint64_t *pending, *risk; /* block_count * words each */
    bool *reached;
    uint32_t *ld_number, *st_number; /* by register, NONE when not used so */
    uint8_t *loaded;                 /* by register: a ld writes it */
    struct VEC(uint32_t) points;     /* instructions that matter, ascending */
    uint32_t *first_point;           /* by block, and one more */
    bool reads_too;                  /* register-dependency is off */
};

struct hazard_fault {
    uint32_t access, culprit, observer; /* instructions: the ld or st, the wait, the write */
    struct VEC(uint32_t) path;          /* blocks; vec_free */
};

/* Numbers registers and points; false when the sets would be too big. Release with hazard_free. */
bool hazard_prepare(struct hazard *hazard, const struct program *program, uint32_t assume);
void hazard_free(struct hazard *hazard);

/* Fills the sets; false at the first write (or read, if that counts) of a register at risk. */
bool hazard_solve(struct hazard *hazard, const struct program *program, struct hazard_fault *fault);

/* One pass: do the sets given hold at the entry, through every block, without a fault? */
bool hazard_holds(const struct hazard *hazard, const struct program *program);

#endif
