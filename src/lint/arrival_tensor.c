/* The part of arrival-count for phases with tensor copies. The size of a box is not in the text,
 * but a tensor map gives the same size at each copy, and the places that the copies of one phase
 * write do not overlap. */
#include "base/intern.h"
#include "lint/arrays.h"
#include "lint/arrivals.h"
#include "lint/bulk_slot.h"
#include "lint/global_root.h"
#include "lint/handover.h"
#include "lint/walk.h"
#include "value/conditions.h"
#include "value/instruction.h"
#include "value/values.h"

/* COPIES_MAX: the state of a walk has a bit for each copy. */
enum { COPIES_MAX = 8, BOX_BYTES_MIN = 16 };

struct copy {
    uint32_t instr;
    int64_t bytes;    /* -1: not in the text */
    struct value to;  /* the place in shared memory that it writes */
    struct value map; /* the address of the tensor map, of a tensor copy */
};

/* What follows an expect_tx up to the end of the phase. */
struct phase {
    const struct lint *lint;
    const struct barrier_use *armed;
    int64_t expected;
    struct copy copies[COPIES_MAX];
    uint32_t count;
    int64_t distance; /* distance_of_boxes */
    bool unknown;     /* the copies differ among paths, or are not all known */
    bool ended;
};

/* ---- the copies of a phase ---- */

static bool is_understood(const struct phase *p, const struct barrier_use *copy)
{
    const struct subject *subject = p->lint->subject;
    struct condition_set here = conditions_of(subject, copy->instr),
                         armed = conditions_of(subject, p->armed->instr);
    return p->count < COPIES_MAX && value_same(copy->address, p->armed->address) && !copy->remote &&
           !instruction_has(subject, copy->instr, ".cta_group::2") && !here.lost &&
           conditions_same(&here, &armed) &&
           !str_starts(instruction_opcode(subject, copy->instr), "clusterlaunchcontrol.");
}

static void phase_add_copy(struct phase *p, uint32_t instr)
{
    bool tensor = str_starts(instruction_opcode(p->lint->subject, instr), "cp.async.bulk.tensor");
    struct copy copy = {.instr = instr,
                        .bytes = tensor ? -1 : bulk_bytes(p->lint, instr),
                        .to = value_of_operand(p->lint->subject, instr, 0),
                        .map = tensor ? global_address_of(p->lint, instr, 1) : VALUE_NONE};
    p->unknown |= !tensor && copy.bytes < 0;
    p->copies[p->count++] = copy;
}

/* Copies that come after another expect_tx, or after a wait, are not taken for copies of the phase:
 * then not all copies are known, and nothing is reported. */
static enum walk_does look_for_copies(void *context, const struct lint *lint, uint32_t instr,
                                      unsigned *state)
{
    struct phase *p = context;
    const struct barrier_use *use = barriers_at(lint->subject, instr);
    bool ends = lint_effect(lint, instr) == EFFECT_EXIT;
    uint32_t n = 0;
    if (p->unknown) return WALK_END;
    ends |= use && (use->kind == BARRIER_WAIT || use->kind == BARRIER_ARRIVE_EXPECT);
    if (!ends && (!use || !barriers_may_be_same(use, p->armed))) return WALK_ON;
    if (ends || use->kind != BARRIER_COPY) {
        p->unknown |= *state + 1 != 1u << p->count || !ends;
        p->ended = true;
        return WALK_END;
    }
    while (n < p->count && p->copies[n].instr != instr) n++;
    p->unknown |= *state >> n & 1 || (n == p->count && (p->ended || !is_understood(p, use)));
    if (!p->unknown && n == p->count) phase_add_copy(p, instr);
    *state |= 1u << n;
    return WALK_ON;
}

static void read_phase(struct phase *p)
{
    const uint32_t plain = 1u << EFFECT_REGISTER | 1u << EFFECT_MEMORY;
    struct walk_path path;
    (void)walk_forward(p->lint, p->armed->instr, 0, ~plain, look_for_copies, p, &path);
    p->unknown |= path.gave_up || !p->ended;
}

/* ---- all phases ---- */

struct phases VEC(struct phase);

static bool has_copy(const struct phase *p, uint32_t instr)
{
    for (uint32_t i = 0; i < p->count; i++)
        if (p->copies[i].instr == instr) return true;
    return false;
}

/* Each use that may add bytes to the mbarrier of the phase is an expect_tx or copy of a known
 * phase. */
static bool knows_all_bytes(const struct phases *phases, const struct phase *p)
{
    const struct barriers *all = p->lint->subject->barriers;
    for (uint32_t i = UINT32_MAX;
         (i = barriers_next_alike(p->lint->subject, p->armed, i)) < all->count;) {
        const struct barrier_use *use = &all->uses[i];
        bool known = use->kind == BARRIER_INIT || use->kind == BARRIER_INVAL ||
                     use->kind == BARRIER_WAIT || use->kind == BARRIER_COMMIT ||
                     use->kind == BARRIER_ARRIVE;
        lint_spend(p->lint, phases->count);
        for (uint32_t n = 0; n < phases->count && !known; n++) {
            const struct phase *other = &phases->at[n];
            known = !other->unknown && (use == other->armed || has_copy(other, use->instr));
        }
        if (!known) return false;
    }
    return true;
}

static int64_t bytes_in_text(const struct phase *p)
{
    int64_t sum = 0;
    for (uint32_t i = 0; i < p->count; i++)
        if (p->copies[i].bytes > 0) sum = plus_wrapped(sum, p->copies[i].bytes);
    return sum;
}

static void report_phase(struct arrivals *a, const struct phase *p, uint32_t witness,
                         const char *says, const char *fix)
{
    lint_report(a->lint, (struct hazard){a->code, LINT_WARNING, p->armed->instr, witness, says, fix,
                                         NULL, 0, NULL});
}

/* ---- the same copies with other bytes ---- */

/* Both are tensor copies with the same tensor map and opcode, so that their boxes are equal. */
static bool have_equal_boxes(const struct phase *p, const struct copy *a, const struct copy *b)
{
    return a->bytes < 0 && b->bytes < 0 && value_same(a->map, b->map) &&
           str_eq(instruction_opcode(p->lint->subject, a->instr),
                  instruction_opcode(p->lint->subject, b->instr));
}

/* The number of copies of the phase that are alike. */
static uint32_t count_alike(const struct phase *p, const struct copy *copy)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < p->count; i++) count += have_equal_boxes(p, copy, &p->copies[i]);
    return count;
}

static bool has_same_boxes(const struct phase *p, const struct phase *other)
{
    uint32_t boxes = 0;
    for (uint32_t i = 0; i < p->count; i++) {
        const struct copy *copy = &p->copies[i];
        if (copy->bytes >= 0) continue;
        boxes++;
        if (value_is_none(copy->map) || !value_is_fixed(p->lint->subject, copy->map)) return false;
        if (count_alike(p, copy) != count_alike(other, copy)) return false;
    }
    for (uint32_t i = 0; i < other->count; i++) boxes -= other->copies[i].bytes < 0;
    return boxes == 0;
}

/* other: an earlier phase. */
static bool expects_other_bytes(const struct phase *p, const struct phase *other)
{
    return p->expected - bytes_in_text(p) != other->expected - bytes_in_text(other) &&
           has_same_boxes(p, other);
}

static void report_other_bytes(struct arrivals *a, const struct phase *p, const struct phase *other)
{
    report_phase(a, p, other->armed->instr,
                 "this expects other bytes than %s for the same tensor copies[: the phase never "
                 "ends, or ends too early]",
                 "expect the same number of bytes here and at %s");
}

/* ---- the places that the copies write ---- */

/* An upper bound of the distance from the value of a register, now, to the value v that is written
 * to it; 0 for a value that does not depend on it. Not for selp. -1: not known. */
static int64_t step_to(const struct lint *lint, struct value now, struct value v)
{
    if (value_is_none(v)) return -1;
    struct value bits = value_inverted_bits(lint->subject, now, v);
    int64_t by = v.base == now.base ? v.offset : value_is_none(bits) ? -1 : bits.offset;
    if (value_is_fixed(lint->subject, v)) return 0;
    if (v.base == now.base && by < 0 && by > INT64_MIN) by = -by;
    return by < 0 ? -1 : by;
}

/* The same for what an instruction writes. */
static int64_t step_of_write(const struct lint *lint, struct value now, uint32_t instr)
{
    struct value v = value_computed(lint->subject, instr);
    const struct expr *e = value_is_none(v) ? NULL : value_expr(lint->subject, v);
    if (!e || e->kind != EXPR_SELECT || v.offset) return step_to(lint, now, v);
    int64_t a = step_to(lint, now, e->a[0]), b = step_to(lint, now, e->a[1]), sum;
    return a < 0 || b < 0 || __builtin_add_overflow(a, b, &sum) ? -1 : sum;
}

/* An upper bound of the least distance of two values of the index of a stage: the sum of the steps
 * of its counter, because one round may take all of them. 0: not known. copy: an instruction that
 * uses the index. */
static int64_t step_of_index(const struct lint *lint, struct value index, uint32_t copy)
{
    const struct expr *e = value_expr(lint->subject, index);
    int64_t least = 0, sum = 0;
    if (e->kind == EXPR_OP && e->spelling == SPELLING_AND && value_is_constant(e->a[1])) {
        uint64_t mask = (uint64_t)e->a[1].offset;
        least = (int64_t)(mask & -mask);
        index = (struct value){e->a[0].base, 0};
        e = value_expr(lint->subject, index);
    }
    if (e->kind != EXPR_REG || e->instr != NO_INSTR) return 0;
    for (uint32_t write = value_last_write(lint->subject, e->web); write != NO_WRITE;
         write = value_write_before(lint->subject, write)) {
        uint32_t instr = value_write_instr(lint->subject, write);
        lint_spend(lint, 1);
        if (!handover_reaches(lint, instr, copy)) continue; /* of another role */
        int64_t step = step_of_write(lint, index, instr);
        if (step < 0 || __builtin_add_overflow(sum, step, &sum)) return 0;
    }
    return sum && least > sum ? least : sum;
}

/* An upper bound of the distance of two stages, from the only part of the address that changes.
 * 0: not known. */
static int64_t stage_stride_of(const struct lint *lint, const struct copy *copy)
{
    uint32_t terms[EXPR_TERMS_MAX];
    uint32_t count = exprs_terms(values_exprs(lint->subject), copy->to.base, terms);
    int64_t stride = 0;
    for (uint32_t i = 0; i < count; i++) {
        const struct expr e = *value_expr(lint->subject, (struct value){terms[i], 0});
        if (e.fixed) continue;
        if (stride || e.kind != EXPR_PRODUCT) return 0;
        int64_t step = step_of_index(lint, e.a[0], copy->instr);
        if (!step || __builtin_mul_overflow(e.a[1].offset, step, &stride)) return 0;
    }
    return stride;
}

/* An upper bound of the bytes that copy n writes: up to the next place, or the next stage. 0: not
 * known. */
static int64_t slot_of_copy(const struct phase *p, uint32_t n)
{
    const struct copy *copy = &p->copies[n];
    int64_t slot = stage_stride_of(p->lint, copy);
    if (copy->bytes >= 0) return copy->bytes;
    for (uint32_t i = 0; i < p->count; i++) {
        if (p->copies[i].to.base != copy->to.base) return 0;
        int64_t apart = minus_wrapped(p->copies[i].to.offset, copy->to.offset);
        if (apart > 0 && (slot <= 0 || apart < slot)) slot = apart;
    }
    return slot > 0 ? slot : 0;
}

/* The places of the copies have room for exactly the expected bytes and those of one copy, whose
 * bytes are in the text: the index of the last such copy. p->count: there is none. */
static uint32_t forgotten_copy(const struct phase *p, int64_t total)
{
    uint32_t n = p->count;
    while (n--)
        if (p->copies[n].bytes > 0 && plus_wrapped(p->expected, p->copies[n].bytes) == total)
            return n;
    return p->count;
}

/* The least place of the copies that are alike. 0: not known. */
static int64_t slot_of_box(const struct phase *p, const struct copy *copy)
{
    int64_t least = 0;
    for (uint32_t i = 0; i < p->count; i++) {
        const struct copy *other = &p->copies[i];
        if (other != copy && !have_equal_boxes(p, copy, other)) continue;
        int64_t slot = value_is_none(other->to) ? 0 : slot_of_copy(p, i);
        if (!slot) return 0;
        if (!least || slot < least) least = slot;
    }
    return least;
}

/* The places in front of copy n are at least two, have room for exactly the expected bytes, and are
 * most likely full. A place of 1024 bytes may be larger than its box, because the address of a
 * swizzled box is a multiple of that. */
static bool fill_places_in_front(const struct phase *p, uint32_t n)
{
    enum { ALIGNED = 1024, PLACES_MIN = 2 };
    const struct value end = p->copies[n].to;
    uint32_t places = 0;
    int64_t room = 0, most = 0;
    for (uint32_t i = 0; i < p->count; i++) {
        if (value_is_none(end) || p->copies[i].to.base != end.base) return false;
        int64_t before = minus_wrapped(end.offset, p->copies[i].to.offset);
        if (before > most) most = before;
    }
    if (most != p->expected) return false;
    for (uint32_t i = 0; i < p->count; i++) {
        const struct copy *copy = &p->copies[i];
        if (copy->to.offset >= end.offset) continue;
        int64_t slot = copy->bytes < 0 ? slot_of_box(p, copy) : copy->bytes;
        if (!slot || slot == ALIGNED) return false;
        room = plus_wrapped(room, slot);
        places++;
    }
    return places >= PLACES_MIN && room == most;
}

/* The expected bytes fill the places in front of one copy, so that none are left for that copy and
 * those behind it: the index of that copy. p->count: there is none. */
static uint32_t unexpected_copy(const struct phase *p)
{
    uint32_t n = 0;
    while (n < p->count && !fill_places_in_front(p, n)) n++;
    return n;
}

/* How the expected bytes differ from those that the places of the copies have room for. */
struct mismatch {
    bool more, fewer;
    uint32_t copy; /* the index of the copy to name */
};

static struct mismatch compare_places(const struct phase *p)
{
    int64_t total = 0, least = bytes_in_text(p);
    for (uint32_t i = 0; i < p->count; i++) {
        int64_t slot = value_is_none(p->copies[i].to) ? 0 : slot_of_copy(p, i);
        total = slot && total >= 0 ? plus_wrapped(total, slot) : -1;
        if (p->copies[i].bytes < 0) least = plus_wrapped(least, BOX_BYTES_MIN);
    }
    uint32_t forgotten = forgotten_copy(p, total);
    if (forgotten == p->count) forgotten = unexpected_copy(p);
    bool found = forgotten < p->count;
    return (struct mismatch){total > 0 && p->expected > total, p->expected < least || found,
                             found ? forgotten : 0};
}

static void report_mismatch(struct arrivals *a, const struct phase *p, struct mismatch m)
{
    report_phase(a, p, p->copies[m.copy].instr,
                 m.more ? "this expects more bytes than %s and the other copies have room for[: "
                          "the phase never ends]"
                        : "this expects fewer bytes than %s and the other copies write[: the phase "
                          "ends too early]",
                 "expect the sum of the bytes that all copies to the mbarrier write in one phase");
}

/* ---- boxes of another size ---- */

static bool writes_at(const struct phase *p, int64_t offset)
{
    for (uint32_t i = 0; i < p->count; i++)
        if (p->copies[i].to.offset == offset) return true;
    return false;
}

/* The distance of the places of all tensor copies of the phase, each to the next one; 0: there are
 * other copies, or other distances, or the phase is not known. */
static int64_t distance_of_boxes(const struct phase *p)
{
    int64_t low = INT64_MAX, high = INT64_MIN;
    if (p->unknown) return 0;
    for (uint32_t i = 0; i < p->count; i++) {
        const struct copy *copy = &p->copies[i];
        if (copy->bytes >= 0 || value_is_none(copy->to) || copy->to.base != p->copies[0].to.base)
            return 0;
        if (copy->to.offset < low) low = copy->to.offset;
        if (copy->to.offset > high) high = copy->to.offset;
    }
    if (p->count < 2 || low == high || minus_wrapped(high, low) % (p->count - 1)) return 0;
    int64_t distance = minus_wrapped(high, low) / (p->count - 1);
    for (uint32_t i = 0; i < p->count; i++)
        if (!writes_at(p, plus_wrapped(low, times_wrapped(distance, i)))) return 0;
    return distance;
}

/* Another phase of the same mbarriers that expects the same bytes, in as many boxes, which fill the
 * places of its copies, but the places of p are nearer to each other. NULL: none. */
static const struct phase *phase_of_larger_boxes(const struct phases *phases, const struct phase *p)
{
    if (!p->distance || p->distance >= p->expected / p->count) return NULL;
    lint_spend(p->lint, phases->count / 8 + 1);
    for (uint32_t i = 0; i < phases->count; i++) {
        const struct phase *other = &phases->at[i];
        if (other->expected == p->expected && other->count == p->count &&
            times_wrapped(other->distance, other->count) == other->expected &&
            !arrays_likely_others(p->lint, p->armed, other->armed))
            return other;
    }
    return NULL;
}

static void report_larger_boxes(struct arrivals *a, const struct phase *p,
                                const struct phase *other)
{
    report_phase(a, p, other->armed->instr,
                 "this expects the bytes of %s for smaller boxes[: the places of its copies are "
                 "nearer to each other, so the phase never ends]",
                 "expect the sum of the bytes that all copies to the mbarrier write in this phase");
}

/* ---- the search ---- */

/* The tensor copy of the phase with the lowest tensor map, in any order that is the same for all
 * phases; NULL: none, or the phase is not known. */
static const struct copy *lowest_box(const struct phase *p)
{
    const struct copy *lowest = NULL;
    for (uint32_t i = 0; i < p->count && !p->unknown; i++) {
        const struct copy *box = &p->copies[i];
        if (box->bytes >= 0) continue;
        bool lower =
            lowest && (box->map.base != lowest->map.base ? box->map.base < lowest->map.base
                                                         : box->map.offset < lowest->map.offset);
        if (!lowest || lower) lowest = box;
    }
    return lowest;
}

static void find_phases(struct lint *lint, struct phases *phases)
{
    const struct barriers *all = lint->subject->barriers;
    for (uint32_t i = 0; i < all->count; i++) {
        const struct barrier_use *use = &all->uses[i];
        struct phase p = {.lint = lint, .armed = use};
        if (use->kind != BARRIER_ARRIVE_EXPECT || value_is_none(use->object)) continue;
        p.expected = arrivals_expected(lint, use->instr);
        p.unknown = p.expected < 0 || use->remote;
        if (!p.unknown) read_phase(&p);
        p.distance = distance_of_boxes(&p);
        vec_push(phases, p);
    }
}

/* Each phase is compared with the last one before it with the same lowest map. */
void arrivals_check_tensors(struct arrivals *arrivals)
{
    struct phases phases = {0};
    struct intern maps = {0};
    find_phases(arrivals->lint, &phases);
    uint32_t *last = arena_alloc(arrivals->lint->arena, phases.count, sizeof *last);
    for (uint32_t i = 0; i < phases.count; i++) {
        const struct phase *p = &phases.at[i], *other = NULL;
        const struct copy *box = lowest_box(p);
        if (!box) continue;
        struct str offset = {(const char *)&box->map.offset, sizeof box->map.offset};
        uint32_t known = maps.count, key = intern_add(&maps, box->map.base, offset);
        if (key < known) other = &phases.at[last[key]];
        last[key] = i;
        struct mismatch m = compare_places(p);
        const struct phase *larger = phase_of_larger_boxes(&phases, p);
        bool others = other && expects_other_bytes(p, other);
        if ((!others && !larger && !m.more && !m.fewer) || !knows_all_bytes(&phases, p)) continue;
        if (others)
            report_other_bytes(arrivals, p, other);
        else if (larger)
            report_larger_boxes(arrivals, p, larger);
        else
            report_mismatch(arrivals, p, m);
    }
    intern_free(&maps);
    vec_free(&phases);
}
