/* Seals values of the shared cache, and checks that a value belongs to its key. Before the
 * value there are a magic word, the key, and the digest of the value or a signature of all of
 * these. */
#include "server/store/seal.h"

#include "server/base/attempt.h"
#include "server/store/digest.h"

enum { MAGIC = 8 };
/* Of digested, and of signed entries. */
static const char plain_magic[MAGIC + 1] = "ptxopt2\n", signed_magic[MAGIC + 1] = "ptxopt2s";

static void seal_sign(struct str secret, const char *key, struct str value,
                      char hex[DIGEST_HEX + 1])
{
    char text[MAGIC + 2 * DIGEST_HEX + 1];
    unsigned char mac[DIGEST_BYTES];
    digest_hex(value, hex);
    if (!secret.n) return;
    memcpy(text, signed_magic, MAGIC);
    memcpy(text + MAGIC, key, DIGEST_HEX);
    memcpy(text + MAGIC + DIGEST_HEX, hex, DIGEST_HEX);
    digest_mac(secret, (struct str){text, MAGIC + 2 * DIGEST_HEX}, mac);
    digest_print(mac, hex);
}

bool seal_add(struct str secret, const char *key, struct str value, struct buf *out)
{
    char hex[DIGEST_HEX + 1];
    seal_sign(secret, key, value, hex);
    buf_add(out, secret.n ? signed_magic : plain_magic, MAGIC);
    buf_add(out, key, DIGEST_HEX);
    buf_add(out, hex, DIGEST_HEX);
    if (attempt_add(out, value.p, value.n)) return true;
    buf_free(out);
    return false;
}

bool seal_open(struct str secret, const char *key, struct str sealed, struct str *value)
{
    char hex[DIGEST_HEX + 1];
    size_t head = MAGIC + 2 * DIGEST_HEX;
    if (sealed.n < head || memcmp(sealed.p, secret.n ? signed_magic : plain_magic, MAGIC) != 0 ||
        memcmp(sealed.p + MAGIC, key, DIGEST_HEX) != 0)
        return false;
    *value = (struct str){sealed.p + head, sealed.n - head};
    seal_sign(secret, key, *value, hex);
    return digest_same_hex(sealed.p + MAGIC + DIGEST_HEX, hex);
}
