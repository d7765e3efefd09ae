/* What the text of an instruction says, beyond what the view keeps. */
#ifndef PTXOPT_VALUE_INSTRUCTION_H
#define PTXOPT_VALUE_INSTRUCTION_H

#include "value/subject.h"

/* NULL for the end of the body, and for instructions that represent a call: these have no text. For
 * the instructions that subject_begin or subject_read_spelled has read. */
static inline struct spelled *instruction_spelled(const struct subject *subject, uint32_t instr)
{
    return subject->spelled_at[instr];
}

/* The opcode with its modifiers, without the guard: "tcgen05.ld.sync.aligned.32x32b.x1.b32". Empty
 * for the end of the body. */
static inline struct str instruction_opcode(const struct subject *subject, uint32_t instr)
{
    const struct spelled *spelled = instruction_spelled(subject, instr);
    return spelled ? spelled->opcode : (struct str){"", 0};
}

/* The first word of the opcode, such as "mbarrier". */
static inline struct str instruction_base(const struct subject *subject, uint32_t instr)
{
    const struct spelled *spelled = instruction_spelled(subject, instr);
    return spelled ? spelled->base : (struct str){"", 0};
}

/* The opcode has these modifiers one after the other, such as ".shared::cta.global". */
static inline bool instruction_opcode_has(struct str opcode, const char *modifiers)
{
    return spelled_text_has(opcode, modifiers, strlen(modifiers));
}

/* The opcode has that modifier, such as ".sync". */
static inline bool instruction_has(const struct subject *subject, uint32_t instr,
                                   const char *modifier)
{
    const struct spelled *spelled = instruction_spelled(subject, instr);
    size_t n = strlen(modifier);
    return spelled && spelled->words & spelled_bit(modifier + 1, n - 1) &&
           spelled_has(spelled, modifier, n);
}

/* The instruction writes the register. */
bool instruction_defines(const struct subject *subject, uint32_t instr, uint32_t web);

/* The instruction is any form of bar or barrier. */
bool instruction_is_barrier(const struct subject *subject, uint32_t instr);

/* The same without bar.warp.sync: warps wait for each other there, or signal each other. */
bool instruction_joins_warps(const struct subject *subject, uint32_t instr);

/* The instruction aborts the kernel, so nothing has to be complete there. */
bool instruction_is_trap(const struct subject *subject, uint32_t instr);

/* The instruction is a fence for the memory accesses of a thread, and not only between proxies. */
bool instruction_is_memory_fence(const struct subject *subject, uint32_t instr);

/* What an operand contains, read once after values_build: a number, or a register or name and a
 * number. */
enum operand_holding { OPERAND_NOT_READ, OPERAND_UNKNOWN, OPERAND_NUMBER, OPERAND_REGISTER };

struct held_operand {
    uint8_t holding; /* enum operand_holding */
    bool negated;
    char begins; /* its first character; 0: there is no such operand, or it is empty */
    int64_t number;
};

/* Reads an operand from its text. */
struct held_operand instruction_read_operand(const struct subject *subject,
                                             const struct operand *operand);

static inline struct held_operand instruction_held(const struct subject *subject, uint32_t instr,
                                                   uint32_t n)
{
    const struct instr *at = &subject->function->instrs[instr];
    if (n >= at->operand_count) return (struct held_operand){.holding = OPERAND_UNKNOWN};
    uint32_t operand = at->first_operand + n;
    struct held_operand *held = &subject->operands[operand];
    if (held->holding == OPERAND_NOT_READ)
        *held = instruction_read_operand(subject, &subject->function->operands[operand]);
    return *held;
}

static inline char instruction_begins(const struct subject *subject, uint32_t instr, uint32_t n)
{
    return instruction_held(subject, instr, n).begins;
}

/* The first, or the last, operand that is an address in brackets; the number of operands if none
 * is.
 */
uint32_t instruction_first_address(const struct subject *subject, uint32_t instr);
uint32_t instruction_last_address(const struct subject *subject, uint32_t instr);

/* The text of operand n; empty if there is none. */
struct str instruction_operand(const struct subject *subject, uint32_t instr, uint32_t n);

/* Reads the operands of an instruction without a guard from its text, for a view that does not keep
 * the operands of instructions that only compute. Each must be a name, or a number with its sign.
 * Returns their number, at most `most`; 0 if there are none, more, or other operands, or a comment
 * between them. */
uint32_t instruction_plain_operands(const struct subject *subject, uint32_t instr,
                                    struct str *operands, uint32_t most);

/* The operand, from instruction_plain_operands, is a name. */
bool instruction_is_name(struct str operand);

/* The type of the opcode, its last modifier, is a floating-point type. */
bool instruction_is_float(struct str opcode);

/* Reads an integer in the notation of PTX, with its sign. False: it is none. */
bool instruction_integer(struct str text, int64_t *number);

#endif
