/* How many connections each IP address has. */
#ifndef SERVER_NET_ADDRESSES_H
#define SERVER_NET_ADDRESSES_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/socket.h>

struct addresses;

struct addresses *addresses_new(size_t most_each);
void addresses_free(struct addresses *addresses);

/* Counts one more connection of address: false if it has too many. A peer without an IP address (a
 * unix socket) has no limit. Each true needs an addresses_leave. Any thread. */
bool addresses_enter(struct addresses *addresses, const struct sockaddr *address);
void addresses_leave(struct addresses *addresses, const struct sockaddr *address);

#endif
