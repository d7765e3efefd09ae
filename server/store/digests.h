/* Remembers the digests of texts that came before: SHA-256 takes most of the time of an answer from
 * the cache. A text is recognised by its GMAC with a key of this process, which takes a fifth of
 * the time. */
#ifndef SERVER_STORE_DIGESTS_H
#define SERVER_STORE_DIGESTS_H

#include "server/store/digest.h"

struct digests;

/* NULL: the system has no random bytes, or OpenSSL lacks AES-GCM. */
struct digests *digests_new(void);
void digests_free(struct digests *digests);

/* The same as digest_bytes; digests may be NULL. Any thread may call it.
 *
 * Two texts of n bytes have the same GMAC with a probability of n / 2^131 (NIST SP 800-38D,
 * appendix B), whoever chose them: nobody outside learns the key or a GMAC, since the GMAC is never
 * shown. */
void digests_find(struct digests *digests, const struct str *pieces, size_t count,
                  unsigned char digest[DIGEST_BYTES]);

#endif
