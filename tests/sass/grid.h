/* Every operation, one or two synchronisations, every observer: the small texts of the grid. */
#ifndef PTXOPT_TESTS_SASS_GRID_H
#define PTXOPT_TESTS_SASS_GRID_H

#include "trial.h"

enum { MOST_OBSERVERS = 1000 };

struct observers {
    const struct operation *at[MOST_OBSERVERS];
    uint32_t count;
};

/* The vocabulary's rows that PTXAS takes and that have a word of their own; those drawn often only
 * when not all are wanted. */
struct observers grid_observers(bool all);

/* To be called before a text is drawn; how many there are. */
uint64_t grid_prepare(bool all);

/* The statement of an observer; line holds LINE bytes. */
void grid_write_observer(char *line, const struct operation *op);

/* Text `number`; the seed says nothing. */
void grid_draw(uint64_t seed, uint64_t number, struct draft *draft);

/* The observer, last in the text, after the operation, its commit and what observes that, and
 * after the completion of a load or store: whether or not the ISA says so. */
bool grid_pairs(const struct body *body, struct pairs *pairs);

#endif
