/* Converts answers to bytes: those of a request at once, those of a batch line by line. */
#ifndef SERVER_NET_RESPONSE_H
#define SERVER_NET_RESPONSE_H

#include <microhttpd.h>

#include "server/base/service.h"
#include "server/work/exchange.h"

/* Hands the head of reply, or the lines of the exchange's batch, to libmicrohttpd, which sends
 * them, and the body to the channel, for the link to send. reply is owned by the caller, and must
 * live until the request is finished. MHD_NO: out of memory; the connection is to be closed. */
enum MHD_Result response_send(struct service *service, struct MHD_Connection *connection,
                              struct exchange *exchange, const struct reply *reply);

#endif
