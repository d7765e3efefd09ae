/* Decides whether what an opcode receives and publishes depends on causality (model G6). */
#ifndef PTXOPT_CHECK_MODEL_CAUSAL_H
#define PTXOPT_CHECK_MODEL_CAUSAL_H

#include "check/model/effect.h"

/* CHECK_EFFECT_RECEIVES, …_RECEIVES_RELAXED and …_PUBLISHES_RELAXED of an opcode with that effect;
 * an empty head is one of which only the effect is known. */
uint16_t causal_words(struct str head, struct str modifiers, unsigned effect);

#endif
