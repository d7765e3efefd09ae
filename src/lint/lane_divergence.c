/* Finds branches on data of the lanes around .aligned tcgen05 instructions. See
 * lane_divergence.h. */
#include "lint/lane_divergence.h"

#include "base/vec.h"
#include "lint/readers.h"
#include "value/condition_pairs.h"
#include "value/conditions.h"
#include "value/instruction.h"
#include "value/values.h"

/* How a value may differ among the lanes of a warp: computed from the number of the thread, or
 * loaded from an address that differs. */
enum { NUMBER = 1, DATA = 2 };

struct lane_data {
    struct lint *lint;
    uint8_t *differs;           /* by register: bits NUMBER and DATA */
    struct VEC(uint32_t) fresh; /* registers that differ, whose readers are not examined yet */
    uint32_t *joins; /* by block: the next block that each path from it enters; cfg->count: the end
                        of the function, or no path leads there */
    uint32_t *order; /* by block: its number in the order in which a walk back from the end leaves
                        blocks; 0: no path leads to the end */
    bool *between;   /* by block: scratch */
    struct VEC(uint32_t) open;
};

/* ---- which registers differ ---- */

/* The constant by which the instruction shifts, or with which it combines; -1: not known. */
static int64_t constant_of(const struct lint *lint, uint32_t instr)
{
    struct value v = value_computed(lint->subject, instr);
    const struct expr *e = value_is_none(v) ? NULL : value_expr(lint->subject, v);
    bool known = e && e->kind == EXPR_OP && !e->a[1].base && !value_is_none(e->a[1]);
    return known ? e->a[1].offset : -1;
}

/* The instruction computes from values of its own lane alone, and does not take what the lanes of a
 * warp have in common, such as the number of the warp, from the number of the thread. */
static bool keeps_difference(const struct lint *lint, uint32_t instr)
{
    static const char *const plain[] = {"mov", "add", "sub", "mul", "mad", "fma",  "min",  "max",
                                        "neg", "abs", "cvt", "ld",  "shl", "selp", "setp", "or",
                                        "xor", "not", "ex2", "lg2", "rcp", "sqrt", NULL};
    struct str base = instruction_base(lint->subject, instr);
    int64_t by = constant_of(lint, instr);
    if (str_is(base, "shr")) return by >= 0 && by < 5;
    if (str_is(base, "and")) return by < 0 || by % WARP;
    if (instruction_has(lint->subject, instr, ".hi")) return false;
    for (uint32_t i = 0; plain[i]; i++)
        if (str_is(base, plain[i])) return true;
    return false;
}

/* Each lane has another value, whatever the operands are. */
static bool differs_by_itself(const struct lint *lint, uint32_t instr)
{
    struct value v = value_computed(lint->subject, instr);
    const struct expr *e = value_is_none(v) ? NULL : value_expr(lint->subject, v);
    return e && e->spread == SPREAD_LANES && e->kind != EXPR_ELECTED;
}

static void note_results(struct lane_data *d, uint32_t instr, uint8_t how)
{
    const struct function *f = d->lint->function;
    const struct instr *at = &f->instrs[instr];
    struct value v = value_computed(d->lint->subject, instr);
    if (!value_is_none(v) && value_expr(d->lint->subject, v)->spread == SPREAD_SAME) return;
    for (uint32_t u = at->first_use; u < at->first_use + at->use_count; u++) {
        uint32_t web = f->uses[u].reg;
        if (!f->uses[u].write || !(how & ~d->differs[web])) continue;
        d->differs[web] |= how;
        vec_push(&d->fresh, web);
    }
}

/* How the results of an instruction differ that reads a register which differs so. selp mostly
 * takes one of two values that all lanes share, for a role. */
static uint8_t passed_on(const struct lint *lint, uint32_t instr, uint8_t how)
{
    struct str base = instruction_base(lint->subject, instr);
    if (!keeps_difference(lint, instr)) return 0;
    if (str_is(base, "ld")) return DATA;
    return str_is(base, "selp") ? how & DATA : how;
}

static void find_differing(struct lane_data *d)
{
    const struct lint *lint = d->lint;
    const struct readers *readers = lint->readers;
    lint_spend(lint, lint->function->count);
    for (uint32_t i = 0; i < lint->function->count; i++)
        if (differs_by_itself(lint, i)) note_results(d, i, NUMBER);
    while (d->fresh.count) {
        uint32_t web = d->fresh.at[--d->fresh.count];
        lint_spend(lint, readers->first[web + 1] - readers->first[web]);
        for (uint32_t r = readers->first[web]; r < readers->first[web + 1]; r++)
            note_results(d, readers->instrs[r],
                         passed_on(lint, readers->instrs[r], d->differs[web]));
    }
}

/* ---- where the lanes join again ---- */

/* Numbers the blocks from which the end can be reached, the end last. */
static uint32_t number_back(struct lane_data *d)
{
    const struct cfg *cfg = d->lint->cfg;
    uint32_t *next = arena_alloc(d->lint->arena, cfg->count, sizeof *next), number = 0;
    bool *seen = arena_alloc(d->lint->arena, cfg->count, sizeof *seen);
    lint_spend(d->lint, cfg->count);
    for (uint32_t end = 0; end < cfg->count; end++) {
        if (cfg->blocks[end].succ_count || seen[end]) continue;
        seen[end] = true;
        vec_push(&d->open, end);
        while (d->open.count) {
            uint32_t b = d->open.at[d->open.count - 1];
            const struct block *block = &cfg->blocks[b];
            if (next[b] == block->pred_count) {
                d->order[b] = ++number;
                d->open.count--;
                continue;
            }
            uint32_t pred = cfg->preds[block->first_pred + next[b]++];
            if (seen[pred]) continue;
            seen[pred] = true;
            vec_push(&d->open, pred);
        }
    }
    return number;
}

/* The first block that is on all paths from both. */
static uint32_t meet_of(const struct lane_data *d, uint32_t a, uint32_t b)
{
    const uint32_t end = d->lint->cfg->count;
    while (a != b && a != end && b != end) {
        if (d->order[a] < d->order[b])
            a = d->joins[a];
        else
            b = d->joins[b];
    }
    return a == b ? a : end;
}

/* Sets joins. Of blocks that are not computed yet, joins is UINT32_MAX. */
static void find_lane_joins(struct lane_data *d)
{
    const struct cfg *cfg = d->lint->cfg;
    uint32_t count = number_back(d), *by_order;
    bool more = true;
    by_order = arena_alloc(d->lint->arena, count + 1, sizeof *by_order);
    for (uint32_t b = 0; b < cfg->count; b++) {
        d->joins[b] = d->order[b] && cfg->blocks[b].succ_count ? UINT32_MAX : cfg->count;
        if (d->order[b]) by_order[d->order[b]] = b;
    }
    while (more) {
        more = false;
        for (uint32_t n = count; n > 0; n--) {
            const struct block *block = &cfg->blocks[by_order[n]];
            uint32_t join = UINT32_MAX;
            lint_spend(d->lint, block->succ_count + 1);
            for (uint32_t s = 0; s < block->succ_count; s++) {
                uint32_t to = cfg->succs[block->first_succ + s];
                if (!d->order[to] || d->joins[to] == UINT32_MAX) continue;
                join = join == UINT32_MAX ? to : meet_of(d, join, to);
            }
            if (!block->succ_count || join == d->joins[by_order[n]]) continue;
            d->joins[by_order[n]] = join;
            more = true;
        }
    }
}

/* ---- what only some lanes execute ---- */

/* Marks the blocks that control reaches from the end of `from` before the lanes join. */
static void mark_between(struct lane_data *d, uint32_t from)
{
    const struct cfg *cfg = d->lint->cfg;
    lint_spend(d->lint, cfg->count / 8 + 1);
    memset(d->between, 0, cfg->count * sizeof *d->between);
    vec_push(&d->open, from);
    while (d->open.count) {
        const struct block *block = &cfg->blocks[d->open.at[--d->open.count]];
        lint_spend(d->lint, 1);
        for (uint32_t s = 0; s < block->succ_count; s++) {
            uint32_t to = cfg->succs[block->first_succ + s];
            if (to == d->joins[from] || d->between[to]) continue;
            d->between[to] = true;
            vec_push(&d->open, to);
        }
    }
}

static bool is_aligned_tensor(const struct lint *lint, uint32_t instr)
{
    return str_is(instruction_base(lint->subject, instr), "tcgen05") &&
           instruction_has(lint->subject, instr, ".aligned");
}

/* A comparison of floating-point numbers, which are data of the lane and not a role. */
static bool is_of_float(const struct lint *lint, uint32_t web)
{
    for (uint32_t u = value_last_write(lint->subject, web); u != NO_WRITE;
         u = value_write_before(lint->subject, u)) {
        struct str o = instruction_opcode(lint->subject, value_write_instr(lint->subject, u));
        if (str_starts(o, "setp.") && memmem(o.p, o.n, ".f", 2)) return true;
    }
    return false;
}

/* Threads that reach the branch do not execute the instruction, on either side. The conditions of
 * the branch itself include its guard. */
static bool is_of_other_threads(const struct lint *lint, uint32_t branch, uint32_t instr)
{
    uint32_t i = lint->cfg->blocks[lint->cfg->block_of[branch]].first;
    while (i < branch && lint->function->instrs[i].guard != REG_NONE) i++;
    return i < branch && condition_pairs_exclude(lint->subject, i, instr);
}

static void check_branch(struct lane_data *d, const struct lint_code *code, uint32_t branch)
{
    struct lint *lint = d->lint;
    uint32_t b = lint->cfg->block_of[branch];
    if (lint->cfg->blocks[b].succ_count != 2 || !conditions_reach(lint->subject, b)) return;
    mark_between(d, b);
    reg_id guard = lint->function->instrs[branch].guard;
    /* The number of the thread mostly selects a role; in a loop, it decides how many rounds. */
    if (d->differs[guard] == NUMBER ? !d->between[b] : !is_of_float(lint, guard)) return;
    for (uint32_t n = 0; n < lint->subject->acting_count; n++) {
        uint32_t i = lint->subject->acting[n];
        if (!d->between[lint->cfg->block_of[i]] || !is_aligned_tensor(lint, i)) continue;
        if (is_of_other_threads(lint, branch, i)) continue;
        if (lint_has_reported(lint, code, i, NO_INSTR)) return;
        lint_report(lint, (struct hazard){code, LINT_WARNING, i, branch,
                                          "only some lanes of the warp may reach this: they branch "
                                          "at %s[ on values of their own]",
                                          "branch on a value that is the same in the whole warp, "
                                          "such as the result of vote.sync or redux.sync",
                                          NULL, 0, NULL});
        return;
    }
}

void lane_divergence_report(struct lint *lint, const struct lint_code *code)
{
    struct lane_data d = {.lint = lint};
    const struct function *f = lint->function;
    struct VEC(uint32_t) branches = {0};
    d.differs = arena_alloc(lint->arena, f->reg_count, sizeof *d.differs);
    find_differing(&d);
    for (uint32_t i = 0; i < f->count; i++)
        if (f->instrs[i].opcode->traits & OPCODE_BRANCH && f->instrs[i].guard != REG_NONE &&
            d.differs[f->instrs[i].guard])
            vec_push(&branches, i);
    if (branches.count) {
        d.joins = arena_alloc(lint->arena, lint->cfg->count, sizeof *d.joins);
        d.order = arena_alloc(lint->arena, lint->cfg->count, sizeof *d.order);
        d.between = arena_alloc(lint->arena, lint->cfg->count, sizeof *d.between);
        find_lane_joins(&d);
    }
    for (uint32_t i = 0; i < branches.count; i++) check_branch(&d, code, branches.at[i]);
    vec_free(&branches);
    vec_free(&d.fresh);
    vec_free(&d.open);
}
