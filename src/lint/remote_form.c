/* The code remote-form: an address from mapa is used in a form for the own CTA only; or a signal to
 * or from another CTA has a release or acquire for the own CTA only. */
#include "lint/cluster_rank.h"
#include "lint/handover.h"
#include "lint/pair_operands.h"
#include "lint/smem_place.h"
#include "value/instruction.h"

struct search {
    struct lint *lint;
    const struct peers *peers;
    const struct peer_access *store;
    struct smem_origin place;   /* the place that the store writes, as an address in that CTA */
    struct VEC(uint32_t) waits; /* for mbarriers, as indices in handovers->at */
};

/* ---- the form of an address ---- */

static bool names_own(const struct lint *lint, uint32_t instr)
{
    return instruction_has(lint->subject, instr, ".shared") ||
           instruction_has(lint->subject, instr, ".shared::cta");
}

/* A wait, init or inval is always for an mbarrier of the own CTA, and so is an arrive that returns
 * the phase. */
static bool is_own_mbarrier(const struct lint *lint, uint32_t instr)
{
    static const char *const always[] = {".init", ".inval", ".test_wait", ".try_wait"};
    struct str state = instruction_operand(lint->subject, instr, 0);
    for (size_t i = 0; i < sizeof always / sizeof *always; i++)
        if (instruction_has(lint->subject, instr, always[i])) return true;
    return names_own(lint, instr) || (state.n && state.p[0] != '[' && !str_is(state, "_"));
}

/* In a bulk copy it depends on the operand: the state spaces are written as destination.source, and
 * the mbarrier comes last. */
static bool is_own_copy(const struct lint *lint, uint32_t instr, uint32_t operand)
{
    struct str opcode = instruction_opcode(lint->subject, instr);
    bool to_cta = memmem(opcode.p, opcode.n, ".shared::cta.global", 19);
    bool from_cta = memmem(opcode.p, opcode.n, ".global.shared::cta", 19) ||
                    memmem(opcode.p, opcode.n, ".shared::cluster.shared::cta", 28);
    return to_cta ? operand != 1 : from_cta && operand == 1;
}

/* The form of the instruction requires this operand to be an address in the own CTA. */
static bool is_own_form(const struct lint *lint, uint32_t instr, uint32_t operand)
{
    static const char *const plain[] = {"ld", "st", "atom", "red", "cp", "tcgen05", NULL};
    struct str base = instruction_base(lint->subject, instr);
    struct str opcode = instruction_opcode(lint->subject, instr);
    if (str_is(base, "mbarrier")) return is_own_mbarrier(lint, instr);
    if (str_is(base, "ldmatrix") || str_is(base, "stmatrix")) return true;
    if (str_starts(opcode, "cp.async.bulk") || str_starts(opcode, "cp.reduce.async.bulk"))
        return is_own_copy(lint, instr, operand);
    for (uint32_t i = 0; plain[i]; i++)
        if (str_is(base, plain[i])) return names_own(lint, instr);
    return false;
}

static void remote_form_report(const struct search *s, uint32_t at, uint32_t witness,
                               const char *says, const char *fix, const struct lint_words *words)
{
    lint_report(s->lint, (struct hazard){.code = &lint_remote_form,
                                         .level = LINT_WARNING,
                                         .at = at,
                                         .witness = witness,
                                         .says = says,
                                         .fix = fix,
                                         .words = words});
}

#define OTHER_CTA_FORM                                                                             \
    "use the .shared::cluster form; for an mbarrier.arrive also .release.cluster, and \"_\" in "   \
    "place of the state"

static void check_form(const struct search *s, uint32_t instr)
{
    const struct lint *lint = s->lint;
    for (uint32_t n = 0; n < lint->function->instrs[instr].operand_count; n++) {
        if (!is_own_form(lint, instr, n)) continue;
        if (peer_side_of(lint, instr, n) != PEER_OTHER) continue;
        bool waits = instruction_has(lint->subject, instr, ".try_wait") ||
                     instruction_has(lint->subject, instr, ".test_wait");
        remote_form_report(
            s, instr, NO_INSTR,
            waits ? "this waits on an mbarrier of another CTA[: a thread can only wait on one of "
                    "its own CTA]"
                  : "this form is for the own CTA, but mapa made the address for another CTA",
            waits ? "wait on the mbarrier of the own CTA, and let the other CTA arrive there"
                  : OTHER_CTA_FORM,
            NULL);
        return;
    }
}

/* An address without some of its bits for the rank: those that are 0 in the leader of a CTA pair.
 */
static uint32_t cleared_ranks(const struct lint *lint, struct value address)
{
    enum { RANK_SHIFT = 24, RANKS = 0xff, PLACE = 0xfff0 };
    const struct expr *e = value_expr(lint->subject, address);
    if (e->kind != EXPR_OP || e->spelling != SPELLING_AND || e->a[1].base) return 0;
    if ((e->a[1].offset & PLACE) != PLACE) return 0;
    return (uint32_t)(~e->a[1].offset >> RANK_SHIFT) & RANKS;
}

/* Reports an arrive for the own CTA that a CTA executes with the address of the leader of its
 * pair. */
static void check_leader_form(const struct search *s, const struct lanes_shape *shape,
                              const struct barrier_use *use)
{
    const struct lint *lint = s->lint;
    bool arrives = use->kind == BARRIER_ARRIVE || use->kind == BARRIER_ARRIVE_EXPECT ||
                   use->kind == BARRIER_EXPECT;
    if (!arrives || value_is_none(use->address) || !use->address.base) return;
    uint32_t cleared = cleared_ranks(lint, use->address);
    if (!cleared || !is_own_mbarrier(lint, use->instr)) return;
    for (uint32_t rank = 0; rank < shape->ctas; rank++)
        if (rank & cleared && cluster_rank_runs(lint, shape, use->instr, rank) == TRUTH_YES) {
            remote_form_report(s, use->instr, NO_INSTR,
                               "this form is for the own CTA, but the address is in the leader of "
                               "the CTA pair[: a CTA with another rank executes it]",
                               OTHER_CTA_FORM, NULL);
            return;
        }
}

/* Reports data that are written to one CTA while the mbarrier that counts them is in another
 * CTA. */
static void check_pair(const struct search *s, uint32_t instr)
{
    const struct lint *lint = s->lint;
    const struct barrier_use *use = barriers_at(lint->subject, instr);
    uint32_t last = lint->function->instrs[instr].operand_count;
    if (!use || (use->kind != BARRIER_COPY && use->kind != BARRIER_ASYNC_ARRIVE)) return;
    if (instruction_has(lint->subject, instr, ".multicast::cluster") ||
        instruction_has(lint->subject, instr, ".cta_group::2") ||
        instruction_has(lint->subject, instr, ".noinc") || !last)
        return;
    while (last && instruction_begins(lint->subject, instr, last - 1) != '[') last--;
    if (last < 2) return;
    enum peer_side data = peer_side_of(lint, instr, 0);
    enum peer_side barrier = peer_side_of(lint, instr, last - 1);
    if (data == PEER_UNKNOWN || barrier == PEER_UNKNOWN || data == barrier) return;
    remote_form_report(s, instr, NO_INSTR,
                       data == PEER_OTHER
                           ? "the data go to another CTA, but the mbarrier that counts them is "
                             "in the own CTA"
                           : "the data go to the own CTA, but the mbarrier that counts them is "
                             "in another CTA",
                       "map both by mapa to the CTA that waits for the data", NULL);
}

/* ---- the scope of a release or acquire ---- */

static const struct lint_words scope_words = {
    "9.7.13.15.13", "If no .scope qualifier is specified then it defaults to .cta."};

static bool is_wide(const struct lint *lint, uint32_t instr)
{
    return instruction_has(lint->subject, instr, ".cluster") ||
           instruction_has(lint->subject, instr, ".gpu") ||
           instruction_has(lint->subject, instr, ".sys");
}

/* The instruction by itself orders memory accesses for other CTAs as well. */
static bool is_wide_fence(const struct lint *lint, uint32_t instr)
{
    struct str opcode = instruction_opcode(lint->subject, instr);
    if (str_starts(opcode, "membar."))
        return instruction_has(lint->subject, instr, ".gl") || is_wide(lint, instr);
    return str_starts(opcode, "fence.") && !str_starts(opcode, "fence.mbarrier_init") &&
           !str_starts(opcode, "fence.proxy") && is_wide(lint, instr);
}

static bool is_strong(const struct lint *lint, uint32_t instr)
{
    return is_wide(lint, instr) && !instruction_has(lint->subject, instr, ".relaxed");
}

static bool is_cluster_barrier(const struct lint *lint, uint32_t instr)
{
    return str_starts(instruction_opcode(lint->subject, instr), "barrier.cluster.");
}

static enum walk_does look_arrive(void *context, const struct lint *lint, uint32_t instr,
                                  unsigned *state)
{
    const struct search *s = context;
    const struct peer_access *access = peer_at(s->peers, instr);
    (void)state;
    if (lint_effect(lint, instr) == EFFECT_CALL || is_wide_fence(lint, instr)) return WALK_END;
    if (is_cluster_barrier(lint, instr)) return WALK_END;
    if (!access || access->kind != PEER_ARRIVE || !access->signals) return WALK_ON;
    return is_strong(lint, instr) ? WALK_END : WALK_FOUND;
}

/* Reports an arrive at an mbarrier of another CTA that follows a store to that CTA but releases
 * only to the own CTA. */
static void check_arrive(struct search *s)
{
    struct walk_path path;
    uint32_t interest = 1u << EFFECT_RELEASE_BARRIER | 1u << EFFECT_ACQUIRE_BARRIER |
                        1u << EFFECT_BOTH_MEMORY | 1u << EFFECT_CALL;
    if (!peer_walk(s->lint, s->store->instr, interest, look_arrive, s, &path)) return;
    bool relaxed = instruction_has(s->lint->subject, path.found, ".relaxed");
    remote_form_report(
        s, path.found, s->store->instr,
        relaxed ? "this arrive does not release the store at %s to the other CTA[: it is relaxed]"
                : "this arrive does not release the store at %s to the other CTA[: its scope is "
                  "the own CTA]",
        "write mbarrier.arrive.release.cluster.shared::cluster", &scope_words);
}

/* The two are most likely the same bytes, or overlap. */
static bool is_same_place(struct smem_origin a, struct smem_origin b)
{
    enum { BYTES = 16, ROW = 512 };
    if (!a.known || !b.known || !a.base || a.base != b.base || a.shift || b.shift) return false;
    int64_t apart = a.at > b.at ? minus_wrapped(a.at, b.at) : minus_wrapped(b.at, a.at);
    return apart < (a.lanes || a.moves || b.lanes || b.moves ? ROW : BYTES);
}

static enum walk_does look_load(void *context, const struct lint *lint, uint32_t instr,
                                unsigned *state)
{
    const struct search *s = context;
    enum effect effect = lint_effect(lint, instr);
    struct str base = instruction_base(lint->subject, instr);
    (void)state;
    if (effect == EFFECT_CALL || is_wide_fence(lint, instr) || is_cluster_barrier(lint, instr))
        return WALK_END;
    if (effect == EFFECT_ACQUIRE_BARRIER && is_strong(lint, instr)) return WALK_END;
    bool reads = (effect == EFFECT_MEMORY && str_is(base, "ld")) || str_is(base, "ldmatrix");
    if (!reads || instruction_has(lint->subject, instr, ".global")) return WALK_ON;
    lint_spend(lint, 1);
    struct smem_origin place = smem_origin_of(s->lint->tracing, instr, 1);
    return is_same_place(place, s->place) ? WALK_FOUND : WALK_ON;
}

/* The wait may be for this arrive of the other CTA. */
static bool is_arrive_for(const struct search *s, const struct peer_access *arrive,
                          const struct handover *wait)
{
    if (arrive->kind != PEER_ARRIVE || !arrive->signals) return false;
    if (value_is_none(arrive->use.object) || value_is_none(wait->use->object)) return false;
    return arrive->use.object.base == wait->use->object.base &&
           peer_may_meet(s->peers, arrive, wait);
}

/* An arrive after the store for which the wait may be; NO_INSTR: none. */
static uint32_t arrive_for(const struct search *s, const struct handover *wait)
{
    for (uint32_t i = 0; i < s->peers->count; i++) {
        const struct peer_access *a = &s->peers->at[i];
        if (is_arrive_for(s, a, wait) && handover_reaches(s->lint, s->store->instr, a->instr))
            return a->instr;
    }
    return NO_INSTR;
}

/* Reports a wait that acquires from the own CTA only if a load after it reads what another CTA
 * stored. */
static void check_remote_wait(struct search *s, const struct handover *wait)
{
    struct walk_path path;
    uint32_t interest = 1u << EFFECT_MEMORY | 1u << EFFECT_MEET_MEMORY |
                        1u << EFFECT_ACQUIRE_BARRIER | 1u << EFFECT_RELEASE_BARRIER |
                        1u << EFFECT_BOTH_MEMORY | 1u << EFFECT_CALL;
    if (is_strong(s->lint, wait->instr)) return;
    uint32_t arrive = arrive_for(s, wait);
    if (arrive == NO_INSTR) return;
    if (!peer_walk(s->lint, wait->instr, interest, look_load, s, &path)) return;
    remote_form_report(s, wait->instr, s->store->instr,
                       instruction_has(s->lint->subject, wait->instr, ".relaxed")
                           ? "this wait does not acquire what another CTA stores at %s[, and a "
                             "load after it reads that: the wait is relaxed]"
                           : "this wait does not acquire what another CTA stores at %s[, and a "
                             "load after it reads that: the scope of the wait is the own CTA]",
                       "write mbarrier.try_wait.parity.acquire.cluster.shared::cta", &scope_words);
}

/* ---- a load from another CTA ---- */

/* A walk to one instruction, which ends where the thread orders memory accesses for other CTAs. */
struct narrow_way {
    uint32_t to;
    enum effect effect; /* of the mbarrier instructions that do so: release or acquire */
};

static enum walk_does look_narrow(void *context, const struct lint *lint, uint32_t instr,
                                  unsigned *state)
{
    const struct narrow_way *way = context;
    (void)state;
    if (instr == way->to) return WALK_FOUND;
    bool wide = lint_effect(lint, instr) == way->effect && is_strong(lint, instr);
    return wide || lint_effect(lint, instr) == EFFECT_CALL || is_wide_fence(lint, instr) ||
                   is_cluster_barrier(lint, instr)
               ? WALK_END
               : WALK_ON;
}

static enum walk_does look_barrier(void *context, const struct lint *lint, uint32_t instr,
                                   unsigned *state)
{
    (void)context;
    (void)state;
    if (lint_effect(lint, instr) == EFFECT_CALL) return WALK_END;
    return is_cluster_barrier(lint, instr) ? WALK_FOUND : WALK_ON;
}

/* The thread comes from the store to the arrive with no release to other CTAs. */
static bool comes_unreleased(const struct search *s, uint32_t store, uint32_t arrive)
{
    const uint32_t interest = 1u << EFFECT_RELEASE_BARRIER | 1u << EFFECT_ACQUIRE_BARRIER |
                              1u << EFFECT_BOTH_MEMORY | 1u << EFFECT_CALL;
    struct narrow_way way = {arrive, EFFECT_RELEASE_BARRIER};
    struct walk_path path;
    return handover_reaches(s->lint, store, arrive) &&
           walk_find(s->lint, store, 0, interest, look_narrow, &way, &path) && !path.vague;
}

/* A store to this place in the own CTA of the thread, before the arrive; NO_INSTR: none. With
 * "unreleased" only one that no release to other CTAs follows. */
static uint32_t find_store_ahead(const struct search *s, struct smem_origin place, uint32_t arrive,
                                 bool unreleased)
{
    const struct lint *lint = s->lint;
    lint_spend(lint, lint->function->count);
    for (uint32_t n = 0; n < lint->subject->acting_count; n++) {
        uint32_t i = lint->subject->acting[n];
        if (lint_effect(lint, i) != EFFECT_MEMORY || peer_at(s->peers, i)) continue;
        if (!str_is(instruction_base(lint->subject, i), "st")) continue;
        if (!instruction_has(lint->subject, i, ".shared")) continue;
        struct smem_origin stored = smem_origin_of(s->lint->tracing, i, 0);
        if (!is_same_place(stored, place)) continue;
        if (unreleased ? comes_unreleased(s, i, arrive) : handover_reaches(lint, i, arrive))
            return i;
    }
    return NO_INSTR;
}

/* The wait may be for an arrive of the other CTA that follows a store to the place. */
static bool is_announced(const struct search *s, struct smem_origin place,
                         const struct handover *wait)
{
    for (uint32_t i = 0; i < s->peers->count; i++) {
        const struct peer_access *a = &s->peers->at[i];
        if (is_arrive_for(s, a, wait) && find_store_ahead(s, place, a->instr, false) != NO_INSTR)
            return true;
    }
    return false;
}

/* Reports an arrive that releases to the own CTA only what the thread has stored in its own CTA, if
 * the load of another CTA after this wait reads that. */
static void check_arrives_for_load(const struct search *s, const struct peer_access *load,
                                   struct smem_origin place, const struct handover *wait)
{
    for (uint32_t i = 0; i < s->peers->count; i++) {
        const struct peer_access *a = &s->peers->at[i];
        if (is_strong(s->lint, a->instr) || !is_arrive_for(s, a, wait)) continue;
        if (!handover_reaches(s->lint, wait->instr, load->instr)) return;
        uint32_t store = find_store_ahead(s, place, a->instr, true);
        if (store == NO_INSTR) continue;
        remote_form_report(
            s, a->instr, store,
            "this arrive does not release the store at %s to the other CTA[, which loads "
            "it: the arrive is relaxed, or its scope is the own CTA]",
            "write mbarrier.arrive.release.cluster.shared::cluster", &scope_words);
    }
}

/* Reports a wait that acquires from the own CTA only, and an arrive that releases to the own CTA
 * only, if a load after the wait reads memory of another CTA to which that CTA has stored before
 * its arrive. */
static void check_remote_load(struct search *s, const struct peer_access *load)
{
    const struct handovers *all = s->lint->handovers;
    struct smem_origin place = smem_origin_of_value(s->lint->tracing, load->instr, load->local);
    uint32_t interest = 1u << lint_effect(s->lint, load->instr) | 1u << EFFECT_ACQUIRE_BARRIER |
                        1u << EFFECT_RELEASE_BARRIER | 1u << EFFECT_BOTH_BARRIER |
                        1u << EFFECT_BOTH_MEMORY | 1u << EFFECT_CALL;
    lint_spend(s->lint, all->count);
    for (uint32_t i = 0; i < all->count; i++) {
        const struct handover *wait = &all->at[i];
        struct narrow_way way = {load->instr, EFFECT_ACQUIRE_BARRIER};
        struct walk_path path;
        if (wait->channel != CHANNEL_MBARRIER || !wait->waits) continue;
        check_arrives_for_load(s, load, place, wait);
        if (is_strong(s->lint, wait->instr) || !is_announced(s, place, wait)) continue;
        if (!peer_walk(s->lint, wait->instr, interest, look_narrow, &way, &path)) continue;
        remote_form_report(s, wait->instr, load->instr,
                           "this wait does not acquire what another CTA stored and %s reads[: the "
                           "scope of the wait is the own CTA]",
                           "write mbarrier.try_wait.parity.acquire.cluster.shared::cta",
                           &scope_words);
    }
}

/* Reports a relaxed arrive at the barrier of the cluster that follows a store of the thread to its
 * own CTA, if the load of another CTA after the wait at that barrier reads it. */
static void check_cluster_barriers(const struct search *s, const struct peer_access *load)
{
    const struct handovers *all = s->lint->handovers;
    struct smem_origin place = smem_origin_of_value(s->lint->tracing, load->instr, load->local);
    uint32_t interest = 1u << lint_effect(s->lint, load->instr) | 1u << EFFECT_ACQUIRE_BARRIER |
                        1u << EFFECT_RELEASE_BARRIER | 1u << EFFECT_CALL;
    lint_spend(s->lint, all->count);
    for (uint32_t i = 0; i < all->count; i++) {
        const struct handover *arrive = &all->at[i];
        struct narrow_way way = {load->instr, EFFECT_ACQUIRE_BARRIER};
        struct walk_path path;
        if (arrive->channel != CHANNEL_CLUSTER || !arrive->signals) continue;
        if (!instruction_has(s->lint->subject, arrive->instr, ".relaxed")) continue;
        if (!peer_walk(s->lint, arrive->instr, interest, look_barrier, NULL, &path)) continue;
        if (!peer_walk(s->lint, path.found, interest, look_narrow, &way, &path)) continue;
        uint32_t store = find_store_ahead(s, place, arrive->instr, true);
        if (store == NO_INSTR) continue;
        remote_form_report(s, arrive->instr, store,
                           "this arrive does not release the store at %s to the other CTA[, which "
                           "loads it: the arrive is relaxed]",
                           "write barrier.cluster.arrive.release", NULL);
    }
}

/* ---- operands that the mma of a CTA pair reads ---- */

/* The access is the read of an operand by an mma that reads the shared memory of both CTAs. */
static bool is_read_by_pair(const struct lint *lint, const struct smem_place *place)
{
    return lint_effect(lint, place->instr) == EFFECT_ASYNC_MMA && !place->writes &&
           instruction_has(lint->subject, place->instr, ".cta_group::2");
}

/* The author has not written a scope. ".release.cta" at another CTA is written with intent: kernels
 * that execute a proxy fence before it are known to work. */
static bool is_scope_left_out(const struct lint *lint, const struct peer_access *arrive)
{
    return arrive->kind == PEER_ARRIVE && arrive->signals && arrive->use.kind == BARRIER_ARRIVE &&
           !is_wide(lint, arrive->instr) && !instruction_has(lint->subject, arrive->instr, ".cta");
}

/* The reads of operands by the mma of a pair. One of each block stands for those at its place, as
 * far as they are near to it in the text. */
struct pair_reads VEC(const struct smem_place *);
enum { NEAR = 8 };

static void find_pair_reads(const struct lint *lint, const struct smem_places *places,
                            struct pair_reads *reads)
{
    for (uint32_t i = 0; i < places->count; i++) {
        const struct smem_place *read = &places->at[i];
        bool known = !is_read_by_pair(lint, read);
        uint32_t first = reads->count > NEAR ? reads->count - NEAR : 0;
        for (uint32_t k = reads->count; k-- > first && !known;) {
            uint32_t other = reads->at[k]->instr;
            lint_spend(lint, 1);
            if (lint->cfg->block_of[other] != lint->cfg->block_of[read->instr]) break;
            known = smem_places_alike(reads->at[k], read);
        }
        if (!known) vec_push(reads, read);
    }
}

/* Keeps the reads by an mma that a thread may issue after it has waited for the arrive. */
static void keep_announced(const struct search *s, const struct peer_access *arrive,
                           const struct pair_reads *all, struct pair_reads *kept)
{
    const struct handovers *handovers = s->lint->handovers;
    kept->count = 0;
    lint_spend(s->lint, handovers->count);
    for (uint32_t i = 0; i < handovers->count && !kept->count; i++) {
        const struct handover *wait = &handovers->at[i];
        if (wait->channel != CHANNEL_MBARRIER || !wait->waits) continue;
        if (!barriers_same(&arrive->use, wait->use) || !peer_may_meet(s->peers, arrive, wait))
            continue;
        lint_spend(s->lint, all->count);
        uint32_t block = UINT32_MAX;
        bool reached = false;
        for (uint32_t k = 0; k < all->count; k++) {
            uint32_t of = s->lint->cfg->block_of[all->at[k]->instr];
            if (of != block) reached = handover_reaches(s->lint, wait->instr, all->at[k]->instr);
            if (reached) vec_push(kept, all->at[k]);
            block = of;
        }
    }
}

static bool is_read(const struct search *s, const struct smem_place *store,
                    const struct pair_reads *reads)
{
    lint_spend(s->lint, reads->count / 8 + 1);
    for (uint32_t i = 0; i < reads->count; i++)
        if (smem_places_meet(store, reads->at[i])) return true;
    return false;
}

/* Reports an arrive for the own CTA only that announces to the other CTA of a pair what the thread
 * has stored in its own shared memory: the mma of the pair reads that, too. Of the stores of a
 * block, the last one has the fewest instructions between itself and the arrive. */
static void check_arrive_for_pair(const struct search *s, const struct peer_access *arrive,
                                  const struct smem_places *places, const struct pair_reads *reads)
{
    uint32_t done = UINT32_MAX, of_arrive = s->lint->cfg->block_of[arrive->instr];
    for (uint32_t i = places->count; i-- > 0;) {
        const struct smem_place *store = &places->at[i];
        uint32_t block = s->lint->cfg->block_of[store->instr];
        if (store->async || !store->writes || block == done) continue;
        bool reaches = handover_reaches(s->lint, store->instr, arrive->instr);
        if (reaches ? !is_read(s, store, reads) : block == of_arrive) continue;
        done = block;
        if (!reaches) continue;
        if (!comes_unreleased(s, store->instr, arrive->instr)) continue;
        remote_form_report(s, arrive->instr, store->instr,
                           "this arrive does not release the store at %s to the other CTA[, whose "
                           "mma reads it: the scope of the arrive is the own CTA]",
                           "write mbarrier.arrive.release.cluster.shared::cluster", &scope_words);
        return;
    }
}

static void check_arrives_for_pair(const struct search *s)
{
    struct pair_reads reads = {0}, announced = {0};
    bool any = false;
    for (uint32_t a = 0; a < s->peers->count && !any; a++)
        any = is_scope_left_out(s->lint, &s->peers->at[a]);
    if (!any) return;
    struct smem_places places = smem_places_find(s->lint);
    find_pair_reads(s->lint, &places, &reads);
    for (uint32_t a = 0; a < s->peers->count && reads.count; a++) {
        const struct peer_access *arrive = &s->peers->at[a];
        if (!is_scope_left_out(s->lint, arrive)) continue;
        keep_announced(s, arrive, &reads, &announced);
        if (announced.count) check_arrive_for_pair(s, arrive, &places, &announced);
    }
    vec_free(&reads);
    vec_free(&announced);
}

/* ---- the search ---- */

static void check_store(struct search *s)
{
    s->place = smem_origin_of_value(s->lint->tracing, s->store->instr, s->store->local);
    check_arrive(s);
    lint_spend(s->lint, s->waits.count);
    for (uint32_t i = 0; i < s->waits.count; i++)
        check_remote_wait(s, &s->lint->handovers->at[s->waits.at[i]]);
}

static void remote_form_find(struct lint *lint)
{
    struct search s = {.lint = lint, .peers = peers_find(lint)};
    const struct barriers *barriers = lint->subject->barriers;
    struct lanes_shape shape = lint->handovers->shape;
    pair_operands_find(lint, s.peers, &lint_remote_form);
    if (shape.ctas > 1 && shape.ctas <= CLUSTER_CTAS_MAX)
        for (uint32_t i = 0; i < barriers->count; i++)
            check_leader_form(&s, &shape, &barriers->uses[i]);
    if (!lint->subject->maps) return;
    for (uint32_t n = 0; n < lint->subject->acting_count; n++) {
        uint32_t i = lint->subject->acting[n];
        if (!conditions_reach(lint->subject, lint->cfg->block_of[i])) continue;
        check_form(&s, i);
        check_pair(&s, i);
    }
    for (uint32_t i = 0; i < lint->handovers->count; i++)
        if (lint->handovers->at[i].channel == CHANNEL_MBARRIER && lint->handovers->at[i].waits)
            vec_push(&s.waits, i);
    for (uint32_t i = 0; i < s.peers->count; i++) {
        s.store = &s.peers->at[i];
        if (s.store->kind == PEER_STORE) check_store(&s);
        if (s.store->kind == PEER_LOAD) check_remote_load(&s, s.store);
        if (s.store->kind == PEER_LOAD) check_cluster_barriers(&s, s.store);
    }
    check_arrives_for_pair(&s);
    vec_free(&s.waits);
}

const struct lint_code lint_remote_form = {
    .id = "remote-form",
    .section = "9.7.13.15",
    .summary =
        "access, arrive or wait that involves another CTA, in a form or scope for the own CTA only",
    .sentence = "threads can perform only arrive operations but not *_wait on an mbarrier located "
                "in shared::cluster space.",
    .risk = "the access reaches the wrong CTA or faults, or the other CTA reads old "
            "data",
    .explanation =
        "Broken:  mapa.shared::cluster %r, [mbar], 0; mbarrier.arrive.shared::cta _, [%r]\n"
        "Right:   mapa…; mbarrier.arrive.release.cluster.shared::cluster _, [%r]\n"
        "Broken:  st.shared::cluster [peer]; mbarrier.arrive.shared::cluster _, [%r]\n"
        "Right:   st.shared::cluster [peer]; mbarrier.arrive.release.cluster.shared::cluster\n"
        "Broken:  mbarrier.try_wait [mbar]; ld.shared of what another CTA stored\n"
        "Right:   mbarrier.try_wait.acquire.cluster [mbar]; ld.shared\n"
        "\n"
        "mapa computes an address in another CTA; and 0xfeffffff, one in the leader of a CTA pair. "
        "Lint reports it in a form for the own CTA: .shared and .shared::cta; a wait, "
        "an init or an inval of an mbarrier; an mbarrier.arrive that returns the phase. It also "
        "reports an asynchronous store or copy that writes to one CTA and signals in another.\n"
        "Without a scope, or with .cta, an arrive or a wait orders memory within the own CTA "
        "only, and with .relaxed none. Lint reports three uses: an arrive at the "
        "mbarrier of another CTA, if the thread has stored to that CTA before, or to its own "
        "shared memory and the other CTA loads it or issues an mma of the CTA pair that reads it; "
        "barrier.cluster.arrive.relaxed, if another CTA loads what the thread has stored; a wait "
        "for the arrive of another CTA, if a later load reads what that CTA stored before it.\n"
        "In a cluster of known size, lint also reports an arrival that reaches the "
        "mbarrier of one CTA only, such as a tcgen05.commit without .multicast::cluster, if "
        "another CTA waits for its own mbarrier and nothing arrives there.\n"
        "An mma with .cta_group::2 reads the shared memory of both CTAs. If each CTA copies its "
        "operands with its own mbarrier, lint reports the mma unless its issuer may learn "
        "that the copy in the other CTA is complete.\n"
        "\n"
        "Not reported: an arrive that only releases what was read; one with "
        ".release.cta, if only an mma of the CTA pair reads what was stored; a wait for "
        "asynchronous copies; a fence.acq_rel.cluster in between; addresses for what may be "
        "the own rank, or from memory or parameters.",
    .find = remote_form_find,
};
