/* A block is first summed up for each state: either a path through it is answered in it, or it
 * leaves it in some state. Answers then flow against the direction of the scan, each at most as
 * often as it can still change; last, each block that is asked about is gone through once more. See
 * scan.h. */
#include "order/scan.h"

#include "base/mem.h"
#include "base/vec.h"
#include "base/work.h"

/* An answer, packed: a function has many blocks. */
struct value {
    uint8_t found, reason;
    uint16_t assumptions;
    uint32_t witness;
};

_Static_assert(REASON_COUNT <= UINT8_MAX, "a reason fits a byte");

enum { ANSWERED = UINT8_MAX };

struct solver {
    const struct scan *scan;
    const struct cfg *cfg;
    unsigned states;
    struct value *start;             /* [block * states + state]: at the block's near end */
    uint8_t *leaves;                 /* the state a path leaves it in, or ANSWERED */
    uint16_t *noted;                 /* assumptions on the way through */
    struct value entry[SCAN_STATES]; /* before the body, by state */
    struct VEC(uint32_t) todo;       /* indices of start that changed */
    bool *waiting;
};

/* A path that stops decides; of two that say the same one that names an instruction is kept. */
static bool join(struct value *into, struct value more)
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

/* ---- the table's answer ---- */

static struct value answered(uint8_t found, enum reason reason, uint32_t i)
{
    return (struct value){found, (uint8_t)reason, 0, i};
}

/* What an entry whose assumption holds does with instruction i. */
static struct value apply(const struct scan *scan, const struct cover_entry *entry, uint32_t i,
                          unsigned *state)
{
    bool always = i == SCAN_ENTRY || analysis_always(scan->analysis, i);
    switch ((enum cover_does)entry->does) {
    case COVER_STOP: return answered(SCAN_STOP, entry->reason, i);
    case COVER_DONE: return answered(SCAN_DONE, REASON_NONE, i);
    case COVER_CERTAIN: return answered(always ? SCAN_DONE : SCAN_NOTHING, REASON_NONE, i);
    case COVER_MUST:
        return always ? answered(SCAN_DONE, REASON_NONE, i) : answered(SCAN_STOP, entry->reason, i);
    case COVER_PASS: break;
    }
    if (always) *state |= entry->notes;
    bool enough = scan->table->enough && *state == scan->table->enough;
    return answered(enough ? SCAN_DONE : SCAN_NOTHING, REASON_NONE, i);
}

static const struct cover_entry *entry_at(const struct scan *scan, uint32_t i, unsigned *state)
{
    static const struct cover_entry answer = DONE;
    const struct cover_table *table = scan->table;
    if (i == SCAN_ENTRY) return scan->analysis->function->is_entry ? &answer : cover_edge(table);
    enum effect effect = analysis_effect(scan->analysis, i);
    bool leaves = effect == EFFECT_EXIT && !table->backward && !scan->analysis->function->is_entry;
    const struct cover_entry *own = leaves ? cover_edge(table) : &table->on[effect];
    return table->look ? table->look(scan, i, own, state) : own;
}

/* One event for one state: what the path finds here, or found 0 and the state behind it. */
static struct value visit(const struct scan *scan, uint32_t i, unsigned *state)
{
    const struct cover_entry *entry = entry_at(scan, i, state);
    bool unnamed = entry->does == COVER_PASS && !entry->given && !entry->notes;
    if (unnamed || (entry->only && !(*state & entry->only)) || *state & entry->unless)
        return answered(SCAN_NOTHING, REASON_NONE, i);
    if (!entry->given) return apply(scan, entry, i, state);
    bool holds = (scan->analysis->assumptions & entry->given) == entry->given;
    struct value here =
        holds ? apply(scan, entry, i, state) : answered(SCAN_STOP, entry->reason, i);
    if (holds || entry->reason == REASON_ASSUMPTION) here.assumptions |= entry->given;
    return here;
}

/* ---- the solution over the graph ---- */

/* The k-th event of a block in the direction of the scan. */
static uint32_t event_at(const struct solver *s, uint32_t block, uint32_t k)
{
    const struct analysis *analysis = s->scan->analysis;
    uint32_t first = analysis->first_event[block], end = analysis->first_event[block + 1];
    return analysis->events[s->scan->table->backward ? end - 1 - k : first + k];
}

static uint32_t event_count(const struct solver *s, uint32_t block)
{
    const struct analysis *analysis = s->scan->analysis;
    return analysis->first_event[block + 1] - analysis->first_event[block];
}

static void change(struct solver *s, uint32_t index)
{
    if (s->waiting[index]) return;
    s->waiting[index] = true;
    vec_push(&s->todo, index);
}

static void sum_up(struct solver *s, uint32_t block, unsigned state)
{
    uint32_t index = block * s->states + state, count = event_count(s, block);
    struct value *start = &s->start[index];
    work_spend(count + 1);
    for (uint32_t k = 0; k < count; k++) {
        uint32_t i = event_at(s, block, k);
        if (s->scan->analysis->deleted[i]) continue;
        struct value here = visit(s->scan, i, &state);
        s->noted[index] |= here.assumptions;
        if (!here.found) continue;
        here.assumptions = s->noted[index];
        *start = here;
        s->leaves[index] = ANSWERED;
        change(s, index);
        return;
    }
    s->leaves[index] = (uint8_t)state;
    if (!s->scan->table->backward || block != 0) return;
    struct value before = s->entry[state];
    before.assumptions |= s->noted[index];
    if (join(start, before)) change(s, index);
}

/* The blocks that a scan comes to from this one (next), or from which it comes to this one. */
static const uint32_t *neighbours(const struct solver *s, uint32_t block, bool next,
                                  uint32_t *count)
{
    const struct block *b = &s->cfg->blocks[block];
    bool succs = next != s->scan->table->backward;
    *count = succs ? b->succ_count : b->pred_count;
    return succs ? &s->cfg->succs[b->first_succ] : &s->cfg->preds[b->first_pred];
}

/* First in, first out: of several answers the one fewest blocks away is found. */
static void flow(struct solver *s)
{
    for (uint32_t next = 0; next < s->todo.count; next++) {
        uint32_t index = s->todo.at[next], count;
        uint32_t block = index / s->states, state = index % s->states;
        s->waiting[index] = false;
        const uint32_t *from = neighbours(s, block, false, &count);
        work_spend(count);
        for (uint32_t n = 0; n < count; n++)
            for (unsigned t = 0; t < s->states; t++) {
                uint32_t other = from[n] * s->states + t;
                if (s->leaves[other] != state) continue;
                struct value value = s->start[index];
                value.assumptions |= s->noted[other];
                if (join(&s->start[other], value)) change(s, other);
            }
    }
}

/* Of two that say the same the one that comes first in the text is better to read; what lies the
 * other way, round a loop, is farther than all of it. */
static bool is_nearer(const struct solver *s, uint32_t block, struct value a, struct value b)
{
    const struct block *at = &s->cfg->blocks[block];
    bool back = s->scan->table->backward;
    uint32_t to_a = back ? at->first - a.witness : a.witness - at->end; /* modulo 2^32 */
    uint32_t to_b = back ? at->first - b.witness : b.witness - at->end;
    return a.found == b.found && a.witness != NO_WITNESS && b.witness != NO_WITNESS && to_a < to_b;
}

/* What holds at a block's far end, by state. */
static void far_end(const struct solver *s, uint32_t block, struct value *values)
{
    uint32_t count;
    const uint32_t *next = neighbours(s, block, true, &count);
    work_spend(count);
    for (unsigned state = 0; state < s->states; state++) {
        values[state] = (struct value){.witness = NO_WITNESS};
        if (s->scan->table->backward && block == 0) values[state] = s->entry[state];
        for (uint32_t n = 0; n < count; n++) {
            struct value value = s->start[next[n] * s->states + state];
            uint16_t assumptions = values[state].assumptions | value.assumptions;
            if (is_nearer(s, block, value, values[state]))
                values[state] = value, values[state].assumptions = assumptions;
            else
                join(&values[state], value);
        }
    }
}

static void pass_over(const struct solver *s, uint32_t i, struct value *values)
{
    struct value made[SCAN_STATES];
    work_spend(s->states);
    for (unsigned state = 0; state < s->states; state++) {
        unsigned behind = state;
        struct value here = visit(s->scan, i, &behind);
        made[state] = here.found ? here : values[behind];
        if (made[state].found) made[state].assumptions |= here.assumptions;
    }
    for (unsigned state = 0; state < s->states; state++) values[state] = made[state];
}

static struct scan_answer unpack(struct value value)
{
    return (struct scan_answer){(enum scan_found)value.found,
                                {(enum reason)value.reason, value.witness, value.assumptions}};
}

/* Answers those of at[0..count) that lie in block, from its far end to its near one. */
static void answer(const struct solver *s, uint32_t block, const uint32_t *at, uint32_t count,
                   unsigned state, struct scan_answer *answers)
{
    struct value values[SCAN_STATES];
    uint32_t left = count;
    far_end(s, block, values);
    for (uint32_t k = event_count(s, block); left && k--;) {
        uint32_t i = event_at(s, block, k),
                 next = s->scan->table->backward ? count - left : left - 1;
        if (at[next] == i) answers[next] = unpack(values[state]), left--;
        if (!s->scan->analysis->deleted[i]) pass_over(s, i, values);
    }
}

static void solve(struct solver *s)
{
    for (unsigned state = 0; s->scan->table->backward && state < s->states; state++) {
        unsigned at_entry = state;
        s->entry[state] = visit(s->scan, SCAN_ENTRY, &at_entry);
    }
    for (uint32_t n = 0; n < s->cfg->count; n++) {
        uint32_t b = s->scan->table->backward ? s->cfg->count - 1 - n : n;
        if (!s->cfg->blocks[b].reachable) continue;
        for (unsigned state = 0; state < s->states; state++) sum_up(s, b, state);
    }
    flow(s);
}

void scan_run(const struct analysis *analysis, const struct cover_table *table, const uint32_t *at,
              uint32_t count, unsigned state, struct scan_answer *answers)
{
    if (!count) return;
    const struct cfg *cfg = analysis->cfg;
    const struct scan scan = {analysis, table};
    struct solver s = {.scan = &scan, .cfg = cfg, .states = table->states ? table->states : 1};
    size_t n = (size_t)cfg->count * s.states;
    s.start = mem_zalloc(n, sizeof *s.start);
    s.leaves = mem_alloc(n);
    s.noted = mem_zalloc(n, sizeof *s.noted);
    s.waiting = mem_zalloc(n, sizeof *s.waiting);
    memset(s.leaves, ANSWERED, n);
    for (size_t i = 0; i < n; i++) s.start[i].witness = NO_WITNESS;
    solve(&s);
    for (uint32_t k = 0, end; k < count; k = end) {
        uint32_t block = cfg->block_of[at[k]];
        for (end = k + 1; end < count && cfg->block_of[at[end]] == block;) end++;
        answer(&s, block, at + k, end - k, state, answers + k);
    }
    mem_free(s.start);
    mem_free(s.leaves);
    mem_free(s.noted);
    mem_free(s.waiting);
    vec_free(&s.todo);
}
