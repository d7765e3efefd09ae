/* Mutants that change one entry of a table; see tables.c. */
#ifndef PTXOPT_TESTS_MUTANTS_TABLES_H
#define PTXOPT_TESTS_MUTANTS_TABLES_H

#include "cases.h"

enum side { OF_OPTIMIZER, OF_CHECKER };

/* Adds a mutant: the bytes at `at`, in a constant table, become those of value. reach says which
 * cases can notice it. The rest formats its name, "TABLE/ENTRY: CHANGE". */
void add_mutant(enum side side, struct reach reach, const void *at, const void *value, size_t size,
                const char *name, ...) __attribute__((format(printf, 6, 7)));

void make_cover_mutants(void);
void make_effect_mutants(void);
void make_opcode_mutants(void);
void make_pair_mutants(void);

#endif
