/* Reads CIDR blocks and looks addresses up in them. */
#include "server/base/network.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum { ALL_BITS = 8 * NETWORK_KEY_BYTES, IPV4_BITS = 32 };

static void map_ipv4(const struct in_addr *four, unsigned char key[NETWORK_KEY_BYTES])
{
    static const unsigned char mapped[12] = {[10] = 0xff, [11] = 0xff};
    memcpy(key, mapped, sizeof mapped);
    memcpy(key + sizeof mapped, four, NETWORK_KEY_BYTES - sizeof mapped);
}

bool network_key(const struct sockaddr *address, unsigned char key[NETWORK_KEY_BYTES])
{
    if (address->sa_family == AF_INET)
        map_ipv4(&((const struct sockaddr_in *)(const void *)address)->sin_addr, key);
    else if (address->sa_family == AF_INET6)
        memcpy(key, &((const struct sockaddr_in6 *)(const void *)address)->sin6_addr,
               NETWORK_KEY_BYTES);
    else
        return false;
    return true;
}

/* The part after the slash. */
static bool read_bits(const char *text, unsigned most, unsigned *bits)
{
    char *end;
    if (*text < '0' || *text > '9') return false;
    unsigned long value = strtoul(text, &end, 10);
    if (*end || value > most) return false;
    *bits = (unsigned)value;
    return true;
}

bool networks_add(struct networks *networks, const char *text)
{
    char host[INET6_ADDRSTRLEN];
    struct in_addr four;
    struct network *network = &networks->at[networks->count];
    size_t len = strcspn(text, "/");
    if (strcmp(text, "unix") == 0) return networks->has_unix = true;
    if (networks->count == NETWORKS_MOST || len >= sizeof host) return false;
    memcpy(host, text, len);
    host[len] = 0;
    network->bits = ALL_BITS;
    if (inet_pton(AF_INET, host, &four) == 1) {
        map_ipv4(&four, network->key);
        if (text[len] && !read_bits(text + len + 1, IPV4_BITS, &network->bits)) return false;
        if (text[len]) network->bits += ALL_BITS - IPV4_BITS;
    } else if (inet_pton(AF_INET6, host, network->key) != 1 ||
               (text[len] && !read_bits(text + len + 1, ALL_BITS, &network->bits))) {
        return false;
    }
    networks->count++;
    return true;
}

static bool network_has(const struct network *network, const unsigned char *key)
{
    unsigned whole = network->bits / 8, rest = network->bits % 8;
    if (memcmp(network->key, key, whole) != 0) return false;
    return !rest || (network->key[whole] ^ key[whole]) >> (8 - rest) == 0;
}

bool networks_have(const struct networks *networks, const struct sockaddr *address)
{
    unsigned char key[NETWORK_KEY_BYTES];
    if (!network_key(address, key)) return address->sa_family == AF_UNIX && networks->has_unix;
    for (unsigned i = 0; i < networks->count; i++)
        if (network_has(&networks->at[i], key)) return true;
    return false;
}
