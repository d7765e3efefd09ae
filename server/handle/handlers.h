/* The handlers: each makes reply the answer to request, and has a file that sees no connection.
 * routes.c says which of them a path has. */
#ifndef SERVER_HANDLE_HANDLERS_H
#define SERVER_HANDLE_HANDLERS_H

#include "server/base/message.h"
#include "server/base/service.h"

void handle_optimize(struct service *, const struct request *, struct reply *);
void handle_report(struct service *, const struct request *, struct reply *);
void handle_lint(struct service *, const struct request *, struct reply *);
void handle_verify(struct service *, const struct request *, struct reply *);
void handle_rules(struct service *, const struct request *, struct reply *);
void handle_codes(struct service *, const struct request *, struct reply *);
void handle_assumptions(struct service *, const struct request *, struct reply *);
void handle_version(struct service *, const struct request *, struct reply *);
void handle_result(struct service *, const struct request *, struct reply *);
void handle_health(struct service *, const struct request *, struct reply *);
void handle_ready(struct service *, const struct request *, struct reply *);
void handle_metrics(struct service *, const struct request *, struct reply *);
void handle_openapi(struct service *, const struct request *, struct reply *);
void handle_page(struct service *, const struct request *, struct reply *);

#endif
