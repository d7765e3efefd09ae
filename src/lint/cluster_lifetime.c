/* The code cluster-lifetime: the shared memory of a CTA exists from the start of the CTA until its
 * last thread has ended. An access from another CTA before or after that time faults, or accesses
 * memory of an unrelated CTA.
 *
 *     remote arrive; ret                                            broken
 *     remote arrive; barrier.cluster.arrive; barrier.cluster.wait; ret     right
 *
 * All CTAs of a cluster run the same code. So a CTA exists until another CTA has finished its
 * accesses, if after the access some thread waits for the cluster or for an mbarrier at which the
 * other CTA arrives. */
#include "base/vec.h"
#include "lint/arrays.h"
#include "lint/cluster_idle.h"
#include "lint/cluster_rank.h"
#include "lint/first_round.h"
#include "lint/round_loop.h"
#include "value/condition_pairs.h"
#include "value/instruction.h"

enum { SAID_MAX = 16 };

struct search {
    struct lint *lint;
    const struct peers *peers;
    struct lanes_shape shape;
    struct barriers as_own; /* the uses of mbarriers; a signal as if it were for the own CTA */
    bool *told; /* by access: a thread of the other CTA waits for the signal of this access */
    const uint32_t *waits; /* the barrier.cluster.wait instructions */
    uint32_t wait_count;
    const uint32_t *arrives; /* the barrier.cluster.arrive instructions */
    uint32_t arrive_count;
    uint32_t from;           /* where the path starts; NO_INSTR: the entry */
    uint32_t said[SAID_MAX]; /* accesses that have been reported */
    uint32_t said_count;
    bool relaxed;                    /* one of them is relaxed */
    bool unseen;                     /* check_release_of has reported an arrive */
    const struct barrier_use *begun; /* only arrivals at it are examined; NULL: any access */
    struct round_loop loop;          /* around a wait; loop.lint is NULL: not begun */
};

/* ---- which signals are waited for ---- */

static void list_as_own(struct search *s)
{
    struct lint *lint = s->lint;
    const struct barriers *all = lint->subject->barriers;
    s->as_own.count = all->count;
    s->as_own.uses = arena_alloc(lint->arena, all->count, sizeof *s->as_own.uses);
    if (all->count) memcpy(s->as_own.uses, all->uses, all->count * sizeof *all->uses);
    for (uint32_t i = 0; i < s->peers->count; i++) {
        const struct peer_access *a = &s->peers->at[i];
        if (a->signals) s->as_own.uses[all->place[a->instr] - 1] = a->use;
    }
    barriers_list(lint->subject, &s->as_own);
}

/* The index in as_own of the next wait after index `before` that may be for the signal of the
 * access. */
static uint32_t next_awaiting(const struct search *s, const struct peer_access *a, uint32_t before)
{
    const struct barriers *all = &s->as_own;
    const struct barrier_use *own = &all->uses[all->place[a->instr] - 1];
    while ((before = barriers_next_alike_of(s->lint->subject, all, own, before)) < all->count) {
        const struct handover *wait = handover_at(s->lint, all->uses[before].instr);
        if (wait && peer_may_meet(s->peers, a, wait)) break;
    }
    return before;
}

/* Control passes from the first instruction to the second, and never back: the first is in front of
 * a loop around the second, or the second is behind a loop around the first. */
static bool is_in_front(const struct lint *lint, uint32_t first, uint32_t second)
{
    return handover_reaches(lint, first, second) && !handover_reaches(lint, second, first);
}

/* The value depends on a register that a loop in front of the instruction changes. */
static bool is_changed_in_front(const struct lint *lint, struct value v, uint32_t instr)
{
    if (value_is_none(v) || value_is_fixed(lint->subject, v)) return false;
    const struct expr e = *value_expr(lint->subject, v);
    lint_spend(lint, 1);
    for (int i = 0; i < 3; i++)
        if (is_changed_in_front(lint, e.a[i], instr)) return true;
    if (e.kind != EXPR_REG) return false;
    for (uint32_t u = value_last_write(lint->subject, e.web); u != NO_WRITE;
         u = value_write_before(lint->subject, u)) {
        uint32_t write = value_write_instr(lint->subject, u);
        if (handover_reaches(lint, write, write) && is_in_front(lint, write, instr)) return true;
    }
    return false;
}

/* The wait follows after a loop of its thread, and the rounds of that loop decide its parity: it is
 * for the last signal, even if another thread waits for the signals of the rounds. */
static bool is_tail(const struct lint *lint, uint32_t wait)
{
    if (!instruction_has(lint->subject, wait, ".parity")) return false;
    return is_changed_in_front(lint, value_of_operand(lint->subject, wait, 2), wait);
}

/* A second wait for the same signal follows after the loop. */
static bool has_tail(const struct search *s, const struct peer_access *a, uint32_t wait)
{
    for (uint32_t i = UINT32_MAX; (i = next_awaiting(s, a, i)) < s->as_own.count;) {
        uint32_t other = s->as_own.uses[i].instr;
        if (other != wait && is_in_front(s->lint, wait, other)) return true;
    }
    return false;
}

/* Some rounds of the loop around the use execute the wait, but not the use. */
static bool has_round_without(struct search *s, uint32_t use, uint32_t wait)
{
    const struct lint *lint = s->lint;
    struct round_loop *l = &s->loop;
    if (!l->lint) round_loop_begin(l, lint);
    uint32_t block = lint->cfg->block_of[use];
    return l->in_any[block] && round_loop_find(l, block) && l->blocks[lint->cfg->block_of[wait]] &&
           round_loop_has_way_around(l, block) && round_loop_leaves_out(l, use) &&
           !round_loop_leaves_out(l, wait);
}

/* Both are in one block, under the same conditions. */
static bool runs_with(const struct lint *lint, uint32_t instr, uint32_t other)
{
    return other != NO_INSTR && lint->cfg->block_of[instr] == lint->cfg->block_of[other] &&
           condition_pairs_number(lint->subject, instr) ==
               condition_pairs_number(lint->subject, other);
}

/* In some rounds of its loop the thread waits and signals nothing: these rounds wait for the last
 * signals, as a second wait after the loop would do. */
static bool waits_in_last_rounds(struct search *s, uint32_t wait)
{
    const struct barriers *all = s->lint->subject->barriers;
    bool any = false;
    uint32_t last = NO_INSTR;
    lint_spend(s->lint, all->count / 8 + 1);
    for (uint32_t i = 0; i < all->count; i++) {
        uint32_t use = all->uses[i].instr;
        if (all->uses[i].kind == BARRIER_WAIT || runs_with(s->lint, use, last)) continue;
        last = use;
        if (!handover_reaches(s->lint, wait, use) || !handover_reaches(s->lint, use, wait))
            continue;
        if (!has_round_without(s, use, wait)) return false;
        any = true;
    }
    return any;
}

/* The wait is in a loop, and it is the only one for the signal. */
static bool is_only_wait(const struct search *s, const struct peer_access *a, uint32_t wait)
{
    for (uint32_t i = UINT32_MAX; (i = next_awaiting(s, a, i)) < s->as_own.count;)
        if (s->as_own.uses[i].instr != wait) return false;
    return handover_reaches(s->lint, wait, wait);
}

/* The instruction may write what an arrive publishes. */
static bool may_write_shared(const struct lint *lint, uint32_t instr)
{
    const struct barrier_use *use = barriers_at(lint->subject, instr);
    struct str base = instruction_base(lint->subject, instr);
    bool store = str_is(base, "st") || str_is(base, "stmatrix") || str_is(base, "red") ||
                 str_is(base, "atom");
    if (store) return lint->function->instrs[instr].space != SPACE_GLOBAL;
    return str_is(base, "cp") || (use && use->kind == BARRIER_COPY);
}

/* The thread arrives before it has written anything: it gives something free to its first owner. */
static bool gives_unused(const struct lint *lint, uint32_t arrive)
{
    lint_spend(lint, lint->subject->acting_count / 8 + 1);
    for (uint32_t n = 0; n < lint->subject->acting_count; n++) {
        uint32_t i = lint->subject->acting[n];
        if (may_write_shared(lint, i) && handover_reaches(lint, i, arrive)) return false;
    }
    return true;
}

/* The threads that arrive in a loop have arrived once in front of it, at the same mbarriers, when
 * all stages were free. So each wait in a loop is for the arrive of the round before. */
static bool arrives_in_advance(const struct search *s, const struct peer_access *a)
{
    if (a->kind != PEER_ARRIVE || !handover_reaches(s->lint, a->instr, a->instr)) return false;
    lint_spend(s->lint, s->peers->count);
    for (uint32_t i = 0; i < s->peers->count; i++) {
        const struct peer_access *b = &s->peers->at[i];
        if (b->kind != PEER_ARRIVE || !b->signals || value_is_none(b->use.object)) continue;
        if (is_in_front(s->lint, b->instr, a->instr) &&
            !arrays_likely_others(s->lint, &b->use, &a->use) && gives_unused(s->lint, b->instr))
            return true;
    }
    return false;
}

static bool is_of_rank(const struct lint *lint, struct value v)
{
    const struct expr e = *value_expr(lint->subject, v);
    if (e.kind != EXPR_EQ || !value_is_constant(e.a[1])) return false;
    const struct expr *of = value_expr(lint->subject, e.a[0]);
    return of->kind == EXPR_NAME &&
           str_starts(value_name(lint->subject, of->web), "%cluster_ctarank");
}

/* Only the CTA that multicasts executes the wait: both instructions are under the same condition on
 * the rank. */
static bool is_wait_of_sender(const struct search *s, const struct peer_access *a, uint32_t wait)
{
    const struct subject *subject = s->lint->subject;
    struct condition_set sends = conditions_of(subject, a->instr);
    struct condition_set waits = conditions_of(subject, wait);
    for (uint32_t i = 0; a->kind == PEER_MULTICAST && i < sends.count; i++) {
        struct value v = {sends.at[i].base, 0};
        if (sends.at[i].holds && is_of_rank(s->lint, v) &&
            condition_truth(subject, &waits, v) == TRUTH_YES)
            return true;
    }
    return false;
}

/* Some thread waits for the last signal of the access, as far as is known. */
static bool is_awaited(struct search *s, const struct peer_access *a)
{
    if (!a->signals) return false;
    if (value_is_none(a->use.object) || s->lint->handovers->calls) return true;
    for (uint32_t i = UINT32_MAX; (i = next_awaiting(s, a, i)) < s->as_own.count;) {
        uint32_t wait = s->as_own.uses[i].instr;
        if (is_wait_of_sender(s, a, wait)) continue;
        bool ahead =
            !is_tail(s->lint, wait) && (first_round_passes(s->lint, wait) ||
                                        (arrives_in_advance(s, a) && is_only_wait(s, a, wait)));
        if (!ahead || has_tail(s, a, wait) || waits_in_last_rounds(s, wait)) return true;
    }
    return false;
}

static void find_told(struct search *s)
{
    s->told = arena_alloc(s->lint->arena, s->peers->count, sizeof *s->told);
    for (uint32_t i = 0; i < s->peers->count; i++) s->told[i] = is_awaited(s, &s->peers->at[i]);
}

/* ---- flags ---- */

static bool is_barrier_of_cta(const struct lint *lint, uint32_t instr)
{
    return instruction_joins_warps(lint->subject, instr) &&
           !instruction_has(lint->subject, instr, ".cluster");
}

/* The instruction accesses a flag that CTAs may share: an address that is not known to be in shared
 * memory. */
static bool is_peer_flag(const struct lint *lint, uint32_t instr)
{
    const struct handover *h = handover_at(lint, instr);
    return h && h->channel == CHANNEL_FLAG && !instruction_has(lint->subject, instr, ".shared") &&
           !instruction_has(lint->subject, instr, ".shared::cta") &&
           !instruction_has(lint->subject, instr, ".shared::cluster");
}

/* ---- the end ---- */

/* After instr, a thread may reach an access whose signal another CTA waits for. */
static bool leads_to_telling(const struct search *s, uint32_t instr)
{
    for (uint32_t i = 0; i < s->peers->count; i++)
        if (s->told[i] && handover_reaches(s->lint, instr, s->peers->at[i].instr)) return true;
    return false;
}

static bool somebody_tells(const struct search *s)
{
    for (uint32_t i = 0; i < s->peers->count; i++)
        if (s->told[i]) return true;
    return false;
}

/* The state of a path to an exit. A CTA waits for another one only where barrier.cluster.wait is
 * for an arrive that comes after the access. */
enum { ACCESSED, ARRIVED };

static bool is_half_of_cluster_barrier(const struct lint *lint, uint32_t instr, const char *kind)
{
    return str_starts(instruction_opcode(lint->subject, instr), "barrier.cluster.") &&
           instruction_has(lint->subject, instr, kind);
}

static enum walk_does look_for_exit(void *context, const struct lint *lint, uint32_t instr,
                                    unsigned *state)
{
    const struct search *s = context;
    const struct peer_access *access = peer_at(s->peers, instr);
    const struct barrier_use *use = barriers_at(lint->subject, instr);
    if (lint_effect(lint, instr) == EFFECT_EXIT)
        return instruction_is_trap(lint->subject, instr) ? WALK_END : WALK_FOUND;
    if (lint_effect(lint, instr) == EFFECT_CALL || is_peer_flag(lint, instr)) return WALK_END;
    if (is_half_of_cluster_barrier(lint, instr, ".arrive")) *state = ARRIVED;
    if (is_half_of_cluster_barrier(lint, instr, ".wait") && *state == ARRIVED) return WALK_END;
    if (access) return s->told[access - s->peers->at] ? WALK_END : WALK_ON;
    if (use && use->kind == BARRIER_ARRIVE && somebody_tells(s)) return WALK_END;
    return is_barrier_of_cta(lint, instr) && leads_to_telling(s, instr) ? WALK_END : WALK_ON;
}

static bool is_any_behind(const struct search *s, const uint32_t *instrs, uint32_t count,
                          uint32_t instr)
{
    /* Mostly the last ones are behind. */
    for (uint32_t i = count; i-- > 0;)
        if (!handover_reaches(s->lint, instrs[i], instr)) return true;
    return false;
}

/* Some thread arrives and waits for the cluster after the access, not only before it. */
static bool cluster_waits_behind(const struct search *s, uint32_t instr)
{
    return is_any_behind(s, s->waits, s->wait_count, instr) &&
           is_any_behind(s, s->arrives, s->arrive_count, instr);
}

/* A commit directly before this one tracks the same operations, and another CTA waits for that
 * commit. */
static bool follows_told_commit(const struct search *s, const struct peer_access *a)
{
    const struct lint *lint = s->lint;
    for (uint32_t i = a->instr; a->use.kind == BARRIER_COMMIT && i-- > 0;) {
        const struct peer_access *before = peer_at(s->peers, i);
        enum effect effect = lint_effect(lint, i);
        if (before && s->told[before - s->peers->at] && effect == EFFECT_COMMIT) return true;
        if (effect != EFFECT_REGISTER && effect != EFFECT_COMMIT &&
            !str_is(instruction_base(lint->subject, i), "elect"))
            return false;
    }
    return false;
}

/* Each thread that executes the access has executed the wait before. */
static bool is_ahead_always(const struct search *s, uint32_t wait, uint32_t access)
{
    const struct subject *subject = s->lint->subject;
    struct condition_set waits = conditions_of(subject, wait);
    struct condition_set accesses = conditions_of(subject, access);
    for (uint32_t i = 0; i < waits.count; i++) {
        struct value c = {waits.at[i].base, 0};
        if (condition_truth(subject, &accesses, c) != (waits.at[i].holds ? TRUTH_YES : TRUTH_NO))
            return false;
    }
    return handover_reaches(s->lint, wait, access);
}

/* CTAs with that rank wait for the cluster no more often than another CTA does before its access:
 * each wait of theirs that is not in front of the access is for a phase for which the other CTA
 * waits there, at a wait that they leave out. */
static bool leaves_waits_out(const struct search *s, uint32_t rank, uint32_t access)
{
    uint32_t own = 0, others = 0;
    for (uint32_t i = 0; i < s->wait_count; i++) {
        uint32_t wait = s->waits[i];
        bool runs = cluster_rank_runs(s->lint, &s->shape, wait, rank) != TRUTH_NO;
        bool ahead = handover_reaches(s->lint, wait, access);
        if (runs && !ahead && handover_reaches(s->lint, wait, wait)) return false;
        own += runs && !ahead;
        others += !runs && ahead && is_ahead_always(s, wait, access);
    }
    return own <= others;
}

/* A wait for the cluster is behind the access, but conditions on the rank keep each CTA that it may
 * access from another wait. NO_INSTR: this is not known. */
static uint32_t find_wait_left_out(const struct search *s, const struct peer_access *a)
{
    const struct lint *lint = s->lint;
    uint32_t runs = 0;
    if (s->shape.ctas < 2 || s->shape.ctas > CLUSTER_CTAS_MAX) return NO_INSTR;
    for (uint32_t rank = 0; rank < s->shape.ctas; rank++)
        if (cluster_rank_runs(lint, &s->shape, a->instr, rank) != TRUTH_NO) runs |= 1u << rank;
    if (!runs || runs & (runs - 1)) return NO_INSTR;
    for (uint32_t rank = 0; rank < s->shape.ctas; rank++)
        if (!(runs >> rank & 1) && !leaves_waits_out(s, rank, a->instr)) return NO_INSTR;
    for (uint32_t i = s->wait_count; i-- > 0;)
        if (handover_reaches(lint, a->instr, s->waits[i])) return s->waits[i];
    return NO_INSTR;
}

/* Reports an access that one CTA executes, if only that CTA waits for the cluster after it. */
static void check_wait_left_out(struct search *s, const struct peer_access *a)
{
    uint32_t wait = find_wait_left_out(s, a);
    if (wait == NO_INSTR || leads_to_telling(s, a->instr)) return;
    lint_report(s->lint,
                (struct hazard){
                    .code = &lint_cluster_lifetime,
                    .level = LINT_WARNING,
                    .at = a->instr,
                    .witness = wait,
                    .says = a->signals
                                ? "this arrives at another CTA, which does not wait for the "
                                  "cluster at %s[, and so may have ended]"
                                : "this accesses another CTA, which does not wait for the cluster "
                                  "at %s[, and so may have ended]",
                    .fix = "let all CTAs of the cluster arrive and wait at %s"});
}

static void check_exit(struct search *s, const struct peer_access *a)
{
    uint32_t interest = ~(1u << EFFECT_REGISTER | 1u << EFFECT_MEMORY);
    struct walk_path path;
    bool copy = a->kind == PEER_MULTICAST && a->use.kind != BARRIER_COMMIT;
    if (copy || s->told[a - s->peers->at]) return;
    if (cluster_waits_behind(s, a->instr)) {
        check_wait_left_out(s, a);
        return;
    }
    if (follows_told_commit(s, a)) return;
    if (!walk_find(s->lint, a->instr, 0, interest, look_for_exit, s, &path)) return;
    const char *says = a->signals
                           ? "before this arrives at another CTA, that CTA may have "
                             "ended, at %s[: nothing in it waits for the arrive]"
                           : "before this accesses another CTA, that CTA may have ended, at %s[: "
                             "nothing in that CTA waits for the access]";
    lint_report(s->lint,
                (struct hazard){.code = &lint_cluster_lifetime,
                                .level = LINT_WARNING,
                                .at = a->instr,
                                .witness = path.found,
                                .says = says,
                                .fix = "write barrier.cluster.arrive and barrier.cluster.wait "
                                       "after it for all threads, before they end",
                                .path = path.instrs,
                                .path_count = path.count});
}

/* ---- the beginning ---- */

/* Another CTA may arrive at the mbarrier that is waited for here. */
static bool is_from_peer(const struct search *s, const struct handover *wait)
{
    if (wait->channel != CHANNEL_MBARRIER || !wait->waits) return false;
    if (value_is_none(wait->use->object)) return true;
    for (uint32_t i = 0; i < s->peers->count; i++)
        if (peer_may_meet(s->peers, &s->peers->at[i], wait)) return true;
    for (uint32_t i = 0; i < s->lint->handovers->count; i++) {
        const struct handover *h = &s->lint->handovers->at[i];
        if (h->channel == CHANNEL_MBARRIER && h->use->remote && handover_may_meet(s->lint, h, wait))
            return true;
    }
    return false;
}

/* After the instruction, the thread knows that the other CTAs of the cluster run. */
static bool shows_peer(const struct search *s, uint32_t instr)
{
    const struct handover *h = handover_at(s->lint, instr);
    if (!h) return false;
    lint_spend(s->lint, s->lint->handovers->count);
    if (h->channel == CHANNEL_CLUSTER) return h->waits;
    if (h->channel == CHANNEL_UNKNOWN || is_peer_flag(s->lint, instr)) return true;
    return is_from_peer(s, h) && !first_round_passes(s->lint, instr);
}

/* A thread may learn at the barrier, from another thread that joins it, that the other CTAs run. */
static bool may_be_shown(const struct search *s, uint32_t barrier)
{
    const struct handovers *all = s->lint->handovers;
    lint_spend(s->lint, all->count);
    for (uint32_t i = 0; i < all->count; i++) {
        if (!all->at[i].waits || !handover_reaches(s->lint, all->at[i].instr, barrier)) continue;
        if (s->from != NO_INSTR && !handover_reaches(s->lint, s->from, all->at[i].instr)) continue;
        if (shows_peer(s, all->at[i].instr)) return true;
    }
    return false;
}

static enum walk_does look_first(void *context, const struct lint *lint, uint32_t instr,
                                 unsigned *state)
{
    const struct search *s = context;
    const struct peer_access *access = peer_at(s->peers, instr);
    (void)state;
    for (uint32_t i = 0; access && i < s->said_count; i++)
        if (s->said[i] == instr) access = NULL;
    if (access && (!s->begun || barriers_same(&access->use, s->begun))) return WALK_FOUND;
    if (shows_peer(s, instr)) return WALK_END;
    return is_barrier_of_cta(lint, instr) && may_be_shown(s, instr) ? WALK_END : WALK_ON;
}

static void report_first(struct search *s, const struct walk_path *path)
{
    lint_report(
        s->lint,
        (struct hazard){
            .code = &lint_cluster_lifetime,
            .level = LINT_WARNING,
            .at = path->found,
            .witness = s->from,
            .says = s->from == NO_INSTR
                        ? "nothing has shown yet that the CTA which this accesses has begun to run"
                        : "nothing has shown yet that the CTA which this signals has executed %s",
            .fix = "write barrier.cluster.arrive and barrier.cluster.wait before it, after "
                   "the set-up of the shared memory",
            .path = path->instrs,
            .path_count = path->count});
}

static void check_entry(struct search *s)
{
    struct walk_path path;
    s->from = NO_INSTR;
    s->begun = NULL;
    while (s->said_count < SAID_MAX &&
           walk_from_entry(s->lint, 0, ~(1u << EFFECT_REGISTER), look_first, s, &path)) {
        if (path.vague) return;
        report_first(s, &path);
        s->said[s->said_count++] = path.found;
    }
}

/* Searches from init for an access of another CTA; begun: only for arrivals at that mbarrier. */
static bool finds_first(struct search *s, const struct barrier_use *init,
                        const struct barrier_use *begun, struct walk_path *path)
{
    s->from = init->instr;
    s->begun = begun;
    return peer_walk(s->lint, init->instr, ~(1u << EFFECT_REGISTER | 1u << EFFECT_MEMORY),
                     look_first, s, path);
}

/* Both inits are in one block and executed by the same threads. */
static bool are_together(const struct lint *lint, uint32_t a, uint32_t b)
{
    return lint->cfg->block_of[a] == lint->cfg->block_of[b] &&
           value_same(value_of_guard(lint->subject, a), value_of_guard(lint->subject, b));
}

/* Reports an arrive at the mbarrier in another CTA that a thread can reach after its init without
 * having waited for that CTA. */
static void check_first_arrivals(struct search *s)
{
    const struct lint *lint = s->lint;
    const struct barriers *all = lint->subject->barriers;
    const struct barrier_use *first = NULL; /* of several inits together */
    bool any = false;                       /* some access can be reached from it */
    for (uint32_t i = 0; i < all->init_count; i++) {
        const struct barrier_use *init = &all->uses[all->inits[i]];
        struct walk_path path;
        if (!conditions_reach(lint->subject, lint->cfg->block_of[init->instr])) continue;
        if (!first || !are_together(lint, first->instr, init->instr)) {
            first = init;
            any = finds_first(s, init, NULL, &path) || path.gave_up;
        }
        if (!any || value_is_none(init->object)) continue;
        if (finds_first(s, init, init, &path) && !path.vague) report_first(s, &path);
    }
}

static enum walk_does look_for_relaxed(void *context, const struct lint *lint, uint32_t instr,
                                       unsigned *state)
{
    struct str opcode = instruction_opcode(lint->subject, instr);
    (void)context;
    (void)state;
    if (lint_effect(lint, instr) == EFFECT_CALL || str_starts(opcode, "membar.") ||
        (str_starts(opcode, "fence.") && !str_starts(opcode, "fence.proxy")))
        return WALK_END;
    if (!is_half_of_cluster_barrier(lint, instr, ".arrive")) return WALK_ON;
    return instruction_has(lint->subject, instr, ".relaxed") ? WALK_FOUND : WALK_END;
}

/* Another CTA signals the mbarrier. */
static bool is_signalled_by_peer(const struct search *s, const struct barrier_use *init)
{
    for (uint32_t i = 0; i < s->peers->count; i++)
        if (s->peers->at[i].signals && barriers_may_be_same(&s->peers->at[i].use, init))
            return true;
    return false;
}

/* Reports a barrier.cluster.arrive after the init that does not make it visible to the CTAs that
 * signal the mbarrier. */
static void check_release_of(struct search *s, const struct barrier_use *init)
{
    struct walk_path path;
    uint32_t interest = ~(1u << EFFECT_REGISTER | 1u << EFFECT_MEMORY);
    if (!walk_find(s->lint, init->instr, 0, interest, look_for_relaxed, s, &path) || path.vague)
        return;
    s->unseen = true;
    lint_report(s->lint,
                (struct hazard){.code = &lint_cluster_lifetime,
                                .level = LINT_WARNING,
                                .at = path.found,
                                .witness = init->instr,
                                .says = "this relaxed arrive does not make %s visible to the "
                                        "other CTAs[, which signal that mbarrier]",
                                .fix = "put fence.mbarrier_init.release.cluster after %s",
                                .path = path.instrs,
                                .path_count = path.count});
}

/* Of several inits in one block, paths are searched from the last. */
static void check_inits_seen(struct search *s)
{
    const struct barriers *all = s->lint->subject->barriers;
    const uint32_t *block_of = s->lint->cfg->block_of;
    bool signalled = false;
    for (uint32_t i = 0; s->relaxed && i < all->init_count && !s->unseen; i++) {
        const struct barrier_use *init = &all->uses[all->inits[i]];
        const struct barrier_use *next =
            i + 1 < all->init_count ? &all->uses[all->inits[i + 1]] : NULL;
        signalled |= is_signalled_by_peer(s, init);
        if (next && block_of[next->instr] == block_of[init->instr]) continue;
        if (signalled) check_release_of(s, init);
        signalled = false;
    }
}

/* ---- the whole ---- */

static void find_cluster_waits(struct search *s)
{
    uint32_t *waits = arena_alloc(s->lint->arena, s->lint->handovers->count, sizeof *waits),
             *arrives = arena_alloc(s->lint->arena, s->lint->handovers->count, sizeof *arrives);
    for (uint32_t i = 0; i < s->lint->handovers->count; i++) {
        const struct handover *h = &s->lint->handovers->at[i];
        if (h->channel == CHANNEL_CLUSTER && h->waits) waits[s->wait_count++] = h->instr;
        if (h->channel != CHANNEL_CLUSTER || !h->signals) continue;
        arrives[s->arrive_count++] = h->instr;
        s->relaxed |= instruction_has(s->lint->subject, h->instr, ".relaxed");
    }
    s->waits = waits;
    s->arrives = arrives;
}

static void cluster_lifetime_find(struct lint *lint)
{
    struct search s = {.lint = lint, .shape = lanes_shape_of(lint->subject), .from = NO_INSTR};
    if (!lint->function->is_entry) return;
    s.peers = peers_find(lint);
    if (!s.peers->cluster || !s.peers->count) return;
    find_cluster_waits(&s);
    list_as_own(&s);
    find_told(&s);
    if (s.loop.lint) round_loop_end(&s.loop);
    for (uint32_t i = 0; i < s.peers->count; i++) check_exit(&s, &s.peers->at[i]);
    check_entry(&s);
    check_first_arrivals(&s);
    check_inits_seen(&s);
    cluster_idle_find(lint, s.peers, &lint_cluster_lifetime);
}

const struct lint_code lint_cluster_lifetime = {
    .id = "cluster-lifetime",
    .section = "9.7.13.4",
    .summary = "access to shared memory of a CTA that perhaps does not run yet, or has ended",
    .sentence = "barrier.cluster.wait causes the executing thread to wait for all non-exited "
                "threads of the cluster to perform barrier.cluster.arrive.",
    .risk = "the access faults, or changes the shared memory of an unrelated CTA",
    .explanation =
        "Broken:  ld.shared::cluster [peer]; ret\n"
        "Right:   ld.shared::cluster [peer]; barrier.cluster.arrive; barrier.cluster.wait; ret\n"
        "Broken:  mapa; st.shared::cluster [peer] as the first thing in a kernel\n"
        "Right:   barrier.cluster.arrive; barrier.cluster.wait; st.shared::cluster [peer]\n"
        "\n"
        "Shared memory lives as long as its CTA. All CTAs of a cluster run the same text, so the "
        "instructions after an access show how long the other CTA runs.\n"
        "Lint reports an access, an arrive or a tcgen05.commit to another CTA if after it a "
        "thread can reach the end with no barrier.cluster (arrive after the access, then wait) "
        "and no arrive that the other CTA waits for. If a producer does not wait for a free "
        "stage in its first round, or if its consumers arrive once in front of their loop for "
        "that round, its loop does not wait for the last arrive; it must wait once more, after "
        "the loop or in a round that only waits.\n"
        "Lint also reports an access that one CTA executes, if conditions on the rank let all "
        "other CTAs execute one barrier.cluster.wait less, the one after the access.\n"
        "Lint also reports a multicast to several CTAs, or a store to another one, if all threads "
        "of a CTA can end without waiting for it or for the cluster, because a condition, such as "
        "a count that the CTA loads, shows that it has no work.\n"
        "Lint also reports an access that a thread can reach with no barrier.cluster.wait, and "
        "no wait for a signal of another CTA, before it. A wait that passes at once in the first "
        "round, because its parity is that of the phase before the first, does not count. For an "
        "arrive at another CTA, the wait must also come after the mbarrier.init of the mbarrier "
        "at which it arrives. With barrier.cluster.arrive.relaxed the init is visible only after "
        "fence.mbarrier_init.\n"
        "\n"
        "Not reported: kernels that neither declare a cluster of several CTAs nor use "
        "barrier.cluster; addresses for a rank that may be the own one in each CTA, or not "
        "made by mapa; "
        "accesses after a call, or ordered by a flag in global memory.",
    .find = cluster_lifetime_find,
};
