/* Does an equal or wider fence.proxy.async come before each deleted one, with only register work
 * and no label between? */
#ifndef PTXOPT_CHECK_MODEL_PROXY_H
#define PTXOPT_CHECK_MODEL_PROXY_H

#include "check/model/program.h"

/* The first deleted one that none covers; NONE when all are. */
uint32_t proxy_uncovered(const struct program *program);

#endif
