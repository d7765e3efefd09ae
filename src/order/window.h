/* Finds the asynchronous operations on both sides of a fence, and whether they are all pipelined
 * pairs. Found for many places at once; operations that pair alike are one class, so that the time
 * is linear in the function, whatever the number of operations. */
#ifndef PTXOPT_ORDER_WINDOW_H
#define PTXOPT_ORDER_WINDOW_H

#include "base/arena.h"
#include "order/analysis.h"

enum { WINDOW_WORDS = 4, WINDOW_CLASSES = WINDOW_WORDS * 64 };

/* A set of classes. Class 0 is what a call or a caller may have issued. */
struct window_set {
    uint64_t bits[WINDOW_WORDS];
};

/* A point that pairs depend on (WATCH_PAIRS): what passing it does. */
struct window_point {
    uint32_t instr;
    uint32_t class;        /* of what it issues */
    uint32_t masks_end;    /* written by it: masks of registers, from those of the one before on */
    bool issues, is_fence; /* is_fence: it certainly runs */
    uint8_t waits;         /* enum effect of a wait that certainly runs, or 0 */
};

/* The classes of one function. */
struct window {
    uint32_t count;           /* classes; more than WINDOW_CLASSES: none is known to pair */
    uint32_t words;           /* of a set that may not be 0 */
    uint32_t *class_of;       /* by instruction; 0 for what is not asynchronous */
    uint32_t *example;        /* by class: an instruction */
    struct window_set *masks; /* the classes whose pairs rest on a register */
    struct window_set loads, stores;
    bool *paired; /* by first class: those of which the next are known */
    /* By first class: pairs with; by scales-follow-cp, by isa-9.4-pairs. */
    struct window_set *pairs, *by_scales, *by_9_4;
    struct window_point *points; /* as watch->points; NULL until they are needed */
    uint32_t *written;           /* numbers in masks */
    uint8_t *begins; /* by block: a bit 1 << backward where its points make something of nothing */
};

/* Classes of a function, in its analysis' arena; what their pairs rest on is watched. window: zero.
 */
void window_build(struct window *window, const struct analysis *analysis);

struct window_answer {
    /* Operations in flight since the last fence of either kind (a wait ends its own), and those up
     * to the next fence, or just the next ones: any, and one of them. */
    bool has_before, has_behind;
    uint32_t before, behind;
    bool pipelined;       /* each of the first forms a pair with each of the second */
    uint32_t assumptions; /* that the pairs need */
};

/* The event at the place itself, and removed instructions, are passed over. next_only: after are
 * only the first operations on each path; else all before the next fence. open: see scan_run. */
void window_run(const struct analysis *analysis, const uint32_t *at, uint32_t count, bool next_only,
                const struct verdict *open, struct window_answer *answers);

#endif
