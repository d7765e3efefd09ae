/* Finds the instructions that a thread may reach from one instruction. A walk skips contradictory
 * paths: a predicate that is tested twice without a write in between has one value, and a guarded
 * instruction is executed if its guard was true before. */
#ifndef PTXOPT_LINT_WALK_H
#define PTXOPT_LINT_WALK_H

#include "lint/lint.h"
#include "value/conditions.h"

/* Prepares the data that all walks of a function share. Call path_conditions_build first. The data
 * is in lint->arena, except the memory that walks_free frees. */
struct walks *walks_build(struct lint *lint);
void walks_free(struct walks *walks);

/* Effects, as bits of an interest: the asynchronous operations. */
enum {
    WALK_ASYNC = 1 << EFFECT_ASYNC_LD | 1 << EFFECT_ASYNC_ST | 1 << EFFECT_ASYNC_MMA |
                 1 << EFFECT_ASYNC_CP | 1 << EFFECT_ASYNC_SHIFT
};

/* A bit that replaces the bit of EFFECT_MEMORY: the instruction may access shared memory. */
enum { WALK_SHARED_MEMORY = 1 << EFFECT_COUNT };

/* Returns the bits of an interest that match the instruction. */
static inline uint32_t walk_bits(const struct lint *lint, uint32_t instr)
{
    const struct instr *at = &lint->function->instrs[instr];
    uint32_t bits = 1u << at->opcode->effect;
    bool shared = at->space == SPACE_ANY || at->space == SPACE_SHARED;
    if (at->opcode->effect == EFFECT_MEMORY && shared) bits |= WALK_SHARED_MEMORY;
    return bits;
}

/* Effects by which threads may signal or wait, as bits of an interest. */
enum {
    WALK_HANDOVERS = 1 << EFFECT_RELEASE_BARRIER | 1 << EFFECT_RELEASE_MEMORY | 1 << EFFECT_COMMIT |
                     1 << EFFECT_ACQUIRE_BARRIER | 1 << EFFECT_ACQUIRE_MEMORY |
                     1 << EFFECT_BOTH_BARRIER | 1 << EFFECT_BOTH_MEMORY | 1 << EFFECT_CALL
};

enum walk_does {
    WALK_ON,   /* the path continues */
    WALK_END,  /* this path needs no further search */
    WALK_FOUND /* the walk ends, and walk_path describes the path to this instruction */
};

/* Called for each instruction that a path reaches and may execute; the walk skips an instruction
 * whose guard is false. *state belongs to the path: 0 to 255, with the initial value that the
 * caller of the walk gives. Paths that meet in a block with the same state and the same conditions
 * continue as one path; so do, behind a guarded instruction for which look returns WALK_ON with
 * *state as it was, the path that executes it and the one that does not. */
typedef enum walk_does walk_look(void *context, const struct lint *lint, uint32_t instr,
                                 unsigned *state);

struct walk_path {
    uint32_t found;   /* the instruction for which look returned WALK_FOUND, or NO_INSTR */
    uint32_t *instrs; /* in lint->arena: the start, the branches on the path, and found */
    uint32_t count;
    unsigned state;           /* the state of the path at its end */
    struct condition_set set; /* the conditions on fixed values that hold at the end */
    bool vague;   /* the path may contradict itself: the walk has dropped some of its conditions */
    bool gave_up; /* there were too many paths: the walk has not searched all of them */
};

/* Walks from the instruction after instr, under the conditions of instr and with its guard true.
 * Returns true if look returned WALK_FOUND. If interest is not 0, the walk calls look only for
 * effects whose bit 1 << effect is set, or WALK_SHARED_MEMORY. */
bool walk_forward(const struct lint *lint, uint32_t instr, unsigned state, uint32_t interest,
                  walk_look *look, void *context, struct walk_path *path);

/* The bits of an interest that match instructions of the block of instr, or of blocks that control
 * can reach from it. */
uint32_t walk_bits_behind(const struct lint *lint, uint32_t instr);

/* As walk_forward with state 0, for the threads that satisfy set after instr. If no thread can,
 * path->found is NO_INSTR. */
bool walk_forward_under(const struct lint *lint, uint32_t instr, const struct condition_set *set,
                        uint32_t interest, walk_look *look, void *context, struct walk_path *path);

/* As walk_forward, but look must have no side effects: its result depends only on its arguments. If
 * interest is not 0, the walk skips paths on which look cannot find anything, which takes less
 * time. */
bool walk_find(const struct lint *lint, uint32_t instr, unsigned state, uint32_t interest,
               walk_look *look, void *context, struct walk_path *path);

/* False if walk_find with these arguments certainly finds nothing. Takes less time than walk_find
 * if much is found. */
bool walk_may_find(const struct lint *lint, uint32_t instr, unsigned state, uint32_t interest,
                   walk_look *look, void *context);

/* A question that is asked of many instructions, so that a walk uses what the walks before it have
 * found. look must have no side effects, and its result depends only on the instruction, the state
 * and what context holds from the first walk to the last. interest must not be 0. */
struct walk_question {
    uint32_t interest;
    walk_look *look;
    void *context;
    struct walk_memory *memory; /* NULL before the first walk; freed with lint->walks */
};

/* As walk_find. */
bool walk_question_find(const struct lint *lint, struct walk_question *question, uint32_t instr,
                        unsigned state, struct walk_path *path);

/* True if walk_question_find would return true, or give up. Takes less time if it was true for
 * instructions that come later on the paths. */
bool walk_question_leads(const struct lint *lint, struct walk_question *question, uint32_t instr,
                         unsigned state);

/* Forgets what the walks have found, so that other questions can use the memory. */
void walk_question_end(const struct lint *lint, struct walk_question *question);

/* As walk_forward, but from the first instruction of the function, for the threads that satisfy
 * set. */
bool walk_under(const struct lint *lint, const struct condition_set *set, unsigned state,
                uint32_t interest, walk_look *look, void *context, struct walk_path *path);

/* As walk_under with state 0, but only along paths that may reach the instruction `to`, which is of
 * interest whatever its effect is. */
bool walk_towards(const struct lint *lint, const struct condition_set *set, uint32_t to,
                  uint32_t interest, walk_look *look, void *context, struct walk_path *path);

/* As walk_under, for all threads. */
bool walk_from_entry(const struct lint *lint, unsigned state, uint32_t interest, walk_look *look,
                     void *context, struct walk_path *path);

#endif
