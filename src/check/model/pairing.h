/* Decides whether two operations (mma, cp, shift) are a pipelined pair, which needs no fence. */
#ifndef PTXOPT_CHECK_MODEL_PAIRING_H
#define PTXOPT_CHECK_MODEL_PAIRING_H

#include <stdbool.h>
#include <stdint.h>

/* For monitor_classes.pairs. Both arguments are a struct program_pipe. */
typedef bool pairing(const void *earlier, const void *later);

/* Returns the function for these assumptions. With scales-follow-cp, a cp and a later mma also pair
 * by the scale operands; with isa-9.4-pairs, an mma and a later cp pair by the operand A or
 * metadata of the mma. */
pairing *pairing_under(uint32_t assume);

#endif
