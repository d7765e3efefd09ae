/* Follows the paths through the words of a function, and the operations in flight at each. See
 * cubin.h. */
#include <stdlib.h>
#include <string.h>

#include "cubin.h"

static bool ends_block(struct word word)
{
    switch (word_opcode(word)) {
    case OPCODE_BRA:
    case OPCODE_BRA_U:
    case OPCODE_BRX:
    case OPCODE_CALL:
    case OPCODE_EXIT:
    case OPCODE_RET:
    case OPCODE_TRAP: return true;
    default: return false;
    }
}

/* A call is a branch, too: the callee is placed after its callers. */
static bool is_branch(struct word word)
{
    uint32_t opcode = word_opcode(word);
    return opcode == OPCODE_BRA || opcode == OPCODE_BRA_U || opcode == OPCODE_CALL;
}

/* BRA.U.ANY: a branch back to the ELECT for the next thread, never a loop of the program. */
static bool serves_threads(struct word word)
{
    return word_opcode(word) == OPCODE_BRA && (word_modifiers(word) & 0x100000);
}

/* A BRA has a predicate besides the guard, all ones for true; BRA.U always has one. A callee may be
 * skipped, since a RET has room for two callers only. */
static bool falls_through(struct word word)
{
    uint32_t opcode = word_opcode(word);
    if (word_guarded(word) || opcode == OPCODE_BRA_U || opcode == OPCODE_CALL) return true;
    if (opcode == OPCODE_BRA) return (word_modifiers(word) >> 23 & 0xf) != 7;
    return !ends_block(word);
}

/* In words from the next one, in steps of four bytes: bits 16 to 23, 34 to 63 and 64 to 81. */
static uint32_t branch_target(const struct code *code, uint32_t at)
{
    struct word word = code->words[at];
    uint64_t steps = (word.low >> 16 & 0xff) | (word.low >> 34) << 8 | (word.high & 0x3ffff) << 38;
    int64_t words = (int64_t)(steps << 8) >> 10;
    int64_t target = (int64_t)at + 1 + words;
    return target >= 0 && target < code->count ? (uint32_t)target : at;
}

static void cut_blocks(struct flow *flow)
{
    const struct code *code = flow->code;
    bool *leads = must(calloc(code->count + 1, sizeof *leads));
    leads[0] = true;
    for (uint32_t i = 0; i < code->count; i++) {
        if (ends_block(code->words[i])) leads[i + 1] = true;
        if (is_branch(code->words[i])) leads[branch_target(code, i)] = true;
        flow->whole &= word_opcode(code->words[i]) != OPCODE_BRX;
    }
    for (uint32_t i = 0; i < code->count; i++) {
        if (leads[i]) flow->start[flow->blocks++] = i;
        flow->block[i] = flow->blocks - 1;
    }
    flow->start[flow->blocks] = code->count;
    free(leads);
}

static void connect(struct flow *flow)
{
    for (uint32_t b = 0; b < flow->blocks; b++) {
        uint32_t last = flow->start[b + 1] - 1;
        struct word word = flow->code->words[last];
        flow->next[b][0] = falls_through(word) && b + 1 < flow->blocks ? b + 1 : b;
        flow->next[b][1] = is_branch(word) && !serves_threads(word)
                               ? flow->block[branch_target(flow->code, last)]
                               : b;
        /* An edge to itself means that there is none, or a loop of one block. */
        flow->back[b][1] = flow->next[b][1] == b && is_branch(word) && !serves_threads(word);
    }
}

/* From each RET that can be reached from block `callee` to the block after the call. */
static void return_to(struct flow *flow, uint32_t callee, uint32_t behind)
{
    bool *seen = must(calloc(flow->blocks, sizeof *seen));
    uint32_t *todo = must(calloc(flow->blocks, sizeof *todo)), count = 0;
    todo[count++] = callee;
    seen[callee] = true;
    while (count) {
        uint32_t b = todo[--count], e = flow->next[b][0] != b;
        if (word_opcode(flow->code->words[flow->start[b + 1] - 1]) == OPCODE_RET) {
            flow->next[b][e] = behind;
            continue;
        }
        for (e = 0; e < 2; e++) {
            uint32_t next = flow->next[b][e];
            if (!seen[next]) todo[count++] = next;
            seen[next] = true;
        }
    }
    free(seen);
    free(todo);
}

static void connect_calls(struct flow *flow)
{
    for (uint32_t b = 0; b + 1 < flow->blocks; b++)
        if (word_opcode(flow->code->words[flow->start[b + 1] - 1]) == OPCODE_CALL)
            return_to(flow, flow->next[b][1], b + 1);
}

/* Depth-first search without recursion: an edge to a block that is still open is a back edge. */
static void find_back_edges(struct flow *flow)
{
    enum { NEW, OPEN, DONE };
    uint8_t *state = must(calloc(flow->blocks, 1));
    uint8_t *edge = must(calloc(flow->blocks, 1));
    uint32_t *stack = must(calloc(flow->blocks, sizeof *stack)), depth = 0;
    stack[depth++] = 0;
    state[0] = OPEN;
    while (depth) {
        uint32_t b = stack[depth - 1];
        if (edge[b] == 2) {
            state[b] = DONE;
            depth--;
            continue;
        }
        uint32_t e = edge[b]++, next = flow->next[b][e];
        if (next == b) continue;
        if (state[next] == OPEN) flow->back[b][e] = true;
        if (state[next] != NEW) continue;
        state[next] = OPEN;
        stack[depth++] = next;
    }
    free(state);
    free(edge);
    free(stack);
}

void flow_build(struct flow *flow, const struct code *code)
{
    *flow = (struct flow){.code = code, .whole = true};
    if (!code->count) return;
    flow->block = must(calloc(code->count, sizeof *flow->block));
    flow->start = must(calloc(code->count + 1, sizeof *flow->start));
    cut_blocks(flow);
    flow->next = must(calloc(flow->blocks, sizeof *flow->next));
    flow->back = must(calloc(flow->blocks, sizeof *flow->back));
    connect(flow);
    connect_calls(flow);
    find_back_edges(flow);
}

void flow_free(struct flow *flow)
{
    free(flow->block);
    free(flow->start);
    free(flow->next);
    free(flow->back);
}

static bool edge_exists(const struct flow *flow, uint32_t b, uint32_t e)
{
    return flow->next[b][e] != b || flow->back[b][e];
}

bool flow_before(const struct flow *flow, uint32_t x, uint32_t y)
{
    uint32_t from = flow->block[x], to = flow->block[y];
    if (from == to) return x < y;
    bool *seen = must(calloc(flow->blocks, sizeof *seen));
    uint32_t *todo = must(calloc(flow->blocks, sizeof *todo)), count = 0;
    todo[count++] = from;
    seen[from] = true;
    while (count && !seen[to]) {
        uint32_t b = todo[--count];
        for (uint32_t e = 0; e < 2; e++) {
            uint32_t next = flow->next[b][e];
            if (!edge_exists(flow, b, e) || flow->back[b][e] || seen[next]) continue;
            seen[next] = true;
            todo[count++] = next;
        }
    }
    bool before = seen[to];
    free(seen);
    free(todo);
    return before;
}

/* ---- operations in flight ---- */

/* The operation of x may be incomplete here. If so: the scoreboards that show its completion. For a
 * load these are its own and, since loads complete in their order, that of each later load (ptxas
 * often gives only the last of several loads one). For a store it is that of each later FENCE.VIEW;
 * a FENCE.VIEW without one holds nothing back. Paths may differ in these scoreboards: told_by has a
 * bit for each set of them that some path has. */
struct under_way {
    bool is[2]; /* without a loop's back edge, with one */
    uint64_t told_by[2];
    bool fenced[2]; /* behind a wait for stores, whether or not that has a scoreboard */
};

static void join(struct under_way *into, uint32_t as, const struct under_way *from, uint32_t was,
                 bool *changed)
{
    uint64_t either = from->told_by[was];
    bool fenced = from->fenced[was];
    if (into->is[as]) {
        either |= into->told_by[as];
        fenced &= into->fenced[as];
    }
    *changed |= !into->is[as] || either != into->told_by[as] || fenced != into->fenced[as];
    into->is[as] = true;
    into->told_by[as] = either;
    into->fenced[as] = fenced;
}

/* The sets of `sets` of which no member is waited for, each with the scoreboards `more`. */
static uint64_t still_told_by(uint64_t sets, uint32_t waited_for, uint32_t more)
{
    uint64_t left = 0;
    for (uint32_t set = 0; set < 64; set++)
        if (sets >> set & 1 && !(set & waited_for)) left |= UINT64_C(1) << (set | more);
    return left;
}

/* The scoreboards that word i sets for the operation of x, or of a word like it. */
static uint8_t scoreboard_for(struct word x, struct word word)
{
    bool tells = word_is_load(x) ? word_is_load(word) : word_is_wait_st(word);
    bool sets = tells && !word_guarded(word);
    return (uint8_t)(sets ? 1u << word_sets(word) & 0x3f : 0);
}

/* Word i is issued: what it waits for is complete, and its own operation is in flight. */
static void issue(const struct flow *flow, uint32_t x, uint32_t i, struct under_way *state,
                  uint8_t *at)
{
    struct word began = flow->code->words[x], word = flow->code->words[i];
    for (uint32_t as = 0; as < 2; as++) {
        state->told_by[as] =
            still_told_by(state->told_by[as], word_waits(word), scoreboard_for(began, word));
        if (!state->told_by[as]) state->is[as] = false;
        if (state->is[as]) at[i] |= as ? OUTSTANDING_AROUND : OUTSTANDING;
        if (state->is[as] && !state->fenced[as]) at[i] |= UNFENCED;
        state->fenced[as] |= word_is_wait_st(word) && !word_guarded(word);
    }
    if (i != x) return;
    uint32_t own = word_is_load(began) ? 1u << word_sets(began) & 0x3f : 0;
    state->is[0] = true;
    state->told_by[0] = UINT64_C(1) << own;
    state->fenced[0] = false;
}

static void pass_on(const struct flow *flow, uint32_t b, const struct under_way *state,
                    struct under_way *entry, bool *changed)
{
    for (uint32_t e = 0; e < 2; e++)
        for (uint32_t as = 0; as < 2 && edge_exists(flow, b, e); as++)
            if (state->is[as])
                join(&entry[flow->next[b][e]], flow->back[b][e] ? 1 : as, state, as, changed);
}

void flow_outstanding(const struct flow *flow, uint32_t x, uint8_t *at)
{
    struct under_way *entry = must(calloc(flow->blocks, sizeof *entry));
    bool changed = true;
    memset(at, 0, flow->code->count);
    for (bool first = true; changed; first = false) {
        changed = false;
        for (uint32_t b = 0; b < flow->blocks; b++) {
            struct under_way state = entry[b];
            if (!state.is[0] && !state.is[1] && !(first && b == flow->block[x])) continue;
            for (uint32_t i = flow->start[b]; i < flow->start[b + 1]; i++)
                issue(flow, x, i, &state, at);
            pass_on(flow, b, &state, entry, &changed);
        }
    }
    free(entry);
}
