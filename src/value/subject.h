/* The function whose values are computed, with everything that this layer needs to know about
 * it. */
#ifndef PTXOPT_VALUE_SUBJECT_H
#define PTXOPT_VALUE_SUBJECT_H

#include "base/effort.h"
#include "flow/cfg.h"
#include "flow/dominators.h"
#include "flow/loops.h"
#include "value/spelled.h"

struct exprs;
struct values;
struct conditions;
struct condition_pairs;
struct barriers;
struct lane_tables;
struct smem_accesses;
struct held_operand;

#define NO_INSTR UINT32_MAX

/* The caller sets the first five members, for a function whose view has all operands (except for
 * columns.h), and calls subject_begin; of the last three it builds only those that it uses. A
 * subject belongs to one function and one thread. */
struct subject {
    const struct view *view;
    const struct function *function;
    const struct cfg *cfg;
    struct arena *arena;         /* for data that lives as long as the function */
    struct effort *effort;       /* NULL: no limit */
    struct spelled **spelled;    /* by spelling: see instruction.h; NULL: none */
    struct spelled **spelled_at; /* the same by instruction */
    bool maps;                   /* the function has a mapa */
    struct loops loops;          /* without their members */
    /* The instructions that do not only compute (their effect is not EFFECT_REGISTER), in the order
     * of the text, without the end of the body. */
    const uint32_t *acting;
    uint32_t acting_count;
    struct held_operand *operands;   /* by operand: see instruction.h; set by values_build */
    struct lane_tables *lane_tables; /* see lane_masks.h */
    struct values *values;           /* see values.h */
    struct exprs *exprs;             /* of values */
    struct conditions *conditions;   /* see conditions.h */
    struct condition_pairs *condition_pairs; /* see condition_pairs.h */
    struct barriers *barriers;               /* see barriers.h */
    const struct smem_accesses *accesses;    /* see smem.h; NULL: not needed yet */
    const struct dominators *dominators;     /* see subject_dominators; NULL: not needed yet */
};

/* Afterwards, the registers of subject->function are webs (see flow/webs.h), and the functions of
 * instruction.h can be used. */
void subject_begin(struct subject *subject);

/* Without subject_begin: makes the opcode of one instruction known to the functions of
 * instruction.h. */
void subject_read_spelled(struct subject *subject, uint32_t instr);

/* The dominators of the paths from the beginning of the function, computed by the first call; they
 * live as long as the function. */
const struct dominators *subject_dominators(struct subject *subject);

/* Every path from the beginning of the function to block `to` has entered block `by` before, or no
 * path leads to `to`, or both are one block. */
bool subject_always_enters(struct subject *subject, uint32_t by, uint32_t to);

/* See effort_spend. */
static inline void subject_spend(const struct subject *subject, uint64_t units)
{
    effort_spend(subject->effort, units);
}

static inline enum effect subject_effect(const struct subject *subject, uint32_t instr)
{
    return subject->function->instrs[instr].opcode->effect;
}

#endif
