/* Decides whether two mma, cp or shift are a pipelined pair, which needs no fence between them. */
#ifndef PTXOPT_CHECK_MODEL_PAIRING_H
#define PTXOPT_CHECK_MODEL_PAIRING_H

#include <stdbool.h>
#include <stdint.h>

/* For monitor_graph.pairs; both are a struct program_pipe. */
typedef bool pairing(const void *earlier, const void *later);

/* The one for these assumptions: scales-follow-cp makes a cp and a later mma a pair by the scale
 * operands too, isa-9.4-pairs an mma and a later cp by what the mma reads as A or metadata. */
pairing *pairing_under(uint32_t assume);

#endif
