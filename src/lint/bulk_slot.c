/* Reads a ring of slots out of an address: base + ((counter + c) & (2^n - 1)) * bytes, or base +
 * counter * bytes with a counter that is set back to 0 after n - 1. */
#include "lint/bulk_slot.h"

#include "value/instruction.h"
#include "value/values.h"

static struct value without_factor(const struct lint *lint, struct value v)
{
    const struct expr *e = value_expr(lint->subject, v);
    return !v.offset && e->kind == EXPR_PRODUCT ? e->a[0] : v;
}

/* Accepts a register that is written at several places. */
static void read_counter(struct bulk_slot *slot, const struct expr *e)
{
    if (e->kind == EXPR_REG && e->instr == NO_INSTR) slot->web = e->web;
}

/* The number n if the instruction adds one to the register, or sets it to 0 when it is n - 1; 0 for
 * any other instruction. */
static int64_t wraps_after(const struct lint *lint, uint32_t web, uint32_t instr)
{
    struct value now = value_of(lint->subject, web), v = value_computed(lint->subject, instr);
    if (value_is_none(v) || v.offset) return 0;
    const struct expr *e = value_expr(lint->subject, v);
    if (e->kind != EXPR_SELECT) return 0;
    const struct expr *wraps = value_expr(lint->subject, e->a[2]);
    bool negated = e->a[2].offset & 1;
    struct value zero = e->a[negated], next = e->a[!negated];
    if (wraps->kind != EXPR_EQ || wraps->a[0].base != now.base || wraps->a[1].base) return 0;
    bool counts = !zero.base && !zero.offset && next.base == now.base && next.offset == 1;
    return counts && wraps->a[0].offset == 0 ? wraps->a[1].offset + 1 : 0;
}

/* Sets the size if some instruction wraps the counter. */
static void read_wrap(const struct lint *lint, struct bulk_slot *slot)
{
    if (slot->web == REG_NONE) return;
    for (uint32_t write = value_last_write(lint->subject, slot->web); write != NO_WRITE;
         write = value_write_before(lint->subject, write)) {
        int64_t size = wraps_after(lint, slot->web, value_write_instr(lint->subject, write));
        lint_spend(lint, 1);
        if (size > 1 && size <= SLOTS_MAX) slot->size = (uint32_t)size;
    }
}

/* Accepts counter & mask, where mask is a power of two minus one. */
static void read_masked(const struct lint *lint, struct bulk_slot *slot, const struct expr *e)
{
    struct value counter = e->a[0].base ? e->a[0] : e->a[1];
    struct value mask = e->a[0].base ? e->a[1] : e->a[0];
    read_counter(slot, value_expr(lint->subject, counter));
    if (mask.base || mask.offset < 1 || mask.offset >= SLOTS_MAX) return;
    if (mask.offset & (mask.offset + 1) || slot->web == REG_NONE) return;
    slot->size = (uint32_t)mask.offset + 1;
    slot->ahead = counter.offset;
}

struct bulk_slot bulk_slot_of_value(const struct lint *lint, struct value v)
{
    struct bulk_slot slot = {.web = REG_NONE};
    uint32_t terms[EXPR_TERMS_MAX], moving = 0;
    if (value_is_none(v)) return slot;
    slot.fixed = value_is_fixed(lint->subject, v);
    if (slot.fixed) return slot;
    uint32_t count = exprs_terms(values_exprs(lint->subject), v.base, terms);
    for (uint32_t i = 0; i < count; i++)
        if (!value_is_fixed(lint->subject, (struct value){terms[i], 0})) terms[moving++] = terms[i];
    if (moving != 1) return slot;
    struct value index = without_factor(lint, (struct value){terms[0], 0});
    const struct expr e = *value_expr(lint->subject, index);
    if (index.offset) return slot;
    slot.index = index.base;
    read_counter(&slot, &e);
    read_wrap(lint, &slot);
    if (e.kind == EXPR_OP && e.spelling == SPELLING_AND) read_masked(lint, &slot, &e);
    return slot;
}

struct bulk_slot bulk_slot_of(const struct lint *lint, uint32_t instr, uint32_t operand)
{
    const struct function *f = lint->function;
    const struct operand *of = &f->operands[f->instrs[instr].first_operand + operand];
    struct value v = value_of_operand(lint->subject, instr, operand);
    if (value_is_none(v) && of->use_count) v = value_of(lint->subject, f->uses[of->first_use].reg);
    return bulk_slot_of_value(lint, v);
}

bool bulk_slots_same(const struct bulk_slot *a, const struct bulk_slot *b)
{
    if (a->fixed || b->fixed) return a->fixed && b->fixed;
    return a->index && a->index == b->index;
}

int64_t bulk_slot_step(const struct lint *lint, const struct bulk_slot *slot, uint32_t instr)
{
    const struct instr *at = &lint->function->instrs[instr];
    bool writes = false;
    for (uint32_t u = 0; u < at->use_count && slot->web != REG_NONE; u++) {
        const struct use *use = &lint->function->uses[at->first_use + u];
        writes |= use->write && use->reg == slot->web;
    }
    if (!writes) return 0;
    struct value now = value_of(lint->subject, slot->web);
    struct value next = value_computed(lint->subject, instr);
    bool goes_on = !value_is_none(next) && next.base == now.base && next.offset > now.offset;
    if (at->guard != REG_NONE) return -1;
    if (slot->size && wraps_after(lint, slot->web, instr) == slot->size) return 1;
    return goes_on ? next.offset - now.offset : -1;
}

bool bulk_is_store(const struct lint *lint, uint32_t instr)
{
    struct str opcode = instruction_opcode(lint->subject, instr);
    bool bulk = str_starts(opcode, "cp.async.bulk.") || str_starts(opcode, "cp.reduce.async.bulk.");
    return bulk && instruction_has(lint->subject, instr, ".bulk_group");
}

int64_t bulk_bytes(const struct lint *lint, uint32_t instr)
{
    if (instruction_has(lint->subject, instr, ".tensor")) return -1;
    struct value size = value_of_operand(lint->subject, instr, 2);
    return value_is_constant(size) ? size.offset : -1;
}

bool bulk_commits(const struct lint *lint, uint32_t instr)
{
    return lint_effect(lint, instr) == EFFECT_BOTH_MEMORY &&
           str_starts(instruction_opcode(lint->subject, instr), "cp.async.bulk.commit_group");
}

/* The number that a wait_group names; 0 if it is unknown. */
static int64_t groups_of_operand(const struct lint *lint, uint32_t instr)
{
    int64_t n;
    return instruction_integer(instruction_operand(lint->subject, instr, 0), &n) ? n : 0;
}

int64_t bulk_left_pending(const struct lint *lint, uint32_t instr)
{
    if (lint_effect(lint, instr) != EFFECT_ACQUIRE_MEMORY ||
        !str_starts(instruction_opcode(lint->subject, instr), "cp.async.bulk.wait_group"))
        return -1;
    return groups_of_operand(lint, instr);
}

bool copy_is_in_group(const struct lint *lint, uint32_t instr)
{
    struct str opcode = instruction_opcode(lint->subject, instr);
    return str_starts(opcode, "cp.async.ca.") || str_starts(opcode, "cp.async.cg.");
}

bool group_commits(const struct lint *lint, uint32_t instr)
{
    return bulk_commits(lint, instr) ||
           str_starts(instruction_opcode(lint->subject, instr), "cp.async.commit_group");
}

bool group_waits(const struct lint *lint, uint32_t instr, int64_t *left)
{
    struct str opcode = instruction_opcode(lint->subject, instr);
    *left = bulk_left_pending(lint, instr);
    if (*left >= 0 || str_starts(opcode, "cp.async.wait_all")) return true;
    if (!str_starts(opcode, "cp.async.wait_group")) return false;
    *left = groups_of_operand(lint, instr);
    return true;
}
