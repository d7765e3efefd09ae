/* Solves a scan for many sites at once, only over the blocks that the sites reach. Each site is
 * followed through its block. Each block that a path enters is summed up for the state in which the
 * path enters it: either the path is answered in the block, or it leaves the block in some state.
 * The answers are then propagated against the direction of the scan until they no longer change.
 * See scan.h. */
#include "order/scan.h"

#include "base/mem.h"
#include "base/vec.h"
#include "base/work.h"

/* An answer, in few bytes because a function may have many blocks. */
struct value {
    uint8_t found, reason;
    uint16_t assumptions;
    uint32_t witness;
};

_Static_assert(REASON_COUNT <= UINT8_MAX, "a reason fits a byte");

enum { ANSWERED = UINT8_MAX };

/* A path through events. */
struct path {
    struct value value; /* if leaves is ANSWERED */
    uint16_t noted;     /* the assumptions that the path has used */
    uint8_t leaves;     /* the state after the events, or ANSWERED */
    bool known;
};

/* A block together with a state in which a path enters it. */
struct node {
    struct value start;    /* the answer at the block's near end, where the scan enters it */
    uint32_t block, index; /* index: of index_of */
    uint16_t noted;
    uint8_t state, leaves;
    bool waiting;
};

struct scan_room {
    uint32_t *node_of;  /* by index_of: 1 + the index in nodes; 0 between two scans */
    uint64_t *answered; /* by index_of, one bit each: the block itself has an answer; 0 between two
                           scans */
    struct VEC(struct node) nodes;
    struct VEC(uint32_t) todo;     /* indices of nodes whose start has changed */
    struct VEC(struct path) paths; /* by scan_path_of */
    struct VEC(uint32_t) crossed;  /* indices in paths of the parts of the current site's path */
};

struct solver {
    const struct scan *scan;
    const struct cfg *cfg;
    struct scan_room *room;
    unsigned states;
    uint32_t named; /* bits 1 << effect of the effects that the table does not pass over */
    const uint32_t *at;
    uint32_t count;
    unsigned asked; /* the state in which paths leave the sites */
    uint32_t met;   /* bits 1 << state of the states in which paths leave some block */
};

/* Joins the answers of two paths. SCAN_STOP has priority. Of equal answers, one that names an
 * instruction has priority. True if *into has changed. */
static bool scan_join(struct value *into, struct value more)
{
    bool better = more.found > into->found;
    uint16_t assumptions = into->assumptions | more.assumptions;
    bool names =
        more.found == into->found && into->witness == NO_WITNESS && more.witness != NO_WITNESS;
    if (!more.found) return false;
    bool changed = better || names || assumptions != into->assumptions;
    if (better) *into = more;
    if (names) into->witness = more.witness, into->reason = more.reason;
    into->assumptions = assumptions;
    return changed;
}

/* ---- the answer of the table ---- */

static struct value answered_value(uint8_t found, enum reason reason, uint32_t i)
{
    return (struct value){found, (uint8_t)reason, 0, i};
}

/* Applies an entry whose assumption is on to instruction i. */
static struct value apply_entry(const struct scan *scan, const struct cover_entry *entry,
                                uint32_t i, unsigned *state)
{
    bool always = i == SCAN_ENTRY || analysis_always(scan->analysis, i);
    switch ((enum cover_does)entry->does) {
    case COVER_STOP: return answered_value(SCAN_STOP, entry->reason, i);
    case COVER_DONE: return answered_value(SCAN_DONE, REASON_NONE, i);
    case COVER_CERTAIN: return answered_value(always ? SCAN_DONE : SCAN_NOTHING, REASON_NONE, i);
    case COVER_MUST:
        return always ? answered_value(SCAN_DONE, REASON_NONE, i)
                      : answered_value(SCAN_STOP, entry->reason, i);
    case COVER_PASS: break;
    }
    if (always) *state |= entry->notes;
    bool enough = scan->table->enough && *state == scan->table->enough;
    return answered_value(enough ? SCAN_DONE : SCAN_NOTHING, REASON_NONE, i);
}

static const struct cover_entry *entry_at(const struct scan *scan, uint32_t i, unsigned *state)
{
    static const struct cover_entry answer = DONE;
    const struct cover_table *table = scan->table;
    if (i == SCAN_ENTRY && scan->analysis->function->is_entry)
        return *state & table->entry.only ? &table->entry : &answer;
    if (i == SCAN_ENTRY) return cover_edge(table);
    enum effect effect = analysis_effect(scan->analysis, i);
    bool leaves = effect == EFFECT_EXIT && !table->backward && !scan->analysis->function->is_entry;
    const struct cover_entry *own = leaves ? cover_edge(table) : &table->on[effect];
    return table->look ? table->look(scan, i, own, state) : own;
}

/* The answer of the path at instruction i; found is SCAN_NOTHING if the path continues, in the
 * state *state. */
static struct value scan_visit(const struct scan *scan, uint32_t i, unsigned *state)
{
    const struct cover_entry *entry = entry_at(scan, i, state);
    bool unnamed = entry->does == COVER_PASS && !entry->given && !entry->notes;
    if (unnamed || (entry->only && !(*state & entry->only)) || *state & entry->unless)
        return answered_value(SCAN_NOTHING, REASON_NONE, i);
    if (!entry->given) return apply_entry(scan, entry, i, state);
    bool holds = (scan->analysis->assumptions & entry->given) == entry->given;
    struct value here =
        holds ? apply_entry(scan, entry, i, state) : answered_value(SCAN_STOP, entry->reason, i);
    if (holds || entry->reason == REASON_ASSUMPTION) here.assumptions |= entry->given;
    return here;
}

/* ---- paths through events ---- */

/* The effects of the function for which the table has an entry, as bits 1 << effect. All effects if
 * the table has a look that may change the state anywhere. */
static uint32_t named_effects(const struct scan *scan)
{
    const struct cover_table *table = scan->table;
    if (table->look && !table->looks_at_entries) return UINT32_MAX;
    uint32_t named = 0;
    for (uint32_t left = scan->analysis->effects; left; left &= left - 1) {
        uint32_t effect = (uint32_t)__builtin_ctz(left);
        const struct cover_entry *entry = &table->on[effect];
        bool any = entry->does || entry->given || entry->notes || entry->only;
        named |= (uint32_t)any << effect;
    }
    if (!table->backward && !scan->analysis->function->is_entry) named |= 1u << EFFECT_EXIT;
    return named;
}

/* Follows a path through events [first, end) in the direction of the scan. */
static struct path scan_walk(const struct solver *s, uint32_t first, uint32_t end, unsigned state)
{
    const struct analysis *analysis = s->scan->analysis;
    const struct event *events = analysis->events.at;
    struct path path = {.known = true};
    bool backward = s->scan->table->backward;
    work_spend(end - first + 1);
    for (uint32_t k = first; k < end; k++) {
        const struct event *event = &events[backward ? first + end - 1 - k : k];
        if (!(s->named >> event->effect & 1) || analysis_passes(analysis, event->instr)) continue;
        struct value here = scan_visit(s->scan, event->instr, &state);
        path.noted |= here.assumptions;
        if (!here.found) continue;
        path.value = here;
        path.leaves = ANSWERED;
        return path;
    }
    path.leaves = (uint8_t)state;
    return path;
}

/* ---- the solution over the graph ---- */

/* The index of a block and a state. Blocks are in the order of the scan. */
static uint32_t index_of(const struct solver *s, uint32_t block, unsigned state)
{
    uint32_t turn = s->scan->table->backward ? s->cfg->count - 1 - block : block;
    return turn * s->states + state;
}

static struct node *node_at(const struct solver *s, uint32_t block, unsigned state)
{
    uint32_t number = s->room->node_of[index_of(s, block, state)];
    return number ? &s->room->nodes.at[number - 1] : NULL;
}

/* The blocks that follow this one in the direction of the scan (next), or that precede it. */
static const uint32_t *neighbour_blocks(const struct solver *s, uint32_t block, bool next,
                                        uint32_t *count)
{
    const struct block *b = &s->cfg->blocks[block];
    bool succs = next != s->scan->table->backward;
    *count = succs ? b->succ_count : b->pred_count;
    return succs ? &s->cfg->succs[b->first_succ] : &s->cfg->preds[b->first_pred];
}

/* Adds nodes for the blocks after `block`, which a path leaves in the state. */
static void scan_enter_next(struct solver *s, uint32_t block, unsigned state)
{
    uint32_t count;
    const uint32_t *next = neighbour_blocks(s, block, true, &count);
    work_spend(count);
    s->met |= 1u << state;
    for (uint32_t n = 0; n < count; n++) {
        uint32_t index = index_of(s, next[n], state), *number = &s->room->node_of[index];
        if (*number) continue;
        vec_push(&s->room->nodes, (struct node){.start = {.witness = NO_WITNESS},
                                                .block = next[n],
                                                .index = index,
                                                .state = (uint8_t)state});
        *number = s->room->nodes.count;
    }
}

static bool is_at_entry(const struct solver *s, uint32_t block)
{
    return s->scan->table->backward && block == 0;
}

/* The answer of a path at the start of the body. */
static struct value scan_entry_value(const struct solver *s, unsigned state)
{
    return scan_visit(s->scan, SCAN_ENTRY, &state);
}

static void scan_summarize_block(struct solver *s, uint32_t number)
{
    struct node *node = &s->room->nodes.at[number];
    const struct analysis *analysis = s->scan->analysis;
    const uint32_t *first = &analysis->first_event[node->block];
    struct path path = {.leaves = node->state, .known = true};
    if (analysis->effects_of[node->block] & s->named)
        path = scan_walk(s, first[0], first[1], node->state);
    bool changed = path.leaves == ANSWERED;
    node->noted = path.noted;
    node->leaves = path.leaves;
    if (changed) {
        node->start = path.value;
        node->start.assumptions = path.noted;
    } else if (is_at_entry(s, node->block)) {
        struct value before = scan_entry_value(s, path.leaves);
        before.assumptions |= path.noted;
        changed = scan_join(&node->start, before);
    }
    if (changed) s->room->answered[node->index / 64] |= 1ull << node->index % 64;
    if (path.leaves != ANSWERED) scan_enter_next(s, node->block, path.leaves);
}

static void mark_changed(struct solver *s, uint32_t number)
{
    struct node *node = &s->room->nodes.at[number];
    if (node->waiting) return;
    node->waiting = true;
    vec_push(&s->room->todo, number);
}

/* Adds the nodes that have an answer to todo, in the order of the scan, so that the result does not
 * depend on the order in which nodes were found. */
static void begin_with_answered(struct solver *s)
{
    uint32_t words = s->cfg->count * s->states / 64 + 1;
    for (uint32_t w = 0; w < words; w++) {
        for (uint64_t left = s->room->answered[w]; left; left &= left - 1)
            mark_changed(s, s->room->node_of[w * 64 + (uint32_t)__builtin_ctzll(left)] - 1);
        s->room->answered[w] = 0;
    }
}

/* Propagates answers, first in, first out, so that the answer fewest blocks away is found. */
static void scan_flow(struct solver *s)
{
    for (uint32_t next = 0; next < s->room->todo.count; next++) {
        struct node *node = &s->room->nodes.at[s->room->todo.at[next]];
        uint32_t count;
        node->waiting = false;
        const uint32_t *from = neighbour_blocks(s, node->block, false, &count);
        work_spend(count);
        for (uint32_t n = 0; n < count; n++)
            for (uint32_t met = s->met; met; met &= met - 1) {
                struct node *other = node_at(s, from[n], (unsigned)__builtin_ctz(met));
                if (!other || other->leaves != node->state) continue;
                struct value value = node->start;
                value.assumptions |= other->noted;
                if (scan_join(&other->start, value))
                    mark_changed(s, (uint32_t)(other - s->room->nodes.at));
            }
    }
}

/* The witness of a is the better one to show: it comes first in the text after the block. A witness
 * on the other side of the block, which is reached through a loop, is farther than all those. */
static bool is_nearer(const struct solver *s, uint32_t block, struct value a, struct value b)
{
    const struct block *at = &s->cfg->blocks[block];
    bool back = s->scan->table->backward;
    uint32_t to_a = back ? at->first - a.witness : a.witness - at->end; /* modulo 2^32 */
    uint32_t to_b = back ? at->first - b.witness : b.witness - at->end;
    return a.found == b.found && a.witness != NO_WITNESS && b.witness != NO_WITNESS && to_a < to_b;
}

/* The answer at the far end of a block, where the scan leaves it. */
static struct value far_end(const struct solver *s, uint32_t block, unsigned state)
{
    uint32_t count;
    const uint32_t *next = neighbour_blocks(s, block, true, &count);
    struct value best = {.witness = NO_WITNESS};
    work_spend(count);
    if (is_at_entry(s, block)) best = scan_entry_value(s, state);
    for (uint32_t n = 0; n < count; n++) {
        struct value value = node_at(s, next[n], state)->start;
        uint16_t assumptions = best.assumptions | value.assumptions;
        if (is_nearer(s, block, value, best))
            best = value, best.assumptions = assumptions;
        else
            scan_join(&best, value);
    }
    return best;
}

/* ---- the sites ---- */

/* The next site after site k in its block, in the direction of the scan; count: none. */
static uint32_t next_site(const struct solver *s, uint32_t k)
{
    const uint32_t *block_of = s->cfg->block_of;
    uint32_t next = s->scan->table->backward ? k - 1 : k + 1;
    return next < s->count && block_of[s->at[next]] == block_of[s->at[k]] ? next : s->count;
}

/* Follows a path from after site k until after the next site, or to the far end of the block. */
static struct path walk_on(const struct solver *s, uint32_t k, uint32_t next, unsigned state)
{
    const struct analysis *analysis = s->scan->analysis;
    uint32_t block = s->cfg->block_of[s->at[k]], event = analysis_event(analysis, s->at[k]);
    uint32_t to = next < s->count ? analysis_event(analysis, s->at[next]) : 0;
    if (s->scan->table->backward)
        return scan_walk(s, next < s->count ? to : analysis->first_event[block], event, state);
    return scan_walk(s, event + 1, next < s->count ? to + 1 : analysis->first_event[block + 1],
                     state);
}

/* The index in paths of the path from after site k in the state. Paths in the requested state come
 * first, so the others seldom need memory. */
static uint32_t scan_path_of(struct solver *s, uint32_t k, unsigned state)
{
    unsigned turn = state >= s->asked ? state - s->asked : state + s->states - s->asked;
    uint32_t index = turn * s->count + k;
    while (s->room->paths.count <= index) vec_push(&s->room->paths, (struct path){.known = false});
    return index;
}

/* The path from a site to the far end of its block. The part after another site is computed once
 * for all paths that pass this site in the same state. */
static struct path *scan_trace(struct solver *s, uint32_t site)
{
    struct scan_room *room = s->room;
    struct path *path;
    unsigned state = s->asked;
    room->crossed.count = 0;
    for (uint32_t k = site, next;; k = next, state = path->leaves) {
        uint32_t index = scan_path_of(s, k, state);
        path = &room->paths.at[index];
        if (path->known) break;
        next = next_site(s, k);
        *path = walk_on(s, k, next, state);
        if (path->leaves == ANSWERED || next == s->count) break;
        vec_push(&room->crossed, index);
    }
    while (room->crossed.count) {
        struct path *before = &room->paths.at[room->crossed.at[--room->crossed.count]];
        before->value = path->value;
        before->leaves = path->leaves;
        before->noted |= path->noted;
        path = before;
    }
    return path;
}

static struct scan_answer scan_answer_of(const struct solver *s, uint32_t k)
{
    const struct path *path = &s->room->paths.at[k]; /* in the requested state */
    struct value value = path->value;
    if (path->leaves != ANSWERED) value = far_end(s, s->cfg->block_of[s->at[k]], path->leaves);
    if (value.found) value.assumptions |= path->noted;
    return (struct scan_answer){
        (enum scan_found)value.found,
        {(enum reason)value.reason, value.witness, value.assumptions, true}};
}

static void scan_end(struct solver *s)
{
    struct scan_room *room = s->room;
    for (uint32_t n = 0; n < room->nodes.count; n++) room->node_of[room->nodes.at[n].index] = 0;
    room->nodes.count = room->todo.count = room->paths.count = 0;
}

void scan_run(const struct analysis *analysis, const struct cover_table *table, const uint32_t *at,
              uint32_t count, unsigned state, const struct verdict *open,
              struct scan_answer *answers)
{
    const struct scan scan = {analysis, table};
    struct solver s = {&scan,
                       analysis->cfg,
                       analysis->room,
                       table->states ? table->states : 1,
                       0,
                       at,
                       count,
                       state,
                       0};
    bool any = false;
    for (uint32_t k = 0; k < count && !any; k++) any = open[k].reason == REASON_NONE;
    if (!any) return;
    s.named = named_effects(&scan);
    for (uint32_t k = 0; k < count; k++) {
        if (open[k].reason != REASON_NONE) continue;
        const struct path *path = scan_trace(&s, k);
        if (path->leaves != ANSWERED) scan_enter_next(&s, s.cfg->block_of[at[k]], path->leaves);
    }
    for (uint32_t n = 0; n < s.room->nodes.count; n++) scan_summarize_block(&s, n);
    begin_with_answered(&s);
    scan_flow(&s);
    for (uint32_t k = 0; k < count; k++)
        if (open[k].reason == REASON_NONE) answers[k] = scan_answer_of(&s, k);
    scan_end(&s);
}

enum scan_found scan_event(const struct analysis *analysis, const struct cover_table *table,
                           uint32_t i)
{
    struct scan scan = {analysis, table};
    unsigned state = 0;
    if (analysis_passes(analysis, i)) return SCAN_NOTHING;
    return (enum scan_found)scan_visit(&scan, i, &state).found;
}

bool scan_may_stop(const struct analysis *analysis, const struct cover_table *table)
{
    if (table->look || table->entry.does || !analysis->function->is_entry) return true;
    for (uint32_t left = analysis->effects; left; left &= left - 1) {
        const struct cover_entry *entry = &table->on[__builtin_ctz(left)];
        if (entry->given || entry->does == COVER_STOP || entry->does == COVER_MUST) return true;
    }
    return false;
}

struct scan_room *scan_room_build(const struct cfg *cfg, struct arena *arena)
{
    struct scan_room *room = arena_alloc(arena, 1, sizeof *room);
    size_t nodes = (size_t)cfg->count * SCAN_STATES;
    room->node_of = arena_alloc(arena, nodes, sizeof *room->node_of);
    room->answered = arena_alloc(arena, nodes / 64 + 1, sizeof *room->answered);
    return room;
}

void scan_room_free(struct scan_room *room)
{
    vec_free(&room->nodes);
    vec_free(&room->todo);
    vec_free(&room->paths);
    vec_free(&room->crossed);
}
