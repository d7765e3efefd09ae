/* Finds the operations in flight on both sides of fences. Propagates sets of classes over the
 * graph: forward the operations in flight, backward the operations that come. See window.h. */
#include "order/window.h"

#include "base/intern.h"
#include "base/mem.h"
#include "base/vec.h"
#include "base/work.h"
#include "flow/rounds.h"
#include "order/pair.h"
#include "order/watch.h"

static void window_set_add(struct window_set *set, uint32_t class)
{
    set->bits[class / 64] |= 1ull << class % 64;
}

static bool window_set_has(const struct window_set *set, uint32_t class)
{
    return set->bits[class / 64] >> class % 64 & 1;
}

/* ---- the classes of a function ---- */

struct build {
    const struct analysis *analysis;
    struct arena *arena;
    struct window *window;
    struct intern keys;
    struct buf key; /* buffer for the key of an instruction */
    struct VEC(uint32_t) examples;
    struct VEC(struct window_set) masks;
};

static void add_class(struct build *b, uint32_t i)
{
    b->key.len = 0;
    pair_key(b->analysis, i, &b->key);
    struct str key = {b->key.data, b->key.len};
    uint32_t class = intern_find(&b->keys, 0, key) + 1;
    b->window->class_of[i] = class;
    if (class) return;
    key.p = arena_copy(b->arena, key.p, key.n);
    b->window->class_of[i] = class = intern_add(&b->keys, 0, key) + 1;
    vec_push(&b->examples, i);
    if (class >= WINDOW_CLASSES) return;
    enum effect effect = analysis_effect(b->analysis, i);
    if (effect == EFFECT_ASYNC_LD) window_set_add(&b->window->loads, class);
    if (effect == EFFECT_ASYNC_ST) window_set_add(&b->window->stores, class);
    const struct instr *instr = analysis_instr(b->analysis, i);
    for (uint32_t n = 0; n < instr->operand_count; n++) {
        const struct operand *o = pair_operand(b->analysis, i, n);
        for (uint32_t u = 0; pair_rests_on(b->analysis, i, n) && u < o->use_count; u++) {
            reg_id reg = b->analysis->function->uses[o->first_use + u].reg;
            struct watched *watched = watch_add(b->analysis->watch, reg);
            if (watched->mask == REG_NONE) {
                watched->mask = b->masks.count;
                b->analysis->watch->watchers[reg][true] |= 1u << WATCH_PAIRS;
                vec_push(&b->masks, (struct window_set){{0}});
            }
            window_set_add(&b->masks.at[watched->mask], class);
        }
    }
}

/* Computes which of the classes in among form a pair with class x, unless that is known. */
static void find_pairs(const struct analysis *analysis, uint32_t x, const struct window_set *among)
{
    const struct window *w = analysis->window;
    for (uint32_t n = 0; x && n < w->words; n++) {
        uint64_t asked = among->bits[n] & ~w->asked[x].bits[n];
        w->asked[x].bits[n] |= asked;
        for (; asked; asked &= asked - 1) {
            uint32_t y = n * 64 + (uint32_t)__builtin_ctzll(asked), assumptions = 0;
            work_spend(1);
            if (!y || !pair_is_pipelined(analysis, w->example[x], w->example[y], &assumptions))
                continue;
            window_set_add(&w->pairs[x], y);
            if (assumptions & ASSUME_SCALES_FOLLOW_CP) window_set_add(&w->by_scales[x], y);
            if (assumptions & ASSUME_ISA_9_4_PAIRS) window_set_add(&w->by_9_4[x], y);
        }
    }
}

static void *copy_to_arena(struct arena *arena, const void *at, size_t count, size_t size)
{
    void *copy = arena_alloc(arena, count + 1, size);
    if (count) memcpy(copy, at, count * size);
    return copy;
}

/* Computes the classes of the function, in the arena of the analysis, and adds the registers on
 * which their pairs depend to the watched ones. */
static void window_build(const struct analysis *analysis)
{
    struct arena *arena = analysis->arena;
    const struct function *f = analysis->function;
    struct window *w = analysis->window;
    struct build b = {.analysis = analysis, .arena = arena, .window = w};
    w->class_of = arena_alloc(arena, f->count, sizeof *w->class_of);
    vec_push(&b.examples, 0); /* class 0, see window_set */
    for (uint32_t e = 0; e < analysis->events.count; e++)
        if (effect_is_async(analysis_effect(analysis, analysis->events.at[e].instr)))
            add_class(&b, analysis->events.at[e].instr);
    w->count = b.examples.count;
    w->example = copy_to_arena(arena, b.examples.at, b.examples.count, sizeof *w->example);
    w->masks = copy_to_arena(arena, b.masks.at, b.masks.count, sizeof *w->masks);
    if (w->count <= WINDOW_CLASSES) {
        w->words = (w->count + 63) / 64;
        w->asked = arena_alloc(arena, w->count, sizeof *w->asked);
        w->pairs = arena_alloc(arena, w->count, sizeof *w->pairs);
        w->by_scales = arena_alloc(arena, w->count, sizeof *w->by_scales);
        w->by_9_4 = arena_alloc(arena, w->count, sizeof *w->by_9_4);
    }
    intern_free(&b.keys);
    buf_free(&b.key);
    vec_free(&b.examples);
    vec_free(&b.masks);
}

/* ---- points ---- */

/* The point of an instruction, without masks_end. */
static struct window_point window_point_of(const struct analysis *analysis, uint32_t i)
{
    enum effect effect = analysis_effect(analysis, i);
    bool always = analysis_always(analysis, i);
    bool waits = always && (effect == EFFECT_WAIT_LD || effect == EFFECT_WAIT_ST);
    return (struct window_point){.instr = i,
                                 .class = analysis->window->class_of[i],
                                 .issues = effect_is_async(effect) || effect == EFFECT_CALL,
                                 .is_fence = effect_is_fence(effect) && always,
                                 .waits = waits ? (uint8_t)effect : 0};
}

/* Computes the points of the function, once for all queries. */
static void window_find_points(const struct analysis *analysis)
{
    const struct watch_points *of = &analysis->watch->points[WATCH_PAIRS];
    watch_find_points(analysis, 1u << WATCH_PAIRS);
    struct window *w = analysis->window;
    struct VEC(uint32_t) written = {0};
    const struct use *use, *end;
    w->points = arena_room(analysis->arena, of->at.count + 1, sizeof *w->points);
    w->begins = arena_alloc(analysis->arena, analysis->cfg->count, sizeof *w->begins);
    for (uint32_t p = 0; p < of->at.count; p++) {
        struct window_point *point = &w->points[p];
        *point = window_point_of(analysis, of->at.at[p]);
        analysis_uses(analysis, point->instr, &use, &end);
        for (uint32_t before = written.count; use < end; use++) {
            uint32_t mask = use->write ? watch_of(analysis->watch, use->reg)->mask : REG_NONE;
            if (mask != REG_NONE) vec_push(&written, mask);
            uint32_t block = analysis->cfg->block_of[point->instr];
            if (written.count > before) w->begins[block] |= 1u << true;
        }
        if (point->issues)
            w->begins[analysis->cfg->block_of[point->instr]] |= 1u << false | 1u << true;
        point->masks_end = written.count;
    }
    w->written = copy_to_arena(analysis->arena, written.at, written.count, sizeof *w->written);
    vec_free(&written);
}

/* ---- the operations on each side of a place ---- */

struct sides {
    struct window_set ops;
    struct window_set changed; /* classes with a register that was written: since their operation,
                                  or (backward) before it */
};

struct solver {
    const struct analysis *analysis;
    const struct window *window;
    bool backward, next_only;
    struct sides *at; /* by block: at the end from which the solver enters it */
    uint32_t *last;   /* by class: the last instruction of it that the solver has passed */
    struct rounds *rounds;
};

/* Adds *more to *into. True if *into has changed. */
static bool window_unite(const struct window *w, struct window_set *into,
                         const struct window_set *more)
{
    uint64_t grown = 0;
    for (uint32_t n = 0; n < w->words; n++) {
        grown |= more->bits[n] & ~into->bits[n];
        into->bits[n] |= more->bits[n];
    }
    return grown;
}

static void remove_all(const struct window *w, struct window_set *from,
                       const struct window_set *less)
{
    for (uint32_t n = 0; n < w->words; n++) from->bits[n] &= ~less->bits[n];
}

/* Registers on which pairs depend are written: operations in flight lose their pairs (backward:
 * operations that come lose them). */
static void change_registers(const struct solver *s, uint32_t first, uint32_t end,
                             struct sides *sides)
{
    for (uint32_t m = first; m < end; m++) {
        const struct window_set *lost = &s->window->masks[s->window->written[m]];
        for (uint32_t n = 0; n < s->window->words; n++)
            sides->changed.bits[n] |=
                s->backward ? lost->bits[n] : lost->bits[n] & sides->ops.bits[n];
    }
}

static inline void window_pass(const struct solver *s, const struct window_point *point,
                               struct sides *sides)
{
    const struct window *w = s->window;
    bool first_only = s->next_only && s->backward;
    if (point->is_fence && !first_only) {
        *sides = (struct sides){0};
        return;
    }
    if (point->issues) {
        if (first_only && point->class) *sides = (struct sides){0};
        window_set_add(&sides->ops, point->class);
        s->last[point->class] = point->instr;
    }
    if (!s->backward && point->waits == EFFECT_WAIT_LD) remove_all(w, &sides->ops, &w->loads);
    if (!s->backward && point->waits == EFFECT_WAIT_ST) remove_all(w, &sides->ops, &w->stores);
    uint32_t first = point == w->points ? 0 : point[-1].masks_end;
    if (first < point->masks_end) change_registers(s, first, point->masks_end, sides);
}

static bool sides_grow(const struct window *w, struct sides *into, const struct sides *more)
{
    bool ops = window_unite(w, &into->ops, &more->ops);
    bool changed = window_unite(w, &into->changed, &more->changed);
    return ops || changed;
}

/* The k-th point of the block in the direction of the solver. */
static const struct window_point *point_at(const struct solver *s, uint32_t block, uint32_t k)
{
    const uint32_t *first = &s->analysis->watch->points[WATCH_PAIRS].first[block];
    return &s->window->points[s->backward ? first[1] - 1 - k : first[0] + k];
}

static uint32_t point_count(const struct solver *s, uint32_t block)
{
    const uint32_t *first = s->analysis->watch->points[WATCH_PAIRS].first;
    return first[block + 1] - first[block];
}

static void window_flow(const struct solver *s, uint32_t block, const struct sides *sides)
{
    const struct block *b = &s->analysis->cfg->blocks[block];
    const uint32_t *to = s->backward ? &s->analysis->cfg->preds[b->first_pred]
                                     : &s->analysis->cfg->succs[b->first_succ];
    uint32_t count = s->backward ? b->pred_count : b->succ_count;
    for (uint32_t n = 0; n < count; n++)
        if (sides_grow(s->window, &s->at[to[n]], sides)) rounds_want(s->rounds, to[n]);
}

static void window_walk_block(const struct solver *s, uint32_t block)
{
    struct sides sides = s->at[block];
    uint32_t count = point_count(s, block);
    work_spend(count + 1);
    for (uint32_t k = 0; k < count; k++) {
        const struct window_point *point = point_at(s, block, k);
        if (!s->analysis->deleted[point->instr]) window_pass(s, point, &sides);
    }
    window_flow(s, block, &sides);
}

/* Solves in the order of the text, or against it; blocks are repeated if an edge in the other
 * direction has changed them. It begins with the blocks whose points add to an empty set; other
 * blocks follow when a set reaches them. */
static void window_solve(const struct solver *s)
{
    uint32_t count = s->analysis->cfg->count, block;
    for (uint32_t b = 0; b < count; b++)
        if (s->analysis->cfg->blocks[b].reachable && s->window->begins[b] >> s->backward & 1)
            rounds_want(s->rounds, b);
    while (rounds_next(s->rounds, &block)) window_walk_block(s, block);
}

static void window_start(struct solver *s, const struct analysis *analysis, bool backward,
                         bool next_only)
{
    *s = (struct solver){analysis, analysis->window, backward, next_only, NULL, NULL, NULL};
    s->at = mem_zalloc(analysis->cfg->count, sizeof *s->at);
    s->last = mem_zalloc(s->window->count, sizeof *s->last);
    struct rounds rounds;
    rounds_init(&rounds, analysis->cfg->count, backward);
    s->rounds = &rounds;
    if (!backward && !analysis->function->is_entry) window_set_add(&s->at[0].ops, 0);
    window_solve(s);
    rounds_free(&rounds);
    s->rounds = NULL;
}

static void window_finish(struct solver *s)
{
    mem_free(s->at);
    mem_free(s->last);
}

/* The smallest class of a set; w->count if the set is empty. */
static uint32_t first_class(const struct window *w, const struct window_set *set)
{
    for (uint32_t n = 0; n < w->words; n++)
        if (set->bits[n]) return n * 64 + (uint32_t)__builtin_ctzll(set->bits[n]);
    return w->count;
}

/* Passes a block that has no site: updates only s->last. */
static void pass_over_block(const struct solver *s, uint32_t block)
{
    uint32_t points = point_count(s, block);
    for (uint32_t k = 0; k < points; k++) {
        const struct window_point *point = point_at(s, block, k);
        if (point->issues && !s->analysis->deleted[point->instr])
            s->last[point->class] = point->instr;
    }
}

/* Sets sides[k] to the sides at at[k], and examples[k] to an operation of them, the nearest in the
 * text. */
static void window_collect(struct solver *s, const uint32_t *at, uint32_t count,
                           struct sides *sides, uint32_t *examples)
{
    const struct cfg *cfg = s->analysis->cfg;
    uint32_t left = count;
    for (uint32_t n = 0; n < cfg->count && left; n++) {
        uint32_t b = s->backward ? cfg->count - 1 - n : n, points = point_count(s, b);
        uint32_t next = s->backward ? left - 1 : count - left;
        work_spend(points);
        if (cfg->block_of[at[next]] != b) {
            pass_over_block(s, b);
            continue;
        }
        struct sides here = s->at[b];
        for (uint32_t k = 0; k < points && left; k++) {
            const struct window_point *point = point_at(s, b, k);
            next = s->backward ? left - 1 : count - left;
            if (at[next] == point->instr) {
                sides[next] = here;
                uint32_t class = first_class(s->window, &here.ops);
                if (class < s->window->count) examples[next] = s->last[class];
                left--;
            }
            if (!s->analysis->deleted[point->instr]) window_pass(s, point, &here);
        }
    }
}

/* ---- the answers ---- */

static bool any_common(const struct window *w, const struct window_set *a,
                       const struct window_set *b)
{
    uint64_t any = 0;
    for (uint32_t n = 0; n < w->words; n++) any |= a->bits[n] & b->bits[n];
    return any;
}

static bool window_set_includes(const struct window *w, const struct window_set *all,
                                const struct window_set *some)
{
    for (uint32_t n = 0; n < w->words; n++)
        if (some->bits[n] & ~all->bits[n]) return false;
    return true;
}

static void window_judge(const struct analysis *analysis, const struct sides *before,
                         const struct sides *behind, struct window_answer *answer)
{
    const struct window *w = analysis->window;
    work_spend(w->count);
    answer->has_before = first_class(w, &before->ops) < w->count;
    answer->has_behind = first_class(w, &behind->ops) < w->count;
    answer->pipelined = true;
    if (!answer->has_before || !answer->has_behind) return;
    answer->pipelined = !any_common(w, &before->ops, &before->changed) &&
                        !any_common(w, &before->ops, &behind->changed);
    for (uint32_t x = 0; x < w->count && answer->pipelined; x++) {
        if (!window_set_has(&before->ops, x)) continue;
        find_pairs(analysis, x, &behind->ops);
        answer->pipelined = window_set_includes(w, &w->pairs[x], &behind->ops);
        if (any_common(w, &w->by_scales[x], &behind->ops))
            answer->assumptions |= ASSUME_SCALES_FOLLOW_CP;
        if (any_common(w, &w->by_9_4[x], &behind->ops)) answer->assumptions |= ASSUME_ISA_9_4_PAIRS;
    }
}

static bool any_open(const struct verdict *verdicts, uint32_t count)
{
    for (uint32_t k = 0; k < count; k++)
        if (verdicts[k].reason == REASON_NONE) return true;
    return false;
}

void window_run(const struct analysis *analysis, const uint32_t *at, uint32_t count, bool next_only,
                const struct verdict *open, struct window_answer *answers)
{
    const struct window *w = analysis->window;
    if (!any_open(open, count)) return;
    if (!w->count) {
        watch_begin(analysis);
        window_build(analysis);
    }
    if (w->count > WINDOW_CLASSES) {
        for (uint32_t k = 0; k < count; k++)
            answers[k] = (struct window_answer){true, true, at[k], at[k], false, 0};
        return;
    }
    if (!w->points) window_find_points(analysis);
    struct sides *sides = mem_zalloc(2 * (size_t)count, sizeof *sides);
    uint32_t *examples = mem_alloc(2 * (size_t)count * sizeof *examples);
    memset(examples, 0xff, 2 * (size_t)count * sizeof *examples);
    for (uint32_t backward = 0; backward < 2; backward++) {
        struct solver s;
        window_start(&s, analysis, backward, next_only);
        window_collect(&s, at, count, sides + (size_t)backward * count,
                       examples + (size_t)backward * count);
        window_finish(&s);
    }
    for (uint32_t k = 0; k < count; k++) {
        if (open[k].reason != REASON_NONE) continue;
        answers[k] = (struct window_answer){.before = examples[k], .behind = examples[count + k]};
        window_judge(analysis, &sides[k], &sides[count + k], &answers[k]);
    }
    mem_free(sides);
    mem_free(examples);
}
