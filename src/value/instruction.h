/* What an instruction says in its text, beyond what the view keeps. */
#ifndef PTXOPT_VALUE_INSTRUCTION_H
#define PTXOPT_VALUE_INSTRUCTION_H

#include "value/subject.h"

/* "tcgen05.ld.sync.aligned.32x32b.x1.b32": opcode and modifiers, without the guard; empty for the
 * end of the body. */
struct str instruction_opcode(const struct subject *subject, uint32_t instr);

/* The opcode has that modifier: ".sync". */
bool instruction_has(const struct subject *subject, uint32_t instr, const char *modifier);

/* The opcode's first word: "mbarrier". */
struct str instruction_base(const struct subject *subject, uint32_t instr);

/* bar or barrier, whoever it is for. */
bool instruction_is_barrier(const struct subject *subject, uint32_t instr);

/* The same, but not bar.warp.sync: warps meet there, or signal one another. */
bool instruction_joins_warps(const struct subject *subject, uint32_t instr);

/* Operand n as written; empty when there is none. */
struct str instruction_operand(const struct subject *subject, uint32_t instr, uint32_t n);

/* The operands of one without a guard, read from its text, for a view that does not keep those of
 * what only computes: each a name, or a number with its sign. Returns how many; 0 when there are
 * none, more than most, or others, or a comment is between. */
uint32_t instruction_plain_operands(const struct subject *subject, uint32_t instr,
                                    struct str *operands, uint32_t most);

/* Such an operand is a name. */
bool instruction_is_name(struct str operand);

/* It computes predicates. */
bool instruction_sets_predicate(const struct subject *subject, uint32_t instr);

/* Its type, the last modifier, is a floating-point one. */
bool instruction_is_float(struct str opcode);

/* An integer as PTX spells it, with its sign. */
bool instruction_integer(struct str text, int64_t *number);

#endif
