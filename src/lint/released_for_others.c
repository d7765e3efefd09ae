/* The code released-for-others: an arrive of one thread, or of one lane for its warp, releases
 * memory that other threads may still read, announces what they may still write, or ends a phase
 * for which they may still wait. A thread that arrives knows its own progress; it knows that of
 * others only if it has synchronised with them. */
#include "lint/arrays.h"
#include "lint/handover.h"
#include "lint/otherwise.h"
#include "lint/meet.h"
#include "lint/released_flag.h"
#include "lint/smem_meetings.h"
#include "lint/walk.h"
#include "value/condition_pairs.h"
#include "value/conditions.h"
#include "value/instruction.h"
#include "value/lanes.h"

/* Which other threads execute the use, apart from those that execute the arrive. */
enum others { OTHERS_NONE, OTHERS_LANES, OTHERS_WARPS };

/* The answer for the threads under a set of conditions. */
struct left {
    uint32_t set; /* its number, from condition_pairs.h */
    enum others others;
};

/* The threads under a set of conditions. */
struct threads {
    bool warps_known, lanes_known;
    bool one_lane, several; /* at most one lane of each warp; more than one lane of some warp */
    uint32_t warps;         /* a bit for each warp with such a thread */
};

struct search {
    struct VEC(struct left) left;       /* for the current release */
    struct VEC(struct threads) threads; /* by number of a set of conditions */
    struct lint *lint;
    struct lanes_shape shape;
    struct smem_places places;
    const struct smem_meetings *meetings;
    struct otherwise_known known;
    struct item_list room;     /* for smem_meetings_of */
    struct item_list arrivals; /* the arrivals at mbarriers: indices of handovers */
    struct item_list fellows;  /* those of them that may be at the mbarrier of the release */
    bool fellows_known;
    uint32_t *uses; /* loads, stores, and waits for an mbarrier */
    uint32_t use_count;
    const struct handover *release; /* the arrive that is examined */
    struct condition_set set;       /* conditions of the threads that execute the arrive */
    const struct handover **waits;  /* the waits for the arrive: first those that certainly are, */
    uint32_t sure, wait_count;      /* then those that most likely are */
    enum others others;             /* the other threads that execute the current use */
    uint32_t use;                   /* the current use */
};

/* ---- which threads the arrive does not cover ---- */

/* Each condition of the set is known: it depends only on thread numbers, is the same for the whole
 * CTA, or is also a condition of the arrive. */
static bool are_conditions_known(const struct search *s, const struct condition_set *set)
{
    for (uint32_t i = 0; i < set->count; i++) {
        struct value c = {set->at[i].base, 0};
        bool shared = value_expr(s->lint->subject, c)->of_block;
        for (uint32_t k = 0; k < s->set.count && !shared; k++) shared = s->set.at[k].base == c.base;
        if (!shared && !lanes_know(s->lint->subject, c)) return false;
    }
    return !set->lost;
}

/* Valid until the next call. */
static struct threads *threads_of(struct search *s, uint32_t instr)
{
    uint32_t number = condition_pairs_number(s->lint->subject, instr);
    while (s->threads.count <= number) vec_push(&s->threads, (struct threads){0});
    return &s->threads.at[number];
}

/* The warps of which some thread may execute the instruction, as bits. */
static uint32_t warps_executing(struct search *s, uint32_t instr)
{
    struct threads *threads = threads_of(s, instr);
    if (!threads->warps_known) threads->warps = lanes_warps_at(s->lint->subject, &s->shape, instr);
    threads->warps_known = true;
    return threads->warps;
}

/* Fills in one_lane and several. Valid until the next call of threads_of. */
static const struct threads *lanes_executing(struct search *s, uint32_t instr)
{
    const struct subject *subject = s->lint->subject;
    struct threads *threads = threads_of(s, instr);
    if (threads->lanes_known) return threads;
    struct lanes_number n = lanes_count(subject, &s->shape, condition_pairs_set(subject, instr));
    threads->lanes_known = true;
    threads->one_lane = n.most == n.warps || condition_pairs_one_lane(subject, instr);
    threads->several = n.lanes > 1;
    return threads;
}

/* Some warp executes the instruction, and not the arrive. */
static bool is_of_other_warps(struct search *s, uint32_t instr)
{
    if (s->shape.folded) return false;
    uint32_t arriving = warps_executing(s, s->release->instr);
    return warps_executing(s, instr) & ~arriving;
}

/* At most one lane of each warp executes the arrive. */
static bool arrives_one_lane(struct search *s)
{
    return lanes_executing(s, s->release->instr)->one_lane;
}

static enum others others_of(struct search *s, uint32_t use)
{
    const struct subject *subject = s->lint->subject;
    if (condition_pairs_exclude(subject, use, s->release->instr) ||
        !are_conditions_known(s, condition_pairs_set(subject, use)))
        return OTHERS_NONE;
    if (is_of_other_warps(s, use)) return OTHERS_WARPS;
    return arrives_one_lane(s) && lanes_executing(s, use)->several ? OTHERS_LANES : OTHERS_NONE;
}

static void find_fellows(struct search *s)
{
    s->fellows_known = true;
    s->fellows.count = 0;
    lint_spend(s->lint, s->arrivals.count);
    for (uint32_t i = 0; i < s->arrivals.count; i++) {
        const struct handover *h = &s->lint->handovers->at[s->arrivals.at[i]];
        if (h != s->release && !arrays_likely_others(s->lint, h->use, s->release->use))
            vec_push(&s->fellows, s->arrivals.at[i]);
    }
}

/* Some of the other threads arrive at the same mbarrier themselves. */
static bool arrive_themselves(struct search *s, uint32_t use)
{
    if (!s->fellows_known) find_fellows(s);
    lint_spend(s->lint, s->fellows.count);
    for (uint32_t i = 0; i < s->fellows.count; i++) {
        const struct handover *h = &s->lint->handovers->at[s->fellows.at[i]];
        if (condition_pairs_exclude(s->lint->subject, h->instr, use)) continue;
        if (is_of_other_warps(s, h->instr) ||
            (arrives_one_lane(s) && !lanes_executing(s, h->instr)->one_lane))
            return true;
    }
    return false;
}

/* ---- what follows a wait for the arrive ---- */

/* likely: also after a wait that is only most likely for the arrive. */
static bool wait_leads_to(struct search *s, uint32_t use, uint32_t instr, bool likely)
{
    for (uint32_t i = 0; i < (likely ? s->wait_count : s->sure); i++)
        if (handover_reaches(s->lint, s->waits[i]->instr, instr))
            return !otherwise_ordered_again(s->lint, &s->known, use, instr, s->release, likely);
    return false;
}

/* After a wait for the arrive, a thread may arrive at the mbarrier of the wait polled, so that its
 * next phase begins. */
static bool is_rearmed(struct search *s, const struct barrier_use *polled)
{
    lint_spend(s->lint, s->arrivals.count);
    for (uint32_t i = 0; i < s->arrivals.count; i++) {
        const struct handover *h = &s->lint->handovers->at[s->arrivals.at[i]];
        if (h->use->remote || !barriers_same(h->use, polled)) continue;
        if (wait_leads_to(s, polled->instr, h->instr, false)) return true;
    }
    return false;
}

/* Where the use reads, another thread may write; where it writes, another may read or write. */
static bool is_place_accessed(struct search *s, uint32_t use)
{
    uint32_t count;
    const struct smem_place *place = smem_places_of(&s->places, use, &count);
    if (!count) return false;
    if (!s->meetings) s->meetings = smem_meetings_find(s->lint);
    const struct meeting_list near = smem_meetings_of(s->lint, s->meetings, place, &s->room);
    for (uint32_t i = 0; i < near.count; i++) {
        const struct smem_place *other = &s->places.at[near.at[i]];
        if (!(other->writes || place->writes)) continue;
        if (!other->async && !condition_pairs_other_warp(s->lint->subject, other->instr, use))
            continue;
        if (wait_leads_to(s, use, other->instr, false)) return true;
    }
    return false;
}

/* In a ring of accumulators the columns and the mbarriers change with the stage, so that nothing is
 * certain. */
static bool is_load_overwritten(struct search *s, const struct tensor_op *load)
{
    const struct handovers *all = s->lint->handovers;
    for (uint32_t i = 0; i < all->writer_count; i++) {
        const struct tensor_op *op = &all->ops[all->writers[i]];
        bool conflict =
            handover_conflict(s->lint, load, op) || handover_likely_conflict(s->lint, load, op);
        if (conflict && wait_leads_to(s, load->instr, op->instr, true)) return true;
    }
    return false;
}

/* After a wait for the arrive, a thread may overwrite what the use reads, or access what it writes.
 * Lanes are not considered for waits and tcgen05.ld: lanes of a warp mostly leave a wait together,
 * and all of them execute a tcgen05.ld. */
static bool is_let_go(struct search *s, uint32_t use)
{
    const struct barrier_use *polled = barriers_at(s->lint->subject, use);
    const struct tensor_op *op = handover_op(s->lint, use);
    bool warps = s->others == OTHERS_WARPS;
    if (polled) return warps && !polled->remote && is_rearmed(s, polled);
    if (op) return warps && is_load_overwritten(s, op);
    return is_place_accessed(s, use);
}

/* ---- whether the threads synchronise before the arrive ---- */

/* The number of the barrier of the CTA is known, for each warp if it differs. */
static bool is_numbered(const struct handover *h)
{
    return h->numbers || value_is_constant(h->address);
}

/* Some warp that executes the use never comes to a barrier of the CTA with the number that this one
 * has in the warps that execute the arrive. */
static bool leaves_out_warp(const struct search *s, const struct handover *barrier)
{
    const struct lint *lint = s->lint;
    struct condition_set set = conditions_of(lint->subject, s->use);
    bool sure, any;
    uint32_t left = lanes_warps(lint->subject, &s->shape, &set, &sure);
    uint32_t arriving = lanes_warps(lint->subject, &s->shape, &s->set, &any);
    if (!sure) return false;
    lint_spend(lint, lint->handovers->count);
    for (uint32_t i = 0; i < lint->handovers->count && left; i++) {
        const struct handover *h = &lint->handovers->at[i];
        if (h->channel == CHANNEL_UNKNOWN) return false;
        if (h->channel != CHANNEL_CTA) continue;
        if (!is_numbered(h)) return false;
        bool differs = h->numbers || barrier->numbers;
        if (!differs && !value_same(h->address, barrier->address)) continue;
        set = conditions_of(lint->subject, h->instr);
        left &= ~(lanes_warps(lint->subject, &s->shape, &set, &any) &
                  handover_warps_met(lint, barrier, h, arriving));
    }
    return left;
}

static enum walk_does look_for_release_alone(void *context, const struct lint *lint, uint32_t instr,
                                             unsigned *state)
{
    const struct search *s = context;
    (void)state;
    if (instr == s->release->instr) return WALK_FOUND;
    enum meet_kind kind = meet_kind_of(lint, instr);
    const struct handover *barrier = handover_at(lint, instr);
    bool named = barrier && (kind == MEET_NAMED || barrier->numbers);
    if (named && s->others == OTHERS_WARPS && leaves_out_warp(s, barrier)) return WALK_ON;
    if (kind != MEET_NOBODY) return WALK_END;
    bool warp_meets = instruction_has(lint->subject, instr, ".sync");
    return s->others == OTHERS_LANES && warp_meets ? WALK_END : WALK_ON;
}

static bool is_unmet_before_release(struct search *s, uint32_t use, struct walk_path *path)
{
    uint32_t plain = 1u << EFFECT_REGISTER | 1u << EFFECT_MEMORY;
    s->use = use;
    uint32_t interest = s->others == OTHERS_LANES ? 0 : ~plain;
    return walk_find(s->lint, use, 0, interest, look_for_release_alone, s, path) && !path->vague;
}

/* ---- the report ---- */

static bool stores_shared(const struct search *s, uint32_t use)
{
    uint32_t count;
    const struct smem_place *place = smem_places_of(&s->places, use, &count);
    return count && place->writes;
}

static void released_for_others_report(struct search *s, uint32_t use, const struct walk_path *path)
{
    bool warps = s->others == OTHERS_WARPS, polls = barriers_at(s->lint->subject, use);
    bool stores = stores_shared(s, use);
    const char *of_warps = stores ? "this arrive[ of one thread] announces what other warps may "
                                    "still store at %s"
                                  : "this arrive[ of one thread] releases what other warps may "
                                    "still read at %s";
    const char *of_lanes = stores ? "this arrive[ of one lane] announces what other lanes[ of its "
                                    "warp] may still store at %s"
                                  : "this arrive[ of one lane] releases what other lanes[ of its "
                                    "warp] may still read at %s";
    const char *says =
        polls   ? "this arrive[ of one thread] ends the phase while other warps may still be at %s"
        : warps ? of_warps
                : of_lanes;
    const char *fix = warps ? "write a barrier of all warps that execute %s before the arrive, or "
                              "let each of them arrive and count them in mbarrier.init"
                            : "write bar.warp.sync between %s and the arrive";
    lint_report(s->lint, (struct hazard){&lint_released_for_others, LINT_WARNING, s->release->instr,
                                         use, says, fix, path->instrs, path->count, NULL});
}

/* ---- the search ---- */

static bool is_mbarrier_wait(const struct lint *lint, uint32_t i)
{
    const struct barrier_use *use = barriers_at(lint->subject, i);
    return use && use->kind == BARRIER_WAIT;
}

/* In reverse order of the text, so that the use that is nearest to the arrive is reported. */
static void find_uses(struct search *s)
{
    const struct lint *lint = s->lint;
    bool *generic = arena_alloc(lint->arena, lint->function->count, sizeof *generic);
    s->uses = arena_alloc(lint->arena, lint->function->count, sizeof *s->uses);
    for (uint32_t i = 0; i < s->places.count; i++)
        generic[s->places.at[i].instr] |= !s->places.at[i].async;
    for (uint32_t i = lint->function->count - 1; i--;) {
        enum effect effect = lint_effect(lint, i);
        if (effect == EFFECT_REGISTER) continue;
        if (effect == EFFECT_MEMORY ? generic[i]
                                    : effect == EFFECT_ASYNC_LD || is_mbarrier_wait(lint, i))
            s->uses[s->use_count++] = i;
    }
}

static void find_release_waits(struct search *s)
{
    const struct handovers *all = s->lint->handovers;
    const struct handover_list *waits = handover_waits(s->lint, (uint32_t)(s->release - all->at));
    s->wait_count = 0;
    for (uint32_t i = 0; i < waits->count; i++)
        if (handover_meets(s->lint, s->release, &all->at[waits->at[i]]))
            s->waits[s->wait_count++] = &all->at[waits->at[i]];
    s->sure = s->wait_count;
    for (uint32_t i = 0; i < waits->count; i++) {
        const struct handover *wait = &all->at[waits->at[i]];
        if (!handover_meets(s->lint, s->release, wait) &&
            handover_likely_meets(s->lint, s->release, wait))
            s->waits[s->wait_count++] = wait;
    }
}

/* Both are in the same block without guards, so the same threads execute them. */
static bool is_run_by_same_threads(const struct lint *lint, uint32_t a, uint32_t b)
{
    return lint->cfg->block_of[a] == lint->cfg->block_of[b] &&
           lint->function->instrs[a].guard == REG_NONE &&
           lint->function->instrs[b].guard == REG_NONE;
}

/* Computed once for each set of conditions and release. */
static enum others others_under(struct search *s, uint32_t use)
{
    uint32_t set = condition_pairs_number(s->lint->subject, use);
    for (uint32_t i = 0; i < s->left.count; i++)
        if (s->left.at[i].set == set) return s->left.at[i].others;
    enum others others = others_of(s, use);
    if (others != OTHERS_NONE && arrive_themselves(s, use)) others = OTHERS_NONE;
    vec_push(&s->left, ((struct left){set, others}));
    return others;
}

static enum others others_at(struct search *s, uint32_t use)
{
    if (!handover_reaches(s->lint, use, s->release->instr)) return OTHERS_NONE;
    return others_under(s, use);
}

static void check_release(struct search *s)
{
    for (uint32_t i = 0; i < s->use_count; i++) {
        struct walk_path path;
        uint32_t use = s->uses[i];
        bool known = i && is_run_by_same_threads(s->lint, s->uses[i - 1], use);
        if (!known) s->others = others_at(s, use);
        if (s->others == OTHERS_NONE || !is_let_go(s, use) ||
            !is_unmet_before_release(s, use, &path))
            continue;
        released_for_others_report(s, use, &path);
        return;
    }
}

static void find_arrivals(struct search *s)
{
    const struct handovers *all = s->lint->handovers;
    for (uint32_t i = 0; i < all->count; i++) {
        const struct handover *h = &all->at[i];
        if (h->channel == CHANNEL_MBARRIER && h->signals && h->use->kind != BARRIER_COPY)
            vec_push(&s->arrivals, i);
    }
}

static bool is_own_release(const struct handover *h)
{
    return h->use->kind != BARRIER_ASYNC_ARRIVE && !h->use->remote;
}

static void released_for_others_find(struct lint *lint)
{
    const struct handovers *all = lint->handovers;
    struct search s = {.lint = lint, .shape = lint->handovers->shape};
    if (!lint->function->is_entry || !s.shape.row) return;
    released_flag_find(lint, &lint_released_for_others);
    find_arrivals(&s);
    if (!s.arrivals.count) return;
    s.places = smem_places_find(lint);
    s.waits = arena_alloc(lint->arena, all->count, sizeof *s.waits);
    find_uses(&s);
    for (uint32_t i = 0; i < s.arrivals.count; i++) {
        s.release = &all->at[s.arrivals.at[i]];
        if (!is_own_release(s.release)) continue;
        s.set = conditions_of(lint->subject, s.release->instr);
        s.left.count = 0;
        s.fellows_known = false;
        find_release_waits(&s);
        if (s.wait_count) check_release(&s);
    }
    vec_free(&s.left);
    vec_free(&s.threads);
    vec_free(&s.room);
    vec_free(&s.arrivals);
    vec_free(&s.fellows);
    otherwise_forget(&s.known);
}

const struct lint_code lint_released_for_others = {
    .id = "released-for-others",
    .section = "9.7.16.6.4.4",
    .summary = "one thread arrives for others that may still read or store, or still wait for the "
               "previous phase",
    .sentence = "the producer threads that issue the asynchronous `tcgen05` "
                "instructions must explicitly wait for the instructions’ completion before "
                "synchronizing with the consumer threads.",
    .risk = "the stage is refilled while other threads read it, or these wait for a phase that is "
            "over already",
    .explanation =
        "Broken:  ld.shared [stage]; @lane0 mbarrier.arrive [empty]\n"
        "Right:   ld.shared [stage]; bar.warp.sync -1; @lane0 mbarrier.arrive [empty]\n"
        "Broken:  mbarrier.try_wait [full]; tcgen05.ld; tcgen05.wait::ld; @thread0 "
        "mbarrier.arrive [empty]\n"
        "Right:   mbarrier.try_wait [full]; tcgen05.ld; tcgen05.wait::ld; bar.sync 1, 128; "
        "@thread0 mbarrier.arrive [empty]\n"
        "\n"
        "An arrive shows only how far the arriving thread has come. It covers other threads only "
        "if these have synchronised with it after their last read and their last wait: lanes of "
        "a warp by bar.warp.sync or another instruction with .sync, warps by a barrier that all "
        "of them reach.\n"
        "Lint reports an arrive, arrive.expect_tx or commit of one thread, or of one lane of "
        "each warp, if a path to it has a load, a store to shared memory or a wait that other "
        "threads execute too, with no such synchronisation after it, and if a thread that waits "
        "for the mbarrier of the arrive then overwrites the loaded data, accesses what is stored, "
        "or completes the next phase of the mbarrier for which the other threads may still wait. "
        "Also a flag or counter in global memory that one thread sets, if other warps store, "
        "with no barrier in between, what a thread that waits for the flag reads.\n"
        "Not reported: threads that arrive for themselves; addresses that lint cannot compute, "
        "and threads that it cannot tell apart; a write that also waits for a signal of the "
        "others; lanes of one warp that only wait; mbarriers of another CTA; kernels without "
        ".reqntid.",
    .find = released_for_others_find,
};
