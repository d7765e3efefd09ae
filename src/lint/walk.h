/* Finds the instructions that a thread may reach from one instruction. Contradictory paths are
 * not followed: a predicate that is tested twice without a write in between has one value, and
 * a guarded instruction runs if its guard held before. */
#ifndef PTXOPT_LINT_WALK_H
#define PTXOPT_LINT_WALK_H

#include "lint/lint.h"
#include "value/conditions.h"

/* What all walks of a function go by; after path_conditions_build. In lint->arena but for what
 * walks_free frees. */
struct walks *walks_build(struct lint *lint);
void walks_free(struct walks *walks);

/* Effects, as bits of an interest: the asynchronous operations. */
enum {
    WALK_ASYNC = 1 << EFFECT_ASYNC_LD | 1 << EFFECT_ASYNC_ST | 1 << EFFECT_ASYNC_MMA |
                 1 << EFFECT_ASYNC_CP | 1 << EFFECT_ASYNC_SHIFT
};

/* A bit in place of EFFECT_MEMORY's: those of them that may access shared memory. */
enum { WALK_SHARED_MEMORY = 1 << EFFECT_COUNT };

/* The bits of an interest that the instruction has. */
static inline uint32_t walk_bits(const struct lint *lint, uint32_t instr)
{
    const struct instr *at = &lint->function->instrs[instr];
    uint32_t bits = 1u << at->opcode->effect;
    bool shared = at->space == SPACE_ANY || at->space == SPACE_SHARED;
    if (at->opcode->effect == EFFECT_MEMORY && shared) bits |= WALK_SHARED_MEMORY;
    return bits;
}

/* … and what threads may signal or wait by. */
enum {
    WALK_HANDOVERS = 1 << EFFECT_RELEASE_BARRIER | 1 << EFFECT_RELEASE_MEMORY | 1 << EFFECT_COMMIT |
                     1 << EFFECT_ACQUIRE_BARRIER | 1 << EFFECT_ACQUIRE_MEMORY |
                     1 << EFFECT_BOTH_BARRIER | 1 << EFFECT_BOTH_MEMORY | 1 << EFFECT_CALL
};

enum walk_does {
    WALK_ON,   /* the path continues */
    WALK_END,  /* this path is answered */
    WALK_FOUND /* so is the question: the walk ends, and the path is kept */
};

/* Called for each instruction that a path comes to and that runs on it; one whose guard does not
 * hold is passed over. state is the path's own small memory, 0 to 255, at first as given; paths
 * that meet with the same state and conditions go on as one. */
typedef enum walk_does walk_look(void *context, const struct lint *lint, uint32_t instr,
                                 unsigned *state);

struct walk_path {
    uint32_t found;   /* the instruction, or NO_INSTR */
    uint32_t *instrs; /* from the start to it, in arena: those two and, between, what was branched
                         by */
    uint32_t count;
    unsigned state;           /* the path's, at the end */
    struct condition_set set; /* and what is known there of values that are fixed */
    bool vague;               /* it may contradict itself: not all that was known could be kept */
    bool gave_up;             /* too many paths: the rest of them is not known */
};

/* Walks from after instr, under the conditions of its place and with its guard held. True when
 * look said found. With interest the walk calls it for some effects only: those with the
 * bit 1 << effect, or WALK_SHARED_MEMORY; 0 means all. */
bool walk_forward(const struct lint *lint, uint32_t instr, unsigned state, uint32_t interest,
                  walk_look *look, void *context, struct walk_path *path);

/* The same of threads of which set holds after instr; NO_INSTR is found when there are none. */
bool walk_forward_under(const struct lint *lint, uint32_t instr, const struct condition_set *set,
                        uint32_t interest, walk_look *look, void *context, struct walk_path *path);

/* As walk_forward, for a look that only answers, by what it is given: it notes nothing. With an
 * interest ways that lead to nothing are left out, which takes less time. */
bool walk_find(const struct lint *lint, uint32_t instr, unsigned state, uint32_t interest,
               walk_look *look, void *context, struct walk_path *path);

/* The same from the entry of the function, before its first instruction, for threads of which set
 * holds. */
bool walk_under(const struct lint *lint, const struct condition_set *set, unsigned state,
                uint32_t interest, walk_look *look, void *context, struct walk_path *path);

/* … with state 0, and only along paths that may reach the instruction `to`. */
bool walk_towards(const struct lint *lint, const struct condition_set *set, uint32_t to,
                  uint32_t interest, walk_look *look, void *context, struct walk_path *path);

/* … for all threads. */
bool walk_from_entry(const struct lint *lint, unsigned state, uint32_t interest, walk_look *look,
                     void *context, struct walk_path *path);

#endif
