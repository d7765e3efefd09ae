/* Finds the uses of mbarriers, and what each does. See barriers.h. */
#include "value/barriers.h"

#include "base/intern.h"
#include "base/mem.h"
#include "value/expr.h"
#include "value/instruction.h"

static bool kind_of_mbarrier(const struct subject *subject, uint32_t instr,
                             enum barrier_use_kind *kind)
{
    static const struct {
        const char *modifier;
        enum barrier_use_kind kind;
    } kinds[] = {{".init", BARRIER_INIT},        {".inval", BARRIER_INVAL},
                 {".arrive", BARRIER_ARRIVE},    {".arrive_drop", BARRIER_ARRIVE},
                 {".expect_tx", BARRIER_EXPECT}, {".complete_tx", BARRIER_EXPECT},
                 {".test_wait", BARRIER_WAIT},   {".try_wait", BARRIER_WAIT}};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (!instruction_has(subject, instr, kinds[i].modifier)) continue;
        *kind = kinds[i].kind;
        if (*kind == BARRIER_ARRIVE && instruction_has(subject, instr, ".expect_tx"))
            *kind = BARRIER_ARRIVE_EXPECT;
        return true;
    }
    return false;
}

static bool barrier_kind_of(const struct subject *subject, uint32_t instr,
                            enum barrier_use_kind *kind)
{
    struct str opcode = instruction_opcode(subject, instr);
    if (str_starts(opcode, "mbarrier.")) return kind_of_mbarrier(subject, instr, kind);
    *kind = BARRIER_COMMIT;
    if (str_starts(opcode, "tcgen05.commit")) return true;
    *kind = BARRIER_COPY;
    if (str_starts(opcode, "cp.async.bulk") || str_starts(opcode, "cp.reduce.async.bulk") ||
        str_starts(opcode, "clusterlaunchcontrol.try_cancel"))
        return memmem(opcode.p, opcode.n, "mbarrier::", 10);
    *kind = BARRIER_ASYNC_ARRIVE;
    return str_starts(opcode, "cp.async.mbarrier") || str_starts(opcode, "st.async") ||
           str_starts(opcode, "red.async");
}

/* The bits of a shared address that say which CTA of the cluster it is in. */
#define CTA_BITS 0xff000000

/* The mask leaves the place within the CTA as it is. For a variable whose alignment is known,
 * compilers drop from the mask the low bits that are 0 anyway. */
static bool keeps_place(const struct subject *subject, struct value of, int64_t mask)
{
    enum { PLACE = 0xfff0, ALIGNED = 0x3ff };
    if ((mask & PLACE) == PLACE) return true;
    if (((mask | ALIGNED) & PLACE) != PLACE || !value_is_variable(subject, of)) return false;
    return !(of.offset & ~mask & ALIGNED);
}

/* The address in the own CTA from which the address of another CTA's mbarrier is computed: the
 * operand of mapa, or the value before the bits are masked that distinguish the two CTAs of a
 * pair. */
static struct value local_part(const struct subject *subject, struct value address, bool *remote)
{
    const struct expr *e = value_expr(subject, address);
    struct value of = e->a[0];
    if (e->kind != EXPR_OP) return address;
    bool leader = e->spelling == SPELLING_AND && value_is_constant(e->a[1]) &&
                  (e->a[1].offset & CTA_BITS) != CTA_BITS &&
                  keeps_place(subject, of, e->a[1].offset);
    if (e->spelling != SPELLING_MAPPED && !leader) return address;
    *remote = true;
    of.offset = plus_wrapped(of.offset, address.offset);
    return of;
}

void barriers_set_object(const struct subject *subject, struct barrier_use *use, struct value local)
{
    use->indexed = false;
    use->object =
        value_is_none(local) ? VALUE_NONE : value_fixed_part(subject, local, &use->indexed);
    use->variable = value_is_variable(subject, use->object);
}

uint32_t barriers_operand(const struct subject *subject, uint32_t instr, enum barrier_use_kind kind)
{
    bool last = kind == BARRIER_COPY || kind == BARRIER_ASYNC_ARRIVE;
    return last ? instruction_last_address(subject, instr)
                : instruction_first_address(subject, instr);
}

static void read_use(const struct subject *subject, struct barrier_use *use)
{
    uint32_t operand = barriers_operand(subject, use->instr, use->kind);
    use->address = use->object = VALUE_NONE;
    use->remote = instruction_has(subject, use->instr, ".multicast::cluster");
    if (operand == subject->function->instrs[use->instr].operand_count) return;
    use->address = value_of_operand(subject, use->instr, operand);
    if (value_is_none(use->address)) return;
    barriers_set_object(subject, use, local_part(subject, use->address, &use->remote));
}

/* Comparisons of two uses that count as one unit of effort. */
enum { COMPARED_A_UNIT = 16 };

static bool is_loose(const struct barrier_use *use)
{
    return use->indexed || value_is_none(use->object);
}

/* Builds the lists for barriers_next_alike. */
static void barriers_note_same(const struct subject *subject, struct barriers *all)
{
    struct intern keys = {0};
    uint32_t *numbers = mem_alloc((all->count + 1) * sizeof *numbers), base = 0;
    all->next_same = arena_alloc(subject->arena, all->count, sizeof *all->next_same);
    all->first_same = arena_alloc(subject->arena, all->count, sizeof *all->first_same);
    all->next_init = arena_alloc(subject->arena, all->count, sizeof *all->next_init);
    all->loose = arena_alloc(subject->arena, all->count, sizeof *all->loose);
    all->loose_behind = arena_alloc(subject->arena, all->count, sizeof *all->loose_behind);
    bool one_base = true, variables = true;
    for (uint32_t i = 0; i < all->count; i++) {
        const struct barrier_use *use = &all->uses[i];
        numbers[i] = INTERN_NONE;
        if (!value_is_none(use->object)) {
            one_base &= !base || base == use->object.base + 1;
            variables &= use->variable;
            base = use->object.base + 1;
        }
        if (is_loose(use)) {
            all->loose[all->loose_count++] = i;
            all->loose_behind[i] = all->loose_count;
            continue;
        }
        all->loose_behind[i] = all->loose_count;
        struct str offset = {(const char *)&use->object.offset, sizeof use->object.offset};
        numbers[i] = intern_add(&keys, use->object.base, offset);
    }
    all->bases_differ = one_base || variables;
    intern_list(&keys, numbers, all->count, all->first_same, all->next_same);
    for (uint32_t i = all->count; i-- > 0;) {
        uint32_t next = all->next_same[i];
        all->next_init[i] = all->uses[i].kind == BARRIER_INIT ? i
                            : next < all->count               ? all->next_init[next]
                                                              : all->count;
    }
    mem_free(numbers);
    intern_free(&keys);
}

void barriers_list(const struct subject *subject, struct barriers *all)
{
    all->inits = arena_alloc(subject->arena, all->count, sizeof *all->inits);
    all->inits_behind = arena_room(subject->arena, all->count, sizeof *all->inits_behind);
    all->place = arena_alloc(subject->arena, subject->function->count, sizeof *all->place);
    for (uint32_t i = 0; i < all->count; i++) {
        all->place[all->uses[i].instr] = i + 1;
        if (all->uses[i].kind == BARRIER_INIT) all->inits[all->init_count++] = i;
        all->inits_behind[i] = all->init_count;
    }
    barriers_note_same(subject, all);
}

void barriers_build(struct subject *subject)
{
    struct VEC(struct barrier_use) uses = {0};
    struct barriers *barriers = arena_alloc(subject->arena, 1, sizeof *barriers);
    for (uint32_t n = 0; n < subject->acting_count; n++) {
        struct barrier_use use = {.instr = subject->acting[n]};
        if (!barrier_kind_of(subject, use.instr, &use.kind)) continue;
        read_use(subject, &use);
        vec_push(&uses, use);
    }
    barriers->count = uses.count;
    barriers->uses = arena_alloc(subject->arena, uses.count, sizeof *uses.at);
    if (uses.count) memcpy(barriers->uses, uses.at, uses.count * sizeof *uses.at);
    vec_free(&uses);
    barriers_list(subject, barriers);
    subject->barriers = barriers;
}

/* barriers_next_alike from the lists, if bases_differ. */
static uint32_t next_in_lists(const struct barriers *all, const struct barrier_use *use,
                              uint32_t before, bool inits)
{
    uint32_t place = (uint32_t)(use - all->uses), same = all->first_same[place];
    if (before != UINT32_MAX && !is_loose(&all->uses[before])) {
        same = all->next_same[before];
    } else if (before != UINT32_MAX) {
        if (place <= before) same = place;
        while (same <= before) same = all->next_same[same];
    }
    if (inits && same < all->count) same = all->next_init[same];
    uint32_t loose = before == UINT32_MAX ? 0 : all->loose_behind[before];
    while (loose < all->loose_count &&
           ((inits && all->uses[all->loose[loose]].kind != BARRIER_INIT) ||
            !barriers_may_be_same(&all->uses[all->loose[loose]], use)))
        loose++;
    uint32_t other = loose < all->loose_count ? all->loose[loose] : all->count;
    return same < other ? same : other;
}

uint32_t barriers_next_alike_of(const struct subject *subject, const struct barriers *all,
                                const struct barrier_use *use, uint32_t before)
{
    if (is_loose(use) || !all->bases_differ) {
        uint32_t next = before + 1;
        while (next < all->count && !barriers_may_be_same(&all->uses[next], use)) next++;
        subject_spend(subject, (next - before) / COMPARED_A_UNIT);
        return next;
    }
    return next_in_lists(all, use, before, false);
}

uint32_t barriers_next_alike(const struct subject *subject, const struct barrier_use *use,
                             uint32_t before)
{
    return barriers_next_alike_of(subject, subject->barriers, use, before);
}

uint32_t barriers_next_init_of(const struct subject *subject, const struct barriers *all,
                               const struct barrier_use *use, uint32_t before)
{
    if (is_loose(use) || !all->bases_differ) {
        uint32_t first = before == UINT32_MAX ? 0 : all->inits_behind[before], i = first;
        while (i < all->init_count && !barriers_may_be_same(&all->uses[all->inits[i]], use)) i++;
        subject_spend(subject, (i - first) / COMPARED_A_UNIT);
        return i < all->init_count ? all->inits[i] : all->count;
    }
    if (!all->init_count) return all->count;
    return next_in_lists(all, use, before, true);
}

uint32_t barriers_next_init(const struct subject *subject, const struct barrier_use *use,
                            uint32_t before)
{
    return barriers_next_init_of(subject, subject->barriers, use, before);
}

bool barriers_same(const struct barrier_use *a, const struct barrier_use *b)
{
    return value_same(a->object, b->object) && a->indexed == b->indexed;
}

const struct barrier_use *barriers_copied(const struct subject *subject,
                                          const struct barrier_use *copy)
{
    const struct barrier_use *at = barriers_at(subject, copy->instr);
    return at && value_same(at->address, copy->address) && value_same(at->object, copy->object) &&
                   at->indexed == copy->indexed
               ? at
               : NULL;
}
