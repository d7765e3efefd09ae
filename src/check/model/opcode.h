/* Reads the spelling of an opcode, and looks its class up. */
#ifndef PTXOPT_CHECK_MODEL_OPCODE_H
#define PTXOPT_CHECK_MODEL_OPCODE_H

#include "check/model/effect.h"
#include "check/read/statement.h"

enum { OPCODE_BYTES_MAX = 512, OPCODE_MEMO_SIZE = 256 };

struct opcode {
    struct str head, modifiers; /* modifiers: joined, with blanks and comments left out */
    uint32_t end;               /* the operands follow */
    struct check_effect_class kind;
};

/* Spellings met before in the same text, as far as they are written in one. Zero at first. */
struct opcode_memo {
    struct opcode_spelling {
        uint64_t first, last; /* eight bytes of it each; with zeros after when it is shorter */
        uint32_t at;
        uint16_t length, head;
        struct check_effect_class kind;
    } of[OPCODE_MEMO_SIZE];
};

/* The first of the two places where a spelling may be kept. */
static inline uint32_t opcode_slot(uint64_t first, uint64_t last)
{
    uint64_t mixed = (first ^ (last << 7 | last >> 57)) * UINT64_C(0x9e3779b97f4a7c15);
    return (uint32_t)(mixed >> 32) % (OPCODE_MEMO_SIZE / 2) * 2;
}

/* opcode_met for what is long, or near the end of the text. */
const struct opcode_spelling *opcode_met_long(const struct opcode_memo *memo, struct str text,
                                              uint32_t start);

/* How what is written in one at start was spelled when it was met before as all of an opcode; NULL
 * when it was not. A modifier may still follow. */
static inline const struct opcode_spelling *opcode_met(const struct opcode_memo *memo,
                                                       struct str text, uint32_t start)
{
    if (text.n - start < SCAN_BYTES) return NULL;
    scan_block block = scan_load(text.p + start);
    uint32_t n = scan_first(scan_opcode_ends(block));
    if (n == SCAN_BYTES || !n) return n ? opcode_met_long(memo, text, start) : NULL;
    uint64_t first, last;
    scan_halves(block & scan_before(n), &first, &last);
    const struct opcode_spelling *known = &memo->of[opcode_slot(first, last)];
    if (known->first == first && known->last == last) return known;
    known++;
    return known->first == first && known->last == last ? known : NULL;
}

/* The opcode of an instruction; met: what opcode_met said of it, or NULL. joined has
 * OPCODE_BYTES_MAX bytes for modifiers that are not written in one. False when it is too long. */
bool opcode_read(struct opcode_memo *memo, struct str text, const struct statement *statement,
                 const struct opcode_spelling *met, char *joined, struct opcode *opcode);

#endif
