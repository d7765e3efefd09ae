/* Finds a removed wait without which ptxas 13.2 to 13.5 would not wait at the head of a loop
 * (doc/model.md, section 5, "What ptxas holds back"). */
#ifndef PTXOPT_CHECK_MODEL_CARRIED_H
#define PTXOPT_CHECK_MODEL_CARRIED_H

#include "check/model/program.h"

/* Returns the number of such a wait, PROGRAM_NONE if there is none. Only known reads count: if
 * program->all_reads is false, it may return a wait that is not one. reads_text: reads that the
 * program does not have are looked for in the text of the instructions on the paths. That finds
 * most of them, and takes less than to read the function again. */
uint32_t carried_culprit(const struct program *program, bool reads_text);

#endif
