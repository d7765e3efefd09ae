/* How instructions begin: an opcode with the modifiers that follow it without a blank. A text has
 * few, each many times. */
#ifndef PTXOPT_SYNTAX_HEAD_H
#define PTXOPT_SYNTAX_HEAD_H

#include "base/str.h"
#include "base/vec.h"

enum { HEAD_TOKENS_MAX = 18, HEAD_BYTES_MAX = UINT8_MAX, HEAD_SLOTS = 1024 };

struct head {
    const char *text;
    uint64_t first, last;          /* eight bytes of it, or as many as it has */
    uint8_t length, kind, count;   /* kind: of the first token; each other is a modifier */
    uint8_t ends[HEAD_TOKENS_MAX]; /* of the tokens, as each begins where the one before ends */
};

/* Those met so far; zero-initialise to start empty. */
struct heads {
    struct VEC(struct head) at;
    uint16_t slots[HEAD_SLOTS]; /* 1 + the number of one; 0: none */
};

/* The head that text is, until one is added; NULL when it is not there. */
const struct head *heads_find(const struct heads *heads, struct str text);

/* Keeps one that is not there yet; NULL when there is no room. Its text is borrowed. */
const struct head *heads_add(struct heads *heads, const struct head *head);

static inline void heads_free(struct heads *heads)
{
    vec_free(&heads->at);
}

#endif
