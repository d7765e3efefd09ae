/* Writes a line for the keys of caches: what an object depends on besides the text and ptxas. */
#ifndef PTXOPT_WRAPPER_KEY_H
#define PTXOPT_WRAPPER_KEY_H

#include "base/buf.h"

/* Appends the line with its line feed: version, build and PTXOPT_FLAGS, or the reason why these
 * cannot be read; further PTXOPT_TIMEOUT, PTXOPT_SERVER and the hash of the fallbacks
 * (fallbacks.h), each only if set. Call it from one thread only. */
void key_put(struct buf *out);

#endif
