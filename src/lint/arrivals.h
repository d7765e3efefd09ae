/* What the parts of arrival-count have in common. */
#ifndef PTXOPT_LINT_ARRIVALS_H
#define PTXOPT_LINT_ARRIVALS_H

#include "lint/lint.h"
#include "value/lanes.h"

/* How many threads come to where the set holds. */
struct arrivals_numbered {
    const struct condition_set *set;
    struct lanes_number number;
};

/* So many sets are remembered: a kernel has few roles. */
enum { ARRIVALS_NUMBERED = 16 };

struct arrivals {
    struct lint *lint;
    struct arrivals_numbered numbers[ARRIVALS_NUMBERED];
    uint32_t number_count;
    /* Registers that nothing writes and instructions with a value of the thread: NULL until they
     * are needed. */
    uint32_t *source_webs, *sources;
    uint32_t source_web_count, source_count;
    const struct lint_code *code; /* that reports */
    struct lanes_shape shape;
    /* Of the threads that were examined last: */
    struct condition_set set; /* the set of them */
    bool asked;
    bool *never,
        *some;     /* by block: none of them comes there; only some do, for all that is known */
    bool *differs; /* by register: they may have different values in it */
    struct VEC(uint32_t) open; /* those of which the readers are to be looked at */
    uint32_t *turns; /* branches and exits by what differs, and is not known of each thread */
    uint32_t turn_count;
};

/* Of an entry; in lint->arena but for what arrivals_end frees. */
struct arrivals arrivals_begin(struct lint *lint, const struct lint_code *code);
void arrivals_end(struct arrivals *arrivals);

/* All threads that the conditions of the instruction let there come in step: nothing on the way
 * sends one of them elsewhere, lets it wait for something else, or gives it another operand. With
 * warps that is decided for different warps, else only for the lanes of one. */
bool arrivals_in_step(struct arrivals *arrivals, uint32_t instr, bool warps);

/* Threads that may come to the instruction. */
struct lanes_number arrivals_number(struct arrivals *arrivals, uint32_t instr);

/* Bytes that arrive with copies (arrival_bytes.c), threads at barriers of the CTA
 * (arrival_barriers.c). */
void arrivals_check_bytes(struct arrivals *arrivals);
void arrivals_check_barriers(struct arrivals *arrivals);

#endif
