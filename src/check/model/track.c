/* Sets of pairs through events, and single pairs through the graph with their history. See
 * track.h. */
#include "check/model/track.h"

#include "base/work.h"

enum { CHANGED = TRANSFER_STATES, HALF_WORDS = MONITOR_WORDS / 2 };

void track_prepare(struct track *track, const struct monitor_graph *graph,
                   const struct monitor_proof *proof)
{
    *track = (struct track){.graph = graph,
                            .table = &graph->tables->of[proof->literal][proof->fact],
                            .fact = proof->fact,
                            .literal = proof->literal,
                            .class = proof->class};
    if (track->class == MONITOR_NONE) return;
    track->pairs = mem_zalloc((size_t)graph->class_count + 1, 1);
    if (track->class >= graph->class_count) return;
    for (uint32_t i = 0; i < graph->class_count; i++)
        track->pairs[i] = graph->pairs(graph->classes[track->class].data, graph->classes[i].data);
}

void track_free(struct track *track)
{
    mem_free(track->pairs);
    track->pairs = NULL;
}

static void add(struct monitor_set *set, unsigned pair)
{
    set->words[pair / 64] |= 1ull << pair % 64;
}

void track_add_any(struct monitor_set *set)
{
    for (unsigned held = 0; held < TRANSFER_HELD; held++) add(set, held | held << 4);
}

/* Pairs of the track's class are excused while its registers are what they were. */
static bool is_excused(const struct track *track, const struct monitor_event *event)
{
    return event->kind == EVENT_PIPE && track->pairs && event->detail != MONITOR_NONE &&
           track->pairs[event->detail];
}

/* The pair behind an event of this kind, which the rewrite may lack. */
static unsigned pair_behind(const struct track *track, uint8_t kind, bool deleted, unsigned pair)
{
    const uint8_t *next = track->table->next[kind];
    unsigned o = pair % TRANSFER_HELD, r = pair / TRANSFER_HELD % TRANSFER_HELD;
    return next[o] | (deleted ? r : next[r]) * TRANSFER_HELD | (pair & CHANGED);
}

static unsigned joined_pair(const struct track *track, unsigned pair)
{
    return pair_behind(track, EVENT_BEFORE, true, pair);
}

static struct monitor_set joined_set(const struct track *track, const struct monitor_set *set)
{
    struct monitor_set made = {{0}};
    for (int i = 0; i < MONITOR_WORDS; i++)
        for (uint64_t bits = set->words[i]; bits; bits &= bits - 1)
            add(&made, joined_pair(track, (unsigned)i * 64 + (unsigned)__builtin_ctzll(bits)));
    return made;
}

bool track_refuses(const struct track *track, const struct monitor_event *event,
                   const struct monitor_set *set)
{
    struct monitor_set joined;
    if (event->joined) {
        joined = joined_set(track, set);
        set = &joined;
    }
    const struct monitor_set *bad = &track->table->bad[event->kind];
    uint64_t hit = 0;
    for (int i = is_excused(track, event) ? HALF_WORDS : 0; i < MONITOR_WORDS; i++)
        hit |= set->words[i] & bad->words[i];
    return hit != 0;
}

static enum transfer_birth birth(const struct track *track, const struct monitor_event *event)
{
    enum transfer_birth kind = transfer_birth(track->fact, event->kind);
    if (track->class == MONITOR_NONE || kind == BIRTH_NONE) return kind;
    bool foreign = track->class == track->graph->class_count;
    if (kind == BIRTH_ANY) return foreign ? BIRTH_ANY : BIRTH_NONE;
    return event->detail == track->class ? BIRTH_FRESH : BIRTH_NONE;
}

static bool changes_class(const struct track *track, const struct monitor_event *event)
{
    if (event->kind != EVENT_WRITE || !track->pairs) return false;
    if (track->class >= track->graph->class_count) return false;
    const struct monitor_class *class = &track->graph->classes[track->class];
    for (uint32_t i = 0; i < class->register_count; i++)
        if (class->registers[i] == event->detail) return true;
    return false;
}

static bool moves(const struct track *track, const struct monitor_event *event)
{
    /* The fence of a joined commit runs when the commit does, and is accounted for there. */
    if (event->deleted && event->guarded) return false;
    return event->joined || track->table->moves[event->kind] || changes_class(track, event);
}

/* The pair behind event, when it runs. */
static unsigned next_pair(const struct track *track, const struct monitor_event *event,
                          unsigned pair)
{
    if (event->joined) pair = joined_pair(track, pair);
    if (changes_class(track, event)) return pair | CHANGED;
    return pair_behind(track, event->kind, event->deleted, pair);
}

void track_event(const struct track *track, const struct monitor_event *event,
                 struct monitor_set *set)
{
    if (moves(track, event)) {
        struct monitor_set made = {{0}};
        for (int i = 0; i < MONITOR_WORDS; i++)
            for (uint64_t bits = set->words[i]; bits; bits &= bits - 1)
                add(&made,
                    next_pair(track, event, (unsigned)i * 64 + (unsigned)__builtin_ctzll(bits)));
        for (int i = 0; i < MONITOR_WORDS; i++)
            set->words[i] = made.words[i] | (event->guarded ? set->words[i] : 0);
    }
    switch (birth(track, event)) {
    case BIRTH_FRESH: add(set, 0); break;
    case BIRTH_ANY: track_add_any(set); break;
    case BIRTH_NONE: break;
    }
}

/* A pair at the entry of a block, and how it came there. */
struct stop {
    uint32_t block, from; /* from: another stop, or NONE */
    uint32_t source, culprit;
    uint16_t pair;
};

struct trace {
    const struct track *track;
    struct monitor_set *seen; /* by block */
    struct VEC(struct stop) stops, inside;
    struct monitor_fault *fault;
};

static bool lost(unsigned pair)
{
    return (pair & 15 & ~(pair >> 4)) != 0;
}

static void add_inside(struct trace *trace, struct stop stop)
{
    for (uint32_t i = 0; i < trace->inside.count; i++)
        if (trace->inside.at[i].pair == stop.pair) return;
    vec_push(&trace->inside, stop);
}

static void add_any_inside(struct trace *trace, struct stop stop)
{
    for (unsigned held = 0; held < TRANSFER_HELD; held++) {
        stop.pair = (uint16_t)(held | held << 4);
        add_inside(trace, stop);
    }
}

static void pass_inside(struct trace *trace, uint32_t block, uint32_t number)
{
    const struct track *track = trace->track;
    const struct monitor_event *event = &track->graph->events[number];
    uint32_t count = trace->inside.count, kept = 0;
    bool moving = moves(track, event);
    for (uint32_t i = 0; moving && i < count; i++) {
        struct stop stop = trace->inside.at[i];
        bool was_lost = lost(stop.pair);
        stop.pair = (uint16_t)next_pair(track, event, stop.pair);
        if (!was_lost && lost(stop.pair)) stop.culprit = number;
        if (event->guarded)
            add_inside(trace, stop);
        else
            trace->inside.at[kept++] = stop;
    }
    if (moving && !event->guarded) trace->inside.count = kept;
    struct stop born = {block, MONITOR_NONE, number, MONITOR_NONE, 0};
    enum transfer_birth kind = birth(track, event);
    if (kind == BIRTH_FRESH) add_inside(trace, born);
    if (kind == BIRTH_ANY) add_any_inside(trace, born);
}

static void report(struct trace *trace, const struct stop *stop, uint32_t block, uint32_t observer)
{
    struct monitor_fault *fault = trace->fault;
    *fault = (struct monitor_fault){.fact = trace->track->fact,
                                    .literal = trace->track->literal,
                                    .source = stop->source,
                                    .culprit = stop->culprit,
                                    .observer = observer};
    vec_push(&fault->path, block);
    for (uint32_t from = stop->from; from != MONITOR_NONE; from = trace->stops.at[from].from)
        vec_push(&fault->path, trace->stops.at[from].block);
    for (uint32_t i = 0, j = fault->path.count - 1; i < j; i++, j--) {
        uint32_t swap = fault->path.at[i];
        fault->path.at[i] = fault->path.at[j];
        fault->path.at[j] = swap;
    }
}

/* Sends inside through the block; true when something in it is refused. */
static bool trace_block(struct trace *trace, uint32_t number)
{
    const struct monitor_graph *graph = trace->track->graph;
    const struct monitor_block *block = &graph->blocks[number];
    for (uint32_t at = block->start; at < block->end; at++) {
        work_spend(trace->inside.count + 1);
        for (uint32_t i = 0; i < trace->inside.count; i++) {
            struct monitor_set one = {{0}};
            add(&one, trace->inside.at[i].pair);
            if (!track_refuses(trace->track, &graph->events[at], &one)) continue;
            struct stop stop = trace->inside.at[i];
            if (stop.culprit == MONITOR_NONE) stop.culprit = at;
            report(trace, &stop, number, at);
            return true;
        }
        pass_inside(trace, number, at);
    }
    for (uint32_t s = block->succ_start; s < block->succ_end; s++)
        for (uint32_t i = 0; i < trace->inside.count; i++) {
            struct stop stop = trace->inside.at[i];
            uint64_t *word = &trace->seen[graph->succs[s]].words[stop.pair / 64];
            if (*word >> stop.pair % 64 & 1) continue;
            *word |= 1ull << stop.pair % 64;
            stop.block = graph->succs[s];
            vec_push(&trace->stops, stop);
        }
    return false;
}

/* The blocks that the entry reaches. */
static uint8_t *reachable(const struct monitor_graph *graph)
{
    uint8_t *reached = mem_zalloc(graph->block_count, 1);
    struct VEC(uint32_t) todo = {0};
    reached[0] = 1;
    vec_push(&todo, 0);
    while (todo.count) {
        const struct monitor_block *block = &graph->blocks[todo.at[--todo.count]];
        for (uint32_t s = block->succ_start; s < block->succ_end; s++)
            if (!reached[graph->succs[s]]) {
                reached[graph->succs[s]] = 1;
                vec_push(&todo, graph->succs[s]);
            }
    }
    vec_free(&todo);
    return reached;
}

void trace_fact(const struct track *track, struct monitor_fault *fault)
{
    const struct monitor_graph *graph = track->graph;
    struct trace trace = {.track = track, .fault = fault};
    trace.seen = mem_zalloc(graph->block_count, sizeof *trace.seen);
    uint8_t *reached = reachable(graph);
    bool found = false;
    for (uint32_t i = 0; !found && i < graph->block_count; i++) {
        trace.inside.count = 0;
        struct stop entry = {0, MONITOR_NONE, MONITOR_NONE, MONITOR_NONE, 0};
        bool foreign = track->class == MONITOR_NONE || track->class == graph->class_count;
        if (!i && !graph->is_entry && foreign) add_any_inside(&trace, entry);
        if (reached[i]) found = trace_block(&trace, i);
    }
    for (uint32_t next = 0; !found && next < trace.stops.count; next++) {
        struct stop stop = trace.stops.at[next];
        stop.from = next;
        trace.inside.count = 0;
        add_inside(&trace, stop);
        found = trace_block(&trace, stop.block);
    }
    mem_free(reached);
    mem_free(trace.seen);
    vec_free(&trace.stops);
    vec_free(&trace.inside);
}
