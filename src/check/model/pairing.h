/* Are two mma, cp or shift a pipelined pair, so that no fence is needed between them? */
#ifndef PTXOPT_CHECK_MODEL_PAIRING_H
#define PTXOPT_CHECK_MODEL_PAIRING_H

#include <stdbool.h>

/* For monitor_graph.pairs; both are a struct program_pipe. by_scales: a cp and a later mma are one
 * by the scale operands too. */
bool pairing_by_scales(const void *earlier, const void *later);
bool pairing_by_inputs(const void *earlier, const void *later);

#endif
