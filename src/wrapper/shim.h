/* Makes a CUDA toolkit of links in which ptxas is this program. */
#ifndef PTXOPT_WRAPPER_SHIM_H
#define PTXOPT_WRAPPER_SHIM_H

#include <stdbool.h>

#include "base/buf.h"

/* Creates folder, whose parent must exist, as a copy of the toolkit cuda made of links: a link to
 * each entry of cuda, and a folder bin with a link to each program of cuda/bin. In it ptxas is a
 * link to this program, and ptxas.real is a link to the real ptxas. An existing copy is updated.
 * cuda NULL: uses CUDA_HOME, CUDA_PATH, the toolkit of the nvcc on PATH, or /usr/local/cuda,
 * whichever is found first. Returns false with one line without its line feed in error. */
bool shim_make(const char *folder, const char *cuda, struct buf *error);

#endif
