/* The fixpoint of pair sets over the blocks, per fact and reading. A guarded event may or may not
 * run, so the pairs before it stay. Pairs of mma/cp/shift are looked at only when something else
 * fails: then facts are told apart by class. See monitor.h. */
#include "check/prove/monitor.h"

#include "base/work.h"
#include "check/model/transfer.h"
#include "check/model/track.h"
#include "check/prove/worklist.h"

enum { REFINED_WORK_MAX = 100000000 };

void monitor_proofs_free(struct monitor_proofs *proofs)
{
    for (uint32_t i = 0; i < proofs->count; i++) {
        mem_free(proofs->at[i].at);
        mem_free(proofs->at[i].reached);
    }
    vec_free(proofs);
}

static bool unite(struct monitor_set *into, const struct monitor_set *more)
{
    uint64_t grown = 0;
    for (int i = 0; i < MONITOR_WORDS; i++) {
        grown |= more->words[i] & ~into->words[i];
        into->words[i] |= more->words[i];
    }
    return grown != 0;
}

static bool includes(const struct monitor_set *all, const struct monitor_set *some)
{
    for (int i = 0; i < MONITOR_WORDS; i++)
        if (some->words[i] & ~all->words[i]) return false;
    return true;
}

static struct monitor_set entry_set(const struct monitor_graph *graph, uint32_t class)
{
    struct monitor_set set = {{0}};
    if (!graph->is_entry && (class == MONITOR_NONE || class == graph->class_count))
        track_add_any(&set);
    return set;
}

/* Sends set through a block; false at the first pair with which an observer sees less. */
static bool through(const struct track *track, const struct monitor_block *block,
                    struct monitor_set *set)
{
    work_spend(block->end - block->start + 1);
    for (uint32_t i = block->start; i < block->end; i++) {
        const struct monitor_event *event = &track->graph->events[i];
        if (track_refuses(track, event, set)) return false;
        track_event(track, event, set);
    }
    return true;
}

static void flow_out(const struct track *track, uint32_t number, const struct monitor_set *set,
                     struct monitor_proof *proof, struct worklist *todo)
{
    const struct monitor_block *block = &track->graph->blocks[number];
    for (uint32_t i = block->succ_start; i < block->succ_end; i++) {
        uint32_t succ = track->graph->succs[i];
        bool grown = unite(&proof->at[succ], set);
        if (grown || !proof->reached[succ]) worklist_add(todo, succ);
        proof->reached[succ] = true;
    }
}

/* Fills the proof's sets; false when something is refused on the way. */
static bool solve(const struct track *track, struct monitor_proof *proof)
{
    const struct monitor_graph *graph = track->graph;
    struct worklist todo;
    worklist_init(&todo, graph->block_count);
    proof->at = mem_zalloc(graph->block_count, sizeof *proof->at);
    proof->reached = mem_zalloc(graph->block_count, sizeof *proof->reached);
    proof->at[0] = entry_set(graph, proof->class);
    proof->reached[0] = true;
    worklist_add(&todo, 0);
    bool fine = true;
    for (uint32_t b = worklist_next(&todo); fine && b != WORKLIST_NONE; b = worklist_next(&todo)) {
        struct monitor_set set = proof->at[b];
        fine = through(track, &graph->blocks[b], &set);
        if (fine) flow_out(track, b, &set, proof, &todo);
    }
    worklist_free(&todo);
    return fine;
}

static bool run(const struct monitor_graph *graph, struct monitor_proof proof,
                struct monitor_proofs *proofs, struct track *track)
{
    track_prepare(track, graph, &proof);
    bool fine = solve(track, &proof);
    if (fine && proofs) {
        vec_push(proofs, proof);
    } else {
        mem_free(proof.at);
        mem_free(proof.reached);
    }
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

bool monitor_check(const struct monitor_graph *graph, struct monitor_proofs *proofs,
                   struct monitor_fault *fault)
{
    *fault = (struct monitor_fault){
        .source = MONITOR_NONE, .culprit = MONITOR_NONE, .observer = MONITOR_NONE};
    for (int literal = 0; literal < 2; literal++)
        for (int fact = 0; fact < FACT_COUNT; fact++)
            if (!run_fact(graph, (enum monitor_fact)fact, literal, proofs, fault)) return false;
    return true;
}

static bool kept_by_block(const struct track *track, const struct monitor_proof *proof, uint32_t i)
{
    const struct monitor_block *block = &track->graph->blocks[i];
    struct monitor_set set = proof->at[i];
    if (!through(track, block, &set)) return false;
    for (uint32_t s = block->succ_start; s < block->succ_end; s++) {
        uint32_t succ = track->graph->succs[s];
        if (!proof->reached[succ] || !includes(&proof->at[succ], &set)) return false;
    }
    return true;
}

bool monitor_holds(const struct monitor_graph *graph, const struct monitor_proof *proof)
{
    struct track track;
    track_prepare(&track, graph, proof);
    struct monitor_set entry = entry_set(graph, proof->class);
    bool fine = proof->reached[0] && includes(&proof->at[0], &entry);
    for (uint32_t i = 0; fine && i < graph->block_count; i++)
        if (proof->reached[i]) fine = kept_by_block(&track, proof, i);
    track_free(&track);
    return fine;
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
