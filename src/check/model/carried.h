/* Finds a removed wait without which ptxas 13.2 to 13.5 would not wait at the head of a loop
 * (doc/model.md, section 5, "What ptxas holds back"). */
#ifndef PTXOPT_CHECK_MODEL_CARRIED_H
#define PTXOPT_CHECK_MODEL_CARRIED_H

#include "check/model/program.h"

/* Returns the number of such a wait, PROGRAM_NONE if there is none. Only reads that are recorded
 * count: if program->all_reads is false, it may return a wait that is not one. */
uint32_t carried_culprit(const struct program *program);

#endif
