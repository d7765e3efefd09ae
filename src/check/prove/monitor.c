/* Proves that no observer sees less, with one search for each fact and reading. If this search
 * fails, the fact is divided into classes, and pairs of mma, cp and shift and columns of ld and st
 * are taken into account. See monitor.h. */
#include "check/prove/monitor.h"

#include <string.h>

#include "base/mem.h"

enum { REFINED_WORK_MAX = 100000000 };

void monitor_proofs_free(struct monitor_proofs *proofs)
{
    for (uint32_t i = 0; i < proofs->count; i++) solution_free(&proofs->at[i].sets);
    vec_free(proofs);
}

/* The arguments of a search over all facts. */
struct search {
    const struct monitor_graph *graph;
    uint32_t deleted;              /* 1 << kind of each kind of event that AFTER lacks */
    struct monitor_proofs *proofs; /* NULL: proofs are not kept */
    struct solution *scratch;      /* for the searches whose proofs are not kept */
    struct monitor_fault *fault;
    struct track_settled settled; /* of the fact and reading that is searched */
};

/* Searches for the sets of a track. If proofs are not kept, it leaves out settled pairs; such sets
 * are not a complete proof. */
static bool search_proof(const struct search *search, struct track *track,
                         struct monitor_proof proof, bool keep)
{
    if (!search->proofs) track_drop(track, &search->settled, search->deleted);
    struct flow flow = track_flow(track);
    if (!keep) {
        if (search->scratch->at)
            solution_clear(search->scratch, &flow);
        else
            solution_prepare(search->scratch, &flow);
        return solution_find(search->scratch, &flow);
    }
    solution_prepare(&proof.sets, &flow);
    bool fine = solution_find(&proof.sets, &flow);
    if (fine)
        vec_push(search->proofs, proof);
    else
        solution_free(&proof.sets);
    return fine;
}

static bool run_track(const struct search *search, struct monitor_proof proof, struct track *track)
{
    track_prepare(track, search->graph, proof.fact, proof.literal, proof.class);
    return search_proof(search, track, proof, search->proofs);
}

/* Whether a class pairs with no class. The class after the last one is of operations that a caller
 * or callee issued; it pairs with none. */
static bool is_unpaired(const struct monitor_classes *classes, uint32_t class)
{
    bool any = false;
    for (uint32_t i = 0; class < classes->count && !any && i < classes->count; i++)
        any = classes->pairs(classes->at[class].data, classes->at[i].data);
    return !any;
}

/* Follows all classes that pair with none as one, since no rule exempts them. */
static bool run_unpaired(const struct search *search, enum monitor_fact fact, bool literal,
                         const uint8_t *classes)
{
    struct track track;
    track_prepare_unpaired(&track, search->graph, fact, literal, classes);
    bool fine = search_proof(search, &track, (struct monitor_proof){.fact = fact}, false);
    track_free(&track);
    return fine;
}

/* Passes a block with a copy of set, or with an empty set if set is NULL. Returns false if an event
 * refuses it. */
static bool passes_block(struct track *track, uint32_t block, const uint64_t *set)
{
    struct flow flow = track_flow(track);
    uint64_t copy[MONITOR_WORDS] = {0};
    if (set) memcpy(copy, set, sizeof copy);
    return flow.pass(track, block, copy);
}

/* Whether no class that is created in the block is refused in it. all: a track of all classes as
 * one. tested: by class, 1 + the last block in which it was tested. */
static bool passes_births(const struct search *search, struct track *all, uint32_t block,
                          uint32_t *tested)
{
    const struct flow_block *at = &search->graph->blocks[block];
    bool fine = true;
    if (passes_block(all, block, NULL)) return true;
    for (uint32_t i = at->start; fine && i < at->end; i++) {
        uint32_t class = track_class(all, &search->graph->events[i]);
        if (class == MONITOR_NONE || tested[class] == block + 1) continue;
        tested[class] = block + 1;
        struct track track;
        track_prepare(&track, search->graph, all->fact, all->literal, class);
        fine = passes_block(&track, block, NULL);
        track_free(&track);
    }
    return fine;
}

/* Whether the fact is proven because only events in the block where it is created can refuse it.
 * Then a class must be followed only in the blocks that create it. excused: what holds at the
 * blocks if no event with a class refuses; of a class by itself no more can hold there. */
static bool holds_by_blocks(const struct search *search, struct track *all,
                            const struct solution *excused)
{
    const struct monitor_graph *graph = search->graph;
    uint32_t bearing = all->bearing;
    uint32_t *tested =
        mem_zalloc((size_t)track_classes(graph, all->fact).count + 1, sizeof *tested);
    bool fine = true;
    for (uint32_t b = 0; fine && b < graph->block_count; b++) {
        all->bearing = 0;
        if (excused->reached[b])
            fine = passes_block(all, b, excused->at + (size_t)b * MONITOR_WORDS);
        all->bearing = bearing;
        if (fine && graph->kinds[b] & bearing && graph->reached[b])
            fine = passes_births(search, all, b, tested);
    }
    mem_free(tested);
    return fine;
}

/* Tries to prove all classes of a fact without a search for each. */
static bool run_blocks(const struct search *search, enum monitor_fact fact, bool literal)
{
    if (search->proofs || !search->graph->kinds || !search->graph->reached) return false;
    struct track track, all;
    track_prepare_excused(&track, search->graph, fact, literal);
    track_drop(&track, &search->settled, search->deleted);
    struct flow flow = track_flow(&track);
    struct solution excused;
    solution_prepare(&excused, &flow);
    track_prepare(&all, search->graph, fact, literal, MONITOR_NONE);
    bool fine = solution_find(&excused, &flow) && holds_by_blocks(search, &all, &excused);
    solution_free(&excused);
    track_free(&track);
    track_free(&all);
    return fine;
}

/* Follows a fact class by class, except for the classes that are proven already. */
static bool run_classes(const struct search *search, enum monitor_fact fact, bool literal,
                        struct track *track)
{
    const struct monitor_graph *graph = search->graph;
    struct monitor_classes classes = track_classes(graph, fact);
    uint64_t work = ((uint64_t)classes.count + 1) * (graph->event_count + graph->block_count);
    search->fault->too_big = work > REFINED_WORK_MAX;
    if (search->fault->too_big) return false;
    if (run_blocks(search, fact, literal)) return true;
    uint8_t *unpaired = mem_zalloc((size_t)classes.count + 1, 1);
    for (uint32_t class = 0; !search->proofs && class <= classes.count; class ++)
        unpaired[class] = is_unpaired(&classes, class);
    bool fine = true, known = !search->proofs && run_unpaired(search, fact, literal, unpaired);
    for (uint32_t class = 0; fine && class <= classes.count; class ++) {
        struct monitor_proof proof = {.fact = fact, .literal = literal, .class = class};
        if (known && unpaired[class]) continue;
        track_free(track);
        fine = run_track(search, proof, track);
    }
    mem_free(unpaired);
    return fine;
}

static bool run_fact(const struct search *search, enum monitor_fact fact, bool literal)
{
    struct monitor_proof proof = {.fact = fact, .literal = literal, .class = MONITOR_NONE};
    struct track track;
    bool fine = run_track(search, proof, &track);
    if (!fine && track_classes(search->graph, fact).count)
        fine = run_classes(search, fact, literal, &track);
    if (!fine && !search->fault->too_big) trace_fact(&track, search->fault);
    track_free(&track);
    return fine;
}

/* Whether the reading needs a search: the two programs can hold the fact in different registers
 * only after a removed event that moves it, and the literal reading must differ from the plain one,
 * which is searched first. */
static bool may_differ(const struct search *search, int fact, bool literal)
{
    const struct transfer_tables *tables = search->graph->tables;
    enum monitor_fact of = (enum monitor_fact)fact;
    uint32_t deleted = search->deleted;
    return transfer_table(tables, literal, of, deleted)->moving & deleted &&
           (!literal || transfer_differs(tables, of));
}

/* Returns 1 << kind of each kind of event that AFTER lacks. */
static uint32_t find_deleted(const struct monitor_graph *graph)
{
    uint32_t deleted = 0;
    for (uint32_t i = 0; i < graph->event_count; i++) {
        const struct monitor_event *event = &graph->events[i];
        deleted |= (uint32_t)event->deleted << event->kind;
        deleted |= (uint32_t)event->joined << EVENT_BEFORE;
    }
    return deleted;
}

/* Searches for all facts from this one on, in the order of their numbers; first all facts under the
 * plain reading. */
static bool check_from(const struct monitor_graph *graph, enum monitor_fact fact, bool literal,
                       struct monitor_proofs *proofs, struct monitor_fault *fault)
{
    struct solution scratch = {0};
    struct search search = {.graph = graph,
                            .deleted = find_deleted(graph),
                            .proofs = proofs,
                            .scratch = &scratch,
                            .fault = fault};
    bool fine = true;
    *fault = (struct monitor_fault){
        .source = MONITOR_NONE, .culprit = MONITOR_NONE, .observer = MONITOR_NONE};
    for (int n = literal * FACT_COUNT + (int)fact; fine && n < 2 * FACT_COUNT; n++) {
        bool reading = n >= FACT_COUNT;
        int of = n % FACT_COUNT;
        if (!proofs && !may_differ(&search, of, reading)) continue;
        search.settled = track_settled(
            transfer_table(graph->tables, reading, (enum monitor_fact)of, track_kinds(graph)),
            search.deleted);
        fine = run_fact(&search, (enum monitor_fact)of, reading);
    }
    solution_free(&scratch);
    return fine;
}

bool monitor_check(const struct monitor_graph *graph, struct monitor_proofs *proofs,
                   struct monitor_fault *fault)
{
    return check_from(graph, (enum monitor_fact)0, false, proofs, fault);
}

bool monitor_resume(const struct monitor_graph *graph, struct monitor_proofs *proofs,
                    struct monitor_fault *fault)
{
    return check_from(graph, fault->fact, fault->literal, proofs, fault);
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

/* Whether proofs has an analysis of this fact, reading and class. */
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
