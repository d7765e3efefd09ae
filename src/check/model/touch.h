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

/* What flags say of an instruction of NEUTRAL effect. */
static inline uint8_t touch_of(uint8_t flags)
{
    if (flags & CHECK_EFFECT_PURE) return 0;
    return (uint8_t)(TOUCH_OTHER | (flags & CHECK_EFFECT_NO_GLOBAL ? 0 : TOUCH_GLOBAL) |
                     (flags & CHECK_EFFECT_NO_SHARED ? 0 : TOUCH_SHARED));
}

/* The flags NO_GLOBAL and NO_SHARED of an opcode, as far as it is a weak ld or st that names one
 * state space, or elect.sync. */
uint8_t touch_spared(struct str head, struct str modifiers, unsigned effect);

/* Whether it writes memory that others may read, and does nothing else. Of st and stmatrix. */
bool touch_stores(struct str head, struct str modifiers);

#endif
