/* The small texts of the grid: every operation, one or two synchronisations, every observer. */
#ifndef PTXOPT_TESTS_SASS_GRID_H
#define PTXOPT_TESTS_SASS_GRID_H

#include "trial.h"

enum { MOST_OBSERVERS = 1000 };

struct observers {
    const struct operation *at[MOST_OBSERVERS];
    uint32_t count;
};

/* The rows of the vocabulary that PTXAS accepts and that have a word of their own; unless all are
 * requested, only those that are drawn often. */
struct observers grid_observers(bool all);

/* Call it before a text is drawn. Returns their number. */
uint64_t grid_prepare(bool all);

/* The statement of an observer; line holds LINE bytes. */
void grid_write_observer(char *line, const struct operation *op);

/* Text `number`; the seed has no effect. */
void grid_draw(uint64_t seed, uint64_t number, struct draft *draft);

/* The observer, at the end of the text, after the operation, its commit and the observer of that,
 * and after the completion of a load or store: whether or not the ISA requires it. */
bool grid_pairs(const struct body *body, struct pairs *pairs);

#endif
