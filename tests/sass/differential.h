/* The parts of the SASS differential; see main.c. */
#ifndef PTXOPT_TESTS_SASS_DIFFERENTIAL_H
#define PTXOPT_TESTS_SASS_DIFFERENTIAL_H

#include <stdbool.h>

#include "trial.h"

/* One TAP line, numbered. */
void report(bool fine, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Bodies in a folder of which it is known what they lose; random programs; the grid, all of it if
 * wanted. */
void run_known(char *folder, pairs_finder *find);
void run_random(void);
void run_grid(bool all);

/* What one wait holds back and what only two do, against the table; without one it is printed. */
void run_held(const char *table);

/* Cases of tests/never without the wait that they must keep. */
void run_kept(char *const *paths);

/* Files of PTX; lines for sass-real.sh, not TAP. */
int run_real(char *const *paths);

#endif
