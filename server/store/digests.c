/* A table of GMACs and digests. See digests.h. */
#include "server/store/digests.h"

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/rand.h>
#include <pthread.h>
#include <stdint.h>
#include <string.h>

#include "base/mem.h"

enum { SLOTS = 1 << 12, KEY_BYTES = 16, MAC_BYTES = 16, NONCE_BYTES = 12, MOST_AT_ONCE = 1 << 30 };

/* A text takes the slot of the one before it that belongs there. */
struct digests_slot {
    bool is_used;
    unsigned char mac[MAC_BYTES], digest[DIGEST_BYTES];
};

struct digests {
    unsigned char key[KEY_BYTES];
    pthread_mutex_t lock;
    struct digests_slot slots[SLOTS];
};

/* With one nonce for all: a GMAC that nobody sees says nothing of another. False: out of memory, or
 * there is no such cipher. */
static bool make_mac(const struct digests *digests, const struct str *pieces, size_t count,
                     unsigned char mac[MAC_BYTES])
{
    static const unsigned char nonce[NONCE_BYTES] = {0};
    unsigned char none[MAC_BYTES];
    int len;
    EVP_CIPHER_CTX *context = EVP_CIPHER_CTX_new();
    bool good =
        context && EVP_EncryptInit_ex(context, EVP_aes_128_gcm(), NULL, digests->key, nonce);
    for (size_t i = 0; good && i < count; i++)
        for (size_t at = 0; good && at < pieces[i].n;) {
            size_t left = pieces[i].n - at, part = left < MOST_AT_ONCE ? left : MOST_AT_ONCE;
            good = EVP_EncryptUpdate(context, NULL, &len, (const unsigned char *)pieces[i].p + at,
                                     (int)part);
            at += part;
        }
    good = good && EVP_EncryptFinal_ex(context, none, &len) &&
           EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, MAC_BYTES, mac);
    EVP_CIPHER_CTX_free(context);
    return good;
}

struct digests *digests_new(void)
{
    unsigned char mac[MAC_BYTES];
    struct digests *digests = mem_zalloc(1, sizeof *digests);
    pthread_mutex_init(&digests->lock, NULL);
    if (RAND_priv_bytes(digests->key, KEY_BYTES) == 1 && make_mac(digests, NULL, 0, mac))
        return digests;
    digests_free(digests);
    return NULL;
}

void digests_free(struct digests *digests)
{
    if (!digests) return;
    OPENSSL_cleanse(digests->key, KEY_BYTES);
    pthread_mutex_destroy(&digests->lock);
    mem_free(digests);
}

static struct digests_slot *digests_slot_of(struct digests *digests,
                                            const unsigned char mac[MAC_BYTES])
{
    uint32_t number;
    memcpy(&number, mac, sizeof number);
    return &digests->slots[number % SLOTS];
}

static bool recall_digest(struct digests *digests, const unsigned char mac[MAC_BYTES],
                          unsigned char digest[DIGEST_BYTES])
{
    pthread_mutex_lock(&digests->lock);
    const struct digests_slot *slot = digests_slot_of(digests, mac);
    bool found = slot->is_used && CRYPTO_memcmp(slot->mac, mac, MAC_BYTES) == 0;
    if (found) memcpy(digest, slot->digest, DIGEST_BYTES);
    pthread_mutex_unlock(&digests->lock);
    return found;
}

static void keep_digest(struct digests *digests, const unsigned char mac[MAC_BYTES],
                        const unsigned char digest[DIGEST_BYTES])
{
    pthread_mutex_lock(&digests->lock);
    struct digests_slot *slot = digests_slot_of(digests, mac);
    slot->is_used = true;
    memcpy(slot->mac, mac, MAC_BYTES);
    memcpy(slot->digest, digest, DIGEST_BYTES);
    pthread_mutex_unlock(&digests->lock);
}

void digests_find(struct digests *digests, const struct str *pieces, size_t count,
                  unsigned char digest[DIGEST_BYTES])
{
    unsigned char mac[MAC_BYTES];
    bool known = digests && make_mac(digests, pieces, count, mac);
    if (known && recall_digest(digests, mac, digest)) return;
    digest_bytes(pieces, count, digest);
    if (known) keep_digest(digests, mac, digest);
}
