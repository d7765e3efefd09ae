/* Joins instructions to basic blocks and blocks to their successors. */
#ifndef PTXOPT_CHECK_MODEL_CONNECT_H
#define PTXOPT_CHECK_MODEL_CONNECT_H

#include "check/model/program.h"

/* Labels and branches of a body that was read become its basic blocks. */
void connect_blocks(struct program *program);

#endif
