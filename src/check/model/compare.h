/* Recognises comparisons, and what they compare. */
#ifndef PTXOPT_CHECK_MODEL_COMPARE_H
#define PTXOPT_CHECK_MODEL_COMPARE_H

#include "check/model/program.h"

enum { COMPARE_BYTES = 96, COMPARE_REGISTERS = 2 };

/* As it is written, but registers by number: two of equal text compare the same. */
struct compare {
    char text[COMPARE_BYTES];
    uint32_t length;
    uint32_t registers[COMPARE_REGISTERS], count;
};

/* Reads `setp.….… p, a, b;` at that place, with one result, of numbers and of registers whose
 * names mean the same everywhere; false for any other text. */
bool compare_read(const struct program *program, uint32_t at, struct compare *compare);

#endif
