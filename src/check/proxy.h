/* Does an equal or wider fence.proxy.async come before each deleted one, with only register work
 * and no label between? */
#ifndef PTXOPT_CHECK_PROXY_H
#define PTXOPT_CHECK_PROXY_H

#include "check/program.h"

/* The first deleted one that none covers; NONE when all are. */
uint32_t proxy_uncovered(const struct program *program);

#endif
