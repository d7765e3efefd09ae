/* Liveness analysis of the roots of predicates. See root_reach.h. */
#include "lint/root_reach.h"

#include "flow/rounds.h"
#include "lint/path_condition.h"
#include "value/expr.h"
#include "value/values.h"

/* With more roots than ROOTS_MAX, several roots share a bit. */
enum { WORD_BITS = 64, WORDS_MAX = 16, ROOTS_MAX = WORDS_MAX * WORD_BITS };

/* A predicate with the root is asked in the block. */
struct root_use {
    uint32_t root, block;
};

struct root_reach {
    uint32_t *bit_of;          /* by row: 1 + the bit of the root; 0: no predicate has it */
    uint32_t row_count, words; /* words: for each block */
    uint64_t *live;            /* by block: the bits of the roots */
};

struct noting {
    const struct lint *lint;
    struct VEC(struct root_use) uses;
    struct VEC(uint32_t) noted; /* by row: 1 + the last block for which it was noted */
};

/* ---- the predicates that are asked ---- */

static void note_predicate(struct noting *n, struct value predicate, uint32_t block)
{
    if (value_is_none(predicate) || !predicate.base) return;
    while (n->noted.count <= predicate.base) vec_push(&n->noted, 0);
    if (n->noted.at[predicate.base] == block + 1) return;
    n->noted.at[predicate.base] = block + 1;
    struct expr e = *value_expr(n->lint->subject, predicate);
    vec_push(&n->uses, ((struct root_use){e.root, block}));
    if (e.kind != EXPR_AND && e.kind != EXPR_OR) return;
    note_predicate(n, e.a[0], block);
    note_predicate(n, e.a[1], block);
}

/* Notes what a step over an instruction that changes a web asks about the new value. */
static void note_computed(struct noting *n, uint32_t instr, uint32_t block)
{
    struct value computed = value_computed(n->lint->subject, instr);
    if (value_is_none(computed)) return;
    note_predicate(n, computed, block);
    struct expr e = *value_expr(n->lint->subject, computed);
    if (e.kind == EXPR_SELECT)
        for (int i = 0; i < 3; i++) note_predicate(n, e.a[i], block);
}

/* The index decides which edge is taken from the block that stands for the table. */
static void note_index(struct noting *n, uint32_t instr, uint32_t block)
{
    const struct cfg *cfg = n->lint->cfg;
    const struct block *from = &cfg->blocks[block];
    struct value index = value_of_operand(n->lint->subject, instr, 0);
    note_predicate(n, index, block);
    for (uint32_t i = 0; i < from->succ_count; i++)
        note_predicate(n, index, cfg->succs[from->first_succ + i]);
}

static void note_uses(struct noting *n, const struct path_stops *stops)
{
    const struct lint *lint = n->lint;
    uint32_t count = stops->first[lint->cfg->count];
    for (uint32_t s = 0; s < count; s++) {
        uint32_t i = stops->at[s], block = lint->cfg->block_of[i];
        const struct instr *instr = &lint->function->instrs[i];
        if (instr->guard != REG_NONE) note_predicate(n, value_of_guard(lint->subject, i), block);
        if (stops->changes[i]) note_computed(n, i, block);
        if (instr->opcode->traits & OPCODE_TABLE_BRANCH) note_index(n, i, block);
    }
}

/* ---- backward propagation ---- */

static void give_bits(const struct noting *n, struct root_reach *reach)
{
    uint32_t count = 0;
    reach->row_count = values_exprs(n->lint->subject)->rows.count;
    reach->bit_of = arena_alloc(n->lint->arena, reach->row_count, sizeof *reach->bit_of);
    for (uint32_t u = 0; u < n->uses.count; u++) {
        uint32_t *bit = &reach->bit_of[n->uses.at[u].root];
        if (!*bit) *bit = 1 + count++ % ROOTS_MAX;
    }
    reach->words = count < ROOTS_MAX ? (count + WORD_BITS - 1) / WORD_BITS : WORDS_MAX;
}

static void add_bits(const struct noting *n, struct root_reach *reach)
{
    uint32_t blocks = n->lint->cfg->count;
    reach->live = arena_alloc(n->lint->arena, (size_t)blocks * reach->words, sizeof *reach->live);
    for (uint32_t u = 0; u < n->uses.count; u++) {
        const struct root_use *use = &n->uses.at[u];
        uint32_t bit = reach->bit_of[use->root] - 1;
        reach->live[(size_t)use->block * reach->words + bit / WORD_BITS] |= 1ULL << bit % WORD_BITS;
    }
}

/* Adds the bits of `from` to those of `to`. True if that changes them. */
static bool pass_bits(const struct root_reach *reach, uint32_t from, uint32_t to)
{
    const uint64_t *more = &reach->live[(size_t)from * reach->words];
    uint64_t *bits = &reach->live[(size_t)to * reach->words], changed = 0;
    for (uint32_t w = 0; w < reach->words; w++) {
        changed |= more[w] & ~bits[w];
        bits[w] |= more[w];
    }
    return changed;
}

static void spread_bits(const struct lint *lint, struct root_reach *reach)
{
    const struct cfg *cfg = lint->cfg;
    struct rounds rounds;
    uint32_t block;
    rounds_init(&rounds, cfg->count, true);
    for (uint32_t b = 0; b < cfg->count; b++) rounds_want(&rounds, b);
    while (rounds_next(&rounds, &block)) {
        const struct block *at = &cfg->blocks[block];
        lint_spend(lint, at->pred_count + 1);
        for (uint32_t i = at->first_pred; i < at->first_pred + at->pred_count; i++)
            if (pass_bits(reach, block, cfg->preds[i])) rounds_want(&rounds, cfg->preds[i]);
    }
    rounds_free(&rounds);
}

struct root_reach *root_reach_build(const struct lint *lint, const struct path_stops *stops)
{
    struct root_reach *reach = arena_alloc(lint->arena, 1, sizeof *reach);
    struct noting n = {.lint = lint};
    note_uses(&n, stops);
    give_bits(&n, reach);
    add_bits(&n, reach);
    spread_bits(lint, reach);
    vec_free(&n.uses);
    vec_free(&n.noted);
    return reach;
}

uint32_t root_reach_bit(const struct root_reach *reach, uint32_t root)
{
    return root < reach->row_count ? reach->bit_of[root] : 0;
}

const uint64_t *root_reach_at(const struct root_reach *reach, uint32_t block)
{
    return &reach->live[(size_t)block * reach->words];
}
