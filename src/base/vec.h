/* A growable array of any type, as three fields the owner names: items, count, capacity. */
#ifndef PTXOPT_BASE_VEC_H
#define PTXOPT_BASE_VEC_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/mem.h"

/* struct name { type *at; uint32_t count, cap; }; zero-initialise to start empty. */
#define VEC(type)                                                                                  \
    {                                                                                              \
        type *at;                                                                                  \
        uint32_t count, cap;                                                                       \
    }

#define VEC_MORE(vec) ((vec)->cap ? (vec)->cap * 2 : 16)

#define vec_push(vec, ...)                                                                         \
    do {                                                                                           \
        if ((vec)->count == (vec)->cap) {                                                          \
            (vec)->at = mem_realloc((vec)->at, VEC_MORE(vec) * sizeof *(vec)->at);                 \
            (vec)->cap = VEC_MORE(vec);                                                            \
        }                                                                                          \
        (vec)->at[(vec)->count++] = (__VA_ARGS__);                                                 \
    } while (0)

/* Makes room for so many items more. */
#define vec_reserve(vec, items)                                                                    \
    do {                                                                                           \
        uint32_t wanted_ = (vec)->count + (items);                                                 \
        if (wanted_ > (vec)->cap) {                                                                \
            if (wanted_ < VEC_MORE(vec) && (vec)->cap) wanted_ = VEC_MORE(vec);                    \
            (vec)->at = mem_realloc((vec)->at, wanted_ * sizeof *(vec)->at);                       \
            (vec)->cap = wanted_;                                                                  \
        }                                                                                          \
    } while (0)

/* Frees the space beyond its items. The items move: a block shortened in place would leave
 * holes that nothing else fits into. */
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
