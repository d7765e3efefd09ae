/* A small tensor memory for random loads and stores, which shows which of them have a cell in
 * common: ranges as in the checker, and the same as sets of cells. */
#ifndef PTXOPT_TESTS_MODEL_CELLS_H
#define PTXOPT_TESTS_MODEL_CELLS_H

#include <stdint.h>

#include "check/model/columns.h"
#include "check/model/event.h"

/* Columns 0 to 3 from one base; the last has another base, so it may be anywhere. */
enum { CELLS_CLASSES = 5, CELLS_ALL = 15 };

static const struct columns_range cells_ranges[CELLS_CLASSES] = {
    {7, 0, 2}, {7, 1, 2}, {7, 2, 2}, {7, 3, 1}, {8, 0, 1},
};

static const struct monitor_class cells_classes[CELLS_CLASSES] = {
    {NULL, 0, cells_ranges + 0}, {NULL, 0, cells_ranges + 1}, {NULL, 0, cells_ranges + 2},
    {NULL, 0, cells_ranges + 3}, {NULL, 0, cells_ranges + 4},
};

/* For monitor_graph.accesses. */
static inline struct monitor_classes cells_told_apart(void)
{
    return (struct monitor_classes){cells_classes, CELLS_CLASSES, columns_are_apart};
}

/* The cells that an access of that class may touch, as bits; without a class all. */
static inline unsigned cells_of(uint32_t class)
{
    static const unsigned cells[CELLS_CLASSES] = {3, 6, 12, 8, CELLS_ALL};
    return class < CELLS_CLASSES ? cells[class] : CELLS_ALL;
}

/* The class, or none, for a number below 6. */
static inline uint32_t cells_class(uint32_t number)
{
    return number < CELLS_CLASSES ? number : MONITOR_NONE;
}

#endif
