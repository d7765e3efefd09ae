/* Applies the settings of the editor's user. Names and values are those of the command line and the
 * service. See settings.h. */
#include <jansson.h>

#include "lsp/settings.h"

#include "base/mem.h"
#include "report/clean.h"

struct choice {
    struct ptxopt_options *options;
    enum severity severity;
};

/* Each of these returns false if the value is unknown. */
static bool settings_set_rules(struct choice *choice, const char *value)
{
    return ptxopt_options_set_rules(choice->options, value);
}

static bool settings_assume(struct choice *choice, const char *value)
{
    return ptxopt_options_assume(choice->options, value, true);
}

static bool do_not_assume(struct choice *choice, const char *value)
{
    return ptxopt_options_assume(choice->options, value, false);
}

static bool settings_set_isa(struct choice *choice, const char *value)
{
    return ptxopt_options_set_isa(choice->options, value);
}

static bool set_severity(struct choice *choice, const char *value)
{
    static const char *const words[] = {[SEVERITY_ERROR] = "error",
                                        [SEVERITY_WARNING] = "warning",
                                        [SEVERITY_INFORMATION] = "information",
                                        [SEVERITY_HINT] = "hint"};
    for (int i = SEVERITY_ERROR; i <= SEVERITY_HINT; i++) {
        if (strcmp(words[i], value) != 0) continue;
        choice->severity = (enum severity)i;
        return true;
    }
    return false;
}

/* value: "off", or the lowest level that is reported. */
static bool set_lint(struct choice *choice, const char *value)
{
    static const struct {
        const char *word;
        enum ptxopt_level level;
    } levels[] = {{"error", PTXOPT_ERROR}, {"warning", PTXOPT_WARNING}, {"note", PTXOPT_NOTE}};
    bool off = strcmp(value, "off") == 0, known = off;
    for (size_t i = 0; i < sizeof levels / sizeof *levels; i++)
        if (strcmp(levels[i].word, value) == 0)
            known = ptxopt_options_set_lint_level(choice->options, levels[i].level);
    if (known) ptxopt_options_set_lint(choice->options, !off);
    return known;
}

static const struct {
    const char *name;
    bool (*set)(struct choice *choice, const char *value);
    bool each; /* words of a list are set one by one, not as one text with commas */
    const char *expected;
} table[] = {
    {"rules", settings_set_rules, false,
     "rules as 'ptxopt --list-rules' shows them, \"all\" or \"none\""},
    {"assume", settings_assume, true, "assumptions as 'ptxopt --list-assumptions' shows them"},
    {"no_assume", do_not_assume, true, "assumptions as 'ptxopt --list-assumptions' shows them"},
    {"isa", settings_set_isa, false, "\"MAJOR.MINOR\", at least \"8.6\""},
    {"severity", set_severity, false, "\"hint\", \"information\", \"warning\" or \"error\""},
    {"lint", set_lint, false, "\"off\", \"error\", \"warning\" or \"note\""},
};
enum { ROWS = sizeof table / sizeof *table };

/* Adds the words of a string with commas, or of an array of strings, separated by commas. False if
 * value is neither. */
static bool settings_add_words(struct buf *words, const json_t *value)
{
    for (size_t i = 0; i < json_array_size(value); i++) {
        const char *word = json_string_value(json_array_get(value, i));
        if (!word) return false;
        if (i) buf_putc(words, ',');
        buf_puts(words, word);
    }
    if (json_is_string(value)) buf_puts(words, json_string_value(value));
    return json_is_string(value) || json_is_array(value);
}

static bool set_each(struct choice *choice, size_t row, char *words)
{
    if (!table[row].each) return table[row].set(choice, words);
    for (char *word = words; *word;) {
        size_t len = strcspn(word, ",");
        bool last = !word[len];
        word[len] = '\0';
        if (!table[row].set(choice, word)) return false;
        word += len + !last;
    }
    return true;
}

static void settings_refuse(struct buf *error, size_t row, const json_t *value)
{
    enum { SHOWN = 60 };
    char *got = json_dumps(value, JSON_ENCODE_ANY | JSON_COMPACT);
    struct str text = str_from(got ? got : "");
    if (text.n > SHOWN) text.n = SHOWN;
    buf_printf(error, "%s: expected %s, not ", table[row].name, table[row].expected);
    clean_add(error, text);
    mem_free(got);
}

static bool settings_set(struct choice *choice, const char *name, const json_t *value,
                         struct buf *error)
{
    for (size_t row = 0; row < ROWS; row++) {
        if (strcmp(table[row].name, name) != 0) continue;
        struct buf text = {0};
        bool good = settings_add_words(&text, value);
        char *words = buf_take(&text);
        good = good && set_each(choice, row, words);
        mem_free(words);
        if (!good) settings_refuse(error, row, value);
        return good;
    }
    buf_puts(error, "there is no option '");
    clean_add(error, str_from(name));
    buf_puts(error, "', expected");
    for (size_t row = 0; row < ROWS; row++)
        buf_printf(error, "%s%s", !row ? " " : row + 1 < ROWS ? ", " : " or ", table[row].name);
    return false;
}

bool settings_apply(struct session *session, const json_t *values, struct buf *error)
{
    struct choice choice = {ptxopt_options_copy(session->settings->options), SEVERITY_INFORMATION};
    const char *name;
    json_t *value;
    bool good = !values || json_is_null(values) || json_is_object(values);
    if (!choice.options) mem_exhausted();
    ptxopt_options_set_steps(choice.options, true);
    if (!good) buf_puts(error, "expected the options as an object");
    json_object_foreach((json_t *)values, name, value)
    {
        if (good) good = settings_set(&choice, name, value, error);
    }
    if (good) {
        ptxopt_options_free(session->options);
        session->options = choice.options;
        session->severity = choice.severity;
        session_forget(session);
    } else {
        ptxopt_options_free(choice.options);
    }
    return good;
}
