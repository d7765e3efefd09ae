/* Searches for bytes, sixteen at a time. The functions that search return a block in which the
 * bytes of hits are 0xff and the others are 0. */
#ifndef PTXOPT_CHECK_READ_SCAN_H
#define PTXOPT_CHECK_READ_SCAN_H

#include <stdint.h>
#include <string.h>

#include "base/str.h"

enum { SCAN_BYTES = 16 };

typedef unsigned char scan_block __attribute__((vector_size(SCAN_BYTES)));
typedef signed char scan_signed __attribute__((vector_size(SCAN_BYTES)));

static inline scan_block scan_load(const char *p)
{
    scan_block block;
    memcpy(&block, p, sizeof block);
    return block;
}

/* Returns eight bytes as a number, the first byte lowest. */
static inline uint64_t scan_word(const char *p)
{
    uint64_t word;
    memcpy(&word, p, sizeof word);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    word = __builtin_bswap64(word);
#endif
    return word;
}

/* Returns the index of the first byte of hits that is not zero; SCAN_BYTES if there is none. Each
 * byte must be 0 or 0xff. */
static inline uint32_t scan_first(scan_block hits)
{
#ifdef __SSE2__
    typedef char plain_block __attribute__((vector_size(SCAN_BYTES)));
    uint32_t bits = (uint32_t)__builtin_ia32_pmovmskb128((plain_block)hits);
    return bits ? (uint32_t)__builtin_ctz(bits) : SCAN_BYTES;
#else
    char bytes[SCAN_BYTES];
    memcpy(bytes, &hits, sizeof bytes);
    uint64_t low = scan_word(bytes), high = scan_word(bytes + 8);
    if (low) return (uint32_t)__builtin_ctzll(low) / 8;
    return high ? 8 + (uint32_t)__builtin_ctzll(high) / 8 : SCAN_BYTES;
#endif
}

/* Finds `;`, braces, slashes, quotes and hashes: no other byte inside a statement affects where it
 * ends. Setting one bit maps `;` to `{`, and another maps the quote to the hash, so that four
 * comparisons are enough. */
static inline scan_block scan_stops(scan_block block)
{
    return (scan_block)((block | 0x40) == '{') | (scan_block)(block == '}') |
           (scan_block)(block == '/') | (scan_block)((block | 1) == '#');
}

/* As scan_stops, without `;`. */
static inline scan_block scan_braces(scan_block block)
{
    return (scan_block)(block == '{') | (scan_block)(block == '}') | (scan_block)(block == '/') |
           (scan_block)((block | 1) == '#');
}

/* Finds the bytes that end an opcode written without gaps: blanks, bytes that are not ASCII, and
 * `;`. */
static inline scan_block scan_opcode_ends(scan_block block)
{
    return (scan_block)((scan_signed)block <= ' ') | (scan_block)(block == ';');
}

/* Returns a block in which the first n bytes are 0xff. */
static inline scan_block scan_before(uint32_t n)
{
    static const unsigned char bytes[2 * SCAN_BYTES] = {
        0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
        0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
    };
    return scan_load((const char *)bytes + SCAN_BYTES - n);
}

/* Returns the two halves as numbers, in the byte order of the machine. */
static inline void scan_halves(scan_block block, uint64_t *first, uint64_t *last)
{
    memcpy(first, &block, sizeof *first);
    memcpy(last, (const char *)&block + sizeof *first, sizeof *last);
}

/* Finds the bytes that may end the first word of a statement: all bytes up to the dot, bytes that
 * are not ASCII, and the colon. */
static inline scan_block scan_word_ends(scan_block block)
{
    return (scan_block)((scan_signed)block <= '.') | (scan_block)(block == ':');
}

/* Finds the places where `.fu` or `.alia` begins, as in .func and .alias. Reads 4 bytes beyond the
 * block. */
static inline scan_block scan_function_words(const char *p)
{
    scan_block second = scan_load(p + 1), third = scan_load(p + 2);
    scan_block func = (scan_block)(second == 'f') & (scan_block)(third == 'u');
    scan_block alias = (scan_block)(second == 'a') & (scan_block)(third == 'l') &
                       (scan_block)(scan_load(p + 3) == 'i') &
                       (scan_block)(scan_load(p + 4) == 'a');
    return (scan_block)(scan_load(p) == '.') & (func | alias);
}

/* Finds the places where the name of a clock may begin: %c or %g, which differ in one bit. */
static inline scan_block scan_clocks(const char *p)
{
    return (scan_block)(scan_load(p) == '%') & (scan_block)((scan_load(p + 1) | 4) == 'g');
}

#endif
