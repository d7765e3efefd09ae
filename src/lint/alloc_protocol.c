/* The code alloc-protocol: tensor memory is allocated too late, too early or without a dealloc, or
 * a thread reads its address with no barrier after the thread that writes it. */
#include "base/intern.h"
#include "lint/handover.h"
#include "lint/meet.h"
#include "value/condition_pairs.h"
#include "value/instruction.h"

struct address_load {
    uint32_t instr;
    struct value from;
};

struct dealloc {
    uint32_t instr;
    struct value address;
    uint32_t set;   /* the number of its conditions */
    bool of_others; /* see compare_warps */
};

struct protocol {
    struct lint *lint;
    struct lanes_shape shape;
    struct VEC(uint32_t) allocs, relinquishes;
    struct VEC(struct dealloc) deallocs, freed_often; /* freed_often: several warps, each as a
                                                         whole, certainly execute it */
    struct VEC(struct address_load) loads;            /* from shared memory */
    struct intern slots;             /* the addresses from which they load, numbered */
    struct VEC(uint32_t) first_load; /* by that number */
    uint32_t *next_load;             /* by load: the next one from the same address */
    struct VEC(uint32_t) peer_signs; /* instructions that may show that the peer CTA runs */
    bool signs_listed;
    uint32_t alloc;    /* the alloc that is examined */
    struct value slot; /* to which it writes the address */
    uint32_t compared; /* the conditions that of_others of the deallocs is for, as a number */
    bool any_of_others;
};

#define SECTION "9.7.16.7.1"
static const struct lint_words relinquished = {
    SECTION,
    "it is illegal for a CTA to perform `tcgen05.alloc` after any of its constituent threads "
    "execute `tcgen05.relinquish_alloc_permit`."};
static const struct lint_words weak_store = {
    SECTION, "The store operation in `tcgen05.alloc` is treated as a weak memory operation in the "
             "Memory Consistency Model."};
static const struct lint_words peer_runs = {
    SECTION, "When `.cta_group::2` is specified, the issuing warp must make sure that peer CTA is "
             "launched and its warps eventually participate in collective operations."};

/* ---- after relinquish ---- */

static bool opcode_starts(const struct lint *lint, uint32_t instr, const char *opcode)
{
    return str_starts(instruction_opcode(lint->subject, instr), opcode);
}

static enum walk_does look_alloc(void *context, const struct lint *lint, uint32_t instr,
                                 unsigned *state)
{
    (void)context, (void)state;
    return opcode_starts(lint, instr, "tcgen05.alloc") ? WALK_FOUND : WALK_ON;
}

static void find_after_relinquish(struct protocol *p)
{
    struct lint *lint = p->lint;
    for (uint32_t i = 0; i < p->relinquishes.count; i++) {
        struct walk_path path;
        uint32_t relinquish = p->relinquishes.at[i];
        if (!walk_find(lint, relinquish, 0, 1u << EFFECT_ALLOC, look_alloc, NULL, &path)) continue;
        if (path.vague || !lanes_any(lint->subject, &p->shape, &path.set)) continue;
        lint_report(lint,
                    (struct hazard){&lint_alloc_protocol, LINT_ERROR, path.found, relinquish,
                                    "this allocates after %s has given up the right to allocate",
                                    "give up the right to allocate after the last allocation",
                                    path.instrs, path.count, &relinquished});
    }
}

/* ---- no dealloc ---- */

/* False only if the dealloc frees another allocation, because its address was written to another
 * slot. */
static bool may_free(const struct protocol *p, struct value address)
{
    const struct lint *lint = p->lint;
    struct value slot = p->slot;
    if (value_is_none(address) || !value_is_fixed(lint->subject, slot)) return true;
    const struct expr *e = value_expr(lint->subject, address);
    if (e->kind != EXPR_ALLOCATED || e->a[0].base != slot.base) return true;
    return e->a[0].offset == slot.offset;
}

/* The dealloc is proven to free this allocation. */
static bool frees_only(const struct protocol *p, struct value address)
{
    return !value_is_none(address) &&
           value_expr(p->lint->subject, address)->kind == EXPR_ALLOCATED && may_free(p, address);
}

static enum walk_does look_for_kept(void *context, const struct lint *lint, uint32_t instr,
                                    unsigned *state)
{
    struct protocol *p = context;
    (void)state;
    if (lint_effect(lint, instr) == EFFECT_EXIT)
        return instruction_is_trap(lint->subject, instr) ? WALK_END : WALK_FOUND;
    if (lint_effect(lint, instr) == EFFECT_CALL) return WALK_END;
    bool frees = opcode_starts(lint, instr, "tcgen05.dealloc") &&
                 may_free(p, value_of_operand(lint->subject, instr, 0));
    return frees ? WALK_END : WALK_ON;
}

/* Another warp than the one that allocates may execute the dealloc. */
static bool is_of_others(const struct protocol *p, const struct condition_set *own,
                         uint32_t dealloc)
{
    const struct lint *lint = p->lint;
    struct condition_set set = conditions_of(lint->subject, dealloc), both = *own;
    if (conditions_exclude(lint->subject, own, &set)) return true;
    for (uint32_t k = 0; k < set.count; k++)
        (void)condition_add(lint->subject, &both, (struct value){set.at[k].base, 0},
                            set.at[k].holds);
    return !lanes_any(lint->subject, &p->shape, &both);
}

/* Sets of_others of the deallocs for the alloc, unless the last alloc has the same conditions. */
static void compare_warps(struct protocol *p)
{
    const struct lint *lint = p->lint;
    struct condition_set own = conditions_of(lint->subject, p->alloc);
    if (p->compared == condition_pairs_number(lint->subject, p->alloc)) return;
    p->compared = condition_pairs_number(lint->subject, p->alloc);
    p->any_of_others = false;
    lint_spend(lint, p->deallocs.count / 8 + 1);
    for (uint32_t i = 0; i < p->deallocs.count; i++) {
        struct dealloc *dealloc = &p->deallocs.at[i];
        dealloc->of_others = i && dealloc[-1].set == dealloc->set
                                 ? dealloc[-1].of_others
                                 : is_of_others(p, &own, dealloc->instr);
        p->any_of_others |= dealloc->of_others;
    }
}

/* A dealloc that this path does not execute may free the allocation: one in another warp, or one of
 * which it is unknown whether the same warp executes it. */
static bool others_may_free(struct protocol *p)
{
    compare_warps(p);
    for (uint32_t i = 0; i < p->deallocs.count && p->any_of_others; i++)
        if (p->deallocs.at[i].of_others && may_free(p, p->deallocs.at[i].address)) return true;
    return false;
}

/* The blocks from which control may reach one of those instructions. */
static bool *find_reaching(const struct protocol *p, const uint32_t *instrs, uint32_t count)
{
    const struct cfg *cfg = p->lint->cfg;
    bool *reaches = arena_alloc(p->lint->arena, cfg->count, sizeof *reaches);
    lint_spend(p->lint, cfg->count);
    struct VEC(uint32_t) open = {0};
    for (uint32_t i = 0; i < count; i++) vec_push(&open, cfg->block_of[instrs[i]]);
    while (open.count) {
        uint32_t block = open.at[--open.count];
        if (reaches[block]) continue;
        reaches[block] = true;
        for (uint32_t i = 0; i < cfg->blocks[block].pred_count; i++)
            vec_push(&open, cfg->preds[cfg->blocks[block].first_pred + i]);
    }
    vec_free(&open);
    return reaches;
}

/* The value is the same for all threads of the CTA. For a register with several definitions: the
 * only definition from which control reaches instr gives it such a value. */
static bool is_of_block_at(const struct lint *lint, struct value v, uint32_t instr)
{
    if (value_is_none(v) || value_is_constant(v)) return !value_is_none(v);
    const struct expr e = *value_expr(lint->subject, v);
    uint32_t definition = NO_INSTR;
    if (e.fixed || e.kind != EXPR_REG) return e.fixed && e.of_block;
    for (uint32_t write = value_last_write(lint->subject, e.web); write != NO_WRITE;
         write = value_write_before(lint->subject, write)) {
        uint32_t i = value_write_instr(lint->subject, write);
        lint_spend(lint, 1);
        if (!handover_reaches(lint, i, instr)) continue;
        if (definition != NO_INSTR) return false;
        definition = i;
    }
    if (definition == NO_INSTR) return false;
    struct value first = value_computed(lint->subject, definition);
    return value_is_fixed(lint->subject, first) &&
           (value_is_constant(first) || value_expr(lint->subject, first)->of_block);
}

/* The branch compares values that are the same for all threads of the CTA. */
static bool leaves_as_block(const struct lint *lint, uint32_t branch, struct value guard)
{
    const struct expr e = *value_expr(lint->subject, guard);
    bool compares = e.kind == EXPR_EQ || e.kind == EXPR_LT_S || e.kind == EXPR_LT_U;
    return compares && is_of_block_at(lint, e.a[0], branch) && is_of_block_at(lint, e.a[1], branch);
}

/* Finds the last branch of the path from which a dealloc can be reached. True if there is none, or
 * if its condition is fixed and the same for the whole warp. For a value loaded from memory that is
 * only likely; *loaded is then true. */
static bool leaves_as_warp(const struct protocol *p, const struct walk_path *path, bool *loaded)
{
    const struct lint *lint = p->lint;
    uint32_t *frees = arena_alloc(lint->arena, p->deallocs.count + 1, sizeof *frees);
    uint32_t last = path->count, count = 0;
    for (uint32_t i = 0; i < p->deallocs.count; i++)
        if (may_free(p, p->deallocs.at[i].address)) frees[count++] = p->deallocs.at[i].instr;
    const bool *reaches = find_reaching(p, frees, count);
    while (last && !reaches[lint->cfg->block_of[path->instrs[last - 1]]]) last--;
    if (!last) return true;
    struct value guard = value_of_guard(lint->subject, path->instrs[last - 1]);
    if (value_is_none(guard) || !guard.base) return false;
    if (!value_is_fixed(lint->subject, guard))
        return leaves_as_block(lint, path->instrs[last - 1], guard);
    const struct expr *e = value_expr(lint->subject, guard);
    *loaded = !e->of_block && !lanes_know(lint->subject, guard);
    return e->of_block || e->spread == SPREAD_SAME;
}

static void find_kept(struct protocol *p)
{
    struct lint *lint = p->lint;
    struct walk_path path;
    bool loaded = false;
    uint32_t interest = 1u << EFFECT_ALLOC | 1u << EFFECT_EXIT | 1u << EFFECT_CALL;
    if (!lint->function->is_entry || others_may_free(p)) return;
    if (!walk_forward(lint, p->alloc, 0, interest, look_for_kept, p, &path)) return;
    if (path.vague || !leaves_as_warp(p, &path, &loaded)) return;
    if (!lanes_any(lint->subject, &p->shape, &path.set)) return;
    enum lint_level level = loaded ? LINT_WARNING : LINT_ERROR;
    lint_report(lint, (struct hazard){&lint_alloc_protocol, level, p->alloc, path.found,
                                      "the kernel can end without a dealloc of what this allocates",
                                      "free it with tcgen05.dealloc on every path to the end, "
                                      "or allocate after the test that leaves early",
                                      path.instrs, path.count, NULL});
}

/* ---- freed more than once ---- */

/* The value of the guard is known for each thread, and it can be true under the conditions in set.
 */
static bool guard_may_run(const struct lint *lint, uint32_t instr, struct condition_set set)
{
    if (lint->function->instrs[instr].guard == REG_NONE) return true;
    struct value guard = value_of_guard(lint->subject, instr);
    return lanes_know(lint->subject, guard) && condition_add(lint->subject, &set, guard, true);
}

static bool is_by_several(const struct protocol *p, uint32_t dealloc)
{
    const struct lint *lint = p->lint;
    struct condition_set freeing = conditions_of(lint->subject, dealloc);
    if (!guard_may_run(lint, dealloc, freeing)) return false;
    struct lanes_number number = lanes_count(lint->subject, &p->shape, &freeing);
    return number.warps >= 2 && number.least >= number.most && number.lanes == WARP;
}

/* One warp allocates, and several warps execute the dealloc: all but one of them free memory that
 * is already free. */
static void find_freed_often(struct protocol *p)
{
    struct lint *lint = p->lint;
    struct condition_set set = conditions_of(lint->subject, p->alloc);
    if (!p->freed_often.count || lanes_count(lint->subject, &p->shape, &set).warps != 1) return;
    lint_spend(lint, p->freed_often.count / 8 + 1);
    for (uint32_t i = 0; i < p->freed_often.count; i++) {
        uint32_t dealloc = p->freed_often.at[i].instr;
        if (!frees_only(p, p->freed_often.at[i].address)) continue;
        lint_report(lint,
                    (struct hazard){&lint_alloc_protocol, LINT_ERROR, dealloc, p->alloc,
                                    "several warps free the memory that one warp allocates at %s",
                                    "let one warp free it, after a barrier of all "
                                    "warps",
                                    NULL, 0, NULL});
    }
}

/* ---- another number of columns ---- */

static struct str slot_name(const struct value *slot)
{
    return (struct str){(const char *)&slot->offset, sizeof slot->offset};
}

/* The allocations by the slot to which their address is written. */
struct allocated_memory {
    struct intern slots;
    struct freed_memory {
        uint32_t alloc;
        bool unclear; /* another alloc writes to that slot, or it is freed in parts */
    } * of;
};

static struct freed_memory *allocation_freed(const struct lint *lint,
                                             const struct allocated_memory *all,
                                             const struct dealloc *dealloc)
{
    const struct expr *e = value_expr(lint->subject, dealloc->address);
    if (e->kind != EXPR_ALLOCATED) return NULL;
    uint32_t slot = intern_find(&all->slots, e->a[0].base, slot_name(&e->a[0]));
    return slot == INTERN_NONE ? NULL : &all->of[slot];
}

static void list_allocations(const struct protocol *p, struct allocated_memory *all)
{
    const struct lint *lint = p->lint;
    uint32_t count = 0;
    all->of = arena_alloc(lint->arena, p->allocs.count + 1, sizeof *all->of);
    struct value *slots = arena_alloc(lint->arena, p->allocs.count + 1, sizeof *slots);
    for (uint32_t i = 0; i < p->allocs.count; i++) {
        slots[i] = value_of_operand(lint->subject, p->allocs.at[i], 0);
        if (!value_is_fixed(lint->subject, slots[i])) continue;
        uint32_t slot = intern_add(&all->slots, slots[i].base, slot_name(&slots[i]));
        all->of[slot].unclear = slot < count;
        all->of[slot].alloc = p->allocs.at[i];
        if (slot == count) count++;
    }
    for (uint32_t i = 0; i < p->deallocs.count; i++) {
        struct freed_memory *freed = allocation_freed(lint, all, &p->deallocs.at[i]);
        if (freed) freed->unclear |= p->deallocs.at[i].address.offset != 0;
    }
}

/* A dealloc has the address of an allocation, but not its number of columns. */
static void find_other_columns(struct protocol *p)
{
    struct lint *lint = p->lint;
    struct allocated_memory all = {{0}, NULL};
    bool known = p->allocs.count;
    for (uint32_t i = 0; i < p->deallocs.count; i++)
        known &= !value_is_none(p->deallocs.at[i].address);
    if (!known) return;
    list_allocations(p, &all);
    for (uint32_t i = 0; i < p->deallocs.count; i++) {
        uint32_t dealloc = p->deallocs.at[i].instr;
        const struct freed_memory *freed = allocation_freed(lint, &all, &p->deallocs.at[i]);
        if (!freed || freed->unclear) continue;
        struct value from = value_of_operand(lint->subject, freed->alloc, 1),
                     to = value_of_operand(lint->subject, dealloc, 1);
        if (!value_is_constant(from) || !value_is_constant(to) || from.offset == to.offset)
            continue;
        lint_report(lint, (struct hazard){&lint_alloc_protocol, LINT_ERROR, dealloc, freed->alloc,
                                          to.offset < from.offset
                                              ? "this frees fewer columns than %s allocates"
                                              : "this frees more columns than %s allocates",
                                          "free as many columns as are allocated", NULL, 0, NULL});
    }
    intern_free(&all.slots);
}

/* ---- reads of the address ---- */

/* Lists the loads from each address. */
static void list_loads(struct protocol *p)
{
    uint32_t count = p->loads.count;
    uint32_t *numbers = arena_room(p->lint->arena, count + 1, sizeof *numbers);
    uint32_t *first = arena_room(p->lint->arena, count + 1, sizeof *first);
    p->next_load = arena_room(p->lint->arena, count + 1, sizeof *p->next_load);
    for (uint32_t i = 0; i < count; i++) {
        const struct value *from = &p->loads.at[i].from;
        numbers[i] =
            value_is_none(*from) ? INTERN_NONE : intern_add(&p->slots, from->base, slot_name(from));
        if (numbers[i] == p->first_load.count) vec_push(&p->first_load, i);
    }
    intern_list(&p->slots, numbers, count, first, p->next_load);
}

/* The load comes before the allocation, and behind another one whose address is at the same place:
 * it is for that one. */
static bool is_for_earlier(const struct protocol *p, uint32_t load)
{
    const struct lint *lint = p->lint;
    if (!handover_reaches(lint, load, p->alloc) || handover_reaches(lint, p->alloc, load))
        return false;
    for (uint32_t i = 0; i < p->allocs.count; i++) {
        uint32_t other = p->allocs.at[i];
        lint_spend(lint, 1);
        if (other != p->alloc && handover_reaches(lint, other, load) &&
            value_same(value_of_operand(lint->subject, other, 0), p->slot))
            return true;
    }
    return false;
}

static void find_unseen_address(struct protocol *p)
{
    struct lint *lint = p->lint;
    struct meet_told told = {.count = 0};
    if (!value_is_fixed(lint->subject, p->slot)) return;
    uint32_t slot = intern_find(&p->slots, p->slot.base, slot_name(&p->slot));
    if (slot == INTERN_NONE) return;
    for (uint32_t i = p->first_load.at[slot]; i < p->loads.count && !told.all_know;
         i = p->next_load[i]) {
        struct walk_path path;
        uint32_t load = p->loads.at[i].instr;
        lint_spend(lint, 1);
        if (!meet_missing(lint, &p->shape, &told, p->alloc, load, &path)) continue;
        if (is_for_earlier(p, load)) continue;
        lint_report(lint, (struct hazard){&lint_alloc_protocol, LINT_ERROR, load, p->alloc,
                                          "this reads the address that %s[ of another warp] "
                                          "writes, with no barrier in between",
                                          "write a bar.sync of both warps between the "
                                          "allocation and this load",
                                          path.instrs, path.count, &weak_store});
    }
}

/* ---- the peer CTA ---- */

static bool is_peer_sign(const struct lint *lint, uint32_t instr)
{
    if (!(MEET_EFFECTS & 1u << lint_effect(lint, instr))) return false;
    enum meet_kind kind = meet_kind_of(lint, instr);
    return kind != MEET_NOBODY && kind != MEET_CTA;
}

static void list_peer_signs(struct protocol *p)
{
    const struct subject *subject = p->lint->subject;
    if (p->signs_listed) return;
    p->signs_listed = true;
    lint_spend(p->lint, subject->acting_count);
    for (uint32_t n = 0; n < subject->acting_count; n++)
        if (is_peer_sign(p->lint, subject->acting[n])) vec_push(&p->peer_signs, subject->acting[n]);
}

/* An instruction on a path to the allocation may show that the peer CTA runs. Then nothing is
 * reported, even if another path avoids the instruction: that path may be for kernels without a
 * peer. */
static bool may_know_peer(struct protocol *p)
{
    const struct lint *lint = p->lint;
    const uint32_t *block_of = lint->cfg->block_of;
    list_peer_signs(p);
    for (uint32_t n = 0; n < p->peer_signs.count; n++) {
        uint32_t i = p->peer_signs.at[n];
        lint_spend(lint, 1);
        if (block_of[i] == block_of[p->alloc]
                ? i < p->alloc
                : behind_has(handover_behind(lint), block_of[i], block_of[p->alloc]))
            return true;
    }
    return false;
}

static enum walk_does look_peer(void *context, const struct lint *lint, uint32_t instr,
                                unsigned *state)
{
    const struct protocol *p = context;
    (void)lint, (void)state;
    return instr == p->alloc ? WALK_FOUND : WALK_ON;
}

static void find_unseen_peer(struct protocol *p)
{
    struct lint *lint = p->lint;
    struct walk_path path;
    struct condition_set all = {0};
    if (!lint->function->is_entry || !instruction_has(lint->subject, p->alloc, ".cta_group::2"))
        return;
    if (may_know_peer(p)) return;
    if (!walk_towards(lint, &all, p->alloc, 1u << EFFECT_ALLOC, look_peer, p, &path)) return;
    lint_report(lint, (struct hazard){&lint_alloc_protocol, LINT_WARNING, p->alloc, NO_INSTR,
                                      "this allocates for both CTAs, and nothing has shown that "
                                      "the peer CTA runs",
                                      "write barrier.cluster.arrive and barrier.cluster.wait "
                                      "before it",
                                      path.instrs, path.count, &peer_runs});
}

/* ---- the search ---- */

static void note_dealloc(struct protocol *p, uint32_t instr)
{
    const struct subject *subject = p->lint->subject;
    struct dealloc dealloc = {instr, value_of_operand(subject, instr, 0),
                              condition_pairs_number(subject, instr), false};
    vec_push(&p->deallocs, dealloc);
    if (is_by_several(p, instr)) vec_push(&p->freed_often, dealloc);
}

static void sort_instructions(struct protocol *p)
{
    struct lint *lint = p->lint;
    for (uint32_t n = 0; n < lint->subject->acting_count; n++) {
        uint32_t i = lint->subject->acting[n];
        enum effect effect = lint_effect(lint, i);
        if (effect == EFFECT_MEMORY &&
            (opcode_starts(lint, i, "ld.shared") || opcode_starts(lint, i, "ld.b") ||
             opcode_starts(lint, i, "ld.u") || opcode_starts(lint, i, "ld.s32")))
            vec_push(&p->loads, ((struct address_load){i, value_of_operand(lint->subject, i, 1)}));
        if (effect != EFFECT_ALLOC || !conditions_reach(lint->subject, lint->cfg->block_of[i]))
            continue;
        if (opcode_starts(lint, i, "tcgen05.alloc")) vec_push(&p->allocs, i);
        if (opcode_starts(lint, i, "tcgen05.dealloc")) note_dealloc(p, i);
        if (opcode_starts(lint, i, "tcgen05.relinquish")) vec_push(&p->relinquishes, i);
    }
}

static void alloc_protocol_find(struct lint *lint)
{
    struct protocol p = {.lint = lint, .shape = lint->handovers->shape, .compared = INTERN_NONE};
    sort_instructions(&p);
    if (p.allocs.count) list_loads(&p);
    find_after_relinquish(&p);
    for (uint32_t i = 0; i < p.allocs.count; i++) {
        p.alloc = p.allocs.at[i];
        p.slot = value_of_operand(lint->subject, p.alloc, 0);
        find_kept(&p);
        find_freed_often(&p);
        find_unseen_address(&p);
        find_unseen_peer(&p);
    }
    find_other_columns(&p);
    vec_free(&p.allocs);
    vec_free(&p.deallocs);
    vec_free(&p.relinquishes);
    vec_free(&p.freed_often);
    vec_free(&p.loads);
    vec_free(&p.first_load);
    vec_free(&p.peer_signs);
    intern_free(&p.slots);
}

const struct lint_code lint_alloc_protocol = {
    .id = "alloc-protocol",
    .section = SECTION,
    .summary =
        "tensor memory is allocated without permission, never freed, or used at a stale address",
    .sentence =
        "All of the Tensor Memory that was allocated using `tcgen05.alloc` instruction in a "
        "kernel, must be explicitly deallocated using `tcgen05.dealloc` before the kernel "
        "exits.",
    .risk =
        "the kernel hangs, leaves columns allocated for the next kernel, or uses a wrong address",
    .explanation =
        "Broken:  @%warp0 tcgen05.alloc [slot], 128; ld.shared.u32 %r1, [slot];\n"
        "Right:   @%warp0 tcgen05.alloc [slot], 128; bar.sync 0; ld.shared.u32 %r1, [slot];\n"
        "\n"
        "Five rules (9.7.16.7.1): no alloc after relinquish_alloc_permit; dealloc frees all "
        "columns "
        "that are allocated before the kernel exits, and only once; alloc writes the address by a "
        "weak "
        "store, so another warp needs a barrier before it reads the address, also on a path on "
        "which a loop runs zero times; with cta_group::2 the thread must know, before the alloc, "
        "that the peer CTA runs (a warning: kernels ship without this).\n"
        "\n"
        "If one test of the warp number implies another, lint knows the outcome of both. The "
        "n-th bar.sync 0 is the same barrier for all threads. A barrier counts only if a thread "
        "that knows of the allocation can reach it; any wait for an mbarrier or a flag counts. "
        "Not reported: memory that another warp, a called function or the caller may free; exits "
        "that depend on a value from memory or from a loop; trap.",
    .find = alloc_protocol_find,
};
