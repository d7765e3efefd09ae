/* Recognises heads that appear again, with a hash table in which every search visits at most PROBES
 * slots. See head.h. */
#include "syntax/head.h"

enum { PROBES = 8, KEPT_MAX = HEAD_SLOTS / 2 };

bool head_read(struct head *head, const char *at, const char *end)
{
    uint32_t n = SIXTEEN, length = 0;
    for (; n == SIXTEEN; length += n) {
        if (end - at - length < SIXTEEN) return false;
        n = head_end_in(sixteen_load(at + length));
        if (length + n > HEAD_BYTES_MAX) return false;
    }
    head->text = at;
    head->length = (uint8_t)length;
    sixteen_halves(sixteen_load(at) & sixteen_before(length < SIXTEEN ? length : SIXTEEN),
                   &head->first, &head->last);
    if (length > SIXTEEN) head->last = word_load(at + length - 8, 8);
    return true;
}

/* Whether n bytes are equal, of which the first and the last eight are. n: more than sixteen. */
static bool is_same_between(const char *a, const char *b, size_t n)
{
    if (word_load(a + 8, 8) != word_load(b + 8, 8)) return false;
    return n <= 24 || word_same(a + 16, b + 16, n - 24);
}

/* For a text of at most sixteen bytes, first and last are the whole text. */
static inline bool is_that(const struct head *known, const struct head *head)
{
    if (known->first != head->first || known->last != head->last || known->length != head->length)
        return false;
    return head->length <= 16 || is_same_between(known->text, head->text, head->length);
}

uint32_t heads_find_any(const struct heads *heads, const char *at, const char *end)
{
    struct head head;
    if (!head_read(&head, at, end)) return 0;
    uint32_t slot = head_slot(head.first, head.last);
    for (uint32_t n = 0; n < PROBES && heads->slots[slot]; n++, slot = (slot + 1) % HEAD_SLOTS)
        if (is_that(&heads->at.at[heads->slots[slot] - 1], &head)) return heads->slots[slot];
    return 0;
}

uint32_t heads_add(struct heads *heads, const struct head *head)
{
    uint32_t slot = head_slot(head->first, head->last);
    for (uint32_t n = 0; n < PROBES && heads->at.count < KEPT_MAX; n++) {
        if (!heads->slots[slot]) {
            vec_push(&heads->at, *head);
            return heads->slots[slot] = (uint16_t)heads->at.count;
        }
        slot = (slot + 1) % HEAD_SLOTS;
    }
    return 0;
}
