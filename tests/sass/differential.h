/* The parts of the SASS differential; see main.c. */
#ifndef PTXOPT_TESTS_SASS_DIFFERENTIAL_H
#define PTXOPT_TESTS_SASS_DIFFERENTIAL_H

#include <stdbool.h>

/* One TAP line, numbered. */
void report(bool fine, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Bodies of which it is known what they lose; random programs. */
void run_known(char *folder);
void run_random(void);

/* Files of PTX, and the table of what is explained; lines for sass-real.sh, not TAP. */
int run_real(const char *table, char *const *paths);

#endif
