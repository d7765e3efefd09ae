/* Follows the threads that an arrive or a flag releases, up to their next wait. See
 * arrive_for_commit.h. */
#include "lint/arrive_for_commit.h"

#include "base/intern.h"
#include "flow/rounds.h"
#include "lint/arrays.h"
#include "lint/bulk_slot.h"
#include "lint/cluster_rank.h"
#include "lint/mbarriers.h"
#include "lint/mma_shape.h"
#include "lint/op_neighbours.h"
#include "lint/otherwise.h"
#include "lint/peer.h"
#include "lint/smem_meetings.h"
#include "lint/walk.h"
#include "value/condition_pairs.h"

/* At most this many waits for an arrive, operations before it, and arrives in other CTAs are
 * examined. */
enum { RELEASED_MAX = 4, IN_FLIGHT_MAX = 16, THERE_MAX = 32, ALIKE_MAX = 16 };

/* Waits for an arrive, and for all arrives at the same mbarrier that the same threads execute. */
struct released {
    uint32_t set; /* the number of their conditions plus 1; 0: not known yet */
    uint32_t at[RELEASED_MAX], count;
};

/* What a thread uses behind a wait. A key of intern: no padding. */
struct used_behind {
    uint32_t wait, kind, flag, zero; /* kind: of the operation, by what it touches */
    int64_t shape;                   /* of the operation: mma_shape */
};

enum for_commit { FOR_COMMIT_UNKNOWN, FOR_COMMIT_NO, FOR_COMMIT_YES };

struct arrive_search {
    struct lint *lint;
    const struct lint_code *code;
    uint32_t signal;                 /* index in handovers->at: an arrive or a flag */
    const struct peer_access *there; /* the signal, if it is an arrive in another CTA */
    uint32_t there_count;            /* of those so far */
    bool flag;
    bool alone; /* the signal completes a phase of the mbarrier alone */
    const struct tensor_op *op;
    bool columns;                      /* look for uses of columns, not of shared memory */
    struct smem_places places;         /* unless columns */
    uint32_t *first_overwriter;        /* unless columns: by op, an index in overwriters */
    struct item_list overwriters;      /* instructions that may overwrite what an op reads */
    const struct smem_place *operands; /* what op accesses */
    uint32_t operand_count, wait;
    struct released released;     /* by the signal */
    struct released *of_mbarrier; /* by kind of an mbarrier: what was found last */
    uint8_t *for_commit;          /* by kind of an mbarrier: see waits_for_commit */
    uint32_t user;                /* the instruction that is_used_behind has found */
    const struct blocks_behind *behind;
    uint32_t *last_from;        /* by block: see find_last_from; NULL: not found yet */
    struct intern asked;        /* of struct used_behind */
    struct VEC(uint32_t) found; /* by number of asked: the use, or NO_INSTR */
    struct VEC(uint32_t) alike; /* operations with different operands, at most ALIKE_MAX */
};

/* ---- the arriving thread ---- */

static bool has_commit(const struct lint *lint, const struct handover *wait)
{
    const struct handovers *all = lint->handovers;
    const struct handover_list *signals = handover_signals(lint, (uint32_t)(wait - all->at));
    lint_spend(lint, signals->count / 8 + 1);
    for (uint32_t i = 0; i < signals->count; i++) {
        const struct handover *signal = &all->at[signals->at[i]];
        if (signal->channel != CHANNEL_MBARRIER || signal->use->kind == BARRIER_COMMIT) return true;
    }
    return false;
}

/* The wait may be for a commit that tracks the operation. */
static bool waits_for_commit(const struct arrive_search *s, const struct handover *wait)
{
    if (wait->channel != CHANNEL_MBARRIER) return has_commit(s->lint, wait);
    uint8_t *answer = &s->for_commit[mbarriers_kind(s->lint, wait->use)];
    if (*answer == FOR_COMMIT_UNKNOWN)
        *answer = has_commit(s->lint, wait) ? FOR_COMMIT_YES : FOR_COMMIT_NO;
    return *answer == FOR_COMMIT_YES;
}

/* A commit at the mbarrier of the arrive: the operations that it tracks are of an earlier phase. */
static bool is_commit_there(const struct arrive_search *s, const struct handover *h)
{
    return s->alone && h->channel == CHANNEL_MBARRIER && h->use->kind == BARRIER_COMMIT &&
           !arrays_likely_others(s->lint, h->use, s->lint->handovers->at[s->signal].use);
}

static enum walk_does look_for_arrive_in_flight(void *context, const struct lint *lint,
                                                uint32_t instr, unsigned *state)
{
    const struct arrive_search *s = context;
    const struct handover *h = handover_at(lint, instr);
    (void)state;
    if (!h) return WALK_ON;
    if (h == &lint->handovers->at[s->signal]) return WALK_FOUND;
    if (is_commit_there(s, h)) return WALK_END;
    return h->waits && h->channel != CHANNEL_WARP && waits_for_commit(s, h) ? WALK_END : WALK_ON;
}

/* A path leads from the operation to the arrive, without a wait that may be for its commit. */
static bool is_in_flight(struct arrive_search *s, struct walk_path *path)
{
    return walk_find(s->lint, s->op->instr, 0, WALK_HANDOVERS, look_for_arrive_in_flight, s,
                     path) &&
           !path->vague;
}

/* ---- the threads that it releases ---- */

static bool needs_columns(const struct arrive_search *s, uint32_t instr)
{
    const struct lint *lint = s->lint;
    enum effect effect = lint_effect(lint, instr);
    if (effect == EFFECT_ASYNC_MMA)
        return mma_shape_differs(lint, s->op, mma_shape(lint, s->op->instr),
                                 handover_op(lint, instr), mma_shape(lint, instr));
    if (effect != EFFECT_ASYNC_LD && effect != EFFECT_ASYNC_ST) return false;
    return handover_likely_conflict(lint, s->op, handover_op(lint, instr));
}

static bool overwrites_operand(const struct arrive_search *s, uint32_t instr)
{
    uint32_t count;
    const struct smem_place *write = smem_places_of(&s->places, instr, &count);
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < s->operand_count && write[i].writes; k++)
            if (smem_places_meet(&write[i], &s->operands[k])) return true;
    return false;
}

/* The instruction writes to where the operation reads in another CTA, with the same address there.
 */
static bool overwrites_operand_there(const struct arrive_search *s, uint32_t instr)
{
    const struct peer_access *write = s->flag ? peer_at(peers_find(s->lint), instr) : NULL;
    if (!write || (write->kind != PEER_STORE && write->kind != PEER_ASYNC)) return false;
    struct smem_origin to = smem_origin_of_value(s->lint->tracing, instr, write->local);
    int64_t size = bulk_bytes(s->lint, instr), begin = to.at;
    if (!to.known || to.moves || to.lanes || to.shift) return false;
    for (uint32_t k = 0; k < s->operand_count; k++) {
        const struct smem_place *read = &s->operands[k];
        if (read->base.base != to.base || read->moves || read->writes) continue;
        if (read->first == begin || (read->first > begin && read->first - begin < size))
            return true;
    }
    return false;
}

static bool overwrites(const struct arrive_search *s, uint32_t instr)
{
    if (overwrites_operand_there(s, instr)) return true;
    return overwrites_operand(s, instr) &&
           (!s->flag || cluster_rank_may_share(s->lint, s->op->instr, instr));
}

/* Lists for each operation the instructions that may overwrite what it reads. */
static void find_overwriters(struct arrive_search *s)
{
    const struct handovers *all = s->lint->handovers;
    const struct smem_meetings *meetings = smem_meetings_find(s->lint);
    struct item_list room = {0};
    s->first_overwriter = arena_room(s->lint->arena, all->op_count + 1, sizeof(uint32_t));
    for (uint32_t i = 0; i < all->op_count; i++) {
        uint32_t count;
        const struct smem_place *operands = smem_places_of(&s->places, all->ops[i].instr, &count);
        s->first_overwriter[i] = s->overwriters.count;
        for (uint32_t k = 0; k < count; k++) {
            struct meeting_list near = smem_meetings_of(s->lint, meetings, &operands[k], &room);
            for (uint32_t n = 0; n < near.count; n++)
                if (s->places.at[near.at[n]].writes)
                    vec_push(&s->overwriters, s->places.at[near.at[n]].instr);
        }
    }
    s->first_overwriter[all->op_count] = s->overwriters.count;
    vec_free(&room);
}

/* Control comes from a wait for the arrive to an instruction that may overwrite what operation
 * number i reads. */
static bool has_overwriter_behind(const struct arrive_search *s, uint32_t i)
{
    for (uint32_t k = s->first_overwriter[i]; k < s->first_overwriter[i + 1]; k++)
        for (uint32_t w = 0; w < s->released.count; w++)
            if (behind_follows(s->behind, s->lint->cfg, s->released.at[w], s->overwriters.at[k]) &&
                handover_reaches(s->lint, s->released.at[w], s->overwriters.at[k]))
                return true;
    return false;
}

static enum walk_does look_for_use(void *context, const struct lint *lint, uint32_t instr,
                                   unsigned *state)
{
    const struct arrive_search *s = context;
    const struct handover *h = handover_at(lint, instr);
    (void)state;
    if (s->columns ? needs_columns(s, instr) : overwrites(s, instr)) return WALK_FOUND;
    if (!h || !h->waits || h->channel == CHANNEL_WARP) return WALK_ON;
    /* the same wait, once more */
    return instr == s->wait ? WALK_ON : WALK_END;
}

/* A commit in several CTAs that may track the operation may have ended an earlier wait of the
 * thread that continues after s->wait. */
static bool knows_there(const struct arrive_search *s)
{
    const struct lint *lint = s->lint;
    const struct handovers *all = lint->handovers;
    for (uint32_t w = 0; w < all->count; w++) {
        if (!all->at[w].waits || all->at[w].channel != CHANNEL_MBARRIER ||
            all->at[w].instr == s->wait || !handover_reaches(lint, all->at[w].instr, s->wait))
            continue;
        const struct handover_list *signals = handover_signals(lint, w);
        lint_spend(lint, signals->count + 1);
        for (uint32_t i = 0; i < signals->count; i++) {
            const struct barrier_use *use = all->at[signals->at[i]].use;
            if (use && use->kind == BARRIER_COMMIT && use->remote &&
                handover_reaches(lint, s->op->instr, use->instr))
                return true;
        }
    }
    return false;
}

static bool have_operands_alike(const struct arrive_search *s, uint32_t op)
{
    uint32_t count;
    const struct smem_place *other =
        smem_places_of(&s->places, s->lint->handovers->ops[op].instr, &count);
    for (uint32_t i = 0; i < count && count == s->operand_count; i++)
        if (!smem_places_alike(&other[i], &s->operands[i])) return false;
    return count == s->operand_count;
}

/* For operations of the same kind, look_for_use has the same answers. */
static uint32_t kind_of_op(struct arrive_search *s)
{
    uint32_t op = (uint32_t)(s->op - s->lint->handovers->ops);
    if (s->columns) return op_kind(s->lint, s->op);
    if (s->flag) return op; /* overwrites asks which CTAs execute it */
    for (uint32_t i = 0; i < s->alike.count; i++)
        if (have_operands_alike(s, s->alike.at[i])) return s->alike.at[i];
    if (s->alike.count < ALIKE_MAX) vec_push(&s->alike, op);
    return op;
}

/* Returns the first use behind the wait, or NO_INSTR. Found once for all operations of a kind. */
static uint32_t use_behind(struct arrive_search *s, uint32_t wait)
{
    struct used_behind key = {wait, kind_of_op(s), s->flag, 0,
                              s->columns ? mma_shape(s->lint, s->op->instr) : 0};
    struct str bytes = {(const char *)&key, sizeof key};
    uint32_t number = intern_find(&s->asked, 0, bytes);
    struct walk_path path;
    if (number != INTERN_NONE) return s->found.at[number];
    s->wait = wait;
    bool found = walk_find(s->lint, wait, 0, WALK_ASYNC | WALK_HANDOVERS | WALK_SHARED_MEMORY,
                           look_for_use, s, &path);
    bytes.p = arena_copy(s->lint->arena, bytes.p, bytes.n);
    (void)intern_add(&s->asked, 0, bytes);
    vec_push(&s->found, found && !path.vague ? path.found : NO_INSTR);
    return s->found.at[s->found.count - 1];
}

static bool is_used_behind(struct arrive_search *s, uint32_t wait)
{
    uint32_t use = use_behind(s, wait);
    s->wait = wait;
    if (use == NO_INSTR) return false;
    s->user = use;
    return !(s->there ? knows_there(s)
                      : otherwise_ordered(s->lint, s->op->instr, use,
                                          &s->lint->handovers->at[s->signal]));
}

/* Another thread executes the instruction than the one that signals. */
static bool is_of_another(const struct arrive_search *s, uint32_t instr)
{
    uint32_t signal = s->lint->handovers->at[s->signal].instr;
    return handover_other_thread(s->lint, signal, instr) ||
           (s->flag && !cluster_rank_may_share(s->lint, signal, instr));
}

/* Each mbarrier at which the use may arrive expects one arrival. */
static bool ends_phase_alone(const struct lint *lint, const struct barrier_use *use)
{
    const struct barriers *all = lint->subject->barriers;
    bool any = false;
    for (uint32_t i = UINT32_MAX; (i = barriers_next_init(lint->subject, use, i)) < all->count;) {
        if (arrays_likely_others(lint, &all->uses[i], use)) continue;
        if (mbarriers_counted(lint, &all->uses[i]) != 1) return false;
        any = true;
    }
    return any;
}

/* The signal is no arrive, and it may end the phase for which the thread waits. A commit ends
 * another phase if each of them ends one alone. */
static bool ends_phase_otherwise(const struct arrive_search *s, const struct handover *signal)
{
    if (!signal->use || signal->use->kind == BARRIER_ARRIVE) return false;
    return signal->use->kind != BARRIER_COMMIT || !s->alone;
}

/* Only this thread arrives at the mbarrier, or writes the flag. Another thread may have waited for
 * the completion before it does so. */
static bool only_arrives(const struct arrive_search *s, uint32_t wait)
{
    const struct handovers *all = s->lint->handovers;
    const struct handover_list *signals = handover_signals(s->lint, wait);
    lint_spend(s->lint, signals->count / 8 + 1);
    for (uint32_t i = 0; i < signals->count; i++) {
        const struct handover *signal = &all->at[signals->at[i]];
        if (signal->channel != all->at[s->signal].channel) return false;
        if (handover_likely_others(s->lint, signal, &all->at[wait])) continue;
        if (ends_phase_otherwise(s, signal) || is_of_another(s, signal->instr)) return false;
    }
    return true;
}

/* Lists the waits of other threads for this mbarrier or flag, if only arrives end its phases. */
static void find_released(struct arrive_search *s)
{
    const struct handovers *all = s->lint->handovers;
    const struct handover *arrive = &all->at[s->signal];
    uint32_t set = condition_pairs_number(s->lint->subject, arrive->instr) + 1;
    struct released *known = s->flag ? NULL : &s->of_mbarrier[mbarriers_kind(s->lint, arrive->use)];
    if (known && known->set == set) {
        s->released = *known;
        return;
    }
    const struct handover_list *waits = handover_waits(s->lint, s->signal);
    s->released = (struct released){.set = set};
    for (uint32_t w = 0; w < waits->count && s->released.count < RELEASED_MAX; w++) {
        const struct handover *wait = &all->at[waits->at[w]];
        if (wait->channel != arrive->channel || handover_likely_others(s->lint, arrive, wait) ||
            !is_of_another(s, wait->instr) || !only_arrives(s, waits->at[w]))
            continue;
        s->released.at[s->released.count++] = wait->instr;
    }
    if (known) *known = s->released;
}

/* A thread of another CTA that waits for an arrive there waits for no commit. Commits of the
 * arriving thread count only if they are in several CTAs. */
static bool only_arrives_there(const struct arrive_search *s, const struct handover *wait)
{
    const struct lint *lint = s->lint;
    const struct handovers *all = lint->handovers;
    const struct handover *arrive = &all->at[s->signal];
    lint_spend(lint, all->count);
    for (uint32_t i = 0; i < all->count; i++) {
        const struct handover *signal = &all->at[i];
        const struct peer_access *there = peer_at(peers_find(s->lint), signal->instr);
        if (signal == arrive || signal->channel != CHANNEL_MBARRIER || signal->waits) continue;
        if (there && !peer_may_meet(peers_find(s->lint), there, wait)) continue;
        if (!there && handover_likely_others(lint, signal, wait)) continue;
        if (there || signal->use->remote ||
            condition_pairs_set(lint->subject, signal->instr) !=
                condition_pairs_set(lint->subject, arrive->instr))
            return false;
    }
    return true;
}

/* As find_released, for an arrive in another CTA, where the same code runs. */
static void find_released_there(struct arrive_search *s)
{
    const struct handovers *all = s->lint->handovers;
    const struct peers *peers = peers_find(s->lint);
    s->released.count = 0;
    if (s->there_count == THERE_MAX) return;
    s->there_count++;
    lint_spend(s->lint, all->count);
    for (uint32_t w = 0, met = 0; w < all->count && met < RELEASED_MAX; w++) {
        const struct handover *wait = &all->at[w];
        if (!wait->waits || !peer_may_meet(peers, s->there, wait)) continue;
        met++;
        if (only_arrives_there(s, wait)) s->released.at[s->released.count++] = wait->instr;
    }
}

/* Some thread that is released uses what the operation touches, whether ordered or not. */
static bool may_release_user(struct arrive_search *s)
{
    for (uint32_t i = 0; i < s->released.count; i++)
        if (use_behind(s, s->released.at[i]) != NO_INSTR) return true;
    return false;
}

static bool releases_user(struct arrive_search *s)
{
    for (uint32_t i = 0; i < s->released.count; i++)
        if (is_used_behind(s, s->released.at[i])) return true;
    return false;
}

/* ---- all arrives ---- */

/* Finds for each block the highest number of a block from which control comes to it: 1 + that
 * number, or 0 for none. Blocks are numbered in the order of the text. */
static void find_last_from(struct arrive_search *s)
{
    const struct cfg *cfg = s->lint->cfg;
    struct rounds rounds;
    uint32_t block;
    s->last_from = arena_alloc(s->lint->arena, cfg->count, sizeof *s->last_from);
    rounds_init(&rounds, cfg->count, false);
    for (uint32_t b = 0; b < cfg->count; b++) rounds_want(&rounds, b);
    while (rounds_next(&rounds, &block)) {
        const struct block *at = &cfg->blocks[block];
        uint32_t last = s->last_from[block];
        lint_spend(s->lint, at->pred_count + 1);
        for (uint32_t i = 0; i < at->pred_count; i++) {
            uint32_t from = cfg->preds[at->first_pred + i];
            if (from + 1 > last) last = from + 1;
            if (s->last_from[from] > last) last = s->last_from[from];
        }
        if (last == s->last_from[block]) continue;
        s->last_from[block] = last;
        for (uint32_t i = 0; i < at->succ_count; i++)
            rounds_want(&rounds, cfg->succs[at->first_succ + i]);
    }
    rounds_free(&rounds);
}

/* The index of an operation from which on control comes from none to the instruction. */
static uint32_t end_of_ops_ahead(struct arrive_search *s, uint32_t instr)
{
    const struct lint *lint = s->lint;
    const struct handovers *all = lint->handovers;
    if (!s->last_from) find_last_from(s);
    uint32_t block = lint->cfg->block_of[instr], last = s->last_from[block], low = 0;
    if (block + 1 > last) last = block + 1;
    for (uint32_t high = all->op_count; low < high;) {
        uint32_t middle = low + (high - low) / 2;
        if (lint->cfg->block_of[all->ops[middle].instr] < last)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The released thread continues in the same columns with an mma that is no pipelined pair with the
 * first one. */
static void report_other_shape(const struct arrive_search *s)
{
    lint_report(s->lint,
                (struct hazard){s->code, LINT_WARNING, s->user, s->op->instr,
                                "%s has another shape and may be incomplete[: the arrive that this "
                                "thread has waited for is no commit, and two mma of different "
                                "shapes are not executed in the order of issue]",
                                "write a tcgen05.commit behind %s in place of the arrive", NULL, 0,
                                NULL});
}

static void check_arrive_for_commit(struct arrive_search *s)
{
    struct lint *lint = s->lint;
    const struct handovers *all = lint->handovers;
    uint32_t arrive = all->at[s->signal].instr;
    struct walk_path path;
    uint32_t in_flight = 0;
    s->behind = handover_behind(lint);
    lint_spend(lint, all->op_count / 8 + 1);
    for (uint32_t i = end_of_ops_ahead(s, arrive); i-- > 0 && in_flight < IN_FLIGHT_MAX;) {
        s->op = &all->ops[i];
        /* Most pairs fail here, and a search asks about each operation for each arrive. */
        if (!behind_follows(s->behind, lint->cfg, s->op->instr, arrive)) continue;
        if (!s->columns && !s->flag && !has_overwriter_behind(s, i)) continue;
        if (!effect_is_pipe(lint_effect(lint, s->op->instr)) ||
            !handover_reaches(lint, s->op->instr, arrive))
            continue;
        in_flight++;
        if (!s->columns) s->operands = smem_places_of(&s->places, s->op->instr, &s->operand_count);
        if (!may_release_user(s) || !is_in_flight(s, &path) || !releases_user(s)) continue;
        if (s->columns && lint_effect(lint, s->user) == EFFECT_ASYNC_MMA) {
            report_other_shape(s);
            return;
        }
        lint_report(lint, (struct hazard){
                              s->code, LINT_WARNING, arrive, s->op->instr,
                              s->columns ? "this signals that %s is complete, but no commit "
                                           "tracks it"
                              : s->flag  ? "this flag releases the stage that %s may still "
                                           "read[: another thread refills it]"
                                         : "this arrive releases the stage that %s may still "
                                           "read[: another thread refills it]",
                              s->flag    ? "wait for a commit before the flag is set"
                              : s->there ? "write a tcgen05.commit with .multicast::cluster "
                                           "to the mbarriers of both CTAs in place of the "
                                           "arrive, or wait for a commit before the arrive"
                                         : "write a tcgen05.commit to that mbarrier in place of "
                                           "the arrive, or wait for a commit before the arrive",
                              path.instrs, path.count, NULL});
        return;
    }
}

/* A flag that another instruction waits for at the same address. */
static bool is_awaited_flag(const struct handovers *all, const struct handover *h)
{
    if (h->channel != CHANNEL_FLAG || !h->signals || value_is_none(h->address)) return false;
    uint32_t wait = all->first_alike[h - all->at];
    while (wait < all->count && (!all->at[wait].waits || &all->at[wait] == h))
        wait = all->alike[wait];
    return wait < all->count;
}

/* The arrive at an mbarrier of another CTA; NULL: it is none. */
static const struct peer_access *arrive_there(const struct arrive_search *s,
                                              const struct handover *h)
{
    if (h->channel != CHANNEL_MBARRIER || h->use->kind != BARRIER_ARRIVE || !h->use->remote)
        return NULL;
    const struct peer_access *there = peer_at(peers_find(s->lint), h->instr);
    return there && there->signals ? there : NULL;
}

/* The thread alone gives the signal, at a known mbarrier or by a flag. */
static bool is_examined(const struct arrive_search *s, const struct handover *h)
{
    const struct handovers *all = s->lint->handovers;
    bool arrive = h->channel == CHANNEL_MBARRIER && h->use->kind == BARRIER_ARRIVE &&
                  (h->use->remote || !value_is_none(h->use->object));
    if (arrive && h->use->remote) arrive = s->columns && arrive_there(s, h);
    if (!arrive && (s->columns || !is_awaited_flag(all, h))) return false;
    return condition_pairs_one_lane(s->lint->subject, h->instr);
}

/* Finds the places, unless they are found. */
static void begin_places(struct arrive_search *s)
{
    if (s->columns || s->first_overwriter) return;
    s->places = smem_places_find(s->lint);
    find_overwriters(s);
}

void arrive_for_commit_report(struct lint *lint, const struct lint_code *code, bool columns)
{
    const struct handovers *all = lint->handovers;
    struct arrive_search s = {.lint = lint, .code = code, .columns = columns};
    if (!all->op_count) return;
    s.for_commit = arena_alloc(lint->arena, mbarriers_kinds(lint), sizeof *s.for_commit);
    s.of_mbarrier = arena_alloc(lint->arena, mbarriers_kinds(lint), sizeof *s.of_mbarrier);
    for (s.signal = 0; s.signal < all->count; s.signal++) {
        const struct handover *h = &all->at[s.signal];
        if (!is_examined(&s, h) || lint_has_reported(lint, code, h->instr)) continue;
        s.flag = h->channel == CHANNEL_FLAG;
        s.there = s.columns ? arrive_there(&s, h) : NULL;
        s.alone = !s.flag && !s.there && ends_phase_alone(lint, h->use);
        if (s.there)
            find_released_there(&s);
        else
            find_released(&s);
        if (!s.released.count) continue;
        begin_places(&s);
        check_arrive_for_commit(&s);
    }
    vec_free(&s.overwriters);
    intern_free(&s.asked);
    vec_free(&s.found);
    vec_free(&s.alike);
}
