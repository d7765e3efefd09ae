/* Keeps a list of the texts that were assembled unchanged for a reason that may not apply the next
 * time. */
#ifndef PTXOPT_WRAPPER_FALLBACKS_H
#define PTXOPT_WRAPPER_FALLBACKS_H

#include "base/buf.h"

/* A compiler cache would store the object of such a text as if ptxopt had rewritten it. So the list
 * is a part of the version that caches see: a new entry changes this version, and all texts,
 * including that one, are compiled again. Adding a text that is in the list does not change the
 * version, so the object of a text that fails twice may stay in the cache. The list is the file
 * "fallbacks" in PTXOPT_CACHE_DIR, XDG_CACHE_HOME/ptxopt or HOME/.cache/ptxopt. If the file cannot
 * be written, nothing is recorded. */

/* Adds the text that fd reads (from its start, whatever its position) to the list. Call it after
 * supervise_prepare. */
void fallbacks_add(int fd);

/* Appends " fallbacks=DIGITS", a hash of the list, if the list is not empty. */
void fallbacks_put(struct buf *out);

#endif
