/* Blocks that are to be looked at (again), given out in the order of the text, round and round. */
#ifndef PTXOPT_CHECK_WORKLIST_H
#define PTXOPT_CHECK_WORKLIST_H

#include <stdint.h>

#include "base/mem.h"
#include "base/work.h"

#define WORKLIST_NONE UINT32_MAX

struct worklist {
    uint64_t *words;
    uint32_t word_count, at; /* at: where the next look begins */
};

static inline void worklist_init(struct worklist *list, uint32_t blocks)
{
    *list = (struct worklist){.word_count = blocks / 64 + 1};
    list->words = mem_zalloc(list->word_count, sizeof *list->words);
}

static inline void worklist_free(struct worklist *list)
{
    mem_free(list->words);
}

static inline void worklist_add(struct worklist *list, uint32_t block)
{
    list->words[block / 64] |= 1ull << block % 64;
}

/* The first at or behind from, NONE when there is none. */
static inline uint32_t worklist_find(const struct worklist *list, uint32_t from)
{
    uint32_t word = from / 64;
    if (word >= list->word_count) return WORKLIST_NONE;
    uint64_t bits = list->words[word] & ~0ull << from % 64;
    while (!bits && ++word < list->word_count) bits = list->words[word];
    return bits ? word * 64 + (uint32_t)__builtin_ctzll(bits) : WORKLIST_NONE;
}

/* Takes the next one off; NONE when all are done. */
static inline uint32_t worklist_next(struct worklist *list)
{
    work_spend(1);
    uint32_t block = worklist_find(list, list->at);
    if (block == WORKLIST_NONE && list->at) block = worklist_find(list, 0);
    if (block == WORKLIST_NONE) return block;
    list->words[block / 64] &= ~(1ull << block % 64);
    list->at = block + 1;
    return block;
}

#endif
