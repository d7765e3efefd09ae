/* Splits an opcode into its words. See spelled.h. */
#include "value/spelled.h"

static void note_dot(struct spelled *spelled, size_t offset)
{
    if (offset > UINT8_MAX) spelled->dot_count = SPELLED_DOTS_MAX;
    if (spelled->dot_count == SPELLED_DOTS_MAX) return;
    spelled->dots[spelled->dot_count++] = (uint8_t)offset;
}

void spelled_read(struct spelled *spelled, struct str opcode)
{
    const char *end = opcode.p + opcode.n, *word = opcode.p;
    *spelled = (struct spelled){.opcode = opcode, .base = opcode};
    for (bool first = true; word < end; first = false) {
        const char *dot = memchr(word, '.', (size_t)(end - word));
        size_t n = (size_t)((dot ? dot : end) - word);
        if (first)
            spelled->base.n = n;
        else if (n)
            spelled->words |= spelled_bit(word, n);
        word += n + 1;
        if (dot) note_dot(spelled, (size_t)(dot - opcode.p));
    }
}

/* The modifier begins at the offset. */
static inline bool is_word_at(struct str opcode, size_t at, const char *modifier, size_t n)
{
    if (at + n > opcode.n || opcode.p[at + 1] != modifier[1]) return false;
    bool ends = at + n == opcode.n || opcode.p[at + n] == '.';
    return ends && memcmp(opcode.p + at, modifier, n) == 0;
}

bool spelled_text_has(struct str opcode, const char *modifier, size_t n)
{
    for (size_t i = 0; i + n <= opcode.n; i++)
        if (opcode.p[i] == '.' && is_word_at(opcode, i, modifier, n)) return true;
    return false;
}

bool spelled_has(const struct spelled *spelled, const char *modifier, size_t n)
{
    uint32_t count = spelled->dot_count, d = 0;
    if (count == SPELLED_DOTS_MAX) return spelled_text_has(spelled->opcode, modifier, n);
    while (d < count && !is_word_at(spelled->opcode, spelled->dots[d], modifier, n)) d++;
    return d < count;
}
