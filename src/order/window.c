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
static void find_pairs(const struct analysis *analysis, uint32_t x, const uint64_t *among)
{
    const struct window *w = analysis->window;
    for (uint32_t n = 0; x && n < w->words; n++) {
        uint64_t asked = among[n] & ~w->asked[x].bits[n];
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

/* Rules ask about fences, waits and commits. */
static bool may_be_asked(const struct analysis *analysis, uint32_t i)
{
    enum effect effect = analysis_effect(analysis, i);
    return effect_is_wait_or_fence(effect) || effect == EFFECT_COMMIT;
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
        if (may_be_asked(analysis, point->instr)) point->place = ++w->place_count;
        point->masks_end = written.count;
    }
    w->written = copy_to_arena(analysis->arena, written.at, written.count, sizeof *w->written);
    vec_free(&written);
    w->gone = arena_alloc(analysis->arena, of->at.count + 1, sizeof *w->gone);
    for (unsigned backward = 0; backward < 2; backward++) {
        struct window_solution *solution = &w->solutions[backward];
        size_t words = 2 * (size_t)w->words;
        solution->at = arena_room(analysis->arena, analysis->cfg->count * words, sizeof(uint64_t));
        solution->at_place = arena_room(analysis->arena, w->place_count * words, sizeof(uint64_t));
        solution->last = arena_room(analysis->arena, w->count, sizeof *solution->last);
    }
}

/* ---- the operations on each side of a place ---- */

/* The sets on one side of a place, w->words words each: the operations; then the classes with a
 * register that was written: since their operation, or (backward) before it. */
typedef uint64_t sides[2 * WINDOW_WORDS];

struct solver {
    const struct analysis *analysis;
    const struct window *window;
    bool backward, next_only;
    uint64_t *at;       /* by block, as sides: at the end from which the solver enters it */
    uint64_t *at_place; /* by place, as sides */
    uint32_t *last;     /* by class: the last instruction of it that the solver has passed */
    struct rounds *rounds;
};

/* In the functions below, words is that of the window: in most kernels 1, a constant for the
 * compiler where window_solve calls them. */
#define INLINE static inline __attribute__((always_inline))

INLINE uint64_t *sides_at(const struct solver *s, uint32_t block, uint32_t words)
{
    return &s->at[(size_t)block * 2 * words];
}

INLINE uint64_t *sides_at_place(const struct solver *s, const struct window_point *point,
                                uint32_t words)
{
    return &s->at_place[(size_t)(point->place - 1) * 2 * words];
}

INLINE void sides_copy(uint64_t *to, const uint64_t *from, uint32_t words)
{
    for (uint32_t n = 0; n < 2 * words; n++) to[n] = from[n];
}

INLINE void sides_clear(uint64_t *of, uint32_t words)
{
    for (uint32_t n = 0; n < 2 * words; n++) of[n] = 0;
}

/* Adds *more to *into. True if *into has changed. */
INLINE bool sides_grow(uint64_t *into, const uint64_t *more, uint32_t words)
{
    uint64_t grown = 0;
    for (uint32_t n = 0; n < 2 * words; n++) {
        grown |= more[n] & ~into[n];
        into[n] |= more[n];
    }
    return grown;
}

INLINE void remove_all(uint64_t *from, const struct window_set *less, uint32_t words)
{
    for (uint32_t n = 0; n < words; n++) from[n] &= ~less->bits[n];
}

/* Registers on which pairs depend are written: operations in flight lose their pairs (backward:
 * operations that come lose them). */
INLINE void change_registers(const struct solver *s, uint32_t first, uint32_t end, uint64_t *of,
                             uint32_t words)
{
    for (uint32_t m = first; m < end; m++) {
        const struct window_set *lost = &s->window->masks[s->window->written[m]];
        for (uint32_t n = 0; n < words; n++)
            of[words + n] |= s->backward ? lost->bits[n] : lost->bits[n] & of[n];
    }
}

INLINE void window_pass(const struct solver *s, const struct window_point *point, uint64_t *of,
                        uint32_t words)
{
    const struct window *w = s->window;
    bool first_only = s->next_only && s->backward;
    if (point->is_fence && !first_only) {
        sides_clear(of, words);
        return;
    }
    if (point->issues) {
        if (first_only && point->class) sides_clear(of, words);
        of[point->class / 64] |= 1ull << point->class % 64;
        s->last[point->class] = point->instr;
    }
    if (!s->backward && point->waits == EFFECT_WAIT_LD) remove_all(of, &w->loads, words);
    if (!s->backward && point->waits == EFFECT_WAIT_ST) remove_all(of, &w->stores, words);
    uint32_t first = point == w->points ? 0 : point[-1].masks_end;
    if (first < point->masks_end) change_registers(s, first, point->masks_end, of, words);
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

INLINE void window_flow(const struct solver *s, uint32_t block, const uint64_t *out, uint32_t words)
{
    const struct block *b = &s->analysis->cfg->blocks[block];
    const uint32_t *to = s->backward ? &s->analysis->cfg->preds[b->first_pred]
                                     : &s->analysis->cfg->succs[b->first_succ];
    uint32_t count = s->backward ? b->pred_count : b->succ_count;
    for (uint32_t n = 0; n < count; n++)
        if (sides_grow(sides_at(s, to[n], words), out, words)) rounds_want(s->rounds, to[n]);
}

INLINE void window_walk_block(const struct solver *s, uint32_t block, uint32_t words)
{
    sides here;
    uint32_t count = point_count(s, block);
    work_spend(count + 1);
    sides_copy(here, sides_at(s, block, words), words);
    for (uint32_t k = 0; k < count; k++) {
        const struct window_point *point = point_at(s, block, k);
        if (point->place) sides_copy(sides_at_place(s, point, words), here, words);
        if (!s->analysis->deleted[point->instr]) window_pass(s, point, here, words);
    }
    window_flow(s, block, here, words);
}

/* Solves in the order of the text, or against it; blocks are repeated if an edge in the other
 * direction has changed them. It begins with the blocks whose points add to an empty set; other
 * blocks follow when a set reaches them. */
static void window_solve(struct solver *s)
{
    uint32_t count = s->analysis->cfg->count, words = s->window->words, block;
    struct rounds rounds;
    rounds_init(&rounds, count, s->backward);
    s->rounds = &rounds;
    memset(s->at, 0, (size_t)count * 2 * words * sizeof *s->at);
    memset(s->at_place, 0, (size_t)s->window->place_count * 2 * words * sizeof *s->at_place);
    memset(s->last, 0, s->window->count * sizeof *s->last);
    if (!s->backward && !s->analysis->function->is_entry) {
        s->at[0] |= 1;
        rounds_want(&rounds, 0);
    }
    for (uint32_t b = 0; b < count; b++)
        if (s->analysis->cfg->blocks[b].reachable && s->window->begins[b] >> s->backward & 1)
            rounds_want(&rounds, b);
    while (rounds_next(&rounds, &block))
        if (words == 1)
            window_walk_block(s, block, 1);
        else
            window_walk_block(s, block, words);
    rounds_free(&rounds);
    s->rounds = NULL;
}

/* Whether the solutions of window are for the removals of now; notes these removals otherwise. */
static bool note_removals(const struct analysis *analysis)
{
    struct window *w = analysis->window;
    uint32_t count = analysis->watch->points[WATCH_PAIRS].at.count;
    bool same = true;
    work_spend(count / 8);
    for (uint32_t p = 0; p < count; p++) {
        bool gone = analysis->deleted[w->points[p].instr];
        same &= w->gone[p] == gone;
        w->gone[p] = gone;
    }
    return same;
}

/* Solves in this direction, unless the solution of the last call is still right. */
static void window_start(struct solver *s, const struct analysis *analysis, bool backward,
                         bool next_only)
{
    struct window_solution *solution = &analysis->window->solutions[backward];
    *s = (struct solver){.analysis = analysis,
                         .window = analysis->window,
                         .backward = backward,
                         .next_only = next_only,
                         .at = solution->at,
                         .at_place = solution->at_place,
                         .last = solution->last};
    bool same = solution->is_solved && (!backward || solution->next_only == next_only);
    if (!same) window_solve(s);
    solution->is_solved = true;
    solution->next_only = next_only;
}

/* The smallest class of a set; w->count if the set is empty. */
static uint32_t first_class(const struct window *w, const uint64_t *set)
{
    for (uint32_t n = 0; n < w->words; n++)
        if (set[n]) return n * 64 + (uint32_t)__builtin_ctzll(set[n]);
    return w->count;
}

/* Sets found[k] to the sides at at[k], and examples[k] to an operation of them, the nearest in the
 * text. */
static void window_collect(const struct solver *s, const uint32_t *at, uint32_t count,
                           const uint64_t **found, uint32_t *examples)
{
    const struct window *w = s->window;
    uint32_t points = s->analysis->watch->points[WATCH_PAIRS].at.count, left = count;
    uint32_t *last = mem_alloc(w->count * sizeof *last);
    memcpy(last, s->last, w->count * sizeof *last);
    work_spend(points);
    for (uint32_t p = 0; p < points && left; p++) {
        const struct window_point *point = &w->points[s->backward ? points - 1 - p : p];
        uint32_t next = s->backward ? left - 1 : count - left;
        if (point->instr == at[next]) {
            found[next] = sides_at_place(s, point, w->words);
            uint32_t class = first_class(w, found[next]);
            if (class < w->count) examples[next] = last[class];
            left--;
        }
        if (point->issues && !s->analysis->deleted[point->instr]) last[point->class] = point->instr;
    }
    mem_free(last);
}

/* ---- the answers ---- */

static bool any_common(const struct window *w, const uint64_t *a, const uint64_t *b)
{
    uint64_t any = 0;
    for (uint32_t n = 0; n < w->words; n++) any |= a[n] & b[n];
    return any;
}

static bool window_set_includes(const struct window *w, const uint64_t *all, const uint64_t *some)
{
    for (uint32_t n = 0; n < w->words; n++)
        if (some[n] & ~all[n]) return false;
    return true;
}

static void window_judge(const struct analysis *analysis, const uint64_t *before,
                         const uint64_t *behind, struct window_answer *answer)
{
    const struct window *w = analysis->window;
    work_spend(w->count);
    answer->has_before = first_class(w, before) < w->count;
    answer->has_behind = first_class(w, behind) < w->count;
    answer->pipelined = true;
    if (!answer->has_before || !answer->has_behind) return;
    answer->pipelined =
        !any_common(w, before, before + w->words) && !any_common(w, before, behind + w->words);
    for (uint32_t x = 0; x < w->count && answer->pipelined; x++) {
        if (!(before[x / 64] >> x % 64 & 1)) continue;
        find_pairs(analysis, x, behind);
        answer->pipelined = window_set_includes(w, w->pairs[x].bits, behind);
        if (any_common(w, w->by_scales[x].bits, behind))
            answer->assumptions |= ASSUME_SCALES_FOLLOW_CP;
        if (any_common(w, w->by_9_4[x].bits, behind)) answer->assumptions |= ASSUME_ISA_9_4_PAIRS;
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
    struct window *w = analysis->window;
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
    if (!note_removals(analysis)) w->solutions[0].is_solved = w->solutions[1].is_solved = false;
    const uint64_t **found = mem_alloc(2 * (size_t)count * sizeof *found);
    uint32_t *examples = mem_alloc(2 * (size_t)count * sizeof *examples);
    memset(examples, 0xff, 2 * (size_t)count * sizeof *examples);
    for (uint32_t backward = 0; backward < 2; backward++) {
        struct solver s;
        window_start(&s, analysis, backward, next_only);
        window_collect(&s, at, count, found + (size_t)backward * count,
                       examples + (size_t)backward * count);
    }
    for (uint32_t k = 0; k < count; k++) {
        if (open[k].reason != REASON_NONE) continue;
        answers[k] = (struct window_answer){.before = examples[k], .behind = examples[count + k]};
        window_judge(analysis, found[k], found[count + k], &answers[k]);
    }
    mem_free(found);
    mem_free(examples);
}
