/* The part of arrival-count that compares the threads at a barrier of the CTA with its count. */
#include "base/intern.h"
#include "base/vec.h"
#include "lint/arrivals.h"
#include "value/conditions.h"
#include "value/instruction.h"
#include "value/values.h"

struct site {
    uint32_t instr;
    int64_t id, count; /* -1: not known */
    bool waits, all;   /* all: the instruction has no count operand */
    uint32_t most;     /* upper bound of the threads that reach it, a multiple of WARP */
    uint32_t least;
};

struct sites VEC(struct site);

static bool read_constant(const struct lint *lint, uint32_t instr, uint32_t n, int64_t *number)
{
    struct value v = value_of_operand(lint->subject, instr, n);
    bool constant = value_is_constant(v);
    *number = constant ? v.offset : -1;
    return constant;
}

static struct site read_site(struct arrivals *a, uint32_t i)
{
    const struct lint *lint = a->lint;
    uint32_t operands = lint->function->instrs[i].operand_count;
    uint32_t id = instruction_has(lint->subject, i, ".red"), last = operands - id;
    struct site site = {.instr = i, .waits = !instruction_has(lint->subject, i, ".arrive")};
    struct lanes_number n = arrivals_number(a, i);
    (void)read_constant(lint, i, id, &site.id);
    site.all = last < id + 2;
    site.count = a->shape.row ? (int64_t)a->shape.warps * WARP : -1;
    if (!site.all) (void)read_constant(lint, i, id + 1, &site.count);
    site.most = n.warps * WARP;
    site.least = n.least ? site.most : 0;
    return site;
}

/* *known is false if the barrier or the count of some site is unknown: it may belong to any
 * barrier. */
static struct sites arrivals_find_sites(struct arrivals *a, bool *known)
{
    struct sites sites = {0};
    const struct lint *lint = a->lint;
    *known = true;
    for (uint32_t n = 0; n < lint->subject->acting_count; n++) {
        uint32_t i = lint->subject->acting[n];
        if (!instruction_joins_warps(lint->subject, i)) continue;
        if (instruction_has(lint->subject, i, ".cluster")) continue;
        if (!conditions_reach(lint->subject, lint->cfg->block_of[i])) continue;
        struct site site = read_site(a, i);
        *known &= site.id >= 0 && site.count >= 0;
        vec_push(&sites, site);
    }
    return sites;
}

static const struct lint_words words = {
    "9.7.13.1", "Operand b specifies the number of threads participating in the barrier."};

enum barrier_fault { BARRIER_MORE, BARRIER_FEWER, BARRIER_NOT_WAITED };

static void report_barrier_site(struct arrivals *a, const struct site *site,
                                const struct site *other, enum barrier_fault fault)
{
    static const char fix[] = "write the same count at each arrive and each sync of the barrier: "
                              "the number of threads that reach it";
    static const char more[] = "more threads reach this barrier than it counts[: it releases some "
                               "of them before the others arrive]",
                      fewer[] = "fewer threads can reach this barrier than it counts: it waits "
                                "forever",
                      fewer_than_other[] = "this barrier has another count than %s[: fewer threads "
                                           "reach the barriers with this count]",
                      not_waited[] = "this barrier has another count than %s[: no thread waits "
                                     "with this count]";
    const char *says = fault == BARRIER_MORE         ? more
                       : fault == BARRIER_NOT_WAITED ? not_waited
                       : other                       ? fewer_than_other
                                                     : fewer;
    lint_report(a->lint,
                (struct hazard){a->code, LINT_WARNING, site->instr, other ? other->instr : NO_INSTR,
                                says, fix, NULL, 0, &words});
}

/* Of some sites: the first one, and the first with another count than that one; NULL: none. */
struct first_sites {
    const struct site *at[2];
};

/* The sites of one barrier. */
struct barrier_sites {
    struct first_sites all, waiting;
};

/* The sites of one barrier with one count. */
struct meeting {
    uint64_t most; /* upper bound of the threads that reach them */
    bool waited;   /* one of them waits */
};

struct meetings {
    struct barrier_sites *barriers;
    struct meeting *at;
    uint32_t *barrier_of, *of; /* by site: index in barriers, and in at */
};

static void note_first(struct first_sites *first, const struct site *site)
{
    if (!first->at[0])
        first->at[0] = site;
    else if (!first->at[1] && site->count != first->at[0]->count)
        first->at[1] = site;
}

static const struct site *first_with_other_count(const struct first_sites *first, int64_t count)
{
    return first->at[0] && first->at[0]->count != count ? first->at[0] : first->at[1];
}

/* Groups the sites by barrier, and by barrier and count. */
static struct meetings group_sites(const struct arrivals *a, const struct sites *sites)
{
    struct arena *arena = a->lint->arena;
    uint32_t count = sites->count;
    struct intern barriers = {0}, counts = {0};
    struct meetings meetings = {arena_alloc(arena, count, sizeof *meetings.barriers),
                                arena_alloc(arena, count, sizeof *meetings.at),
                                arena_room(arena, count, sizeof *meetings.barrier_of),
                                arena_room(arena, count, sizeof *meetings.of)};
    lint_spend(a->lint, count);
    for (uint32_t i = 0; i < count; i++) {
        const struct site *site = &sites->at[i];
        struct str id = {(const char *)&site->id, sizeof site->id},
                   number = {(const char *)&site->count, sizeof site->count};
        uint32_t barrier = intern_add(&barriers, 0, id);
        uint32_t meeting = intern_add(&counts, barrier, number);
        meetings.barrier_of[i] = barrier;
        meetings.of[i] = meeting;
        meetings.at[meeting].most += site->most;
        meetings.at[meeting].waited |= site->waits;
        note_first(&meetings.barriers[barrier].all, site);
        if (site->waits) note_first(&meetings.barriers[barrier].waiting, site);
    }
    intern_free(&barriers);
    intern_free(&counts);
    return meetings;
}

/* Reports a site if fewer threads than its count can reach all sites with the same barrier and
 * count, or if it is an arrive and no thread waits with that count. */
static void check_site(struct arrivals *a, const struct site *site,
                       const struct barrier_sites *barrier, const struct meeting *meeting)
{
    const struct site *other = first_with_other_count(&barrier->waiting, site->count);
    if (!other) other = first_with_other_count(&barrier->all, site->count);
    if ((int64_t)meeting->most < site->count)
        report_barrier_site(a, site, other, BARRIER_FEWER);
    else if (!meeting->waited && other && other->waits)
        report_barrier_site(a, site, other, BARRIER_NOT_WAITED);
}

void arrivals_check_barriers(struct arrivals *a)
{
    bool known;
    struct sites sites = arrivals_find_sites(a, &known);
    struct meetings meetings = group_sites(a, &sites);
    for (uint32_t i = 0; i < sites.count; i++) {
        const struct site *site = &sites.at[i];
        if (site->all || site->id < 0 || site->count <= 0 || !site->most) continue;
        if (known)
            check_site(a, site, &meetings.barriers[meetings.barrier_of[i]],
                       &meetings.at[meetings.of[i]]);
        if (site->least > site->count && arrivals_in_step(a, site->instr, true))
            report_barrier_site(a, site, NULL, BARRIER_MORE);
    }
    vec_free(&sites);
}
