/* Two sets of registers are carried along: of accesses in flight, and of those among them that a
 * wait which is gone would have completed: these are at risk. Within a block they are lists, so
 * that straight code costs what it weighs; between blocks bits, of which there is a bound. A wait
 * that is declined empties both sets, so the solution is begun again after a round that declined
 * any. See registers.h. */
#include "order/registers.h"

#include "base/mem.h"
#include "base/vec.h"
#include "base/work.h"
#include "flow/rounds.h"
#include "order/waits.h"
#include "order/watch.h"

enum { ROUNDS_MAX = 32 };
static const uint64_t SETS_BYTES_MAX = 1ull << 26;

/* A set of registers, by their slots: its members and a mark by slot. */
struct reg_set {
    struct VEC(uint32_t) members;
    uint32_t *mark, now;
};

struct hazards {
    const struct analysis *analysis;
    enum effect wait;
    struct verdict *verdicts;
    const uint32_t *sites;
    uint32_t count, words;
    enum watcher kind;
    const struct watch *watch;
    const uint32_t *points, *first_point; /* of the kind */
    uint64_t *in; /* by block: words of registers in flight, words of those at risk */
    struct rounds rounds;
    bool *filled;          /* by block: in holds something */
    bool *reached, *blame; /* by block; blame: one before it has to be declined */
    uint32_t *blamed_for;  /* by block: the instruction that would go wrong */
    enum reason *blamed_why;
    struct reg_set flight, risk;
    bool declined; /* in this round */
};

static bool set_has(const struct reg_set *set, uint32_t slot)
{
    return set->mark[slot] == set->now;
}

static void set_add(struct reg_set *set, uint32_t slot)
{
    if (set_has(set, slot)) return;
    set->mark[slot] = set->now;
    vec_push(&set->members, slot);
}

static void set_clear(struct reg_set *set)
{
    set->members.count = 0;
    set->now++;
}

/* ---- one block ---- */

static bool is_access(const struct hazards *h, uint32_t i)
{
    return analysis_effect(h->analysis, i) == waits_issue(h->wait);
}

/* Of a wait: it is there, it is gone (or to go), or it counts for nothing since it may not run. */
static bool is_gone(const struct hazards *h, uint32_t i)
{
    uint32_t site = site_find(h->sites, h->count, i);
    return site != NO_WITNESS ? h->verdicts[site].reason == REASON_NONE : h->analysis->deleted[i];
}

static bool is_kept(const struct hazards *h, uint32_t i)
{
    return analysis_always(h->analysis, i) && !is_gone(h, i);
}

/* Is it a register of an access at risk? loaded: one that an access writes. */
static bool is_at_risk(const struct hazards *h, const struct use *use, bool *loaded)
{
    const struct watched *watched = watch_of(h->watch, use->reg);
    uint32_t slot = watched->slot[h->kind];
    *loaded = watched->on_read >> h->kind & 1;
    return slot != REG_NONE && set_has(&h->risk, slot);
}

/* REASON_NONE, or why the use of a register at risk must wait for the access. */
static enum reason use_at_risk(const struct hazards *h, const struct use *use, bool loaded)
{
    if (use->write) return REASON_REGISTER_REWRITTEN;
    if (!loaded || h->analysis->assumptions & ASSUME_REGISTER_DEPENDENCY) return REASON_NONE;
    return REASON_REGISTER_READ;
}

static enum reason at_risk(const struct hazards *h, uint32_t i, bool *depends)
{
    const struct use *use, *end;
    enum reason worst = REASON_NONE;
    if (!h->risk.members.count) return worst;
    analysis_uses(h->analysis, i, &use, &end);
    for (; use < end; use++) {
        bool loaded;
        if (!is_at_risk(h, use, &loaded)) continue;
        enum reason reason = use_at_risk(h, use, loaded);
        if (reason > worst) worst = reason;
        *depends |= !use->write && loaded;
    }
    return worst;
}

static void decline(struct hazards *h, uint32_t wait, enum reason reason, uint32_t witness)
{
    struct verdict *verdict = &h->verdicts[site_find(h->sites, h->count, wait)];
    *verdict = (struct verdict){reason, witness, verdict->assumptions};
    h->declined = true;
}

static void pass_wait(struct hazards *h, uint32_t i)
{
    if (is_gone(h, i)) {
        for (uint32_t n = 0; n < h->flight.members.count; n++)
            set_add(&h->risk, h->flight.members.at[n]);
        set_clear(&h->flight);
    } else if (is_kept(h, i)) {
        set_clear(&h->flight);
        set_clear(&h->risk);
    }
}

static void issue(struct hazards *h, uint32_t i)
{
    const struct use *use, *end;
    analysis_uses(h->analysis, i, &use, &end);
    for (; use < end; use++) set_add(&h->flight, watch_of(h->watch, use->reg)->slot[h->kind]);
}

/* Waits gone since the last one that is there, in this block: [first, points) of the points. */
static void note_dependency(struct hazards *h, uint32_t *first, uint32_t end)
{
    for (; *first < end; ++*first) {
        uint32_t i = h->points[*first];
        if (analysis_effect(h->analysis, i) != h->wait ||
            site_find(h->sites, h->count, i) == NO_WITNESS)
            continue;
        h->verdicts[site_find(h->sites, h->count, i)].assumptions |= ASSUME_REGISTER_DEPENDENCY;
    }
}

static void blame(struct hazards *h, uint32_t block, enum reason reason, uint32_t witness)
{
    if (!h->blame[block]) h->blamed_for[block] = witness, h->blamed_why[block] = reason;
    h->blame[block] = true;
    set_clear(&h->risk);
}

/* Carries the sets through a block. A wait that has to stay after all is gone back to: from there
 * to where it was found out no other stands, so each stretch is gone through twice at the most. */
static void through(struct hazards *h, uint32_t block)
{
    uint32_t end = h->first_point[block + 1], last = NO_WITNESS, first = h->first_point[block];
    work_spend(end - first + h->words);
    for (uint32_t p = h->first_point[block]; p < end; p++) {
        uint32_t i = h->points[p];
        if (analysis_effect(h->analysis, i) == h->wait) {
            if (is_gone(h, i) && site_find(h->sites, h->count, i) != NO_WITNESS) last = p;
            if (is_kept(h, i)) last = NO_WITNESS, first = p + 1;
            pass_wait(h, i);
            continue;
        }
        bool depends = false;
        enum reason reason = at_risk(h, i, &depends);
        if (reason != REASON_NONE && last != NO_WITNESS) {
            decline(h, h->points[last], reason, i);
            p = last - 1;
            last = NO_WITNESS;
            continue;
        }
        if (reason != REASON_NONE) blame(h, block, reason, i);
        if (depends) note_dependency(h, &first, p);
        if (is_access(h, i)) issue(h, i);
    }
    if (h->risk.members.count) note_dependency(h, &first, end);
}

/* ---- the graph ---- */

static uint64_t *in_of(const struct hazards *h, uint32_t block)
{
    return h->in + (size_t)block * 2 * h->words;
}

static void load(const struct hazards *h, struct reg_set *set, const uint64_t *bits)
{
    for (uint32_t w = 0; w < h->words; w++)
        for (uint64_t left = bits[w]; left; left &= left - 1)
            set_add(set, w * 64 + (uint32_t)__builtin_ctzll(left));
}

static bool unite(uint64_t *bits, const struct reg_set *set)
{
    bool grown = false;
    for (uint32_t n = 0; n < set->members.count; n++) {
        uint32_t bit = set->members.at[n];
        uint64_t one = 1ull << bit % 64;
        grown |= !(bits[bit / 64] & one);
        bits[bit / 64] |= one;
    }
    return grown;
}

static void fill(struct hazards *h, uint32_t block)
{
    if (!h->filled[block]) memset(in_of(h, block), 0, 2 * h->words * sizeof *h->in);
    h->filled[block] = true;
}

static void flow_out(struct hazards *h, uint32_t block)
{
    const struct block *b = &h->analysis->cfg->blocks[block];
    for (uint32_t n = 0; n < b->succ_count; n++) {
        uint32_t succ = h->analysis->cfg->succs[b->first_succ + n];
        work_spend(h->flight.members.count + h->risk.members.count + 1);
        if (h->flight.members.count || h->risk.members.count) fill(h, succ);
        bool grown = unite(in_of(h, succ), &h->flight);
        grown |= unite(in_of(h, succ) + h->words, &h->risk);
        if (grown || !h->reached[succ]) rounds_want(&h->rounds, succ);
        h->reached[succ] = true;
    }
}

static void solve(struct hazards *h)
{
    uint32_t count = h->analysis->cfg->count;
    memset(h->filled, 0, count);
    memset(h->reached, 0, count);
    memset(h->blame, 0, count);
    h->reached[0] = true;
    rounds_want(&h->rounds, 0);
    for (uint32_t block; rounds_next(&h->rounds, &block);) {
        set_clear(&h->flight);
        set_clear(&h->risk);
        if (h->filled[block]) {
            load(h, &h->flight, in_of(h, block));
            load(h, &h->risk, in_of(h, block) + h->words);
        }
        through(h, block);
        flow_out(h, block);
    }
}

/* Declines the last wait of a block if it is to go; false when none is there. */
static bool decline_last(struct hazards *h, uint32_t block, enum reason reason, uint32_t witness)
{
    for (uint32_t p = h->first_point[block + 1]; p-- > h->first_point[block];) {
        uint32_t i = h->points[p];
        if (analysis_effect(h->analysis, i) != h->wait) continue;
        bool to_go = is_gone(h, i) && site_find(h->sites, h->count, i) != NO_WITNESS;
        if (!to_go && !is_kept(h, i)) continue;
        if (to_go) decline(h, i, reason, witness);
        return true;
    }
    return false;
}

/* What a block was blamed for goes back along its predecessors to the nearest waits. */
static void pass_blame(struct hazards *h)
{
    const struct cfg *cfg = h->analysis->cfg;
    struct VEC(uint32_t) todo = {0};
    for (uint32_t b = 0; b < cfg->count; b++)
        if (h->blame[b]) vec_push(&todo, b);
    while (todo.count) {
        uint32_t block = todo.at[--todo.count];
        for (uint32_t n = 0; n < cfg->blocks[block].pred_count; n++) {
            uint32_t pred = cfg->preds[cfg->blocks[block].first_pred + n];
            bool ends = decline_last(h, pred, h->blamed_why[block], h->blamed_for[block]);
            if (ends || h->blame[pred]) continue;
            h->blame[pred] = true;
            h->blamed_for[pred] = h->blamed_for[block];
            h->blamed_why[pred] = h->blamed_why[block];
            vec_push(&todo, pred);
        }
    }
    vec_free(&todo);
}

static void give_up(struct hazards *h)
{
    for (uint32_t k = 0; k < h->count; k++)
        if (h->verdicts[k].reason == REASON_NONE)
            h->verdicts[k] = (struct verdict){REASON_TOO_BIG, NO_WITNESS, 0};
}

/* Until a round declines nothing; false when there were too many. */
static bool converge(struct hazards *h)
{
    int round = 0;
    do {
        h->declined = false;
        solve(h);
        pass_blame(h);
    } while (h->declined && ++round < ROUNDS_MAX);
    return !h->declined;
}

/* Waits were declined for what others would have left in flight that were declined later
 * themselves: the first half of them gets a second chance. False when there are none. */
static bool retry(struct hazards *h, const struct verdict *asked)
{
    uint32_t declined = 0;
    for (uint32_t k = 0; k < h->count; k++) declined += asked[k].reason != h->verdicts[k].reason;
    uint32_t left = declined / 2;
    if (!left) return false;
    for (uint32_t k = 0; k < h->count && left; k++) {
        if (asked[k].reason == h->verdicts[k].reason) continue;
        h->verdicts[k] = asked[k];
        left--;
    }
    return true;
}

static void run(struct hazards *h)
{
    uint64_t bytes = (uint64_t)h->analysis->cfg->count * 2 * h->words * sizeof *h->in;
    if (bytes > SETS_BYTES_MAX) {
        give_up(h);
        return;
    }
    h->in = mem_alloc((size_t)bytes);
    struct verdict *asked = mem_alloc(h->count * sizeof *asked);
    memcpy(asked, h->verdicts, h->count * sizeof *asked);
    bool fine = converge(h);
    if (fine && retry(h, asked)) fine = converge(h);
    if (!fine) give_up(h);
    mem_free(asked);
    mem_free(h->in);
}

static void prepare(struct hazards *h)
{
    uint32_t blocks = h->analysis->cfg->count, slots = h->watch->slots[h->kind];
    h->points = h->watch->points[h->kind].at.at;
    h->first_point = h->watch->points[h->kind].first;
    h->words = slots / 64 + 1;
    h->flight.now = h->risk.now = 1;
    h->flight.mark = mem_zalloc(slots, sizeof *h->flight.mark);
    h->risk.mark = mem_zalloc(slots, sizeof *h->risk.mark);
    h->reached = mem_zalloc(3 * (size_t)blocks, sizeof *h->reached);
    h->blame = h->reached + blocks;
    h->filled = h->blame + blocks;
    rounds_init(&h->rounds, blocks, false);
    h->blamed_for = mem_alloc(blocks * sizeof *h->blamed_for);
    h->blamed_why = mem_alloc(blocks * sizeof *h->blamed_why);
}

static void release(struct hazards *h)
{
    mem_free(h->flight.mark);
    mem_free(h->risk.mark);
    mem_free(h->reached);
    rounds_free(&h->rounds);
    mem_free(h->blamed_for);
    mem_free(h->blamed_why);
    vec_free(&h->flight.members);
    vec_free(&h->risk.members);
}

void registers_decline(const struct analysis *analysis, const uint32_t *sites, uint32_t count,
                       struct verdict *verdicts)
{
    bool any = false;
    for (uint32_t k = 0; k < count; k++) any |= verdicts[k].reason == REASON_NONE;
    if (!any) return;
    struct hazards h = {.analysis = analysis,
                        .wait = analysis_effect(analysis, sites[0]),
                        .kind = analysis_effect(analysis, sites[0]) == EFFECT_WAIT_LD ? WATCH_LD
                                                                                      : WATCH_ST,
                        .watch = analysis->watch,
                        .sites = sites,
                        .count = count,
                        .verdicts = verdicts};
    prepare(&h);
    run(&h);
    release(&h);
}
