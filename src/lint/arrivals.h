/* What the parts of arrival-count have in common. */
#ifndef PTXOPT_LINT_ARRIVALS_H
#define PTXOPT_LINT_ARRIVALS_H

#include "lint/lint.h"
#include "value/lanes.h"

struct arrivals {
    struct lint *lint;
    const struct lint_code *code; /* that reports */
    struct lanes_shape shape;
    /* Of the threads that were examined last: */
    struct condition_set set; /* the set of them */
    bool asked;
    bool *never,
        *some;       /* by block: none of them comes there; only some do, for all that is known */
    bool *differs;   /* by register: they may have different values in it */
    uint32_t *turns; /* branches and exits by what differs, and is not known of each thread */
    uint32_t turn_count;
};

/* Of an entry; in lint->arena. */
struct arrivals arrivals_begin(struct lint *lint, const struct lint_code *code);

/* All threads that the conditions of the instruction let there come in step: nothing on the way
 * sends one of them elsewhere, lets it wait for something else, or gives it another operand. With
 * warps that is decided for different warps, else only for the lanes of one. */
bool arrivals_in_step(struct arrivals *arrivals, uint32_t instr, bool warps);

/* Threads that may come to the instruction. */
struct lanes_number arrivals_number(const struct arrivals *arrivals, uint32_t instr);

/* Bytes that arrive with copies (arrival_bytes.c), threads at barriers of the CTA
 * (arrival_barriers.c). */
void arrivals_check_bytes(struct arrivals *arrivals);
void arrivals_check_barriers(struct arrivals *arrivals);

#endif
