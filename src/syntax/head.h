/* The beginnings of instructions: an opcode with the modifiers that follow it without a blank. A
 * text has few different heads, and each many times. */
#ifndef PTXOPT_SYNTAX_HEAD_H
#define PTXOPT_SYNTAX_HEAD_H

#include "base/str.h"
#include "base/vec.h"

enum { HEAD_TOKENS_MAX = 18, HEAD_BYTES_MAX = UINT8_MAX, HEAD_SLOTS = 1024 };

struct shape;

struct head {
    const char *text;
    /* the first and the last eight bytes of text, or fewer if it is shorter */
    uint64_t first, last;
    uint8_t length, kind, count;   /* kind: of the first token; all other tokens are modifiers */
    uint8_t ends[HEAD_TOKENS_MAX]; /* the end of each token in text; a token begins at the end of
                                      the one before */
    /* The kinds of the tokens (enum token_kind) of the last instruction that began with this head,
     * and their shape; no kinds: there was none. Most often the next one has the same. */
    const uint8_t *usual;
    uint32_t usual_count;
    const struct shape *usual_shape;
};

/* The heads found so far. Zero: empty. */
struct heads {
    struct VEC(struct head) at;
    uint16_t slots[HEAD_SLOTS]; /* 1 + the index of a head in at; 0: none */
};

/* Returns the head with this text; NULL if there is none. Valid until the next heads_add. */
const struct head *heads_find(const struct heads *heads, struct str text);

/* Adds a head that is not in heads yet; its text is borrowed. NULL if there is no room. */
const struct head *heads_add(struct heads *heads, const struct head *head);

/* Sets what is usual after the head with this index in at. kinds is borrowed. */
static inline void heads_set_usual(struct heads *heads, uint32_t index, const uint8_t *kinds,
                                   uint32_t count, const struct shape *shape)
{
    struct head *head = &heads->at.at[index];
    head->usual = kinds;
    head->usual_count = count;
    head->usual_shape = shape;
}

static inline void heads_free(struct heads *heads)
{
    vec_free(&heads->at);
}

#endif
