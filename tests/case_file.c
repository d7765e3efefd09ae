/* Reads a file of many cases. See case_file.h. */
#include "case_file.h"

#include "case_lines.h"

#include <fts.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static _Noreturn void refuse(const char *path, uint32_t line, const char *what)
{
    fflush(stdout);
    printf("Bail out! %s:%u: %s\n", path, line + 1, what);
    exit(EXIT_FAILURE);
}

/* ---- marks ---- */

static bool ends_word(struct bytes rest)
{
    return !rest.len || begins(rest, ", ") || begins(rest, " // ");
}

static void add_mark(struct test_case *test, struct mark mark)
{
    test->marks = must(realloc(test->marks, (test->mark_count + 1) * sizeof mark));
    test->marks[test->mark_count++] = mark;
}

/* Adds the marks that begin at this "// ", as in "// kept: a, b // advice". */
static void read_marks(struct test_case *test, struct bytes marks, uint32_t from)
{
    struct bytes word;
    for (const char *kind; (kind = kind_at(marks, &word));) {
        struct bytes rest = word;
        do {
            size_t len = 0;
            if (begins(rest, ", ")) rest = behind(rest, 2);
            while (!ends_word(behind(rest, len))) len++;
            struct mark mark = {.line = test->line_count, .from = from, .kind = kind};
            mark.word = must(strndup(rest.data ? rest.data : "", len));
            add_mark(test, mark);
            rest = behind(rest, len);
        } while (begins(rest, ", "));
        if (!rest.len) return;
        marks = behind(rest, 1);
    }
    refuse(test->file, from, "words after the expectation: expected \"// KIND: WORD, WORD\"");
}

/* "error: CODE by A" has its witness on the line with "witness: A". */
static void find_witnesses(struct test_case *test)
{
    for (uint32_t i = 0; i < test->mark_count; i++) {
        struct mark *mark = &test->marks[i];
        char *label = strstr(mark->word, " by ");
        if (!label) continue;
        for (uint32_t k = 0; k < test->mark_count; k++)
            if (!strcmp(test->marks[k].kind, "witness") && !strcmp(test->marks[k].word, label + 4))
                mark->witness = test->marks[k].line;
        if (!strcmp(label, " by itself")) mark->witness = mark->line;
        if (!mark->witness) refuse(test->file, mark->from, "no line has the witness of this name");
        *label = '\0';
    }
}

/* ---- templates ---- */

/* Collects the names of the variants, in order; at most MOST_VARIANTS. */
enum { MOST_VARIANTS = 64 };
static uint32_t list_variants(const struct bytes *lines, uint32_t count, char **variants)
{
    uint32_t found = 0;
    struct bytes names, text;
    for (uint32_t i = 0; i < count; i++) {
        if (!split_row(lines[i], &names, &text)) continue;
        char *copy = must(strndup(names.data, names.len)), *rest;
        for (char *name = strtok_r(copy, ", ", &rest); name; name = strtok_r(NULL, ", ", &rest)) {
            uint32_t k = 0;
            while (k < found && strcmp(variants[k], name) != 0) k++;
            if (k == found && found < MOST_VARIANTS) variants[found++] = must(strdup(name));
        }
        free(copy);
    }
    return found;
}

/* ---- one case ---- */

/* Adds a line of the file to the text, and its marks to the case. indent: the text before it. */
static void add_text_line(struct test_case *test, struct bytes indent, struct bytes line,
                          uint32_t from)
{
    struct bytes marks = behind(line, marks_start(line));
    line = without_marks(line);
    if (!marks.len || !is_blank(line)) {
        struct bytes *text = &test->text;
        append_line(text, indent);
        text->len--;
        append_line(text, line);
        test->origin = must(realloc(test->origin, (test->line_count + 1) * sizeof *test->origin));
        test->origin[test->line_count++] = from;
    }
    if (marks.len && !test->line_count) refuse(test->file, from, "nothing is above this mark");
    if (marks.len) read_marks(test, marks, from);
}

/* Adds lines [start, end) of the file, as they are in the variant. */
static void add_lines(struct test_case *test, const struct lines *lines, uint32_t start,
                      uint32_t end)
{
    for (uint32_t i = start; i < end; i++) {
        struct bytes names, text, line = lines->at[i];
        if (!split_row(line, &names, &text)) {
            add_text_line(test, (struct bytes){line.data, 0}, line, i);
        } else if (test->variant && is_named(names, test->variant) && text.len) {
            add_text_line(test, (struct bytes){line.data, indent_of(line)}, text, i);
        }
    }
}

/* The default output: the lines of removed instructions are empty. */
static struct bytes emptied(const struct test_case *test)
{
    struct bytes want = {0};
    struct lines lines = split_lines(test->text);
    for (uint32_t i = 0; i < lines.count; i++) {
        struct bytes line = lines.at[i];
        for (uint32_t k = 0; k < test->mark_count; k++)
            if (test->marks[k].line == i + 1 && !strcmp(test->marks[k].kind, "removed"))
                line.len = 0;
        append_line(&want, line);
    }
    free(lines.at);
    return want;
}

static char *rule_of(const char *path)
{
    static const char folder[] = "tests/rules/";
    if (strncmp(path, folder, sizeof folder - 1) != 0) return NULL;
    const char *rule = path + sizeof folder - 1, *slash = strchr(rule, '/');
    return slash ? must(strndup(rule, (size_t)(slash - rule))) : NULL;
}

/* "tests/never/calls.ptx", "behind-a-call", "variant" -> "never/calls:behind-a-call:variant". */
static char *name_of(const char *path, const char *situation, const char *variant)
{
    char *file = with_suffix(strncmp(path, "tests/", 6) ? path : path + 6, "");
    size_t room = strlen(file) + strlen(situation) + (variant ? strlen(variant) : 0) + 3;
    char *name = must(malloc(room));
    snprintf(name, room, "%s:%s%s%s", file, situation, variant ? ":" : "", variant ? variant : "");
    free(file);
    return name;
}

/* ---- a file ---- */

struct reader {
    const char *path;
    struct lines lines;
    uint32_t prelude_end;
    struct case_list list;
};

static void add_case(struct reader *reader, struct test_case test)
{
    struct case_list *list = &reader->list;
    for (size_t i = 0; i < list->count; i++)
        if (!strcmp(list->cases[i].name, test.name))
            refuse(reader->path, test.origin[test.line_count - 1], "two cases have this name");
    find_witnesses(&test);
    test.has_output = test.want.data != NULL;
    if (!test.has_output) test.want = emptied(&test);
    list->cases = must(realloc(list->cases, (list->count + 1) * sizeof test));
    list->cases[list->count++] = test;
}

/* "// options: …" above a function becomes the first line of its text. */
static void add_options(struct test_case *test, const struct reader *reader, uint32_t start,
                        uint32_t head)
{
    struct test_case options = {.file = test->file, .variant = test->variant};
    add_lines(&options, &reader->lines, start, head);
    struct lines lines = split_lines(options.text);
    for (uint32_t i = 0; i < lines.count; i++)
        if (begins(lines.at[i], "// options: "))
            add_text_line(test, (struct bytes){lines.at[i].data, 0}, lines.at[i],
                          options.origin[i]);
    free(lines.at);
    free(options.text.data);
    free(options.origin);
}

/* The case of lines [start, end), and its variants. head: the line below its comment. with_prelude:
 * the options at the head of the file come first. */
static void add_situation(struct reader *reader, const char *situation, uint32_t start,
                          uint32_t head, uint32_t end, struct bytes want, bool with_prelude)
{
    char *variants[MOST_VARIANTS] = {NULL};
    uint32_t count = list_variants(reader->lines.at + start, end - start, variants);
    for (uint32_t i = 0; i < (count ? count : 1); i++) {
        struct test_case test = {.file = must(strdup(reader->path)), .variant = variants[i]};
        test.name = name_of(reader->path, situation, variants[i]);
        test.rule = rule_of(reader->path);
        if (with_prelude) {
            add_options(&test, reader, start, head);
            add_lines(&test, &reader->lines, 0, reader->prelude_end);
        }
        add_lines(&test, &reader->lines, start, end);
        test.want = want;
        add_case(reader, test);
    }
}

/* Whether the line is the head of a function. *name: the function's. */
static bool is_head(struct bytes line, struct bytes *name)
{
    static const char *const words[] = {".visible ", ".weak ", ".extern ", ".entry ", ".func "};
    bool head = false;
    struct bytes rest = line;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (begins(rest, words[i])) rest = behind(rest, strlen(words[i])), head = i > 2;
    if (!head) return false;
    if (begins(rest, "(")) {
        const char *close = memchr(rest.data, ')', rest.len);
        if (close) rest = behind(rest, (size_t)(close - rest.data) + 1);
        rest = behind(rest, indent_of(rest));
    }
    size_t len = 0;
    while (len < rest.len && rest.data[len] != '(' && rest.data[len] != ' ') len++;
    *name = (struct bytes){rest.data, len};
    return len > 0;
}

/* The line after the function's closing brace, which is alone on its line. */
static uint32_t function_end(const struct reader *reader, uint32_t head, uint32_t end)
{
    for (uint32_t i = head; i < end; i++)
        if (reader->lines.at[i].len == 1 && reader->lines.at[i].data[0] == '}') return i + 1;
    refuse(reader->path, head, "expected a line \"}\" at the end of this function");
}

/* The functions before the first section. */
static void read_functions(struct reader *reader, uint32_t end)
{
    struct bytes name;
    for (uint32_t i = 0; i < end;) {
        if (!is_head(reader->lines.at[i], &name)) {
            if (reader->list.count && !is_blank(reader->lines.at[i]) &&
                !begins(reader->lines.at[i], "//"))
                refuse(reader->path, i, "this stands in no function: begin a section, //// NAME");
            i++;
            continue;
        }
        uint32_t start = i, last = function_end(reader, i, end);
        while (start && begins(reader->lines.at[start - 1], "//")) start--;
        if (!reader->list.count) reader->prelude_end = start;
        char *situation = must(strndup(name.data, name.len));
        for (char *at = situation; *at; at++)
            if (*at == '_') *at = '-';
        add_situation(reader, situation, start, i, last, (struct bytes){0}, true);
        free(situation);
        i = last;
    }
}

static uint32_t section_end(const struct lines *lines, uint32_t start)
{
    while (start < lines->count && !begins(lines->at[start], "//// ")) start++;
    return start;
}

/* Without the empty line before the next section. */
static uint32_t text_end(const struct lines *lines, uint32_t start, uint32_t end)
{
    return end < lines->count && end > start && !lines->at[end - 1].len ? end - 1 : end;
}

/* Also true for a line of a variant: the variant is then a complete text. */
static bool has_version(struct bytes line)
{
    struct bytes names, text;
    return begins(split_row(line, &names, &text) ? text : line, ".version ");
}

static void read_section(struct reader *reader, uint32_t at, uint32_t end)
{
    struct bytes line = reader->lines.at[at], want = {0};
    char *name = must(strndup(line.data + 5, line.len - 5));
    size_t len = strlen(name);
    if (len > 8 && !strcmp(name + len - 8, ": output")) {
        free(name);
        return;
    }
    if (end < reader->lines.count) {
        struct bytes next = reader->lines.at[end];
        char *output = must(malloc(len + 16));
        sprintf(output, "//// %s: output", name);
        if (next.len == strlen(output) && begins(next, output)) {
            uint32_t stop = section_end(&reader->lines, end + 1);
            stop = text_end(&reader->lines, end + 1, stop);
            for (uint32_t i = end + 1; i < stop; i++) append_line(&want, reader->lines.at[i]);
        }
        free(output);
    }
    uint32_t stop = text_end(&reader->lines, at + 1, end), head = at + 1;
    bool whole = false;
    while (head < stop && begins(reader->lines.at[head], "//")) head++;
    for (uint32_t i = at + 1; i < stop; i++) whole |= has_version(reader->lines.at[i]);
    add_situation(reader, name, at + 1, head, stop, want, !whole);
    free(name);
}

struct case_list case_list_read(const char *path)
{
    struct bytes file = file_read(path);
    struct reader reader = {.path = path, .lines = split_lines(file)};
    uint32_t at = section_end(&reader.lines, 0);
    reader.prelude_end = at;
    read_functions(&reader, at);
    while (at < reader.lines.count) {
        uint32_t end = section_end(&reader.lines, at + 1);
        read_section(&reader, at, end);
        at = end;
    }
    free(reader.lines.at);
    free(file.data);
    return reader.list;
}

void case_list_free(struct case_list *list)
{
    for (size_t i = 0; i < list->count; i++) {
        struct test_case *test = &list->cases[i];
        for (uint32_t k = 0; k < test->mark_count; k++) free(test->marks[k].word);
        free(test->marks);
        free(test->name);
        free(test->file);
        free(test->variant);
        free(test->rule);
        free(test->text.data);
        free(test->want.data);
        free(test->origin);
    }
    free(list->cases);
    *list = (struct case_list){0};
}

static int by_name(const FTSENT **a, const FTSENT **b)
{
    return strcmp((*a)->fts_name, (*b)->fts_name);
}

void case_files_visit(char *const *paths, file_visitor *visit, void *context)
{
    FTS *walk = must(fts_open(paths, FTS_LOGICAL | FTS_NOCHDIR, by_name));
    for (FTSENT *entry; (entry = fts_read(walk));) {
        const char *suffix = strrchr(entry->fts_name, '.');
        if (entry->fts_info == FTS_F && suffix && !strcmp(suffix, ".ptx"))
            visit(entry->fts_path, context);
    }
    fts_close(walk);
}
