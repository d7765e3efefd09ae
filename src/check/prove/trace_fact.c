/* Follows single pairs, with their history, through the graph to the observer that misses the fact.
 * See trace_fact.h. */
#include "check/prove/trace_fact.h"

#include "base/work.h"

/* A pair at the entry of a block, and how the search reached it. */
struct stop {
    uint32_t block, from; /* from: the previous stop, or NONE */
    uint32_t source, culprit;
    uint16_t pair;
};

struct trace {
    const struct track *track;
    struct monitor_set *seen; /* by block */
    struct VEC(struct stop) stops, inside;
    struct monitor_fault *fault;
};

static bool is_lost_pair(unsigned pair)
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
    bool moving = track_moves(track, event);
    for (uint32_t i = 0; moving && i < count; i++) {
        struct stop stop = trace->inside.at[i];
        bool was_lost = is_lost_pair(stop.pair);
        stop.pair = (uint16_t)track_pair(track, event, stop.pair);
        if (!was_lost && is_lost_pair(stop.pair)) stop.culprit = number;
        if (event->guarded)
            add_inside(trace, stop);
        else
            trace->inside.at[kept++] = stop;
    }
    if (moving && !event->guarded) trace->inside.count = kept;
    struct stop born = {block, MONITOR_NONE, number, MONITOR_NONE, 0};
    enum transfer_birth kind = track_birth(track, event);
    if (kind == BIRTH_FRESH) add_inside(trace, born);
    if (kind == BIRTH_ANY) add_any_inside(trace, born);
}

static void trace_fact_report(struct trace *trace, const struct stop *stop, uint32_t block,
                              uint32_t observer)
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
    trace_turn(&fault->path);
}

/* Moves the pairs in `inside` through the block. Returns true if an event refuses one of them. */
static bool trace_block(struct trace *trace, uint32_t number)
{
    const struct monitor_graph *graph = trace->track->graph;
    const struct flow_block *block = &graph->blocks[number];
    for (uint32_t at = block->start; at < block->end; at++) {
        work_spend(trace->inside.count + 1);
        for (uint32_t i = 0; i < trace->inside.count; i++) {
            struct monitor_set one = {{0}};
            one.words[trace->inside.at[i].pair / 64] |= 1ull << trace->inside.at[i].pair % 64;
            if (!track_refuses(trace->track, &graph->events[at], &one)) continue;
            struct stop stop = trace->inside.at[i];
            if (stop.culprit == MONITOR_NONE) stop.culprit = at;
            trace_fact_report(trace, &stop, number, at);
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

void trace_fact(const struct track *track, struct monitor_fault *fault)
{
    const struct monitor_graph *graph = track->graph;
    struct trace trace = {.track = track, .fault = fault};
    trace.seen = mem_zalloc(graph->block_count, sizeof *trace.seen);
    bool *reached = flow_find_reached(graph->blocks, graph->succs, graph->block_count);
    bool found = false;
    for (uint32_t i = 0; !found && i < graph->block_count; i++) {
        trace.inside.count = 0;
        struct stop entry = {0, MONITOR_NONE, MONITOR_NONE, MONITOR_NONE, 0};
        if (!i && track_starts_with_any(track)) add_any_inside(&trace, entry);
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
