/* Reads the spelling of an opcode, and looks up its class. */
#ifndef PTXOPT_CHECK_MODEL_OPCODE_H
#define PTXOPT_CHECK_MODEL_OPCODE_H

#include "check/model/effect.h"
#include "check/read/statement.h"

enum { OPCODE_BYTES_MAX = 512, OPCODE_MEMO_SIZE = 256 };

struct opcode {
    struct str head, modifiers; /* modifiers: without blanks and comments */
    uint32_t end;               /* offset of the operands */
    struct check_effect_class kind;
};

/* The spellings without gaps that occurred earlier in the same text. */
struct opcode_memo {
    struct opcode_spelling {
        /* Its first and last eight bytes, followed by zeros if it is shorter. first is 0 in an
         * empty entry, whose rest has no value. */
        uint64_t first, last;
        uint32_t at, length;
        struct check_effect_class kind;
    } of[OPCODE_MEMO_SIZE];
};

/* Returns an empty memo, to be freed with mem_free. */
struct opcode_memo *opcode_memo_new(void);

/* Returns the first of the two places where a spelling may be stored. */
static inline uint32_t opcode_slot(uint64_t first, uint64_t last)
{
    uint64_t mixed = (first ^ (last << 7 | last >> 57)) * UINT64_C(0x9e3779b97f4a7c15);
    return (uint32_t)(mixed >> 32) % (OPCODE_MEMO_SIZE / 2) * 2;
}

/* As opcode_met, for spellings of SIXTEEN or more, and near the end of the text. */
const struct opcode_spelling *opcode_met_long(const struct opcode_memo *memo, struct str text,
                                              uint32_t start);

/* Returns the entry of the text at start, up to a blank or `;`, if it occurred earlier as a
 * complete opcode; otherwise NULL. A further modifier may follow after the blank. */
static inline const struct opcode_spelling *opcode_met(const struct opcode_memo *memo,
                                                       struct str text, uint32_t start)
{
    if (text.n - start < SIXTEEN) return NULL;
    sixteen block = sixteen_load(text.p + start);
    uint32_t n = sixteen_first(scan_opcode_ends(block));
    if (n == SIXTEEN || !n) return n ? opcode_met_long(memo, text, start) : NULL;
    uint64_t first, last;
    sixteen_halves(block & sixteen_before(n), &first, &last);
    const struct opcode_spelling *known = &memo->of[opcode_slot(first, last)];
    if (known->first == first && known->last == last) return known;
    known++;
    return known->first == first && known->last == last ? known : NULL;
}

/* Returns a new entry for the complete opcode at start, up to a blank or `;`; NULL if it is not
 * written without gaps. */
const struct opcode_spelling *opcode_learn(struct opcode_memo *memo, struct str text,
                                           uint32_t start);

/* Reads the opcode of an instruction. met: the result of opcode_met or opcode_learn for the start
 * of the statement, or NULL. joined: OPCODE_BYTES_MAX bytes for modifiers that are written with
 * gaps. Returns false if the opcode is too long. */
bool opcode_read(struct opcode_memo *memo, struct str text, const struct statement *statement,
                 const struct opcode_spelling *met, char *joined, struct opcode *opcode);

#endif
