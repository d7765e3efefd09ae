/* Decides which memory an instruction may access through the generic proxy. */
#ifndef PTXOPT_CHECK_MODEL_TOUCH_H
#define PTXOPT_CHECK_MODEL_TOUCH_H

#include <stdbool.h>

#include "check/model/effect.h"

enum touch {
    TOUCH_GLOBAL = 1,
    TOUCH_SHARED = 2,
    TOUCH_OTHER = 4,
    TOUCH_ANYTHING = 7,
};

/* Returns the memory (enum touch) that an instruction of NEUTRAL effect with these flags may
 * access. */
static inline uint8_t touch_of(uint8_t flags)
{
    if (flags & CHECK_EFFECT_PURE) return 0;
    return (uint8_t)(TOUCH_OTHER | (flags & CHECK_EFFECT_NO_GLOBAL ? 0 : TOUCH_GLOBAL) |
                     (flags & CHECK_EFFECT_NO_SHARED ? 0 : TOUCH_SHARED));
}

/* Returns the flags NO_GLOBAL and NO_SHARED of a weak ld or st that names one state space, or of
 * elect.sync; 0 for other opcodes. */
uint8_t touch_spared(struct str head, struct str modifiers, unsigned effect);

/* Whether a st or stmatrix only writes memory that other threads may read. */
bool touch_stores(struct str head, struct str modifiers);

/* Whether a known opcode may have results from memory that a thread can write. Those with
 * CHECK_EFFECT_ALL_RESULTS may have some, too. */
bool touch_loads(struct str head, struct str modifiers);

#endif
