/* How is this instruction's opcode spelled, and what class has it? */
#ifndef PTXOPT_CHECK_MODEL_OPCODE_H
#define PTXOPT_CHECK_MODEL_OPCODE_H

#include "check/model/effect.h"
#include "check/read/statement.h"

enum { OPCODE_BYTES_MAX = 512, OPCODE_MEMO_SIZE = 256 };

struct opcode {
    struct str head, modifiers; /* modifiers: joined, with blanks and comments left out */
    uint32_t end;               /* the operands stand behind */
    struct check_effect_class kind;
};

/* Spellings met before in the same text. Zero at first. */
struct opcode_memo {
    struct opcode_spelling {
        uint64_t first, last; /* eight bytes of it */
        uint32_t at;
        uint16_t length, head;
        struct check_effect_class kind;
    } of[OPCODE_MEMO_SIZE];
};

/* How the opcode at start was spelled when it was met before; NULL when it was not. */
const struct opcode_spelling *opcode_met(const struct opcode_memo *memo, struct str text,
                                         uint32_t start);

/* The opcode of an instruction; joined has OPCODE_BYTES_MAX bytes for modifiers that are not
 * written in one. False when it is too long. */
bool opcode_read(struct opcode_memo *memo, struct str text, const struct statement *statement,
                 char *joined, struct opcode *opcode);

#endif
