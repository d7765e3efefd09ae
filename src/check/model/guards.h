/* The conditions that branches go by. */
#ifndef PTXOPT_CHECK_MODEL_GUARDS_H
#define PTXOPT_CHECK_MODEL_GUARDS_H

#include "check/model/program.h"

/* The number of passes over all blocks. If control runs against the order of the text, that may be
 * too few; then fewer conditions are known. */
enum { GUARDS_MAX = 64, GUARDS_ROUNDS = 8 };
#define GUARDS_NONE UINT32_MAX

/* Conditions are numbered. Each is a predicate, or a comparison of registers that several
 * predicates are the result of; it has the same value until a register that it is about is
 * written. */
struct guards {
    uint32_t count;
    uint32_t *decider; /* by block: the condition that decides at its end, or NONE */
    uint64_t *ended;   /* by register: bits of the conditions that a write of it ends */
};

/* Those of two branches or more; false when there are none. Release with guards_free. */
bool guards_find(struct guards *guards, const struct program *program);
void guards_free(struct guards *guards);

/* The instruction that decides the successor at the end of a block; NULL when none does. */
const struct program_instruction *guards_last(const struct program *program, uint32_t block);

/* Every write of a register in [start, end) of a block, in order: visit(of, register, at, guarded),
 * where at is the place of the statement, and guarded that it may not happen. */
typedef void guards_write(void *of, uint32_t reg, uint32_t at, bool guarded);
void guards_writes(const struct program *program, const struct flow_block *block,
                   guards_write *visit, void *of);

#endif
