/* The checker's opcode table for tables.c: the rows of the table, and its answers in the words of
 * the tests. */
#ifndef PTXOPT_TESTS_MODEL_CHECKER_TABLE_H
#define PTXOPT_TESTS_MODEL_CHECKER_TABLE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"

/* The class in the words of tests/isa/opcodes.txt; head and modifiers are the spelling's two
 * parts, "ld" and ".global.u32". */
const char *checker_class(struct str head, struct str modifiers);

/* How many leading operands it writes; 255 for any register it names. */
uint32_t checker_results(struct str head, struct str modifiers);

/* The opcodes of the table, and those whose modifiers it reads, with the first of these
 * (".arrive"). The list ends with NULL. */
const char *checker_opcode(uint32_t index);
const char *checker_form(uint32_t index, const char **prefix);

#endif
