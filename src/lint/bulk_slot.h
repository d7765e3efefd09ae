/* The slots of a ring that addresses name, and the distance between them; which instructions close
 * a group of bulk copies, and which wait for one. */
#ifndef PTXOPT_LINT_BULK_SLOT_H
#define PTXOPT_LINT_BULK_SLOT_H

#include "lint/lint.h"
#include "value/expr.h"

enum { SLOTS_MAX = 8 };

struct bulk_slot {
    bool fixed;     /* a loop does not change the address */
    uint32_t size;  /* slots that the ring has: 2 to SLOTS_MAX; 0 when that is not known */
    reg_id web;     /* the counter: its value modulo size is the slot */
    uint32_t index; /* the row of the slot's number, in whatever units; 0 when there is none */
    int64_t ahead;  /* the slot is that of the counter and so many more */
};

/* Of an address. */
struct bulk_slot bulk_slot_of_value(const struct lint *lint, struct value v);

/* Of the address in that operand. */
struct bulk_slot bulk_slot_of(const struct lint *lint, uint32_t instr, uint32_t operand);

/* Both are the same slot whenever the counter is the same for both. */
bool bulk_slots_same(const struct bulk_slot *a, const struct bulk_slot *b);

/* What the instruction adds to the counter of the ring: 0 when it does not write it, -1 when it
 * sets it to something else. */
int64_t bulk_slot_step(const struct lint *lint, const struct bulk_slot *slot, uint32_t instr);

/* cp.async.bulk.commit_group. */
bool bulk_commits(const struct lint *lint, uint32_t instr);

/* How many groups a cp.async.bulk.wait_group leaves pending; -1 when the instruction is none. */
int64_t bulk_left_pending(const struct lint *lint, uint32_t instr);

#endif
