/* Finds where a guard still depends on the current value of a register or load. This is liveness
 * analysis, with the leaves of guard expressions in place of registers. */
#include "lint/guard_reach.h"

#include "lint/path_condition.h"
#include "value/expr.h"
#include "value/values.h"

/* An element of a list of blocks. */
struct reach_place {
    uint32_t block, next;
};

#define NO_PLACE UINT32_MAX

/* A leaf that some stop uses or defines. */
struct reach_leaf {
    uint64_t bit;
    uint32_t uses, definitions; /* head of the list of blocks that use it before defining it, or
                                   that define it */
    uint32_t defined;           /* 1 + the last block that defines it */
};

struct reach {
    const struct lint *lint;
    const struct path_stops *stops;
    const bool *matters;
    struct VEC(struct reach_place) places;
    struct VEC(struct reach_leaf) leaves;
    uint32_t *leaf_of; /* by web, then by instruction that loads: 1 + an index in leaves; 0: none */
    uint32_t *seen,
        *blocked; /* by block: 1 + the last leaf that is live at its beginning, or defined in it */
    struct VEC(uint32_t) open;
    uint32_t steps; /* remaining steps */
    uint64_t *live;
};

static struct reach_leaf *take_leaf(struct reach *r, uint32_t place, uint32_t web_or_instr)
{
    uint32_t *leaf = &r->leaf_of[place];
    if (!*leaf) {
        vec_push(&r->leaves, ((struct reach_leaf){leaf_bit(web_or_instr), NO_PLACE, NO_PLACE, 0}));
        *leaf = r->leaves.count;
    }
    return &r->leaves.at[*leaf - 1];
}

static struct reach_leaf *leaf_of_web(struct reach *r, uint32_t web)
{
    return take_leaf(r, web, web);
}

static struct reach_leaf *leaf_of_load(struct reach *r, uint32_t instr)
{
    return take_leaf(r, r->lint->function->reg_count + instr, instr);
}

static void add_place(struct reach *r, uint32_t *list, uint32_t block)
{
    if (*list != NO_PLACE && r->places.at[*list].block == block) return;
    vec_push(&r->places, ((struct reach_place){block, *list}));
    *list = r->places.count - 1;
}

/* ---- what each block does ---- */

static void note_leaf(struct reach *r, struct reach_leaf *leaf, uint32_t block)
{
    if (leaf->defined != block + 1) add_place(r, &leaf->uses, block);
}

static void note_use_of(struct reach *r, uint32_t base, uint32_t block)
{
    const struct expr *e = value_expr(r->lint->subject, (struct value){base, 0});
    if (!base || e->fixed) return;
    if (e->kind == EXPR_REG) note_leaf(r, leaf_of_web(r, e->web), block);
    if (e->kind == EXPR_LOADED) note_leaf(r, leaf_of_load(r, e->instr), block);
    for (int i = 0; i < 3; i++) note_use_of(r, e->a[i].base, block);
}

static void note_definition(struct reach *r, struct reach_leaf *leaf, uint32_t block)
{
    leaf->defined = block + 1;
    add_place(r, &leaf->definitions, block);
}

static void note_definitions(struct reach *r, uint32_t i, uint32_t block)
{
    const struct function *f = r->lint->function;
    if (f->instrs[i].guard != REG_NONE) return;
    note_definition(r, leaf_of_load(r, i), block);
    for (uint32_t u = 0; u < f->instrs[i].use_count; u++) {
        const struct use *use = &f->uses[f->instrs[i].first_use + u];
        if (use->write && r->matters[use->reg]) note_definition(r, leaf_of_web(r, use->reg), block);
    }
}

static void note_stop(struct reach *r, uint32_t i)
{
    const struct subject *subject = r->lint->subject;
    uint32_t block = r->lint->cfg->block_of[i];
    if (r->lint->function->instrs[i].guard != REG_NONE) {
        struct value guard = value_of_guard(subject, i);
        if (!value_is_none(guard)) note_use_of(r, guard.base, block);
    }
    if (!r->stops->changes[i]) return;
    struct value computed = value_computed(subject, i);
    if (!value_is_none(computed)) note_use_of(r, computed.base, block);
    note_definitions(r, i, block);
}

/* ---- backward propagation ---- */

/* leaf: its index. */
static void mark_live(struct reach *r, uint32_t leaf, uint32_t block)
{
    if (r->seen[block] == leaf + 1) return;
    r->seen[block] = leaf + 1;
    r->live[block] |= r->leaves.at[leaf].bit;
    vec_push(&r->open, block);
}

/* Marks the blocks where the leaf is live. False if that takes too many steps: then the caller
 * marks it live everywhere. */
static bool spread_leaf(struct reach *r, uint32_t leaf)
{
    const struct cfg *cfg = r->lint->cfg;
    r->open.count = 0;
    for (uint32_t p = r->leaves.at[leaf].definitions; p != NO_PLACE; p = r->places.at[p].next)
        r->blocked[r->places.at[p].block] = leaf + 1;
    for (uint32_t p = r->leaves.at[leaf].uses; p != NO_PLACE; p = r->places.at[p].next)
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

static void spread_leaves(struct reach *r)
{
    enum { STEPS_A_BLOCK = 64, UNITS = 16 };
    uint32_t blocks = r->lint->cfg->count, most = blocks * STEPS_A_BLOCK;
    uint64_t everywhere = 0;
    r->steps = most;
    for (uint32_t leaf = 0; leaf < r->leaves.count; leaf++) {
        /* What spreads over all blocks anyway needs no steps. */
        if (r->leaves.at[leaf].uses == NO_PLACE || r->leaves.at[leaf].bit & everywhere) continue;
        if (!spread_leaf(r, leaf)) everywhere |= r->leaves.at[leaf].bit;
    }
    for (uint32_t b = 0; everywhere && b < blocks; b++) r->live[b] |= everywhere;
    lint_spend(r->lint, (most - r->steps) / UNITS);
}

uint64_t *guard_reach_build(const struct lint *lint, const struct path_stops *stops,
                            const bool *matters)
{
    uint32_t blocks = lint->cfg->count;
    struct reach r = {.lint = lint, .stops = stops, .matters = matters};
    r.leaf_of = mem_zalloc(lint->function->reg_count + lint->function->count, sizeof *r.leaf_of);
    r.seen = mem_zalloc(blocks + 1, sizeof *r.seen);
    r.blocked = mem_zalloc(blocks + 1, sizeof *r.blocked);
    r.live = arena_alloc(lint->arena, blocks + 1, sizeof *r.live);
    for (uint32_t s = 0; s < stops->first[blocks]; s++) note_stop(&r, stops->at[s]);
    spread_leaves(&r);
    mem_free(r.leaf_of);
    mem_free(r.seen);
    mem_free(r.blocked);
    vec_free(&r.leaves);
    vec_free(&r.places);
    vec_free(&r.open);
    return r.live;
}
