/* Finds which columns of tensor memory LDTM and STTM touch. Read off the machine code alone, so
 * that it shares nothing with what the optimizer and the checker read off the text. */
#ifndef PTXOPT_TESTS_SASS_COLUMNS_H
#define PTXOPT_TESTS_SASS_COLUMNS_H

#include "cubin.h"

enum columns {
    COLUMNS_SHARED,            /* some may be touched by both */
    COLUMNS_APART_OF_ONE_BASE, /* none, if the two address registers hold one value */
    COLUMNS_APART              /* none: the address register is one and keeps its value */
};

/* x, y: words of the flow. under_way: where what x began may be incomplete, of flow_outstanding. */
enum columns columns_compare(const struct flow *flow, uint32_t x, uint32_t y,
                             const uint8_t *under_way);

#endif
