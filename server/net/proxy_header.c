/* Reads the header of the PROXY protocol. See proxy_header.h. The bytes are looked at in the
 * socket, and taken from it once the header is whole: what follows may be TLS. */
#include "server/net/proxy_header.h"

#include <arpa/inet.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

enum {
    V1_MOST = 107,   /* with CRLF */
    V2_FIXED = 16,   /* signature, version and command, family, length */
    V2_MOST = 4096,  /* addresses and what else a proxy says, such as a name of TLS */
    V2_PROXY = 0x21, /* version 2; 0x20 is LOCAL */
    V2_LOCAL = 0x20,
    V2_TCP4 = 0x11,
    V2_TCP6 = 0x21
};
static const char v1_begin[] = "PROXY ", v2_begin[] = "\r\n\r\n\0\r\nQUIT\n";

/* Whether the bytes that are there are those that a header begins with. */
static bool bytes_begin(const char *bytes, size_t n, const char *begin, size_t len)
{
    return memcmp(bytes, begin, n < len ? n : len) == 0;
}

static bool set_address(union link_address *address, int family, const void *bytes)
{
    *address = (union link_address){.any.sa_family = (sa_family_t)family};
    if (family == AF_INET)
        memcpy(&address->four.sin_addr, bytes, sizeof address->four.sin_addr);
    else
        memcpy(&address->six.sin6_addr, bytes, sizeof address->six.sin6_addr);
    return true;
}

/* "PROXY TCP4 SOURCE DESTINATION PORT PORT", without its end. */
static bool read_v1_line(const char *line, union link_address *address)
{
    char family[8], source[64], destination[64], rest;
    unsigned source_port, port;
    unsigned char bytes[sizeof(struct in6_addr)];
    if (strncmp(line, "PROXY UNKNOWN", 13) == 0) return !line[13] || line[13] == ' ';
    int count = sscanf(line, "PROXY %7s %63s %63s %5u %5u%c", family, source, destination,
                       &source_port, &port, &rest);
    int kind = strcmp(family, "TCP4") == 0 ? AF_INET : AF_INET6;
    if (count != 5 || (kind == AF_INET6 && strcmp(family, "TCP6") != 0)) return false;
    return inet_pton(kind, source, bytes) == 1 && set_address(address, kind, bytes);
}

static enum proxy_outcome read_v1(const char *bytes, size_t n, size_t *len,
                                  union link_address *address)
{
    char line[V1_MOST + 1];
    size_t most = n < V1_MOST ? n : V1_MOST;
    const char *end = memmem(bytes, most, "\r\n", 2);
    if (!end) return n < V1_MOST ? PROXY_WAITS : PROXY_BROKEN;
    *len = (size_t)(end - bytes);
    memcpy(line, bytes, *len);
    line[*len] = 0;
    *len += 2;
    return strlen(line) == *len - 2 && read_v1_line(line, address) ? PROXY_READ : PROXY_BROKEN;
}

static enum proxy_outcome read_v2(const char *bytes, size_t n, size_t *len,
                                  union link_address *address)
{
    if (n < V2_FIXED) return PROXY_WAITS;
    unsigned command = (unsigned char)bytes[12], family = (unsigned char)bytes[13];
    size_t rest = (size_t)(unsigned char)bytes[14] << 8 | (unsigned char)bytes[15];
    *len = V2_FIXED + rest;
    if ((command != V2_PROXY && command != V2_LOCAL) || *len > V2_MOST) return PROXY_BROKEN;
    if (n < *len) return PROXY_WAITS;
    if (command == V2_LOCAL) return PROXY_READ;
    if ((family == V2_TCP4 && rest < 12) || (family == V2_TCP6 && rest < 36)) return PROXY_BROKEN;
    if (family == V2_TCP4) set_address(address, AF_INET, bytes + V2_FIXED);
    if (family == V2_TCP6) set_address(address, AF_INET6, bytes + V2_FIXED);
    return PROXY_READ;
}

enum proxy_outcome proxy_header_read(int fd, union link_address *address)
{
    char bytes[V2_MOST];
    size_t len = 0, n;
    enum proxy_outcome outcome = PROXY_NONE;
    ssize_t got;
    do got = recv(fd, bytes, sizeof bytes, MSG_PEEK);
    while (got < 0 && errno == EINTR);
    if (got < 0) return errno == EAGAIN ? PROXY_WAITS : PROXY_BROKEN;
    if (got == 0) return PROXY_BROKEN;
    n = (size_t)got;
    if (bytes_begin(bytes, n, v1_begin, sizeof v1_begin - 1))
        outcome = read_v1(bytes, n, &len, address);
    else if (bytes_begin(bytes, n, v2_begin, sizeof v2_begin - 1))
        outcome = read_v2(bytes, n, &len, address);
    if (outcome == PROXY_READ && recv(fd, bytes, len, 0) != (ssize_t)len) return PROXY_BROKEN;
    return outcome;
}
