/* Reads and compares up to eight bytes at a time as a number. */
#ifndef PTXOPT_BASE_WORD_H
#define PTXOPT_BASE_WORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A factor for hashing: a multiplication by it lets each bit of a word affect the upper bits of the
 * product. */
#define WORD_SPREAD UINT64_C(0x9e3779b97f4a7c15)

static inline uint32_t word_of_four(const char *p)
{
    const unsigned char *byte = (const unsigned char *)p;
    return byte[0] | (uint32_t)byte[1] << 8 | (uint32_t)byte[2] << 16 | (uint32_t)byte[3] << 24;
}

/* Returns the n bytes (at most eight) at p as a number, the first byte lowest. Reads no other
 * bytes. For n of at least four, it reads the first four and the last four bytes, which may
 * overlap. */
static inline uint64_t word_load(const char *p, size_t n)
{
    const unsigned char *byte = (const unsigned char *)p;
    if (n >= 4) return word_of_four(p) | (uint64_t)word_of_four(p + n - 4) << 8 * (n - 4);
    if (!n) return 0;
    return byte[0] | (uint32_t)byte[n / 2] << 8 * (n / 2) | (uint32_t)byte[n - 1] << 8 * (n - 1);
}

/* Whether n bytes are equal at a and b. The last word may overlap the one before it. */
static inline bool word_same(const char *a, const char *b, size_t n)
{
    if (n <= 8) return word_load(a, n) == word_load(b, n);
    for (size_t i = 0; i + 8 < n; i += 8)
        if (word_load(a + i, 8) != word_load(b + i, 8)) return false;
    return word_load(a + n - 8, 8) == word_load(b + n - 8, 8);
}

#endif
