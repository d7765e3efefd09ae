/* Decides whether a request is admitted: which client sends it, whether that client is allowed
 * to, and how many requests it may have. This is decided before a body is read. */
#ifndef SERVER_NET_ADMIT_H
#define SERVER_NET_ADMIT_H

#include "server/net/auth.h"
#include "server/net/fault.h"
#include "server/net/link.h"
#include "server/work/exchange.h"

/* Of the service; auth may be NULL. */
struct admit {
    struct service *service;
    struct auth *auth;
    bool asks_certificates;
};

/* Where a request comes from; tls_session NULL: not known. */
struct caller {
    int fd;
    const union link_address *address;
    void *tls_session;
};

/* Sets the client of the request, and exchange->route unless the request is refused: false, and the
 * problem is in exchange->reply. fault: the fault of the head's bytes; NULL: none. */
bool admit_request(const struct admit *admit, const struct caller *caller,
                   const struct fault *fault, struct exchange *exchange);

/* The body's bytes are wrong: it is refused, and so is all that follows. */
void admit_no_body(const struct fault *fault, struct exchange *exchange);

#endif
