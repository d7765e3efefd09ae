/* Random programs, the same on every machine: number n of a seed is always the same program. */
#ifndef PTXOPT_TESTS_SASS_DRAW_H
#define PTXOPT_TESTS_SASS_DRAW_H

#include "body.h"

void draw_program(uint64_t seed, uint64_t number, struct draft *draft);

/* Marks one or two of its fences and waits as removed. */
void draw_deletions(uint64_t seed, uint64_t number, struct draft *draft);

#endif
