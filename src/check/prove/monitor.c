/* Proves that no observer sees less. One search for each fact and reading. Pairs of mma/cp/shift,
 * and columns of ld and st, are looked at only when the plain search fails: then facts are divided
 * by class. See monitor.h. */
#include "check/prove/monitor.h"

enum { REFINED_WORK_MAX = 100000000 };

void monitor_proofs_free(struct monitor_proofs *proofs)
{
    for (uint32_t i = 0; i < proofs->count; i++) solution_free(&proofs->at[i].sets);
    vec_free(proofs);
}

/* Searches for the sets of a track, which are kept in proofs if there is one. */
static bool search_proof(struct track *track, struct monitor_proof proof,
                         struct monitor_proofs *proofs)
{
    struct flow flow = track_flow(track);
    solution_prepare(&proof.sets, &flow);
    bool fine = solution_find(&proof.sets, &flow);
    if (fine && proofs)
        vec_push(proofs, proof);
    else
        solution_free(&proof.sets);
    return fine;
}

static bool run_track(const struct monitor_graph *graph, struct monitor_proof proof,
                      struct monitor_proofs *proofs, struct track *track)
{
    track_prepare(track, graph, proof.fact, proof.literal, proof.class);
    return search_proof(track, proof, proofs);
}

/* Whether a class pairs with none. The one after the last is of what a caller or callee issued. */
static bool is_unpaired(const struct monitor_classes *classes, uint32_t class)
{
    bool any = false;
    for (uint32_t i = 0; class < classes->count && !any && i < classes->count; i++)
        any = classes->pairs(classes->at[class].data, classes->at[i].data);
    return !any;
}

/* All classes together that pair with none, and so are exempt nowhere. */
static bool run_unpaired(const struct monitor_graph *graph, enum monitor_fact fact, bool literal,
                         const uint8_t *classes)
{
    struct track track;
    track_prepare_unpaired(&track, graph, fact, literal, classes);
    bool fine = search_proof(&track, (struct monitor_proof){.fact = fact}, NULL);
    track_free(&track);
    return fine;
}

/* A fact class by class, but for those that are known to be fine. */
static bool run_classes(const struct monitor_graph *graph, enum monitor_fact fact, bool literal,
                        struct monitor_proofs *proofs, struct track *track,
                        struct monitor_fault *fault)
{
    struct monitor_classes classes = track_classes(graph, fact);
    uint64_t work = ((uint64_t)classes.count + 1) * (graph->event_count + graph->block_count);
    fault->too_big = work > REFINED_WORK_MAX;
    if (fault->too_big) return false;
    uint8_t *unpaired = mem_zalloc((size_t)classes.count + 1, 1);
    for (uint32_t class = 0; !proofs && class <= classes.count; class ++)
        unpaired[class] = is_unpaired(&classes, class);
    bool fine = true, known = !proofs && run_unpaired(graph, fact, literal, unpaired);
    for (uint32_t class = 0; fine && class <= classes.count; class ++) {
        struct monitor_proof proof = {.fact = fact, .literal = literal, .class = class};
        if (known && unpaired[class]) continue;
        track_free(track);
        fine = run_track(graph, proof, proofs, track);
    }
    mem_free(unpaired);
    return fine;
}

static bool run_fact(const struct monitor_graph *graph, enum monitor_fact fact, bool literal,
                     struct monitor_proofs *proofs, struct monitor_fault *fault)
{
    struct monitor_proof proof = {.fact = fact, .literal = literal, .class = MONITOR_NONE};
    struct track track;
    bool fine = run_track(graph, proof, proofs, &track);
    if (!fine && track_classes(graph, fact).count)
        fine = run_classes(graph, fact, literal, proofs, &track, fault);
    if (!fine && !fault->too_big) trace_fact(&track, fault);
    track_free(&track);
    return fine;
}

/* Whether the fact can be held in only one of the programs in a way that the plain reading, which
 * comes first, does not show. Only a removed event distinguishes them, and only what it moves. */
static bool may_differ(const struct monitor_graph *graph, const bool *deleted, int fact,
                       bool literal)
{
    const struct transfer_table *table = &graph->tables->of[literal][fact];
    bool found = false;
    if (literal && !graph->tables->differ[fact]) return false;
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

/* Whether there is a proof of fact under the reading for this class. */
static bool has_proof(const struct monitor_proofs *proofs, int fact, bool literal, uint32_t class)
{
    for (uint32_t i = 0; i < proofs->count; i++) {
        const struct monitor_proof *proof = &proofs->at[i];
        if ((int)proof->fact == fact && proof->literal == literal && proof->class == class)
            return true;
    }
    return false;
}

static bool has_classes(const struct monitor_graph *graph, const struct monitor_proofs *proofs,
                        int fact, bool literal)
{
    uint32_t wanted = track_classes(graph, (enum monitor_fact)fact).count, count = 0;
    uint8_t *seen = mem_zalloc((size_t)wanted + 1, 1);
    for (uint32_t i = 0; i < proofs->count; i++) {
        const struct monitor_proof *proof = &proofs->at[i];
        if ((int)proof->fact != fact || proof->literal != literal) continue;
        if (proof->class > wanted || seen[proof->class]) continue;
        seen[proof->class] = 1;
        count++;
    }
    mem_free(seen);
    return wanted && count == wanted + 1;
}

bool monitor_complete(const struct monitor_graph *graph, const struct monitor_proofs *proofs)
{
    for (int literal = 0; literal < 2; literal++)
        for (int fact = 0; fact < FACT_COUNT; fact++) {
            if (has_proof(proofs, fact, literal, MONITOR_NONE)) continue;
            if (!has_classes(graph, proofs, fact, literal)) return false;
        }
    return true;
}
