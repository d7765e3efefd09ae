/* The code completion-untracked: another thread receives a signal after an mma, cp or shift, or
 * loads its result, but no commit tracks the operation. The analysis starts at the commits that
 * track the operation. A wait may observe the completion if it may be for such a commit or for a
 * signal that follows a wait which may observe the completion. Readers after such a wait are not
 * reported. */

#include "lint/arrive_for_commit.h"
#include "lint/commit_early.h"
#include "lint/commit_wait.h"
#include "lint/completion_readers.h"
#include "lint/completion_tail.h"
#include "lint/handover_set.h"
#include "lint/readers.h"
#include "lint/renewals.h"
#include "lint/signal_unwaited.h"
#include "lint/walk.h"
#include "value/condition_pairs.h"

enum repeats { REPEATS_UNKNOWN, REPEATS_YES, REPEATS_NO };

/* The propagation for one operation. */
struct chain {
    const struct lint *lint;
    const struct tensor_op *op;
    bool never;  /* no commit can track it: then ranges that most likely overlap are enough */
    bool *own;   /* by handover: the thread of the operation may reach it after the operation */
    bool *tells; /* by handover: it may signal after the completion */
    bool *knows; /* by handover: it may be a wait for such a signal */
    bool *dirty; /* by handover: the thread of the operation may signal here before a wait that
                    knows */
    struct handover_set ways[2]; /* see find_ways */
    bool *bare;         /* by handover: as dirty, and without a fence::before since the operation */
    bool with_renewals; /* a signal that lets the operation be issued again ends the knowledge
                           (renewals.h) */
    bool gave_up;       /* there were too many paths */
    struct renewals *renewals;
    /* By handover, whatever the operation: an enum repeats, whether the wait is repeated until it
     * succeeds. */
    uint8_t *repeats;
    /* Announcements, as instructions: one for all that follow each other with the same conditions.
     */
    uint32_t *announcing, announcing_count;
    const struct tensor_op
        *readers[COMPLETION_READERS]; /* in other threads; they conflict with op */
    uint32_t reader_count;
};

/* ---- which waits know of the completion ---- */

static bool is_commit(const struct handover *h)
{
    return h->channel == CHANNEL_MBARRIER && h->use->kind == BARRIER_COMMIT;
}

/* Whether some thread may execute both the instruction and an mma, cp or shift. */
static bool issues_some(const struct lint *lint, uint32_t instr)
{
    const struct handovers *all = lint->handovers;
    for (uint32_t i = 0; i < all->op_count; i++)
        if (effect_is_pipe(lint_effect(lint, all->ops[i].instr)) &&
            !condition_pairs_exclude(lint->subject, all->ops[i].instr, instr))
            return true;
    return false;
}

/* Some commit may track the operation. A commit tracks the operations of its thread and those
 * before them in the pipe, so only a commit of a thread that issues none certainly does not track
 * it. */
static bool may_be_tracked(const struct lint *lint, uint32_t op)
{
    const struct handovers *all = lint->handovers;
    const struct condition_set *asked = NULL;
    for (uint32_t i = 0; i < all->count; i++) {
        uint32_t commit = all->at[i].instr;
        if (!is_commit(&all->at[i]) || condition_pairs_set(lint->subject, commit) == asked)
            continue;
        asked = condition_pairs_set(lint->subject, commit);
        if (!condition_pairs_exclude(lint->subject, op, commit) || issues_some(lint, commit))
            return true;
    }
    return false;
}

/* Sets own, and marks the commits that track the operation in tells. False if a call may hide a
 * commit. */
static bool find_own_commits(struct chain *c)
{
    const struct handovers *all = c->lint->handovers;
    const uint64_t *behind = handover_behind_last(c->lint, c->op->instr);
    for (uint32_t i = 0; i < all->count; i++) {
        const struct handover *h = &all->at[i];
        c->own[i] = behind[i / 64] >> (i % 64) & 1;
        if (!c->own[i]) continue;
        if (h->channel == CHANNEL_UNKNOWN) return false;
        c->tells[i] = commit_wait_tracks(c->lint, c->op->instr, h);
    }
    return true;
}

/* A walk from a wait for an mbarrier that has returned false. */
struct failing {
    struct chain *c;
    const struct barrier_use *use;
    bool any; /* true: look for any tcgen05 operation; false: for a reader */
};

static bool completion_is_repeated(struct chain *c, uint32_t w);

static enum walk_does look_for_reader(void *context, const struct lint *lint, uint32_t instr,
                                      unsigned *state)
{
    const struct failing *failing = context;
    struct chain *c = failing->c;
    const struct barrier_use *use = barriers_at(lint->subject, instr);
    (void)state;
    if (effect_is_async(lint_effect(lint, instr)) && failing->any) return WALK_FOUND;
    for (uint32_t i = 0; i < c->reader_count; i++)
        if (c->readers[i]->instr == instr) return WALK_FOUND;
    bool waits = use && use->kind == BARRIER_WAIT && barriers_may_be_same(use, failing->use);
    const struct handover *wait = waits ? handover_at(lint, instr) : NULL;
    if (wait && !completion_is_repeated(c, (uint32_t)(wait - lint->handovers->at))) return WALK_ON;
    return waits || lint_effect(lint, instr) == EFFECT_CALL ? WALK_END : WALK_ON;
}

/* The result of the wait is used only as a guard. */
static bool only_guards(const struct lint *lint, uint32_t wait)
{
    const struct readers *all = readers_of(lint);
    uint32_t web = value_operand_web(lint->subject, wait, 0);
    if (web == REG_NONE) return true;
    for (uint32_t r = all->first[web]; r < all->first[web + 1]; r++)
        if (lint->function->instrs[all->instrs[r]].guard != web) return false;
    return true;
}

/* After a wait that has returned false, the thread can reach a reader; with any, any tcgen05
 * operation. */
static bool goes_on(struct chain *c, const struct handover *wait, bool any)
{
    struct failing failing = {c, wait->use, any};
    struct condition_set set = {0};
    struct walk_path path;
    return renewals_assume(c->lint, wait->instr, false, &set) &&
           walk_forward_under(c->lint, wait->instr, &set,
                              WALK_ASYNC | 1 << EFFECT_ACQUIRE_BARRIER | 1 << EFFECT_CALL,
                              look_for_reader, &failing, &path) &&
           !path.vague;
}

/* The wait is repeated until it succeeds. A wait whose result is stored and tested afterwards
 * counts as repeated. */
static bool completion_is_repeated(struct chain *c, uint32_t w)
{
    const struct handover *wait = &c->lint->handovers->at[w];
    if (c->repeats[w] != REPEATS_UNKNOWN) return c->repeats[w] == REPEATS_YES;
    c->repeats[w] = REPEATS_YES; /* for recursion that leads back to this wait */
    if (goes_on(c, wait, true) && only_guards(c->lint, wait->instr)) c->repeats[w] = REPEATS_NO;
    return c->repeats[w] == REPEATS_YES;
}

/* The thread can reach a reader although the wait has returned false, which try_wait may do at any
 * time. */
static bool gives_up(struct chain *c, uint32_t w)
{
    const struct handover *wait = &c->lint->handovers->at[w];
    return wait->channel == CHANNEL_MBARRIER && !completion_is_repeated(c, w) &&
           goes_on(c, wait, false);
}

/* Some signal of the list tells of the completion. */
static bool has_teller(const struct chain *c, const struct handover_list *signals)
{
    lint_spend(c->lint, signals->count + 1);
    for (uint32_t s = 0; s < signals->count; s++)
        if (c->tells[signals->at[s]]) return true;
    return false;
}

/* Waits for the same signals share their list, so each list is searched once if they follow each
 * other. */
static bool spread_to_waits(struct chain *c)
{
    const struct handovers *all = c->lint->handovers;
    const uint32_t *last = NULL;
    bool more = false, told = false;
    for (uint32_t w = 0; w < all->count; w++) {
        if (c->knows[w] || !all->at[w].waits) continue;
        const struct handover_list *signals = handover_signals(c->lint, w);
        if (!signals->count) continue;
        if (signals->at != last) told = has_teller(c, signals);
        last = signals->at;
        if (told && !gives_up(c, w)) more = c->knows[w] = true;
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

static void find_dirty(struct chain *c)
{
    struct walk_path path;
    lint_spend(c->lint, c->lint->handovers->count / 64 + 1);
    memset(c->dirty, 0, c->lint->handovers->count * sizeof *c->dirty);
    memset(c->bare, 0, c->lint->handovers->count * sizeof *c->bare);
    (void)walk_forward(c->lint, c->op->instr, 0, WALK_HANDOVERS | 1 << EFFECT_FENCE_BEFORE,
                       look_for_dirty, c, &path);
    c->gave_up |= path.gave_up;
}

/* What the wait observed about the completion is still valid at `to`, which it may reach: some path
 * to `to` has no signal that lets the operation be executed again. */
static bool is_still_known(struct chain *c, uint32_t wait, uint32_t to)
{
    return !c->with_renewals || renewals_before(c->renewals, wait, to);
}

/* Sets ways: the waits that know, and of those of other threads than that of the
 * operation. A signal of the operation's own thread passes nothing on if it is dirty. A wait from
 * which control comes to the operation is one of its own thread. */
static void find_ways(struct chain *c)
{
    const uint32_t count = c->lint->handovers->count;
    for (uint32_t i = 0; i < 2; i++) handover_set_clear(c->lint, &c->ways[i]);
    for (uint32_t w = 0; w < count; w++) {
        if (!c->knows[w]) continue;
        handover_set_add(&c->ways[false], w);
        if (c->own[w]) continue;
        if (handover_reaches(c->lint, c->lint->handovers->at[w].instr, c->op->instr)) continue;
        handover_set_add(&c->ways[true], w);
    }
}

/* The signal passes on what is known after the wait, from which a thread comes to the signal. */
static bool passes_on_from(struct chain *c, uint32_t w, uint32_t s)
{
    const struct handover *signal = &c->lint->handovers->at[s], *wait = &c->lint->handovers->at[w];
    if (!is_still_known(c, wait->instr, signal->instr)) return false;
    /* A signal for its own warp alone. */
    return signal->channel != CHANNEL_WARP ||
           !handover_of_fewer_warps(c->lint, wait->instr, signal->instr);
}

static bool lets_run_again(struct chain *c, uint32_t s)
{
    return c->with_renewals && renewals_is(c->renewals, s);
}

/* The signal follows a wait that knows, and passes it on. A signal that lets the operation run once
 * more does not. */
static bool passes_on(struct chain *c, uint32_t s)
{
    const struct handovers *all = c->lint->handovers;
    const struct handover *signal = &all->at[s];
    const struct handover_set *ways = &c->ways[c->dirty[s]];
    if (!signal->signals || c->tells[s]) return false;
    /* An instruction such as bar.sync is a wait, too. */
    if (ways->bits[s / 64] >> (s % 64) & 1) return !lets_run_again(c, s);
    struct handovers_near near = handover_set_near(c->lint, ways, signal->instr);
    for (uint32_t i = near.count; i-- > 0;)
        if (handover_reaches(c->lint, all->at[near.at[i]].instr, signal->instr) &&
            passes_on_from(c, near.at[i], s))
            return !lets_run_again(c, s);
    if (near.all) return false;
    const struct handover_list *waits = handover_waits_before(c->lint, signal->instr);
    lint_spend(c->lint, all->count / 256);
    for (uint32_t i = 0; i < all->count / 64 + 1; i++)
        for (uint64_t more = waits->bits[i] & ways->bits[i]; more; more &= more - 1)
            if (passes_on_from(c, i * 64 + (uint32_t)__builtin_ctzll(more), s))
                return !lets_run_again(c, s);
    return false;
}

static bool spread_to_signals(struct chain *c)
{
    const struct handovers *all = c->lint->handovers;
    bool more = false;
    lint_spend(c->lint, all->count);
    find_ways(c);
    for (uint32_t s = 0; s < all->count; s++)
        if (passes_on(c, s)) more = c->tells[s] = true;
    return more;
}

static bool is_announcement(const struct handover *h)
{
    bool arrives = h->channel == CHANNEL_MBARRIER && h->use->kind == BARRIER_ARRIVE;
    return arrives || h->channel == CHANNEL_FLAG;
}

static void list_announcing(struct chain *c)
{
    const struct handovers *all = c->lint->handovers;
    const struct condition_set *last = NULL;
    c->announcing = arena_room(c->lint->arena, all->count, sizeof *c->announcing);
    for (uint32_t i = 0; i < all->count; i++) {
        if (!is_announcement(&all->at[i])) continue;
        const struct condition_set *set = condition_pairs_set(c->lint->subject, all->at[i].instr);
        if (set != last) c->announcing[c->announcing_count++] = all->at[i].instr;
        last = set;
    }
}

/* The thread of the operation may execute an announcement. */
static bool may_announce(const struct chain *c)
{
    lint_spend(c->lint, c->announcing_count / 4 + 1);
    for (uint32_t i = 0; i < c->announcing_count; i++)
        if (!condition_pairs_exclude(c->lint->subject, c->op->instr, c->announcing[i])) return true;
    return false;
}

/* The reader follows a wait for a commit of the operation. */
static bool waits_itself(struct chain *c, uint32_t reader)
{
    const struct handovers *all = c->lint->handovers;
    uint32_t w = commit_wait_before(c->lint, c->op->instr, reader);
    return w < all->count && completion_is_repeated(c, w) &&
           is_still_known(c, all->at[w].instr, reader) &&
           !handover_of_fewer_warps(c->lint, all->at[w].instr, reader);
}

/* The readers wait for commits of the operation themselves: all of them, or some if nothing
 * announces the operation. Then there is nothing to report, so that no propagation is needed. */
static bool readers_wait_themselves(struct chain *c)
{
    uint32_t first = 0;
    bool some = !may_announce(c);
    c->with_renewals = true;
    while (first < c->reader_count && c->readers[first]->instr < c->op->instr) first++;
    for (uint32_t i = 0; i < c->reader_count; i++) {
        const struct tensor_op *x = c->readers[(first + i) % c->reader_count];
        if (waits_itself(c, x->instr) == some) return some;
    }
    return !some;
}

struct way {
    const struct chain *c;
    uint32_t to;
};

/* ---- which readers know of the completion ---- */

static enum walk_does look_for_way(void *context, const struct lint *lint, uint32_t instr,
                                   unsigned *state)
{
    const struct way *way = context;
    (void)state;
    if (instr == way->to) return WALK_FOUND;
    const struct handover *h = handover_at(lint, instr);
    return h && way->c->knows[h - lint->handovers->at] ? WALK_END : WALK_ON;
}

/* The wait, which knows and may come before the reader, is of all warps that execute the reader.
 * Otherwise sets *some if it is of some of them. */
static bool tells_reader(struct chain *c, uint32_t wait, uint32_t reader, bool *some)
{
    if (!is_still_known(c, wait, reader)) return false;
    if (!handover_of_fewer_warps(c->lint, wait, reader)) return true;
    *some = true;
    return false;
}

/* Some wait that knows is before the reader on every path. A wait that only some warps execute is
 * not enough if other warps have a path without it. */
static bool is_known_at(struct chain *c, const struct tensor_op *x)
{
    const struct handovers *all = c->lint->handovers;
    struct way way = {c, x->instr};
    struct condition_set everybody = {0};
    struct walk_path path;
    bool some = false;
    struct handovers_near near = handover_set_near(c->lint, &c->ways[false], x->instr);
    for (uint32_t i = near.count; i-- > 0;)
        if (handover_reaches(c->lint, all->at[near.at[i]].instr, x->instr) &&
            tells_reader(c, all->at[near.at[i]].instr, x->instr, &some))
            return true;
    const struct handover_list *waits = near.all ? NULL : handover_waits_before(c->lint, x->instr);
    const uint32_t words = waits ? all->count / 64 + 1 : 0;
    lint_spend(c->lint, words / 4);
    for (uint32_t word = 0; word < words; word++)
        for (uint64_t more = waits->bits[word] & c->ways[false].bits[word]; more; more &= more - 1)
            if (tells_reader(c, all->at[word * 64 + (uint32_t)__builtin_ctzll(more)].instr,
                             x->instr, &some))
                return true;
    if (!some) return false;
    return !walk_towards(c->lint, &everybody, x->instr, WALK_HANDOVERS, look_for_way, &way, &path);
}

/* Keeps the readers that do not know of the completion; adds the number of the others to
 * *knowing. */
static void drop_those_who_know(struct chain *c, uint32_t *knowing)
{
    uint32_t kept = 0;
    find_ways(c);
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

struct sides {
    uint32_t at, witness;
    enum lint_level level;
};

static void completion_untracked_report(const struct chain *c, const struct lint_code *code,
                                        struct sides sides, const char *says, const char *fix)
{
    struct lint *lint = (struct lint *)c->lint;
    struct walk_path path = {0};
    uint32_t first = sides.at, second = sides.witness;
    if (second < first || first != c->op->instr) first = sides.witness, second = sides.at;
    (void)walk_forward(lint, first, 0, 0, look_for_one, &second, &path);
    lint_report(lint, (struct hazard){code, sides.level, sides.at, sides.witness, says, fix,
                                      path.instrs, path.count, NULL});
}

/* The index in handovers->at of the next handover after `before` that may meet the signal, if
 * likely, by likely. */
static uint32_t next_alike_of(const struct lint *lint, const struct handover *signal, bool likely,
                              uint32_t before)
{
    const struct handovers *all = lint->handovers;
    uint32_t of = (uint32_t)(signal - all->at);
    if (likely && signal->use) return handover_next_likely(lint, of, before);
    return before == UINT32_MAX ? all->first_alike[of] : all->alike[before];
}

/* A reader in c->readers that follows a wait for this signal; NULL: none. bare: no fence::before is
 * between the operation and the signal, so an mma counts as a reader. */
static const struct tensor_op *reader_behind(const struct chain *c, const struct handover *signal,
                                             bool bare)
{
    const struct handovers *all = c->lint->handovers;
    for (uint32_t w = UINT32_MAX; (w = next_alike_of(c->lint, signal, c->never, w)) < all->count;) {
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

/* A fence::after is between the wait and the reader: one of the two fences that a pipelined pair in
 * two threads needs. */
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
    struct sides sides = {signal->instr, c->op->instr, LINT_ERROR};
    if (lint_effect(c->lint, reader) == EFFECT_ASYNC_MMA &&
        has_fence_after(c->lint, signal, reader))
        completion_untracked_report(c, &lint_fence_before_missing, sides,
                                    "no [tcgen05.]fence::before_thread_sync is between %s and "
                                    "this[, which releases a thread with an mma]",
                                    "write tcgen05.fence::before_thread_sync before it");
    else
        completion_untracked_report(c, &lint_completion_untracked, sides,
                                    "this signals that %s is complete, but no commit tracks it",
                                    "write a tcgen05.commit to that mbarrier in place of the "
                                    "arrive, or wait for a commit before the arrive");
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

/* Some thread waits for a commit of the operation before the reader, although that was not
 * enough. */
static bool has_wait_for_commit(const struct chain *c, uint32_t reader)
{
    const struct handovers *all = c->lint->handovers;
    for (uint32_t s = 0; s < all->count; s++) {
        if (!c->own[s] || !c->tells[s] || !is_commit(&all->at[s])) continue;
        const struct handover_list *waits = handover_waits(c->lint, s);
        for (uint32_t w = 0; w < waits->count; w++)
            if (handover_reaches(c->lint, all->at[waits->at[w]].instr, reader)) return true;
    }
    return false;
}

static void report_reader(const struct chain *c, uint32_t reader, enum lint_level level)
{
    /* signal_unwaited.h may have reported the reader, as the witness of a commit. */
    if (has_wait_for_commit(c, reader))
        completion_untracked_report(
            c, &lint_completion_untracked, (struct sides){reader, c->op->instr, level},
            "some threads load the result of %s with no wait for its commit[, or for a thread that "
            "has waited for it]",
            "before it, wait in a loop for the mbarrier of a commit that is after %s");
    else
        completion_untracked_report(
            c, &lint_completion_untracked, (struct sides){c->op->instr, reader, level},
            "threads load the result of this[, at %s], and none waits for a commit after it",
            "let the loading threads wait for the mbarrier of a commit that comes after it; write "
            "the commit if there is none");
}

static const struct tensor_op *first_load(const struct chain *c)
{
    for (uint32_t i = 0; i < c->reader_count; i++)
        if (lint_effect(c->lint, c->readers[i]->instr) == EFFECT_ASYNC_LD) return c->readers[i];
    return NULL;
}

static void forget_all(struct chain *c)
{
    bool *flags[] = {c->own, c->tells, c->knows, c->dirty, c->bare};
    for (size_t k = 0; k < sizeof flags / sizeof *flags; k++)
        memset(flags[k], 0, c->lint->handovers->count * sizeof(bool));
}

/* Propagates until nothing changes, and keeps the readers that do not know. Returns the number of
 * readers that know. */
static uint32_t follow_completion(struct chain *c)
{
    uint32_t knowing = 0;
    bool more = spread_to_waits(c);
    drop_those_who_know(c, &knowing);
    while (c->reader_count) {
        find_dirty(c);
        if (c->gave_up) return knowing;
        more = spread_to_signals(c);
        if (!more) break;
        (void)spread_to_waits(c);
        drop_those_who_know(c, &knowing);
    }
    return knowing;
}

/* Runs the propagation from its initial state. False if the result is not known. */
static bool find_who_knows(struct chain *c, bool with_renewals, uint32_t *knowing)
{
    c->with_renewals = with_renewals;
    forget_all(c);
    if (!find_own_commits(c)) return false;
    *knowing = follow_completion(c);
    return !c->gave_up;
}

static void look_at(struct chain *c)
{
    renewals_begin(c->renewals, c->op->instr, false);
    if (!c->never && readers_wait_themselves(c)) return;
    const struct chain before = *c;
    uint32_t knowing;
    if (!find_who_knows(c, true, &knowing) || !c->reader_count) return;
    const struct tensor_op *reader = first_load(c);
    bool some_know = knowing;
    *c = before;
    if (!find_who_knows(c, false, &knowing)) return;
    if (!c->reader_count) {
        if (reader && !some_know) report_reader(c, reader->instr, LINT_WARNING);
    } else if (!report_announcements(c) && !knowing && first_load(c)) {
        report_reader(c, first_load(c)->instr, LINT_ERROR);
    }
}

/* The operation is the last of several to the same accumulator without a commit in between. */
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

static void check_operations(struct lint *lint)
{
    const struct handovers *all = lint->handovers;
    struct chain c = {.lint = lint};
    struct tail_paths paths = {.ends = NULL};
    const struct condition_set *asked = NULL; /* the conditions for which c.never was found */
    bool commits = lint_has_effect(lint, EFFECT_COMMIT);
    if (!all->op_count || !handover_of_several_threads(lint)) return;
    commit_early_of_result(lint, &lint_completion_untracked);
    bool **flags[] = {&c.own, &c.tells, &c.knows, &c.dirty, &c.bare};
    for (size_t k = 0; k < sizeof flags / sizeof *flags; k++)
        *flags[k] = arena_alloc(lint->arena, all->count, sizeof(bool));
    for (size_t k = 0; k < 2; k++) c.ways[k] = handover_set_new(lint);
    c.renewals = renewals_new(lint);
    list_announcing(&c);
    c.repeats = arena_alloc(lint->arena, all->count, sizeof *c.repeats);
    struct completion_lists *lists = completion_lists_new(lint);
    for (uint32_t i = 0; i < all->op_count; i++) {
        c.op = &all->ops[i];
        if (!effect_is_pipe(lint_effect(lint, c.op->instr)) || !c.op->range_count) continue;
        if (!is_last_of_group(lint, i)) continue;
        if (condition_pairs_set(lint->subject, c.op->instr) != asked)
            c.never = !may_be_tracked(lint, c.op->instr);
        asked = condition_pairs_set(lint->subject, c.op->instr);
        c.reader_count = completion_readers_find(lint, lists, c.op, c.never, c.readers);
        uint32_t before = lint->hazards.count;
        if (c.reader_count) look_at(&c);
        if (lint->hazards.count == before && commits &&
            lint_effect(lint, c.op->instr) == EFFECT_ASYNC_MMA)
            completion_tail_report(lint, &lint_completion_untracked, c.op, c.renewals, &paths);
    }
    walk_question_end(lint, &paths.question);
    completion_lists_free(lists);
}

static void completion_untracked_find(struct lint *lint)
{
    if (!lint->function->is_entry) return;
    check_operations(lint);
    signal_unwaited_report(lint, &lint_completion_untracked);
    arrive_for_commit_report(lint, &lint_completion_untracked, true);
}

const struct lint_code lint_completion_untracked = {
    .id = "completion-untracked",
    .section = "9.7.16.6.2.1.1",
    .summary = "an mma, cp, shift or copy is used as if complete, and nothing tracks it",
    .sentence = "`tcgen05.commit` is used to track the completion of the above asynchronous "
                "instructions.",
    .risk = "the reader gets an accumulator or scale factors that are half written",
    .explanation =
        "Broken:  tcgen05.mma; mbarrier.arrive [full]\n"
        "Right:   tcgen05.mma; tcgen05.commit [full]\n"
        "\n"
        "An arrive or a store to a flag does not complete the mma, cp and shift of the thread; "
        "neither do wait::ld, wait::st and fences. Reported at the arrive or flag if another "
        "thread waits for it and then has an operation on columns that "
        "provably overlap; and at the mma, cp or shift if none of the threads that load its "
        "result waits for a commit of the issuing thread.\n"
        "\n"
        "A thread that may wait for the commit counts as waiting: the commit may be in a loop or "
        "under a guard, and the wait may be for the signal of a thread that has waited for the "
        "commit. Not reported: an arrive.expect_tx; an arrive "
        "beside a commit that the reader also waits for; a cp or shift, if its thread has a "
        "fence::before after it, and another thread has a fence::after before its mma; a "
        "function that is called, or that calls after the operation; addresses that vary in a "
        "loop, unless no commit can track the operation.\n"
        "\n"
        "Reported at the load: a wait that is not repeated until it succeeds; a "
        "wait of some warps, with no barrier for the others after it; as a warning, a load of "
        "the result of an mma, if the loop has only waited for the mma of an earlier iteration.\n"
        "\n"
        "Warnings: at the last mma, if other threads load its accumulator, and its thread neither "
        "commits to an mbarrier that they wait for nor waits for a commit that tracks it; at an "
        "access to what an mma, a copy or other threads write, if no thread waits for the mbarrier "
        "that tells of their completion; at an mma after a commit in the middle of its group, if a "
        "thread that waits for the commit loads its result; at an arrive that alone ends a phase, "
        "if the thread that "
        "waits for it next uses the result of an mma or cp; at an mma behind a wait for an arrive, "
        "if the arriving thread has an mma of another shape on the same columns.",
    .find = completion_untracked_find,
};
