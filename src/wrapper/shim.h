/* A CUDA toolkit of links in which ptxas is ours. */
#ifndef PTXOPT_WRAPPER_SHIM_H
#define PTXOPT_WRAPPER_SHIM_H

#include <stdbool.h>

#include "base/buf.h"

/* Makes folder (its parent exists) such a tree of the toolkit cuda: a link to each entry of cuda,
 * and in a separate bin/ a link to each program of cuda/bin, but ptxas, which is a link to us;
 * beside it ptxas.real is a link to the real one. A tree that was made so before is brought up to
 * date. cuda NULL: CUDA_HOME, CUDA_PATH, where nvcc on PATH is, or /usr/local/cuda. On false error
 * holds one line without its line end. */
bool shim_make(const char *folder, const char *cuda, struct buf *error);

#endif
