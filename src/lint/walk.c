/* Searches the paths that a thread may take from an instruction. The search visits blocks together
 * with the conditions of the path that leads to them. See walk.h. */
#include "lint/walk.h"

#include "lint/path_condition.h"
#include "lint/sketch.h"
#include "lint/walk_stops.h"
#include "lint/walk_visits.h"

/* If paths reach a block with more than VARIANTS_MAX different sets of conditions, the walk keeps
 * only the conditions on fixed values; above VARIANTS_FIXED_MAX, only the conditions that hold at
 * the block on all paths. */
enum { VISITS_MAX = 2500, VARIANTS_MAX = 16, VARIANTS_FIXED_MAX = 32 };

/* What a path does at a node. */
enum passing {
    PASSING_START, /* it starts behind the instruction */
    PASSING_EDGE,  /* it takes an edge out of a block */
    PASSING_SIDES, /* it goes from a branch to the block in which both sides join */
    PASSING_RUNS,  /* it executes the guarded instruction */
    PASSING_SKIPS  /* the guard is false */
};

/* A step of a path. Nodes form a tree: each points to the previous step of its path. */
struct node {
    uint32_t parent; /* of the start: UINT32_MAX */
    enum passing passing;
    uint32_t instr; /* of PASSING_EDGE: the branch at the end of the block; NO_INSTR if the block
                       is empty */
    uint32_t block, edge; /* of PASSING_EDGE: the block, and an index into cfg->succs; of
                             PASSING_SIDES: the block */
    uint32_t made;        /* the visit that the step leads to; NO_VISIT: none */
};

struct visit {
    uint32_t block, at; /* at: the next instruction */
    uint32_t node;
    unsigned state;
    struct path_condition known;
    bool vague; /* the walk has dropped a condition of the path */
};

/* The number of different sets of conditions with which the walk has reached a block. */
struct variants {
    uint32_t count, stamp;
};

/* The buffers of one walk, which later walks use again. */
struct space {
    struct space *next;
    struct VEC(struct node) nodes;
    struct VEC(struct visit) open;
    struct visits visits;
    struct variants *variants; /* by block */
    struct sketch *sketch;     /* NULL: not needed yet */
};

/* What the walks of a question have found. Later questions use it again. */
struct walk_memory {
    struct walk_memory *next; /* of all */
    struct walk_memory *free; /* of those that no question uses */
    struct visits visits;
    struct sketch *sketch;
};

struct walks {
    struct walk_stops stops;
    struct space *unused;
    struct walk_memory *memories, *free_memories;
};

struct walking {
    const struct lint *lint;
    uint32_t interest;
    walk_look *look;
    void *context;
    const bool *leads; /* by block: the path may continue in it; NULL: in any block */
    uint32_t to;       /* if leads is not NULL: the instruction to which the blocks lead */
    /* the states in which a path may continue in a block; NULL: in any state */
    const struct sketch *sketch;
    struct space *space;
    struct walk_memory *memory; /* of the question; NULL: none */
    bool any;                   /* the caller needs no path */
    uint32_t visits, found, found_node;
    unsigned found_state;
    struct path_condition first_known; /* at the start */
    bool gave_up, found_vague;
    bool remembered; /* the path is where an earlier one has led on */
};

struct walks *walks_build(struct lint *lint)
{
    struct walks *walks = arena_alloc(lint->arena, 1, sizeof *walks);
    walk_stops_find(lint, &walks->stops);
    return walks;
}

uint32_t walk_bits_behind(const struct lint *lint, uint32_t instr)
{
    return lint->walks->stops.reaches[lint->cfg->block_of[instr]];
}

/* ---- buffers ---- */

/* A look may begin another walk, so each walk in progress has its own buffers. */
static struct space *take_space(const struct lint *lint)
{
    enum { PLACES_AT_FIRST = 64 };
    struct walks *walks = lint->walks;
    struct space *space = walks->unused;
    if (space) {
        walks->unused = space->next;
    } else {
        space = arena_alloc(lint->arena, 1, sizeof *space);
        visits_begin(&space->visits, PLACES_AT_FIRST);
        space->variants = arena_alloc(lint->arena, lint->cfg->count, sizeof *space->variants);
    }
    visits_clear(&space->visits);
    space->nodes.count = space->open.count = 0;
    return space;
}

static void give_back_space(struct walks *walks, struct space *space)
{
    space->next = walks->unused;
    walks->unused = space;
}

void walks_free(struct walks *walks)
{
    for (struct space *space = walks->unused; space; space = space->next) {
        vec_free(&space->nodes);
        vec_free(&space->open);
        visits_free(&space->visits);
        if (space->sketch) sketch_free(space->sketch);
    }
    for (struct walk_memory *memory = walks->memories; memory; memory = memory->next) {
        visits_free(&memory->visits);
        sketch_free(memory->sketch);
    }
}

/* ---- the search ---- */

static struct made made_of(const struct lint *lint, const struct visit *visit)
{
    uint32_t set = visit->known.set;
    return (struct made){.bits = path_condition_bits(lint, set),
                         .set = set,
                         .block = visit->block,
                         .at = visit->at,
                         .state = visit->state,
                         .vague = visit->vague};
}

/* What a path finds from where the visit is made is known: nothing, or something, and then
 * w->remembered is true. from: the last node of the path. */
static bool is_remembered(struct walking *w, const struct visit *visit, uint32_t from)
{
    struct made made = made_of(w->lint, visit);
    enum visits_tell tell = visits_tell(w->lint, &w->memory->visits, &made, w->any);
    if (tell == VISITS_LEAD) {
        w->remembered = true;
        w->found_node = from;
        w->found_vague = visit->vague;
    }
    return tell != VISITS_UNKNOWN;
}

static void remember_walk(struct walking *w)
{
    const struct node *nodes = w->space->nodes.at;
    const struct visits *visits = &w->space->visits;
    bool leads = w->remembered || w->found != NO_INSTR;
    if (w->gave_up) return;
    lint_spend(w->lint, visits->made.count);
    for (uint32_t i = 0; !leads && i < visits->made.count; i++)
        visits_remember(&w->memory->visits, visits->made.at[i], false);
    /* Where the path was not vague yet, the rest of it may be vague for another reason. */
    for (uint32_t n = w->found_node; leads && n != UINT32_MAX; n = nodes[n].parent) {
        uint32_t made = nodes[n].made;
        if (made != NO_VISIT && visits->made.at[made].vague >= w->found_vague)
            visits_remember(&w->memory->visits, visits->made.at[made], true);
    }
}

static uint32_t add_node(struct space *space, const struct node *node)
{
    vec_push(&space->nodes, *node);
    return space->nodes.count - 1;
}

/* Whatever the conditions of the path are, the visit may find something. */
static bool may_lead(const struct walking *w, const struct visit *visit)
{
    lint_spend(w->lint, 1);
    bool none = w->interest && !(w->lint->walks->stops.reaches[visit->block] & w->interest);
    if (w->leads ? !w->leads[visit->block] : none) return false;
    return !w->sketch || sketch_leads(w->sketch, visit->block, visit->at, visit->state);
}

/* Adds the visit, which may lead and which the step leads to, to those that are still to be made,
 * unless it is not needed. step: NULL at the start. */
static void open_visit(struct walking *w, struct visit *visit, const struct node *step)
{
    struct variants *variants = &w->space->variants[visit->block];
    uint32_t known = visit->known.set;
    if (w->memory && is_remembered(w, visit, step ? step->parent : UINT32_MAX)) return;
    if (variants->stamp != w->space->visits.stamp)
        *variants = (struct variants){.stamp = w->space->visits.stamp};
    if (variants->count > VARIANTS_FIXED_MAX)
        visit->known = path_condition_of_block(w->lint, visit->block);
    else if (variants->count > VARIANTS_MAX)
        path_condition_keep_fixed(w->lint, &visit->known);
    visit->vague |= visit->known.set != known || visit->known.lost;
    struct made made = made_of(w->lint, visit);
    if (!visits_add(w->lint, &w->space->visits, &made)) return;
    variants->count++;
    if (++w->visits > VISITS_MAX) {
        w->gave_up = true;
        return;
    }
    if (step) {
        visit->node = add_node(w->space, step);
        w->space->nodes.at[visit->node].made = w->space->visits.made.count - 1;
    }
    vec_push(&w->space->open, *visit);
}

/* Continues where both sides of the branch at the end of the block join. */
static void follow_sides(struct walking *w, const struct visit *from, uint32_t join)
{
    const struct block *block = &w->lint->cfg->blocks[from->block];
    struct node step = {from->node, PASSING_SIDES, block->end - 1, from->block, 0, NO_VISIT};
    struct visit next = *from;
    next.block = join;
    next.at = w->lint->cfg->blocks[join].first;
    if (!may_lead(w, &next)) return;
    path_condition_join(w->lint, &next.known, from->block, join);
    open_visit(w, &next, &step);
}

/* The instruction that the walk leads to is on a side of the branch at the end of the block. */
static bool is_between(const struct walking *w, uint32_t block, uint32_t join)
{
    uint32_t to = w->lint->cfg->block_of[w->to];
    return block < to && to < join;
}

static void follow_block(struct walking *w, const struct visit *from)
{
    const struct block *block = &w->lint->cfg->blocks[from->block];
    uint32_t join = walk_stops_join(&w->lint->walks->stops, from->block, w->interest);
    uint32_t last = block->first < block->end ? block->end - 1 : NO_INSTR;
    if (join != NO_JOIN && !(w->leads && is_between(w, from->block, join))) {
        follow_sides(w, from, join);
        return;
    }
    for (uint32_t i = 0; i < block->succ_count; i++) {
        struct node step = {from->node,  PASSING_EDGE,          last,
                            from->block, block->first_succ + i, NO_VISIT};
        struct visit next = *from;
        next.block = w->lint->cfg->succs[step.edge];
        next.at = w->lint->cfg->blocks[next.block].first;
        if (may_lead(w, &next) &&
            path_condition_follow(w->lint, &next.known, from->block, step.edge))
            open_visit(w, &next, &step);
    }
}

static bool is_of_interest(const struct walking *w, uint32_t i)
{
    return !w->interest || w->interest & walk_bits(w->lint, i) || (w->leads && i == w->to);
}

/* Calls look for instruction i, which is executed, if it is of interest. */
static enum walk_does look_in_visit(struct walking *w, struct visit *visit, uint32_t i)
{
    if (!is_of_interest(w, i)) return WALK_ON;
    enum walk_does does = w->look(w->context, w->lint, i, &visit->state);
    if (does == WALK_FOUND) {
        w->found = i;
        w->found_node = visit->node;
        w->found_state = visit->state;
        w->found_vague = visit->vague;
    }
    return does;
}

static bool ends_path(enum walk_does does)
{
    return does == WALK_END || does == WALK_FOUND;
}

/* Passes instruction i, which is executed. False if the path does not continue. */
static bool visit_instruction(struct walking *w, struct visit *visit, uint32_t i)
{
    if (ends_path(look_in_visit(w, visit, i))) return false;
    path_condition_run(w->lint, &visit->known, i);
    return true;
}

/* Passes an instruction whose guard may be true or false: by a path that executes it, and one that
 * does not, or by one path if that makes no difference. False if the path that executes it has
 * ended. */
static bool try_both(struct walking *w, struct visit *visit, uint32_t i)
{
    struct node skips = {visit->node, PASSING_SKIPS, i, 0, 0, NO_VISIT};
    struct visit without = *visit;
    enum walk_does does = WALK_END;
    if (path_condition_assume(w->lint, &visit->known, i, true)) {
        visit->node =
            add_node(w->space, &(struct node){visit->node, PASSING_RUNS, i, 0, 0, NO_VISIT});
        does = look_in_visit(w, visit, i);
    }
    bool same = does == WALK_ON && visit->state == without.state;
    if (same && lint_effect(w->lint, i) != EFFECT_EXIT && !path_condition_changes(w->lint, i)) {
        *visit = without;
        return true;
    }
    without.at = i + 1;
    if (may_lead(w, &without) && path_condition_assume(w->lint, &without.known, i, false))
        open_visit(w, &without, &skips);
    if (ends_path(does)) return false;
    path_condition_run(w->lint, &visit->known, i);
    return true;
}

static bool ask_guarded(struct walking *w, struct visit *visit, uint32_t i)
{
    enum truth truth = path_condition_guard(w->lint, visit->known, i);
    bool matters = is_of_interest(w, i) || path_condition_changes(w->lint, i);
    if (truth == TRUTH_UNKNOWN && matters) return try_both(w, visit, i);
    return visit_instruction(w, visit, i);
}

static bool is_guarded_exit(const struct instr *instr)
{
    return instr->opcode->effect == EFFECT_EXIT && instr->guard != REG_NONE;
}

/* Passes one instruction. False if the path has ended. */
static bool pass(struct walking *w, struct visit *visit, uint32_t i)
{
    const struct instr *instr = &w->lint->function->instrs[i];
    bool asked = is_of_interest(w, i), exits = instr->opcode->effect == EFFECT_EXIT;
    if (!asked && !exits && !path_condition_changes(w->lint, i)) return true;
    if (instr->opcode->traits & (OPCODE_BRANCH | OPCODE_TABLE_BRANCH)) return true;
    if (path_condition_guard(w->lint, visit->known, i) == TRUTH_NO) return true;
    if (is_guarded_exit(instr) && !asked) {
        visit->node =
            add_node(w->space, &(struct node){visit->node, PASSING_SKIPS, i, 0, 0, NO_VISIT});
        return path_condition_assume(w->lint, &visit->known, i, false);
    }
    bool on = instr->guard == REG_NONE ? visit_instruction(w, visit, i) : ask_guarded(w, visit, i);
    return on && !exits;
}

/* Passes the rest of the block. */
static void walk_block(struct walking *w, struct visit *visit)
{
    const struct walk_stops *stops = &w->lint->walks->stops;
    uint32_t block = visit->block, at = visit->at, end = w->lint->cfg->blocks[block].end;
    bool on = true;
    if (!w->interest) {
        for (; at < end && on; at++) on = pass(w, visit, at);
        lint_spend(w->lint, at - visit->at);
    } else if (!stops->passes[block] || stops->effects[block] & w->interest ||
               (w->leads && block == w->lint->cfg->block_of[w->to])) {
        uint32_t first = walk_stops_behind(stops, block, at), stop = first;
        uint32_t last = stops->first[block + 1];
        for (; stop < last && on; stop++) on = pass(w, visit, stops->at[stop]);
        lint_spend(w->lint, stop - first);
    }
    if (on) follow_block(w, visit);
}

static bool is_shown(const struct node *node)
{
    return node->instr != NO_INSTR && node->passing <= PASSING_SIDES;
}

/* Adds what holds after the step. A path that is vague may contradict itself. */
static void add_conditions_of_step(const struct lint *lint, const struct node *node,
                                   struct condition_set *set)
{
    if (node->passing == PASSING_EDGE)
        (void)conditions_on_edge(lint->subject, node->block, lint->cfg->succs[node->edge], set);
    else if (node->passing == PASSING_RUNS || node->passing == PASSING_SKIPS)
        (void)condition_add(lint->subject, set, value_of_guard(lint->subject, node->instr),
                            node->passing == PASSING_RUNS);
    conditions_keep_fixed(lint->subject, set);
}

/* The steps of the path that was found, in its order. */
static const struct node **steps_of_path(const struct walking *w, uint32_t *count)
{
    const struct node *nodes = w->space->nodes.at;
    uint32_t n, k = 0;
    for (n = w->found_node; n != UINT32_MAX; n = nodes[n].parent) k++;
    const struct node **steps = arena_alloc(w->lint->arena, k, sizeof *steps);
    *count = k;
    for (n = w->found_node; n != UINT32_MAX; n = nodes[n].parent) steps[--k] = &nodes[n];
    return steps;
}

static void keep_path(const struct walking *w, struct walk_path *path)
{
    uint32_t count;
    const struct node **steps = steps_of_path(w, &count);
    path->instrs = arena_alloc(w->lint->arena, count + 1, sizeof *path->instrs);
    path->set = path_condition_set(w->lint, w->first_known);
    conditions_keep_fixed(w->lint->subject, &path->set);
    lint_spend(w->lint, count);
    for (uint32_t i = 0; i < count; i++) {
        add_conditions_of_step(w->lint, steps[i], &path->set);
        bool again = path->count == 1 && path->instrs[0] == steps[i]->instr;
        if (is_shown(steps[i]) && !again) path->instrs[path->count++] = steps[i]->instr;
    }
    path->instrs[path->count++] = w->found;
}

static bool walk_paths(struct walking *w, struct visit *first, struct walk_path *path)
{
    struct space *space = w->space;
    w->found = NO_INSTR;
    w->first_known = first->known;
    if (may_lead(w, first)) open_visit(w, first, NULL);
    while (space->open.count && w->found == NO_INSTR && !w->remembered) {
        struct visit visit = space->open.at[--space->open.count];
        walk_block(w, &visit);
    }
    *path = (struct walk_path){.found = w->found, .state = w->found_state, .gave_up = w->gave_up};
    path->vague = w->found_vague;
    if (w->found != NO_INSTR && !w->any) keep_path(w, path);
    if (w->memory) remember_walk(w);
    give_back_space(w->lint->walks, space);
    return path->found != NO_INSTR;
}

/* ---- where a walk begins ---- */

static struct visit visit_behind(const struct walking *w, uint32_t instr, unsigned state)
{
    struct visit first = {.block = w->lint->cfg->block_of[instr],
                          .at = instr + 1,
                          .state = state,
                          .node = add_node(w->space, &(struct node){UINT32_MAX, PASSING_START,
                                                                    instr, 0, 0, NO_VISIT}),
                          .known = path_condition_at(w->lint, instr)};
    if (w->lint->function->instrs[instr].guard != REG_NONE)
        (void)path_condition_assume(w->lint, &first.known, instr, true);
    return first;
}

bool walk_forward(const struct lint *lint, uint32_t instr, unsigned state, uint32_t interest,
                  walk_look *look, void *context, struct walk_path *path)
{
    struct walking w = {lint, interest, look, context, .space = take_space(lint)};
    struct visit first = visit_behind(&w, instr, state);
    return walk_paths(&w, &first, path);
}

bool walk_forward_under(const struct lint *lint, uint32_t instr, const struct condition_set *set,
                        uint32_t interest, walk_look *look, void *context, struct walk_path *path)
{
    struct walking w = {lint, interest, look, context, .space = take_space(lint)};
    struct visit first = visit_behind(&w, instr, 0);
    path_condition_run(lint, &first.known, instr);
    struct condition_set known = path_condition_set(lint, first.known);
    bool possible = true;
    lint_spend(lint, set->count);
    for (uint32_t i = 0; i < set->count && possible; i++)
        possible = condition_add(lint->subject, &known, (struct value){set->at[i].base, 0},
                                 set->at[i].holds);
    first.known = path_condition_of(lint, &known);
    if (possible) return walk_paths(&w, &first, path);
    *path = (struct walk_path){.found = NO_INSTR};
    give_back_space(lint->walks, w.space);
    return false;
}

bool walk_find(const struct lint *lint, uint32_t instr, unsigned state, uint32_t interest,
               walk_look *look, void *context, struct walk_path *path)
{
    if (!interest) return walk_forward(lint, instr, state, interest, look, context, path);
    struct space *space = take_space(lint);
    struct walking w = {lint, interest, look, context, .space = space};
    struct sketch_start start = {instr, state, interest, look, context, false};
    if (!space->sketch) space->sketch = sketch_new(lint, &lint->walks->stops);
    if (!sketch_draw(space->sketch, &start)) {
        *path = (struct walk_path){.found = NO_INSTR};
        give_back_space(lint->walks, space);
        return false;
    }
    w.sketch = space->sketch;
    struct visit first = visit_behind(&w, instr, state);
    return walk_paths(&w, &first, path);
}

bool walk_may_find(const struct lint *lint, uint32_t instr, unsigned state, uint32_t interest,
                   walk_look *look, void *context)
{
    if (!interest) return true;
    struct space *space = take_space(lint);
    struct sketch_start start = {instr, state, interest, look, context, false};
    if (!space->sketch) space->sketch = sketch_new(lint, &lint->walks->stops);
    bool may = sketch_any(space->sketch, &start);
    give_back_space(lint->walks, space);
    return may;
}

static struct walk_memory *take_memory(const struct lint *lint)
{
    enum { PLACES_AT_FIRST = 64 };
    struct walks *walks = lint->walks;
    struct walk_memory *memory = walks->free_memories;
    if (memory) {
        walks->free_memories = memory->free;
    } else {
        memory = arena_alloc(lint->arena, 1, sizeof *memory);
        visits_begin(&memory->visits, PLACES_AT_FIRST);
        memory->sketch = sketch_new(lint, &walks->stops);
        memory->next = walks->memories;
        walks->memories = memory;
    }
    visits_clear(&memory->visits);
    sketch_begin(memory->sketch);
    return memory;
}

void walk_question_end(const struct lint *lint, struct walk_question *question)
{
    struct walks *walks = lint->walks;
    if (!question->memory) return;
    question->memory->free = walks->free_memories;
    walks->free_memories = question->memory;
    question->memory = NULL;
}

/* any: the caller needs no path. */
static bool walk_answer_question(const struct lint *lint, struct walk_question *question,
                                 uint32_t instr, unsigned state, bool any, struct walk_path *path)
{
    struct sketch_start start = {
        instr, state, question->interest, question->look, question->context, true};
    *path = (struct walk_path){.found = NO_INSTR};
    if (!question->memory) question->memory = take_memory(lint);
    if (!sketch_extend(question->memory->sketch, &start)) return false;
    struct walking w = {lint,
                        question->interest,
                        question->look,
                        question->context,
                        .sketch = question->memory->sketch,
                        .space = take_space(lint),
                        .memory = question->memory,
                        .any = any};
    struct visit first = visit_behind(&w, instr, state);
    return walk_paths(&w, &first, path) || w.remembered;
}

bool walk_question_find(const struct lint *lint, struct walk_question *question, uint32_t instr,
                        unsigned state, struct walk_path *path)
{
    return walk_answer_question(lint, question, instr, state, false, path);
}

bool walk_question_leads(const struct lint *lint, struct walk_question *question, uint32_t instr,
                         unsigned state)
{
    struct walk_path path;
    return walk_answer_question(lint, question, instr, state, true, &path) || path.gave_up;
}

bool walk_under(const struct lint *lint, const struct condition_set *set, unsigned state,
                uint32_t interest, walk_look *look, void *context, struct walk_path *path)
{
    struct walking w = {lint, interest, look, context, .space = take_space(lint)};
    struct visit first = {
        .state = state, .node = UINT32_MAX, .known = path_condition_of(lint, set)};
    return walk_paths(&w, &first, path);
}

bool walk_towards(const struct lint *lint, const struct condition_set *set, uint32_t to,
                  uint32_t interest, walk_look *look, void *context, struct walk_path *path)
{
    struct walking w = {lint, interest, look, context, .space = take_space(lint)};
    struct visit first = {.node = UINT32_MAX, .known = path_condition_of(lint, set)};
    w.to = to;
    w.leads = walk_stops_lead(lint, &lint->walks->stops, lint->cfg->block_of[to]);
    return walk_paths(&w, &first, path);
}

bool walk_from_entry(const struct lint *lint, unsigned state, uint32_t interest, walk_look *look,
                     void *context, struct walk_path *path)
{
    struct condition_set all = {0};
    return walk_under(lint, &all, state, interest, look, context, path);
}
