/* The part of arrival-count that compares the bytes that an mbarrier expects in a phase with the
 * bytes that the copies write. */
#include "base/vec.h"
#include "lint/arrivals.h"
#include "lint/bulk_slot.h"
#include "lint/mbarriers.h"
#include "lint/walk.h"
#include "value/barriers.h"
#include "value/conditions.h"
#include "value/instruction.h"
#include "value/values.h"

enum { SUMS_MAX = 64, CANCEL_BYTES = 16 };

struct round {
    struct arrivals *arrivals;
    const struct barrier_use *armed;
    struct condition_set set; /* conditions of the threads that execute the expect_tx */
    int64_t arming;           /* number of these threads; 0: not known */
    int64_t sums[SUMS_MAX]; /* byte sums found on paths; the state of a walk is an index into it */
    uint32_t sum_count;
    bool ends[SUMS_MAX]; /* by index of sums: some phase ends with this sum */
    uint32_t *seen;      /* by use of an mbarrier: `number` if a path reaches this copy */
    uint32_t number;     /* of the round, from 1 on */
    bool unknown;
};

/* ---- how many bytes ---- */

int64_t arrivals_expected(const struct lint *lint, uint32_t instr)
{
    uint32_t n = instruction_first_address(lint->subject, instr),
             count = lint->function->instrs[instr].operand_count;
    struct value v = n + 1 < count ? value_of_operand(lint->subject, instr, n + 1) : VALUE_NONE;
    return value_is_constant(v) ? v.offset : -1;
}

/* In bytes; -1: not known, for example for a tensor copy. */
static int64_t copy_size(const struct lint *lint, const struct barrier_use *copy)
{
    if (str_starts(instruction_opcode(lint->subject, copy->instr), "clusterlaunchcontrol."))
        return CANCEL_BYTES;
    return bulk_bytes(lint, copy->instr);
}

static int64_t threads_at(const struct round *r, uint32_t instr)
{
    struct lanes_number n = arrivals_number(r->arrivals, instr);
    bool exact = n.least == n.most && arrivals_in_step(r->arrivals, instr, true);
    return exact ? n.most : 0;
}

/* Bytes that all threads at the copy write, for each thread that executes the expect_tx. Sets
 * r->unknown when this is not known. */
static int64_t weight_of(struct round *r, const struct barrier_use *copy)
{
    struct condition_set set = conditions_of(r->arrivals->lint->subject, copy->instr);
    int64_t size = copy_size(r->arrivals->lint, copy);
    if (!set.lost && conditions_same(&set, &r->set)) return size;
    int64_t bringing = r->arming == 1 ? threads_at(r, copy->instr) : 0;
    r->unknown |= !bringing;
    return size * bringing;
}

/* ---- the round ---- */

static bool is_arming(const struct lint *lint, const struct barrier_use *use)
{
    if (use->kind == BARRIER_ARRIVE_EXPECT) return true;
    return use->kind == BARRIER_EXPECT && instruction_has(lint->subject, use->instr, ".expect_tx");
}

static unsigned place_of_sum(struct round *r, int64_t sum)
{
    for (uint32_t i = 0; i < r->sum_count; i++)
        if (r->sums[i] == sum) return i;
    if (r->sum_count == SUMS_MAX) {
        r->unknown = true;
        return 0;
    }
    r->sums[r->sum_count] = sum;
    return r->sum_count++;
}

static enum walk_does look_for_round_end(void *context, const struct lint *lint, uint32_t instr,
                                         unsigned *state)
{
    struct round *r = context;
    const struct barrier_use *use = barriers_at(lint->subject, instr);
    bool leaves = lint_effect(lint, instr) == EFFECT_EXIT;
    if (r->unknown) return WALK_END;
    if (!leaves && (!use || !barriers_may_be_same(use, r->armed))) return WALK_ON;
    if (leaves || use->kind == BARRIER_WAIT || is_arming(lint, use)) {
        r->ends[*state] = true;
        return WALK_END;
    }
    if (use->kind != BARRIER_COPY) return WALK_ON;
    r->seen[use - lint->subject->barriers->uses] = r->number;
    *state = place_of_sum(r, r->sums[*state] + weight_of(r, use));
    return WALK_ON;
}

/* The next use after index `before` that may signal the mbarrier of armed and is not an arrival of
 * a thread. */
static uint32_t next_bringing(const struct lint *lint, const struct barrier_use *armed,
                              uint32_t before)
{
    const struct barriers *all = lint->subject->barriers;
    do before = barriers_next_alike(lint->subject, armed, before);
    while (before < all->count && all->uses[before].kind != BARRIER_COPY &&
           all->uses[before].kind != BARRIER_ASYNC_ARRIVE);
    return before;
}

/* What may signal an mbarrier besides the arrivals of threads. */
struct bringing {
    bool asked;
    bool known; /* these are copies of known size, and all to one address in this CTA */
    struct value address;
    uint32_t copy; /* the first of them, or NO_INSTR */
};

static struct bringing find_bringing(const struct lint *lint, const struct barrier_use *armed)
{
    const struct barriers *all = lint->subject->barriers;
    struct bringing found = {true, true, VALUE_NONE, NO_INSTR};
    for (uint32_t i = UINT32_MAX;
         (i = next_bringing(lint, armed, i)) < all->count && found.known;) {
        const struct barrier_use *use = &all->uses[i];
        if (found.copy == NO_INSTR) found.copy = use->instr, found.address = use->address;
        found.known = use->kind == BARRIER_COPY && !use->remote && copy_size(lint, use) >= 0 &&
                      value_same(use->address, found.address);
    }
    return found;
}

/* Each copy that may signal the mbarrier is on a path that was walked. */
static bool has_seen_all(const struct round *r)
{
    const struct lint *lint = r->arrivals->lint;
    for (uint32_t i = UINT32_MAX;
         (i = next_bringing(lint, r->armed, i)) < lint->subject->barriers->count;)
        if (r->seen[i] != r->number) return false;
    return true;
}

static bool bytes_fit(const struct round *r, int64_t bytes)
{
    for (uint32_t i = 0; i < r->sum_count; i++)
        if (r->ends[i] && r->sums[i] == bytes) return true;
    return false;
}

/* copy: the first that signals the mbarrier. */
static void check_arming(struct round *r, int64_t bytes, uint32_t copy)
{
    struct lint *lint = r->arrivals->lint;
    struct walk_path path;
    uint32_t plain = 1u << EFFECT_REGISTER | 1u << EFFECT_MEMORY;
    r->sum_count = 1;
    r->set = conditions_of(lint->subject, r->armed->instr);
    r->arming = threads_at(r, r->armed->instr);
    (void)walk_forward(lint, r->armed->instr, 0, ~plain, look_for_round_end, r, &path);
    if (r->unknown || path.gave_up || !has_seen_all(r) || bytes_fit(r, bytes)) return;
    lint_report(lint, (struct hazard){r->arrivals->code, LINT_WARNING, r->armed->instr, copy,
                                      "this expects another number of bytes than %s and the other "
                                      "copies write[: the phase never ends, or ends too early]",
                                      "expect the sum of the bytes that all copies to the mbarrier "
                                      "write in one phase",
                                      NULL, 0, NULL});
}

void arrivals_check_bytes(struct arrivals *arrivals)
{
    const struct lint *lint = arrivals->lint;
    const struct barriers *all = lint->subject->barriers;
    struct bringing *of = arena_alloc(lint->arena, mbarriers_kinds(lint), sizeof *of);
    uint32_t *seen = arena_alloc(lint->arena, all->count, sizeof *seen);
    for (uint32_t i = 0; i < all->count; i++) {
        const struct barrier_use *use = &all->uses[i];
        if (!is_arming(lint, use) || use->remote || value_is_none(use->object)) continue;
        int64_t bytes = arrivals_expected(lint, use->instr);
        struct round round = {.arrivals = arrivals, .armed = use, .seen = seen, .number = i + 1};
        if (bytes < 0) continue;
        struct bringing *bringing = &of[mbarriers_kind(lint, use)];
        if (!bringing->asked) *bringing = find_bringing(lint, use);
        if (bringing->known && bringing->copy != NO_INSTR &&
            value_same(bringing->address, use->address))
            check_arming(&round, bytes, bringing->copy);
    }
}
