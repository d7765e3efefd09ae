/* Checks that the diff explains every edit that it must explain, and nothing else. Small texts are
 * compared with an aligner that tries everything: each statement kept or removed, each text that a
 * removal may leave, each emptied line kept or removed. Long texts are written by edit_plan_apply,
 * in each style. */
#include <stdio.h>
#include <stdlib.h>

#include "base/buf.h"
#include "check/check.h"
#include "check/model/assume.h"
#include "check/model/body.h"
#include "check/read/diff.h"
#include "text/edit.h"

static const char HEAD[] = ".version 8.8\n.target sm_100a\n.entry k()\n{\n\tbar.sync 0;";
static const char TAIL[] = "\tbar.sync 1;\n\tret;\n}\n";

static const char *const SITES[] = {
    "tcgen05.wait::ld.sync.aligned;",
    "tcgen05.wait::ld.sync.aligned;",
    "tcgen05.wait::st.sync.aligned;",
    "tcgen05.wait::ld\n.sync.aligned;",
};
static const char *const BETWEEN[] = {
    "\n", "\n", "\n\t", "\n\t", " ", "\r\n", "// c\n", "/*c*/", "/* d\n e */",
};
/* Texts that an edit may leave, or must not leave. */
static const char *const LEFT[] = {"",    "", "", "", " ", "\n", "/*c*/", "// c\n", "/* d\n e */",
                                   "  \t"};

enum { SITE_COUNT = 4, BETWEEN_COUNT = 9, LEFT_COUNT = 10, PIECES_MAX = 12, MANY = 2000 };

static uint32_t below(uint32_t limit)
{
    static uint64_t seed = 88172645463325252u;
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return (uint32_t)(seed >> 11) % limit;
}

/* ---- the aligner that tries everything ---- */

struct trial {
    struct str before, after;
    const struct statement_sites *sites;
    uint32_t b1, a1; /* the ends of the gaps */
};

static bool explains(const struct trial *t, uint32_t from, uint32_t site, uint32_t at);

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

static const struct statement_site *site_at(const struct trial *t, uint32_t i)
{
    return i < t->sites->count ? &t->sites->at[i] : NULL;
}

static bool same_bytes(const struct trial *t, uint32_t from, uint32_t to, uint32_t at)
{
    return to - from <= t->a1 - at && memcmp(t->before.p + from, t->after.p + at, to - from) == 0;
}

/* The end of the line that contains the position, and its first byte that is neither blank nor part
 * of a site. */
static uint32_t line_to(const struct trial *t, uint32_t from, uint32_t site, uint32_t *other)
{
    *other = t->b1;
    while (from < t->b1) {
        const struct statement_site *s = site_at(t, site);
        char c = t->before.p[from];
        if (s && from == s->span.start) {
            from = s->span.end;
            site++;
            continue;
        }
        if (*other == t->b1 && !is_blank(c) && c != '\r' && c != '\n') *other = from;
        from++;
        if (c == '\n') return from;
    }
    return from;
}

/* The position after a line break of AFTER and the blanks around it, or at. */
static uint32_t behind_break(const struct trial *t, uint32_t at)
{
    uint32_t next = at;
    while (next < t->a1 && (is_blank(t->after.p[next]) || t->after.p[next] == '\r')) next++;
    return next < t->a1 && t->after.p[next] == '\n' ? next + 1 : at;
}

static uint32_t behind_comment(const struct trial *t, uint32_t at)
{
    static const char *const COMMENTS[] = {"// c", "/*c*/", "/* d\n e */"};
    for (int i = 0; i < 3; i++) {
        uint32_t n = (uint32_t)strlen(COMMENTS[i]);
        if (n <= t->a1 - at && memcmp(t->after.p + at, COMMENTS[i], n) == 0) return at + n;
    }
    return at;
}

static uint32_t behind_blanks(const struct trial *t, uint32_t at)
{
    while (at < t->a1 && is_blank(t->after.p[at])) at++;
    return at;
}

static bool goes_on(const struct trial *t, uint32_t from, uint32_t site, uint32_t at, bool hole);

/* The site is removed; the text that it left ends at at, or is a line break or a comment longer. */
static bool leaves(const struct trial *t, uint32_t site, uint32_t at, bool comment, uint32_t breaks)
{
    at = behind_blanks(t, at);
    if (!breaks && goes_on(t, site_at(t, site)->span.end, site + 1, at, true)) return true;
    uint32_t next = comment ? behind_comment(t, at) : at;
    if (next > at && leaves(t, site, next, false, breaks)) return true;
    next = breaks ? behind_break(t, at) : at;
    return next > at && leaves(t, site, next, comment, breaks - 1);
}

/* BEFORE from position `from`, in the middle of a line, equals AFTER from position `at`. */
static bool goes_on(const struct trial *t, uint32_t from, uint32_t site, uint32_t at, bool hole)
{
    const struct statement_site *s = site_at(t, site);
    uint32_t other, to = line_to(t, from, site, &other);
    while (hole && from < to && is_blank(t->before.p[from])) from++;
    if (!s || s->span.start >= to)
        return same_bytes(t, from, to, at) && explains(t, to, site, at + (to - from));
    if (same_bytes(t, from, s->span.end, at) &&
        goes_on(t, s->span.end, site + 1, at + (s->span.end - from), false))
        return true;
    uint32_t stop = s->span.start, breaks = 0;
    while (stop > from && is_blank(t->before.p[stop - 1])) stop--;
    for (uint32_t i = s->span.start; i < s->span.end; i++) breaks += t->before.p[i] == '\n';
    return same_bytes(t, from, stop, at) && leaves(t, site, at + (stop - from), true, breaks);
}

/* The same from the start of a line, which may have been removed. */
static bool explains(const struct trial *t, uint32_t from, uint32_t site, uint32_t at)
{
    if (from == t->b1) return at == t->a1;
    uint32_t other, to = line_to(t, from, site, &other), next = site;
    while (site_at(t, next) && site_at(t, next)->span.start < to) next++;
    bool whole = t->before.p[from - 1] == '\n' && t->before.p[to - 1] == '\n';
    bool may_go = whole && next > site && other == t->b1;
    return (may_go && explains(t, to, next, at)) || goes_on(t, from, site, at, false);
}

/* ---- texts ---- */

struct text {
    const char *pieces[MANY * 2 + PIECES_MAX];
    bool deleted[MANY * 2 + PIECES_MAX];
    uint32_t count;
};

static bool is_site(const char *piece)
{
    return *piece == 't';
}

static void draw(struct text *text, uint32_t pieces, uint32_t sites)
{
    text->count = pieces;
    for (uint32_t i = 0; i < pieces; i++) {
        bool site = below(2);
        text->pieces[i] = site ? SITES[below(sites)] : BETWEEN[below(BETWEEN_COUNT)];
        text->deleted[i] = false;
    }
}

static void print(struct buf *out, const struct text *text)
{
    buf_puts(out, HEAD);
    for (uint32_t i = 0; i < text->count; i++) buf_puts(out, text->pieces[i]);
    buf_puts(out, TAIL);
}

/* Removes some sites, leaves some text, and sometimes makes a forbidden change. */
static void edit_text(const struct text *before, struct text *after)
{
    after->count = 0;
    bool wrong = below(3) == 0;
    for (uint32_t i = 0; i < before->count; i++) {
        const char *piece = before->pieces[i];
        if (is_site(piece) && below(2))
            piece = LEFT[below(LEFT_COUNT)];
        else if (*piece == '\n' && below(4) == 0)
            piece = "";
        else if (wrong && below(before->count) == 0)
            piece = BETWEEN[below(BETWEEN_COUNT)];
        after->pieces[after->count++] = piece;
    }
}

/* ---- checks ---- */

struct tally {
    uint64_t tried, explained, too_much, too_little, wrong_marks;
};

/* The sites of the only function of a text; released with program_free. */
static struct statement_sites *sites_of(struct program *program, struct str text)
{
    static struct body_text bodies;
    struct outline outline = {.text = text};
    struct outline_function function;
    bodies = (struct body_text){.room = 0};
    body_begin(&bodies, text);
    if (!outline_next(&outline, &function)) exit(EXIT_FAILURE);
    body_read(program, &bodies, &function, 0, false);
    body_release(&bodies);
    return &program->sites;
}

/* The statements that the marks keep are those of AFTER. */
static bool marks_hold(const struct statement_sites *before, struct str before_text,
                       struct str after_text)
{
    struct program program;
    const struct statement_sites *after = sites_of(&program, after_text);
    uint32_t next = 0;
    bool good = true;
    for (uint32_t i = 0; i < before->count; i++) {
        if (before->at[i].deleted) continue;
        good = good && next < after->count;
        if (!good) break;
        good = str_eq(token_text(before_text, before->at[i].span),
                      token_text(after_text, after->at[next++].span));
    }
    good = good && next == after->count;
    program_free(&program);
    return good;
}

static void judge(struct str before, struct str after, bool small, struct tally *tally)
{
    struct program program;
    struct statement_sites *sites = sites_of(&program, before);
    struct diff diff;
    diff_begin(&diff, before, after);
    bool said = diff_sites(&diff, sites) && diff_end(&diff);
    uint32_t behind = (uint32_t)strlen(TAIL) - 1; /* its tab belongs to the gap */
    struct trial trial = {before, after, sites, (uint32_t)before.n - behind,
                          (uint32_t)after.n - behind};
    uint32_t start = (uint32_t)strlen(HEAD);
    bool can = small ? explains(&trial, start, 0, start) : true;
    tally->tried++;
    tally->explained += can;
    tally->too_much += said && !can;
    tally->too_little += !said && can;
    tally->wrong_marks += said && !marks_hold(sites, before, after);
    if (said != can && tally->too_much + tally->too_little < 4)
        printf("# %s\n# --- before\n%.*s\n# --- after\n%.*s\n", said ? "explained" : "refused",
               (int)before.n, before.p, (int)after.n, after.p);
    program_free(&program);
}

static void try_small(struct tally *tally)
{
    static struct text text, edited;
    struct buf before = {0}, after = {0};
    draw(&text, 1 + below(PIECES_MAX), SITE_COUNT);
    edit_text(&text, &edited);
    print(&before, &text);
    print(&after, &edited);
    judge((struct str){before.data, before.len}, (struct str){after.data, after.len}, true, tally);
    buf_free(&before);
    buf_free(&after);
}

/* As ptxopt writes it: each site is kept with a probability of one in so many. (Statements over
 * several lines, of which some lines are removed and some kept, are the mixture that is only
 * explained if it is short.) */
static void try_long(enum edit_style style, uint32_t stays, struct tally *tally)
{
    static struct text text;
    struct buf before = {0}, after = {0};
    struct edit_plan plan = {0};
    struct arena arena = {0};
    struct source source;
    draw(&text, MANY, style == EDIT_SQUEEZE ? SITE_COUNT - 1 : SITE_COUNT);
    print(&before, &text);
    uint32_t at = (uint32_t)strlen(HEAD);
    for (uint32_t i = 0; i < text.count; i++) {
        uint32_t n = (uint32_t)strlen(text.pieces[i]);
        if (is_site(text.pieces[i]) && below(stays))
            edit_plan_add(&plan, (struct span){at, at + n}, "c");
        at += n;
    }
    source_init(&source, &arena, "long.ptx", (struct str){before.data, before.len});
    edit_plan_apply(&plan, &source, style, &after);
    judge((struct str){before.data, before.len}, (struct str){after.data, after.len}, false, tally);
    vec_free(&plan);
    arena_free(&arena);
    buf_free(&before);
    buf_free(&after);
}

/* Removes all but one of so many waits in a row, and runs the whole checker. */
static bool proves_adjacent(uint32_t waits)
{
    struct buf before = {0}, after = {0};
    buf_puts(&before, HEAD);
    buf_puts(&after, HEAD);
    for (uint32_t i = 0; i < waits; i++) {
        buf_printf(&before, "\n\t%s", SITES[0]);
        buf_printf(&after, "\n\t%s", i + 1 < waits ? "" : SITES[0]);
    }
    buf_puts(&before, TAIL);
    buf_puts(&after, TAIL);
    struct arena arena = {0};
    struct check_result result;
    check_run(&(struct check_options){.assume = CHECK_PTXAS_FOLLOWS_ISA},
              (struct str){before.data, before.len}, (struct str){after.data, after.len}, &arena,
              &result);
    bool proven = result.verdict == CHECK_PROVEN && result.functions->deletions == waits - 1;
    if (!proven) printf("# %s\n", result.message);
    arena_free(&arena);
    buf_free(&before);
    buf_free(&after);
    return proven;
}

static void print_result(int number, bool good, const char *claim)
{
    printf("%sok %d - %s\n", good ? "" : "not ", number, claim);
}

int main(void)
{
    struct tally small = {0}, large = {0};
    for (int i = 0; i < 300000; i++) try_small(&small);
    for (uint32_t i = 0; i < 30; i++) {
        try_long(EDIT_BLANK, 1 + i % 10, &large);
        try_long(EDIT_ANNOTATE, 1 + i % 10, &large);
        try_long(EDIT_SQUEEZE, 1 + i % 10, &large);
    }
    printf("# %llu small edits, %llu can be explained\n", (unsigned long long)small.tried,
           (unsigned long long)small.explained);
    print_result(1, !small.too_much, "nothing is explained that no deletions explain");
    print_result(2, !small.too_little, "nothing is refused that deletions explain");
    print_result(3, !small.wrong_marks && !large.wrong_marks,
                 "less what is marked, BEFORE has AFTER's statements");
    print_result(4, !large.too_little, "what ptxopt writes is explained, however long the gap");
    print_result(5, proves_adjacent(20) && proves_adjacent(MANY),
                 "20 and 2,000 adjacent waits are one");
    printf("1..5\n");
    return 0;
}
