/* The two texts are walked together from gap to gap. A gap is the text around a run of sites
 * with no other statement between; outside gaps bytes must be equal. In a gap that differs,
 * the sites to keep are chosen so that blanks and comments come out right as well. */
#include "check/diff.h"

#include "base/work.h"

enum {
    RUN_MAX = 10,  /* sites of one gap whose every subset is tried */
    PLACES_MAX = 16
};

/* Where in AFTER the matching may stand; few, since blanks are taken whole. */
struct places {
    uint32_t at[PLACES_MAX];
    uint32_t count;
};

/* A gap: before[b0, b1) with its sites, against after[a0, a1). */
struct gap {
    struct str before, after;
    uint32_t b0, b1, a0, a1;
    const struct outline_site *sites;
    uint32_t site_count;
};

static void place_add(struct places *places, uint32_t at)
{
    for (uint32_t i = 0; i < places->count; i++)
        if (places->at[i] == at) return;
    if (places->count < PLACES_MAX) places->at[places->count++] = at;
}

static bool is_space(char c)
{
    return c == ' ' || c == '\t';
}

/* Past blanks, and past as many line breaks as the deleted statement itself held. */
static uint32_t skip_blanks(const struct gap *gap, uint32_t at, uint32_t breaks)
{
    while (at < gap->a1) {
        char c = gap->after.p[at];
        if (c == '\n' && breaks) breaks--;
        else if (!is_space(c) && !(c == '\r' && breaks)) break;
        at++;
    }
    return at;
}

/* Past one comment, or at when there is none. */
static uint32_t skip_comment(const struct gap *gap, uint32_t at)
{
    const char *p = gap->after.p;
    if (at + 1 >= gap->a1 || p[at] != '/') return at;
    if (p[at + 1] == '/') {
        while (at < gap->a1 && p[at] != '\n') at++;
        return at < gap->a1 && p[at - 1] == '\r' ? at - 1 : at;
    }
    if (p[at + 1] != '*') return at;
    for (uint32_t end = at + 2; end + 1 < gap->a1; end++)
        if (p[end] == '*' && p[end + 1] == '/') return end + 2;
    return at;
}

/* The literal bytes before[from, to) at each place. */
static void match_bytes(const struct gap *gap, uint32_t from, uint32_t to, struct places *places)
{
    struct places next = {0};
    uint32_t n = to - from;
    for (uint32_t i = 0; i < places->count; i++) {
        uint32_t at = places->at[i];
        if (n <= gap->a1 - at && !memcmp(gap->before.p + from, gap->after.p + at, n))
            place_add(&next, at + n);
    }
    *places = next;
}

/* What a deletion leaves: blanks, one comment at most, blanks. */
static void match_hole(const struct gap *gap, uint32_t breaks, struct places *places)
{
    struct places next = {0};
    for (uint32_t i = 0; i < places->count; i++) {
        uint32_t at = skip_blanks(gap, places->at[i], breaks);
        place_add(&next, at);
        uint32_t end = skip_comment(gap, at);
        if (end > at) place_add(&next, skip_blanks(gap, end, breaks));
    }
    *places = next;
}

/* The deleted site that overlaps or follows offset from, NULL when there is none. */
static const struct outline_site *next_hole(const struct gap *gap, uint32_t kept, uint32_t from)
{
    for (uint32_t i = 0; i < gap->site_count; i++)
        if (!(kept & 1u << i) && gap->sites[i].span.end > from) return &gap->sites[i];
    return NULL;
}

static uint32_t count_breaks(struct str text, struct span span)
{
    uint32_t breaks = 0;
    for (uint32_t at = span.start; at < span.end; at++) breaks += text.p[at] == '\n';
    return breaks;
}

/* The line of BEFORE at from: its end, beyond every deleted statement that it touches. */
static uint32_t line_end(const struct gap *gap, uint32_t kept, uint32_t from)
{
    uint32_t at = from;
    for (;;) {
        const struct outline_site *hole = next_hole(gap, kept, at);
        while (at < gap->b1 && gap->before.p[at] != '\n' && !(hole && at == hole->span.start))
            at++;
        if (!hole || at != hole->span.start) return at < gap->b1 ? at + 1 : at;
        at = hole->span.end;
    }
}

/* True when before[from, to) holds deleted statements and otherwise only blanks. */
static bool is_emptied(const struct gap *gap, uint32_t kept, uint32_t from, uint32_t to)
{
    const char *p = gap->before.p;
    if ((from && p[from - 1] != '\n') || (to < gap->before.n && p[to - 1] != '\n')) return false;
    const struct outline_site *hole = next_hole(gap, kept, from);
    for (uint32_t at = from; at < to; at++) {
        if (hole && at == hole->span.start) {
            at = hole->span.end - 1;
            hole = next_hole(gap, kept, at + 1);
        } else if (!is_space(p[at]) && p[at] != '\r' && p[at] != '\n') {
            return false;
        }
    }
    return true;
}

static void match_line(const struct gap *gap, uint32_t kept, uint32_t from, uint32_t to,
                       struct places *places)
{
    struct places dropped = {0};
    const struct outline_site *hole = next_hole(gap, kept, from);
    if (hole && hole->span.start < to && is_emptied(gap, kept, from, to)) dropped = *places;
    for (uint32_t at = from; at < to || (hole && hole->span.start < to);) {
        if (!hole || hole->span.start >= to) {
            match_bytes(gap, at, to, places);
            break;
        }
        uint32_t stop = hole->span.start;
        while (stop > at && is_space(gap->before.p[stop - 1])) stop--;
        match_bytes(gap, at, stop, places);
        match_hole(gap, count_breaks(gap->before, hole->span), places);
        at = hole->span.end;
        while (at < to && is_space(gap->before.p[at])) at++;
        hole = next_hole(gap, kept, hole->span.end);
    }
    for (uint32_t i = 0; i < dropped.count; i++) place_add(places, dropped.at[i]);
}

/* Does keeping just these sites turn the gap's BEFORE into its AFTER? */
static bool explains(const struct gap *gap, uint32_t kept)
{
    struct places places = {{gap->a0}, 1};
    work_spend((gap->b1 - gap->b0) / 8 + 1);
    for (uint32_t at = gap->b0; at < gap->b1 && places.count;) {
        uint32_t end = line_end(gap, kept, at);
        match_line(gap, kept, at, end, &places);
        at = end;
    }
    for (uint32_t i = 0; i < places.count; i++)
        if (places.at[i] == gap->a1) return true;
    return false;
}

/* Chooses the sites of the gap that stay; false when no choice explains it. */
static bool choose(const struct gap *gap, uint32_t stay, uint32_t *kept)
{
    if (gap->site_count > RUN_MAX) return false;
    for (uint32_t set = 0; set < 1u << gap->site_count; set++) {
        uint32_t bits = 0;
        for (uint32_t i = 0; i < gap->site_count; i++) bits += set >> i & 1;
        if (bits == stay && explains(gap, set)) {
            *kept = set;
            return true;
        }
    }
    return false;
}

/* Reads blanks, comments and sites of AFTER from pos; where they end and how many sites. */
static uint32_t gap_end(struct str after, uint32_t pos, uint32_t *stay)
{
    *stay = 0;
    for (;;) {
        struct statement statement = statement_next(after, pos);
        if (statement_sync(after, &statement) == SYNC_NONE) return token_skip(after, pos);
        pos = statement.span.end;
        ++*stay;
    }
}

static bool fail(struct diff_fault *fault, uint32_t before, uint32_t after, const char *what)
{
    *fault = (struct diff_fault){before, after, what};
    return false;
}

static uint32_t common(struct str a, uint32_t at, struct str b, uint32_t bt)
{
    uint32_t n = 0;
    while (at + n < a.n && bt + n < b.n && a.p[at + n] == b.p[bt + n]) n++;
    return n;
}

static bool align_gap(struct gap *gap, struct outline_site *sites, struct diff_fault *fault)
{
    uint32_t n = gap->b1 - gap->b0;
    if (n <= gap->after.n - gap->a0 && !memcmp(gap->before.p + gap->b0, gap->after.p + gap->a0, n)) {
        gap->a1 = gap->a0 + n;
        return true;
    }
    uint32_t stay = 0, kept = 0;
    gap->a1 = gap_end(gap->after, gap->a0, &stay);
    if (stay > gap->site_count || !choose(gap, stay, &kept)) {
        uint32_t same = common(gap->before, gap->b0, gap->after, gap->a0);
        return fail(fault, gap->b0 + same, gap->a0 + same,
                    "differs by more than deleted synchronisation");
    }
    for (uint32_t i = 0; i < gap->site_count; i++) sites[i].deleted = !(kept >> i & 1);
    return true;
}

bool diff_align(struct str before, struct str after, struct outline *outline,
                struct diff_fault *fault)
{
    uint32_t b = 0, a = 0;
    for (uint32_t i = 0; i < outline->sites.count;) {
        struct outline_site *sites = &outline->sites.at[i];
        uint32_t count = 1;
        while (i + count < outline->sites.count && sites[count].gap == sites[count - 1].span.end)
            count++;
        uint32_t n = sites->gap - b;
        if (n > after.n - a || memcmp(before.p + b, after.p + a, n)) break;
        struct gap gap = {before, after, sites->gap, token_skip(before, sites[count - 1].span.end),
                          a + n, 0, sites, count};
        if (!align_gap(&gap, sites, fault)) return false;
        b = gap.b1;
        a = gap.a1;
        i += count;
    }
    uint32_t same = common(before, b, after, a);
    if (b + same == before.n && a + same == after.n) return true;
    return fail(fault, b + same, a + same, "differs outside synchronisation");
}
