/* Gets the answers that replicas share, and decides which of them are trusted. */
#ifndef SERVER_STORE_SHARED_H
#define SERVER_STORE_SHARED_H

#include "server/base/message.h"
#include "server/base/service.h"

/* Whether this text is proven to be the one of request, optimized. The store cannot decide it: the
 * worker does. */
typedef bool shared_prove(struct service *service, const struct request *request, struct str text);

/* An answer that the shared cache has under key (64 hexadecimal digits). Of one that is not signed
 * only PTX is taken, when prove says so; request NULL: none is. Header lines are repeated from a
 * fixed list. */
bool shared_recall(struct service *service, const char *key, const struct request *request,
                   shared_prove *prove, struct reply *reply);

/* Puts an answer there, as message_pack_reply made it, when another replica would take it. */
void shared_keep(struct service *service, const char *key, const struct request *request,
                 struct str packed);

#endif
