/* Recognises comparisons and their operands. */
#ifndef PTXOPT_CHECK_MODEL_COMPARE_H
#define PTXOPT_CHECK_MODEL_COMPARE_H

#include "check/model/program.h"

enum { COMPARE_BYTES = 96, COMPARE_REGISTERS = 2 };

/* A comparison as it is written, with registers replaced by their numbers: equal text means equal
 * comparisons. */
struct compare {
    char text[COMPARE_BYTES];
    uint32_t length;
    uint32_t registers[COMPARE_REGISTERS], count;
};

/* Reads `setp.….… p, a, b;` at offset at. The comparison must have one result, and operands that
 * are numbers or registers whose names mean the same in all scopes of the function. Returns false
 * for any other text. */
bool compare_read(const struct program *program, uint32_t at, struct compare *compare);

#endif
