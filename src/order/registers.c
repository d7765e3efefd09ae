/* Declines the waits without which registers are written too early. It computes two sets of
 * registers: those of accesses in flight, and those at risk, whose accesses a removed wait would
 * have completed. The registers that a block adds to a set are a list, so straight code costs time
 * in proportion to its length. The registers that it gets from other blocks are a shared set, so n
 * registers through n blocks do not take n * n bits. A declined wait empties both sets, so the
 * solution starts again after a round that has declined any. See registers.h. */
#include "order/registers.h"

#include "base/mem.h"
#include "base/shared_set.h"
#include "base/vec.h"
#include "base/work.h"
#include "flow/rounds.h"
#include "order/waits.h"
#include "order/watch.h"

enum { ROUNDS_MAX = 32 };
static const uint32_t NODES_MAX = 1u << 22; /* the most nodes of shared sets, about 100 MB */

/* A set of registers, by their slots: the slots that came into the block, and a list of the others,
 * which are marked: mark[slot] == now. */
struct reg_set {
    shared_set came;
    uint32_t *members, count; /* behind the marks, with room for all slots */
    uint32_t *mark, now;
};

struct hazards {
    const struct analysis *analysis;
    enum effect wait;
    struct verdict *verdicts;
    const uint32_t *sites;
    uint32_t count;
    enum watcher kind;
    const struct watch *watch;
    const uint32_t *points, *first_point; /* of the watcher `kind` */
    uint32_t *site; /* by point: the index of its site in sites, or NO_WITNESS */
    bool *depends;  /* by point: in this round, its site needs register-dependency */
    struct shared_sets sets;
    struct block_in {
        shared_set flight, risk;
    } * in; /* by block: the sets at its beginning */
    struct rounds rounds;
    bool *reached, *blame; /* by block; blame: a wait before the block has to be declined */
    uint32_t *blamed_for;  /* by block: the instruction that would be executed too early */
    enum reason *blamed_why;
    struct reg_set flight, risk;
    bool declined; /* in this round */
};

static void reg_set_init(struct reg_set *set, uint32_t slots)
{
    *set = (struct reg_set){.now = 1};
    set->mark = mem_zalloc(2 * (size_t)slots, sizeof *set->mark);
    set->members = set->mark + slots;
}

static bool set_is_empty(const struct reg_set *set)
{
    return !set->came && !set->count;
}

static bool reg_set_has(const struct hazards *h, const struct reg_set *set, uint32_t slot)
{
    if (set->mark[slot] == set->now) return true;
    return set->came && shared_set_has(&h->sets, set->came, slot);
}

static inline void reg_set_add(struct reg_set *set, uint32_t slot)
{
    if (set->mark[slot] == set->now) return;
    set->mark[slot] = set->now;
    set->members[set->count++] = slot;
}

static void set_begin(struct reg_set *set, shared_set came)
{
    set->came = came;
    set->count = 0;
    set->now++;
}

/* The registers of a load are most often neighbours, so many members are bits of the same word. */
static shared_set set_whole(struct hazards *h, const struct reg_set *set)
{
    shared_set whole = set->came;
    for (uint32_t n = 0; n < set->count;) {
        uint32_t word = set->members[n] / 64;
        uint64_t bits = 0;
        for (; n < set->count && set->members[n] / 64 == word; n++)
            bits |= 1ull << set->members[n] % 64;
        whole = shared_set_add(&h->sets, whole, word, bits);
    }
    return whole;
}

/* ---- one block ---- */

static bool is_access(const struct hazards *h, uint32_t i)
{
    return analysis_effect(h->analysis, i) == waits_issue(h->wait);
}

static bool is_wait_point(const struct hazards *h, uint32_t point)
{
    return analysis_effect(h->analysis, h->points[point]) == h->wait;
}

/* The wait is removed, or is a site that is not declined. */
static bool is_deleted(const struct hazards *h, uint32_t point)
{
    uint32_t site = h->site[point];
    if (site == NO_WITNESS) return h->analysis->deleted[h->points[point]];
    return h->verdicts[site].reason == REASON_NONE;
}

static bool is_to_delete(const struct hazards *h, uint32_t point)
{
    return h->site[point] != NO_WITNESS && is_deleted(h, point);
}

static bool is_kept_point(const struct hazards *h, uint32_t point)
{
    return analysis_always(h->analysis, h->points[point]) && !is_deleted(h, point);
}

/* The use is of a register at risk. *loaded: some access writes the register. */
static bool is_at_risk(const struct hazards *h, const struct use *use, bool *loaded)
{
    const uint8_t *watchers = h->watch->watchers[use->reg];
    *loaded = watchers[false] >> h->kind & 1;
    if (!(watchers[true] >> h->kind & 1)) return false;
    return reg_set_has(h, &h->risk, watch_of(h->watch, use->reg)->slot[h->kind]);
}

/* The reason why the use of a register at risk must wait for the access, or REASON_NONE. */
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
    if (set_is_empty(&h->risk)) return worst;
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

static void registers_decline_point(struct hazards *h, uint32_t point, enum reason reason,
                                    uint32_t witness)
{
    struct verdict *verdict = &h->verdicts[h->site[point]];
    *verdict = (struct verdict){reason, witness, verdict->assumptions, false};
    h->declined = true;
}

static void pass_wait(struct hazards *h, uint32_t point)
{
    if (is_deleted(h, point)) {
        h->risk.came = shared_set_unite(&h->sets, h->risk.came, h->flight.came);
        for (uint32_t n = 0; n < h->flight.count; n++) reg_set_add(&h->risk, h->flight.members[n]);
        set_begin(&h->flight, 0);
    } else if (is_kept_point(h, point)) {
        set_begin(&h->flight, 0);
        set_begin(&h->risk, 0);
    }
}

static void registers_issue(struct hazards *h, uint32_t i)
{
    const struct use *use, *end;
    analysis_uses(h->analysis, i, &use, &end);
    for (; use < end; use++) reg_set_add(&h->flight, watch_of(h->watch, use->reg)->slot[h->kind]);
}

/* Notes register-dependency in the sites [*first, end), the waits since the last kept wait of this
 * block. */
static void note_dependency(struct hazards *h, uint32_t *first, uint32_t end)
{
    for (; *first < end; ++*first) {
        h->depends[*first] = true;
        if (h->site[*first] != NO_WITNESS)
            h->verdicts[h->site[*first]].assumptions |= ASSUME_REGISTER_DEPENDENCY;
    }
}

static void registers_blame(struct hazards *h, uint32_t block, enum reason reason, uint32_t witness)
{
    if (!h->blame[block]) h->blamed_for[block] = witness, h->blamed_why[block] = reason;
    h->blame[block] = true;
    set_begin(&h->risk, 0);
}

/* Computes the sets through a block. If a wait has to be kept, the walk returns to it. No other
 * wait between it and the instruction that needs it is kept, so each part is walked at most twice.
 */
static void registers_walk_block(struct hazards *h, uint32_t block)
{
    uint32_t end = h->first_point[block + 1], last = NO_WITNESS, first = h->first_point[block];
    work_spend(end - first);
    for (uint32_t p = h->first_point[block]; p < end; p++) {
        uint32_t i = h->points[p];
        if (is_wait_point(h, p)) {
            if (is_to_delete(h, p)) last = p;
            if (is_kept_point(h, p)) last = NO_WITNESS, first = p + 1;
            pass_wait(h, p);
            continue;
        }
        bool depends = false;
        enum reason reason = at_risk(h, i, &depends);
        if (reason != REASON_NONE && last != NO_WITNESS) {
            registers_decline_point(h, last, reason, i);
            p = last - 1;
            last = NO_WITNESS;
            continue;
        }
        if (reason != REASON_NONE) registers_blame(h, block, reason, i);
        if (depends) note_dependency(h, &first, p);
        if (is_access(h, i)) registers_issue(h, i);
    }
    if (!set_is_empty(&h->risk)) note_dependency(h, &first, end);
}

/* ---- the graph ---- */

/* Adds out to *in. True if *in has changed. */
static bool registers_flow_into(struct hazards *h, shared_set *in, shared_set out)
{
    shared_set before = *in;
    *in = shared_set_unite(&h->sets, before, out);
    return *in != before;
}

static void registers_flow_out(struct hazards *h, uint32_t block)
{
    const struct block *b = &h->analysis->cfg->blocks[block];
    shared_set flight = set_whole(h, &h->flight), risk = set_whole(h, &h->risk);
    for (uint32_t n = 0; n < b->succ_count; n++) {
        uint32_t succ = h->analysis->cfg->succs[b->first_succ + n];
        work_spend(1);
        bool grown = registers_flow_into(h, &h->in[succ].flight, flight);
        grown |= registers_flow_into(h, &h->in[succ].risk, risk);
        if (grown || !h->reached[succ]) rounds_want(&h->rounds, succ);
        h->reached[succ] = true;
    }
}

/* False if the sets take too much memory. */
static bool registers_solve(struct hazards *h)
{
    uint32_t count = h->analysis->cfg->count;
    memset(h->in, 0, count * sizeof *h->in);
    memset(h->reached, 0, count);
    memset(h->blame, 0, count);
    memset(h->depends, 0, h->first_point[count] * sizeof *h->depends);
    h->reached[0] = true;
    rounds_want(&h->rounds, 0);
    for (uint32_t block; rounds_next(&h->rounds, &block);) {
        set_begin(&h->flight, h->in[block].flight);
        set_begin(&h->risk, h->in[block].risk);
        registers_walk_block(h, block);
        registers_flow_out(h, block);
        if (h->sets.nodes.count > NODES_MAX) return false;
    }
    return true;
}

/* Declines the last wait of a block if it is to be removed. False if the block has no wait that
 * counts. */
static bool decline_last(struct hazards *h, uint32_t block, enum reason reason, uint32_t witness)
{
    for (uint32_t p = h->first_point[block + 1]; p-- > h->first_point[block];) {
        if (!is_wait_point(h, p) || (!is_to_delete(h, p) && !is_kept_point(h, p))) continue;
        if (is_to_delete(h, p)) registers_decline_point(h, p, reason, witness);
        return true;
    }
    return false;
}

/* Passes the blame of a block back along its predecessors to the nearest waits. */
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

static void registers_give_up(struct hazards *h)
{
    for (uint32_t k = 0; k < h->count; k++)
        if (h->verdicts[k].reason == REASON_NONE)
            h->verdicts[k] = (struct verdict){REASON_TOO_BIG, NO_WITNESS, 0, false};
}

/* Repeats the solution until a round declines nothing. False if there were too many rounds, or if
 * they took too much memory. */
static bool registers_converge(struct hazards *h)
{
    int round = 0;
    do {
        h->declined = false;
        if (!registers_solve(h)) return false;
        pass_blame(h);
    } while (h->declined && ++round < ROUNDS_MAX);
    return !h->declined;
}

/* Some waits were declined for accesses that another removed wait had left in flight, and that wait
 * was declined later. So the first half of the declined waits is tried again. False if there are
 * none. */
static bool registers_retry(struct hazards *h, const struct verdict *asked)
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

/* ---- the same removals again ---- */

/* Keeps the removals of the last round, in which no register was written too early. */
static void keep_safe(const struct hazards *h, struct watch_safe *safe)
{
    const struct analysis *analysis = h->analysis;
    uint32_t points = h->first_point[analysis->cfg->count];
    if (!safe->removed) {
        safe->removed = arena_room(analysis->arena, points, sizeof *safe->removed);
        safe->depends = arena_room(analysis->arena, points, sizeof *safe->depends);
    }
    for (uint32_t p = 0; p < points; p++)
        safe->removed[p] = is_wait_point(h, p) && is_deleted(h, p);
    memcpy(safe->depends, h->depends, points * sizeof *h->depends);
    safe->known = true;
}

/* Whether exactly the removals that were safe last are asked about: all sites are open, and the
 * others are removed already. Adds their assumption to the verdicts. */
static bool registers_are_safe(const struct hazards *h, const struct watch_safe *safe)
{
    uint32_t points = h->first_point[h->analysis->cfg->count];
    if (!safe->known) return false;
    for (uint32_t p = 0, k = 0; p < points; p++) {
        bool site = k < h->count && h->sites[k] == h->points[p];
        bool removed = site ? h->verdicts[k].reason == REASON_NONE
                            : is_wait_point(h, p) && h->analysis->deleted[h->points[p]];
        if (removed != safe->removed[p]) return false;
        k += site;
    }
    for (uint32_t p = 0, k = 0; k < h->count; p++)
        if (h->sites[k] == h->points[p]) {
            if (safe->depends[p]) h->verdicts[k].assumptions |= ASSUME_REGISTER_DEPENDENCY;
            k++;
        }
    return true;
}

/* ---- all ---- */

static void registers_run(struct hazards *h)
{
    struct verdict *asked = mem_alloc(h->count * sizeof *asked);
    memcpy(asked, h->verdicts, h->count * sizeof *asked);
    bool fine = registers_converge(h);
    if (fine && registers_retry(h, asked)) fine = registers_converge(h);
    if (fine)
        keep_safe(h, &h->analysis->watch->safe[h->kind]);
    else
        registers_give_up(h);
    mem_free(asked);
}

static void number_sites(struct hazards *h, uint32_t points)
{
    h->site = mem_alloc(points * sizeof *h->site);
    memset(h->site, 0xff, points * sizeof *h->site);
    for (uint32_t k = 0; k < h->count; k++) h->site[site_find(h->points, points, h->sites[k])] = k;
}

static void registers_prepare(struct hazards *h)
{
    uint32_t blocks = h->analysis->cfg->count, slots = h->watch->slots[h->kind];
    reg_set_init(&h->flight, slots);
    reg_set_init(&h->risk, slots);
    number_sites(h, h->watch->points[h->kind].at.count);
    h->depends = mem_alloc(h->watch->points[h->kind].at.count * sizeof *h->depends);
    shared_sets_init(&h->sets, slots);
    h->in = mem_alloc(blocks * sizeof *h->in);
    h->reached = mem_zalloc(2 * (size_t)blocks, sizeof *h->reached);
    h->blame = h->reached + blocks;
    rounds_init(&h->rounds, blocks, false);
    h->blamed_for = mem_alloc(blocks * sizeof *h->blamed_for);
    h->blamed_why = mem_alloc(blocks * sizeof *h->blamed_why);
}

static void registers_release(struct hazards *h)
{
    mem_free(h->flight.mark);
    mem_free(h->risk.mark);
    shared_sets_free(&h->sets);
    mem_free(h->site);
    mem_free(h->depends);
    mem_free(h->in);
    mem_free(h->reached);
    rounds_free(&h->rounds);
    mem_free(h->blamed_for);
    mem_free(h->blamed_why);
}

void registers_decline(const struct analysis *analysis, const uint32_t *sites, uint32_t count,
                       struct verdict *verdicts)
{
    bool any = false;
    for (uint32_t k = 0; k < count; k++) any |= verdicts[k].reason == REASON_NONE;
    if (!any) return;
    watch_need(analysis);
    struct hazards h = {.analysis = analysis,
                        .wait = analysis_effect(analysis, sites[0]),
                        .kind = analysis_effect(analysis, sites[0]) == EFFECT_WAIT_LD ? WATCH_LD
                                                                                      : WATCH_ST,
                        .watch = analysis->watch,
                        .sites = sites,
                        .count = count,
                        .verdicts = verdicts};
    h.points = h.watch->points[h.kind].at.at;
    h.first_point = h.watch->points[h.kind].first;
    if (registers_are_safe(&h, &h.watch->safe[h.kind])) return;
    registers_prepare(&h);
    registers_run(&h);
    registers_release(&h);
}
