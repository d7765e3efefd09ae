/* Removes the paths through a body that no thread takes. */
#ifndef PTXOPT_CHECK_MODEL_SPLIT_H
#define PTXOPT_CHECK_MODEL_SPLIT_H

#include "check/model/program.h"

/* Splits the blocks of a program by what is known of conditions there, and leaves out the paths on
 * which two branches by the same disagree. False, and nothing is changed, when there are none, or
 * when it would be too many blocks. */
bool split_blocks(struct program *program);

#endif
