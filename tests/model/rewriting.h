/* Changes of a PTX text that do not change its meaning: other names, another order of the blocks,
 * neutral instructions in between, a synchronisation twice. They use the text alone, with a reader
 * that knows comments, braces and `;`. Each appends to a buffer. */
#ifndef PTXOPT_TESTS_MODEL_REWRITING_H
#define PTXOPT_TESTS_MODEL_REWRITING_H

#include <ctype.h>

#include "sites.h"

static inline bool is_name_char(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '$' || c == '%';
}

static inline size_t name_length(const char *at)
{
    size_t n = 0;
    while (is_name_char(at[n])) n++;
    return isdigit((unsigned char)*at) ? 0 : n;
}

/* ---- other names ---- */

/* A declared register or, with range, a row of them: name<count>. */
struct declared {
    struct str name;
    uint32_t count; /* 0: one register with exactly that name */
};

struct names VEC(struct declared);
struct labels VEC(struct str);

/* The last declaration of a name, so that the count of each function applies. */
static inline struct declared *declared_find(struct names *names, struct str name, bool range)
{
    for (uint32_t i = names->count; i--;)
        if ((names->at[i].count > 0) == range && str_eq(names->at[i].name, name))
            return &names->at[i];
    return NULL;
}

/* Adds what `.reg .type a, b<9>;` declares, given the text after `.reg`. */
static inline void names_declare(struct names *names, const char *at)
{
    for (; *at && *at != ';'; at++) {
        if (*at == '.') {
            at += name_length(at + 1);
            continue;
        }
        size_t n = name_length(at);
        if (!n) continue;
        struct declared made = {{at, n}, 0};
        at += n;
        if (*at == '<') made.count = (uint32_t)strtoul(at + 1, NULL, 10);
        struct declared *old = declared_find(names, made.name, made.count > 0);
        if (old)
            *old = made;
        else
            vec_push(names, made);
        at -= *at != '<';
    }
}

static inline bool is_label(const char *text, size_t at, size_t n)
{
    size_t end = at + n;
    while (text[end] == ' ') end++;
    return text[end] == ':' && text[end + 1] != ':' && (!at || text[at - 1] != ':');
}

static inline struct labels labels_of(const char *text)
{
    struct labels labels = {0};
    for (size_t at = 0; text[at]; at++) {
        size_t n = name_length(text + at);
        if (!n) continue;
        if (is_label(text, at, n)) vec_push(&labels, (struct str){text + at, n});
        at += n - 1;
    }
    return labels;
}

static inline bool labels_have(const struct labels *labels, struct str name)
{
    for (uint32_t i = 0; i < labels->count; i++)
        if (str_eq(labels->at[i], name)) return true;
    return false;
}

/* Registers of a row are exchanged in pairs and get another first part; other registers and the
 * labels get another suffix. */
static inline bool print_renamed(struct buf *out, struct names *names, const struct labels *labels,
                                 struct str name, char behind)
{
    size_t stem = name.n;
    while (stem && isdigit((unsigned char)name.p[stem - 1])) stem--;
    struct declared *row = declared_find(names, (struct str){name.p, stem}, true);
    if (row && (stem < name.n || behind == '<')) {
        bool percent = *name.p == '%';
        buf_printf(out, "%sq_%.*s", percent ? "%" : "", (int)stem - percent, name.p + percent);
        uint32_t number = (uint32_t)strtoul(name.p + stem, NULL, 10);
        uint32_t other = (number ^ 1) < row->count ? number ^ 1 : number;
        if (stem < name.n) buf_printf(out, "%u", other);
        return true;
    }
    bool known = declared_find(names, name, false) || labels_have(labels, name);
    if (known) buf_printf(out, "%.*s_q", (int)name.n, name.p);
    return known;
}

static inline void text_renamed(struct str text, struct buf *out)
{
    char *plain = text_without_comments(text);
    struct names names = {0};
    struct labels labels = labels_of(plain);
    for (size_t at = 0; at < text.n;) {
        size_t n = name_length(plain + at);
        char front = at ? plain[at - 1] : ' ';
        if (n == 3 && front == '.' && !memcmp(plain + at, "reg", 3))
            names_declare(&names, plain + at + 3);
        struct str name = {plain + at, n};
        bool qualified = front == '.' || front == ':';
        if (!n || qualified || !print_renamed(out, &names, &labels, name, plain[at + n]))
            buf_add(out, text.p + at, n ? n : 1);
        at += n ? n : 1;
    }
    vec_free(&names);
    vec_free(&labels);
    free(plain);
}

/* ---- statements of bodies ---- */

/* Walks a text without comments: depth 0 is outside of functions, 1 their bodies. */
struct reader {
    const char *plain;
    size_t at, start; /* of the statement that is being read */
    uint32_t depth;
    bool in_function;
};

/* Moves past the next character; true if that was a `;` inside a function, whose statement is
 * plain[start, at). */
static inline bool reader_next(struct reader *r)
{
    char c = r->plain[r->at++];
    if (!r->depth && c == '.')
        r->in_function |=
            !strncmp(r->plain + r->at, "entry", 5) || !strncmp(r->plain + r->at, "func", 4);
    if (c == '{') r->depth++;
    if (c == '}' && r->depth) r->depth--;
    if (c == '}' && !r->depth) r->in_function = false;
    bool directive = c == '\n' && !strncmp(r->plain + r->start, ".loc", 4);
    bool label = c == ':' && r->plain[r->at] != ':' && r->plain[r->at - 2] != ':';
    bool blank = r->start == r->at - 1 && isspace((unsigned char)c);
    bool ends = c == ';' && r->depth && r->in_function;
    if (ends) return true;
    if (c == ';' || c == '{' || c == '}' || directive || label || blank) r->start = r->at;
    return false;
}

/* An unguarded statement after which control does not continue. */
static inline bool never_goes_on(const char *statement)
{
    static const char *const words[] = {"bra", "ret", "exit"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        size_t n = strlen(words[i]);
        if (!strncmp(statement, words[i], n) && !is_name_char(statement[n])) return true;
    }
    return false;
}

/* ---- another order of the blocks ---- */

/* The text between two places that control does not pass can be anywhere after the first such
 * place: the order of these pieces is reversed. */
static inline void text_reordered(struct str text, struct buf *out)
{
    char *plain = text_without_comments(text);
    struct reader r = {.plain = plain};
    struct VEC(size_t) cuts = {0};
    size_t done = 0;
    while (r.at < text.n) {
        bool ends = reader_next(&r);
        if (ends && r.depth == 1 && never_goes_on(plain + r.start)) vec_push(&cuts, r.at);
        if (ends) r.start = r.at;
        if (r.in_function || !cuts.count) continue;
        buf_add(out, text.p + done, cuts.at[0] - done);
        for (uint32_t i = cuts.count - 1; i > 0; i--)
            buf_add(out, text.p + cuts.at[i - 1], cuts.at[i] - cuts.at[i - 1]);
        done = cuts.at[cuts.count - 1];
        cuts.count = 0;
    }
    buf_add(out, text.p + done, text.n - done);
    vec_free(&cuts);
    free(plain);
}

/* ---- neutral work in between ---- */

struct lines VEC(uint32_t);

/* The lines, from 0, after which a statement may be inserted, and (with the highest bit set) those
 * that open the body of a function. */
#define LINE_OPENS 0x80000000u

static inline struct lines lines_of(struct str text)
{
    char *plain = text_without_comments(text);
    struct reader r = {.plain = plain};
    struct lines lines = {0};
    uint32_t line = 0;
    char last = 0; /* the line's last character that is not a blank */
    bool opens = false, ended = false;
    while (r.at < text.n) {
        char c = plain[r.at];
        uint32_t depth = r.depth;
        bool ends = reader_next(&r);
        if (ends) r.start = r.at;
        opens |= !depth && r.depth == 1 && r.in_function;
        if (c != '\n') {
            if (!isspace((unsigned char)c)) last = c, ended = ends;
            continue;
        }
        if (opens && last == '{')
            vec_push(&lines, line | LINE_OPENS);
        else if (ended && r.depth && r.in_function)
            vec_push(&lines, line);
        opens = ended = false;
        last = 0;
        line++;
    }
    free(plain);
    return lines;
}

/* The lines are those of the text from which this one was made: a removal keeps the line ends. */
static inline void text_padded(struct str text, const struct lines *lines, struct buf *out)
{
    uint32_t line = 0, next = 0;
    for (size_t at = 0; at < text.n; at++) {
        buf_putc(out, text.p[at]);
        if (text.p[at] != '\n') continue;
        if (next < lines->count && (lines->at[next] & ~LINE_OPENS) == line) {
            if (lines->at[next++] & LINE_OPENS)
                buf_puts(out, ".reg .b32 %fresh<2>;\n");
            else
                buf_puts(out, line & 1 ? "add.u32 %fresh0, %fresh1, 1;\n"
                                       : "mov.b32 %fresh1, %fresh0;\n");
        }
        line++;
    }
}

/* ---- a synchronisation twice ---- */

/* One of the sites a second time, directly after itself; with `all`, every one. */
static inline void text_doubled(struct str text, const struct sites *sites, uint32_t which,
                                bool all, struct buf *out)
{
    uint32_t at = 0;
    for (uint32_t i = 0; i < sites->count; i++) {
        struct site site = sites->at[i];
        if (!all && i != which) continue;
        buf_add(out, text.p + at, site.end - at);
        buf_putc(out, ' ');
        buf_add(out, text.p + site.start, site.end - site.start);
        at = site.end;
    }
    buf_add(out, text.p + at, text.n - at);
}

#endif
