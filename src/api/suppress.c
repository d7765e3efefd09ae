/* Which hazards does the text itself accept? Comments are found by their words, so a string that
 * spells one counts as one: what it could hide stands on no line with an instruction. */
#include "api/suppress.h"

static const char keyword[] = "ptxopt:", verb[] = "ignore";

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

static struct str skip_blanks(struct str text)
{
    while (text.n && is_blank(*text.p)) text.p++, text.n--;
    return text;
}

static struct str trim(struct str text)
{
    text = skip_blanks(text);
    while (text.n && is_blank(text.p[text.n - 1])) text.n--;
    return text;
}

static struct str line_text(const struct source *source, uint32_t line)
{
    uint32_t start = source_line_start(source, line);
    struct str rest = {source->text.p + start, source->text.n - start};
    return str_first_line(rest);
}

/* A line on which nothing stands that could be found fault with. */
static bool says_nothing(struct str line)
{
    line = skip_blanks(line);
    return !line.n || str_starts(line, "//") || str_starts(line, ".loc");
}

static uint32_t line_it_is_about(const struct source *source, uint32_t line)
{
    uint32_t count = source_line_count(source);
    while (line < count && says_nothing(line_text(source, line))) line++;
    return line;
}

bool suppress_next_code(struct str *codes, struct str *code)
{
    if (!codes->n) return false;
    const char *comma = memchr(codes->p, ',', codes->n);
    size_t len = comma ? (size_t)(comma - codes->p) : codes->n;
    *code = trim((struct str){codes->p, len});
    codes->p += len + (comma != NULL);
    codes->n -= len + (comma != NULL);
    return true;
}

/* Reads what stands behind "ptxopt:" on its line; false when that is no suppression. */
static bool read_words(struct suppression *found, struct str words, struct arena *arena)
{
    words = skip_blanks(words);
    if (!str_starts(words, verb)) return false;
    words.p += sizeof verb - 1;
    words.n -= sizeof verb - 1;
    if (words.n && *words.p == '[') {
        const char *end = memchr(words.p, ']', words.n);
        const char *first = words.p + 1;
        if (!end) end = words.p + words.n;
        found->codes = (struct str){first, (size_t)(end - first)};
        if (!trim(found->codes).n) found->codes = (struct str){"-", 1}; /* none is none of ours */
        words.n -= (size_t)(end - words.p);
        words.p = end;
        if (words.n) words.p++, words.n--;
    } else if (words.n && !is_blank(*words.p)) {
        return false;
    }
    words = trim(words);
    found->reason = arena_copy(arena, words.p, words.n);
    return true;
}

void suppress_find(struct suppression_list *list, const struct source *source, struct arena *arena)
{
    const char *text = source->text.p, *end = text + source->text.n, *at = text;
    for (; (at = memmem(at, (size_t)(end - at), keyword, sizeof keyword - 1)); at++) {
        uint32_t start = (uint32_t)(at - text), line = source_place(source, start).line;
        const char *slashes = at, *first = text + source_line_start(source, line);
        while (slashes > first && is_blank(slashes[-1])) slashes--;
        if (slashes - first < 2 || memcmp(slashes - 2, "//", 2) != 0) continue;
        struct str words = {at + sizeof keyword - 1, (size_t)(end - at) - (sizeof keyword - 1)};
        words = str_first_line(words);
        struct suppression found = {
            .span = {(uint32_t)(slashes - 2 - text), (uint32_t)(words.p + words.n - text)}};
        if (!read_words(&found, words, arena)) continue;
        found.line = line_it_is_about(source, line);
        vec_push(list, found);
    }
}

static bool names(struct str codes, const char *code)
{
    struct str one;
    if (!codes.p) return true;
    while (suppress_next_code(&codes, &one))
        if (str_is(one, code)) return true;
    return false;
}

const struct suppression *suppress_use(struct suppression_list *list, uint32_t first, uint32_t last,
                                       const char *code)
{
    for (uint32_t i = 0; i < list->count; i++) {
        struct suppression *s = &list->at[i];
        if (s->line < first || s->line > last || !names(s->codes, code)) continue;
        s->used = true;
        return s;
    }
    return NULL;
}
