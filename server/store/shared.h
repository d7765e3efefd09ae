/* Answers that replicas share, and what of them is believed. */
#ifndef SERVER_STORE_SHARED_H
#define SERVER_STORE_SHARED_H

#include "server/handle/routes.h"
#include "server/service.h"

/* An answer that the shared cache has under key (64 hexadecimal digits). Of one that is not signed
 * only PTX is taken, when the checker proves it from the text of the request: request NULL, none
 * is. Header lines are repeated from a fixed list. */
bool shared_recall(struct service *service, const char *key, const struct request *request,
                   struct reply *reply);

/* Puts an answer there, as message_pack_reply made it, when another replica would take it. */
void shared_keep(struct service *service, const char *key, const struct request *request,
                 struct str packed);

#endif
