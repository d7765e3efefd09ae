/* Bodies that ended the process which worked on them: none is run a second time. Bounded: the
 * oldest are forgotten. Any thread. */
#ifndef SERVER_STORE_CRASHES_H
#define SERVER_STORE_CRASHES_H

#include <stdbool.h>

#include "server/store/digest.h"

struct crashes;

struct crashes *crashes_new(void);
void crashes_free(struct crashes *crashes);

bool crashes_has(struct crashes *crashes, const unsigned char digest[DIGEST_BYTES]);
void crashes_add(struct crashes *crashes, const unsigned char digest[DIGEST_BYTES]);

#endif
