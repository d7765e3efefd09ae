/* Evaluates conditions and addresses for the CTA with a given rank. See cluster_rank.h. */
#include "lint/cluster_rank.h"

#include "base/vec.h"
#include "lint/handover.h"
#include "value/instruction.h"

enum { MASK_ALL = (1 << CLUSTER_CTAS_MAX) - 1, PAIR = 2 };

struct cta {
    const struct lint *lint;
    const struct lanes_shape *shape;
    uint32_t rank;
};

/* What a value is in the CTA: a number, or unknown. An unknown value is alike if it is the same in
 * the thread with the same number in each CTA. */
struct ranked {
    bool known, alike;
    bool by_rank; /* a number that differs among the CTAs */
    int64_t number;
};

static const struct ranked ranked_unknown = {0}, ranked_alike = {.alike = true};

/* What one row of the expressions is in the CTA of each rank, if it was asked for. */
struct rank_answers {
    bool known[CLUSTER_CTAS_MAX];
    struct ranked at[CLUSTER_CTAS_MAX];
};

struct cluster_ranks {
    struct VEC(struct rank_answers *) of; /* by row of the expressions; NULL: not asked for */
    uint32_t *runs;                       /* by instruction: see ranks_of; NULL: not asked for */
};

static struct ranked rank_of_value(const struct cta *cta, struct value v);

static struct ranked ranked_number(int64_t number, bool by_rank)
{
    return (struct ranked){.known = true, .by_rank = by_rank, .number = number};
}

static bool is_of_one_cta(struct str name)
{
    static const char *const prefixes[] = {"%ctaid",  "%cluster_ctaid", "%smid",
                                           "%warpid", "%clock",         "%globaltimer",
                                           "%nsmid",  "%gridid",        "%pm"};
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
        if (str_starts(name, prefixes[i])) return true;
    return false;
}

static struct ranked rank_of_name(const struct cta *cta, struct str name)
{
    bool row = cta->shape->cta_row;
    if (str_is(name, "%cluster_ctarank")) return ranked_number(cta->rank, true);
    if (str_is(name, "%cluster_nctarank")) return ranked_number(cta->shape->ctas, false);
    if (row && str_is(name, "%cluster_ctaid.x")) return ranked_number(cta->rank, true);
    if (row && str_is(name, "%cluster_nctaid.x")) return ranked_number(cta->shape->ctas, false);
    return is_of_one_cta(name) ? ranked_unknown : ranked_alike;
}

/* The CTAs of a cluster that is one row have consecutive %ctaid.x, beginning at a multiple of their
 * number. */
static bool is_rank_masked(const struct cta *cta, const struct expr *e)
{
    const struct expr *of = value_expr(cta->lint->subject, e->a[0]);
    int64_t mask = e->a[1].offset;
    return cta->shape->cta_row && value_is_constant(e->a[1]) && !e->a[0].offset &&
           of->kind == EXPR_NAME && mask > 0 && mask < CLUSTER_CTAS_MAX && !(mask & (mask + 1)) &&
           cta->shape->ctas % (mask + 1) == 0 &&
           str_is(value_name(cta->lint->subject, of->web), "%ctaid.x");
}

/* The number of a cluster that is one row, or of a group of such clusters: %ctaid.x divided by a
 * multiple of its size. */
static bool is_number_of_cluster(const struct cta *cta, const struct expr *e)
{
    const struct subject *subject = cta->lint->subject;
    const struct expr *of = value_expr(subject, e->a[0]);
    int64_t by = e->a[1].offset;
    if (!cta->shape->cta_row || e->kind != EXPR_OP || !value_is_constant(e->a[1])) return false;
    if (of->kind != EXPR_NAME || e->a[0].offset ||
        !str_is(value_name(subject, of->web), "%ctaid.x"))
        return false;
    if (e->spelling == SPELLING_SHIFT_RIGHT)
        return by >= 0 && by < 32 && !((1u << by) % cta->shape->ctas);
    bool divides =
        e->spelling < SPELLING_MAPPED && str_starts(subject->spelled[e->spelling]->opcode, "div.");
    return divides && by > 0 && !(by % cta->shape->ctas);
}

/* Sets *n to the result of the operation. False if the operation is not understood. */
static bool operate(const struct cta *cta, const struct expr *e, int64_t a, int64_t b, int64_t *n)
{
    struct str opcode = {"", 0};
    bool named = e->kind == EXPR_OP && e->spelling < SPELLING_MAPPED;
    if (named) opcode = cta->lint->subject->spelled[e->spelling]->opcode;
    if (e->kind == EXPR_SUM)
        *n = plus_wrapped(a, b);
    else if (e->kind == EXPR_PRODUCT)
        *n = times_wrapped(a, b);
    else if (e->kind == EXPR_EQ)
        *n = a == b;
    else if (e->kind == EXPR_LT_S || (e->kind == EXPR_LT_U && a >= 0 && b >= 0))
        *n = a < b;
    else if (e->kind == EXPR_AND || (e->kind == EXPR_OP && e->spelling == SPELLING_AND))
        *n = a & b;
    else if (e->kind == EXPR_OR || str_starts(opcode, "or."))
        *n = a | b;
    else if (str_starts(opcode, "xor."))
        *n = a ^ b;
    else if (str_starts(opcode, "sub."))
        *n = minus_wrapped(a, b);
    else if (e->kind == EXPR_OP && e->spelling == SPELLING_SHIFT_RIGHT && a >= 0)
        *n = a >> (b & 63);
    else
        return false;
    return true;
}

/* One operand decides: the conjunction with false, the disjunction with true. */
static bool decides(const struct expr *e, struct ranked r)
{
    return r.known && ((e->kind == EXPR_AND && !r.number) || (e->kind == EXPR_OR && r.number));
}

static struct ranked rank_of_operation(const struct cta *cta, const struct expr *e)
{
    struct ranked a = rank_of_value(cta, e->a[0]), b = rank_of_value(cta, e->a[1]);
    int64_t n;
    if (e->kind == EXPR_OP && e->spelling == SPELLING_AND && is_rank_masked(cta, e))
        return ranked_number(cta->rank & e->a[1].offset, true);
    if (is_number_of_cluster(cta, e)) return ranked_alike;
    if (decides(e, a)) return a;
    if (decides(e, b)) return b;
    if (a.known && b.known && operate(cta, e, a.number, b.number, &n))
        return ranked_number(n, a.by_rank || b.by_rank);
    bool alike = (a.known || a.alike) && (b.known || b.alike);
    return alike && !a.by_rank && !b.by_rank ? ranked_alike : ranked_unknown;
}

static struct ranked rank_of_base(const struct cta *cta, const struct expr *e)
{
    switch (e->kind) {
    case EXPR_NAME: return rank_of_name(cta, value_name(cta->lint->subject, e->web));
    case EXPR_PARAMETER:
    case EXPR_ELECTED: return ranked_alike;
    case EXPR_SELECT: {
        struct ranked which = rank_of_value(cta, e->a[2]);
        if (which.known) return rank_of_value(cta, e->a[which.number ? 0 : 1]);
        return ranked_unknown;
    }
    case EXPR_ALLOCATED:
    case EXPR_LOADED:
    case EXPR_REG: return ranked_unknown;
    default: return rank_of_operation(cta, e);
    }
}

static bool is_truth_value(const struct expr *e)
{
    return e->kind == EXPR_EQ || e->kind == EXPR_LT_S || e->kind == EXPR_LT_U ||
           e->kind == EXPR_AND || e->kind == EXPR_OR;
}

/* The answers for the base; NULL for a CTA of a cluster that is too large. */
static struct rank_answers *rank_answers_of(const struct cta *cta, uint32_t base)
{
    struct cluster_ranks *ranks = cta->lint->ranks;
    if (cta->rank >= CLUSTER_CTAS_MAX) return NULL;
    if (base >= ranks->of.count) {
        uint32_t more = base + 1 - ranks->of.count;
        vec_reserve(&ranks->of, more);
        memset(ranks->of.at + ranks->of.count, 0, more * sizeof *ranks->of.at);
        ranks->of.count += more;
    }
    struct rank_answers **answers = &ranks->of.at[base];
    if (!*answers) *answers = arena_alloc(cta->lint->arena, 1, sizeof **answers);
    return *answers;
}

/* As rank_of_base, computed once for each base and rank. */
static struct ranked rank_of_base_once(const struct cta *cta, uint32_t base, const struct expr *e)
{
    struct rank_answers *answers = rank_answers_of(cta, base);
    if (answers && answers->known[cta->rank]) return answers->at[cta->rank];
    struct ranked r = rank_of_base(cta, e);
    if (!answers) return r;
    answers->known[cta->rank] = true;
    return answers->at[cta->rank] = r;
}

static struct ranked rank_of_value(const struct cta *cta, struct value v)
{
    if (value_is_none(v)) return ranked_unknown;
    if (value_is_constant(v)) return ranked_number(v.offset, false);
    const struct expr e = *value_expr(cta->lint->subject, v);
    lint_spend(cta->lint, 1);
    struct ranked r = rank_of_base_once(cta, v.base, &e);
    if (r.known && is_truth_value(&e))
        r.number ^= v.offset & 1;
    else if (r.known)
        r.number = plus_wrapped(r.number, v.offset);
    return r;
}

bool cluster_rank_alike(const struct lint *lint, const struct lanes_shape *shape, struct value v)
{
    struct ranked r = rank_of_value(&(struct cta){lint, shape, 0}, v);
    return r.alike || (r.known && !r.by_rank);
}

struct cluster_ranks *cluster_ranks_new(const struct lint *lint)
{
    return arena_alloc(lint->arena, 1, sizeof(struct cluster_ranks));
}

void cluster_ranks_free(struct cluster_ranks *ranks)
{
    vec_free(&ranks->of);
}

enum truth cluster_rank_runs(const struct lint *lint, const struct lanes_shape *shape,
                             uint32_t instr, uint32_t rank)
{
    struct cta cta = {lint, shape, rank};
    struct condition_set set = conditions_of(lint->subject, instr);
    enum truth runs = set.lost ? TRUTH_UNKNOWN : TRUTH_YES;
    for (uint32_t i = 0; i < set.count; i++) {
        struct ranked r = rank_of_value(&cta, (struct value){set.at[i].base, 0});
        if (r.known && (r.number != 0) != set.at[i].holds) return TRUTH_NO;
        if (!r.known && !r.alike) runs = TRUTH_UNKNOWN;
    }
    return runs;
}

/* The ranks of the CTAs that may execute the instruction, as bits, and above them ASKED. */
static uint32_t ranks_of(const struct lint *lint, uint32_t instr)
{
    enum { ASKED = 1 << CLUSTER_CTAS_MAX };
    const struct lanes_shape *shape = &lint->handovers->shape;
    struct cluster_ranks *ranks = lint->ranks;
    if (!ranks->runs)
        ranks->runs = arena_alloc(lint->arena, lint->function->count, sizeof *ranks->runs);
    uint32_t runs = ranks->runs[instr];
    if (runs) return runs & (ASKED - 1);
    for (uint32_t rank = 0; rank < shape->ctas; rank++)
        if (cluster_rank_runs(lint, shape, instr, rank) != TRUTH_NO) runs |= 1u << rank;
    ranks->runs[instr] = runs | ASKED;
    return runs;
}

bool cluster_rank_may_share(const struct lint *lint, uint32_t a, uint32_t b)
{
    const struct lanes_shape *shape = &lint->handovers->shape;
    if (shape->ctas < 2 || shape->ctas > CLUSTER_CTAS_MAX) return true;
    return ranks_of(lint, a) & ranks_of(lint, b);
}

bool cluster_rank_leaves(const struct lint *lint, const struct lanes_shape *shape, uint32_t instr,
                         struct value to)
{
    if (shape->ctas > CLUSTER_CTAS_MAX) return false;
    for (uint32_t rank = 0; rank < shape->ctas; rank++) {
        struct ranked r = rank_of_value(&(struct cta){lint, shape, rank}, to);
        if (r.known && r.number != rank && cluster_rank_runs(lint, shape, instr, rank) == TRUTH_YES)
            return true;
    }
    return false;
}

/* ---- where it arrives ---- */

/* The CTAs, as bits by rank, in which the mbarrier may be. *sure: it is in that CTA. */
static uint32_t named_ctas(const struct cta *cta, const struct barrier_use *use, bool *sure)
{
    const struct subject *subject = cta->lint->subject;
    uint32_t terms[EXPR_TERMS_MAX], count;
    *sure = false;
    if (value_is_none(use->address)) return MASK_ALL;
    count = exprs_terms(values_exprs(subject), use->address.base, terms);
    for (uint32_t i = 0; i < count; i++) {
        const struct expr e = *value_expr(subject, (struct value){terms[i], 0});
        bool other =
            subject->maps && (e.kind == EXPR_REG || e.kind == EXPR_LOADED || e.kind == EXPR_SELECT);
        if (other) return MASK_ALL;
        if (e.kind != EXPR_OP || e.spelling != SPELLING_MAPPED) continue;
        struct ranked to = rank_of_value(cta, e.a[1]);
        *sure = to.known && to.number >= 0 && to.number < cta->shape->ctas;
        return *sure ? 1u << to.number : MASK_ALL;
    }
    *sure = !use->remote || cta->shape->ctas == PAIR; /* remote: in the leader of a pair */
    if (use->remote) return *sure ? 1 : MASK_ALL;
    return 1u << cta->rank;
}

/* The mask of a multicast is the last operand. */
static uint32_t multicast_ctas(const struct cta *cta, const struct barrier_use *use, bool *sure)
{
    const struct subject *subject = cta->lint->subject;
    uint32_t count = cta->lint->function->instrs[use->instr].operand_count;
    struct ranked mask = rank_of_value(cta, value_of_operand(subject, use->instr, count - 1));
    *sure = mask.known;
    return mask.known ? (uint32_t)mask.number : MASK_ALL;
}

struct cluster_arrivals cluster_rank_arrivals(const struct lint *lint,
                                              const struct lanes_shape *shape,
                                              const struct barrier_use *use)
{
    bool multicast = instruction_has(lint->subject, use->instr, ".multicast::cluster");
    struct cluster_arrivals arrivals = {0};
    for (uint32_t from = 0; from < shape->ctas; from++) {
        struct cta cta = {lint, shape, from};
        enum truth runs = cluster_rank_runs(lint, shape, use->instr, from);
        bool sure = true;
        if (runs == TRUTH_NO) continue;
        uint32_t ctas = multicast ? multicast_ctas(&cta, use, &sure) : named_ctas(&cta, use, &sure);
        for (uint32_t to = 0; to < shape->ctas; to++) {
            if (!(ctas >> to & 1)) continue;
            arrivals.most[to]++;
            if (sure && runs == TRUTH_YES) arrivals.least[to]++;
        }
    }
    return arrivals;
}
