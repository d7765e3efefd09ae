/* Follows what a thread stores for another CTA, or loads from one, to the arrives and waits in
 * between. See remote_scope.h. */
#include "lint/remote_scope.h"

#include "base/intervals.h"
#include "lint/cluster_rank.h"
#include "lint/smem_place.h"
#include "value/expr.h"
#include "value/instruction.h"

/* Instructions by the place in shared memory that they access. */
struct placed {
    uint32_t instr;
    int64_t slot; /* bytes of the slot that the rank of the storing CTA selects; 0: none */
    struct smem_origin place; /* without that choice */
};
struct placed_list VEC(struct placed);

/* A load from another CTA. */
struct far_load {
    uint32_t instr;
    const uint32_t *stores; /* the stores of a thread to this place in its own CTA, ascending */
    uint32_t store_count;
};

struct scope_search {
    struct lint *lint;
    const struct peers *peers;
    const struct lint_code *code;
    struct placed_list far_stores;     /* to another CTA, by the address in that CTA */
    struct intervals far_index;        /* of those without a slot, as indices in far_stores */
    struct item_list far_slotted;      /* the others, as indices in far_stores */
    struct VEC(struct far_load) loads; /* in the order of the text */
    uint32_t load_effects;             /* of them, as bits 1 << effect */
    uint32_t *least_store; /* by index in peers->at, of an arrive: the first store that it does not
                              release to a load; NO_INSTR: none yet */
};

static const struct lint_words scope_words = {
    "9.7.13.15.13", "If no .scope qualifier is specified then it defaults to .cta."};

static void remote_scope_report(const struct scope_search *s, uint32_t at, uint32_t witness,
                                const char *says, const char *fix, const struct lint_words *words)
{
    lint_report(s->lint,
                (struct hazard){s->code, LINT_WARNING, at, witness, says, fix, NULL, 0, words});
}

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
    const struct scope_search *s = context;
    const struct peer_access *access = peer_at(s->peers, instr);
    (void)state;
    if (lint_effect(lint, instr) == EFFECT_CALL || is_wide_fence(lint, instr)) return WALK_END;
    if (is_cluster_barrier(lint, instr)) return WALK_END;
    if (!access || access->kind != PEER_ARRIVE || !access->signals) return WALK_ON;
    return is_strong(lint, instr) ? WALK_END : WALK_FOUND;
}

/* Reports an arrive at an mbarrier of another CTA that follows a store to that CTA but releases
 * only to the own CTA. */
static void check_arrive(struct scope_search *s, uint32_t store)
{
    struct walk_path path;
    uint32_t interest = 1u << EFFECT_RELEASE_BARRIER | 1u << EFFECT_ACQUIRE_BARRIER |
                        1u << EFFECT_BOTH_MEMORY | 1u << EFFECT_CALL;
    if (!peer_walk(s->lint, store, interest, look_arrive, s, &path)) return;
    bool relaxed = instruction_has(s->lint->subject, path.found, ".relaxed");
    remote_scope_report(
        s, path.found, store,
        relaxed ? "this arrive does not release the store at %s to the other CTA[: it is relaxed]"
                : "this arrive does not release the store at %s to the other CTA[: its scope is "
                  "the own CTA]",
        "write mbarrier.arrive.release.cluster.shared::cluster", &scope_words);
}

/* ---- places ---- */

enum { BYTES = 16, ROW = 512 };

/* The two are most likely the same bytes, or overlap. */
static bool is_same_place(struct smem_origin a, struct smem_origin b)
{
    if (!a.known || !b.known || !a.base || a.base != b.base || a.shift || b.shift) return false;
    int64_t apart = a.at > b.at ? minus_wrapped(a.at, b.at) : minus_wrapped(b.at, a.at);
    return apart < (a.lanes || a.moves || b.lanes || b.moves ? ROW : BYTES);
}

/* The same, in some slot. */
static bool is_in_slot(const struct placed *store, struct smem_origin place)
{
    struct smem_origin in = store->place;
    int64_t apart = minus_wrapped(place.at, in.at) % store->slot;
    if (apart < 0) apart += store->slot;
    in.at = minus_wrapped(place.at, apart);
    return is_same_place(in, place);
}

static struct intervals placed_index(struct arena *arena, const struct placed_list *list)
{
    struct interval_list intervals = {0};
    for (uint32_t i = 0; i < list->count; i++) {
        const struct smem_origin *at = &list->at[i].place;
        if (at->known && !list->at[i].slot)
            vec_push(&intervals, (struct interval){at->base, i, at->at, plus_wrapped(at->at, 1)});
    }
    struct intervals index = intervals_sort(arena, &intervals);
    vec_free(&intervals);
    return index;
}

/* Sets *found to the instructions of the list at that place, ascending. */
static void placed_find(const struct scope_search *s, const struct placed_list *list,
                        const struct intervals *index, struct smem_origin place,
                        struct item_list *found)
{
    uint32_t kept = 0;
    found->count = 0;
    if (!place.known) return;
    intervals_find(index, place.base, minus_wrapped(place.at, ROW), plus_wrapped(place.at, ROW),
                   found);
    lint_spend(s->lint, found->count + 1);
    for (uint32_t i = 0; i < found->count; i++)
        if (is_same_place(list->at[found->at[i]].place, place))
            found->at[kept++] = list->at[found->at[i]].instr;
    found->count = kept;
    items_sort(found, 0);
}

/* The stores of a thread to shared memory of its own CTA. */
static void find_own_stores(const struct scope_search *s, struct placed_list *stores)
{
    const struct lint *lint = s->lint;
    for (uint32_t n = 0; n < lint->subject->acting_count; n++) {
        uint32_t i = lint->subject->acting[n];
        if (lint_effect(lint, i) != EFFECT_MEMORY || peer_at(s->peers, i)) continue;
        if (!str_is(instruction_base(lint->subject, i), "st")) continue;
        if (!instruction_has(lint->subject, i, ".shared")) continue;
        struct smem_origin place = smem_origin_of(lint->tracing, i, 0);
        vec_push(stores, ((struct placed){i, 0, place}));
    }
}

/* Lists the loads from other CTAs, each with the stores to its place. */
static void find_far_loads(struct scope_search *s)
{
    struct lint *lint = s->lint;
    struct placed_list stores = {0};
    struct item_list found = {0};
    find_own_stores(s, &stores);
    struct intervals index = placed_index(lint->arena, &stores);
    for (uint32_t i = 0; i < s->peers->count; i++) {
        const struct peer_access *load = &s->peers->at[i];
        if (load->kind != PEER_LOAD) continue;
        placed_find(s, &stores, &index,
                    smem_origin_of_value(lint->tracing, load->instr, load->local), &found);
        uint32_t *kept = arena_room(lint->arena, found.count + 1, sizeof *kept);
        if (found.count) memcpy(kept, found.at, found.count * sizeof *kept);
        vec_push(&s->loads, ((struct far_load){load->instr, kept, found.count}));
        s->load_effects |= 1u << lint_effect(lint, load->instr);
    }
    vec_free(&found);
    vec_free(&stores);
}

/* The address without the terms that differ by a factor among the CTAs of the cluster, such as the
 * rank times the size of a slot. Sets *slot to the least such factor. */
static struct value without_slot(const struct lint *lint, struct value v, int64_t *slot)
{
    const struct expr *e = value_is_none(v) ? NULL : value_expr(lint->subject, v);
    if (!e || (e->kind != EXPR_SUM && e->kind != EXPR_PRODUCT)) return v;
    struct value a = e->a[0], b = e->a[1];
    if (e->kind == EXPR_SUM) {
        struct value x = without_slot(lint, a, slot), y = without_slot(lint, b, slot);
        if (value_same(x, a) && value_same(y, b)) return v;
        struct value sum = value_sum(lint->subject, x, y);
        if (!value_is_none(sum)) sum.offset = plus_wrapped(sum.offset, v.offset);
        return sum;
    }
    bool chosen = e->fixed && e->of_block && b.offset > 0 &&
                  !cluster_rank_alike(lint, &lint->handovers->shape, (struct value){v.base, 0});
    if (!chosen) return v;
    if (!*slot || b.offset < *slot) *slot = b.offset;
    return exprs_constant(v.offset);
}

static void find_far_stores(struct scope_search *s)
{
    enum { SLOTTED_MAX = 128 }; /* each load is compared with all of them */
    struct lint *lint = s->lint;
    for (uint32_t i = 0; i < s->peers->count; i++) {
        const struct peer_access *store = &s->peers->at[i];
        if (store->kind != PEER_STORE) continue;
        struct placed placed = {.instr = store->instr};
        struct value local = without_slot(lint, store->local, &placed.slot);
        placed.place = smem_origin_of_value(lint->tracing, store->instr, local);
        if (placed.slot && s->far_slotted.count == SLOTTED_MAX) {
            lint_stop_short(lint);
            continue;
        }
        if (placed.slot) vec_push(&s->far_slotted, s->far_stores.count);
        vec_push(&s->far_stores, placed);
    }
    s->far_index = placed_index(lint->arena, &s->far_stores);
}

/* Sets *found to the stores to another CTA that write the place there, ascending. */
static void find_far_stores_to(const struct scope_search *s, struct smem_origin place,
                               struct item_list *found)
{
    placed_find(s, &s->far_stores, &s->far_index, place, found);
    lint_spend(s->lint, s->far_slotted.count);
    for (uint32_t i = 0; i < s->far_slotted.count; i++) {
        const struct placed *store = &s->far_stores.at[s->far_slotted.at[i]];
        if (is_in_slot(store, place)) vec_push(found, store->instr);
    }
    if (s->far_slotted.count) items_sort(found, 0);
}

/* ---- the loads behind a wait ---- */

/* A walk that lists loads, and ends where the thread acquires from other CTAs. */
struct loads_behind {
    const struct scope_search *s;
    bool far;    /* list the loads from other CTAs, otherwise those from shared memory */
    bool fences; /* a fence for other CTAs ends the walk, too */
    struct item_list found;
};

static bool is_listed_load(const struct loads_behind *loads, uint32_t instr)
{
    const struct lint *lint = loads->s->lint;
    const struct peer_access *access = peer_at(loads->s->peers, instr);
    struct str base = instruction_base(lint->subject, instr);
    if (loads->far) return access && access->kind == PEER_LOAD;
    bool reads = (lint_effect(lint, instr) == EFFECT_MEMORY && str_is(base, "ld")) ||
                 str_is(base, "ldmatrix");
    return reads && !instruction_has(lint->subject, instr, ".global");
}

static enum walk_does look_load(void *context, const struct lint *lint, uint32_t instr,
                                unsigned *state)
{
    struct loads_behind *loads = context;
    enum effect effect = lint_effect(lint, instr);
    (void)state;
    if (is_listed_load(loads, instr)) vec_push(&loads->found, instr);
    bool wide = effect == EFFECT_ACQUIRE_BARRIER && is_strong(lint, instr);
    return wide || effect == EFFECT_CALL || is_cluster_barrier(lint, instr) ||
                   (loads->fences && is_wide_fence(lint, instr))
               ? WALK_END
               : WALK_ON;
}

/* Lists the loads behind the instruction, ascending, once each. */
static void find_loads_behind(struct loads_behind *loads, uint32_t instr)
{
    struct walk_path path;
    uint32_t interest = 1u << EFFECT_ACQUIRE_BARRIER | 1u << EFFECT_RELEASE_BARRIER |
                        1u << EFFECT_BOTH_BARRIER | 1u << EFFECT_CALL;
    if (loads->fences) interest |= 1u << EFFECT_BOTH_MEMORY;
    interest |=
        loads->far ? loads->s->load_effects : 1u << EFFECT_MEMORY | 1u << EFFECT_MEET_MEMORY;
    loads->found.count = 0;
    (void)peer_walk(loads->s->lint, instr, interest, look_load, loads, &path);
    items_sort(&loads->found, 0);
}

/* The wait may be for this arrive of the other CTA. */
static bool is_arrive_for(const struct scope_search *s, const struct peer_access *arrive,
                          const struct handover *wait)
{
    if (arrive->kind != PEER_ARRIVE || !arrive->signals) return false;
    if (value_is_none(arrive->use.object) || value_is_none(wait->use->object)) return false;
    return arrive->use.object.base == wait->use->object.base &&
           peer_may_meet(s->peers, arrive, wait);
}

/* Sets *found to the arrives for which the wait may be, as indices in peers->at. */
static void find_arrives_for(const struct scope_search *s, const struct handover *wait,
                             struct item_list *found)
{
    found->count = 0;
    lint_spend(s->lint, s->peers->count / 8 + 1);
    for (uint32_t i = 0; i < s->peers->count; i++)
        if (is_arrive_for(s, &s->peers->at[i], wait)) vec_push(found, i);
}

/* The thread comes from the store to one of the arrives. */
static bool comes_to_any(const struct scope_search *s, uint32_t store,
                         const struct item_list *arrives)
{
    for (uint32_t i = 0; i < arrives->count; i++)
        if (handover_reaches(s->lint, store, s->peers->at[arrives->at[i]].instr)) return true;
    return false;
}

/* Reports a wait that acquires from the own CTA only if a load after it reads what another CTA
 * stored before one of the arrives. */
static void check_remote_wait(struct scope_search *s, const struct handover *wait,
                              const struct item_list *arrives)
{
    struct loads_behind loads = {.s = s, .fences = true};
    struct item_list stores = {0};
    uint32_t least = NO_INSTR;
    find_loads_behind(&loads, wait->instr);
    for (uint32_t i = 0; i < loads.found.count; i++) {
        find_far_stores_to(s, smem_origin_of(s->lint->tracing, loads.found.at[i], 1), &stores);
        for (uint32_t k = 0; k < stores.count && stores.at[k] < least; k++)
            if (comes_to_any(s, stores.at[k], arrives)) least = stores.at[k];
    }
    vec_free(&loads.found);
    vec_free(&stores);
    if (least == NO_INSTR) return;
    remote_scope_report(s, wait->instr, least,
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
static bool comes_unreleased(const struct scope_search *s, uint32_t store, uint32_t arrive)
{
    const uint32_t interest = 1u << EFFECT_RELEASE_BARRIER | 1u << EFFECT_ACQUIRE_BARRIER |
                              1u << EFFECT_BOTH_MEMORY | 1u << EFFECT_CALL;
    struct narrow_way way = {arrive, EFFECT_RELEASE_BARRIER};
    struct walk_path path;
    return handover_reaches(s->lint, store, arrive) &&
           walk_find(s->lint, store, 0, interest, look_narrow, &way, &path) && !path.vague;
}

/* The first store to the place of the load, before `end` in the text, that the thread executes
 * before the arrive with no release to other CTAs in between; NO_INSTR: none. */
static uint32_t find_unreleased(const struct scope_search *s, const struct far_load *load,
                                uint32_t arrive, uint32_t end)
{
    for (uint32_t i = 0; i < load->store_count && load->stores[i] < end; i++)
        if (comes_unreleased(s, load->stores[i], arrive)) return load->stores[i];
    return NO_INSTR;
}

/* The thread stores to the place of the load before one of the arrives. */
static bool is_announced(const struct scope_search *s, const struct far_load *load,
                         const struct item_list *arrives)
{
    for (uint32_t i = 0; i < load->store_count; i++)
        if (comes_to_any(s, load->stores[i], arrives)) return true;
    return false;
}

/* The load from another CTA at the instruction. */
static const struct far_load *far_load_at(const struct scope_search *s, uint32_t instr)
{
    uint32_t i = 0;
    for (uint32_t end = s->loads.count; i < end;) {
        uint32_t middle = i + (end - i) / 2;
        if (s->loads.at[middle].instr < instr)
            i = middle + 1;
        else
            end = middle;
    }
    return &s->loads.at[i];
}

/* Finds what the arrives release to the own CTA only, although a load of another CTA after the wait
 * reads it. Sets least_store. */
static void check_arrives_for_loads(struct scope_search *s, const struct handover *wait,
                                    const struct item_list *arrives)
{
    for (uint32_t i = 0; i < arrives->count; i++) {
        uint32_t arrive = s->peers->at[arrives->at[i]].instr;
        uint32_t *least = &s->least_store[arrives->at[i]];
        if (is_strong(s->lint, arrive)) continue;
        for (uint32_t k = 0; k < s->loads.count; k++) {
            const struct far_load *load = &s->loads.at[k];
            if (!load->store_count || !handover_reaches(s->lint, wait->instr, load->instr))
                continue;
            uint32_t store = find_unreleased(s, load, arrive, *least);
            if (store != NO_INSTR) *least = store;
        }
    }
}

static void report_arrives_for_loads(const struct scope_search *s)
{
    for (uint32_t i = 0; i < s->peers->count; i++)
        if (s->least_store[i] != NO_INSTR)
            remote_scope_report(
                s, s->peers->at[i].instr, s->least_store[i],
                "this arrive does not release the store at %s to the other CTA[, which loads "
                "it: the arrive is relaxed, or its scope is the own CTA]",
                "write mbarrier.arrive.release.cluster.shared::cluster", &scope_words);
}

/* Reports a wait that acquires from the own CTA only, if a load after it reads memory of another
 * CTA to which that CTA has stored before one of the arrives. */
static void check_far_loads(struct scope_search *s, const struct handover *wait,
                            const struct item_list *arrives)
{
    struct loads_behind loads = {.s = s, .far = true, .fences = true};
    find_loads_behind(&loads, wait->instr);
    for (uint32_t i = 0; i < loads.found.count; i++) {
        if (!is_announced(s, far_load_at(s, loads.found.at[i]), arrives)) continue;
        remote_scope_report(s, wait->instr, loads.found.at[i],
                            "this wait does not acquire what another CTA stored and %s reads[: the "
                            "scope of the wait is the own CTA]",
                            "write mbarrier.try_wait.parity.acquire.cluster.shared::cta",
                            &scope_words);
        break;
    }
    vec_free(&loads.found);
}

/* Reports a relaxed arrive at the barrier of the cluster that follows a store of the thread to its
 * own CTA, if the load of another CTA after the wait at that barrier reads it. */
static void check_cluster_barrier(struct scope_search *s, uint32_t arrive)
{
    struct loads_behind loads = {.s = s, .far = true};
    struct walk_path path;
    uint32_t least = NO_INSTR;
    uint32_t interest = 1u << EFFECT_ACQUIRE_BARRIER | 1u << EFFECT_RELEASE_BARRIER |
                        1u << EFFECT_CALL | s->load_effects;
    if (!peer_walk(s->lint, arrive, interest, look_barrier, NULL, &path)) return;
    find_loads_behind(&loads, path.found);
    for (uint32_t i = 0; i < loads.found.count; i++) {
        const struct far_load *load = far_load_at(s, loads.found.at[i]);
        uint32_t store = find_unreleased(s, load, arrive, least);
        if (store != NO_INSTR) least = store;
    }
    vec_free(&loads.found);
    if (least == NO_INSTR) return;
    remote_scope_report(s, arrive, least,
                        "this arrive does not release the store at %s to the other CTA[, which "
                        "loads it: the arrive is relaxed]",
                        "write barrier.cluster.arrive.release", NULL);
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
static void keep_announced(const struct scope_search *s, const struct peer_access *arrive,
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

static bool is_read(const struct scope_search *s, const struct smem_place *store,
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
static void check_arrive_for_pair(const struct scope_search *s, const struct peer_access *arrive,
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
        remote_scope_report(s, arrive->instr, store->instr,
                            "this arrive does not release the store at %s to the other CTA[, whose "
                            "mma reads it: the scope of the arrive is the own CTA]",
                            "write mbarrier.arrive.release.cluster.shared::cluster", &scope_words);
        return;
    }
}

static void check_arrives_for_pair(const struct scope_search *s)
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

static void check_awaiting(struct scope_search *s, const struct handover *wait)
{
    struct item_list arrives = {0};
    bool strong = is_strong(s->lint, wait->instr);
    find_arrives_for(s, wait, &arrives);
    if (arrives.count && !strong && s->far_stores.count) check_remote_wait(s, wait, &arrives);
    if (arrives.count && !strong && s->loads.count) check_far_loads(s, wait, &arrives);
    if (arrives.count && s->loads.count) check_arrives_for_loads(s, wait, &arrives);
    vec_free(&arrives);
}

static void check_stores_and_loads(struct scope_search *s)
{
    const struct handovers *all = s->lint->handovers;
    find_far_stores(s);
    find_far_loads(s);
    s->least_store = arena_room(s->lint->arena, s->peers->count, sizeof *s->least_store);
    for (uint32_t i = 0; i < s->peers->count; i++) s->least_store[i] = NO_INSTR;
    for (uint32_t i = 0; i < s->far_stores.count; i++) check_arrive(s, s->far_stores.at[i].instr);
    if (!s->far_stores.count && !s->loads.count) return;
    for (uint32_t i = 0; i < all->count; i++) {
        const struct handover *h = &all->at[i];
        if (h->channel == CHANNEL_MBARRIER && h->waits) check_awaiting(s, h);
        if (h->channel == CHANNEL_CLUSTER && h->signals && s->loads.count &&
            instruction_has(s->lint->subject, h->instr, ".relaxed"))
            check_cluster_barrier(s, h->instr);
    }
    report_arrives_for_loads(s);
}

void remote_scope_find(struct lint *lint, const struct peers *peers, const struct lint_code *code)
{
    struct scope_search s = {.lint = lint, .peers = peers, .code = code};
    check_stores_and_loads(&s);
    check_arrives_for_pair(&s);
    vec_free(&s.far_stores);
    vec_free(&s.far_slotted);
    vec_free(&s.loads);
}
