/* The conditions of branches. */
#ifndef PTXOPT_CHECK_MODEL_GUARDS_H
#define PTXOPT_CHECK_MODEL_GUARDS_H

#include "check/model/program.h"

/* GUARDS_ROUNDS: passes over all blocks. If control flows against the order of the text, they may
 * not be enough; then fewer conditions are known. */
enum { GUARDS_MAX = 64, GUARDS_ROUNDS = 8 };
#define GUARDS_NONE UINT32_MAX

/* The numbered conditions. A condition is a predicate, or a comparison of registers whose result is
 * in one or more predicates. It keeps its value until a register that it depends on is written. */
struct guards {
    uint32_t count;
    uint32_t *decider; /* by block: the condition of the branch at its end, or NONE */
    uint64_t *ended;   /* by register: 1 << number of each condition that a write of it ends */
};

/* Finds the conditions that two or more branches share. Returns false if there are none. Release
 * guards with guards_free. */
bool guards_find(struct guards *guards, const struct program *program);
void guards_free(struct guards *guards);

/* Returns the instruction whose guard decides the successor of a block; NULL if there is none. */
const struct program_instruction *guards_last(const struct program *program, uint32_t block);

/* Calls visit(of, register, at, guarded) for every write of a register in [start, end) of a block,
 * in order. at: offset of the statement; guarded: the write may not happen. */
typedef void guards_write(void *of, uint32_t reg, uint32_t at, bool guarded);
void guards_writes(const struct program *program, const struct flow_block *block,
                   guards_write *visit, void *of);

#endif
