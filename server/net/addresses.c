/* Counts the connections of each IP address. See addresses.h: the tree of tsearch(3), of those that
 * have a connection right now. */
#include "server/net/addresses.h"

#include <pthread.h>
#include <search.h>
#include <string.h>

#include "base/mem.h"
#include "server/base/network.h"

struct address {
    unsigned char key[NETWORK_KEY_BYTES]; /* first: a key is searched as an address */
    size_t count;
};

struct addresses {
    pthread_mutex_t lock;
    size_t most_each;
    void *tree;
};

static int compare_keys(const void *a, const void *b)
{
    return memcmp(a, b, NETWORK_KEY_BYTES);
}

struct addresses *addresses_new(size_t most_each)
{
    struct addresses *addresses = mem_zalloc(1, sizeof *addresses);
    pthread_mutex_init(&addresses->lock, NULL);
    addresses->most_each = most_each;
    return addresses;
}

void addresses_free(struct addresses *addresses)
{
    if (!addresses) return;
    pthread_mutex_destroy(&addresses->lock);
    mem_free(addresses);
}

/* With the lock held: the one of that key, added if it is new; NULL when out of memory. */
static struct address *get_address(struct addresses *addresses, const unsigned char *key)
{
    struct address **found = tfind(key, &addresses->tree, compare_keys);
    if (found) return *found;
    struct address *added = mem_try_zalloc(sizeof *added);
    if (!added) return NULL;
    memcpy(added->key, key, NETWORK_KEY_BYTES);
    if (tsearch(added, &addresses->tree, compare_keys)) return added;
    mem_free(added);
    return NULL;
}

bool addresses_enter(struct addresses *addresses, const struct sockaddr *address)
{
    unsigned char key[NETWORK_KEY_BYTES];
    if (!network_key(address, key)) return true;
    pthread_mutex_lock(&addresses->lock);
    struct address *one = get_address(addresses, key);
    bool fits = one && one->count < addresses->most_each;
    if (fits) one->count++;
    pthread_mutex_unlock(&addresses->lock);
    return fits;
}

void addresses_leave(struct addresses *addresses, const struct sockaddr *address)
{
    unsigned char key[NETWORK_KEY_BYTES];
    if (!network_key(address, key)) return;
    pthread_mutex_lock(&addresses->lock);
    struct address **found = tfind(key, &addresses->tree, compare_keys), *one = *found;
    if (--one->count == 0) {
        tdelete(key, &addresses->tree, compare_keys);
        mem_free(one);
    }
    pthread_mutex_unlock(&addresses->lock);
}
