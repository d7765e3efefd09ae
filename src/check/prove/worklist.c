/* Stores the blocks to process again, so that the next one is found without testing all blocks. See
 * worklist.h. */
#include "check/prove/worklist.h"

#include "base/mem.h"
#include "base/work.h"

void worklist_init(struct worklist *list, uint32_t blocks)
{
    *list = (struct worklist){.depth = 0};
    for (uint32_t count = blocks; !list->depth || count > 1; list->depth++) {
        count = count / 64 + 1;
        list->counts[list->depth] = count;
        list->words[list->depth] = mem_zalloc(count, sizeof(uint64_t));
    }
}

void worklist_free(struct worklist *list)
{
    for (uint32_t level = 0; level < list->depth; level++) mem_free(list->words[level]);
}

void worklist_add(struct worklist *list, uint32_t block)
{
    for (uint32_t level = 0; level < list->depth; level++, block /= 64) {
        uint64_t *word = &list->words[level][block / 64], were = *word;
        *word |= 1ull << block % 64;
        if (were) return;
    }
}

static inline void worklist_take(struct worklist *list, uint32_t block)
{
    for (uint32_t level = 0; level < list->depth; level++, block /= 64) {
        uint64_t *word = &list->words[level][block / 64];
        *word &= ~(1ull << block % 64);
        if (*word) return;
    }
}

/* Returns the first number at or after from, found with the levels; NONE if there is none. */
static uint32_t worklist_find(const struct worklist *list, uint32_t from)
{
    uint32_t level = 0;
    uint64_t bits = 0;
    for (; level < list->depth && from / 64 < list->counts[level]; level++) {
        bits = list->words[level][from / 64] & ~0ull << from % 64;
        if (bits) break;
        from = from / 64 + 1;
    }
    if (!bits) return WORKLIST_NONE;
    uint32_t found = from / 64 * 64 + (uint32_t)__builtin_ctzll(bits);
    while (level--) found = found * 64 + (uint32_t)__builtin_ctzll(list->words[level][found]);
    return found;
}

uint32_t worklist_next(struct worklist *list)
{
    uint32_t at = list->at, block = WORKLIST_NONE;
    uint64_t near = at / 64 < list->counts[0] ? list->words[0][at / 64] >> at % 64 : 0;
    work_spend(1);
    if (near) block = at + (uint32_t)__builtin_ctzll(near);
    if (block == WORKLIST_NONE) block = worklist_find(list, at);
    if (block == WORKLIST_NONE && at) block = worklist_find(list, 0);
    if (block == WORKLIST_NONE) return block;
    worklist_take(list, block);
    list->at = block + 1;
    return block;
}
