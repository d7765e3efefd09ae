/* Turns the answer of another server to /v1/optimize into a request for /v1/verify. */
#ifndef SERVER_HANDLE_PROOF_H
#define SERVER_HANDLE_PROOF_H

#include "server/base/message.h"
#include "server/base/settings.h"

/* Makes question, which is zero-initialised, the request whether `after` is request's text without
 * redundant synchronisation. False, with nothing to free, if there is no such request, as for texts
 * that are not UTF-8. */
bool proof_ask(const struct settings *settings, const struct request *request, struct str after,
               struct request *question);

/* Whether the answer says so. */
bool proof_is_proven(const struct reply *verdict);

#endif
