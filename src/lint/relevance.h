/* Finds the registers and instructions that a simulation of a thread needs: those on which its
 * branches and the operands of interest depend. See interpret.h. */
#ifndef PTXOPT_LINT_RELEVANCE_H
#define PTXOPT_LINT_RELEVANCE_H

#include "lint/interpret.h"

/* Places of registers: of those that do not matter, whose value is unknown; of guards that are
 * always true; and the first of a register that matters. */
enum { PLACE_UNKNOWN, PLACE_TRUE, PLACE_FIRST };

/* The simulation does not compute instructions with more arguments. */
enum { ARGUMENTS_MAX = 4 };

/* Why a simulation stops at an instruction: it is of interest, writes a register that matters, ends
 * the thread, calls, or aborts the kernel. */
enum relevance_mark {
    RELEVANT_ASKED = 1,
    RELEVANT_WRITES = 2,
    RELEVANT_EXITS = 4,
    RELEVANT_CALLS = 8,
    RELEVANT_TRAPS = 16
};

/* The value of a web that no instruction writes: the number of the thread in its row (counts), or a
 * value that is the same in all simulated threads. */
struct source_web {
    uint32_t place;
    bool counts;
    struct value held;
};

struct relevance {
    uint32_t *place_of; /* by web: PLACE_UNKNOWN unless it matters */
    uint32_t places;    /* the number of places */
    uint8_t *marks;     /* by instruction, in room for a multiple of eight: enum relevance_mark */
    uint32_t marked;    /* the number of instructions with a mark */
    struct VEC(struct source_web) sources;
    struct VEC(uint32_t) open; /* webs that matter and whose writers are still to be marked */
};

/* What matters to the branches and to the instructions of interest. Free it with relevance_free. */
void relevance_find(struct relevance *r, struct lint *lint, interpret_interest *interest,
                    const void *context);
void relevance_free(struct relevance *r);

/* compute_instruction can compute the result from the arguments. */
bool relevance_is_computed(const struct lint *lint, uint32_t instr);

/* The first instruction from `from` on that has a mark; `count` if there is none before. */
static inline uint32_t relevance_next(const struct relevance *r, uint32_t from, uint32_t count)
{
    while (from < count && !r->marks[from]) {
        uint64_t eight = 1;
        if (from % 8 == 0) memcpy(&eight, r->marks + from, sizeof eight);
        from += eight ? 1 : 8;
    }
    return from < count ? from : count;
}

#endif
