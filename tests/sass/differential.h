/* The parts of the comparison of machine code; see main.c. */
#ifndef PTXOPT_TESTS_SASS_DIFFERENTIAL_H
#define PTXOPT_TESTS_SASS_DIFFERENTIAL_H

#include <stdbool.h>

#include "trial.h"

/* One numbered line of TAP. */
void report(bool fine, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Bodies in a folder with known losses; random programs; the grid, all of it if requested. */
void run_known(char *folder, pairs_finder *find);
void run_random(void);
void run_grid(bool all);

/* Compares what one wait holds back, and what only two do, with the table; without a table it is
 * printed. */
void run_held(const char *table);

/* Cases of tests/never without the wait that must be kept. */
void run_kept(char *const *paths);

/* Files of PTX; lines for sass-real.sh, not TAP. */
int run_real(char *const *paths);

#endif
