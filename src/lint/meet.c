/* Finds where a thread may learn what other threads did. Each time all threads of a CTA (or
 * cluster) meet, that is one event for all of them. So a thread that has met the others no more
 * often than a warp had before an operation has not learned of that operation by meeting. */
#include "lint/meet.h"

#include "lint/handover.h"
#include "lint/path_condition.h"
#include "value/instruction.h"

enum { COUNT_MAX = 7, NAMED_MAX = 8 };

/* The state of a path: how often the thread has met its CTA and its cluster, and whether it may
 * know of the operation. */
enum { CLUSTER_SHIFT = 3, KNOWS = 1 << 6 };

static bool is_any(struct str base, const char *const *names)
{
    for (; base.n && *names; names++)
        if (base.p[0] == **names && str_is(base, *names)) return true;
    return false;
}

/* bar.sync 0 joins all threads; with a count it may join only some. */
static enum meet_kind kind_of_bar(const struct lint *lint, uint32_t instr)
{
    int64_t id;
    if (instruction_has(lint->subject, instr, ".warp")) return MEET_NOBODY;
    if (instruction_has(lint->subject, instr, ".red")) return MEET_ANYBODY;
    if (!instruction_integer(instruction_operand(lint->subject, instr, 0), &id))
        return MEET_ANYBODY;
    bool all = lint->function->instrs[instr].operand_count == 1;
    return all && id == 0 ? MEET_CTA : MEET_NAMED;
}

enum meet_kind meet_kind_of(const struct lint *lint, uint32_t instr)
{
    static const char *const silent[] = {"fence",
                                         "membar",
                                         "shfl",
                                         "vote",
                                         "match",
                                         "redux",
                                         "elect",
                                         "activemask",
                                         "nanosleep",
                                         "setmaxnreg",
                                         "griddepcontrol",
                                         "cp",
                                         "pmevent",
                                         "mov",
                                         "clusterlaunchcontrol",
                                         NULL};
    const struct subject *subject = lint->subject;
    switch (lint_effect(lint, instr)) {
    case EFFECT_ACQUIRE_BARRIER:
        return instruction_is_barrier(subject, instr) ? MEET_CLUSTER : MEET_ANYBODY;
    case EFFECT_BOTH_BARRIER:
        return instruction_is_barrier(subject, instr) ? kind_of_bar(lint, instr) : MEET_NOBODY;
    case EFFECT_ACQUIRE_MEMORY:
    case EFFECT_BOTH_MEMORY:
        return is_any(instruction_base(subject, instr), silent) ? MEET_NOBODY : MEET_ANYBODY;
    case EFFECT_CALL: return MEET_ANYBODY;
    default: return MEET_NOBODY;
    }
}

/* ---- the query ---- */

struct asked {
    uint32_t done, at;
    unsigned cta, cluster;     /* how often, at least, the warp has met the others before done */
    uint32_t named[NAMED_MAX]; /* barriers passed without learning */
    uint32_t named_count;
    uint32_t ends[NAMED_MAX]; /* barriers where a thread may learn of the operation */
    uint32_t end_count;
    uint32_t barrier; /* the barrier that is examined */
    struct meet_told *told;
};

static unsigned cta_of(unsigned state)
{
    return state & COUNT_MAX;
}

static unsigned cluster_of(unsigned state)
{
    return state >> CLUSTER_SHIFT & COUNT_MAX;
}

/* Counts a meeting in the state. False if the meeting is after done for the threads that take part
 * in it. */
static bool count_meeting(const struct asked *asked, enum meet_kind kind, unsigned *state)
{
    bool cta = kind == MEET_CTA;
    unsigned before = cta ? cta_of(*state) : cluster_of(*state);
    if (before >= (cta ? asked->cta : asked->cluster)) return false;
    *state += cta ? 1 : 1 << CLUSTER_SHIFT;
    return true;
}

/* ---- the warp that executes done ---- */

/* At barrier.cluster the arrive counts, not the wait: if the arrive is before done, the wait may be
 * after it. */
static enum walk_does look_before(void *context, const struct lint *lint, uint32_t instr,
                                  unsigned *state)
{
    struct asked *asked = context;
    if (instr == asked->done) {
        if (cta_of(*state) < asked->cta) asked->cta = cta_of(*state);
        if (cluster_of(*state) < asked->cluster) asked->cluster = cluster_of(*state);
        return WALK_END;
    }
    if (cta_of(*state) >= asked->cta && cluster_of(*state) >= asked->cluster) return WALK_END;
    if (meet_kind_of(lint, instr) == MEET_CTA && cta_of(*state) < COUNT_MAX) *state += 1;
    bool arrives = lint_effect(lint, instr) == EFFECT_RELEASE_BARRIER &&
                   str_starts(instruction_opcode(lint->subject, instr), "barrier.cluster.arrive");
    if (arrives && cluster_of(*state) < COUNT_MAX) *state += 1 << CLUSTER_SHIFT;
    return WALK_ON;
}

static void count_before(const struct lint *lint, struct asked *asked)
{
    struct walk_path path;
    struct condition_set set = *conditions_at(lint->subject, lint->cfg->block_of[asked->done]);
    uint32_t interest = 1u << EFFECT_BOTH_BARRIER | 1u << EFFECT_RELEASE_BARRIER;
    asked->cta = asked->cluster = COUNT_MAX;
    (void)walk_towards(lint, &set, asked->done, interest, look_before, asked, &path);
    if (path.gave_up) asked->cta = asked->cluster = 0;
}

static void count_before_once(const struct lint *lint, struct asked *asked)
{
    struct meet_told *told = asked->told;
    if (!told->counted) {
        count_before(lint, asked);
        told->counted = true;
        told->cta = asked->cta;
        told->cluster = asked->cluster;
    }
    asked->cta = told->cta;
    asked->cluster = told->cluster;
}

/* ---- barriers that may pass the knowledge on ---- */

static bool is_same_barrier(const struct lint *lint, uint32_t a, uint32_t b)
{
    struct value x = value_of_operand(lint->subject, a, 0),
                 y = value_of_operand(lint->subject, b, 0);
    bool known = !value_is_none(x) && !value_is_none(y) && !x.base && !y.base;
    return !known || x.offset == y.offset;
}

static bool is_named_barrier(const struct lint *lint, uint32_t instr)
{
    bool barrier = instruction_is_barrier(lint->subject, instr);
    bool arrive = lint_effect(lint, instr) == EFFECT_RELEASE_BARRIER;
    if (!barrier || instruction_has(lint->subject, instr, ".cluster")) return false;
    return arrive || meet_kind_of(lint, instr) == MEET_NAMED;
}

/* Finds whether a thread that may know of the operation reaches asked->barrier. */
static enum walk_does look_teller(void *context, const struct lint *lint, uint32_t instr,
                                  unsigned *state)
{
    struct asked *asked = context;
    enum meet_kind kind = meet_kind_of(lint, instr);
    if (is_named_barrier(lint, instr)) {
        bool same = is_same_barrier(lint, instr, asked->barrier);
        if (same && *state & KNOWS) return WALK_FOUND;
        if (!same) *state = KNOWS;
    }
    if (instr == asked->done || kind == MEET_ANYBODY) *state = KNOWS;
    bool counted = kind == MEET_CTA || kind == MEET_CLUSTER;
    if (counted && !(*state & KNOWS) && !count_meeting(asked, kind, state)) *state = KNOWS;
    return WALK_ON;
}

static struct condition_set of_block_only(const struct lint *lint, const struct condition_set *set)
{
    struct condition_set kept = {0};
    for (uint32_t i = 0; i < set->count; i++) {
        const struct expr *e = value_expr(lint->subject, (struct value){set->at[i].base, 0});
        if (e->of_block && e->fixed) kept.at[kept.count++] = set->at[i];
    }
    return kept;
}

/* A thread of the CTAs that satisfy the set may tell of the operation at asked->barrier. */
static bool tells_at_barrier(const struct lint *lint, struct asked *asked,
                             const struct condition_set *block)
{
    uint32_t interest =
        MEET_EFFECTS | 1u << EFFECT_RELEASE_BARRIER | 1u << lint_effect(lint, asked->done);
    uint32_t set = path_condition_of(lint, block).set;
    struct meet_told *known = asked->told;
    struct walk_path path;
    for (uint32_t i = 0; i < known->count; i++)
        if (known->at[i].barrier == asked->barrier && known->at[i].set == set)
            return known->at[i].told;
    bool told = walk_under(lint, block, 0, interest, look_teller, asked, &path) || path.gave_up;
    uint32_t at = known->count < MEET_TOLD_MAX ? known->count++ : MEET_TOLD_MAX - 1;
    known->at[at].barrier = asked->barrier;
    known->at[at].set = set;
    known->at[at].told = told;
    return told;
}

/* Adds to ends the passed barriers at which a thread may learn of the operation. True if there is
 * none. */
static bool nobody_told(const struct lint *lint, struct asked *asked,
                        const struct condition_set *set)
{
    struct condition_set block = of_block_only(lint, set);
    bool nobody = true;
    for (uint32_t i = 0; i < asked->named_count; i++) {
        asked->barrier = asked->named[i];
        if (!tells_at_barrier(lint, asked, &block)) continue;
        if (asked->end_count < NAMED_MAX) asked->ends[asked->end_count++] = asked->barrier;
        nobody = false;
    }
    return nobody;
}

/* ---- threads that do not know of it ---- */

static bool list_has_instr(const uint32_t *list, uint32_t count, uint32_t instr)
{
    for (uint32_t i = 0; i < count; i++)
        if (list[i] == instr) return true;
    return false;
}

static enum walk_does look_unaware(void *context, const struct lint *lint, uint32_t instr,
                                   unsigned *state)
{
    struct asked *asked = context;
    if (instr == asked->at) return WALK_FOUND;
    switch (meet_kind_of(lint, instr)) {
    case MEET_NOBODY: return WALK_ON;
    case MEET_ANYBODY: return WALK_END;
    case MEET_NAMED:
        if (list_has_instr(asked->ends, asked->end_count, instr)) return WALK_END;
        if (list_has_instr(asked->named, asked->named_count, instr)) return WALK_ON;
        if (asked->named_count == NAMED_MAX) return WALK_END;
        asked->named[asked->named_count++] = instr;
        return WALK_ON;
    default: return count_meeting(asked, meet_kind_of(lint, instr), state) ? WALK_ON : WALK_END;
    }
}

/* A thread for which set holds can go from the entry to asked->at without learning of the
 * operation. */
static bool is_unaware(const struct lint *lint, struct asked *asked,
                       const struct condition_set *set, struct walk_path *path)
{
    for (int round = 0; round < NAMED_MAX; round++) {
        asked->named_count = 0;
        if (!walk_towards(lint, set, asked->at, MEET_EFFECTS, look_unaware, asked, path))
            return false;
        if (nobody_told(lint, asked, &path->set)) return true;
    }
    return false;
}

/* Threads of the CTA may be without `done` because of this condition, which is known for each. */
static bool is_of_warps(const struct lint *lint, struct value c)
{
    return !value_expr(lint->subject, c)->of_block && lanes_know(lint->subject, c);
}

/* No barrier of that number is passed before `done` or before the one that is at h, and `done`
 * leads to some: so threads behind that one have met the doer after `done`. */
static bool is_first_behind(const struct lint *lint, const struct handover *h, uint32_t done)
{
    const struct handovers *all = lint->handovers;
    bool behind = false;
    if (handover_reaches(lint, h->instr, done)) return false;
    lint_spend(lint, all->count / 8);
    for (const struct handover *z = all->at; z < all->at + all->count; z++) {
        bool another = value_is_constant(z->address) && z->address.offset != h->address.offset;
        if (z->channel != CHANNEL_CTA || another) continue;
        behind |= handover_reaches(lint, done, z->instr);
        if (z != h &&
            (handover_reaches(lint, z->instr, h->instr) || handover_reaches(lint, z->instr, done)))
            return false;
    }
    return behind;
}

static void list_first_barriers(const struct lint *lint, struct meet_told *told, uint32_t done)
{
    const struct handovers *all = lint->handovers;
    told->listed = true;
    for (uint32_t i = 0, tries = 0; i < all->count && tries < MEET_FIRSTS_MAX; i++) {
        const struct handover *h = &all->at[i];
        bool joins = h->channel == CHANNEL_CTA && h->signals && h->waits &&
                     lint->function->instrs[h->instr].guard == REG_NONE;
        if (!joins || !value_is_constant(h->address)) continue;
        tries++;
        if (is_first_behind(lint, h, done)) told->firsts[told->first_count++] = h->instr;
    }
}

/* Mostly the first barrier of some number is between `done` and all that comes to `at`. */
static bool first_barrier_tells(const struct lint *lint, struct meet_told *told, uint32_t done,
                                uint32_t at)
{
    const uint32_t *block_of = lint->cfg->block_of;
    if (!told->listed) list_first_barriers(lint, told, done);
    for (uint32_t i = 0; i < told->first_count; i++) {
        uint32_t first = told->firsts[i];
        bool ahead = first < at || block_of[first] != block_of[at];
        if (ahead && subject_always_enters(lint->subject, block_of[first], block_of[at]))
            return true;
    }
    return false;
}

bool meet_missing(const struct lint *lint, const struct lanes_shape *shape, struct meet_told *told,
                  uint32_t done, uint32_t at, struct walk_path *path)
{
    if (told->all_know || first_barrier_tells(lint, told, done, at)) return false;
    struct condition_set doer = conditions_of(lint->subject, done);
    struct condition_set block = of_block_only(lint, &doer);
    struct asked asked = {.done = done, .at = at, .told = told};
    told->all_know = true;
    for (uint32_t i = 0; i < doer.count; i++) {
        struct value c = {doer.at[i].base, 0};
        if (!is_of_warps(lint, c)) continue;
        told->all_know = false;
        struct condition_set other = block;
        asked.end_count = 0;
        if (!condition_add(lint->subject, &other, c, !doer.at[i].holds)) continue;
        count_before_once(lint, &asked);
        if (is_unaware(lint, &asked, &other, path) && !path->vague &&
            lanes_other_warp(lint->subject, shape, &path->set, &doer))
            return true;
    }
    return false;
}

static enum walk_does look_cluster(void *context, const struct lint *lint, uint32_t instr,
                                   unsigned *state)
{
    const struct asked *asked = context;
    if (instr == asked->at) return WALK_FOUND;
    if (meet_kind_of(lint, instr) != MEET_CLUSTER) return WALK_ON;
    return count_meeting(asked, MEET_CLUSTER, state) ? WALK_ON : WALK_END;
}

bool meet_cluster_missing(const struct lint *lint, uint32_t done, uint32_t at,
                          struct walk_path *path)
{
    struct asked asked = {.done = done, .at = at};
    struct condition_set all = {0};
    uint32_t interest = 1u << EFFECT_ACQUIRE_BARRIER;
    count_before(lint, &asked);
    return asked.cluster < COUNT_MAX &&
           walk_towards(lint, &all, at, interest, look_cluster, &asked, path) && !path->vague;
}
