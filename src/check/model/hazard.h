/* Finds a register that is written while an asynchronous ld or st may still use it. */
#ifndef PTXOPT_CHECK_MODEL_HAZARD_H
#define PTXOPT_CHECK_MODEL_HAZARD_H

#include "check/model/flow.h"
#include "check/model/program.h"

/* How un-waited ld and st use a register. The first of all is for those that none uses. */
struct hazard_use {
    uint32_t ld, st; /* its number among those of ld and of st, NONE when not used so */
    bool loaded;     /* a ld writes it */
};

/* What may hold at a place are two sets of numbered registers of un-waited ld and st, one after
 * the other: pending in both programs, and at risk, that is waited for in the original only. */
struct hazard {
    const struct program *program;
    uint32_t words;    /* of one set; 0 when no wait was removed */
    uint32_t ld_words; /* of them hold registers of ld, the others of st */
    uint32_t *use_of;  /* by register: which of uses */
    struct VEC(struct hazard_use) uses;
    struct VEC(uint32_t) points; /* instructions and touches that matter, in order */
    uint32_t *first_point;       /* by block, and one more */
    bool reads_too;              /* register-dependency is off */
    uint32_t observer, bit;      /* of the refusal: the point, and what it must not touch */
};

/* Numbers registers and points; false when the sets would be too big. Borrows from program; release
 * with hazard_free. */
bool hazard_prepare(struct hazard *hazard, const struct program *program, uint32_t assume);
void hazard_free(struct hazard *hazard);

/* Refuses the first write (or read, if that counts) of a register at risk. */
struct flow hazard_flow(struct hazard *hazard);

/* The bit of a register that a ld, else a st, uses. */
uint32_t hazard_bit(const struct hazard *hazard, bool ld, uint32_t reg);

/* The bit at risk that the instruction or touch must not touch, NONE when it is fine. */
uint32_t hazard_refused(const struct hazard *hazard, uint32_t point, const uint64_t *risk);

/* The instruction of a point, NULL when it is a touch; whether it is a ld or st */
const struct program_instruction *hazard_instruction(const struct hazard *hazard, uint32_t point);
bool hazard_is_access(const struct program_instruction *at);

#endif
