/* The blocks that control can come back to. */
#ifndef PTXOPT_FLOW_LOOPS_H
#define PTXOPT_FLOW_LOOPS_H

#include "flow/cfg.h"

/* For each block whether a path leads from it to itself; in arena. */
bool *loops_find(const struct cfg *cfg, struct arena *arena);

#endif
