/* Finds the blocks to which control can come back. */
#ifndef PTXOPT_FLOW_LOOPS_H
#define PTXOPT_FLOW_LOOPS_H

#include "flow/cfg.h"

/* Returns, by block: a path leads from the block to itself. In arena. */
bool *loops_find(const struct cfg *cfg, struct arena *arena);

#endif
