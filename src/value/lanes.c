/* Tries predicates out for each lane of each warp. See lanes.h. */
#include "value/lanes.h"

#include "ptx/digits.h"
#include "value/expr.h"

enum { WARPS_MAX = 32, DEPTH_MAX = 24 };

/* Instead of a lane: which one elect.sync chooses is not known. */
#define NOBODY UINT32_MAX

/* The thread that a predicate is tried out for. */
struct lane {
    const struct subject *subject;
    uint32_t warp, lane;
    bool first_of_cluster;
    bool one_launch;  /* of the first CTA, with half a warp in each parameter */
    uint32_t elected; /* which lane elect.sync chooses of a whole warp */
};

/* ---- values ---- */

static bool evaluate(const struct lane *at, struct value v, int depth, int64_t *number);

static bool evaluate_name(const struct lane *at, const struct expr *e, int64_t *number)
{
    struct str name = value_name(at->subject, e->web);
    bool thread = str_is(name, "%tid.x");
    *number = 0;
    if (at->first_of_cluster && str_starts(name, "%cluster_cta")) return true;
    if (at->one_launch && str_starts(name, "%ctaid")) return true;
    if (!thread && !str_is(name, "%laneid")) return false;
    *number = thread ? at->warp * WARP + at->lane : at->lane;
    return true;
}

/* Of two predicates: one of them may say enough. */
static bool evaluate_both(const struct lane *at, const struct expr *e, int depth, int64_t *number)
{
    int64_t a, b, decides = e->kind == EXPR_OR;
    bool a_known = evaluate(at, e->a[0], depth, &a), b_known = evaluate(at, e->a[1], depth, &b);
    if ((a_known && a == decides) || (b_known && b == decides)) {
        *number = decides;
        return true;
    }
    *number = !decides;
    return a_known && b_known;
}

static bool fits(int64_t number)
{
    return number >= INT32_MIN && number <= INT32_MAX;
}

static bool evaluate_two(const struct lane *at, const struct expr *e, int depth, int64_t *number)
{
    int64_t a, b;
    if (!evaluate(at, e->a[0], depth, &a) || !evaluate(at, e->a[1], depth, &b)) return false;
    if (!fits(a) || !fits(b)) return false;
    switch (e->kind) {
    case EXPR_SUM: *number = a + b; return true;
    case EXPR_PRODUCT: *number = a * b; return true;
    case EXPR_EQ: *number = a == b; return true;
    case EXPR_LT_S: *number = a < b; return true;
    case EXPR_LT_U: *number = (uint64_t)a < (uint64_t)b; return true;
    default: break;
    }
    if (e->spelling == SPELLING_AND) {
        *number = a & b;
        return true;
    }
    if (e->spelling != SPELLING_SHIFT_RIGHT || a < 0 || b < 0 || b > 31) return false;
    *number = a >> b;
    return true;
}

static bool is_predicate(const struct expr *e)
{
    return (e->kind >= EXPR_EQ && e->kind <= EXPR_OR) || e->kind == EXPR_ELECTED;
}

static bool evaluate_base(const struct lane *at, const struct expr *e, int depth, int64_t *number)
{
    int64_t chosen;
    switch (e->kind) {
    case EXPR_NAME: return evaluate_name(at, e, number);
    case EXPR_PARAMETER: *number = WARP / 2; return at->one_launch;
    case EXPR_AND:
    case EXPR_OR: return evaluate_both(at, e, depth, number);
    case EXPR_SELECT:
        return evaluate(at, e->a[2], depth, &chosen) &&
               evaluate(at, e->a[chosen ? 0 : 1], depth, number);
    case EXPR_ELECTED:
        *number = at->lane == at->elected;
        return at->elected != NOBODY && value_is_constant(e->a[0]) && e->a[0].offset == -1;
    case EXPR_OP:
    case EXPR_SUM:
    case EXPR_PRODUCT:
    case EXPR_EQ:
    case EXPR_LT_S:
    case EXPR_LT_U: return evaluate_two(at, e, depth, number);
    default: return false;
    }
}

static bool evaluate(const struct lane *at, struct value v, int depth, int64_t *number)
{
    subject_spend(at->subject, 1);
    if (value_is_none(v) || depth == DEPTH_MAX) return false;
    *number = 0;
    if (v.base) {
        const struct expr *e = value_expr(at->subject, v);
        if (!evaluate_base(at, e, depth + 1, number)) return false;
        if (is_predicate(e)) {
            *number ^= v.offset & 1;
            return true;
        }
    }
    *number = plus_wrapped(*number, v.offset);
    return true;
}

/* ---- lanes ---- */

/* Whether one warp has it, or each thread may have its own. */
static bool is_of_block(const struct subject *subject, uint32_t base)
{
    return value_expr(subject, (struct value){base, 0})->of_block;
}

/* The lanes of the warp that may be there: no condition is known to fail. *sure: nothing that is
 * left open could keep some of them away. */
static uint32_t lanes_of_warp(struct lane *at, const struct condition_set *set, bool *sure)
{
    uint32_t lanes = 0;
    for (at->lane = 0; at->lane < WARP; at->lane++) {
        bool may = true;
        for (uint32_t i = 0; i < set->count && may; i++) {
            int64_t number;
            if (evaluate(at, (struct value){set->at[i].base, 0}, 0, &number))
                may = (number != 0) == set->at[i].holds;
            else
                *sure &= is_of_block(at->subject, set->at[i].base);
        }
        lanes |= (uint32_t)may << at->lane;
    }
    return lanes;
}

/* With that lane elected everywhere. Either no warp can be there as a whole, or one is there in
 * part for sure. */
static bool apart(struct lane at, const struct lanes_shape *shape, const struct condition_set *set)
{
    bool whole = false, part = false, sure = true;
    uint32_t known = shape->warps ? shape->warps : 1;
    for (at.warp = 0; at.warp < WARPS_MAX; at.warp++) {
        if (shape->warps && at.warp >= shape->warps) break;
        uint32_t lanes = lanes_of_warp(&at, set, &sure);
        whole |= lanes == UINT32_MAX;
        part |= lanes && lanes != UINT32_MAX && (at.warp < known || !whole);
        if (whole && !sure) return false;
    }
    return part && (!whole || sure);
}

bool lanes_apart(const struct subject *subject, const struct lanes_shape *shape,
                 const struct condition_set *set)
{
    bool differ = false;
    for (uint32_t i = 0; i < set->count; i++)
        differ |= value_expr(subject, (struct value){set->at[i].base, 0})->spread != SPREAD_SAME;
    if (!differ || shape->folded) return false;
    for (int one_launch = 0; one_launch < 2; one_launch++) {
        struct lane first = {.subject = subject, .one_launch = one_launch}, last = first;
        last.elected = WARP - 1;
        if (apart(first, shape, set) && apart(last, shape, set)) return true;
    }
    return false;
}

static uint32_t warps_at_most(const struct lanes_shape *shape)
{
    return shape->warps ? shape->warps : WARPS_MAX;
}

bool lanes_any(const struct subject *subject, const struct lanes_shape *shape,
               const struct condition_set *set)
{
    struct lane at = {.subject = subject, .elected = NOBODY, .first_of_cluster = !shape->cluster};
    bool sure = true;
    if (shape->folded) return true;
    for (at.warp = 0; at.warp < warps_at_most(shape); at.warp++)
        if (lanes_of_warp(&at, set, &sure)) return true;
    return false;
}

bool lanes_other_warp(const struct subject *subject, const struct lanes_shape *shape,
                      const struct condition_set *a, const struct condition_set *b)
{
    struct lane at = {.subject = subject, .elected = NOBODY};
    bool sure = true;
    if (shape->folded) return false;
    for (at.warp = 0; at.warp < warps_at_most(shape); at.warp++)
        if (lanes_of_warp(&at, a, &sure) && !lanes_of_warp(&at, b, &sure)) return true;
    return false;
}

static uint32_t count_bits(uint32_t bits)
{
    uint32_t count = 0;
    for (; bits; bits &= bits - 1) count++;
    return count;
}

struct lanes_number lanes_count(const struct subject *subject, const struct lanes_shape *shape,
                                const struct condition_set *set)
{
    struct lane at = {.subject = subject, .elected = 0};
    struct lanes_number n = {.lanes = WARP};
    bool sure = !set->lost, one = conditions_one_lane(subject, set);
    if (shape->folded || (shape->warps && !shape->row))
        return (struct lanes_number){0, WARP * WARPS_MAX, 0, WARPS_MAX};
    for (at.warp = 0; at.warp < warps_at_most(shape); at.warp++) {
        uint32_t lanes = count_bits(lanes_of_warp(&at, set, &sure));
        if (!lanes) continue;
        if (one && lanes > 1) sure = false, lanes = 1;
        n.most += lanes;
        n.warps++;
        if (lanes < n.lanes) n.lanes = lanes;
    }
    if (!sure || !n.warps) n.lanes = 0;
    if (sure && shape->row) n.least = n.most;
    return n;
}

bool lanes_know(const struct subject *subject, struct value predicate)
{
    struct lane at = {.subject = subject, .elected = 0};
    int64_t number;
    return evaluate(&at, predicate, 0, &number);
}

/* ---- the CTA ---- */

/* ".reqntid 192, 1, 1": up to three numbers. */
static uint32_t read_numbers(struct str text, uint64_t *numbers)
{
    uint32_t count = 0;
    while (count < 3) {
        size_t n = 0;
        while (text.n && strchr(" \t\r\n", text.p[0])) text.p++, text.n--;
        while (n < text.n && text.p[n] >= '0' && text.p[n] <= '9') n++;
        if (!n || !digits_read_integer((struct str){text.p, n}, &numbers[count])) break;
        count++;
        text.p += n, text.n -= n;
        while (text.n && strchr(" \t\r\n", text.p[0])) text.p++, text.n--;
        if (!text.n || text.p[0] != ',') break;
        text.p++, text.n--;
    }
    return count;
}

struct lanes_shape lanes_shape_of(const struct subject *subject)
{
    static const char directive[] = ".reqntid", clusters[] = ".reqnctapercluster";
    struct lanes_shape shape = {0};
    uint64_t numbers[3] = {1, 1, 1};
    struct str text = source_slice(subject->view->source, subject->function->span);
    const char *body = memchr(text.p, '{', text.n);
    if (!body) return shape;
    text.n = (size_t)(body - text.p);
    shape.cluster = memmem(text.p, text.n, clusters, sizeof clusters - 1);
    const char *at = memmem(text.p, text.n, directive, sizeof directive - 1);
    if (!at) return shape;
    at += sizeof directive - 1;
    if (!read_numbers((struct str){at, (size_t)(body - at)}, numbers)) return shape;
    uint64_t threads = numbers[0] * numbers[1] * numbers[2];
    shape.folded = numbers[0] % WARP && numbers[0] != threads;
    shape.warps = threads / WARP < WARPS_MAX ? (uint32_t)(threads / WARP) : WARPS_MAX;
    if (!shape.warps) shape.folded = true;
    shape.row = numbers[0] == threads && threads % WARP == 0 && threads <= WARP * WARPS_MAX;
    return shape;
}
