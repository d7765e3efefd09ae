/* Finds the comments for ptxopt, and the instructions that they are about, in one pass: text that
 * was examined for one comment is not examined again for the next one, however many are in a row.
 * See directive.h. */
#include "text/directive.h"

#include "base/work.h"

static const char keyword[] = "ptxopt:";

enum { BYTES_A_UNIT = 256 };

static bool directive_is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

bool directive_begins(const char *at, const char *end)
{
    while (at < end && directive_is_blank(*at)) at++;
    return str_starts((struct str){at, (size_t)(end - at)}, keyword);
}

static struct str trim_blanks(struct str text)
{
    while (text.n && directive_is_blank(*text.p)) text.p++, text.n--;
    while (text.n && directive_is_blank(text.p[text.n - 1])) text.n--;
    return text;
}

static struct str drop_front(struct str text, size_t n)
{
    return (struct str){text.p + n, text.n - n};
}

/* ---- the words of a comment ---- */

bool directive_next_name(struct str *names, struct str *name)
{
    if (!names->p) return false;
    const char *comma = memchr(names->p, ',', names->n);
    size_t length = comma ? (size_t)(comma - names->p) : names->n;
    *name = trim_blanks((struct str){names->p, length});
    *names = comma ? drop_front(*names, length + 1) : (struct str){NULL, 0};
    return true;
}

static enum directive_word directive_word_of(struct str spelled)
{
    static const char *const words[DIRECTIVE_UNKNOWN] = {[DIRECTIVE_IGNORE] = "ignore",
                                                         [DIRECTIVE_KEEP] = "keep",
                                                         [DIRECTIVE_KEEP_NEXT] = "keep-next"};
    int word = 0;
    while (word < DIRECTIVE_UNKNOWN && !str_is(spelled, words[word])) word++;
    return (enum directive_word)word;
}

/* Removes the names from the beginning of *rest, the text after the word. */
static struct str take_names(struct str *rest, bool bare)
{
    struct str names = {NULL, 0};
    if (rest->n && *rest->p == '[') {
        const char *close = memchr(rest->p, ']', rest->n);
        size_t length = close ? (size_t)(close - rest->p) : rest->n;
        names = (struct str){rest->p + 1, length - 1};
        *rest = drop_front(*rest, length + (close != NULL));
    } else if (bare && trim_blanks(*rest).n && !str_starts(trim_blanks(*rest), "--")) {
        const char *dashes = memmem(rest->p, rest->n, "--", 2);
        names = (struct str){rest->p, dashes ? (size_t)(dashes - rest->p) : rest->n};
        *rest = drop_front(*rest, names.n);
    }
    return names;
}

static void directive_read_words(struct directive *directive, struct str words)
{
    size_t length = 0;
    words = trim_blanks(words);
    while (length < words.n && !directive_is_blank(words.p[length]) && words.p[length] != '[')
        length++;
    directive->spelled = (struct str){words.p, length};
    directive->word = directive_word_of(directive->spelled);
    struct str rest = drop_front(words, length);
    bool keeps = directive->word == DIRECTIVE_KEEP || directive->word == DIRECTIVE_KEEP_NEXT;
    directive->names = take_names(&rest, keeps);
    rest = trim_blanks(rest);
    directive->reason = trim_blanks(str_starts(rest, "--") ? drop_front(rest, 2) : rest);
}

/* ---- the instructions of a comment ---- */

static const char *directive_line_end(const char *at, const char *end)
{
    const char *newline = memchr(at, '\n', (size_t)(end - at));
    return newline ? newline : end;
}

static bool in_name(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '$' || c == '%';
}

/* The end of the label at `at`; `at` if there is no label. */
static const char *behind_label(const char *at, const char *end)
{
    const char *colon = at;
    while (colon < end && in_name(*colon)) colon++;
    bool is_label = colon > at && end - colon > 1 && colon[0] == ':' && colon[1] != ':';
    return is_label ? colon + 1 : at;
}

/* The place after the ';' on this line, or the end of the line. */
static const char *statement_end(const char *at, const char *end)
{
    while (at < end && *at != ';' && *at != '\n') at++;
    return at < end && *at == ';' ? at + 1 : at;
}

/* The text at `at` is a directive such as `.loc 1`, `.reg .b32` or `.pragma ""`, not the rest of an
 * instruction. */
static bool is_declaring_directive(const char *at, const char *end)
{
    do at++;
    while (at < end && in_name(*at));
    const char *behind = at;
    while (behind < end && directive_is_blank(*behind)) behind++;
    bool digit = behind < end && *behind >= '0' && *behind <= '9';
    return behind > at && behind < end && (digit || *behind == '.' || *behind == '"');
}

/* The end of what is at `at`, if that is not an instruction; `at` if it may be one. */
static const char *behind_other(const char *at, const char *end)
{
    size_t left = (size_t)(end - at);
    if (*at == '\n' || *at == '{' || directive_is_blank(*at)) return at + 1;
    if (*at == '#' || (left > 1 && memcmp(at, "//", 2) == 0)) return directive_line_end(at, end);
    if (*at == '.') return is_declaring_directive(at, end) ? statement_end(at, end) : at;
    if (left < 2 || memcmp(at, "/*", 2) != 0) return behind_label(at, end);
    const char *close = memmem(at + 2, left - 2, "*/", 2);
    return close ? close + 2 : end;
}

/* A part of the text in which there is no instruction. */
struct gap {
    const char *from, *to;
};

/* The first instruction at or after `at`; end if there is none. */
static const char *first_said(struct gap *known, const char *at, const char *end)
{
    if (known->from && at >= known->from && at <= known->to) return known->to;
    known->from = at;
    for (const char *next; at < end && (next = behind_other(at, end)) > at;) at = next;
    return known->to = at;
}

/* The line of the last comment, and what is known about instructions in that line and after the
 * comment. */
struct finder {
    const char *text, *end, *line, *line_end;
    struct gap of_line, behind;
};

static struct span finder_span(const struct finder *finder, const char *from, const char *to)
{
    return (struct span){(uint32_t)(from - finder->text), (uint32_t)(to - finder->text)};
}

static void go_to_line_of(struct finder *finder, const char *at)
{
    if (at < finder->line_end) return;
    const char *before = memrchr(finder->line_end, '\n', (size_t)(at - finder->line_end));
    if (before) finder->line = before + 1;
    finder->line_end = directive_line_end(at, finder->end);
}

static struct span directive_target(struct finder *finder, enum directive_word word,
                                    const char *behind)
{
    if (word != DIRECTIVE_KEEP_NEXT) {
        const char *said = first_said(&finder->of_line, finder->line, finder->end);
        if (said < finder->line_end) return finder_span(finder, finder->line, finder->line_end);
    }
    const char *next = first_said(&finder->behind, behind, finder->end);
    return finder_span(finder, next, statement_end(next, finder->end));
}

/* Reads a comment for ptxopt, which extends from mark to behind. */
static struct directive read_comment(struct finder *finder, const char *mark, const char *behind)
{
    struct directive found;
    go_to_line_of(finder, mark);
    const char *last = behind < finder->line_end ? behind : finder->line_end;
    const char *words = memmem(mark, (size_t)(last - mark), keyword, sizeof keyword - 1);
    words += sizeof keyword - 1;
    bool closed = mark[1] == '*' && last - words > 1 && memcmp(last - 2, "*/", 2) == 0;
    directive_read_words(&found, (struct str){words, (size_t)(last - words) - (closed ? 2 : 0)});
    found.span = finder_span(finder, mark, last);
    found.about = directive_target(finder, found.word, behind);
    return found;
}

/* The end of the comment or string at `at`, as the lexer defines them; the next byte if there is
 * none. */
static const char *behind_token(const char *at, const char *end)
{
    const char *rest = at + 1, *close = at;
    size_t left = (size_t)(end - rest);
    if (*at == '#' || (*at == '/' && left && *rest == '/')) return directive_line_end(at, end);
    if (*at == '"') close = memchr(rest, '"', left);
    if (*at == '/' && left && *rest == '*') close = memmem(rest + 1, left - 1, "*/", 2);
    if (!close) return end;
    return close == at ? rest : close + (*at == '/' ? 2 : 1);
}

static void directive_list_add(struct directive_list *list, struct directive found)
{
    const struct directive *last = list->count ? &list->at[list->count - 1] : NULL;
    found.reaches = found.about.end;
    if (last && last->reaches > found.reaches) found.reaches = last->reaches;
    vec_push(list, found);
}

uint32_t directive_first(const struct directive_list *list, uint32_t start)
{
    uint32_t low = 0, high = list->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (list->at[middle].reaches > start)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

void directive_find(struct directive_list *list, const struct source *source, struct span span)
{
    const char *text = source->text.p, *at = text + span.start, *end = text + span.end;
    struct finder finder = {.text = text, .end = end, .line = at, .line_end = at};
    while (at < end) {
        const char *mark = at;
        while (at < end && *at != '/' && *at != '"' && *at != '#') at++;
        work_spend((size_t)(at - mark) / BYTES_A_UNIT + 1);
        if (at == end) break;
        mark = at;
        at = behind_token(mark, end);
        bool comment = *mark == '/' && at - mark > 2;
        if (comment && directive_begins(mark + 2, at))
            directive_list_add(list, read_comment(&finder, mark, at));
    }
}
