/* Answers that were given before, by this process or by another replica. */
#ifndef SERVER_STORE_ANSWERS_H
#define SERVER_STORE_ANSWERS_H

#include "server/store/shared.h"

/* The answer that a cache holds under key (64 hexadecimal digits); false when none does. request
 * and prove: see shared_recall. */
bool answers_recall(struct service *service, const char *key, const struct request *request,
                    shared_prove *prove, struct reply *reply);

/* Puts reply into the caches, and the names of its key into reply. */
void answers_keep(struct service *service, const char *key, const struct request *request,
                  struct reply *reply);

#endif
