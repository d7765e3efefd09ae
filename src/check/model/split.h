/* Removes the paths through a body that no thread can take. */
#ifndef PTXOPT_CHECK_MODEL_SPLIT_H
#define PTXOPT_CHECK_MODEL_SPLIT_H

#include "check/model/program.h"

/* Splits the blocks of a program by the conditions that are known there, and leaves out the paths
 * on which two branches with the same condition go different ways. Returns false and changes
 * nothing if there are no such paths, or if there would be too many blocks. */
bool split_blocks(struct program *program);

#endif
