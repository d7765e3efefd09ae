/* The part of arrival-count and remote-form that counts, for the mbarrier of each CTA of a cluster,
 * the arrivals of all CTAs. */
#include "lint/arrivals.h"
#include "lint/cluster_rank.h"
#include "lint/mbarriers.h"
#include "lint/peer.h"
#include "value/conditions.h"
#include "value/values.h"

/* The arrivals in one phase at the mbarrier of one CTA. */
struct total {
    int64_t most;
    uint32_t arrival;   /* the first in the text; NO_INSTR: none */
    uint32_t elsewhere; /* an arrival that reaches only other CTAs */
    uint32_t wait;      /* a wait that threads of the CTA execute */
    bool unknown;
};

/* Computed once for each use. */
static const struct cluster_arrivals *arrivals_in_cluster(struct arrivals *a,
                                                          const struct barrier_use *use)
{
    const struct lint *lint = a->lint;
    const struct barriers *all = lint->subject->barriers;
    if (!a->in_cluster) a->in_cluster = arena_alloc(lint->arena, all->count, sizeof *a->in_cluster);
    const struct cluster_arrivals **kept = &a->in_cluster[use - all->uses];
    if (!*kept) {
        struct cluster_arrivals *new = arena_alloc(lint->arena, 1, sizeof *new);
        *new = cluster_rank_arrivals(lint, &a->shape, use);
        *kept = new;
    }
    return *kept;
}

/* ---- too few ---- */

static void add_arrival(struct arrivals *a, struct total *totals, const struct barrier_use *use)
{
    const struct cluster_arrivals *by = arrivals_in_cluster(a, use);
    int64_t count = arrivals_of_thread(a->lint, use);
    bool unknown = count < 0 || arrivals_repeat(a, use->instr);
    for (uint32_t rank = 0; rank < a->shape.ctas; rank++) {
        struct total *total = &totals[rank];
        uint32_t *first = by->most[rank] ? &total->arrival : &total->elsewhere;
        total->unknown |= unknown && by->most[rank];
        if (!unknown) total->most += count * arrivals_number(a, use->instr).most * by->most[rank];
        if (*first == NO_INSTR) *first = use->instr;
    }
}

static void add_wait(struct arrivals *a, struct total *totals, const struct barrier_use *use)
{
    for (uint32_t rank = 0; rank < a->shape.ctas; rank++)
        if (totals[rank].wait == NO_INSTR &&
            cluster_rank_runs(a->lint, &a->shape, use->instr, rank) == TRUTH_YES)
            totals[rank].wait = use->instr;
}

/* For each CTA the arrivals are enough, or not known. */
static bool are_enough(const struct arrivals *a, const struct total *totals, int64_t count)
{
    for (uint32_t rank = 0; rank < a->shape.ctas; rank++)
        if (!totals[rank].unknown && totals[rank].most < count) return false;
    return true;
}

/* as_own: the uses as if they were in the own CTA. False if the arrivals at the mbarrier of init,
 * which is one of the uses, are enough, or if it is not known which are at it. */
static bool count_in_cluster(struct arrivals *a, const struct barriers *as_own,
                             const struct barrier_use *init, int64_t count, struct total *totals)
{
    const struct lint *lint = a->lint;
    for (uint32_t i = UINT32_MAX;
         (i = barriers_next_alike_of(lint->subject, as_own, init, i)) < as_own->count;) {
        const struct barrier_use *use = &lint->subject->barriers->uses[i], *own = &as_own->uses[i];
        if (own == init) continue;
        if (!conditions_reach(lint->subject, lint->cfg->block_of[use->instr])) continue;
        bool marks = use->kind == BARRIER_WAIT || use->kind == BARRIER_INIT;
        if (!marks && !arrivals_of_thread(lint, use)) continue;
        if (!arrivals_may_be_at(lint, init, own) || arrivals_behind_array(lint, init, own))
            continue;
        if (value_is_none(own->object) || own->kind == BARRIER_INIT) return false;
        if (own->kind != BARRIER_WAIT) {
            add_arrival(a, totals, use);
            if (are_enough(a, totals, count)) return false;
        } else if (!use->remote && barriers_same(own, use)) {
            add_wait(a, totals, use);
        }
    }
    return true;
}

static void report_total(struct arrivals *a, const struct barrier_use *init,
                         const struct total *total)
{
    static const struct lint_words words = {"9.7.13.15.6",
                                            "The count of the pending arrivals has reached zero."};
    if (!total->most)
        lint_report(
            a->lint,
            (struct hazard){&lint_remote_form, LINT_WARNING, total->elsewhere, total->wait,
                            "this arrives in one CTA only, but another CTA waits at %s[ for its "
                            "own mbarrier, at which no thread arrives]",
                            "arrive in each CTA that waits: for a tcgen05.commit by "
                            ".multicast::cluster with a mask of these CTAs",
                            NULL, 0, &words});
    else
        lint_report(a->lint,
                    (struct hazard){a->code, LINT_WARNING, init->instr, total->arrival,
                                    "fewer threads arrive in one CTA, at %s and elsewhere, than "
                                    "this counts[: a phase of its mbarrier never ends]",
                                    "set the count to the arrivals from all CTAs", NULL, 0, NULL});
}

static void check_cluster_init(struct arrivals *a, const struct barriers *as_own,
                               const struct barrier_use *init)
{
    struct total totals[CLUSTER_CTAS_MAX];
    int64_t count = mbarriers_counted(a->lint, init);
    if (!count || value_is_none(init->object) || init->remote) return;
    for (uint32_t rank = 0; rank < a->shape.ctas; rank++)
        totals[rank] = (struct total){.arrival = NO_INSTR, .elsewhere = NO_INSTR, .wait = NO_INSTR};
    if (lint_has_named(a->lint, a->code, init->instr) ||
        !count_in_cluster(a, as_own, init, count, totals))
        return;
    for (uint32_t rank = 0; rank < a->shape.ctas; rank++) {
        const struct total *total = &totals[rank];
        if (total->unknown || total->wait == NO_INSTR || total->most >= count) continue;
        if (!total->most && total->elsewhere == NO_INSTR) continue;
        report_total(a, init, total);
        return;
    }
}

/* ---- too many ---- */

/* More threads than `most` reach the use together: those of one CTA, or of all CTAs that arrive
 * at one mbarrier. cluster compares the threads of all CTAs, a those of one. */
static bool are_too_many(struct arrivals *a, struct arrivals *cluster,
                         const struct barrier_use *use, int64_t most)
{
    const struct cluster_arrivals *by = arrivals_in_cluster(a, use);
    struct lanes_number n = arrivals_number(a, use->instr);
    int64_t count = arrivals_of_thread(a->lint, use);
    uint32_t ctas = 0;
    for (uint32_t rank = 0; rank < a->shape.ctas; rank++)
        if (by->least[rank] > ctas) ctas = by->least[rank];
    if (!ctas) return false;
    return (count * n.least > most && arrivals_in_step(a, use->instr, true)) ||
           (count * n.least * ctas > most && arrivals_in_step(cluster, use->instr, true));
}

/* own: the use as if it were in the own CTA. */
static void check_cluster_arrival(struct arrivals *a, struct arrivals *cluster,
                                  const struct barriers *as_own, const struct barrier_use *own,
                                  const struct barrier_use *use)
{
    uint32_t init = NO_INSTR;
    if (barriers_same(own, use) && own->remote == use->remote) return;
    int64_t most = arrivals_most_counted(a->lint, as_own, own, &init);
    if (arrivals_of_thread(a->lint, use) <= 0 || !most) return;
    if (lint_has_named(a->lint, a->code, use->instr) || !are_too_many(a, cluster, use, most))
        return;
    lint_report(a->lint, (struct hazard){a->code, LINT_WARNING, use->instr, init,
                                         "more threads of the cluster arrive here[ in one phase] "
                                         "than %s counts[: the phase ends before the last of them "
                                         "arrives]",
                                         "count the arrivals of all CTAs at %s", NULL, 0, NULL});
}

/* The uses as if they were in the own CTA, where each mbarrier is initialised. */
static struct barriers uses_as_own(struct lint *lint)
{
    const struct barriers *all = lint->subject->barriers;
    struct barriers as_own = {.count = all->count};
    as_own.uses = arena_alloc(lint->arena, all->count, sizeof *as_own.uses);
    for (uint32_t i = 0; i < all->count; i++)
        as_own.uses[i] =
            all->uses[i].kind == BARRIER_INIT ? all->uses[i] : peer_use_as_own(lint, &all->uses[i]);
    barriers_list(lint->subject, &as_own);
    return as_own;
}

void arrivals_check_cluster(struct arrivals *arrivals)
{
    struct lint *lint = arrivals->lint;
    if (arrivals->shape.ctas < 2 || arrivals->shape.ctas > CLUSTER_CTAS_MAX) return;
    struct arrivals cluster = arrivals_begin(lint, arrivals->code);
    struct barriers as_own = uses_as_own(lint);
    cluster.of_cluster = true;
    for (uint32_t i = 0; i < as_own.count; i++) {
        const struct barrier_use *use = &lint->subject->barriers->uses[i], *own = &as_own.uses[i];
        if (!conditions_reach(lint->subject, lint->cfg->block_of[use->instr])) continue;
        if (use->kind == BARRIER_INIT) check_cluster_init(arrivals, &as_own, own);
        if (arrivals_is_counted(use)) check_cluster_arrival(arrivals, &cluster, &as_own, own, use);
    }
    arrivals_end(&cluster);
}
