/* Finds a register that is written while an asynchronous ld or st may still use it. */
#ifndef PTXOPT_CHECK_MODEL_HAZARD_H
#define PTXOPT_CHECK_MODEL_HAZARD_H

#include "check/model/flow.h"
#include "check/model/program.h"

/* How ld and st for which no wait has come yet use a register. The first entry is for all registers
 * that none uses. */
struct hazard_use {
    uint32_t ld, st; /* its numbers among the registers of ld and of st, NONE if not used so */
    bool loaded;     /* a ld writes it */
};

/* What may hold at a place is two sets of numbered registers of such ld and st, one after the
 * other: pending (no wait yet in either program), and at risk (the wait has come in BEFORE
 * only). */
struct hazard {
    const struct program *program;
    uint32_t words;    /* 64-bit words of one set; 0 if no wait was removed */
    uint32_t ld_words; /* words for registers of ld; the others are for st */
    uint32_t *use_of;  /* by register: index into uses */
    struct VEC(struct hazard_use) uses;
    struct VEC(uint32_t) points; /* numbers of instructions and touches that matter, in order */
    uint32_t *first_point;       /* by block, and one more entry: index into points */
    uint64_t *fading;            /* two sets: all bits of pending, none of at risk */
    bool reads_too;              /* register-dependency is not assumed, so reads count, too */
    uint32_t observer, bit;      /* of the refusal: the point, and the bit that it must not touch */
};

/* Numbers the registers and points of program, which must outlive hazard. Returns false if the sets
 * would be too large. Release hazard with hazard_free. */
bool hazard_prepare(struct hazard *hazard, const struct program *program, uint32_t assume);
void hazard_free(struct hazard *hazard);

/* Returns the flow that refuses the first write of a register at risk (or read, with reads_too). */
struct flow hazard_flow(struct hazard *hazard);

/* Returns the bit of a register as used by a ld (ld true) or a st. */
uint32_t hazard_bit(const struct hazard *hazard, bool ld, uint32_t reg);

/* Returns the bit at risk that the instruction or touch must not touch; NONE if it touches none. */
uint32_t hazard_refused(const struct hazard *hazard, uint32_t point, const uint64_t *risk);

/* hazard_instruction: the instruction of a point, NULL if it is a touch. hazard_is_access: whether
 * it is a ld or st. */
const struct program_instruction *hazard_instruction(const struct hazard *hazard, uint32_t point);
bool hazard_is_access(const struct program_instruction *at);

#endif
