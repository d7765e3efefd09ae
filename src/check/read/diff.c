/* Compares two texts from gap to gap. A gap is the text around a sequence of sites with no other
 * statement between them. Outside gaps, bytes must be equal. A gap that differs is read line by
 * line of BEFORE, and all possible positions in AFTER are followed as ways.
 *
 * A site counts as kept if AFTER continues with its bytes. No explanation is lost: if another
 * alignment removes this site, the bytes in AFTER belong to a later site of the same spelling, with
 * only blanks and removed sites between the two; then the later site can be removed instead. Both
 * alignments give the same AFTER, and of equal sites the last ones are marked as removed. In the
 * same way, an emptied line counts as kept if it explains a line of AFTER that still has a
 * statement, unless statements in this gap contain line breaks.
 *
 * Two choices remain: whether an emptied line was removed or left empty, and whether a comment was
 * in BEFORE or replaces a removed statement. Each choice splits a way in two. If there are more
 * than WAYS_MAX ways, the first and the last are kept: those that always remove, or always keep,
 * such a line. So an edit is explained if it makes the same choice everywhere, however long the gap
 * is, or if it has few choices; other mixtures may be refused. The time is linear: each way is
 * tried once for each site, against no more bytes than are around this site. */
#include "check/read/diff.h"

#include "base/work.h"

enum { WAYS_MAX = 16, COMMENTS_MAX = 64 };
#define NOWHERE UINT32_MAX

/* A way to read AFTER up to a position. */
struct way {
    uint32_t at;   /* position in AFTER */
    uint32_t kept; /* the last site that this way keeps, in gap.trail, or NOWHERE */
    bool hole;     /* directly after a removal: blanks of BEFORE are skipped */
    /* since the start of the line: */
    bool keeps, stood_in; /* a site is kept; a comment replaces one */
};

/* Ascending by position, with different positions. */
struct ways {
    struct way list[WAYS_MAX];
    uint32_t count;
};

struct kept_site {
    uint32_t site, before; /* before: the previous kept site, in gap.trail */
};

/* The gap before[b0, b1) with its sites, compared with after[a0, a1). */
struct gap {
    struct str before, after;
    uint32_t b0, b1, a0, a1;
    const struct statement_site *sites;
    uint32_t site_count;
    bool has_breaks; /* a site contains a line break */
    struct VEC(struct kept_site) trail;
    struct span comments[COMMENTS_MAX]; /* comments of AFTER, so that each is read once */
};

/* A line of BEFORE with its sites, or several without sites. A line break inside a site does not
 * end the line. */
struct line {
    uint32_t from, to, first, end;
};

static uint64_t way_order(const struct way *way)
{
    return (uint64_t)way->at << 1 | way->hole;
}

static void way_add(struct ways *ways, struct way way)
{
    uint32_t i = ways->count;
    while (i && way_order(&ways->list[i - 1]) >= way_order(&way)) i--;
    if (i < ways->count && way_order(&ways->list[i]) == way_order(&way)) return;
    if (ways->count == WAYS_MAX) { /* keeps the first and the last */
        if (i && i < WAYS_MAX) return;
        ways->list[i ? WAYS_MAX - 1 : 0] = way;
        return;
    }
    memmove(&ways->list[i + 1], &ways->list[i], (ways->count - i) * sizeof way);
    ways->list[i] = way;
    ways->count++;
}

static void take_ways(struct ways *ways, const struct ways *from)
{
    memcpy(ways->list, from->list, from->count * sizeof *from->list);
    ways->count = from->count;
}

static bool is_space(char c)
{
    return c == ' ' || c == '\t';
}

static uint32_t diff_skip_blanks(struct str text, uint32_t from, uint32_t to)
{
    while (from < to && is_space(text.p[from])) from++;
    return from;
}

/* ---- the rest of a removal ---- */

/* The blanks that a removal may leave: at most as many as the removed bytes, with exactly their
 * line breaks. */
struct room {
    uint32_t blanks, breaks;
};

/* Returns the position after blanks that include the breaks of room; NOWHERE if AFTER has fewer
 * breaks. */
static uint32_t skip_room(const struct gap *gap, uint32_t at, struct room room)
{
    for (; at < gap->a1; at++) {
        char c = gap->after.p[at];
        if (is_space(c) && room.blanks)
            room.blanks--;
        else if (c == '\n' && room.breaks)
            room.breaks--;
        else if (!(c == '\r' && room.breaks))
            break;
    }
    return room.breaks ? NOWHERE : at;
}

static uint32_t find_comment_end(const struct gap *gap, uint32_t at)
{
    const char *p = gap->after.p + at, *end = gap->after.p + gap->a1, *found;
    if (end - p < 2 || p[0] != '/') return at;
    if (p[1] == '/') {
        found = memchr(p, '\n', (size_t)(end - p));
        if (found && found[-1] == '\r') found--;
        return (uint32_t)((found ? found : end) - gap->after.p);
    }
    found = p[1] == '*' ? memmem(p + 2, (size_t)(end - p) - 2, "*/", 2) : NULL;
    return found ? (uint32_t)(found + 2 - gap->after.p) : at;
}

/* Returns the position after the comment at `at`; `at` if there is none. */
static uint32_t skip_comment(struct gap *gap, uint32_t at)
{
    struct span *known = &gap->comments[at * 2654435761u >> 26];
    if (known->start != at || !known->end) *known = (struct span){at, find_comment_end(gap, at)};
    return known->end;
}

/* Adds the ways after the blanks and breaks of room, with at most one comment before or after the
 * breaks. */
static void add_left(struct gap *gap, struct way way, struct room room, struct ways *ways)
{
    struct room blanks = {room.blanks, 0};
    uint32_t before = skip_room(gap, way.at, blanks), behind = skip_room(gap, way.at, room);
    uint32_t beyond = skip_comment(gap, before);
    way.hole = true;
    way.at = behind;
    if (behind != NOWHERE) way_add(ways, way);
    way.stood_in = true;
    way.at = beyond > before ? skip_room(gap, beyond, room) : NOWHERE;
    if (way.at != NOWHERE) way_add(ways, way);
    beyond = room.breaks && behind != NOWHERE ? skip_comment(gap, behind) : behind;
    way.at = beyond > behind ? skip_room(gap, beyond, blanks) : NOWHERE;
    if (way.at != NOWHERE) way_add(ways, way);
}

/* ---- one line ---- */

/* Moves the way past the bytes before[from, to). Returns false if AFTER has other bytes there. */
static bool match_bytes(const struct gap *gap, uint32_t from, uint32_t to, struct way *way)
{
    uint32_t n = to - from;
    if (n > gap->a1 - way->at) return false;
    if (memcmp(gap->before.p + from, gap->after.p + way->at, n) != 0) return false;
    way->at += n;
    return true;
}

/* Returns the offset in BEFORE after site number i of the line; for none, the start of the line. */
static uint32_t place_behind_site(const struct gap *gap, const struct line *line, uint32_t i)
{
    return i == line->first ? line->from : gap->sites[i - 1].span.end;
}

static struct room room_of(const struct gap *gap, uint32_t from, uint32_t to)
{
    struct room room = {to - from, 0};
    const char *at = gap->before.p + from, *end = gap->before.p + to;
    for (; at < end && (at = memchr(at, '\n', (size_t)(end - at))); at++) room.breaks++;
    return room;
}

/* Continues one way over the bytes before site number i of the line, and over the site. */
static void match_site(struct gap *gap, const struct line *line, uint32_t i, struct way way,
                       struct ways *ways)
{
    struct span site = gap->sites[i].span;
    uint32_t from = place_behind_site(gap, line, i);
    if (way.hole) from = diff_skip_blanks(gap->before, from, site.start);
    uint32_t stop = site.start;
    while (stop > from && is_space(gap->before.p[stop - 1])) stop--;
    if (!match_bytes(gap, from, stop, &way)) return;
    struct way kept = way;
    if (match_bytes(gap, stop, site.end, &kept)) {
        vec_push(&gap->trail, (struct kept_site){i, way.kept});
        kept.kept = gap->trail.count - 1;
        kept.hole = false;
        kept.keeps = true;
        way_add(ways, kept);
        return;
    }
    uint32_t next = i + 1 < line->end ? gap->sites[i + 1].span.start : line->to;
    uint32_t beyond = diff_skip_blanks(gap->before, site.end, next);
    add_left(gap, way, room_of(gap, stop, beyond), ways);
}

/* Adds the ways that one way becomes by reading the line. */
static void match_line(struct gap *gap, const struct line *line, struct way way, struct ways *ways)
{
    struct ways now, next;
    now.list[0] = way;
    now.count = 1;
    for (uint32_t i = line->first; i < line->end && now.count; i++) {
        next.count = 0;
        for (uint32_t n = 0; n < now.count; n++) match_site(gap, line, i, now.list[n], &next);
        take_ways(&now, &next);
    }
    for (uint32_t n = 0; n < now.count; n++) {
        struct way end = now.list[n];
        uint32_t from = place_behind_site(gap, line, line->end);
        if (end.hole) from = diff_skip_blanks(gap->before, from, line->to);
        if (match_bytes(gap, from, line->to, &end)) way_add(ways, end);
    }
}

/* Whether the line has only sites and blanks, so that it may be removed with the sites. */
static bool may_go(const struct gap *gap, const struct line *line)
{
    const char *p = gap->before.p;
    if (line->first == line->end || (line->from && p[line->from - 1] != '\n')) return false;
    if (line->to < gap->before.n && p[line->to - 1] != '\n') return false;
    for (uint32_t i = line->first; i <= line->end; i++) {
        uint32_t to = i < line->end ? gap->sites[i].span.start : line->to;
        for (uint32_t at = place_behind_site(gap, line, i); at < to; at++)
            if (!is_space(p[at]) && p[at] != '\r' && p[at] != '\n') return false;
    }
    return true;
}

/* As align_line, for a line without sites. */
static void align_plain_line(const struct gap *gap, const struct line *line, struct ways *ways)
{
    uint32_t count = ways->count;
    ways->count = 0;
    for (uint32_t n = 0; n < count; n++) {
        struct way way = {.at = ways->list[n].at, .kept = ways->list[n].kept};
        if (match_bytes(gap, line->from, line->to, &way)) way_add(ways, way);
    }
}

static void align_line(struct gap *gap, const struct line *line, struct ways *ways)
{
    work_spend((line->to - line->from) / 8 + 1);
    struct ways next, found;
    if (line->first == line->end) {
        align_plain_line(gap, line, ways);
        return;
    }
    next.count = 0;
    bool droppable = may_go(gap, line);
    for (uint32_t n = 0; n < ways->count; n++) {
        struct way start = ways->list[n];
        start.hole = start.keeps = start.stood_in = false;
        found.count = 0;
        match_line(gap, line, start, &found);
        bool keeps = false;
        for (uint32_t i = 0; i < found.count; i++) {
            keeps |= found.list[i].keeps && !found.list[i].stood_in;
            way_add(&next, found.list[i]);
        }
        if (droppable && (!keeps || gap->has_breaks)) way_add(&next, start);
    }
    take_ways(ways, &next);
}

/* Returns the offset of the line that contains stop, or from if that line begins before from. */
static uint32_t diff_line_start(const struct gap *gap, uint32_t from, uint32_t stop)
{
    while (stop > from && gap->before.p[stop - 1] != '\n') stop--;
    return stop;
}

/* Returns the line at offset from; its first site has number first. Lines without sites are
 * returned as one, because they are aligned like one. */
static struct line diff_line_at(const struct gap *gap, uint32_t from, uint32_t first)
{
    struct line line = {from, from, first, first};
    line.to = first < gap->site_count ? diff_line_start(gap, from, gap->sites[first].span.start)
                                      : gap->b1;
    if (line.to > from) return line;
    for (; line.end < gap->site_count; line.to = gap->sites[line.end++].span.end) {
        uint32_t stop = gap->sites[line.end].span.start;
        const char *end = memchr(gap->before.p + line.to, '\n', stop - line.to);
        line.to = end ? (uint32_t)(end - gap->before.p) + 1 : stop;
        if (end) return line;
    }
    const char *end = memchr(gap->before.p + line.to, '\n', gap->b1 - line.to);
    line.to = end ? (uint32_t)(end - gap->before.p) + 1 : gap->b1;
    return line;
}

/* Marks the removed sites of the gap. Returns false if no way explains AFTER. */
static bool explain_gap(struct gap *gap, struct statement_site *sites)
{
    struct ways ways;
    ways.list[0] = (struct way){.at = gap->a0, .kept = NOWHERE};
    ways.count = 1;
    struct line line = {.to = gap->b0};
    for (uint32_t i = 0; i < gap->site_count; i++)
        gap->has_breaks |= room_of(gap, sites[i].span.start, sites[i].span.end).breaks > 0;
    while (line.to < gap->b1 && ways.count) {
        line = diff_line_at(gap, line.to, line.end);
        align_line(gap, &line, &ways);
    }
    const struct way *end = NULL;
    for (uint32_t n = 0; n < ways.count; n++)
        if (ways.list[n].at == gap->a1) end = &ways.list[n];
    if (!end) return false;
    for (uint32_t i = 0; i < gap->site_count; i++) sites[i].deleted = true;
    for (uint32_t k = end->kept; k != NOWHERE; k = gap->trail.at[k].before)
        sites[gap->trail.at[k].site].deleted = false;
    return true;
}

/* Returns the end of the blanks, comments and sites of AFTER from pos on. */
static uint32_t gap_end(struct str after, uint32_t pos)
{
    for (;;) {
        struct statement statement = statement_next(after, pos, NULL);
        if (statement_sync(after, &statement) == SYNC_NONE) return token_skip(after, pos);
        pos = statement.span.end;
    }
}

static bool diff_fail(struct diff *diff, uint32_t before, uint32_t after, const char *what)
{
    diff->fault_before = before;
    diff->fault_after = after;
    diff->fault = what;
    return false;
}

/* Returns bytes that are not zero where the two texts differ. */
static inline sixteen differing_bytes(const char *a, const char *b)
{
    return (sixteen)(sixteen_load(a) != sixteen_load(b));
}

static uint32_t common_length(struct str a, uint32_t at, struct str b, uint32_t bt)
{
    enum { MANY = 4 * SIXTEEN };
    const char *p = a.p + at, *q = b.p + bt;
    uint32_t n = 0, most = (uint32_t)(a.n - at < b.n - bt ? a.n - at : b.n - bt);
    work_spend(most / MANY + 1);
    for (; most - n >= MANY; n += MANY, p += MANY, q += MANY) {
        sixteen all = differing_bytes(p, q) | differing_bytes(p + SIXTEEN, q + SIXTEEN) |
                      differing_bytes(p + 2 * SIXTEEN, q + 2 * SIXTEEN) |
                      differing_bytes(p + 3 * SIXTEEN, q + 3 * SIXTEEN);
        if (sixteen_first(all) < SIXTEEN) break;
    }
    for (; most - n >= SIXTEEN; n += SIXTEEN, p += SIXTEEN, q += SIXTEEN) {
        uint32_t first = sixteen_first(differing_bytes(p, q));
        if (first < SIXTEEN) return n + first;
    }
    for (; n < most && *p == *q; n++) p++, q++;
    return n;
}

/* Records that offset b of BEFORE corresponds to offset a of AFTER. */
static void diff_set_place(struct diff *diff, uint32_t b, uint32_t a)
{
    diff->b = b;
    diff->a = a;
    diff->same = b + common_length(diff->before, b, diff->after, a);
}

void diff_begin(struct diff *diff, struct str before, struct str after)
{
    *diff = (struct diff){.before = before, .after = after};
    diff_set_place(diff, 0, 0);
}

static bool fail_outside(struct diff *diff)
{
    return diff_fail(diff, diff->same, diff->a + (diff->same - diff->b),
                     "differs outside synchronisation");
}

static bool align_gap(struct diff *diff, struct gap *gap, struct statement_site *sites)
{
    gap->a1 = gap_end(gap->after, gap->a0);
    bool explained = explain_gap(gap, sites);
    vec_free(&gap->trail);
    if (!explained)
        return diff_fail(diff, diff->same, gap->a0 + (diff->same - gap->b0),
                         "differs by more than removed synchronisation");
    diff_set_place(diff, gap->b1, gap->a1);
    return true;
}

bool diff_sites(struct diff *diff, struct statement_sites *all)
{
    for (uint32_t i = 0; i < all->count;) {
        struct statement_site *sites = &all->at[i];
        uint32_t count = 1;
        while (i + count < all->count && sites[count].gap == sites[count - 1].span.end) count++;
        i += count;
        if (sites->gap > diff->same) return fail_outside(diff);
        uint32_t end = token_skip(diff->before, sites[count - 1].span.end);
        if (end <= diff->same) continue;
        struct gap gap = {.before = diff->before,
                          .after = diff->after,
                          .b0 = sites->gap,
                          .b1 = end,
                          .a0 = diff->a + (sites->gap - diff->b),
                          .sites = sites,
                          .site_count = count};
        if (!align_gap(diff, &gap, sites)) return false;
    }
    return true;
}

bool diff_end(struct diff *diff)
{
    uint32_t n = diff->same - diff->b;
    return (diff->same == diff->before.n && diff->a + n == diff->after.n) || fail_outside(diff);
}
