/* Follows a store to the shared memory of another CTA to the asynchronous reads there.
 *
 *     st.shared::cluster [peer], r; barrier.cluster; tcgen05.mma … (descriptor) broken
 *     st.shared::cluster [peer], r; fence.proxy.async; barrier.cluster; tcgen05.mma … right
 *
 * All CTAs of the cluster execute the same text. So the other CTA continues after the same
 * barrier.cluster.wait, or after a wait for the mbarrier of that name, and reads its own shared
 * memory at the place that the store names. */
#include "lint/proxy_fence_peer.h"

#include "lint/cluster_rank.h"
#include "lint/peer.h"
#include "lint/proxy_kinds.h"
#include "value/expr.h"
#include "value/instruction.h"
#include "value/numbers.h"

enum { WAITS_MAX = 8 };

struct search {
    struct lint *lint;
    const struct lint_code *code;
    const struct peers *peers;
    const struct smem_places *places;
    int64_t rank;              /* of the CTA that is written; -1: not known */
    struct smem_place store;   /* the place, as an address in the CTA that is written */
    uint32_t waits[WAITS_MAX]; /* where threads continue that know of the store */
    uint32_t wait_count;
    uint32_t from; /* the wait from which a path is searched */
};

static const uint32_t interest =
    WALK_SHARED_MEMORY | 1u << EFFECT_MEET_MEMORY | 1u << EFFECT_ASYNC_MMA | 1u << EFFECT_ASYNC_CP |
    1u << EFFECT_RELEASE_MEMORY | 1u << EFFECT_BOTH_MEMORY | 1u << EFFECT_RELEASE_BARRIER |
    1u << EFFECT_ACQUIRE_BARRIER | 1u << EFFECT_BOTH_BARRIER | 1u << EFFECT_CALL;

static bool is_read_of(const struct search *s, const struct smem_place *read)
{
    return read->async && !read->writes && smem_places_meet(&s->store, read);
}

static bool reads_store(const struct search *s, uint32_t instr)
{
    uint32_t count;
    const struct smem_place *access = smem_places_of(s->places, instr, &count);
    if (count && s->rank >= 0 &&
        cluster_rank_runs(s->lint, &s->lint->handovers->shape, instr, (uint32_t)s->rank) ==
            TRUTH_NO)
        return false;
    for (uint32_t i = 0; i < count; i++)
        if (is_read_of(s, &access[i])) return true;
    return false;
}

/* ---- the CTA that stores ---- */

static void note_continuation(struct search *s, uint32_t instr)
{
    for (uint32_t i = 0; i < s->wait_count; i++)
        if (s->waits[i] == instr) return;
    if (s->wait_count < WAITS_MAX) s->waits[s->wait_count++] = instr;
}

/* Notes the waits for the arrive, which the thread executes after the store. */
static void note_continuations(struct search *s, const struct peer_access *arrive)
{
    const struct handovers *all = s->lint->handovers;
    lint_spend(s->lint, all->count);
    for (uint32_t i = 0; i < all->count; i++)
        if (peer_may_meet(s->peers, arrive, &all->at[i]) &&
            barriers_same(&arrive->use, all->at[i].use))
            note_continuation(s, all->at[i].instr);
}

static enum walk_does look_behind_store(void *context, const struct lint *lint, uint32_t instr,
                                        unsigned *state)
{
    struct search *s = context;
    const struct handover *h = handover_at(lint, instr);
    const struct peer_access *access = peer_at(s->peers, instr);
    (void)state;
    if (is_any_proxy_fence(lint, instr) || lint_effect(lint, instr) == EFFECT_CALL) return WALK_END;
    if (access && access->kind == PEER_ARRIVE && access->signals) note_continuations(s, access);
    if (!h || h->channel != CHANNEL_CLUSTER || !h->waits) return WALK_ON;
    note_continuation(s, instr);
    return WALK_END;
}

/* ---- the CTA that reads ---- */

/* At the barrier, the thread may join one that has executed a fence after the wait. */
static bool may_be_fenced(const struct search *s, uint32_t barrier)
{
    const struct lint *lint = s->lint;
    lint_spend(lint, lint->function->notable_count);
    for (uint32_t n = 0; n < lint->function->notable_count; n++) {
        uint32_t i = lint->function->notable[n];
        if (is_any_proxy_fence(lint, i) && handover_reaches(lint, s->from, i) &&
            handover_reaches(lint, i, barrier))
            return true;
    }
    return false;
}

static enum walk_does look_behind_handover(void *context, const struct lint *lint, uint32_t instr,
                                           unsigned *state)
{
    const struct search *s = context;
    (void)state;
    if (is_any_proxy_fence(lint, instr) || lint_effect(lint, instr) == EFFECT_CALL) return WALK_END;
    if (reads_store(s, instr)) return WALK_FOUND;
    bool meets = handover_with_other_warps(lint, instr) && may_be_fenced(s, instr);
    return meets ? WALK_END : WALK_ON;
}

static void check_peer_store(struct search *s, const struct peer_access *store)
{
    struct walk_path path;
    s->wait_count = 0;
    (void)peer_walk(s->lint, store->instr, interest, look_behind_store, s, &path);
    for (uint32_t i = 0; i < s->wait_count; i++) {
        s->from = s->waits[i];
        if (!walk_find(s->lint, s->from, 0, interest, look_behind_handover, s, &path) || path.vague)
            continue;
        lint_report(
            s->lint,
            (struct hazard){.code = s->code,
                            .level = LINT_WARNING,
                            .at = path.found,
                            .witness = store->instr,
                            .says = "no proxy fence is between another CTA's write at %s[ through "
                                    "the generic proxy] and this read[ of the same shared memory "
                                    "through the asynchronous proxy]",
                            .fix = "put fence.proxy.async between the two: after %s and before the "
                                   "barrier or arrive that follows it, or in the thread that reads",
                            .path = path.instrs,
                            .path_count = path.count});
        return;
    }
}

/* ---- the search ---- */

/* The constant rank of the CTA to which the store is; -1: it is not constant. */
static int64_t rank_of_target(const struct lint *lint, const struct peer_access *store)
{
    uint32_t terms[EXPR_TERMS_MAX];
    struct value v = value_of_operand(lint->subject, store->instr, store->operand);
    uint32_t count = exprs_terms(values_exprs(lint->subject), v.base, terms);
    for (uint32_t i = 0; i < count; i++) {
        const struct expr *e = value_expr(lint->subject, (struct value){terms[i], 0});
        if (e->kind == EXPR_OP && e->spelling == SPELLING_MAPPED)
            return value_is_constant(e->a[1]) ? e->a[1].offset : -1;
    }
    return -1;
}

/* The term is the rank of the executing CTA, and the CTA with rank 0 executes the store. */
static bool is_rank_of_writer(const struct lint *lint, uint32_t store, struct value term)
{
    const struct expr *e = value_expr(lint->subject, term);
    if (e->kind != EXPR_NAME || !str_is(value_name(lint->subject, e->web), "%cluster_ctarank"))
        return false;
    struct condition_set set = conditions_of(lint->subject, store);
    struct numbers ranks;
    numbers_find(lint->subject, &set, term.base, EXPR_LT_S, &ranks);
    return numbers_have(&ranks, 0);
}

/* The value for the first of the CTAs that execute the store: the rank of the CTA is 0. */
static struct value value_for_first(const struct lint *lint, uint32_t store, struct value v)
{
    uint32_t terms[EXPR_TERMS_MAX];
    struct value sum = {0, v.offset};
    uint32_t count = v.base ? exprs_terms(values_exprs(lint->subject), v.base, terms) : 0;
    lint_spend(lint, count + 1);
    for (uint32_t i = 0; i < count && !value_is_none(sum); i++) {
        struct value term = {terms[i], 0};
        const struct expr e = *value_expr(lint->subject, term);
        if (is_rank_of_writer(lint, store, term)) continue;
        if (e.kind == EXPR_PRODUCT) {
            struct value of = value_for_first(lint, store, e.a[0]);
            term = value_is_none(of)
                       ? of
                       : exprs_product(values_exprs(lint->subject), of, e.a[1].offset);
        }
        sum = value_is_none(term) ? term : value_sum(lint->subject, sum, term);
    }
    return sum;
}

static bool find_pushed_place(struct search *s, const struct peer_access *store)
{
    struct value local = store->local;
    if (value_is_none(local)) return false;
    s->rank = rank_of_target(s->lint, store);
    if (s->rank >= 0) local = value_for_first(s->lint, store->instr, local);
    bool of_ranks = !value_same(local, store->local); /* the CTAs write next to each other */
    struct smem_origin o = smem_origin_of_value(s->lint->tracing, store->instr, local);
    if (value_is_none(local) || !o.known || !o.base || o.shift) return false;
    s->store = (struct smem_place){.instr = store->instr,
                                   .writes = true,
                                   .size = 1,
                                   .base = {o.base, 0},
                                   .first = o.at,
                                   .lanes = o.lanes || of_ranks,
                                   .moves = o.moves,
                                   .ring = o.ring,
                                   .around = o.around,
                                   .back = plus_wrapped(o.back, o.low),
                                   .lowest = plus_wrapped(o.at, o.low)};
    s->store.object = s->store.lowest;
    lint_spend(s->lint, s->places->count);
    for (uint32_t i = 0; i < s->places->count; i++)
        if (is_read_of(s, &s->places->at[i])) return true;
    return false;
}

void proxy_fence_peer_find(struct lint *lint, const struct lint_code *code,
                           const struct smem_places *places)
{
    struct search s = {.lint = lint, .code = code, .places = places};
    if (!lint->subject->maps) return;
    s.peers = peers_find(lint);
    for (uint32_t i = 0; i < s.peers->count; i++) {
        const struct peer_access *access = &s.peers->at[i];
        if (access->kind == PEER_STORE && find_pushed_place(&s, access))
            check_peer_store(&s, access);
    }
}
