/* Names for contents, by OpenSSL. */
#include "server/store/digest.h"

#include <limits.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>

#include "base/bug.h"

void digest_bytes(const struct str *pieces, size_t count, unsigned char digest[DIGEST_BYTES])
{
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    BUG_UNLESS(context && EVP_DigestInit_ex(context, EVP_sha256(), NULL));
    for (size_t i = 0; i < count; i++)
        if (pieces[i].n) EVP_DigestUpdate(context, pieces[i].p, pieces[i].n);
    EVP_DigestFinal_ex(context, digest, NULL);
    EVP_MD_CTX_free(context);
}

void digest_mac(struct str secret, struct str text, unsigned char mac[DIGEST_BYTES])
{
    BUG_UNLESS(secret.n <= INT_MAX && HMAC(EVP_sha256(), secret.p, (int)secret.n,
                                           (const unsigned char *)text.p, text.n, mac, NULL));
}

void digest_print(const unsigned char digest[DIGEST_BYTES], char hex[DIGEST_HEX + 1])
{
    static const char digits[] = "0123456789abcdef";
    for (int i = 0; i < DIGEST_BYTES; i++) {
        hex[2 * i] = digits[digest[i] >> 4];
        hex[2 * i + 1] = digits[digest[i] & 15];
    }
    hex[DIGEST_HEX] = 0;
}

void digest_hex(struct str text, char hex[DIGEST_HEX + 1])
{
    unsigned char digest[DIGEST_BYTES];
    digest_bytes(&text, 1, digest);
    digest_print(digest, hex);
}

bool digest_is_hex(const char *text)
{
    return strlen(text) == DIGEST_HEX && strspn(text, "0123456789abcdef") == DIGEST_HEX;
}

bool digest_equal(const unsigned char a[DIGEST_BYTES], const unsigned char b[DIGEST_BYTES])
{
    return CRYPTO_memcmp(a, b, DIGEST_BYTES) == 0;
}

bool digest_same_hex(const char a[DIGEST_HEX], const char b[DIGEST_HEX])
{
    return CRYPTO_memcmp(a, b, DIGEST_HEX) == 0;
}
