/* Which head is this text? A hash table that looks into a few slots only, whatever the text holds.
 */
#include "syntax/head.h"

#include "base/word.h"

enum { PROBES = 8, KEPT_MAX = HEAD_SLOTS / 2 };

/* By both ends. */
static uint32_t first_slot(struct str text)
{
    size_t n = text.n < 8 ? text.n : 8;
    uint64_t word = word_of(text.p, n) ^ (word_of(text.p + text.n - n, n) << 1) ^ text.n;
    return (uint32_t)(word * WORD_SPREAD >> 32) % HEAD_SLOTS;
}

const struct head *heads_find(const struct heads *heads, struct str text)
{
    uint32_t slot = first_slot(text);
    for (uint32_t n = 0; n < PROBES; n++, slot = (slot + 1) % HEAD_SLOTS) {
        if (!heads->slots[slot]) return NULL;
        const struct head *head = &heads->at.at[heads->slots[slot] - 1];
        if (head->length == text.n && word_same(head->text, text.p, text.n)) return head;
    }
    return NULL;
}

const struct head *heads_add(struct heads *heads, const struct head *head)
{
    uint32_t slot = first_slot((struct str){head->text, head->length});
    for (uint32_t n = 0; n < PROBES && heads->at.count < KEPT_MAX; n++) {
        if (!heads->slots[slot]) {
            vec_push(&heads->at, *head);
            heads->slots[slot] = (uint16_t)heads->at.count;
            return &heads->at.at[heads->at.count - 1];
        }
        slot = (slot + 1) % HEAD_SLOTS;
    }
    return NULL;
}
