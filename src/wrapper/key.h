/* One line for the keys of caches: what an object depends on besides the text and ptxas. */
#ifndef PTXOPT_WRAPPER_KEY_H
#define PTXOPT_WRAPPER_KEY_H

#include "base/buf.h"

/* Appends the line with its end: version, build, PTXOPT_FLAGS, and PTXOPT_TIMEOUT, PTXOPT_SERVER
 * and fallbacks (see fallbacks.h) where there are any; why flags cannot be understood. From one
 * thread. */
void key_put(struct buf *out);

#endif
