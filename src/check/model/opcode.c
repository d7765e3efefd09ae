/* Reads opcodes. A text has few different opcodes, so the table is searched once for each spelling.
 * See opcode.h. */
#include "check/model/opcode.h"

#include "base/mem.h"
#include "check/read/scan.h"

struct opcode_memo *opcode_memo_new(void)
{
    struct opcode_memo *memo = mem_alloc(sizeof *memo);
    for (uint32_t i = 0; i < OPCODE_MEMO_SIZE; i++) memo->of[i].first = 0;
    return memo;
}

/* Returns the spelling at start: all bytes up to a blank or `;`. Its length is 0 if it may end with
 * the text, or if it is too long. */
static struct opcode_spelling spelling_at(struct str text, uint32_t start)
{
    struct opcode_spelling made = {.at = start};
    uint32_t end = start, n = SIXTEEN;
    for (; n == SIXTEEN; end += n) {
        if (text.n - end < SIXTEEN || end - start > OPCODE_BYTES_MAX) return made;
        n = sixteen_first(scan_opcode_ends(sixteen_load(text.p + end)));
    }
    n = end - start;
    made.length = n;
    sixteen_halves(sixteen_load(text.p + start) & sixteen_before(n < SIXTEEN ? n : SIXTEEN),
                   &made.first, &made.last);
    if (n >= SIXTEEN) made.last = word_load(text.p + end - sizeof made.last, sizeof(uint64_t));
    return made;
}

/* Reads an opcode token by token. Returns false if it is too long. */
static bool opcode_read_tokens(struct str text, const struct statement *statement, char *joined,
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

/* Returns the end of the modifiers that are written without gaps from pos on. */
static uint32_t opcode_modifiers_end(struct str text, uint32_t pos)
{
    while (token_class_at(text, pos + 1, TOKEN_CLASS_WORD) && text.p[pos] == '.') {
        pos = token_word_end(text, pos + 1);
        while (token_class_at(text, pos + 2, TOKEN_CLASS_WORD) && text.p[pos] == ':' &&
               text.p[pos + 1] == ':')
            pos = token_word_end(text, pos + 2);
    }
    return pos;
}

/* Whether the opcode ends at end: no modifier and no comment follows. */
static bool opcode_ends_at(struct str text, uint32_t end)
{
    end = token_skip_blanks(text, end);
    return end >= text.n || (text.p[end] != '.' && !token_class_at(text, end, TOKEN_CLASS_SKIP));
}

static bool is_spelled(const struct opcode_spelling *known, const struct opcode_spelling *wanted,
                       struct str text)
{
    return known->first == wanted->first && known->last == wanted->last &&
           known->length == wanted->length &&
           !memcmp(text.p + known->at, text.p + wanted->at, wanted->length);
}

const struct opcode_spelling *opcode_met_long(const struct opcode_memo *memo, struct str text,
                                              uint32_t start)
{
    struct opcode_spelling wanted = spelling_at(text, start);
    if (!wanted.length) return NULL;
    const struct opcode_spelling *known = &memo->of[opcode_slot(wanted.first, wanted.last)];
    if (is_spelled(known, &wanted, text)) return known;
    known++;
    return is_spelled(known, &wanted, text) ? known : NULL;
}

const struct opcode_spelling *opcode_learn(struct opcode_memo *memo, struct str text,
                                           uint32_t start)
{
    /* Opcodes begin with a small letter; most labels do not. */
    if (start >= text.n || text.p[start] < 'a' || text.p[start] > 'z') return NULL;
    struct opcode_spelling made = spelling_at(text, start);
    if (!made.length) return NULL;
    uint32_t head = token_word_end(text, start + 1), end = opcode_modifiers_end(text, head);
    if (made.length != end - start) return NULL;
    made.kind = check_effect_of((struct str){text.p + start, head - start},
                                (struct str){text.p + head, end - head});
    struct opcode_spelling *slot = &memo->of[opcode_slot(made.first, made.last)];
    /* Replaces the older of the two entries. */
    slot[1] = slot[0];
    slot[0] = made;
    return slot;
}

bool opcode_read(struct opcode_memo *memo, struct str text, const struct statement *statement,
                 const struct opcode_spelling *met, char *joined, struct opcode *opcode)
{
    uint32_t start = statement->head.start, head = statement->head.end;
    if (!met) met = opcode_met(memo, text, start);
    uint32_t end = met ? start + met->length : opcode_modifiers_end(text, head);
    if (end - start > OPCODE_BYTES_MAX || !opcode_ends_at(text, end))
        return opcode_read_tokens(text, statement, joined, opcode);
    opcode->head = token_text(text, statement->head);
    opcode->modifiers = (struct str){text.p + head, end - head};
    opcode->end = end;
    if (!met) met = opcode_learn(memo, text, start);
    opcode->kind = met ? met->kind : check_effect_of(opcode->head, opcode->modifiers);
    return true;
}
