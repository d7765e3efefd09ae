/* Finds the asynchronous operations on both sides of a fence, and whether they are all pipelined
 * pairs. Works for many places at once. Operations that form the same pairs are one class, so the
 * time is linear in the function for any number of operations. */
#ifndef PTXOPT_ORDER_WINDOW_H
#define PTXOPT_ORDER_WINDOW_H

#include "base/arena.h"
#include "order/analysis.h"

enum { WINDOW_WORDS = 4, WINDOW_CLASSES = WINDOW_WORDS * 64 };

/* A set of classes. Class 0 has the operations that a call or a caller may have issued. */
struct window_set {
    uint64_t bits[WINDOW_WORDS];
};

/* What passing a point does. Points are the instructions that matter to WATCH_PAIRS. */
struct window_point {
    uint32_t instr;
    uint32_t class;     /* the class of the operation that it issues */
    uint32_t masks_end; /* the end of its part of window.written, which begins at masks_end of the
                           point before */
    uint32_t place;     /* 1 + its number among the points that may be asked about; 0: no rule
                           asks about it */
    bool issues, is_fence; /* is_fence: it is a fence without a guard */
    uint8_t waits;         /* enum effect of a wait without a guard, or 0 */
};

/* What the solver found in one direction, for the removals in window.gone. */
struct window_solution {
    bool is_solved, next_only; /* next_only: of the run that solved it */
    uint64_t *at;              /* by block: two sets of window.words words, see window.c */
    uint64_t *at_place;        /* by window_point.place: the same */
    uint32_t *last;            /* by class: the last instruction of it that the solver passed */
};

/* The classes of one function. */
struct window {
    uint32_t count;           /* the number of classes; 0: not computed yet; if it is more than
                                 WINDOW_CLASSES, no operations count as pairs */
    uint32_t words;           /* the words of a set that are used */
    uint32_t *class_of;       /* by instruction; 0 for an instruction that is not asynchronous */
    uint32_t *example;        /* by class: an instruction of it */
    struct window_set *masks; /* by watched.mask: the classes whose pairs depend on the register */
    struct window_set loads, stores;
    /* By class of the first operation: the classes of the second that were asked about; of these,
     * those with which it forms a pair; those for which it needs scales-follow-cp; those for which
     * it needs isa-9.4-pairs. */
    struct window_set *asked, *pairs, *by_scales, *by_9_4;
    /* in the order of watch->points[WATCH_PAIRS]; NULL: not computed yet */
    struct window_point *points;
    uint32_t place_count;
    uint32_t *written; /* indices in masks of the registers that points write */
    uint8_t *begins;   /* by block: bit 1 << backward is set if its points add to an empty set */
    bool *gone;        /* by point: it was removed in the last run */
    struct window_solution solutions[2]; /* by backward */
};

struct window_answer {
    /* has_before, before: whether operations are in flight since the last fence of either kind, and
     * one of them; a wait completes those of its kind. has_behind, behind: the same for the
     * operations up to the next fence, or with next_only for the next operations. */
    bool has_before, has_behind;
    uint32_t before, behind;
    bool pipelined;       /* each operation before forms a pair with each operation behind */
    uint32_t assumptions; /* the assumptions that the pairs need */
};

/* Sets answers[k] for the place at[k], an event; at ascends. The event itself and removed
 * instructions are passed over. next_only: only the first operation on each path counts as behind
 * the place; otherwise all operations before the next fence. open: see scan_run. */
void window_run(const struct analysis *analysis, const uint32_t *at, uint32_t count, bool next_only,
                const struct verdict *open, struct window_answer *answers);

#endif
