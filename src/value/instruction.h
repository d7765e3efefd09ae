/* What an instruction says in its text, beyond what the view keeps. */
#ifndef PTXOPT_VALUE_INSTRUCTION_H
#define PTXOPT_VALUE_INSTRUCTION_H

#include "value/subject.h"

/* NULL for the end of the body and what represents a call, which have no text. */
static inline struct spelled *instruction_spelled(const struct subject *subject, uint32_t instr)
{
    const struct instr *at = &subject->function->instrs[instr];
    bool written = at->opcode != &opcode_end_of_body && !(at->opcode->traits & OPCODE_CALLED);
    return written ? subject->spelled[at->spelling] : NULL;
}

/* "tcgen05.ld.sync.aligned.32x32b.x1.b32": opcode and modifiers, without the guard; empty for the
 * end of the body. */
static inline struct str instruction_opcode(const struct subject *subject, uint32_t instr)
{
    const struct spelled *spelled = instruction_spelled(subject, instr);
    return spelled ? spelled->opcode : (struct str){"", 0};
}

/* The opcode's first word: "mbarrier". */
static inline struct str instruction_base(const struct subject *subject, uint32_t instr)
{
    const struct spelled *spelled = instruction_spelled(subject, instr);
    return spelled ? spelled->base : (struct str){"", 0};
}

/* n: the length of the modifier. */
bool instruction_has_word(struct str opcode, const char *modifier, size_t n);

/* The opcode has that modifier: ".sync". */
static inline bool instruction_has(const struct subject *subject, uint32_t instr,
                                   const char *modifier)
{
    const struct spelled *spelled = instruction_spelled(subject, instr);
    size_t n = strlen(modifier);
    return spelled && spelled->words & spelled_bit(modifier + 1, n - 1) &&
           instruction_has_word(spelled->opcode, modifier, n);
}

/* bar or barrier, whoever it is for. */
bool instruction_is_barrier(const struct subject *subject, uint32_t instr);

/* The same, but not bar.warp.sync: warps meet there, or signal one another. */
bool instruction_joins_warps(const struct subject *subject, uint32_t instr);

/* What an operand says, read once after values_build: a number, or one register or name and a
 * number. */
enum operand_holding { OPERAND_NOT_READ, OPERAND_UNKNOWN, OPERAND_NUMBER, OPERAND_REGISTER };

struct held_operand {
    uint8_t holding; /* enum operand_holding */
    bool negated;
    char begins; /* the first character; 0: there is no such operand, or it is empty */
    int64_t number;
};

struct held_operand instruction_held(const struct subject *subject, uint32_t instr, uint32_t n);

static inline char instruction_begins(const struct subject *subject, uint32_t instr, uint32_t n)
{
    return instruction_held(subject, instr, n).begins;
}

/* Operand n as written; empty when there is none. */
struct str instruction_operand(const struct subject *subject, uint32_t instr, uint32_t n);

/* The operands of one without a guard, read from its text, for a view that does not keep those of
 * what only computes: each a name, or a number with its sign. Returns how many; 0 when there are
 * none, more than most, or others, or a comment is between. */
uint32_t instruction_plain_operands(const struct subject *subject, uint32_t instr,
                                    struct str *operands, uint32_t most);

/* Such an operand is a name. */
bool instruction_is_name(struct str operand);

/* Its type, the last modifier, is a floating-point one. */
bool instruction_is_float(struct str opcode);

/* An integer as PTX spells it, with its sign. */
bool instruction_integer(struct str text, int64_t *number);

#endif
