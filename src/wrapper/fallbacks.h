/* Lists texts that were assembled unchanged for a reason that may not apply the next time. */
#ifndef PTXOPT_WRAPPER_FALLBACKS_H
#define PTXOPT_WRAPPER_FALLBACKS_H

#include "base/buf.h"

/* Caches keep the object of such a text as if it were ours. So the list is a part of our version:
 * with a text more it is another, and all is compiled once more, that text too. A text that is
 * listed already changes nothing: what fails twice may be kept. The list is the file "fallbacks" in
 * PTXOPT_CACHE_DIR, XDG_CACHE_HOME/ptxopt or HOME/.cache/ptxopt; where that cannot be written,
 * nothing is remembered. */

/* Lists the text that the descriptor reads, from its start. After supervise_prepare. */
void fallbacks_add(int fd);

/* Appends " fallbacks=DIGITS" when the list has any. */
void fallbacks_put(struct buf *out);

#endif
