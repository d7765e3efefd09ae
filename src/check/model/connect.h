/* Joins instructions to basic blocks and blocks to their successors. */
#ifndef PTXOPT_CHECK_MODEL_CONNECT_H
#define PTXOPT_CHECK_MODEL_CONNECT_H

#include "check/model/program.h"

/* Builds the basic blocks of a body from its labels and branches. */
void connect_blocks(struct program *program);

#endif
