/* Sets of IP addresses, given as CIDR blocks (RFC 4632, section 3.1). */
#ifndef SERVER_BASE_NETWORK_H
#define SERVER_BASE_NETWORK_H

#include <stdbool.h>
#include <sys/socket.h>

enum { NETWORK_KEY_BYTES = 16, NETWORKS_MOST = 64 };

struct networks {
    struct network {
        unsigned char key[NETWORK_KEY_BYTES];
        unsigned bits; /* of key that count */
    } at[NETWORKS_MOST];
    unsigned count;
    bool has_unix; /* peers on a unix socket are in it, too */
};

/* The bytes of an IP address; an IPv4 address as the IPv6 address that it is mapped to (RFC 4291,
 * section 2.5.5.2). False when it is none. */
bool network_key(const struct sockaddr *address, unsigned char key[NETWORK_KEY_BYTES]);

/* Adds "ADDRESS", "ADDRESS/BITS" or "unix". False: it is none of these, or there are too many. */
bool networks_add(struct networks *networks, const char *text);

bool networks_have(const struct networks *networks, const struct sockaddr *address);

#endif
