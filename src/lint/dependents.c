/* Finds the instructions that use the registers of a load, directly or through instructions that
 * only compute. */
#include "lint/dependents.h"

#include "base/mem.h"
#include "base/word.h"
#include "lint/readers.h"

/* A register whose value may depend on these registers of the load. */
struct touched {
    reg_id reg;
    struct loaded_set of;
};

/* The registers that instructions which only compute write from a register: [first, end) of
 * results. */
struct results_of {
    uint32_t first, end;
    bool known;
};

struct dependents {
    struct lint *lint;
    struct results_of *of; /* by register; NULL before the first load */
    struct VEC(reg_id) results;
    /* By register: 1 + the index in touched of which registers of the load its value may depend on;
     * 0: on none. */
    uint32_t *place;
    struct VEC(struct touched) touched;
    struct VEC(reg_id) open;
    struct loaded_set all;
    bool *queued; /* by register: it is in open */
    bool *held;   /* by register: on the path, its value depends on the load */
};

static const struct use *use_at(const struct lint *lint, uint32_t instr, uint32_t n)
{
    return &lint->function->uses[lint->function->instrs[instr].first_use + n];
}

struct dependents *dependents_build(struct lint *lint)
{
    struct dependents *d = arena_alloc(lint->arena, 1, sizeof *d);
    d->lint = lint;
    return d;
}

void dependents_free(struct dependents *d)
{
    vec_free(&d->results);
    vec_free(&d->touched);
    vec_free(&d->open);
}

static void list_results_of(struct dependents *d, reg_id reg)
{
    const struct readers *readers = readers_of(d->lint);
    uint32_t first = d->results.count;
    for (uint32_t i = readers->first[reg]; i < readers->first[reg + 1]; i++) {
        const struct instr *at = &d->lint->function->instrs[readers->instrs[i]];
        const struct use *use = use_at(d->lint, readers->instrs[i], 0), *end = use + at->use_count;
        lint_spend(d->lint, 1);
        for (; at->opcode->effect == EFFECT_REGISTER && use < end; use++)
            if (use->write) vec_push(&d->results, use->reg);
    }
    d->of[reg] = (struct results_of){first, d->results.count, true};
}

/* The value of the register may depend on those of the set. */
static void hold_loaded(struct dependents *d, reg_id reg, const struct loaded_set *set)
{
    uint32_t *place = &d->place[reg];
    bool known = *place;
    if (!known) {
        vec_push(&d->touched, ((struct touched){reg, *set}));
        *place = d->touched.count;
    }
    if ((known && !loaded_set_add(&d->touched.at[*place - 1].of, set)) || d->queued[reg]) return;
    d->queued[reg] = true;
    vec_push(&d->open, reg);
}

struct loaded_set dependents_read_by(const struct dependents *d, uint32_t instr)
{
    struct loaded_set set = {{0}};
    lint_spend(d->lint, 1);
    for (uint32_t u = 0; u < d->lint->function->instrs[instr].use_count; u++) {
        const struct use *use = use_at(d->lint, instr, u);
        if (!use->write && d->place[use->reg])
            (void)loaded_set_add(&set, &d->touched.at[d->place[use->reg] - 1].of);
    }
    return set;
}

void dependents_follow(struct dependents *d, uint32_t instr)
{
    uint32_t bit = 0, webs = d->lint->function->reg_count;
    if (!d->place) {
        d->of = arena_alloc(d->lint->arena, webs, sizeof *d->of);
        d->place = arena_alloc(d->lint->arena, webs, sizeof *d->place);
        d->queued = arena_alloc(d->lint->arena, webs, sizeof *d->queued);
    }
    for (uint32_t i = 0; i < d->touched.count; i++) d->place[d->touched.at[i].reg] = 0;
    uint32_t steps = d->touched.count;
    d->touched.count = 0;
    d->all = (struct loaded_set){{0}};
    for (uint32_t u = 0; u < d->lint->function->instrs[instr].use_count; u++) {
        const struct use *use = use_at(d->lint, instr, u);
        struct loaded_set one = {{0}};
        if (!use->write) continue;
        one.bits[bit / 64] = 1ULL << bit % 64;
        if (bit + 1 < LOADED_MAX) bit++;
        (void)loaded_set_add(&d->all, &one);
        hold_loaded(d, use->reg, &one);
    }
    for (uint32_t at = 0; at < d->open.count; at++) {
        reg_id reg = d->open.at[at];
        struct loaded_set of = d->touched.at[d->place[reg] - 1].of;
        if (!d->of[reg].known) list_results_of(d, reg);
        const struct results_of results = d->of[reg];
        d->queued[reg] = false;
        steps += results.end - results.first;
        for (uint32_t i = results.first; i < results.end; i++)
            hold_loaded(d, d->results.at[i], &of);
    }
    lint_spend(d->lint, steps);
    d->open.count = 0;
}

/* ---- along one path ---- */

static bool reads_held(const struct dependents *d, uint32_t instr)
{
    for (uint32_t u = 0; u < d->lint->function->instrs[instr].use_count; u++) {
        const struct use *use = use_at(d->lint, instr, u);
        if (!use->write && d->held[use->reg]) return true;
    }
    return false;
}

static void write_held(struct dependents *d, uint32_t instr, bool held)
{
    for (uint32_t u = 0; u < d->lint->function->instrs[instr].use_count; u++) {
        const struct use *use = use_at(d->lint, instr, u);
        if (!use->write) continue;
        d->held[use->reg] = held;
        if (held) vec_push(&d->open, use->reg);
    }
}

/* True if an instruction in [from, to) that does not only compute reads a held value. */
static bool dependents_step(struct dependents *d, uint32_t from, uint32_t to)
{
    lint_spend(d->lint, from < to ? to - from : 0);
    for (uint32_t i = from; i < to; i++) {
        bool reads = reads_held(d, i), guarded = d->lint->function->instrs[i].guard != REG_NONE;
        bool computes = lint_effect(d->lint, i) == EFFECT_REGISTER;
        if (reads && !computes) return true;
        if (reads || !guarded) write_held(d, i, reads);
    }
    return false;
}

/* The first instruction of the path after path[k - 1] and up to path[k]. */
static uint32_t stretch_begins(const struct dependents *d, const uint32_t *path, uint32_t k)
{
    const struct cfg *cfg = d->lint->cfg;
    uint32_t block = cfg->block_of[path[k]];
    if (k == 1 && path[1] >= path[0] && block == cfg->block_of[path[0]]) return path[0] + 1;
    return cfg->blocks[block].first;
}

bool dependents_reach(struct dependents *d, const uint32_t *path, uint32_t count)
{
    bool found = false;
    if (!d->held)
        d->held = arena_alloc(d->lint->arena, d->lint->function->reg_count, sizeof *d->held);
    write_held(d, path[0], true);
    for (uint32_t k = 1; k < count && !found; k++) {
        bool last = k + 1 == count;
        found = dependents_step(d, stretch_begins(d, path, k), last ? path[k] : path[k] + 1) ||
                (last && reads_held(d, path[k]));
    }
    while (d->open.count) d->held[d->open.at[--d->open.count]] = false;
    return found;
}

const uint32_t *dependents_path(const struct dependents *d, const uint32_t *path, uint32_t *count)
{
    uint32_t *steps = arena_alloc(d->lint->arena, *count + 2, sizeof *steps), n = 0, last = 0;
    struct loaded_set read = {{0}};
    bool any = false;
    steps[n++] = path[0];
    for (uint32_t k = 1; k < *count; k++) {
        uint32_t i = stretch_begins(d, path, k);
        lint_spend(d->lint, i < path[k] ? path[k] - i : 0);
        for (; i < path[k]; i++) {
            if (lint_effect(d->lint, i) == EFFECT_REGISTER) continue;
            struct loaded_set set = dependents_read_by(d, i);
            if (!loaded_set_add(&read, &set)) continue;
            if (last) memmove(&steps[last], &steps[last + 1], (--n - last) * sizeof *steps);
            if (any) last = n;
            any = true;
            steps[n++] = i;
        }
        steps[n++] = path[k];
    }
    *count = n;
    return steps;
}

bool dependents_any(const struct dependents *d)
{
    const struct readers *readers = readers_of(d->lint);
    for (uint32_t i = 0; i < d->touched.count; i++) {
        reg_id reg = d->touched.at[i].reg;
        if (readers->first[reg] < readers->first[reg + 1]) return true;
    }
    return false;
}

struct loaded_set dependents_all(const struct dependents *d)
{
    return d->all;
}

/* ---- the sets found on paths ---- */

/* The slot of the set, or the empty one for it. */
static uint32_t *loaded_slot_of(const struct loaded_sets *sets, const struct loaded_set *set)
{
    uint64_t hash = 0;
    for (int i = 0; i < LOADED_WORDS; i++) hash = (hash ^ hash >> 32 ^ set->bits[i]) * WORD_SPREAD;
    uint32_t mask = sets->cap - 1, at = (uint32_t)(hash >> 32) & mask;
    for (;; at = (at + 1) & mask) {
        uint32_t number = sets->slots[at];
        if (!number || !memcmp(&sets->all.at[number - 1], set, sizeof *set))
            return &sets->slots[at];
    }
}

static void loaded_sets_grow(struct loaded_sets *sets)
{
    enum { SLOTS_AT_FIRST = 16 };
    mem_free(sets->slots);
    sets->cap = sets->cap ? sets->cap * 2 : SLOTS_AT_FIRST;
    sets->slots = mem_zalloc(sets->cap, sizeof *sets->slots);
    for (uint32_t n = 0; n < sets->all.count; n++) *loaded_slot_of(sets, &sets->all.at[n]) = n + 1;
}

uint32_t loaded_sets_place(struct loaded_sets *sets, const struct loaded_set *set)
{
    if (sets->all.count * 2 >= sets->cap) loaded_sets_grow(sets);
    uint32_t *slot = loaded_slot_of(sets, set);
    if (!*slot) {
        vec_push(&sets->all, *set);
        *slot = sets->all.count;
    }
    return *slot - 1;
}

void loaded_sets_clear(struct loaded_sets *sets)
{
    if (sets->cap) memset(sets->slots, 0, sets->cap * sizeof *sets->slots);
    sets->all.count = 0;
}

void loaded_sets_free(struct loaded_sets *sets)
{
    vec_free(&sets->all);
    mem_free(sets->slots);
}
