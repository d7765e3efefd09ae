/* A growable array of any type: a struct of three fields. */
#ifndef PTXOPT_BASE_VEC_H
#define PTXOPT_BASE_VEC_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/mem.h"

/* Use: struct name VEC(type); or struct VEC(type) field; zero-initialise it before its first
 * use. */
#define VEC(type)                                                                                  \
    {                                                                                              \
        type *at;                                                                                  \
        uint32_t count, cap;                                                                       \
    }

/* The first block has 256 to 992 bytes, unless the items are larger: up to this size malloc keeps
 * freed blocks for the thread, so that one array leaves its block to the next. */
#define VEC_FIRST(item) ((item) < 8 ? 128u : (item) < 16 ? 64u : (item) < 32 ? 32u : 16u)
#define VEC_MORE(vec) ((vec)->cap ? (vec)->cap * 2 : VEC_FIRST(sizeof *(vec)->at))

#define vec_push(vec, ...)                                                                         \
    do {                                                                                           \
        if ((vec)->count == (vec)->cap) {                                                          \
            (vec)->at = mem_realloc((vec)->at, VEC_MORE(vec) * sizeof *(vec)->at);                 \
            (vec)->cap = VEC_MORE(vec);                                                            \
        }                                                                                          \
        (vec)->at[(vec)->count++] = (__VA_ARGS__);                                                 \
    } while (0)

/* Reserves space for `items` more items. */
#define vec_reserve(vec, items)                                                                    \
    do {                                                                                           \
        uint32_t wanted_ = (vec)->count + (items);                                                 \
        if (wanted_ > (vec)->cap) {                                                                \
            if (wanted_ < VEC_MORE(vec) && (vec)->cap) wanted_ = VEC_MORE(vec);                    \
            (vec)->at = mem_realloc((vec)->at, wanted_ * sizeof *(vec)->at);                       \
            (vec)->cap = wanted_;                                                                  \
        }                                                                                          \
    } while (0)

/* Frees the unused capacity. Copies the items to a smaller block, since a block shortened in place
 * would leave a hole too small for other allocations. */
#define vec_fit(vec)                                                                               \
    do {                                                                                           \
        if (!(vec)->count) {                                                                       \
            vec_free(vec);                                                                         \
        } else if ((vec)->count < (vec)->cap) {                                                    \
            void *fit_ = mem_alloc((vec)->count * sizeof *(vec)->at);                              \
            memcpy(fit_, (vec)->at, (vec)->count * sizeof *(vec)->at);                             \
            mem_free((vec)->at);                                                                   \
            (vec)->at = fit_;                                                                      \
            (vec)->cap = (vec)->count;                                                             \
        }                                                                                          \
    } while (0)

#define vec_free(vec)                                                                              \
    do {                                                                                           \
        mem_free((vec)->at);                                                                       \
        (vec)->at = NULL;                                                                          \
        (vec)->count = (vec)->cap = 0;                                                             \
    } while (0)

#endif
