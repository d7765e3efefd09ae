/* Searches ascending numbers. */
#ifndef PTXOPT_BASE_SORTED_H
#define PTXOPT_BASE_SORTED_H

#include <stdint.h>

/* Returns the first index in [low, high) with a number of at least value, or high if there is none.
 * numbers[low..high) must ascend. Takes logarithmic time. */
static inline uint32_t sorted_find(const uint32_t *numbers, uint32_t low, uint32_t high,
                                   uint32_t value)
{
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (numbers[middle] < value)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

#endif
