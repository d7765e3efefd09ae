/* One search for each fact and reading. Pairs of mma/cp/shift are looked at only when something
 * else fails: then facts are told apart by class. See monitor.h. */
#include "check/prove/monitor.h"

enum { REFINED_WORK_MAX = 100000000 };

void monitor_proofs_free(struct monitor_proofs *proofs)
{
    for (uint32_t i = 0; i < proofs->count; i++) solution_free(&proofs->at[i].sets);
    vec_free(proofs);
}

static bool run(const struct monitor_graph *graph, struct monitor_proof proof,
                struct monitor_proofs *proofs, struct track *track)
{
    track_prepare(track, graph, proof.fact, proof.literal, proof.class);
    struct flow flow = track_flow(track);
    solution_prepare(&proof.sets, &flow);
    bool fine = solution_find(&proof.sets, &flow);
    if (fine && proofs)
        vec_push(proofs, proof);
    else
        solution_free(&proof.sets);
    return fine;
}

/* FACT_PIPE class by class; the last number is what a caller or callee issued. */
static bool run_classes(const struct monitor_graph *graph, bool literal,
                        struct monitor_proofs *proofs, struct track *track,
                        struct monitor_fault *fault)
{
    uint64_t work = ((uint64_t)graph->class_count + 1) * (graph->event_count + graph->block_count);
    fault->too_big = work > REFINED_WORK_MAX;
    bool fine = !fault->too_big;
    for (uint32_t class = 0; fine && class <= graph->class_count; class ++) {
        struct monitor_proof proof = {.fact = FACT_PIPE, .literal = literal, .class = class};
        track_free(track);
        fine = run(graph, proof, proofs, track);
    }
    return fine;
}

static bool run_fact(const struct monitor_graph *graph, enum monitor_fact fact, bool literal,
                     struct monitor_proofs *proofs, struct monitor_fault *fault)
{
    struct monitor_proof proof = {.fact = fact, .literal = literal, .class = MONITOR_NONE};
    struct track track;
    bool fine = run(graph, proof, proofs, &track);
    if (!fine && fact == FACT_PIPE && graph->class_count)
        fine = run_classes(graph, literal, proofs, &track, fault);
    if (!fine && !fault->too_big) trace_fact(&track, fault);
    track_free(&track);
    return fine;
}

/* Can the fact be held in one program and not in the other? Only a deleted event tells them apart,
 * and only what it moves. */
static bool may_differ(const struct monitor_graph *graph, const bool *deleted, int fact,
                       bool literal)
{
    const struct transfer_table *table = &graph->tables->of[literal][fact];
    bool found = false;
    for (int kind = 0; kind < EVENT_COUNT; kind++) found |= deleted[kind] && table->moves[kind];
    return found;
}

/* Which kinds of events the rewrite lacks. */
static void find_deleted(const struct monitor_graph *graph, bool *deleted)
{
    for (uint32_t i = 0; i < graph->event_count; i++) {
        const struct monitor_event *event = &graph->events[i];
        deleted[event->kind] |= event->deleted;
        deleted[EVENT_BEFORE] |= event->joined;
    }
}

bool monitor_check(const struct monitor_graph *graph, struct monitor_proofs *proofs,
                   struct monitor_fault *fault)
{
    *fault = (struct monitor_fault){
        .source = MONITOR_NONE, .culprit = MONITOR_NONE, .observer = MONITOR_NONE};
    bool deleted[EVENT_COUNT] = {false};
    find_deleted(graph, deleted);
    for (int literal = 0; literal < 2; literal++)
        for (int fact = 0; fact < FACT_COUNT; fact++) {
            if (!proofs && !may_differ(graph, deleted, fact, literal)) continue;
            if (!run_fact(graph, (enum monitor_fact)fact, literal, proofs, fault)) return false;
        }
    return true;
}

bool monitor_holds(const struct monitor_graph *graph, const struct monitor_proof *proof)
{
    struct track track;
    track_prepare(&track, graph, proof->fact, proof->literal, proof->class);
    struct flow flow = track_flow(&track);
    bool holds = solution_holds(&proof->sets, &flow);
    track_free(&track);
    return holds;
}

/* Is there a proof of fact under the reading for this class? */
static bool has(const struct monitor_proofs *proofs, int fact, bool literal, uint32_t class)
{
    for (uint32_t i = 0; i < proofs->count; i++) {
        const struct monitor_proof *proof = &proofs->at[i];
        if ((int)proof->fact == fact && proof->literal == literal && proof->class == class)
            return true;
    }
    return false;
}

static bool has_classes(const struct monitor_graph *graph, const struct monitor_proofs *proofs,
                        bool literal)
{
    uint8_t *seen = mem_zalloc((size_t)graph->class_count + 1, 1);
    uint32_t count = 0;
    for (uint32_t i = 0; i < proofs->count; i++) {
        const struct monitor_proof *proof = &proofs->at[i];
        if (proof->fact != FACT_PIPE || proof->literal != literal) continue;
        if (proof->class > graph->class_count || seen[proof->class]) continue;
        seen[proof->class] = 1;
        count++;
    }
    mem_free(seen);
    return graph->class_count && count == graph->class_count + 1;
}

bool monitor_complete(const struct monitor_graph *graph, const struct monitor_proofs *proofs)
{
    for (int literal = 0; literal < 2; literal++)
        for (int fact = 0; fact < FACT_COUNT; fact++) {
            if (has(proofs, fact, literal, MONITOR_NONE)) continue;
            if (fact != FACT_PIPE || !has_classes(graph, proofs, literal)) return false;
        }
    return true;
}
