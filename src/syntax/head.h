/* The beginnings of instructions: an opcode with the modifiers that follow it without a blank. A
 * text has few different heads, and each many times. */
#ifndef PTXOPT_SYNTAX_HEAD_H
#define PTXOPT_SYNTAX_HEAD_H

#include <stdbool.h>

#include "base/sixteen.h"
#include "base/vec.h"

enum { HEAD_TOKENS_MAX = 18, HEAD_BYTES_MAX = UINT8_MAX, HEAD_SLOTS = 1024 };

struct shape;

struct head {
    const char *text;
    /* The first and the last eight bytes of text. If it has at most sixteen bytes, last begins
     * behind first; zeros follow. */
    uint64_t first, last;
    uint8_t length, kind, count;   /* kind: of the first token; all other tokens are modifiers */
    uint8_t ends[HEAD_TOKENS_MAX]; /* the end of each token in text; a token begins at the end of
                                      the one before */
    /* The kinds of the tokens (enum token_kind) of the last instruction that began with this head,
     * and their shape; no kinds: there was none. Most often the next one has the same. */
    const uint8_t *usual;
    const struct shape *usual_shape;
};

/* The heads found so far. Zero: empty. */
struct heads {
    struct VEC(struct head) at;
    uint16_t slots[HEAD_SLOTS]; /* 1 + the index of a head in at; 0: none */
};

static inline uint32_t head_slot(uint64_t first, uint64_t last)
{
    return (uint32_t)((first ^ (last << 1)) * WORD_SPREAD >> 32) % HEAD_SLOTS;
}

/* Finds the bytes that end a head: blanks, bytes that are not ASCII, and `;`. */
static inline uint32_t head_end_in(sixteen bytes)
{
    return sixteen_first((sixteen)((sixteen_signed)bytes < '!') | (sixteen)(bytes == ';'));
}

/* Sets text, first, last and length of head for the bytes from `at` on, up to the end of a head.
 * False if they are too many, or near the end of the text. */
bool head_read(struct head *head, const char *at, const char *end);

/* As heads_find, for any head. */
uint32_t heads_find_any(const struct heads *heads, const char *at, const char *end);

/* Returns 1 + the index of the head at `at`; 0 if there is none in heads, and near the end of the
 * text. */
static inline uint32_t heads_find(const struct heads *heads, const char *at, const char *end)
{
    if (end - at < SIXTEEN) return 0;
    sixteen bytes = sixteen_load(at);
    uint32_t length = head_end_in(bytes);
    if (length == SIXTEEN) return heads_find_any(heads, at, end);
    uint64_t first, last;
    sixteen_halves(bytes & sixteen_before(length), &first, &last);
    uint32_t number = heads->slots[head_slot(first, last)];
    if (!number) return 0;
    const struct head *head = &heads->at.at[number - 1];
    bool same = head->first == first && head->last == last;
    return same ? number : heads_find_any(heads, at, end);
}

/* Adds a head that is not in heads yet; its text is borrowed. Returns 1 + its index; 0 if there is
 * no room. */
uint32_t heads_add(struct heads *heads, const struct head *head);

static inline void heads_free(struct heads *heads)
{
    vec_free(&heads->at);
}

#endif
