/* Decides whether what an opcode receives and publishes depends on causality (model G6). */
#ifndef PTXOPT_CHECK_MODEL_CAUSAL_H
#define PTXOPT_CHECK_MODEL_CAUSAL_H

#include "check/model/effect.h"

/* Returns CHECK_EFFECT_RECEIVES, CHECK_EFFECT_RECEIVES_RELAXED and CHECK_EFFECT_PUBLISHES_RELAXED
 * as they apply to an opcode with this effect. An empty head stands for an opcode of which only the
 * effect is known. */
uint16_t causal_words(struct str head, struct str modifiers, unsigned effect);

#endif
