/* See connection.h. */
#include "server/net/connection.h"

#include <microhttpd.h>

#include "server/net/channel.h"

struct channel *connection_channel(struct MHD_Connection *connection)
{
    return MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT)->socket_context;
}

void connection_enter(struct MHD_Connection *connection, enum link_phase phase)
{
    struct link *link = connection_channel(connection)->link;
    if (link) link_wait(link, phase);
}

void connection_suspend(void *connection)
{
    MHD_suspend_connection(connection);
}

/* libmicrohttpd wakes only its own threads. */
void connection_resume(void *connection)
{
    struct channels *channels = connection_channel(connection)->of;
    MHD_resume_connection(connection);
    channels_wake(channels);
}
