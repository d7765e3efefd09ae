/* The PROXY protocol, versions 1 and 2: a proxy sends the address of its client before the
 * client's bytes (https://www.haproxy.org/download/3.0/doc/proxy-protocol.txt). */
#ifndef SERVER_NET_PROXY_HEADER_H
#define SERVER_NET_PROXY_HEADER_H

#include "server/net/link.h"

enum proxy_outcome {
    PROXY_NONE,  /* the connection begins with something else */
    PROXY_WAITS, /* it may come yet */
    PROXY_READ,  /* it is taken from the socket, and nothing after it */
    PROXY_BROKEN /* malformed, or the connection ended in it */
};

/* Reads the header from a non-blocking socket. READ: *address is the client's, unless the proxy
 * has no client (LOCAL, UNKNOWN) or the client has no IP address: then it is not changed. */
enum proxy_outcome proxy_header_read(int fd, union link_address *address);

#endif
