/* SHA-256, and HMAC with it. */
#ifndef SERVER_STORE_DIGEST_H
#define SERVER_STORE_DIGEST_H

#include <stdbool.h>

#include "base/str.h"

enum { DIGEST_BYTES = 32, DIGEST_HEX = 64 };

void digest_bytes(const struct str *pieces, size_t count, unsigned char digest[DIGEST_BYTES]);

/* The HMAC of text, with the secret. */
void digest_mac(struct str secret, struct str text, unsigned char mac[DIGEST_BYTES]);

/* Lower-case hexadecimal digits and a NUL. */
void digest_hex(struct str text, char hex[DIGEST_HEX + 1]);
void digest_print(const unsigned char digest[DIGEST_BYTES], char hex[DIGEST_HEX + 1]);

/* Whether it is 64 hexadecimal digits, lower case. */
bool digest_is_hex(const char *text);

/* Take the same time wherever they differ. */
bool digest_same_hex(const char a[DIGEST_HEX], const char b[DIGEST_HEX]);
bool digest_equal(const unsigned char a[DIGEST_BYTES], const unsigned char b[DIGEST_BYTES]);

#endif
