/* Searches for bytes, sixteen at a time. The functions that search return a block in which the
 * bytes of hits are 0xff and the others are 0. */
#ifndef PTXOPT_CHECK_READ_SCAN_H
#define PTXOPT_CHECK_READ_SCAN_H

#include "base/sixteen.h"

/* Finds `;`, braces, slashes, quotes and hashes: no other byte inside a statement affects where it
 * ends. Setting one bit maps `;` to `{`, and another maps the quote to the hash, so that four
 * comparisons are enough. */
static inline sixteen scan_stops(sixteen block)
{
    return (sixteen)((block | 0x40) == '{') | (sixteen)(block == '}') | (sixteen)(block == '/') |
           (sixteen)((block | 1) == '#');
}

/* As scan_stops, without `;`. */
static inline sixteen scan_braces(sixteen block)
{
    return (sixteen)(block == '{') | (sixteen)(block == '}') | (sixteen)(block == '/') |
           (sixteen)((block | 1) == '#');
}

/* Finds the bytes that end an opcode written without gaps: blanks, bytes that are not ASCII, and
 * `;`. */
static inline sixteen scan_opcode_ends(sixteen block)
{
    return (sixteen)((sixteen_signed)block <= ' ') | (sixteen)(block == ';');
}

/* Finds the bytes that may end the first word of a statement: all bytes up to the dot, bytes that
 * are not ASCII, and the colon. */
static inline sixteen scan_word_ends(sixteen block)
{
    return (sixteen)((sixteen_signed)block <= '.') | (sixteen)(block == ':');
}

/* Finds the places where `.fu` or `.alia` begins, as in .func and .alias. Reads 4 bytes beyond the
 * block. */
static inline sixteen scan_function_words(const char *p)
{
    sixteen second = sixteen_load(p + 1), third = sixteen_load(p + 2);
    sixteen func = (sixteen)(second == 'f') & (sixteen)(third == 'u');
    sixteen alias = (sixteen)(second == 'a') & (sixteen)(third == 'l') &
                    (sixteen)(sixteen_load(p + 3) == 'i') & (sixteen)(sixteen_load(p + 4) == 'a');
    return (sixteen)(sixteen_load(p) == '.') & (func | alias);
}

/* Finds the places where the name of a clock may begin: %c or %g, which differ in one bit. */
static inline sixteen scan_clocks(const char *p)
{
    return (sixteen)(sixteen_load(p) == '%') & (sixteen)((sixteen_load(p + 1) | 4) == 'g');
}

#endif
