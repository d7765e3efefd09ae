/* Finds which columns of tensor memory LDTM and STTM touch. It reads the machine code alone, so it
 * shares nothing with what the optimizer and the checker read in the text. */
#ifndef PTXOPT_TESTS_SASS_COLUMNS_H
#define PTXOPT_TESTS_SASS_COLUMNS_H

#include "cubin.h"

enum columns {
    COLUMNS_SHARED,            /* some may be touched by both */
    COLUMNS_APART_OF_ONE_BASE, /* none, if the two address registers have the same value */
    COLUMNS_APART              /* none: there is one address register, and it keeps its value */
};

/* x, y: words of the flow. under_way: where the operation of x may be incomplete, from
 * flow_outstanding. */
enum columns columns_compare(const struct flow *flow, uint32_t x, uint32_t y,
                             const uint8_t *under_way);

#endif
