/* Positions in a text. */
#ifndef PTXOPT_TEXT_SPAN_H
#define PTXOPT_TEXT_SPAN_H

#include <stdint.h>

/* A half-open range of byte offsets, [start, end). */
struct span {
    uint32_t start, end;
};

/* Line and column, both from 1, as compilers print them; columns in bytes. */
struct place {
    uint32_t line, column;
};

#endif
