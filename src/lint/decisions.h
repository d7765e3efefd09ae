/* What a simulation has decided: which conditions hold, and which values end a loop. */
#ifndef PTXOPT_LINT_DECISIONS_H
#define PTXOPT_LINT_DECISIONS_H

#include "value/values.h"

/* The number of conditions that are remembered, and of values that are chosen. */
enum { DECIDED_MAX = 64, BOUNDS_MAX = 8 };

struct decided {
    uint32_t base; /* of a predicate */
    bool holds;
};

/* The value of a base. */
struct bound {
    uint32_t base;
    int64_t value;
};

struct decisions {
    struct decided decided[DECIDED_MAX];
    struct bound bounds[BOUNDS_MAX];
    uint32_t decided_count, bound_count;
    bool kept; /* what is the same for the CTA is decided for all threads at once */
};

/* Begins a thread: forgets what is not kept. */
void decisions_begin(struct decisions *d, const struct subject *subject);

/* As decisions_value, if some base was chosen and the value is no constant. */
struct value decisions_replace(const struct decisions *d, struct value v);

/* The value, in which a base that was chosen is replaced. */
static inline struct value decisions_value(const struct decisions *d, struct value v)
{
    return d->bound_count && !value_is_constant(v) ? decisions_replace(d, v) : v;
}

/* The predicate was decided; *holds: how. */
bool decisions_find(const struct decisions *d, uint32_t base, bool *holds);

/* Remembers that the predicate holds, or not. False: there are too many. */
bool decisions_add(struct decisions *d, uint32_t base, bool holds);

/* If the last decision is that a counter, which was less than a value or not equal to it, is not so
 * any more, which ends a loop, chooses the value that is equal to the counter. If decisions are
 * kept, none of them may contradict that value. False: nothing is chosen. */
bool decisions_choose(struct decisions *d, const struct subject *subject);

/* What the condition is if each unknown number, such as a number of iterations, is greater than all
 * constants. *compares: it compares an unknown number with a constant. */
bool decisions_for_large(const struct subject *subject, struct value condition, bool *compares);

#endif
