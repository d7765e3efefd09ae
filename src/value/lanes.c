/* Computes which lanes of each warp can meet a set of conditions. See lanes.h. */
#include "value/lanes.h"

#include "ptx/digits.h"
#include "value/condition_pairs.h"
#include "value/expr.h"
#include "value/lane_masks.h"

enum { WARPS_MAX = LANE_WARPS_MAX };

/* ---- lanes ---- */

/* All threads of the CTA have the same value, not each thread its own. */
static bool is_of_block(const struct subject *subject, uint32_t base)
{
    return value_expr(subject, (struct value){base, 0})->of_block;
}

/* The warp and the view for which a set is examined. */
struct lane {
    const struct subject *subject;
    struct lane_view view;
    uint32_t warp;
};

/* The lanes of the warp that may meet the set: no condition is known to fail for them. *sure is set
 * to false if an unknown condition may exclude some of them. */
static uint32_t lanes_of_warp(const struct lane *at, const struct condition_set *set, bool *sure)
{
    uint32_t lanes = UINT32_MAX;
    subject_spend(at->subject, set->count + 1);
    for (uint32_t i = 0; i < set->count && lanes; i++) {
        struct lane_masks m = lane_masks_of(at->subject, &at->view, at->warp, set->at[i].base);
        if (lanes & ~m.known) *sure &= is_of_block(at->subject, set->at[i].base);
        lanes &= ~m.known | (set->at[i].holds ? m.holds : ~m.holds);
    }
    return lanes;
}

/* For that choice of elect.sync: no complete warp can meet the set, or some warp certainly meets it
 * in part. */
static bool lanes_apart_when_elected(struct lane at, const struct lanes_shape *shape,
                                     const struct condition_set *set)
{
    bool whole = false, part = false, sure = true;
    uint32_t known = shape->warps ? shape->warps : 1;
    for (at.warp = 0; at.warp < lanes_warps_at_most(shape); at.warp++) {
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
        struct lane first = {.subject = subject, .view = {.one_launch = one_launch}}, last = first;
        last.view.elected = ELECTED_LAST;
        if (lanes_apart_when_elected(first, shape, set) &&
            lanes_apart_when_elected(last, shape, set))
            return true;
    }
    return false;
}

bool lanes_any(const struct subject *subject, const struct lanes_shape *shape,
               const struct condition_set *set)
{
    struct lane at = {subject, {ELECTED_NOT_KNOWN, !shape->cluster, false}, 0};
    bool sure = true;
    if (shape->folded) return true;
    for (at.warp = 0; at.warp < lanes_warps_at_most(shape); at.warp++)
        if (lanes_of_warp(&at, set, &sure)) return true;
    return false;
}

bool lanes_other_warp(const struct subject *subject, const struct lanes_shape *shape,
                      const struct condition_set *a, const struct condition_set *b)
{
    struct lane at = {subject, {.elected = ELECTED_NOT_KNOWN}, 0};
    bool sure = true;
    if (shape->folded) return false;
    for (at.warp = 0; at.warp < lanes_warps_at_most(shape); at.warp++)
        if (lanes_of_warp(&at, a, &sure) && !lanes_of_warp(&at, b, &sure)) return true;
    return false;
}

uint32_t lanes_warps(const struct subject *subject, const struct lanes_shape *shape,
                     const struct condition_set *set, bool *sure)
{
    struct lane at = {subject, {.elected = ELECTED_NOT_KNOWN}, 0};
    uint32_t warps = 0;
    *sure = !set->lost && !shape->folded;
    for (at.warp = 0; at.warp < lanes_warps_at_most(shape); at.warp++)
        if (lanes_of_warp(&at, set, sure)) warps |= 1u << at.warp;
    return warps;
}

uint32_t lanes_warps_at(const struct subject *subject, const struct lanes_shape *shape,
                        uint32_t instr)
{
    bool sure;
    if (shape->folded) return UINT32_MAX;
    return lanes_warps(subject, shape, condition_pairs_set(subject, instr), &sure);
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
    struct lane at = {subject, {.elected = ELECTED_FIRST}, 0};
    struct lanes_number n = {.lanes = WARP};
    bool sure = !set->lost, one = conditions_one_lane(subject, set);
    if (shape->folded || (shape->warps && !shape->row))
        return (struct lanes_number){0, WARP * WARPS_MAX, 0, WARPS_MAX};
    for (at.warp = 0; at.warp < lanes_warps_at_most(shape); at.warp++) {
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
    struct lane_view view = {.elected = ELECTED_FIRST};
    if (value_is_none(predicate)) return false;
    return !predicate.base || lane_masks_of(subject, &view, 0, predicate.base).known & 1;
}

/* ---- the shape of the CTA ---- */

/* ISA 11.4.2: no launch has more threads than .maxntid gives. */
uint32_t lanes_warps_at_most(const struct lanes_shape *shape)
{
    return shape->warps ? shape->warps : shape->limit ? shape->limit : WARPS_MAX;
}

/* Reads up to three numbers, as in ".reqntid 192, 1, 1". */
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

/* Reads the numbers after the directive in the head of a function. False if it has none. */
static bool read_directive(struct str head, const char *directive, uint64_t *numbers)
{
    size_t n = strlen(directive);
    const char *at = memmem(head.p, head.n, directive, n);
    if (!at) return false;
    at += n;
    return read_numbers((struct str){at, (size_t)(head.p + head.n - at)}, numbers);
}

/* The warps of a CTA with these dimensions. */
static uint32_t warps_of_threads(const uint64_t *numbers)
{
    uint64_t warps = (numbers[0] * numbers[1] * numbers[2] + WARP - 1) / WARP;
    return warps < WARPS_MAX ? (uint32_t)warps : WARPS_MAX;
}

struct lanes_shape lanes_shape_of(const struct subject *subject)
{
    static const char clusters[] = ".reqnctapercluster";
    struct lanes_shape shape = {0};
    uint64_t numbers[3] = {1, 1, 1}, ctas[3] = {1, 1, 1};
    struct str text = source_slice(subject->view->source, subject->function->span);
    const char *body = memchr(text.p, '{', text.n);
    if (!body) return shape;
    text.n = (size_t)(body - text.p);
    shape.cluster = memmem(text.p, text.n, clusters, sizeof clusters - 1);
    if (shape.cluster && read_directive(text, clusters, ctas)) {
        shape.ctas = (uint32_t)(ctas[0] * ctas[1] * ctas[2]);
        shape.cta_row = ctas[0] == shape.ctas;
    }
    if (!read_directive(text, ".reqntid", numbers)) {
        if (read_directive(text, ".maxntid", numbers)) shape.limit = warps_of_threads(numbers);
        return shape;
    }
    uint64_t threads = numbers[0] * numbers[1] * numbers[2];
    shape.folded = numbers[0] % WARP && numbers[0] != threads;
    shape.warps = threads / WARP < WARPS_MAX ? (uint32_t)(threads / WARP) : WARPS_MAX;
    if (!shape.warps) shape.folded = true;
    shape.row = numbers[0] == threads && threads % WARP == 0 && threads <= WARP * WARPS_MAX;
    return shape;
}
