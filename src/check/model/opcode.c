/* Few opcodes are met again and again: the table is searched once for each spelling. See opcode.h.
 */
#include "check/model/opcode.h"

#include "check/read/scan.h"

/* Up to eight bytes as a number. */
static uint64_t word_at(struct str text, uint32_t pos, uint32_t n)
{
    uint64_t word = 0;
    if (text.n - pos < sizeof word) {
        for (uint32_t i = 0; i < n; i++)
            word |= (uint64_t)(unsigned char)text.p[pos + i] << 8 * (8 - n + i);
        return word;
    }
    word = scan_word(text.p + pos);
    return n < sizeof word ? word << (64 - 8 * n) : word;
}

/* The first of the two places where the spelling may be kept, with its first and last bytes filled
 * in. */
static uint32_t slot_of(struct str text, uint32_t start, uint32_t n,
                        struct opcode_spelling *spelling)
{
    uint64_t first = word_at(text, start, n), last = n > 8 ? word_at(text, start + n - 8, 8) : 0;
    spelling->first = first;
    spelling->last = last;
    uint64_t mixed = (first ^ (last << 7 | last >> 57) ^ n) * 0x9e3779b97f4a7c15u;
    return (uint32_t)(mixed >> 57) * 2;
}

static bool is_spelled(const struct opcode_spelling *known, const struct opcode_spelling *wanted,
                       struct str text, uint32_t start, uint32_t n)
{
    return known->length == n && known->first == wanted->first && known->last == wanted->last &&
           (n <= 16 || !memcmp(text.p + known->at, text.p + start, n));
}

/* Token by token; false when it is too long. */
static bool read_tokens(struct str text, const struct statement *statement, char *joined,
                        struct opcode *opcode)
{
    size_t n = 0;
    opcode->end = statement->modifiers;
    for (;;) {
        struct token token = token_next(text, opcode->end);
        if (token.kind != TOKEN_DOT) break;
        struct str word = token_text(text, token.span);
        if (n + word.n > OPCODE_BYTES_MAX) return false;
        memcpy(joined + n, word.p, word.n);
        n += word.n;
        opcode->end = token.span.end;
    }
    opcode->head = token_text(text, statement->head);
    opcode->modifiers = (struct str){joined, n};
    opcode->kind = check_effect_of(opcode->head, opcode->modifiers);
    return true;
}

/* Of the opcode at start, as far as it is written in one. */
static uint32_t length_at(struct str text, uint32_t start)
{
    uint32_t end = start, plain = SCAN_BYTES;
    for (; text.n - end >= SCAN_BYTES && plain == SCAN_BYTES; end += plain)
        plain = scan_first(scan_no_opcode(scan_load(text.p + end)));
    if (plain == SCAN_BYTES)
        while (token_at(text, end, TOKEN_CLASS_OPCODE)) end++;
    return end - start;
}

/* Is that all of it? Not when a modifier or a comment is behind. */
static bool ends_at(struct str text, uint32_t end)
{
    while (token_at(text, end, TOKEN_CLASS_BLANK)) end++;
    return end >= text.n || (text.p[end] != '.' && !token_at(text, end, TOKEN_CLASS_SKIP));
}

const struct opcode_spelling *opcode_met(const struct opcode_memo *memo, struct str text,
                                         uint32_t start)
{
    struct opcode_spelling wanted;
    uint32_t n = length_at(text, start);
    if (!n) return NULL;
    const struct opcode_spelling *known = &memo->of[slot_of(text, start, n, &wanted)];
    if (!is_spelled(known, &wanted, text, start, n)) known++;
    return is_spelled(known, &wanted, text, start, n) && ends_at(text, start + n) ? known : NULL;
}

static void remember(struct opcode_memo *memo, struct str text, uint32_t start,
                     const struct opcode *opcode)
{
    uint32_t n = opcode->end - start;
    if (!n || n > OPCODE_BYTES_MAX || n != length_at(text, start)) return;
    struct opcode_spelling made = {
        .at = start,
        .length = (uint16_t)n,
        .head = (uint16_t)opcode->head.n,
        .kind = opcode->kind,
    };
    uint32_t slot = slot_of(text, start, n, &made);
    /* The older of the two has to give way. */
    memo->of[slot + 1] = memo->of[slot];
    memo->of[slot] = made;
}

bool opcode_read(struct opcode_memo *memo, struct str text, const struct statement *statement,
                 char *joined, struct opcode *opcode)
{
    uint32_t start = statement->head.start;
    const struct opcode_spelling *known = opcode_met(memo, text, start);
    if (!known) {
        bool fits = read_tokens(text, statement, joined, opcode);
        if (fits) remember(memo, text, start, opcode);
        return fits;
    }
    opcode->head = (struct str){text.p + start, known->head};
    opcode->modifiers = (struct str){text.p + start + known->head, known->length - known->head};
    opcode->end = start + known->length;
    opcode->kind = known->kind;
    return true;
}
