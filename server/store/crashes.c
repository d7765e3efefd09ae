/* Remembers the bodies that ended a process. */
#include "server/store/crashes.h"

#include <pthread.h>
#include <string.h>

#include "base/mem.h"

enum { KEPT = 1024 };

struct crashes {
    pthread_mutex_t lock;
    size_t added;
    unsigned char digest[KEPT][DIGEST_BYTES]; /* a ring */
};

struct crashes *crashes_new(void)
{
    struct crashes *crashes = mem_zalloc(1, sizeof *crashes);
    pthread_mutex_init(&crashes->lock, NULL);
    return crashes;
}

void crashes_free(struct crashes *crashes)
{
    pthread_mutex_destroy(&crashes->lock);
    mem_free(crashes);
}

bool crashes_has(struct crashes *crashes, const unsigned char digest[DIGEST_BYTES])
{
    bool found = false;
    pthread_mutex_lock(&crashes->lock);
    size_t count = crashes->added < KEPT ? crashes->added : KEPT;
    for (size_t i = 0; i < count && !found; i++)
        found = memcmp(crashes->digest[i], digest, DIGEST_BYTES) == 0;
    pthread_mutex_unlock(&crashes->lock);
    return found;
}

void crashes_add(struct crashes *crashes, const unsigned char digest[DIGEST_BYTES])
{
    pthread_mutex_lock(&crashes->lock);
    memcpy(crashes->digest[crashes->added++ % KEPT], digest, DIGEST_BYTES);
    pthread_mutex_unlock(&crashes->lock);
}
