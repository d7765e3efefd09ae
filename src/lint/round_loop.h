/* The innermost loop around a block, and what its rounds execute. */
#ifndef PTXOPT_LINT_ROUND_LOOP_H
#define PTXOPT_LINT_ROUND_LOOP_H

#include "flow/loops.h"
#include "lint/lint.h"
#include "lint/walk.h"

/* Arrays by block, for one function. */
struct round_loop {
    const struct lint *lint;
    const struct loops *loops;
    const bool *in_any;    /* it is in some loop */
    bool *blocks;          /* it is in the loop that round_loop_find found last */
    bool *within;          /* it is in that loop, and control does not enter the loop there */
    bool *waits;           /* it waits for an mbarrier */
    const bool *unwaited;  /* control can come back to it without such a wait; NULL: not asked */
    bool *reached, *other; /* scratch, also for the caller */
    uint32_t *open;
    struct loops_search *search; /* of inner; NULL: not needed yet */
    bool *inner;                 /* it is in a smaller loop within the one that was found last */
    bool inner_known;            /* inner is that of the loop that was found last */
    bool *left_out;              /* what round_loop_leaves_out says of it, if left_out_known */
    bool left_out_known;
    uint32_t asked_of;      /* 1 + the number of the conditions of which this, and taken, is */
    uint8_t *taken;         /* see is_taken */
    uint32_t *edge, *order; /* scratch */
    /* The loop is among these blocks, which ascend: a strongly connected component. */
    const uint32_t *members;
    uint32_t member_count;
};

/* begin: allocates the arrays, and needs barriers of the subject. end: frees them. */
void round_loop_begin(struct round_loop *l, const struct lint *lint);
void round_loop_end(struct round_loop *l);

/* round_loop_reach: adds the blocks that control reaches from `from`, or with back the blocks from
 * which it reaches `from`, to those that are reached. Only paths through blocks of `within` count;
 * NULL: all paths. round_loop_clear: no block is reached. */
void round_loop_reach(struct round_loop *l, uint32_t from, bool back, const bool *within,
                      bool *reached);
void round_loop_clear(const struct round_loop *l, bool *reached);

/* Sets l->blocks to the smallest loop around the block. False if there is none. If the block is in
 * the loop that was found last, only smaller ones are examined. */
bool round_loop_find(struct round_loop *l, uint32_t block);

/* Sets l->blocks to the outermost loop around the one that was found last. False if that is the
 * same one. */
bool round_loop_widen(struct round_loop *l);

/* Under the conditions of the instruction, which is in the loop that was found last, a round of it
 * is possible that does not execute its block. */
bool round_loop_leaves_out(struct round_loop *l, uint32_t instr);

/* Some path of a round of the loop that was found last does not enter the block. */
bool round_loop_has_way_around(const struct round_loop *l, uint32_t block);

/* The path leaves the loop around its start in the round in which it starts, by a branch on other
 * registers than those that decide which rounds execute the start. Such are two counters of the
 * rounds, of which one skips the start in the last round: lint does not know how they belong
 * together. */
bool round_loop_may_skip_last(const struct lint *lint, const struct walk_path *path);

/* Control can come back to the block without a wait for an mbarrier. */
bool round_loop_comes_back(struct round_loop *l, uint32_t block);

#endif
