/* Recognises heads that appear again, with a hash table in which every search visits at most PROBES
 * slots. See head.h. */
#include "syntax/head.h"

#include "base/word.h"

enum { PROBES = 8, KEPT_MAX = HEAD_SLOTS / 2 };

/* Sets first and last of the head to the ends of text. */
static void note_ends(struct head *head, struct str text)
{
    size_t n = text.n < 8 ? text.n : 8;
    head->first = head->last = word_load(text.p, n);
    if (text.n > 8) head->last = word_load(text.p + text.n - 8, 8);
}

static uint32_t first_slot(const struct head *ends, size_t length)
{
    uint64_t word = ends->first ^ (ends->last << 1) ^ length;
    return (uint32_t)(word * WORD_SPREAD >> 32) % HEAD_SLOTS;
}

/* The head has this text. For a text of at most sixteen bytes, first and last are the whole text.
 */
static bool is_that(const struct head *head, const struct head *ends, struct str text)
{
    if (head->first != ends->first || head->last != ends->last || head->length != text.n)
        return false;
    return text.n <= 16 || word_same(head->text + 8, text.p + 8, text.n - 16);
}

const struct head *heads_find(const struct heads *heads, struct str text)
{
    struct head ends;
    note_ends(&ends, text);
    uint32_t slot = first_slot(&ends, text.n);
    for (uint32_t n = 0; n < PROBES; n++, slot = (slot + 1) % HEAD_SLOTS) {
        if (!heads->slots[slot]) return NULL;
        const struct head *head = &heads->at.at[heads->slots[slot] - 1];
        if (is_that(head, &ends, text)) return head;
    }
    return NULL;
}

const struct head *heads_add(struct heads *heads, const struct head *head)
{
    struct head kept = *head;
    note_ends(&kept, (struct str){head->text, head->length});
    uint32_t slot = first_slot(&kept, head->length);
    for (uint32_t n = 0; n < PROBES && heads->at.count < KEPT_MAX; n++) {
        if (!heads->slots[slot]) {
            vec_push(&heads->at, kept);
            heads->slots[slot] = (uint16_t)heads->at.count;
            return &heads->at.at[heads->at.count - 1];
        }
        slot = (slot + 1) % HEAD_SLOTS;
    }
    return NULL;
}
