/* completion-untracked: an mma, cp or shift is announced, or its result loaded, and no commit says
 * when it is complete. Knowledge of the completion is followed from the commits through channels:
 * a wait learns of it when it may be for a signal that may pass it on; a signal after such a wait
 * passes it on. Readers that may have learnt of it in this way are not reported. */

#include "lint/commit_unwaited.h"
#include "lint/completion_tail.h"
#include "lint/walk.h"
#include "value/conditions.h"
#include "value/lanes.h"

enum { READERS_MAX = 64 };

/* Of one operation. */
struct chain {
    const struct lint *lint;
    const struct tensor_op *op;
    struct lanes_shape shape;
    bool never;   /* the function has no commit: what the columns are does not matter */
    bool *own;    /* by handover: its thread may come to it afterwards */
    bool *tells;  /* it may signal after the completion */
    bool *knows;  /* it may be a wait for such a signal */
    bool *dirty;  /* its thread signals with nothing known yet */
    bool *bare;   /* … and no fence::before since the operation */
    bool gave_up; /* paths were too many */
    const struct tensor_op *readers[READERS_MAX]; /* that run elsewhere and conflict */
    uint32_t reader_count;
};

/* ---- which instructions need the completion ---- */

/* One that needs the first complete, or as a pipelined pair ordered. */
static bool needs_completion(const struct lint *lint, enum effect first, uint32_t second)
{
    enum effect effect = lint_effect(lint, second);
    if (effect == EFFECT_ASYNC_LD || effect == EFFECT_ASYNC_ST) return true;
    return first == EFFECT_ASYNC_CP && effect == EFFECT_ASYNC_MMA;
}

static void find_readers(struct chain *c)
{
    const struct handovers *all = c->lint->handovers;
    enum effect effect = lint_effect(c->lint, c->op->instr);
    uint32_t block = UINT32_MAX;
    c->reader_count = 0;
    lint_spend(c->lint, all->op_count);
    for (uint32_t i = 0; i < all->op_count && c->reader_count < READERS_MAX; i++) {
        const struct tensor_op *x = &all->ops[i];
        if (!needs_completion(c->lint, effect, x->instr) ||
            c->lint->cfg->block_of[x->instr] == block)
            continue;
        if (!(c->never ? handover_likely_conflict(c->lint, c->op, x)
                       : handover_conflict(c->lint, c->op, x)))
            continue;
        if (!handover_other_thread(c->lint, c->op->instr, x->instr)) continue;
        block = c->lint->cfg->block_of[x->instr];
        c->readers[c->reader_count++] = x;
    }
}

/* ---- which waits learn of the completion ---- */

static bool elects_lane(const struct lint *lint, const struct condition_set *set, bool *numbered)
{
    bool elected = false;
    *numbered = false;
    for (uint32_t i = 0; i < set->count; i++) {
        const struct expr *e = value_expr(lint->subject, (struct value){set->at[i].base, 0});
        if (!set->at[i].holds) continue;
        elected |= e->kind == EXPR_ELECTED;
        *numbered |= e->kind == EXPR_EQ && e->spread == SPREAD_LANES;
    }
    return elected;
}

/* elect.sync chooses the lane in one place, its number in the other: nothing says that they are the
 * same. */
static bool other_lane(const struct lint *lint, uint32_t a, uint32_t b)
{
    struct condition_set x = conditions_of(lint->subject, a), y = conditions_of(lint->subject, b);
    bool x_numbered, y_numbered;
    bool x_elected = elects_lane(lint, &x, &x_numbered),
         y_elected = elects_lane(lint, &y, &y_numbered);
    return (x_elected && !x_numbered && y_numbered && !y_elected) ||
           (y_elected && !y_numbered && x_numbered && !x_elected);
}

static bool is_commit(const struct handover *h)
{
    return h->channel == CHANNEL_MBARRIER && h->use->kind == BARRIER_COMMIT;
}

/* What the operation's commits signal; false when a call hides some. */
static bool find_own_commits(struct chain *c)
{
    const struct handovers *all = c->lint->handovers;
    for (uint32_t i = 0; i < all->count; i++) {
        const struct handover *h = &all->at[i];
        c->own[i] = handover_reaches(c->lint, c->op->instr, h->instr);
        if (!c->own[i]) continue;
        if (h->channel == CHANNEL_UNKNOWN) return false;
        c->tells[i] = is_commit(h) && !other_lane(c->lint, c->op->instr, h->instr);
    }
    return true;
}

static bool spread_to_waits(struct chain *c)
{
    const struct handovers *all = c->lint->handovers;
    bool more = false;
    for (uint32_t w = 0; w < all->count; w++) {
        lint_spend(c->lint, all->count);
        for (uint32_t s = 0; s < all->count && !c->knows[w]; s++) {
            if (!c->tells[s] || !handover_may_meet(c->lint, &all->at[s], &all->at[w])) continue;
            more = c->knows[w] = true;
        }
    }
    return more;
}

static enum walk_does look_for_dirty(void *context, const struct lint *lint, uint32_t instr,
                                     unsigned *state)
{
    struct chain *c = context;
    if (lint_effect(lint, instr) == EFFECT_FENCE_BEFORE) *state = 1;
    const struct handover *h = handover_at(lint, instr);
    if (!h) return WALK_ON;
    if (c->knows[h - lint->handovers->at]) return WALK_END;
    c->dirty[h - lint->handovers->at] |= h->signals;
    c->bare[h - lint->handovers->at] |= h->signals && !*state;
    return WALK_ON;
}

enum {
    SIGNALS = 1 << EFFECT_RELEASE_BARRIER | 1 << EFFECT_RELEASE_MEMORY | 1 << EFFECT_COMMIT |
              1 << EFFECT_ACQUIRE_BARRIER | 1 << EFFECT_ACQUIRE_MEMORY | 1 << EFFECT_BOTH_BARRIER |
              1 << EFFECT_BOTH_MEMORY | 1 << EFFECT_FENCE_BEFORE
};

static void find_dirty(struct chain *c)
{
    struct walk_path path;
    lint_spend(c->lint, c->lint->handovers->count);
    memset(c->dirty, 0, c->lint->handovers->count * sizeof *c->dirty);
    memset(c->bare, 0, c->lint->handovers->count * sizeof *c->bare);
    (void)walk_forward(c->lint, c->op->instr, 0, SIGNALS, look_for_dirty, c, &path);
    c->gave_up |= path.gave_up;
}

/* The wait is of certain warps, and others come to the reader as well. */
static bool is_of_fewer_warps(const struct chain *c, uint32_t wait, uint32_t reader)
{
    const struct lint *lint = c->lint;
    struct condition_set w = conditions_of(lint->subject, wait),
                         x = conditions_of(lint->subject, reader);
    for (uint32_t i = 0; i < w.count; i++) {
        struct value v = {w.at[i].base, 0};
        const struct expr *e = value_expr(lint->subject, v);
        if (!e->of_thread || e->of_block || e->spread != SPREAD_SAME) continue;
        if (condition_truth(lint->subject, &x, v) == TRUTH_UNKNOWN) return true;
    }
    return c->shape.warps && lanes_other_warp(lint->subject, &c->shape, &x, &w);
}

/* After a wait that learns; of the operation's own thread only where nothing comes sooner. */
static bool spread_to_signals(struct chain *c)
{
    const struct handovers *all = c->lint->handovers;
    bool more = false;
    for (uint32_t s = 0; s < all->count; s++) {
        lint_spend(c->lint, all->count);
        for (uint32_t w = 0; w < all->count && !c->tells[s] && all->at[s].signals; w++) {
            if (!c->knows[w] || (c->own[w] && c->dirty[s])) continue;
            bool same = s == w; /* bar.sync is both */
            if (all->at[s].channel == CHANNEL_WARP &&
                is_of_fewer_warps(c, all->at[w].instr, all->at[s].instr))
                continue; /* it passes it on to its own warp only */
            if (!same && !handover_reaches(c->lint, all->at[w].instr, all->at[s].instr)) continue;
            more = c->tells[s] = true;
        }
    }
    return more;
}

struct way {
    const struct chain *c;
    uint32_t reader;
};

static enum walk_does look_for_way(void *context, const struct lint *lint, uint32_t instr,
                                   unsigned *state)
{
    const struct way *way = context;
    (void)state;
    if (instr == way->reader) return WALK_FOUND;
    const struct handover *h = handover_at(lint, instr);
    return h && way->c->knows[h - lint->handovers->at] ? WALK_END : WALK_ON;
}

/* After a wait that learns; one of some warps passes nothing on to others that have a path of
 * their own. */
static bool is_known_at(const struct chain *c, const struct tensor_op *x)
{
    const struct handovers *all = c->lint->handovers;
    struct way way = {c, x->instr};
    struct walk_path path;
    bool some = false;
    for (uint32_t w = 0; w < all->count; w++) {
        if (!c->knows[w] || !handover_reaches(c->lint, all->at[w].instr, x->instr)) continue;
        if (!is_of_fewer_warps(c, all->at[w].instr, x->instr)) return true;
        some = true;
    }
    if (!some) return false;
    return !walk_from_entry(c->lint, 0, SIGNALS | 1 << lint_effect(c->lint, x->instr), look_for_way,
                            &way, &path);
}

/* Keeps the readers that have not learnt of it. */
static void drop_those_who_know(struct chain *c, uint32_t *knowing)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < c->reader_count; i++)
        if (!is_known_at(c, c->readers[i])) c->readers[kept++] = c->readers[i];
    *knowing += c->reader_count - kept;
    c->reader_count = kept;
}

/* ---- reports ---- */

static enum walk_does look_for_one(void *context, const struct lint *lint, uint32_t instr,
                                   unsigned *state)
{
    (void)lint, (void)state;
    return instr == *(const uint32_t *)context ? WALK_FOUND : WALK_ON;
}

static void completion_untracked_report(const struct chain *c, const struct lint_code *code,
                                        uint32_t at, uint32_t witness, const char *says,
                                        const char *fix)
{
    struct lint *lint = (struct lint *)c->lint;
    struct walk_path path = {0};
    uint32_t first = witness < at || at != c->op->instr ? witness : at;
    uint32_t second = first == at ? witness : at;
    (void)walk_forward(lint, first, 0, 0, look_for_one, &second, &path);
    lint_report(lint, (struct hazard){code, LINT_ERROR, at, witness, says, fix, path.instrs,
                                      path.count, NULL});
}

static bool is_announcement(const struct handover *h)
{
    bool arrives = h->channel == CHANNEL_MBARRIER && h->use->kind == BARRIER_ARRIVE;
    return arrives || h->channel == CHANNEL_FLAG;
}

/* A reader that learns by nothing else, after a wait for this signal; NULL when there is none. */
static const struct tensor_op *reader_behind(const struct chain *c, const struct handover *signal,
                                             bool bare)
{
    const struct handovers *all = c->lint->handovers;
    uint32_t first = c->never ? 0 : all->first_alike[signal - all->at];
    for (uint32_t w = first; w < all->count; w = c->never ? w + 1 : all->alike[w]) {
        if (!(c->never ? handover_likely_meets(c->lint, signal, &all->at[w])
                       : handover_meets(c->lint, signal, &all->at[w])))
            continue;
        for (uint32_t i = 0; i < c->reader_count; i++) {
            uint32_t x = c->readers[i]->instr;
            if (lint_effect(c->lint, x) == EFFECT_ASYNC_MMA && !bare) continue;
            if (handover_reaches(c->lint, all->at[w].instr, x)) return c->readers[i];
        }
    }
    return NULL;
}

/* The other thread has its half of the fences that a pipelined pair in two threads needs. */
static bool has_fence_after(const struct lint *lint, const struct handover *signal, uint32_t reader)
{
    const struct handovers *all = lint->handovers;
    for (uint32_t w = all->first_alike[signal - all->at]; w < all->count; w = all->alike[w])
        for (uint32_t i = all->at[w].instr; handover_meets(lint, signal, &all->at[w]) && i < reader;
             i++)
            if (lint_effect(lint, i) == EFFECT_FENCE_AFTER &&
                handover_reaches(lint, all->at[w].instr, i) && handover_reaches(lint, i, reader))
                return true;
    return false;
}

static void report_announcement(const struct chain *c, const struct handover *signal,
                                uint32_t reader)
{
    if (lint_effect(c->lint, reader) == EFFECT_ASYNC_MMA &&
        has_fence_after(c->lint, signal, reader))
        completion_untracked_report(
            c, &lint_fence_before_missing, signal->instr, c->op->instr,
            "this releases a thread with an mma after %s, and no "
            "tcgen05.fence::before_thread_sync orders the two for that thread",
            "write tcgen05.fence::before_thread_sync before it");
    else
        completion_untracked_report(
            c, &lint_completion_untracked, signal->instr, c->op->instr,
            "this signals that %s is complete, but no commit tracks it",
            "write tcgen05.commit on that mbarrier in place of the arrive, or wait for a "
            "commit before");
}

static bool report_announcements(const struct chain *c)
{
    const struct handovers *all = c->lint->handovers;
    bool any = false;
    for (uint32_t s = 0; s < all->count; s++) {
        if (!c->dirty[s] || !is_announcement(&all->at[s])) continue;
        const struct tensor_op *reader = reader_behind(c, &all->at[s], c->bare[s]);
        if (!reader) continue;
        report_announcement(c, &all->at[s], reader->instr);
        any = true;
    }
    return any;
}

static void look_at(struct chain *c)
{
    uint32_t knowing = 0;
    if (!find_own_commits(c)) return;
    bool more = spread_to_waits(c);
    drop_those_who_know(c, &knowing);
    while (c->reader_count) {
        find_dirty(c);
        if (c->gave_up) return;
        more = spread_to_signals(c);
        if (!more) break;
        (void)spread_to_waits(c);
        drop_those_who_know(c, &knowing);
    }
    if (!c->reader_count || report_announcements(c) || knowing) return;
    for (uint32_t i = 0; i < c->reader_count; i++) {
        if (lint_effect(c->lint, c->readers[i]->instr) != EFFECT_ASYNC_LD) continue;
        completion_untracked_report(
            c, &lint_completion_untracked, c->op->instr, c->readers[i]->instr,
            "its result is loaded at %s, and no thread that loads it waits for a commit that "
            "tracks this",
            "commit after it to an mbarrier that the loading threads wait for");
        return;
    }
}

/* The last of several that go to the same accumulator with nothing between. */
static bool is_last_of_group(const struct lint *lint, uint32_t i)
{
    const struct handovers *all = lint->handovers;
    const struct tensor_op *op = &all->ops[i], *next = &all->ops[i + 1];
    if (i + 1 == all->op_count || !next->range_count) return true;
    if (lint_effect(lint, next->instr) != lint_effect(lint, op->instr)) return true;
    if (lint->cfg->block_of[next->instr] != lint->cfg->block_of[op->instr]) return true;
    if (!value_same(op->ranges[0].address, next->ranges[0].address)) return true;
    for (uint32_t k = op->instr; k < next->instr; k++)
        if (lint_effect(lint, k) == EFFECT_COMMIT) return true;
    return false;
}

static bool has_commit(const struct lint *lint)
{
    lint_spend(lint, lint->function->notable_count);
    for (uint32_t i = 0; i < lint->function->notable_count; i++)
        if (lint_effect(lint, lint->function->notable[i]) == EFFECT_COMMIT) return true;
    return false;
}

static void completion_untracked_find(struct lint *lint)
{
    const struct handovers *all = lint->handovers;
    struct chain c = {.lint = lint};
    if (!lint->function->is_entry || !all->op_count) return;
    commit_unwaited_report(lint, &lint_completion_untracked);
    if (!handover_of_several_threads(lint)) return;
    c.never = !has_commit(lint);
    c.shape = lanes_shape_of(lint->subject);
    bool **flags[] = {&c.own, &c.tells, &c.knows, &c.dirty, &c.bare};
    for (size_t k = 0; k < sizeof flags / sizeof *flags; k++)
        *flags[k] = arena_alloc(lint->arena, all->count, sizeof(bool));
    for (uint32_t i = 0; i < all->op_count; i++) {
        c.op = &all->ops[i];
        if (!effect_is_pipe(lint_effect(lint, c.op->instr)) || !c.op->range_count) continue;
        if (!is_last_of_group(lint, i)) continue;
        find_readers(&c);
        for (size_t k = 0; c.reader_count && k < sizeof flags / sizeof *flags; k++)
            memset(*flags[k], 0, all->count * sizeof(bool));
        uint32_t before = lint->hazards.count;
        if (c.reader_count) look_at(&c);
        if (lint->hazards.count == before && !c.never &&
            lint_effect(lint, c.op->instr) == EFFECT_ASYNC_MMA)
            completion_tail_report(lint, &lint_completion_untracked, c.op);
    }
}

const struct lint_code lint_completion_untracked = {
    .id = "completion-untracked",
    .section = "9.7.16.6.2.1.1",
    .summary = "an mma, cp or shift is used as if complete, and no commit tracks it",
    .sentence = "`tcgen05.commit` is used to track the completion of the above asynchronous "
                "instructions.",
    .risk = "the reader gets an accumulator, or scale factors, that are half written",
    .explanation =
        "Broken:  tcgen05.mma; mbarrier.arrive [full]\n"
        "Right:   tcgen05.mma; tcgen05.commit [full]\n"
        "\n"
        "When a thread arrives, or stores to a flag, its mma, cp or shift is issued, but not "
        "complete. wait::ld, wait::st and fences do not complete an mma, cp or shift either. "
        "Reported at the arrive or flag if another thread waits for that mbarrier or flag and then "
        "has an operation on columns that provably overlap; and at the mma, cp or shift if none of "
        "the threads that load its result waits for a commit of the issuing thread.\n"
        "\n"
        "A thread counts as one that waits for the commit if it may: the commit may be in a loop "
        "or under a guard, and the wait may be for another signal after a wait for the commit. "
        "Not reported: an arrive.expect_tx, which arms an mbarrier for a copy; an arrive beside a "
        "commit that the reader also waits for; a cp or shift whose mma in another thread has "
        "fences on both sides; a function that is called, or that calls after the operation; "
        "addresses that vary in a loop, unless the kernel has no commit.\n"
        "\n"
        "A warning at the mma after the last commit: other threads load its accumulator, and on a "
        "path from it to the end of the kernel its thread neither commits to an mbarrier that they "
        "wait for nor waits for a commit itself. A warning at a commit to an mbarrier that no "
        "thread "
        "waits for, if the committing thread comes to a load of the result behind it.",
    .find = completion_untracked_find,
};
