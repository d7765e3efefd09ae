/* Computes predicates over %tid.x, %laneid and elect.sync for all lanes of a warp at once. See
 * lane_masks.h. */
#include "value/lane_masks.h"

#include "value/values.h"

enum { DEPTH_MAX = 24, VIEWS = 3 * 2 * 2 };

/* The masks of a predicate under one view. */
struct row {
    bool by_warp;  /* the masks depend on the warp; otherwise masks[0] is for all warps */
    uint32_t done; /* warps whose masks are computed, as bits */
    struct lane_masks *masks; /* by warp; NULL: not known for any lane */
};

struct table {
    struct row **rows; /* by base; NULL: not computed yet */
    uint32_t count;
};

struct lane_tables {
    struct table of[VIEWS];
};

/* The warp for which values are computed. */
struct warp {
    const struct subject *subject;
    const struct lane_view *view;
    uint32_t number;
};

/* A value for each lane. */
struct column {
    uint32_t known; /* by lane, as bits */
    bool same;      /* all lanes have the value at[0], or it is not known for any */
    int64_t at[WARP];
};

/* ---- what can be computed ---- */

static bool is_of_cluster(const struct lane_view *view, struct str name)
{
    return (view->first_of_cluster && str_starts(name, "%cluster_cta")) ||
           (view->one_launch && str_starts(name, "%ctaid"));
}

/* The expression sets bits, by or.b32 or or.b64. */
static bool sets_bits(const struct subject *subject, const struct expr *e)
{
    if (e->kind != EXPR_OP || e->spelling >= SPELLING_MAPPED) return false;
    const struct arithmetic *how = &subject->spelled[e->spelling]->arithmetic;
    return how->operation == OPERATION_OR_BITS && how->of_constants;
}

/* False if the value depends on something that is never known. *by_warp: it depends on %tid.x. */
static bool may_be_known(const struct warp *at, struct value v, bool *by_warp)
{
    if (value_is_none(v)) return false;
    if (!v.base) return true;
    const struct expr *e = value_expr(at->subject, v);
    struct str name;
    bool a, b;
    switch (e->kind) {
    case EXPR_NAME:
        name = value_name(at->subject, e->web);
        *by_warp |= str_is(name, "%tid.x");
        return str_is(name, "%tid.x") || str_is(name, "%laneid") || is_of_cluster(at->view, name);
    case EXPR_PARAMETER: return at->view->one_launch;
    case EXPR_ELECTED: return at->view->elected != ELECTED_NOT_KNOWN;
    case EXPR_AND:
    case EXPR_OR:
    case EXPR_SELECT:
        a = may_be_known(at, e->a[0], by_warp);
        b = may_be_known(at, e->a[1], by_warp);
        return (a || b) && (e->kind != EXPR_SELECT || may_be_known(at, e->a[2], by_warp));
    case EXPR_OP:
        if (e->spelling != SPELLING_AND && e->spelling != SPELLING_SHIFT_RIGHT &&
            !sets_bits(at->subject, e))
            return false;
        /* fall through */
    case EXPR_SUM:
    case EXPR_PRODUCT:
    case EXPR_EQ:
    case EXPR_LT_S:
    case EXPR_LT_U: return may_be_known(at, e->a[0], by_warp) && may_be_known(at, e->a[1], by_warp);
    default: return false;
    }
}

/* ---- values ---- */

static void set_same(struct column *c, int64_t number)
{
    c->same = true;
    c->known = UINT32_MAX;
    c->at[0] = number;
}

static void set_unknown(struct column *c)
{
    set_same(c, 0);
    c->known = 0;
}

static int64_t number_at(const struct column *c, uint32_t lane)
{
    return c->at[c->same ? 0 : lane];
}

/* Records that all lanes have the same value, so that results computed from it are computed
 * once. */
static void note_same(struct column *c)
{
    if (c->known && c->known != UINT32_MAX) return;
    for (uint32_t lane = 1; c->known && lane < WARP; lane++)
        if (c->at[lane] != c->at[0]) return;
    c->same = true;
}

static void evaluate(const struct warp *at, struct value v, int depth, struct column *c);

static void evaluate_name(const struct warp *at, const struct expr *e, struct column *c)
{
    struct str name = value_name(at->subject, e->web);
    bool thread = str_is(name, "%tid.x");
    set_same(c, 0);
    if (is_of_cluster(at->view, name)) return;
    if (!thread && !str_is(name, "%laneid")) {
        set_unknown(c);
        return;
    }
    c->same = false;
    int64_t first = thread ? at->number * WARP : 0;
    for (uint32_t lane = 0; lane < WARP; lane++) c->at[lane] = first + lane;
}

static void evaluate_elected(const struct warp *at, const struct expr *e, struct column *c)
{
    set_unknown(c);
    if (at->view->elected == ELECTED_NOT_KNOWN) return;
    if (!value_is_constant(e->a[0]) || e->a[0].offset != -1) return;
    c->same = false;
    c->known = UINT32_MAX;
    memset(c->at, 0, sizeof c->at);
    c->at[at->view->elected == ELECTED_FIRST ? 0 : WARP - 1] = 1;
}

/* Evaluates the AND or OR of two predicates. One of them alone may decide the result. */
static void evaluate_both(const struct warp *at, const struct expr *e, int depth, struct column *c)
{
    struct column a, b;
    int64_t decides = e->kind == EXPR_OR;
    evaluate(at, e->a[0], depth, &a);
    evaluate(at, e->a[1], depth, &b);
    c->known = 0;
    c->same = a.same && b.same;
    for (uint32_t lane = 0; lane < (c->same ? 1 : WARP); lane++) {
        bool a_known = a.known >> lane & 1, b_known = b.known >> lane & 1;
        bool decided = (a_known && number_at(&a, lane) == decides) ||
                       (b_known && number_at(&b, lane) == decides);
        c->at[lane] = decided ? decides : !decides;
        c->known |= (uint32_t)(decided || (a_known && b_known)) << lane;
    }
    if (c->same) c->known = c->known ? UINT32_MAX : 0;
}

static void evaluate_select(const struct warp *at, const struct expr *e, int depth,
                            struct column *c)
{
    struct column chosen, b;
    evaluate(at, e->a[2], depth, &chosen);
    if (chosen.same) {
        if (chosen.known)
            evaluate(at, e->a[chosen.at[0] ? 0 : 1], depth, c);
        else
            set_unknown(c);
        return;
    }
    struct column a;
    evaluate(at, e->a[0], depth, &a);
    evaluate(at, e->a[1], depth, &b);
    c->known = c->same = 0;
    for (uint32_t lane = 0; lane < WARP; lane++) {
        const struct column *from = number_at(&chosen, lane) ? &a : &b;
        c->at[lane] = number_at(from, lane);
        c->known |= (chosen.known & from->known) & 1u << lane;
    }
    note_same(c);
}

/* The lanes, as bits, whose number is computed like a register of 32 bits. */
static uint32_t lanes_that_fit(const struct column *c)
{
    uint32_t fit = 0;
    if (c->same) return c->at[0] == (int32_t)c->at[0] ? UINT32_MAX : 0;
    for (uint32_t lane = 0; lane < WARP; lane++)
        fit |= (uint32_t)(c->at[lane] == (int32_t)c->at[lane]) << lane;
    return fit;
}

/* Gives each lane its own number. */
static void spread_column(struct column *c)
{
    for (uint32_t lane = 1; c->same && lane < WARP; lane++) c->at[lane] = c->at[0];
    c->same = false;
}

/* The lanes, as bits, in which the shift gives the same for registers with and without a sign. */
static uint32_t shift_lanes(const int64_t *a, const int64_t *b, uint32_t lanes, int64_t *result)
{
    uint32_t known = 0;
    for (uint32_t i = 0; i < lanes; i++) {
        bool plain = a[i] >= 0 && b[i] >= 0 && b[i] < 32;
        result[i] = plain ? a[i] >> b[i] : 0;
        known |= (uint32_t)plain << i;
    }
    return lanes == 1 && known ? UINT32_MAX : known;
}

/* Computes the first `lanes` results. Returns the lanes, as bits, in which they are known. */
static uint32_t compute_lanes(const struct subject *subject, const struct expr *e, const int64_t *a,
                              const int64_t *b, uint32_t lanes, int64_t *result)
{
    uint32_t i;
    switch (e->kind) {
    case EXPR_SUM:
        for (i = 0; i < lanes; i++) result[i] = plus_wrapped(a[i], b[i]);
        return UINT32_MAX;
    case EXPR_PRODUCT:
        for (i = 0; i < lanes; i++) result[i] = times_wrapped(a[i], b[i]);
        return UINT32_MAX;
    case EXPR_EQ:
        for (i = 0; i < lanes; i++) result[i] = a[i] == b[i];
        return UINT32_MAX;
    case EXPR_LT_S:
        for (i = 0; i < lanes; i++) result[i] = a[i] < b[i];
        return UINT32_MAX;
    case EXPR_LT_U:
        for (i = 0; i < lanes; i++) result[i] = (uint64_t)a[i] < (uint64_t)b[i];
        return UINT32_MAX;
    default: break;
    }
    if (e->spelling == SPELLING_SHIFT_RIGHT) return shift_lanes(a, b, lanes, result);
    if (e->spelling == SPELLING_AND) {
        for (i = 0; i < lanes; i++) result[i] = a[i] & b[i];
        return UINT32_MAX;
    }
    bool sets = sets_bits(subject, e);
    for (i = 0; i < lanes; i++) result[i] = sets ? a[i] | b[i] : 0;
    return sets ? UINT32_MAX : 0;
}

/* The expression is the number of the warp, computed from that of the thread. */
static bool divides_by_warp(const struct subject *subject, const struct expr *e)
{
    return e->kind == EXPR_OP && e->spelling == SPELLING_SHIFT_RIGHT && !e->a[0].offset &&
           value_expr(subject, e->a[0])->counts_lanes && value_is_constant(e->a[1]) &&
           (int64_t)1 << (e->a[1].offset & 31) >= WARP;
}

static void evaluate_two(const struct warp *at, const struct expr *e, int depth, struct column *c)
{
    struct column a, b;
    evaluate(at, e->a[0], depth, &a);
    if (a.known) evaluate(at, e->a[1], depth, &b);
    if (!a.known || !(a.known & b.known)) {
        set_unknown(c);
        return;
    }
    c->known = a.known & b.known;
    c->same = (a.same && b.same) || (c->known == UINT32_MAX && divides_by_warp(at->subject, e));
    uint32_t fit = lanes_that_fit(&a) & lanes_that_fit(&b);
    if (c->same) {
        fit = fit & 1 ? UINT32_MAX : 0;
    } else {
        spread_column(&a);
        spread_column(&b);
    }
    c->known &= fit & compute_lanes(at->subject, e, a.at, b.at, c->same ? 1 : WARP, c->at);
    if (!c->same) note_same(c);
}

static bool is_predicate(const struct expr *e)
{
    return (e->kind >= EXPR_EQ && e->kind <= EXPR_OR) || e->kind == EXPR_ELECTED;
}

static void evaluate_base(const struct warp *at, const struct expr *e, int depth, struct column *c)
{
    switch (e->kind) {
    case EXPR_NAME: evaluate_name(at, e, c); break;
    case EXPR_PARAMETER:
        set_same(c, WARP / 2);
        c->known = at->view->one_launch ? UINT32_MAX : 0;
        break;
    case EXPR_AND:
    case EXPR_OR: evaluate_both(at, e, depth, c); break;
    case EXPR_SELECT: evaluate_select(at, e, depth, c); break;
    case EXPR_ELECTED: evaluate_elected(at, e, c); break;
    case EXPR_OP:
    case EXPR_SUM:
    case EXPR_PRODUCT:
    case EXPR_EQ:
    case EXPR_LT_S:
    case EXPR_LT_U: evaluate_two(at, e, depth, c); break;
    default: set_unknown(c); break;
    }
}

static void evaluate(const struct warp *at, struct value v, int depth, struct column *c)
{
    if (value_is_none(v) || depth == DEPTH_MAX) {
        set_unknown(c);
        return;
    }
    if (!v.base) {
        set_same(c, v.offset);
        return;
    }
    const struct expr *e = value_expr(at->subject, v);
    evaluate_base(at, e, depth + 1, c);
    uint32_t lanes = c->same ? 1 : WARP;
    subject_spend(at->subject, lanes);
    if (!v.offset) return;
    bool predicate = is_predicate(e);
    for (uint32_t lane = 0; lane < lanes; lane++)
        c->at[lane] =
            predicate ? c->at[lane] ^ (v.offset & 1) : plus_wrapped(c->at[lane], v.offset);
}

/* ---- the cache ---- */

struct lane_tables *lane_tables_build(struct arena *arena)
{
    return arena_alloc(arena, 1, sizeof(struct lane_tables));
}

static struct table *mask_table_of(const struct subject *subject, const struct lane_view *view,
                                   uint32_t base)
{
    uint32_t which = (view->elected * 2u + view->first_of_cluster) * 2u + view->one_launch;
    struct table *table = &subject->lane_tables->of[which];
    if (base < table->count) return table;
    uint32_t count = base < 128 ? 256 : base * 2;
    struct row **rows = arena_alloc(subject->arena, count, sizeof(struct row *));
    if (table->count) memcpy(rows, table->rows, table->count * sizeof *rows);
    *table = (struct table){rows, count};
    return table;
}

static struct row *mask_row_of(const struct warp *at, uint32_t base)
{
    struct row **row = &mask_table_of(at->subject, at->view, base)->rows[base];
    if (*row) return *row;
    *row = arena_alloc(at->subject->arena, 1, sizeof **row);
    subject_spend(at->subject, value_expr(at->subject, (struct value){base, 0})->size);
    if (may_be_known(at, (struct value){base, 0}, &(*row)->by_warp))
        (*row)->masks = arena_alloc(at->subject->arena, (*row)->by_warp ? LANE_WARPS_MAX : 1,
                                    sizeof *(*row)->masks);
    return *row;
}

struct lane_masks lane_masks_of(const struct subject *subject, const struct lane_view *view,
                                uint32_t warp, uint32_t base)
{
    struct warp at = {subject, view, warp};
    struct row *row = mask_row_of(&at, base);
    struct column c;
    if (!row->masks) return (struct lane_masks){0, 0};
    if (!row->by_warp) at.number = warp = 0;
    struct lane_masks *masks = &row->masks[warp];
    if (row->done >> warp & 1) return *masks;
    evaluate(&at, (struct value){base, 0}, 0, &c);
    row->done |= 1u << warp;
    masks->known = c.known;
    if (c.same) masks->holds = c.at[0] ? UINT32_MAX : 0;
    for (uint32_t lane = 0; lane < WARP && !c.same; lane++)
        masks->holds |= (uint32_t)(number_at(&c, lane) != 0) << lane;
    return *masks;
}

bool lane_number_of(const struct subject *subject, uint32_t warp, struct value v, int64_t *number)
{
    struct lane_view view = {.elected = ELECTED_NOT_KNOWN};
    struct warp at = {subject, &view, warp};
    struct column c;
    bool by_warp = false;
    if (!may_be_known(&at, v, &by_warp) || !by_warp) return false;
    evaluate(&at, v, 0, &c);
    *number = c.at[0];
    return c.same && c.known;
}
