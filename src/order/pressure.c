/* Estimates which registers are live at each place, and how their number grows if loads move
 * together. See pressure.h. */
#include "order/pressure.h"

#include <string.h>

#include "base/mem.h"
#include "base/work.h"
#include "flow/rounds.h"
#include "order/analysis.h"

static const uint64_t SETS_BYTES_MAX = 1ull << 26;

struct liveness {
    const struct analysis *analysis;
    uint8_t *width;  /* by register, in units of 32 bits; 0: the register does not count */
    uint32_t words;  /* the size of a set */
    uint64_t *in;    /* by block: the set at its beginning */
    uint64_t *now;   /* the set at the current place */
    uint32_t count;  /* the number of 32-bit registers in now */
    uint32_t *after; /* by instruction: the number of live registers after it */
};

/* ---- widths ---- */

/* The opcode with its modifiers, as in the text. */
static struct str mnemonic_of(const struct liveness *l, const struct instr *instr)
{
    struct str text = source_slice(l->analysis->view->source, instr->span);
    size_t start = 0, end;
    if (text.n && text.p[0] == '@')
        while (start < text.n && !strchr(" \t\r\n", text.p[start])) start++;
    while (start < text.n && strchr(" \t\r\n", text.p[start])) start++;
    for (end = start; end < text.n && !strchr(" \t\r\n;", text.p[end]); end++) continue;
    return (struct str){text.p + start, end - start};
}

static bool text_has(struct str text, const char *word)
{
    return memmem(text.p, text.n, word, strlen(word));
}

/* The width of a register that the instruction writes, if it writes `count` registers. The first
 * type that the opcode names is the type of the result. */
static uint8_t width_written(struct str mnemonic, uint32_t count)
{
    enum { PAIR = 2, QUAD = 4 };
    static const char *const predicates[] = {"setp", ".pred", "_wait", "elect", "isspacep"};
    for (size_t i = 0; i < sizeof predicates / sizeof *predicates; i++)
        if (text_has(mnemonic, predicates[i])) return 0;
    if (text_has(mnemonic, ".wide")) return PAIR;
    for (size_t i = 0; i + 3 < mnemonic.n; i++) {
        const char *type = mnemonic.p + i;
        if (type[0] != '.' || !strchr("busf", type[1]) || type[2] < '0' || type[2] > '9') continue;
        bool splits = str_starts(mnemonic, "mov") && count > 1;
        unsigned width = 1;
        if (memcmp(type + 2, "64", 2) == 0) width = PAIR;
        if (memcmp(type + 2, "12", 2) == 0) width = QUAD;
        return (uint8_t)(splits && width > count ? width / count : splits ? 1 : width);
    }
    return 1;
}

static void find_widths(struct liveness *l)
{
    const struct function *function = l->analysis->function;
    for (uint32_t i = 0; i < function->count; i++) {
        const struct use *use, *end;
        uint32_t written = 0;
        analysis_uses(l->analysis, i, &use, &end);
        for (const struct use *u = use; u < end; u++) written += u->write;
        if (!written) continue;
        uint8_t width = width_written(mnemonic_of(l, &function->instrs[i]), written);
        for (; use < end; use++)
            if (use->write && width > l->width[use->reg]) l->width[use->reg] = width;
    }
}

/* ---- liveness ---- */

static void liveness_add(struct liveness *l, reg_id reg)
{
    uint64_t bit = 1ull << reg % 64;
    if (!(l->now[reg / 64] & bit)) l->count += l->width[reg];
    if (l->width[reg]) l->now[reg / 64] |= bit;
}

static void liveness_drop(struct liveness *l, reg_id reg)
{
    uint64_t bit = 1ull << reg % 64;
    if (l->now[reg / 64] & bit) l->count -= l->width[reg];
    l->now[reg / 64] &= ~bit;
}

/* Steps from after an instruction to before it. */
static void step_back(struct liveness *l, uint32_t i)
{
    const struct use *first, *end, *use;
    analysis_uses(l->analysis, i, &first, &end);
    for (use = first; use < end; use++) /* needs a register even if no instruction reads it */
        if (use->write) liveness_add(l, use->reg);
    l->after[i] = l->count;
    for (use = first; use < end; use++)
        if (use->write && analysis_always(l->analysis, i)) liveness_drop(l, use->reg);
    for (use = first; use < end; use++)
        if (!use->write) liveness_add(l, use->reg);
}

/* Sets now to the registers that are live at the end of a block. */
static void begin_at_end(struct liveness *l, uint32_t block)
{
    const struct cfg *cfg = l->analysis->cfg;
    const struct block *b = &cfg->blocks[block];
    memset(l->now, 0, l->words * sizeof *l->now);
    for (uint32_t n = 0; n < b->succ_count; n++) {
        const uint64_t *in = l->in + (size_t)cfg->succs[b->first_succ + n] * l->words;
        for (uint32_t w = 0; w < l->words; w++) l->now[w] |= in[w];
    }
    l->count = 0;
    for (uint32_t w = 0; w < l->words; w++)
        for (uint64_t left = l->now[w]; left; left &= left - 1)
            l->count += l->width[w * 64 + (uint32_t)__builtin_ctzll(left)];
}

static void liveness_solve(struct liveness *l)
{
    const struct cfg *cfg = l->analysis->cfg;
    struct rounds rounds;
    rounds_init(&rounds, cfg->count, true);
    for (uint32_t b = 0; b < cfg->count; b++) rounds_want(&rounds, b);
    for (uint32_t block; rounds_next(&rounds, &block);) {
        const struct block *b = &cfg->blocks[block];
        uint64_t *in = l->in + (size_t)block * l->words;
        work_spend(b->end - b->first + l->words);
        begin_at_end(l, block);
        for (uint32_t i = b->end; i-- > b->first;) step_back(l, i);
        if (memcmp(in, l->now, l->words * sizeof *in) == 0) continue;
        memcpy(in, l->now, l->words * sizeof *in);
        for (uint32_t n = 0; n < b->pred_count; n++)
            rounds_want(&rounds, cfg->preds[b->first_pred + n]);
    }
    rounds_free(&rounds);
}

/* ---- loads that move together ---- */

static uint32_t loaded_registers(const struct liveness *l, uint32_t i)
{
    const struct use *use, *end;
    uint32_t count = 0;
    analysis_uses(l->analysis, i, &use, &end);
    for (; use < end; use++) count += use->write ? l->width[use->reg] : 0;
    return count;
}

static uint32_t larger_of(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

/* ptxas moves no load across the instruction. */
static bool holds_loads(const struct liveness *l, uint32_t i)
{
    enum effect effect = analysis_effect(l->analysis, i);
    bool passes = effect_is_neutral(effect) || effect == EFFECT_MEET_MEMORY ||
                  effect == EFFECT_ASYNC_LD || l->analysis->deleted[i];
    return !passes;
}

static void gather_pressure(struct pressure *pressure, const struct liveness *l,
                            const struct block *block)
{
    /* live 0: no earlier load to which others could move */
    uint32_t live = 0, first_wait = block->first;
    for (uint32_t i = block->first; i < block->end; i++) {
        pressure->most.before = larger_of(pressure->most.before, l->after[i]);
        if (holds_loads(l, i)) live = 0;
        if (analysis_effect(l->analysis, i) != EFFECT_ASYNC_LD) continue;
        live = live ? live + loaded_registers(l, i) : l->after[i];
        struct pressure_at here = {l->after[i], larger_of(live, l->after[i])};
        pressure->most.after = larger_of(pressure->most.after, here.after);
        for (; first_wait < i; first_wait++)
            if (l->analysis->deleted[first_wait] && live > l->after[i] &&
                analysis_effect(l->analysis, first_wait) == EFFECT_WAIT_LD)
                pressure->of[first_wait] = here;
    }
}

bool pressure_build(struct pressure *pressure, const struct analysis *analysis, struct arena *arena)
{
    const struct function *function = analysis->function;
    const struct cfg *cfg = analysis->cfg;
    struct liveness l = {.analysis = analysis, .words = function->reg_count / 64 + 1};
    *pressure = (struct pressure){.of = NULL};
    if ((uint64_t)cfg->count * l.words * sizeof *l.in > SETS_BYTES_MAX) return false;
    l.in = mem_zalloc((size_t)(cfg->count + 1) * l.words, sizeof *l.in);
    l.now = l.in + (size_t)cfg->count * l.words;
    l.width = mem_zalloc((size_t)function->reg_count + 1, sizeof *l.width);
    l.after = mem_zalloc(function->count, sizeof *l.after);
    pressure->of = arena_alloc(arena, function->count, sizeof *pressure->of);
    find_widths(&l);
    liveness_solve(&l);
    for (uint32_t b = 0; b < cfg->count; b++)
        if (cfg->blocks[b].reachable) gather_pressure(pressure, &l, &cfg->blocks[b]);
    pressure->most.after = larger_of(pressure->most.after, pressure->most.before);
    mem_free(l.in);
    mem_free(l.width);
    mem_free(l.after);
    return true;
}
