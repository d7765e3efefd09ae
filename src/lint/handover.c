/* Finds the signals and waits of a function, and which waits may be for which signals. See
 * handover.h. */
#include "lint/handover.h"

#include "base/intern.h"
#include "base/mem.h"
#include "base/vec.h"
#include "lint/arrays.h"
#include "lint/mbarriers.h"
#include "value/condition_pairs.h"
#include "value/expr.h"
#include "value/instruction.h"
#include "value/lane_masks.h"

/* ---- the handovers of the function ---- */

static bool read_mbarrier(const struct barrier_use *use, struct handover *h)
{
    h->channel = CHANNEL_MBARRIER;
    h->use = use;
    h->waits = use->kind == BARRIER_WAIT;
    h->signals = use->kind == BARRIER_ARRIVE || use->kind == BARRIER_ARRIVE_EXPECT ||
                 use->kind == BARRIER_COMMIT || use->kind == BARRIER_COPY ||
                 use->kind == BARRIER_ASYNC_ARRIVE;
    return h->waits || h->signals;
}

static bool read_hardware_barrier(const struct lint *lint, struct handover *h)
{
    bool cluster = instruction_has(lint->subject, h->instr, ".cluster");
    if (!instruction_is_barrier(lint->subject, h->instr)) return false;
    h->signals = !instruction_has(lint->subject, h->instr, ".wait");
    h->waits = !instruction_has(lint->subject, h->instr, ".arrive");
    h->channel = cluster ? CHANNEL_CLUSTER : CHANNEL_CTA;
    if (instruction_has(lint->subject, h->instr, ".warp")) h->channel = CHANNEL_WARP;
    bool reduces = instruction_has(lint->subject, h->instr, ".red");
    if (h->channel == CHANNEL_CTA) h->address = value_of_operand(lint->subject, h->instr, reduces);
    return true;
}

static bool read_flag(const struct lint *lint, struct str base, struct handover *h)
{
    enum effect effect = lint_effect(lint, h->instr);
    bool atomic = str_is(base, "atom") || str_is(base, "multimem");
    bool store = str_is(base, "st") || str_is(base, "red");
    bool strong = effect != EFFECT_MEMORY && effect != EFFECT_REGISTER;
    if (!strong || !(atomic || store || str_is(base, "ld"))) return false;
    h->channel = CHANNEL_FLAG;
    h->signals = atomic || store;
    h->waits = !store;
    h->address = value_of_address(lint->subject, h->instr);
    return true;
}

static bool read_handover(const struct lint *lint, struct handover *h)
{
    enum effect effect = lint_effect(lint, h->instr);
    const struct barrier_use *use = barriers_at(lint->subject, h->instr);
    struct str base = instruction_base(lint->subject, h->instr);
    if (use) return read_mbarrier(use, h);
    if (effect == EFFECT_CALL) {
        h->channel = CHANNEL_UNKNOWN;
        h->signals = h->waits = true;
        return true;
    }
    return read_hardware_barrier(lint, h) || read_flag(lint, base, h);
}

/* Sets numbers, if the CTA is one row of warps, which gives each warp its number. */
static void note_numbers(const struct lint *lint, struct handovers *all)
{
    for (uint32_t i = 0; all->shape.row && i < all->count; i++) {
        struct handover *h = &all->at[i];
        uint32_t numbers[LANE_WARPS_MAX];
        bool differ = false;
        if (h->channel != CHANNEL_CTA || value_is_constant(h->address)) continue;
        for (uint32_t warp = 0; warp < all->shape.warps; warp++) {
            int64_t number;
            bool known = lane_number_of(lint->subject, warp, h->address, &number);
            known = known && number >= 0 && number < HANDOVER_BARRIERS;
            numbers[warp] = known ? 1u << number : UINT32_MAX;
            differ |= numbers[warp] != numbers[0];
        }
        if (!differ) continue;
        h->numbers = arena_room(lint->arena, all->shape.warps, sizeof *h->numbers);
        memcpy(h->numbers, numbers, all->shape.warps * sizeof *h->numbers);
        all->numbers_differ = true;
    }
}

/* Sets place and writers. */
static void note_places(const struct lint *lint, struct handovers *all)
{
    all->place = arena_alloc(lint->arena, lint->function->count, sizeof *all->place);
    all->writers = arena_alloc(lint->arena, all->op_count, sizeof *all->writers);
    for (uint32_t i = 0; i < all->count; i++) all->place[all->at[i].instr] = i + 1;
    for (uint32_t i = 0; i < all->op_count; i++) {
        all->place[all->ops[i].instr] = i + 1;
        if (all->ops[i].writes) all->writers[all->writer_count++] = i;
    }
}

/* Lists the handovers of each mbarrier and of each flag, in the order of the text. */
static void note_alike(const struct lint *lint, struct handovers *all)
{
    struct intern keys = {0};
    uint32_t *numbers = mem_alloc((all->count + 1) * sizeof *numbers);
    all->alike = arena_alloc(lint->arena, all->count, sizeof *all->alike);
    all->first_alike = arena_alloc(lint->arena, all->count, sizeof *all->first_alike);
    for (uint32_t i = 0; i < all->count; i++) {
        const struct handover *h = &all->at[i];
        struct value key = h->channel == CHANNEL_MBARRIER ? h->use->object : h->address;
        bool keyed = h->channel == CHANNEL_MBARRIER || h->channel == CHANNEL_FLAG;
        numbers[i] = INTERN_NONE;
        if (!keyed || value_is_none(key)) continue;
        char *offset = arena_copy(lint->arena, (const char *)&key.offset, sizeof key.offset);
        numbers[i] = intern_add(&keys, key.base * 2 + (h->channel == CHANNEL_FLAG),
                                (struct str){offset, sizeof key.offset});
    }
    intern_list(&keys, numbers, all->count, all->first_alike, all->alike);
    mem_free(numbers);
    intern_free(&keys);
}

/* Sets flags_of_one_base. */
static void compare_flags(struct handovers *all)
{
    uint32_t base = UINT32_MAX;
    all->flags_of_one_base = true;
    for (uint32_t i = 0; i < all->count; i++) {
        struct value address = all->at[i].address;
        if (all->at[i].channel != CHANNEL_FLAG) continue;
        if (base == UINT32_MAX) base = address.base;
        all->flags_of_one_base &= !value_is_none(address) && address.base == base;
    }
}

/* A warp accesses its own lanes of tensor memory. If the lanes of an operation are computed from
 * the thread, more than one warp executes it. */
static bool has_several_warps(const struct lint *lint, const struct handovers *all)
{
    uint32_t terms[EXPR_TERMS_MAX];
    if (all->shape.warps) return all->shape.warps > 1;
    for (uint32_t i = 0; i < all->op_count; i++) {
        const struct tensor_op *op = &all->ops[i];
        if (!op->range_count || op->ranges[0].all_lanes) continue;
        uint32_t count =
            exprs_terms(values_exprs(lint->subject), op->ranges[0].address.base, terms);
        for (uint32_t k = 0; k < count; k++) {
            const struct expr *e = value_expr(lint->subject, (struct value){terms[k], 0});
            if (e->of_thread && !e->of_block) return true;
        }
    }
    return false;
}

/* The allocation of a tensor memory address: the address that tcgen05.alloc wrote, or the part of
 * it that no loop changes, without lanes. A register that a loop counts on is in the allocation in
 * which the loop begins. */
static struct value allocation_of(const struct lint *lint, struct value address)
{
    enum { LANE_UNIT = 1 << 16 };
    bool changes;
    struct value first = value_at_first(lint->subject, address);
    struct value allocated = tmem_allocated(lint->subject, first);
    if (!value_is_none(allocated)) return allocated;
    if (value_is_none(first)) return value_fixed_part(lint->subject, address, &changes);
    struct value fixed = value_fixed_part(lint->subject, first, &changes);
    return value_is_none(fixed) ? fixed : value_without_multiples(lint->subject, fixed, LANE_UNIT);
}

static struct tensor_op read_tensor_op(const struct lint *lint, uint32_t instr)
{
    struct tensor_op op = {.instr = instr};
    op.range_count = tmem_ranges(lint->subject, instr, op.ranges);
    for (uint32_t k = 0; k < op.range_count; k++) {
        op.writes |= op.ranges[k].access == TMEM_WRITES;
        op.allocations[k] = allocation_of(lint, op.ranges[k].base);
    }
    return op;
}

struct handovers *handovers_find(struct lint *lint)
{
    struct handovers *all = arena_alloc(lint->arena, 1, sizeof *all);
    struct VEC(struct handover) found = {0};
    struct VEC(struct tensor_op) ops = {0};
    for (uint32_t n = 0; n < lint->subject->acting_count; n++) {
        uint32_t i = lint->subject->acting[n];
        enum effect effect = lint_effect(lint, i);
        struct handover h = {.instr = i, .address = VALUE_NONE};
        if (effect == EFFECT_MEMORY) continue;
        if (effect_is_async(effect)) {
            vec_push(&ops, read_tensor_op(lint, i));
        } else if (read_handover(lint, &h)) {
            vec_push(&found, h);
            all->calls |= h.channel == CHANNEL_UNKNOWN;
        }
    }
    all->count = found.count;
    all->op_count = ops.count;
    all->at = arena_room(lint->arena, found.count, sizeof *found.at);
    all->ops = arena_room(lint->arena, ops.count, sizeof *ops.at);
    if (found.count) memcpy(all->at, found.at, found.count * sizeof *found.at);
    if (ops.count) memcpy(all->ops, ops.at, ops.count * sizeof *ops.at);
    all->behind_of = all->behind_asked = NO_INSTR;
    all->shape = lanes_shape_of(lint->subject);
    all->several_warps = has_several_warps(lint, all);
    note_numbers(lint, all);
    note_places(lint, all);
    note_alike(lint, all);
    compare_flags(all);
    all->signals = arena_alloc(lint->arena, all->count, sizeof *all->signals);
    all->waits = arena_alloc(lint->arena, all->count, sizeof *all->waits);
    for (int i = 0; i < 2; i++)
        all->of_kind[i] = arena_alloc(lint->arena, mbarriers_kinds(lint), sizeof *all->of_kind[i]);
    all->listed = arena_alloc(lint->arena, lint->cfg->count, sizeof *all->listed);
    all->before = arena_alloc(lint->arena, lint->function->count, sizeof *all->before);
    vec_free(&found);
    vec_free(&ops);
    return all;
}

uint32_t handover_from(const struct handovers *all, uint32_t instr)
{
    uint32_t low = 0, high = all->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (all->at[middle].instr < instr)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

bool handover_with_other_warps(const struct lint *lint, uint32_t instr)
{
    const struct handover *h = handover_at(lint, instr);
    return h && h->channel != CHANNEL_WARP;
}

/* ---- control flow ---- */

const struct loops *handover_loops(const struct lint *lint)
{
    struct loops *loops = &lint->subject->loops;
    if (!loops->first) loops_list_members(lint->cfg, lint->arena, loops);
    return loops;
}

const struct blocks_behind *handover_behind(const struct lint *lint)
{
    struct handovers *all = lint->handovers;
    if (all->behind) return all->behind;
    uint32_t blocks = lint->cfg->count;
    lint_spend(lint, (uint64_t)blocks * (blocks / BEHIND_CHUNK + 1) / 4 + 1);
    return all->behind = behind_find(lint->cfg, handover_loops(lint), lint->arena);
}

bool handover_reaches(const struct lint *lint, uint32_t first, uint32_t second)
{
    const struct blocks_behind *behind = lint->handovers->behind;
    lint_spend(lint, 1);
    if (!behind) behind = handover_behind(lint);
    return behind_follows(behind, lint->cfg, first, second) &&
           !condition_pairs_exclude(lint->subject, first, second);
}

bool handover_other_thread(const struct lint *lint, uint32_t first, uint32_t second)
{
    return condition_pairs_another_thread(lint->subject, first, second);
}

bool handover_of_same_thread(const struct lint *lint, uint32_t a, uint32_t b)
{
    return condition_pairs_same_thread(lint->subject, a, b);
}

bool handover_wait_acquires(const struct lint *lint, uint32_t wait)
{
    return !instruction_has(lint->subject, wait, ".relaxed");
}

/* Compares one operation for each set of conditions, since the result depends only on the
 * conditions. Assumes several threads if there are too many sets. */
static bool find_of_several(const struct lint *lint)
{
    enum { SETS_MAX = 64 };
    const struct handovers *all = lint->handovers;
    uint32_t of[SETS_MAX], count = 0;
    for (uint32_t i = 0; i < all->op_count; i++) {
        const struct condition_set *set = condition_pairs_set(lint->subject, all->ops[i].instr);
        uint32_t k = 0;
        while (k < count && condition_pairs_set(lint->subject, of[k]) != set) k++;
        if (k < count) continue;
        if (count == SETS_MAX) return true;
        for (k = 0; k < count; k++)
            if (handover_other_thread(lint, of[k], all->ops[i].instr) ||
                handover_other_thread(lint, all->ops[i].instr, of[k]))
                return true;
        of[count++] = all->ops[i].instr;
    }
    return false;
}

bool handover_of_several_threads(const struct lint *lint)
{
    uint8_t *kept = &lint->handovers->of_several;
    if (!*kept) *kept = find_of_several(lint) ? 2 : 1;
    return *kept == 2;
}

uint32_t handover_only_warp(const struct lint *lint, uint32_t instr)
{
    uint32_t warps = lanes_warps_at(lint->subject, &lint->handovers->shape, instr);
    return warps & (warps - 1) ? 0 : warps;
}

bool handover_more_warps(const struct lint *lint, uint32_t first, uint32_t second)
{
    if (condition_pairs_other_warp(lint->subject, first, second)) return true;
    if (condition_pairs_exclude(lint->subject, first, second)) return false;
    const struct condition_set *x = condition_pairs_set(lint->subject, first);
    const struct condition_set *y = condition_pairs_set(lint->subject, second);
    for (uint32_t i = 0; i < x->count; i++) {
        struct value predicate = {x->at[i].base, 0};
        const struct expr *e = value_expr(lint->subject, predicate);
        if (expr_is_of_warp(e) && condition_truth(lint->subject, y, predicate) == TRUTH_UNKNOWN)
            return true;
    }
    return false;
}

bool handover_of_fewer_warps(const struct lint *lint, uint32_t first, uint32_t second)
{
    const struct subject *subject = lint->subject;
    const struct condition_set *w = condition_pairs_set(subject, first);
    const struct condition_set *x = condition_pairs_set(subject, second);
    bool of_lanes = false;
    if (w == x) return false;
    for (uint32_t i = 0; i < w->count; i++) {
        struct value v = {w->at[i].base, 0};
        const struct expr *e = value_expr(subject, v);
        if (!e->of_thread || e->of_block) continue;
        if (condition_truth(subject, x, v) != TRUTH_UNKNOWN) continue;
        if (e->spread == SPREAD_SAME) return true;
        of_lanes = true;
    }
    if (!of_lanes || !lint->handovers->several_warps) return false;
    lint_spend(lint, WARP);
    return lanes_other_warp(subject, &lint->handovers->shape, x, w);
}

/* ---- which waits may be for which signals ---- */

static bool is_unconditional(const struct lint *lint, uint32_t instr)
{
    return condition_pairs_set(lint->subject, instr)->count == 0;
}

/* A lane that executes both meets the other lanes at each of them separately; lanes of different
 * warps never meet. */
static bool may_be_one_meeting(const struct lint *lint, const struct handover *a,
                               const struct handover *b)
{
    if (a->instr == b->instr) return true;
    if (condition_pairs_other_warp(lint->subject, a->instr, b->instr)) return false;
    return handover_reaches(lint, a->instr, b->instr) == handover_reaches(lint, b->instr, a->instr);
}

bool handover_may_meet(const struct lint *lint, const struct handover *signal,
                       const struct handover *wait)
{
    lint_spend(lint, 1);
    if (!signal->signals || !wait->waits) return false;
    if (signal->channel == CHANNEL_UNKNOWN || wait->channel == CHANNEL_UNKNOWN) return true;
    if (signal->channel != wait->channel) return false;
    if (signal->channel == CHANNEL_MBARRIER) return mbarriers_meet(lint, signal->use, wait->use);
    if (signal->channel == CHANNEL_WARP) return may_be_one_meeting(lint, signal, wait);
    /* If no path avoids a barrier, all threads meet at the same instruction. */
    bool all = is_unconditional(lint, signal->instr) && is_unconditional(lint, wait->instr);
    if (signal->channel == CHANNEL_CTA && all && signal->instr != wait->instr) return false;
    if (value_is_none(signal->address) || value_is_none(wait->address)) return true;
    return signal->address.base != wait->address.base ||
           signal->address.offset == wait->address.offset;
}

/* The number of the barrier, which does not differ by warp, as a bit; all bits: not known. */
static uint32_t number_for_all(const struct handover *h)
{
    bool known = value_is_constant(h->address) && h->address.offset >= 0 &&
                 h->address.offset < HANDOVER_BARRIERS;
    return known ? 1u << h->address.offset : UINT32_MAX;
}

uint32_t handover_warps_met(const struct lint *lint, const struct handover *signal,
                            const struct handover *wait, uint32_t warps)
{
    const uint32_t count = lint->handovers->shape.warps;
    uint32_t met = 0, given = 0;
    if (signal->channel == CHANNEL_WARP && wait->channel == CHANNEL_WARP) return warps;
    if (!signal->numbers && !wait->numbers) return warps ? UINT32_MAX : 0;
    if (count < LANE_WARPS_MAX) warps &= (1u << count) - 1;
    if (!signal->numbers) given = warps ? number_for_all(signal) : 0;
    for (; signal->numbers && warps; warps &= warps - 1)
        given |= signal->numbers[__builtin_ctz(warps)];
    if (!wait->numbers) return given & number_for_all(wait) ? UINT32_MAX : 0;
    for (uint32_t to = 0; to < count; to++)
        met |= (uint32_t)((given & wait->numbers[to]) != 0) << to;
    return met;
}

bool handover_meets(const struct lint *lint, const struct handover *signal,
                    const struct handover *wait)
{
    lint_spend(lint, 1);
    if (!signal->signals || !wait->waits || signal->channel != wait->channel) return false;
    if (signal->channel == CHANNEL_MBARRIER)
        return barriers_same(signal->use, wait->use) && !signal->use->remote;
    if (signal->channel == CHANNEL_FLAG)
        return value_same(signal->address, wait->address) &&
               value_is_fixed(lint->subject, signal->address) &&
               instruction_has(lint->subject, signal->instr, ".shared") ==
                   instruction_has(lint->subject, wait->instr, ".shared");
    return false;
}

/* ---- conflicts ---- */

bool handover_conflict(const struct lint *lint, const struct tensor_op *a,
                       const struct tensor_op *b)
{
    lint_spend(lint, 1);
    if (!a->writes && !b->writes) return false;
    for (uint32_t i = 0; i < a->range_count; i++)
        for (uint32_t k = 0; k < b->range_count; k++) {
            const struct tmem_range *x = &a->ranges[i], *y = &b->ranges[k];
            if (x->access != TMEM_WRITES && y->access != TMEM_WRITES) continue;
            if (tmem_overlap(lint->subject, x, y)) return true;
        }
    return false;
}

/* A wait is most likely at the mbarrier of a signal. A commit to several CTAs most likely signals
 * in its own CTA, too. */
static bool are_at_likely_same(const struct lint *lint, const struct barrier_use *signal,
                               const struct barrier_use *wait)
{
    if (signal->kind == BARRIER_COMMIT && barriers_same(signal, wait)) return true;
    return !signal->remote && arrays_likely_same(lint, signal, wait);
}

bool handover_likely_meets(const struct lint *lint, const struct handover *signal,
                           const struct handover *wait)
{
    if (handover_meets(lint, signal, wait)) return true;
    if (!signal->signals || !wait->waits || !signal->use || !wait->use) return false;
    return are_at_likely_same(lint, signal->use, wait->use);
}

bool handover_is_for(const struct lint *lint, const struct handover *signal,
                     const struct handover *wait, bool likely)
{
    return likely ? handover_likely_meets(lint, signal, wait) : handover_meets(lint, signal, wait);
}

bool handover_likely_others(const struct lint *lint, const struct handover *signal,
                            const struct handover *wait)
{
    return signal->use && wait->use && arrays_likely_others(lint, signal->use, wait->use);
}

bool handover_reads_written(const struct lint *lint, const struct tensor_op *reader,
                            const struct tensor_op *writer)
{
    for (uint32_t r = 0; r < reader->range_count; r++)
        for (uint32_t w = 0; w < writer->range_count; w++)
            if (reader->ranges[r].access == TMEM_READS && writer->ranges[w].access == TMEM_WRITES &&
                tmem_overlap(lint->subject, &reader->ranges[r], &writer->ranges[w]))
                return true;
    return false;
}

bool handover_likely_conflict(const struct lint *lint, const struct tensor_op *a,
                              const struct tensor_op *b)
{
    lint_spend(lint, 1);
    for (uint32_t i = 0; i < a->range_count; i++)
        for (uint32_t k = 0; k < b->range_count; k++) {
            const struct tmem_range *x = &a->ranges[i], *y = &b->ranges[k];
            if (x->access != TMEM_WRITES && y->access != TMEM_WRITES) continue;
            struct value in = a->allocations[i];
            if (value_is_none(in) || !in.base || in.base != b->allocations[k].base) continue;
            if (!tmem_apart(lint->subject, x, y)) return true;
        }
    return false;
}

bool handover_signals_for_all(const struct lint *lint, uint32_t first, uint32_t signal)
{
    const struct handovers *all = lint->handovers;
    if (!handover_of_fewer_warps(lint, signal, first)) return true;
    lint_spend(lint, all->count);
    for (uint32_t i = 0; i < all->count; i++)
        if (all->at[i].waits && all->at[i].channel != CHANNEL_WARP &&
            handover_reaches(lint, first, all->at[i].instr) &&
            handover_reaches(lint, all->at[i].instr, signal))
            return true;
    return false;
}
