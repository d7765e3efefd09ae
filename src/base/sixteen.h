/* Examines sixteen bytes at once. A comparison is 0xff in each byte where it is true, and 0
 * in the others. */
#ifndef PTXOPT_BASE_SIXTEEN_H
#define PTXOPT_BASE_SIXTEEN_H

#include <string.h>

#include "base/str.h"
#include "base/word.h"

enum { SIXTEEN = 16 };

typedef unsigned char sixteen __attribute__((vector_size(SIXTEEN)));
typedef signed char sixteen_signed __attribute__((vector_size(SIXTEEN)));

static inline sixteen sixteen_load(const char *p)
{
    sixteen bytes;
    memcpy(&bytes, p, sizeof bytes);
    return bytes;
}

/* Returns the index of the first byte of hits that is not zero; SIXTEEN if there is none. Each byte
 * must be 0 or 0xff. */
static inline uint32_t sixteen_first(sixteen hits)
{
#ifdef __SSE2__
    typedef char plain_sixteen __attribute__((vector_size(SIXTEEN)));
    uint32_t bits = (uint32_t)__builtin_ia32_pmovmskb128((plain_sixteen)hits);
    return bits ? (uint32_t)__builtin_ctz(bits) : SIXTEEN;
#else
    char bytes[SIXTEEN];
    memcpy(bytes, &hits, sizeof bytes);
    uint64_t low = word_load(bytes, 8), high = word_load(bytes + 8, 8);
    if (low) return (uint32_t)__builtin_ctzll(low) / 8;
    return high ? 8 + (uint32_t)__builtin_ctzll(high) / 8 : SIXTEEN;
#endif
}

/* Returns sixteen bytes of which the first n bytes are 0xff. */
static inline sixteen sixteen_before(uint32_t n)
{
    static const unsigned char bytes[2 * SIXTEEN] = {
        0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
        0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
    };
    return sixteen_load((const char *)bytes + SIXTEEN - n);
}

/* Returns the two halves as numbers, in the byte order of the machine. */
static inline void sixteen_halves(sixteen bytes, uint64_t *first, uint64_t *last)
{
    memcpy(first, &bytes, sizeof *first);
    memcpy(last, (const char *)&bytes + sizeof *first, sizeof *last);
}

/* Returns how often c occurs in text. */
static inline uint32_t sixteen_count(struct str text, char c)
{
    enum { BLOCKS_MAX = UINT8_MAX }; /* each byte of a sum counts at most one of each block */
    uint32_t count = 0;
    while (text.n >= SIXTEEN) {
        sixteen sum = {0};
        for (uint32_t n = 0; n < BLOCKS_MAX && text.n >= SIXTEEN; n++) {
            sum -= (sixteen)(sixteen_load(text.p) == (unsigned char)c);
            text.p += SIXTEEN;
            text.n -= SIXTEEN;
        }
        for (uint32_t i = 0; i < SIXTEEN; i++) count += sum[i];
    }
    for (size_t i = 0; i < text.n; i++) count += text.p[i] == c;
    return count;
}

#endif
