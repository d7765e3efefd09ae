/* Where may a thread come from here? A search over blocks, each under what is known on the way to
 * it: fixed values hold for good, others until an instruction computes them anew. */
#include "lint/walk.h"

#include "value/expr.h"
#include "value/instruction.h"

enum { VISITS_MAX = 20000, VARIANTS_MAX = 16 };

struct walks {
    bool *matters;   /* by register: a guard depends on it, and it may change */
    uint32_t *stops; /* instructions that are no register work, or write what matters */
    uint32_t *first; /* by block, and one more: into stops */
};

/* One place that a path came to. */
struct node {
    uint32_t parent, instr; /* the branch behind it, or the start; parent UINT32_MAX */
};

struct visit {
    uint32_t block, at; /* the next instruction */
    uint32_t node;
    unsigned state;
    bool vague; /* something that was known on the way is no longer */
    struct condition_set set;
};

struct walking {
    const struct lint *lint;
    uint32_t interest;
    walk_look *look;
    void *context;
    struct VEC(struct node) nodes;
    struct VEC(struct visit) open;
    struct intern met;
    struct arena keys;
    struct intern blocks; /* numbered as variants */
    struct VEC(uint32_t) variants;
    uint32_t visits, found, found_node;
    unsigned found_state;
    struct condition_set found_set;
    bool gave_up, found_vague;
};

/* ---- what matters ---- */

static void note_leaves(const struct lint *lint, bool *matters, uint32_t base)
{
    const struct expr e = *value_expr(lint->subject, (struct value){base, 0});
    if (!base || e.fixed) return;
    if (e.kind == EXPR_REG) matters[e.web] = true;
    for (uint32_t u = 0; e.kind == EXPR_LOADED && u < lint->function->instrs[e.instr].use_count;
         u++) {
        const struct use *use =
            &lint->function->uses[lint->function->instrs[e.instr].first_use + u];
        if (use->write) matters[use->reg] = true;
    }
    for (int i = 0; i < 3; i++) note_leaves(lint, matters, e.a[i].base);
}

static bool is_event(const struct instr *instr)
{
    return instr->opcode->effect != EFFECT_REGISTER ||
           instr->opcode->traits & (OPCODE_BRANCH | OPCODE_TABLE_BRANCH);
}

static void find_matters(const struct lint *lint, bool *matters)
{
    for (uint32_t i = 0; i < lint->function->count; i++) {
        const struct instr *instr = &lint->function->instrs[i];
        if (instr->guard == REG_NONE || !is_event(instr)) continue;
        struct value guard = value_of_guard(lint->subject, i);
        if (!value_is_none(guard)) note_leaves(lint, matters, guard.base);
    }
}

static bool writes_what_matters(const struct lint *lint, uint32_t i)
{
    const struct instr *instr = &lint->function->instrs[i];
    for (uint32_t u = 0; u < instr->use_count; u++) {
        const struct use *use = &lint->function->uses[instr->first_use + u];
        if (use->write && lint->walks->matters[use->reg]) return true;
    }
    return false;
}

struct walks *walks_build(struct lint *lint)
{
    struct walks *walks = arena_alloc(lint->arena, 1, sizeof *walks);
    uint32_t n = lint->function->count, count = 0, block = 0;
    lint->walks = walks;
    walks->matters = arena_alloc(lint->arena, lint->function->reg_count + 1, sizeof(bool));
    walks->stops = arena_alloc(lint->arena, n, sizeof *walks->stops);
    walks->first = arena_alloc(lint->arena, lint->cfg->count + 1, sizeof *walks->first);
    find_matters(lint, walks->matters);
    for (uint32_t i = 0; i < n; i++) {
        while (block <= lint->cfg->block_of[i]) walks->first[block++] = count;
        if (is_event(&lint->function->instrs[i]) || writes_what_matters(lint, i))
            walks->stops[count++] = i;
    }
    while (block <= lint->cfg->count) walks->first[block++] = count;
    return walks;
}

/* ---- what is known changes ---- */

static bool depends(const struct lint *lint, uint32_t base, uint32_t instr, reg_id reg)
{
    const struct expr e = *value_expr(lint->subject, (struct value){base, 0});
    if (!base || e.fixed) return false;
    if (e.kind == EXPR_REG && e.web == reg) return true;
    if (e.kind == EXPR_LOADED && e.instr == instr) return true;
    for (int i = 0; i < 3; i++)
        if (depends(lint, e.a[i].base, instr, reg)) return true;
    return false;
}

static void forget(const struct lint *lint, struct condition_set *set, uint32_t instr, reg_id reg)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < set->count; i++)
        if (!depends(lint, set->at[i].base, instr, reg)) set->at[kept++] = set->at[i];
    set->count = kept;
}

/* What the instruction makes of a register that matters: a constant, or a predicate whose truth is
 * known. */
static void learn(const struct lint *lint, struct condition_set *set, uint32_t i, reg_id reg)
{
    uint32_t last;
    struct value now = value_of(lint->subject, reg), computed = VALUE_NONE;
    bool several = value_definitions(lint->subject, reg, &last) > 1;
    bool plain = lint->function->instrs[i].guard == REG_NONE &&
                 lint->function->uses[lint->function->instrs[i].first_use].reg == reg;
    if (several && plain) computed = value_computed(lint->subject, i);
    enum truth truth = condition_truth(lint->subject, set, computed);
    forget(lint, set, i, reg);
    if (value_is_none(computed) || value_expr(lint->subject, now)->kind != EXPR_REG) return;
    if (instruction_sets_predicate(lint->subject, i)) {
        if (truth != TRUTH_UNKNOWN)
            (void)condition_add(lint->subject, set, now, truth == TRUTH_YES);
    } else if (value_is_constant(computed)) {
        (void)condition_add(lint->subject, set, value_equal(lint->subject, now, computed), true);
    }
}

static void run(const struct lint *lint, struct condition_set *set, uint32_t i)
{
    const struct instr *instr = &lint->function->instrs[i];
    for (uint32_t u = 0; u < instr->use_count; u++) {
        const struct use *use = &lint->function->uses[instr->first_use + u];
        if (use->write && lint->walks->matters[use->reg]) learn(lint, set, i, use->reg);
    }
}

/* ---- the search ---- */

static void sort(struct condition_set *set)
{
    for (uint32_t i = 1; i < set->count; i++) {
        struct condition moved = set->at[i];
        uint32_t k = i;
        for (; k && set->at[k - 1].base > moved.base; k--) set->at[k] = set->at[k - 1];
        set->at[k] = moved;
    }
}

/* Paths that meet in a block with the same knowledge go on as one. */
static bool is_new(struct walking *w, const struct visit *visit)
{
    uint32_t key[3 + CONDITIONS_MAX], n = 0;
    key[n++] = visit->block;
    key[n++] = visit->at;
    key[n++] = visit->state;
    for (uint32_t i = 0; i < visit->set.count; i++)
        key[n++] = visit->set.at[i].base * 2 + visit->set.at[i].holds;
    struct str bytes = {(const char *)key, n * sizeof *key};
    if (intern_find(&w->met, 0, bytes) != INTERN_NONE) return false;
    bytes.p = arena_copy(&w->keys, bytes.p, bytes.n);
    (void)intern_add(&w->met, 0, bytes);
    return true;
}

/* How often the block was come to with other knowledge. */
static uint32_t *variants_of(struct walking *w, uint32_t block)
{
    uint32_t place = intern_add(&w->blocks, block, (struct str){"", 0});
    if (place == w->variants.count) vec_push(&w->variants, 0);
    return &w->variants.at[place];
}

static void open_visit(struct walking *w, struct visit *visit)
{
    uint32_t known = visit->set.count, *variants = variants_of(w, visit->block);
    lint_spend(w->lint, known + 1);
    if (*variants > VARIANTS_MAX) conditions_keep_fixed(w->lint->subject, &visit->set);
    visit->vague |= visit->set.count < known || visit->set.lost;
    sort(&visit->set);
    if (!is_new(w, visit)) return;
    ++*variants;
    if (++w->visits > VISITS_MAX)
        w->gave_up = true;
    else
        vec_push(&w->open, *visit);
}

static uint32_t add_node(struct walking *w, uint32_t parent, uint32_t instr)
{
    vec_push(&w->nodes, (struct node){parent, instr});
    return w->nodes.count - 1;
}

static void follow(struct walking *w, const struct visit *from)
{
    const struct block *block = &w->lint->cfg->blocks[from->block];
    uint32_t node = from->node;
    if (block->first < block->end) node = add_node(w, node, block->end - 1);
    for (uint32_t i = 0; i < block->succ_count; i++) {
        struct visit next = *from;
        next.block = w->lint->cfg->succs[block->first_succ + i];
        next.at = w->lint->cfg->blocks[next.block].first;
        next.node = node;
        if (conditions_on_edge(w->lint->subject, from->block, next.block, &next.set))
            open_visit(w, &next);
    }
}

static bool is_asked(const struct walking *w, uint32_t i)
{
    return !w->interest || w->interest & 1u << lint_effect(w->lint, i);
}

/* Asks about instruction i, which runs. False when the path does not go on. */
static bool ask(struct walking *w, struct visit *visit, uint32_t i)
{
    if (is_asked(w, i)) {
        enum walk_does does = w->look(w->context, w->lint, i, &visit->state);
        if (does == WALK_FOUND) {
            w->found = i;
            w->found_node = visit->node;
            w->found_state = visit->state;
            w->found_set = visit->set;
            w->found_vague = visit->vague;
            conditions_keep_fixed(w->lint->subject, &w->found_set);
        }
        if (does != WALK_ON) return false;
    }
    run(w->lint, &visit->set, i);
    return true;
}

/* A guarded one: with it, and, where that may be, without it. False when the path has ended. */
static bool ask_guarded(struct walking *w, struct visit *visit, uint32_t i)
{
    struct value guard = value_of_guard(w->lint->subject, i);
    enum truth truth = condition_truth(w->lint->subject, &visit->set, guard);
    if (truth == TRUTH_UNKNOWN && (is_asked(w, i) || writes_what_matters(w->lint, i))) {
        struct visit without = *visit;
        without.at = i + 1;
        if (condition_add(w->lint->subject, &without.set, guard, false)) open_visit(w, &without);
        if (!condition_add(w->lint->subject, &visit->set, guard, true)) return false;
    }
    return ask(w, visit, i);
}

static bool never_runs(const struct walking *w, const struct visit *visit, uint32_t i)
{
    return condition_truth(w->lint->subject, &visit->set, value_of_guard(w->lint->subject, i)) ==
           TRUTH_NO;
}

static bool is_guarded_exit(const struct instr *instr)
{
    return instr->opcode->effect == EFFECT_EXIT && instr->guard != REG_NONE;
}

/* The place among the stops of the block of the first one at instr or behind it. */
static uint32_t stop_behind(const struct walks *walks, uint32_t block, uint32_t instr)
{
    uint32_t low = walks->first[block], high = walks->first[block + 1];
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (walks->stops[middle] < instr)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Through the rest of its block. */
static void go_on(struct walking *w, struct visit *visit)
{
    const struct lint *lint = w->lint;
    const struct walks *walks = lint->walks;
    uint32_t end = lint->cfg->blocks[visit->block].end;
    uint32_t stop = stop_behind(walks, visit->block, visit->at);
    for (uint32_t i = visit->at; i < end; i++) {
        lint_spend(lint, 1);
        if (w->interest) {
            if (stop == walks->first[visit->block + 1]) break;
            i = walks->stops[stop++];
        }
        const struct instr *instr = &lint->function->instrs[i];
        bool branch = instr->opcode->traits & (OPCODE_BRANCH | OPCODE_TABLE_BRANCH);
        if (branch || never_runs(w, visit, i)) continue;
        if (is_guarded_exit(instr) && !is_asked(w, i)) {
            if (!condition_add(lint->subject, &visit->set, value_of_guard(lint->subject, i), false))
                return;
            continue;
        }
        bool on = instr->guard == REG_NONE ? ask(w, visit, i) : ask_guarded(w, visit, i);
        if (!on || w->found != NO_INSTR || instr->opcode->effect == EFFECT_EXIT) return;
    }
    follow(w, visit);
}

static void keep_path(const struct walking *w, struct walk_path *path)
{
    uint32_t count = 1;
    for (uint32_t n = w->found_node; n != UINT32_MAX; n = w->nodes.at[n].parent) count++;
    path->count = count;
    path->instrs = arena_alloc(w->lint->arena, count, sizeof *path->instrs);
    path->instrs[--count] = w->found;
    for (uint32_t n = w->found_node; n != UINT32_MAX; n = w->nodes.at[n].parent)
        path->instrs[--count] = w->nodes.at[n].instr;
}

static bool walk(struct walking *w, struct visit *first, struct walk_path *path)
{
    w->found = NO_INSTR;
    open_visit(w, first);
    while (w->open.count && w->found == NO_INSTR) {
        struct visit visit = w->open.at[--w->open.count];
        go_on(w, &visit);
    }
    *path = (struct walk_path){.found = w->found, .state = w->found_state, .gave_up = w->gave_up};
    path->set = w->found_set;
    path->vague = w->found_vague;
    if (w->found != NO_INSTR) keep_path(w, path);
    vec_free(&w->variants);
    intern_free(&w->blocks);
    vec_free(&w->nodes);
    vec_free(&w->open);
    intern_free(&w->met);
    arena_free(&w->keys);
    return path->found != NO_INSTR;
}

/* ---- where a walk begins ---- */

/* Runs what matters of the block, up to the instruction `end`. */
static void run_until(const struct lint *lint, struct condition_set *set, uint32_t block,
                      uint32_t end)
{
    const struct walks *walks = lint->walks;
    uint32_t stop = walks->first[block], last = walks->first[block + 1];
    lint_spend(lint, last - stop + 1);
    for (; stop < last && walks->stops[stop] < end; stop++) run(lint, set, walks->stops[stop]);
}

/* What is known at an instruction: of fixed values for good, and of others by the branches on the
 * only way to its block. */
static struct condition_set known_at(const struct lint *lint, uint32_t instr)
{
    enum { BACK_MAX = 8 };
    const struct cfg *cfg = lint->cfg;
    uint32_t way[BACK_MAX + 1], count = 0, block = cfg->block_of[instr];
    struct condition_set set = *conditions_at(lint->subject, block);
    way[count++] = block;
    while (count <= BACK_MAX && cfg->blocks[block].pred_count == 1) {
        block = cfg->preds[cfg->blocks[block].first_pred];
        way[count++] = block;
    }
    while (--count) {
        struct condition_set on = set;
        if (conditions_on_edge(lint->subject, way[count], way[count - 1], &on)) set = on;
        run_until(lint, &set, way[count - 1], count > 1 ? UINT32_MAX : instr);
    }
    return set;
}

bool walk_forward(const struct lint *lint, uint32_t instr, unsigned state, uint32_t interest,
                  walk_look *look, void *context, struct walk_path *path)
{
    struct walking w = {.lint = lint, .interest = interest, .look = look, .context = context};
    struct visit first = {.block = lint->cfg->block_of[instr],
                          .at = instr + 1,
                          .state = state,
                          .node = add_node(&w, UINT32_MAX, instr),
                          .set = known_at(lint, instr)};
    (void)condition_add(lint->subject, &first.set, value_of_guard(lint->subject, instr), true);
    return walk(&w, &first, path);
}

bool walk_under(const struct lint *lint, const struct condition_set *set, unsigned state,
                uint32_t interest, walk_look *look, void *context, struct walk_path *path)
{
    struct walking w = {.lint = lint, .interest = interest, .look = look, .context = context};
    struct visit first = {.state = state, .node = UINT32_MAX, .set = *set};
    return walk(&w, &first, path);
}

bool walk_from_entry(const struct lint *lint, unsigned state, uint32_t interest, walk_look *look,
                     void *context, struct walk_path *path)
{
    struct condition_set all = {0};
    return walk_under(lint, &all, state, interest, look, context, path);
}
