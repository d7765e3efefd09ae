/* Finds the instructions that access the shared memory of another CTA of the cluster. */
#include "lint/peer.h"

#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "lint/arrays.h"
#include "lint/cluster_rank.h"
#include "ptx/digits.h"
#include "value/instruction.h"

enum { STEPS_MAX = 400, BARRIERS_MAX = 6 };

/* The bits of a shared address that say which CTA of the cluster it is in. */
#define CTA_BITS 0xff000000

/* What is found while tracing an address backwards. */
struct way {
    struct smem_tracing *tracing;
    uint32_t steps;
    bool mapped, own, unknown; /* by mapa; a symbol of this CTA; anything else */
    struct value rank;
};

/* ---- which CTA the memory belongs to ---- */

static void follow_base(struct way *way, uint32_t base);

static void follow_register(struct way *way, uint32_t web)
{
    struct smem_tracing *t = way->tracing;
    const struct subject *subject = t->lint->subject;
    uint32_t last = value_last_write(subject, web);
    if (t->open[web]) return;
    if (last == NO_WRITE) way->unknown = true;
    t->open[web] = true;
    for (uint32_t u = last; u != NO_WRITE; u = value_write_before(subject, u)) {
        struct value v = value_computed(subject, value_write_instr(subject, u));
        if (value_is_none(v))
            way->unknown = true;
        else
            follow_base(way, v.base);
    }
    t->open[web] = false;
}

static void follow_operation(struct way *way, const struct expr *e)
{
    bool masks = e->spelling == SPELLING_AND && value_is_constant(e->a[1]);
    if (e->spelling == SPELLING_MAPPED) {
        bool other = way->mapped && !value_same(way->rank, e->a[1]);
        way->mapped = true;
        way->unknown |= other;
        way->rank = e->a[1];
        return;
    }
    if (masks && (e->a[1].offset & CTA_BITS) != CTA_BITS && (e->a[1].offset & 0xfff0) == 0xfff0)
        way->unknown = true; /* the address in the leader of a CTA pair */
    for (int i = 0; i < 3; i++) {
        if (e->a[i].base) follow_base(way, e->a[i].base);
        if (!e->a[i].base && e->a[i].offset & CTA_BITS && !masks) way->unknown = true;
    }
}

static void follow_base(struct way *way, uint32_t base)
{
    const struct lint *lint = way->tracing->lint;
    if (!base) return;
    const struct expr e = *value_expr(lint->subject, (struct value){base, 0});
    lint_spend(lint, 1);
    if (++way->steps > STEPS_MAX) way->unknown = true;
    if (way->steps > STEPS_MAX || e.kind == EXPR_PRODUCT || e.of_thread) return;
    switch (e.kind) {
    case EXPR_NAME: way->own |= value_is_variable(lint->subject, (struct value){base, 0}); return;
    case EXPR_SUM:
    case EXPR_SELECT:
        follow_base(way, e.a[0].base);
        follow_base(way, e.a[1].base);
        return;
    case EXPR_OP: follow_operation(way, &e); return;
    case EXPR_REG: follow_register(way, e.web); return;
    default: way->unknown = true; return;
    }
}

/* The rank may be that of the own CTA: it is computed only from %cluster_ctarank or %ctaid. */
static bool may_be_own_rank(const struct lint *lint, struct value rank)
{
    const struct expr e = *value_expr(lint->subject, rank);
    if (!rank.base || rank.offset) return false;
    if (e.kind == EXPR_NAME) {
        struct str name = value_name(lint->subject, e.web);
        return str_starts(name, "%cluster_cta") || str_starts(name, "%ctaid");
    }
    if (e.kind == EXPR_PRODUCT) return may_be_own_rank(lint, e.a[0]);
    if (e.kind == EXPR_SUM) return may_be_own_rank(lint, e.a[0]) || may_be_own_rank(lint, e.a[1]);
    bool plain = e.spelling == SPELLING_AND || e.spelling == SPELLING_SHIFT_RIGHT;
    return e.kind == EXPR_OP && plain && may_be_own_rank(lint, e.a[0]);
}

/* Only the CTA with that rank executes the instruction. */
static bool is_own_there(const struct lint *lint, uint32_t instr, struct value rank)
{
    struct condition_set set = conditions_of(lint->subject, instr);
    for (uint32_t i = 0; i < set.count && value_is_constant(rank); i++) {
        const struct expr *e = value_expr(lint->subject, (struct value){set.at[i].base, 0});
        if (e->kind != EXPR_EQ || !set.at[i].holds) continue;
        for (int k = 0; k < 2; k++) {
            const struct expr *of = value_expr(lint->subject, e->a[k]);
            struct value number = e->a[1 - k];
            if (value_is_constant(number) &&
                may_be_own_rank(lint, (struct value){e->a[k].base, 0}) && of->kind != EXPR_SUM &&
                number.offset == rank.offset + e->a[k].offset)
                return true;
        }
    }
    return false;
}

/* If a register has one definition, the value that it computes, whatever its guard. */
static struct value where_defined(const struct lint *lint, struct value v)
{
    const struct expr *e = v.base ? value_expr(lint->subject, v) : NULL;
    uint32_t last;
    if (!e || e->kind != EXPR_REG || value_definitions(lint->subject, e->web, &last) != 1) return v;
    struct value computed = value_computed(lint->subject, last);
    if (value_is_none(computed)) return v;
    computed.offset = plus_wrapped(computed.offset, v.offset);
    return computed;
}

/* The address with each result of mapa replaced by its operand. */
static struct value unmapped_address(const struct lint *lint, struct value v)
{
    uint32_t terms[EXPR_TERMS_MAX];
    struct value sum = {0, v.offset};
    if (value_is_none(v) || !v.base) return v;
    v = where_defined(lint, v);
    sum.offset = v.offset;
    uint32_t count = exprs_terms(values_exprs(lint->subject), v.base, terms);
    for (uint32_t i = 0; i < count && !value_is_none(sum); i++) {
        struct value term = {terms[i], 0};
        const struct expr e = *value_expr(lint->subject, term);
        if (e.kind == EXPR_OP && e.spelling == SPELLING_MAPPED) term = e.a[0];
        sum = value_sum(lint->subject, sum, term);
    }
    return sum;
}

static bool is_address(const struct lint *lint, uint32_t instr, uint32_t operand, struct value *v)
{
    const struct subject *subject = lint->subject;
    if (instruction_begins(subject, instr, operand) != '[') return false;
    *v = value_of_operand(subject, instr, operand);
    return !value_is_none(*v);
}

enum peer_side peer_side_of(const struct lint *lint, uint32_t instr, uint32_t operand)
{
    struct way way = {.tracing = lint->tracing, .rank = VALUE_NONE};
    struct value v;
    if (!lint->subject->maps || !is_address(lint, instr, operand, &v)) return PEER_UNKNOWN;
    follow_base(&way, v.base);
    if (way.own && !way.mapped && !way.unknown) return PEER_OWN;
    if (!way.mapped || way.own || value_is_none(way.rank)) return PEER_UNKNOWN;
    if (is_own_there(lint, instr, way.rank)) return PEER_UNKNOWN;
    if (!may_be_own_rank(lint, way.rank)) return PEER_OTHER;
    return cluster_rank_leaves(lint, &lint->handovers->shape, instr, way.rank) ? PEER_OTHER
                                                                               : PEER_UNKNOWN;
}

static struct value local_of(const struct lint *lint, uint32_t instr, uint32_t operand)
{
    struct value v;
    if (!is_address(lint, instr, operand, &v)) return VALUE_NONE;
    return unmapped_address(lint, v);
}

/* ---- what is touched ---- */

/* The first or last operand in brackets; NO_INSTR: none. */
static uint32_t bracket_operand(const struct lint *lint, uint32_t instr, bool last)
{
    uint32_t found = NO_INSTR;
    for (uint32_t n = 0; n < lint->function->instrs[instr].operand_count; n++) {
        if (instruction_begins(lint->subject, instr, n) != '[') continue;
        if (found == NO_INSTR || last) found = n;
    }
    return found;
}

static void set_signal(const struct peers *peers, struct peer_access *a, uint32_t operand)
{
    const struct handover *h = handover_at(peers->lint, a->instr);
    const struct barrier_use *use = barriers_at(peers->lint->subject, a->instr);
    struct value local = local_of(peers->lint, a->instr, operand);
    if (!use) return;
    a->use = *use;
    a->signals = h && h->signals;
    if (h) a->handover = *h;
    a->use.address = local;
    barriers_set_object(peers->lint->subject, &a->use, local);
}

bool peer_as_own(const struct lint *lint, uint32_t instr, struct barrier_use *use)
{
    const struct barrier_use *as_written = barriers_at(lint->subject, instr);
    uint32_t operand = bracket_operand(lint, instr, false);
    if (!as_written || operand == NO_INSTR) return false;
    struct value local = local_of(lint, instr, operand);
    if (value_is_none(local)) return false;
    *use = *as_written;
    use->remote = false;
    use->address = local;
    barriers_set_object(lint->subject, use, local);
    return !value_is_none(use->object);
}

struct barrier_use peer_use_as_own(const struct lint *lint, const struct barrier_use *use)
{
    struct barrier_use own = *use;
    if (lint->subject->maps && !value_is_none(use->address))
        (void)peer_as_own(lint, use->instr, &own);
    own.remote = false;
    return own;
}

/* Fills *a. False if the instruction certainly accesses nothing of another CTA. */
static bool read_access(const struct peers *peers, struct peer_access *a)
{
    const struct lint *lint = peers->lint;
    struct str base = instruction_base(lint->subject, a->instr);
    const struct barrier_use *use = barriers_at(lint->subject, a->instr);
    bool multicast = instruction_has(lint->subject, a->instr, ".multicast::cluster");
    if (!multicast && !lint->subject->maps) return false;
    uint32_t first = bracket_operand(lint, a->instr, false),
             last = bracket_operand(lint, a->instr, true);
    bool ld = str_is(base, "ld"), st = str_is(base, "st") || str_is(base, "red");
    bool async = use && (use->kind == BARRIER_COPY || use->kind == BARRIER_ASYNC_ARRIVE);
    if (first == NO_INSTR) return false;
    a->operand = first;
    a->kind = multicast ? PEER_MULTICAST : async ? PEER_ASYNC : ld ? PEER_LOAD : PEER_STORE;
    if (use && str_is(base, "mbarrier")) a->kind = PEER_ARRIVE;
    if (!use && !ld && !st && !str_is(base, "atom")) return false;
    if (!multicast && peer_side_of(peers->lint, a->instr, first) != PEER_OTHER) return false;
    a->local = local_of(peers->lint, a->instr, first);
    if (use) set_signal(peers, a, async ? last : first);
    return true;
}

/* The text declares a cluster or uses barrier.cluster. ".reqnctapercluster 1, 1, 1" is not a
 * cluster. */
static bool is_cluster(const struct lint *lint)
{
    static const char directive[] = ".reqnctapercluster";
    struct str text = source_slice(lint->view->source, lint->function->span);
    const char *body = memchr(text.p, '{', text.n);
    const char *at =
        body ? memmem(text.p, (size_t)(body - text.p), directive, strlen(directive)) : NULL;
    for (const char *c = at; c && c < body && *c != '\n'; c++)
        if ((*c >= '2' && *c <= '9') || (*c == '1' && c[1] >= '0' && c[1] <= '9')) return true;
    for (uint32_t n = 0; !at && n < lint->subject->acting_count; n++) {
        uint32_t i = lint->subject->acting[n];
        if (str_starts(instruction_opcode(lint->subject, i), "barrier.cluster.")) return true;
    }
    return false;
}

struct peers *peers_find(struct lint *lint)
{
    if (lint->peers) return lint->peers;
    struct peers *peers = lint->peers = arena_alloc(lint->arena, 1, sizeof *peers);
    struct VEC(struct peer_access) found = {0};
    peers->lint = lint;
    peers->cluster = is_cluster(lint);
    smem_origins_begin(lint);
    for (uint32_t n = 0; n < lint->subject->acting_count; n++) {
        uint32_t i = lint->subject->acting[n];
        struct peer_access access = {.instr = i};
        if (!conditions_reach(lint->subject, lint->cfg->block_of[i])) continue;
        if (read_access(peers, &access)) vec_push(&found, access);
    }
    peers->count = found.count;
    peers->at = arena_alloc(lint->arena, found.count, sizeof *found.at);
    if (found.count) memcpy(peers->at, found.at, found.count * sizeof *found.at);
    peers->place = arena_alloc(lint->arena, lint->function->count, sizeof *peers->place);
    for (uint32_t i = 0; i < peers->count; i++) {
        peers->at[i].handover.use = &peers->at[i].use;
        peers->place[peers->at[i].instr] = i + 1;
    }
    vec_free(&found);
    return peers;
}

const struct peer_access *peer_at(const struct peers *peers, uint32_t instr)
{
    uint32_t place = peers->place[instr];
    return place ? &peers->at[place - 1] : NULL;
}

bool peer_may_meet(const struct peers *peers, const struct peer_access *access,
                   const struct handover *wait)
{
    const struct lint *lint = peers->lint;
    if (!access->signals || !wait->waits || wait->channel != CHANNEL_MBARRIER) return false;
    if (arrays_likely_others(lint, &access->use, wait->use)) return false;
    return handover_may_meet(lint, &access->handover, wait);
}

/* ---- through barriers of the CTA ---- */

struct meeting {
    walk_look *look;
    void *context;
    uint32_t starts[BARRIERS_MAX], count;
};

static enum walk_does look_on(void *context, const struct lint *lint, uint32_t instr,
                              unsigned *state)
{
    struct meeting *m = context;
    enum walk_does does = m->look(m->context, lint, instr, state);
    bool joins = lint_effect(lint, instr) == EFFECT_BOTH_BARRIER &&
                 instruction_joins_warps(lint->subject, instr) &&
                 !instruction_has(lint->subject, instr, ".cluster");
    if (does != WALK_ON || !joins || m->count == BARRIERS_MAX) return does;
    for (uint32_t i = 0; i < m->count; i++)
        if (m->starts[i] == instr) return does;
    m->starts[m->count++] = instr;
    return does;
}

bool peer_walk(const struct lint *lint, uint32_t from, uint32_t interest, walk_look *look,
               void *context, struct walk_path *path)
{
    struct meeting m = {.look = look, .context = context, .starts = {from}, .count = 1};
    interest |= 1u << EFFECT_BOTH_BARRIER;
    for (uint32_t i = 0; i < m.count; i++)
        if (walk_forward(lint, m.starts[i], 0, interest, look_on, &m, path)) return true;
    return false;
}
