/* Finds the slot of a ring that an address names, and reads bulk copies and the instructions that
 * commit a group of them or wait for one. */
#ifndef PTXOPT_LINT_BULK_SLOT_H
#define PTXOPT_LINT_BULK_SLOT_H

#include "lint/lint.h"
#include "value/expr.h"

enum { SLOTS_MAX = 8 };

struct bulk_slot {
    bool fixed;     /* a loop does not change the address */
    uint32_t size;  /* number of slots, 2 to SLOTS_MAX; 0: not known */
    reg_id web;     /* the counter: its value modulo size is the slot; REG_NONE: not known */
    uint32_t index; /* row of the expression that contains the counter; 0: none */
    int64_t ahead;  /* added to the counter before the modulo */
};

/* The slot of address v. If v is unknown, web is REG_NONE and all other members are 0. */
struct bulk_slot bulk_slot_of_value(const struct lint *lint, struct value v);

/* The slot of the address in operand number `operand` of the instruction. */
struct bulk_slot bulk_slot_of(const struct lint *lint, uint32_t instr, uint32_t operand);

/* Both addresses are in the same slot whenever the counter has the same value for both. */
bool bulk_slots_same(const struct bulk_slot *a, const struct bulk_slot *b);

/* What the instruction adds to the counter of the ring; 0 if it does not write it, -1 if it may
 * write anything else. */
int64_t bulk_slot_step(const struct lint *lint, const struct bulk_slot *slot, uint32_t instr);

/* The instruction is a bulk store or reduction that a bulk group tracks. */
bool bulk_is_store(const struct lint *lint, uint32_t instr);

/* The number of bytes that the bulk copy writes. -1: unknown, for example for a tensor copy. */
int64_t bulk_bytes(const struct lint *lint, uint32_t instr);

/* The instruction is cp.async.bulk.commit_group. */
bool bulk_commits(const struct lint *lint, uint32_t instr);

/* The number of groups that a cp.async.bulk.wait_group leaves pending; -1 for any other
 * instruction. */
int64_t bulk_left_pending(const struct lint *lint, uint32_t instr);

/* The instruction is cp.async without .bulk, which a group may track. */
bool copy_is_in_group(const struct lint *lint, uint32_t instr);

/* The instruction commits a group, of cp.async.bulk or of cp.async without .bulk. */
bool group_commits(const struct lint *lint, uint32_t instr);

/* The instruction waits for such groups. *left: how many it leaves pending; -1 for
 * cp.async.wait_all, which waits for copies that are not committed, too. */
bool group_waits(const struct lint *lint, uint32_t instr, int64_t *left);

#endif
