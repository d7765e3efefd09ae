/* Finds where a guard still depends on the current value of a register or load. This is liveness
 * analysis, with the leaves of guard expressions in place of registers. */
#include "lint/guard_reach.h"

#include "value/expr.h"
#include "value/values.h"

/* An element of a list of blocks. */
struct reach_place {
    uint32_t block, next;
};

#define NO_PLACE UINT32_MAX

struct reach {
    const struct lint *lint;
    const bool *matters, *changes;
    struct VEC(struct reach_place) places;
    uint32_t *uses, *definitions; /* by leaf: head of the list of blocks that use it before defining
                                     it, or that define it */
    uint32_t *defined;            /* by leaf: 1 + the last block that defines it */
    uint32_t *seen,
        *blocked; /* by block: 1 + the last leaf that is live at its beginning, or defined in it */
    struct VEC(uint32_t) open;
    uint32_t steps; /* remaining steps */
    uint64_t *live;
};

/* The index of a leaf: webs first, then loads by instruction. */
static uint32_t leaf_of_load(const struct reach *r, uint32_t instr)
{
    return r->lint->function->reg_count + instr;
}

static uint64_t bit_of_leaf(const struct reach *r, uint32_t leaf)
{
    uint32_t webs = r->lint->function->reg_count;
    return leaf_bit(leaf < webs ? leaf : leaf - webs);
}

static void add_place(struct reach *r, uint32_t *list, uint32_t block)
{
    if (*list != NO_PLACE && r->places.at[*list].block == block) return;
    vec_push(&r->places, ((struct reach_place){block, *list}));
    *list = r->places.count - 1;
}

/* ---- what each block does ---- */

static void note_leaf(struct reach *r, uint32_t leaf, uint32_t block)
{
    if (r->defined[leaf] != block + 1) add_place(r, &r->uses[leaf], block);
}

static void note_use_of(struct reach *r, uint32_t base, uint32_t block)
{
    const struct expr *e = value_expr(r->lint->subject, (struct value){base, 0});
    if (!base || e->fixed) return;
    if (e->kind == EXPR_REG) note_leaf(r, e->web, block);
    if (e->kind == EXPR_LOADED) note_leaf(r, leaf_of_load(r, e->instr), block);
    for (int i = 0; i < 3; i++) note_use_of(r, e->a[i].base, block);
}

static void note_definition(struct reach *r, uint32_t leaf, uint32_t block)
{
    r->defined[leaf] = block + 1;
    add_place(r, &r->definitions[leaf], block);
}

static void note_definitions(struct reach *r, uint32_t i, uint32_t block)
{
    const struct function *f = r->lint->function;
    if (f->instrs[i].guard != REG_NONE) return;
    note_definition(r, leaf_of_load(r, i), block);
    for (uint32_t u = 0; u < f->instrs[i].use_count; u++) {
        const struct use *use = &f->uses[f->instrs[i].first_use + u];
        if (use->write && r->matters[use->reg]) note_definition(r, use->reg, block);
    }
}

static void note_instruction(struct reach *r, uint32_t i)
{
    const struct instr *instr = &r->lint->function->instrs[i];
    uint32_t block = r->lint->cfg->block_of[i];
    bool branch = instr->opcode->traits & (OPCODE_BRANCH | OPCODE_TABLE_BRANCH);
    bool asked = instr->opcode->effect != EFFECT_REGISTER || branch || r->changes[i];
    if (instr->guard != REG_NONE && asked) {
        struct value guard = value_of_guard(r->lint->subject, i);
        if (!value_is_none(guard)) note_use_of(r, guard.base, block);
    }
    if (!r->changes[i]) return;
    struct value computed = value_computed(r->lint->subject, i);
    if (!value_is_none(computed)) note_use_of(r, computed.base, block);
    note_definitions(r, i, block);
}

/* ---- backward propagation ---- */

static void mark_live(struct reach *r, uint32_t leaf, uint32_t block)
{
    if (r->seen[block] == leaf + 1) return;
    r->seen[block] = leaf + 1;
    r->live[block] |= bit_of_leaf(r, leaf);
    vec_push(&r->open, block);
}

/* Marks the blocks where the leaf is live. False if that takes too many steps: then the caller
 * marks it live everywhere. */
static bool spread_leaf(struct reach *r, uint32_t leaf)
{
    const struct cfg *cfg = r->lint->cfg;
    r->open.count = 0;
    for (uint32_t p = r->definitions[leaf]; p != NO_PLACE; p = r->places.at[p].next)
        r->blocked[r->places.at[p].block] = leaf + 1;
    for (uint32_t p = r->uses[leaf]; p != NO_PLACE; p = r->places.at[p].next)
        mark_live(r, leaf, r->places.at[p].block);
    while (r->open.count) {
        const struct block *block = &cfg->blocks[r->open.at[--r->open.count]];
        if (block->pred_count >= r->steps) return false;
        r->steps -= block->pred_count + 1;
        for (uint32_t i = 0; i < block->pred_count; i++) {
            uint32_t from = cfg->preds[block->first_pred + i];
            if (r->blocked[from] != leaf + 1) mark_live(r, leaf, from);
        }
    }
    return true;
}

static void spread_leaves(struct reach *r, uint32_t leaves)
{
    enum { STEPS_A_BLOCK = 64, UNITS = 16 };
    uint32_t blocks = r->lint->cfg->count, most = blocks * STEPS_A_BLOCK;
    r->steps = most;
    for (uint32_t leaf = 0; leaf < leaves; leaf++) {
        if (r->uses[leaf] == NO_PLACE || spread_leaf(r, leaf)) continue;
        for (uint32_t b = 0; b < blocks; b++) r->live[b] |= bit_of_leaf(r, leaf);
    }
    lint_spend(r->lint, (most - r->steps) / UNITS);
}

static uint32_t *list_heads(const struct lint *lint, uint32_t leaves)
{
    uint32_t *heads = arena_alloc(lint->arena, leaves, sizeof *heads);
    memset(heads, 0xff, leaves * sizeof *heads);
    return heads;
}

uint64_t *guard_reach_build(const struct lint *lint, const bool *matters, const bool *changes)
{
    uint32_t n = lint->function->count, blocks = lint->cfg->count;
    uint32_t leaves = lint->function->reg_count + n + 1;
    struct reach r = {.lint = lint, .matters = matters, .changes = changes};
    r.uses = list_heads(lint, leaves);
    r.definitions = list_heads(lint, leaves);
    r.defined = mem_zalloc(leaves, sizeof *r.defined);
    r.seen = mem_zalloc(blocks + 1, sizeof *r.seen);
    r.blocked = mem_zalloc(blocks + 1, sizeof *r.blocked);
    r.live = arena_alloc(lint->arena, blocks + 1, sizeof *r.live);
    for (uint32_t i = 0; i + 1 < n; i++) note_instruction(&r, i);
    spread_leaves(&r, leaves);
    mem_free(r.defined);
    mem_free(r.seen);
    mem_free(r.blocked);
    vec_free(&r.places);
    vec_free(&r.open);
    return r.live;
}
