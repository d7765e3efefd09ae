/* Positions in a text. */
#ifndef PTXOPT_TEXT_SPAN_H
#define PTXOPT_TEXT_SPAN_H

#include <stdint.h>

/* A half-open range of byte offsets, [start, end). */
struct span {
    uint32_t start, end;
};

/* 1-based line and 1-based column in bytes, as compilers print them. */
struct place {
    uint32_t line, column;
};

#endif
