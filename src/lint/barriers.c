/* Which mbarrier is used where? */
#include "lint/barriers.h"

#include <stdlib.h>

#include "lint/expr.h"
#include "lint/instruction.h"

/* Which operand is the mbarrier's address: the first in brackets, of a copy the last one. */
static bool find_address(const struct lint *lint, uint32_t instr, bool last, uint32_t *operand)
{
    uint32_t count = lint->function->instrs[instr].operand_count;
    bool found = false;
    for (uint32_t n = 0; n < count; n++) {
        if (instruction_operand(lint, instr, n).p[0] != '[' || (found && !last)) continue;
        *operand = n;
        found = true;
    }
    return found;
}

static bool kind_of_mbarrier(const struct lint *lint, uint32_t instr, enum barrier_use_kind *kind)
{
    static const struct {
        const char *modifier;
        enum barrier_use_kind kind;
    } kinds[] = {{".init", BARRIER_INIT},        {".inval", BARRIER_INVAL},
                 {".arrive", BARRIER_ARRIVE},    {".arrive_drop", BARRIER_ARRIVE},
                 {".expect_tx", BARRIER_EXPECT}, {".complete_tx", BARRIER_EXPECT},
                 {".test_wait", BARRIER_WAIT},   {".try_wait", BARRIER_WAIT}};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (!instruction_has(lint, instr, kinds[i].modifier)) continue;
        *kind = kinds[i].kind;
        if (*kind == BARRIER_ARRIVE && instruction_has(lint, instr, ".expect_tx"))
            *kind = BARRIER_ARRIVE_EXPECT;
        return true;
    }
    return false;
}

static bool kind_of(const struct lint *lint, uint32_t instr, enum barrier_use_kind *kind)
{
    struct str opcode = instruction_opcode(lint, instr);
    if (str_starts(opcode, "mbarrier.")) return kind_of_mbarrier(lint, instr, kind);
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

/* Which CTA of the cluster a shared address is in, say its bits from here on. */
#define CTA_BITS 0xff000000

/* The address in the own CTA that the mbarrier of another one is mapped from: by mapa, or by taking
 * the bits away that say which one of a pair it is. */
static struct value local_part(const struct lint *lint, struct value address, bool *remote)
{
    const struct expr *e = value_expr(lint, address);
    struct value of = e->a[0];
    if (e->kind != EXPR_OP) return address;
    bool leader = e->spelling == SPELLING_AND && value_is_constant(e->a[1]) &&
                  (e->a[1].offset & CTA_BITS) != CTA_BITS && (e->a[1].offset & 0xfff0) == 0xfff0;
    if (e->spelling != SPELLING_MAPPED && !leader) return address;
    *remote = true;
    of.offset = plus_wrapped(of.offset, address.offset);
    return of;
}

static void read_use(const struct lint *lint, struct barrier_use *use)
{
    bool last = use->kind == BARRIER_COPY || use->kind == BARRIER_ASYNC_ARRIVE;
    uint32_t operand;
    use->address = use->object = VALUE_NONE;
    use->remote = instruction_has(lint, use->instr, ".multicast::cluster");
    if (!find_address(lint, use->instr, last, &operand)) return;
    use->address = value_of_operand(lint, use->instr, operand);
    if (value_is_none(use->address)) return;
    struct value local = local_part(lint, use->address, &use->remote);
    use->object = value_fixed_part(lint, local, &use->indexed);
}

struct barriers *barriers_find(struct lint *lint)
{
    struct VEC(struct barrier_use) uses = {0};
    struct barriers *barriers = arena_alloc(lint->arena, 1, sizeof *barriers);
    for (uint32_t i = 0; i + 1 < lint->function->count; i++) {
        struct barrier_use use = {.instr = i};
        if (lint->function->instrs[i].opcode->effect == EFFECT_REGISTER) continue;
        if (!kind_of(lint, i, &use.kind)) continue;
        read_use(lint, &use);
        vec_push(&uses, use);
    }
    barriers->count = uses.count;
    barriers->uses = arena_alloc(lint->arena, uses.count, sizeof *uses.at);
    if (uses.count) memcpy(barriers->uses, uses.at, uses.count * sizeof *uses.at);
    vec_free(&uses);
    return barriers;
}

bool barriers_same(const struct barrier_use *a, const struct barrier_use *b)
{
    return value_same(a->object, b->object) && a->indexed == b->indexed;
}

bool barriers_may_be_same(const struct barrier_use *a, const struct barrier_use *b)
{
    bool known = !value_is_none(a->object) && !value_is_none(b->object);
    if (!known || a->object.base != b->object.base) return true;
    return a->indexed || b->indexed || a->object.offset == b->object.offset;
}

/* Where the arrays of mbarriers that begin next before (or at) and behind an offset begin. */
struct neighbours {
    int64_t at, before, behind;
};

static struct neighbours find_neighbours(const struct lint *lint, struct value object)
{
    struct neighbours n = {INT64_MIN, INT64_MIN, INT64_MAX};
    lint_spend(lint, lint->barriers->count);
    for (uint32_t i = 0; i < lint->barriers->count; i++) {
        const struct barrier_use *use = &lint->barriers->uses[i];
        int64_t start = use->object.offset;
        if (!use->indexed || use->object.base != object.base || start == n.at) continue;
        if (start > object.offset) {
            if (start < n.behind) n.behind = start;
        } else if (start > n.at) {
            n.before = n.at;
            n.at = start;
        } else if (start > n.before) {
            n.before = start;
        }
    }
    return n;
}

/* The array that the mbarrier is most likely of, where one role goes round it and the other has its
 * loop unrolled: they come in pairs of one length, full and empty, and so end within the distance
 * of the nearest. */
static struct value array_of(const struct lint *lint, const struct barrier_use *of)
{
    struct neighbours n = find_neighbours(lint, of->object);
    int64_t length = INT64_MAX;
    if (of->indexed) return of->object;
    if (n.at == INT64_MIN) return VALUE_NONE;
    if (n.before != INT64_MIN) length = minus_wrapped(n.at, n.before);
    if (n.behind != INT64_MAX && minus_wrapped(n.behind, n.at) < length)
        length = minus_wrapped(n.behind, n.at);
    if (minus_wrapped(of->object.offset, n.at) >= length) return VALUE_NONE;
    return (struct value){of->object.base, n.at};
}

bool barriers_likely_same(const struct lint *lint, const struct barrier_use *a,
                          const struct barrier_use *b)
{
    return a->indexed != b->indexed && value_same(array_of(lint, a), array_of(lint, b));
}

bool barriers_likely_others(const struct lint *lint, const struct barrier_use *a,
                            const struct barrier_use *b)
{
    if (!barriers_may_be_same(a, b)) return true;
    bool known = !value_is_none(a->object) && !value_is_none(b->object);
    if (!known || (!a->indexed && !b->indexed)) return false;
    return !value_same(array_of(lint, a), array_of(lint, b));
}

static int by_instr(const void *a, const void *b)
{
    const struct barrier_use *x = a, *y = b;
    return x->instr < y->instr ? -1 : x->instr > y->instr;
}

const struct barrier_use *barriers_at(const struct lint *lint, uint32_t instr)
{
    struct barrier_use key = {.instr = instr};
    if (!lint->barriers->count) return NULL;
    return bsearch(&key, lint->barriers->uses, lint->barriers->count, sizeof key, by_instr);
}
