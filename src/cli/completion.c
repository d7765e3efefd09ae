/* Lists the options of a program and their arguments, for completion in shells. See
 * completion.h. */
#include "cli/completion.h"

#include <string.h>

#include "base/mem.h"
#include "cli/explain.h"
#include "report/format.h"

/* ---- options ---- */

/* The beginning of a help text that fits after an option: up to the first parenthesis, colon,
 * semicolon or line end. */
static const char *first_words(struct arena *arena, const char *help)
{
    static const char *const ends[] = {" (", "; ", ": ", "\n"};
    size_t len = strlen(help);
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        const char *end = strstr(help, ends[i]);
        if (end && (size_t)(end - help) < len) len = (size_t)(end - help);
    }
    return arena_copy(arena, help, len);
}

/* NULL for an optional argument: it is rarely given, and shells cannot complete it. */
static const char *completion_argument(const struct option_row *row)
{
    return options_argument_is_optional(row) ? NULL : row->argument;
}

void completed_by_table(struct completed *completed)
{
    size_t count;
    const struct option_row *rows = options_table(&count);
    for (size_t i = 0; i < count; i++) {
        struct completed_option option = {.letter = rows[i].letter,
                                          .name = rows[i].name,
                                          .argument = completion_argument(&rows[i]),
                                          .joins = true,
                                          .kind = rows[i].completion};
        struct buf help = {0};
        options_help_text(&help, &rows[i]);
        char *text = buf_take(&help);
        option.help = first_words(&completed->arena, text);
        mem_free(text);
        vec_push(&completed->options, option);
    }
    completed->takes_kernels = true;
    completed->command = "lsp";
}

static enum completion completion_kind(const char *name, const char *argument)
{
    size_t count;
    const struct option_row *rows = options_table(&count);
    for (size_t i = 0; i < count; i++)
        if (rows[i].name && strcmp(rows[i].name, name) == 0) return rows[i].completion;
    if (argument && strcmp(argument, "FILE") == 0) return COMPLETE_FILE;
    return argument && strcmp(argument, "DIR") == 0 ? COMPLETE_DIRECTORY : COMPLETE_NOTHING;
}

static const char *completion_skip_blanks(const char *at)
{
    return at + strspn(at, " ");
}

/* Adds the option at the dashes. Returns what follows it and its argument. */
static const char *add_option(struct completed *completed, const char *at)
{
    struct completed_option option = {.help = ""};
    size_t len = strcspn(at, " ,=\n");
    option.name = arena_copy(&completed->arena, at + 2, len - 2);
    at += len;
    option.joins = *at == '=';
    if (option.joins || (at[0] == ' ' && at[1] != ' ')) {
        len = strcspn(++at, " \n");
        option.argument = arena_copy(&completed->arena, at, len);
        at += len;
    }
    option.kind = completion_kind(option.name, option.argument);
    vec_push(&completed->options, option);
    return completion_skip_blanks(at + (*at == ','));
}

void completed_by_help(struct completed *completed, const char *help)
{
    static const char mark[] = "  --";
    completed->takes_kernels = strstr(help, ".ptx");
    completed->takes_files = strstr(help, "ARGUMENT...");
    for (const char *line = help; *line; line += strcspn(line, "\n"), line += *line == '\n') {
        const char *at = line + 2;
        if (strncmp(line, mark, sizeof mark - 1) != 0) continue;
        while (strncmp(at, "--", 2) == 0) at = add_option(completed, at);
        if (*at == '\n' && at[1] == ' ' && strncmp(at + 1, mark, sizeof mark - 1) != 0)
            at = completion_skip_blanks(at + 1);
        struct completed_option *last = &completed->options.at[completed->options.count - 1];
        last->help = first_words(&completed->arena, at);
    }
}

void completed_free(struct completed *completed)
{
    vec_free(&completed->options);
    arena_free(&completed->arena);
}

/* ---- words ---- */

static void add_topic(struct buf *out, enum topic topic)
{
    const char *word;
    for (size_t i = 0; (word = explain_word_at(topic, i)); i++) buf_printf(out, "%s ", word);
}

static void add_formats(struct buf *out)
{
    size_t count;
    const struct report_format *formats = report_formats(&count);
    for (size_t i = 0; i < count; i++) buf_printf(out, "%s ", formats[i].name);
}

static void completion_add_words(struct buf *out, const char *const *words)
{
    for (size_t i = 0; words[i]; i++) buf_printf(out, "%s ", words[i]);
}

void completion_words(struct buf *out, enum completion kind)
{
    size_t before = out->len;
    switch (kind) {
    case COMPLETE_WORD:
        for (enum topic topic = 0; topic < TOPICS; topic++) add_topic(out, topic);
        buf_puts(out, "all ");
        break;
    case COMPLETE_RULE_LIST:
        add_topic(out, TOPIC_RULES);
        buf_puts(out, "all none ");
        break;
    case COMPLETE_ASSUMPTION: add_topic(out, TOPIC_ASSUMPTIONS); break;
    case COMPLETE_REPORT: add_formats(out); break;
    case COMPLETE_STAGE: completion_add_words(out, options_stages); break;
    case COMPLETE_PARSE: completion_add_words(out, options_parses); break;
    case COMPLETE_LEVEL: completion_add_words(out, options_levels); break;
    case COMPLETE_COLOR: completion_add_words(out, options_colors); break;
    case COMPLETE_LOCATE: completion_add_words(out, options_locates); break;
    case COMPLETE_SET: completion_add_words(out, options_sets); break;
    case COMPLETE_NOTHING:
    case COMPLETE_FILE:
    case COMPLETE_DIRECTORY:
    case COMPLETE_PTX_FILE: break;
    }
    if (out->len > before) out->len--; /* removes the last blank */
}
