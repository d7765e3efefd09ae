/* Reads columns from LDTM and STTM. See columns.h.
 *
 * The fields are those that ptxas 13.0 writes for sm_100a, found by assembling every shape, number
 * and packing and reading the output of nvdisasm 13.4. ptxas makes two words of a .16x32bx2 access,
 * one for each half. */
#include "columns.h"

#include <stdlib.h>

enum { CIRCLE = 512 }; /* the columns after the last one may be the first ones */

struct range {
    uint32_t base; /* uniform register */
    uint32_t first, count;
};

static struct range range_of(struct word word)
{
    /* by bits 81 and 82: .16x128b, .16x256b, .32x32b, .16x64b */
    static const uint32_t columns[] = {4, 8, 1, 2};
    uint32_t modifiers = word_modifiers(word);
    bool half = modifiers & 0x800000, packs = modifiers & 0x10000;
    bool load = word_is_load(word);
    struct range range = {.first = word_offset(word)};
    range.base = (uint32_t)(load ? word.low >> 32 : word.high) & 0xff;
    range.count = (half ? 1 : columns[modifiers >> 17 & 3]) << (modifiers >> 19 & 7) << packs;
    return range;
}

/* Every instruction that has a result has its register in bits 16 to 23, and up to three more
 * registers after it. A register of another file counts as well; a branch has none, but has a part
 * of its target there. */
static bool may_write(struct word word, uint32_t reg)
{
    if (word_opcode(word) == OPCODE_BRA || word_opcode(word) == OPCODE_BRA_U) return false;
    uint32_t result = word.low >> 16 & 0xff;
    return result <= reg && reg < result + 4;
}

/* Whether there is a path from word i to word y, back edges included. */
static bool leads_to(const struct flow *flow, uint32_t i, uint32_t y)
{
    uint32_t from = flow->block[i], to = flow->block[y], count = 0;
    if (from == to && i < y) return true;
    bool *seen = must(calloc(flow->blocks, sizeof *seen));
    uint32_t *todo = must(calloc(flow->blocks + 1, sizeof *todo));
    todo[count++] = from;
    while (count && !seen[to]) {
        uint32_t b = todo[--count];
        for (uint32_t e = 0; e < 2; e++) {
            uint32_t next = flow->next[b][e];
            if (seen[next] || (next == b && !flow->back[b][e])) continue;
            seen[next] = true;
            todo[count++] = next;
        }
    }
    bool leads = seen[to];
    free(seen);
    free(todo);
    return leads;
}

/* On each path from x to y on which x is not complete: such a path has only words at which x is in
 * flight. */
static bool keeps_value(const struct flow *flow, uint32_t reg, uint32_t y, const uint8_t *under_way)
{
    for (uint32_t i = 0; i < flow->code->count; i++) {
        struct word word = flow->code->words[i];
        if (under_way[i] && !word_is_access(word) && may_write(word, reg) && leads_to(flow, i, y))
            return false;
    }
    return true;
}

enum columns columns_compare(const struct flow *flow, uint32_t x, uint32_t y,
                             const uint8_t *under_way)
{
    struct range a = range_of(flow->code->words[x]), b = range_of(flow->code->words[y]);
    int32_t distance = (int32_t)b.first - (int32_t)a.first;
    if (abs(distance) >= CIRCLE) return COLUMNS_SHARED;
    uint32_t behind = (uint32_t)(distance + CIRCLE) % CIRCLE;
    if (behind < a.count || behind + b.count > CIRCLE) return COLUMNS_SHARED;
    bool one = a.base == b.base && keeps_value(flow, a.base, y, under_way);
    return one ? COLUMNS_APART : COLUMNS_APART_OF_ONE_BASE;
}
