/* The code arrival-count: fewer or more threads arrive in a phase than mbarrier.init counts, or one
 * thread arrives twice in one phase. The parts for bytes are in arrival_bytes.c and
 * arrival_tensor.c, those for barriers of the CTA and for clusters in arrival_barriers.c and
 * arrival_cluster.c. */
#include "lint/arrivals.h"
#include "lint/handover.h"
#include "lint/mbarriers.h"
#include "lint/meet.h"
#include "lint/round_loop.h"
#include "lint/walk.h"
#include "value/condition_pairs.h"
#include "value/conditions.h"
#include "value/instruction.h"
#include "value/values.h"

/* ---- too few ---- */

struct total {
    int64_t most;
    uint32_t arrival, bytes; /* first arrival, and first copy or expect_tx; NO_INSTR: none */
    bool waits;              /* some wait is for it, by an address from the same base */
    bool unknown;
};

static void total_add_use(struct arrivals *a, struct total *total, const struct barrier_use *use)
{
    int64_t count = arrivals_of_thread(a->lint, use);
    bool brings = use->kind == BARRIER_EXPECT || use->kind == BARRIER_COPY;
    if (count == 0 && (brings || use->kind == BARRIER_ASYNC_ARRIVE) && total->bytes == NO_INSTR)
        total->bytes = use->instr;
    if (use->kind == BARRIER_INVAL || use->kind == BARRIER_WAIT || count == 0) return;
    total->unknown |= count < 0 || arrivals_repeat(a, use->instr);
    if (total->unknown) return;
    total->most += count * arrivals_number(a, use->instr).most;
    if (total->arrival == NO_INSTR) total->arrival = use->instr;
}

/* The use may be at the mbarrier that init initialises, and most likely is not of an array in front
 * of it. Found once for each kind of mbarrier. */
static bool is_of_init(struct arrivals *a, const struct barrier_use *init,
                       const struct barrier_use *use)
{
    const struct lint *lint = a->lint;
    const uint32_t asked = (uint32_t)(init - lint->subject->barriers->uses + 1) * 2;
    if (!a->of_init)
        a->of_init = arena_alloc(lint->arena, mbarriers_kinds(lint), sizeof *a->of_init);
    uint32_t *known = &a->of_init[mbarriers_kind(lint, use)];
    if ((*known & ~1u) != asked)
        *known = asked |
                 (arrivals_may_be_at(lint, init, use) && !arrivals_behind_array(lint, init, use));
    return *known & 1;
}

/* Ends when the arrivals are enough, or not known: then nothing is reported. */
static struct total count_arrivals(struct arrivals *a, const struct barrier_use *init,
                                   int64_t count)
{
    const struct barriers *all = a->lint->subject->barriers;
    struct total total = {.arrival = NO_INSTR, .bytes = NO_INSTR};
    for (uint32_t i = UINT32_MAX;
         !total.unknown && total.most < count &&
         (i = barriers_next_alike(a->lint->subject, init, i)) < all->count;) {
        const struct barrier_use *use = &all->uses[i];
        if (use == init || !is_of_init(a, init, use)) continue;
        if (!conditions_reach(a->lint->subject, a->lint->cfg->block_of[use->instr])) continue;
        total.unknown |= value_is_none(use->object) || use->remote || use->kind == BARRIER_INIT;
        total.waits |= use->kind == BARRIER_WAIT && use->object.base == init->object.base;
        if (!total.unknown) total_add_use(a, &total, use);
    }
    return total;
}

/* Reports an expect_tx at an mbarrier at which no thread arrives. */
static void report_expects_only(struct lint *lint, uint32_t expect, const struct barrier_use *init)
{
    if (lint_has_reported(lint, &lint_arrival_count, expect)) return;
    lint_report(lint, (struct hazard){&lint_arrival_count, LINT_WARNING, expect, init->instr,
                                      "this is not an arrival, and no thread arrives at the "
                                      "mbarrier of %s[: its phase never ends]",
                                      "write mbarrier.arrive.expect_tx, or add an arrive", NULL, 0,
                                      NULL});
}

static void check_arrival_init(struct arrivals *a, const struct barrier_use *init)
{
    int64_t count = mbarriers_counted(a->lint, init);
    if (!count || value_is_none(init->object) || init->remote) return;
    struct total total = count_arrivals(a, init, count);
    uint32_t witness = total.arrival != NO_INSTR ? total.arrival : total.bytes;
    if (total.unknown || !total.waits || witness == NO_INSTR || total.most >= count) return;
    bool none = !total.most;
    if (none && barriers_at(a->lint->subject, witness)->kind == BARRIER_EXPECT) {
        report_expects_only(a->lint, witness, init);
        return;
    }
    const char *says =
        none ? "no thread arrives at this mbarrier (%s is not an arrival)[: its phase never ends]"
             : "fewer threads arrive in a phase, at %s and elsewhere, than this counts[: the phase "
               "never ends]";
    const char *fix = none ? "write mbarrier.arrive.expect_tx, or add an arrive"
                           : "set the count to the arrivals, one for each thread that reaches %s";
    lint_report(a->lint, (struct hazard){&lint_arrival_count, LINT_WARNING, init->instr, witness,
                                         says, fix, NULL, 0, NULL});
}

/* ---- too many ---- */

/* Found once for each kind of mbarrier. NULL: it is not known how many the use counts. */
static const struct arrivals_counted *counted_of(struct arrivals *a, const struct barrier_use *use)
{
    const struct lint *lint = a->lint;
    if (use->remote) return NULL;
    if (!a->counted)
        a->counted = arena_alloc(lint->arena, mbarriers_kinds(lint), sizeof *a->counted);
    struct arrivals_counted *counted = &a->counted[mbarriers_kind(lint, use)];
    if (!counted->known) {
        uint32_t init = NO_INSTR;
        counted->most = arrivals_most_counted(lint, lint->subject->barriers, use, &init);
        counted->least = arrivals_least_counted(lint, use, counted->most, &init);
        counted->init = init;
        counted->known = true;
    }
    return counted->most ? counted : NULL;
}

/* The warps that may wait for the mbarrier, as bits. */
static uint32_t warps_waiting(const struct arrivals *a, const struct barrier_use *use)
{
    const struct barriers *all = a->lint->subject->barriers;
    const struct condition_set *last = NULL;
    uint32_t waiting = 0;
    bool sure;
    for (uint32_t i = UINT32_MAX;
         (i = barriers_next_alike(a->lint->subject, use, i)) < all->count;) {
        if (all->uses[i].kind != BARRIER_WAIT) continue;
        const struct condition_set *set = condition_pairs_set(a->lint->subject, all->uses[i].instr);
        if (set != last) waiting |= lanes_warps(a->lint->subject, &a->shape, set, &sure);
        last = set;
    }
    return waiting;
}

/* At least so many threads arrive, if the text does not say how many warps the CTA has: the threads
 * of warps up to the first one that may wait for the mbarrier. Without a waiting thread, the number
 * of arrivals would not matter. */
static uint32_t least_if_awaited(struct arrivals *a, const struct barrier_use *use)
{
    struct lanes_shape shape = a->shape;
    if (shape.warps || shape.folded) return 0;
    if (!a->awaited)
        a->awaited = arena_alloc(a->lint->arena, mbarriers_kinds(a->lint), sizeof *a->awaited);
    struct arrivals_awaited *awaited = &a->awaited[mbarriers_kind(a->lint, use)];
    if (!awaited->known) *awaited = (struct arrivals_awaited){warps_waiting(a, use), true};
    if (!awaited->warps) return 0;
    shape.warps = (uint32_t)__builtin_ctz(awaited->warps) + 1;
    shape.row = true;
    return lanes_count(a->lint->subject, &shape, condition_pairs_set(a->lint->subject, use->instr))
        .least;
}

static void check_arrival(struct arrivals *a, const struct barrier_use *use,
                          const struct arrivals_counted *counted)
{
    int64_t count = arrivals_of_thread(a->lint, use), most = counted->least;
    if (count <= 0) return;
    struct lanes_number n = arrivals_number(a, use->instr);
    if (!n.least && !a->shape.warps && n.most * count > most) n.least = least_if_awaited(a, use);
    bool lanes = n.lanes * count > most, warps = n.least * count > most;
    if ((!lanes || !arrivals_in_step(a, use->instr, false)) &&
        (!warps || !arrivals_in_step(a, use->instr, true)))
        return;
    lint_report(a->lint,
                (struct hazard){&lint_arrival_count, LINT_WARNING, use->instr, counted->init,
                                "more threads arrive here in one phase than %s counts[: "
                                "the phase ends before the last of them arrives]",
                                "let one thread arrive for all, after a "
                                "bar.warp.sync or a barrier, or raise the count at %s",
                                NULL, 0, NULL});
}

/* ---- twice ---- */

struct again {
    struct arrivals *arrivals;
    const struct barrier_use *first;
    int64_t count;
};

static bool is_part(const struct lint *lint, uint32_t base, uint32_t instr, uint32_t reg)
{
    const struct expr e = *value_expr(lint->subject, (struct value){base, 0});
    if (!base || e.fixed) return false;
    if (e.kind == EXPR_REG && e.web == reg) return true;
    if (e.kind == EXPR_LOADED && e.instr == instr) return true;
    for (int i = 0; i < 3; i++)
        if (is_part(lint, e.a[i].base, instr, reg)) return true;
    return false;
}

/* The instruction writes a register that the address depends on. */
static bool changes_address(const struct lint *lint, uint32_t i, uint32_t base)
{
    const struct instr *instr = &lint->function->instrs[i];
    for (uint32_t u = 0; u < instr->use_count; u++) {
        const struct use *use = &lint->function->uses[instr->first_use + u];
        if (use->write && is_part(lint, base, i, use->reg)) return true;
    }
    return false;
}

static bool fills_count(const struct again *again, const struct barrier_use *use)
{
    struct arrivals *a = again->arrivals;
    struct lanes_number n = arrivals_number(a, use->instr);
    return n.least * arrivals_of_thread(a->lint, use) == again->count;
}

/* The use is a second arrival in the phase if no wait and no change of the address is in between.
 */
static bool is_second(const struct again *again, const struct barrier_use *use)
{
    bool same = value_same(use->address, again->first->address);
    bool commits = same && use->kind == BARRIER_COMMIT && again->first->kind == BARRIER_COMMIT;
    return same && arrivals_is_counted(use) && !commits && fills_count(again, use);
}

static bool may_reach_second(const struct again *again)
{
    const struct lint *lint = again->arrivals->lint;
    const struct barriers *all = lint->subject->barriers;
    for (uint32_t i = UINT32_MAX;
         (i = barriers_next_alike(lint->subject, again->first, i)) < all->count;)
        if (&all->uses[i] != again->first && is_second(again, &all->uses[i]) &&
            handover_reaches(lint, again->first->instr, all->uses[i].instr))
            return true;
    return false;
}

static enum walk_does look_twice(void *context, const struct lint *lint, uint32_t instr,
                                 unsigned *state)
{
    const struct again *again = context;
    (void)state;
    if (instr == again->first->instr) return WALK_END;
    if (lint_effect(lint, instr) != EFFECT_REGISTER) {
        const struct barrier_use *use = barriers_at(lint->subject, instr);
        if (use && is_second(again, use)) return WALK_FOUND;
        bool same = use && value_same(use->address, again->first->address);
        if (same && use->kind == BARRIER_INVAL) return WALK_END;
        if (meet_kind_of(lint, instr) != MEET_NOBODY) return WALK_END;
    }
    return changes_address(lint, instr, again->first->address.base) ? WALK_END : WALK_ON;
}

/* most: the largest count of an mbarrier that the use may name. */
static void check_twice(struct arrivals *a, const struct barrier_use *use, int64_t most)
{
    struct again again = {a, use, most};
    struct walk_path path;
    if (!fills_count(&again, use) || !may_reach_second(&again)) return;
    bool fixed = value_is_fixed(a->lint->subject, use->address);
    uint32_t interest = fixed ? ~(1u << EFFECT_REGISTER) : 0;
    if (!walk_forward(a->lint, use->instr, 0, interest, look_twice, &again, &path) || path.vague ||
        round_loop_may_skip_last(a->lint, &path))
        return;
    lint_report(a->lint, (struct hazard){
                             &lint_arrival_count, LINT_WARNING, path.found, use->instr,
                             "this arrives a second time after %s, which completes the phase alone",
                             "arrive once in each phase: remove one of the two, or "
                             "count both in mbarrier.init",
                             path.instrs, path.count, NULL});
}

/* ---- the search ---- */

static void arrival_count_find(struct lint *lint)
{
    const struct barriers *all = lint->subject->barriers;
    if (!lint->function->is_entry || lint_has_effect(lint, EFFECT_CALL)) return;
    struct arrivals arrivals = arrivals_begin(lint, &lint_arrival_count);
    for (uint32_t i = 0; i < all->count; i++) {
        const struct barrier_use *use = &all->uses[i];
        if (!conditions_reach(lint->subject, lint->cfg->block_of[use->instr])) continue;
        if (use->kind == BARRIER_INIT) check_arrival_init(&arrivals, use);
        if (!arrivals_is_counted(use)) continue;
        const struct arrivals_counted *counted = counted_of(&arrivals, use);
        if (!counted) continue;
        check_arrival(&arrivals, use, counted);
        check_twice(&arrivals, use, counted->most);
    }
    arrivals_check_cluster(&arrivals);
    arrivals_check_bytes(&arrivals);
    arrivals_check_tensors(&arrivals);
    arrivals_check_barriers(&arrivals);
    arrivals_end(&arrivals);
}

const struct lint_code lint_arrival_count = {
    .id = "arrival-count",
    .section = "9.7.13.15.6",
    .summary = "a phase has more or fewer arrivals or bytes than its barrier or mbarrier expects",
    .sentence =
        "An mbarrier object completes the current phase when all of the following conditions "
        "are met: The count of the pending arrivals has reached zero.",
    .risk = "the phase never ends, or it ends before all have arrived",
    .explanation =
        "Broken:  mbarrier.init [b], 1; ... mbarrier.arrive [b] by all 32 lanes\n"
        "Right:   mbarrier.init [b], 32; ... mbarrier.arrive [b] by all 32 lanes\n"
        "Broken:  mbarrier.init [b], 1; mbarrier.expect_tx [b], 2048; cp.async.bulk ... [b]\n"
        "Right:   mbarrier.init [b], 1; mbarrier.arrive.expect_tx [b], 2048; cp.async.bulk ... "
        "[b]\n"
        "Broken:  bar.arrive 2, 128; the other group: bar.sync 2, 256\n"
        "Right:   bar.arrive 2, 256; the other group: bar.sync 2, 256\n"
        "\n"
        "Lint computes the number of threads at a place from warp numbers, lanes, elect.sync and "
        ".reqntid, or without .reqntid from the warps that wait: if the fifth warp waits, there "
        "are four before it. Reported: fewer arrivals than the count of mbarrier.init, at all "
        "places together; more arrivals than that count, by threads that reach one place "
        "together; a second arrival of a thread that completes a phase alone, with no wait in "
        "between; an arrive.expect_tx whose number of bytes is not the sum of the copies on any "
        "path; a barrier of the CTA with a count that is too large or too small. For a cluster "
        "whose size the text gives, the arrivals of all CTAs at the mbarrier of one are counted. "
        "The size of tensor copies is not in the text. For them lint reports an arrive.expect_tx "
        "with another number of bytes than one at another place with the same tensor maps, with "
        "more bytes than the places of the copies have room for, with the bytes of equal larger "
        "boxes at another place, or with exactly the bytes of all copies but one, or of those in "
        "front of one.\n"
        "Not reported: unknown counts, addresses, ranks or roles; several arrivals of one thread "
        "in a loop without a wait; warps that take turns; functions and kernels with calls.",
    .find = arrival_count_find,
};
