/* Describes a rule, reason, assumption or code. See explain.h. */
#include "cli/explain.h"

#include <string.h>

#include "api/ptxopt.h"
#include "base/mem.h"
#include "base/wrap.h"
#include "cli/nearest.h"

static const char *const headings[TOPICS] = {
    "RULES: what is removed, and when", "REASONS: why a candidate or a function is kept",
    "ASSUMPTIONS: beyond the text of the PTX ISA", "LINT: hazards"};

const char *explain_word_at(enum topic topic, size_t i)
{
    size_t count;
    const struct ptxopt_rule *rules = ptxopt_rules(&count);
    if (topic == TOPIC_RULES) return i < count ? rules[i].id : NULL;
    const struct ptxopt_reason *reasons = ptxopt_reasons(&count);
    if (topic == TOPIC_REASONS) return i < count ? reasons[i].word : NULL;
    const struct ptxopt_assumption *assumptions = ptxopt_assumptions(&count);
    if (topic == TOPIC_ASSUMPTIONS) return i < count ? assumptions[i].name : NULL;
    const struct ptxopt_lint_code *codes = ptxopt_lint_codes(&count);
    return i < count ? codes[i].id : NULL;
}

static void add_heading(struct buf *out, struct buf *heading, const char *section,
                        const char *summary)
{
    if (*section) buf_printf(heading, " (PTX ISA %s)", section);
    char *line = buf_take(heading);
    wrap_add(out, str_from(line), 0);
    wrap_add(out, str_from(summary), 0);
    buf_putc(out, '\n');
    mem_free(line);
}

/* The length of a label such as "Before:  " at the beginning of a line of an example; 0 for any
 * other line. */
static size_t label_length(struct str line)
{
    const char *end = line.n ? memchr(line.p, ':', line.n) : NULL;
    size_t n = end ? (size_t)(end - line.p) + 1 : 0;
    if (n + 2 > line.n || line.p[n] != ' ' || line.p[n + 1] != ' ') return 0;
    while (n < line.n && line.p[n] == ' ') n++;
    return n;
}

/* Adds the first line of text, together with the following lines of the paragraph if join is set.
 * Returns the rest of text. */
static struct str add_paragraph(struct buf *out, struct str text, bool join)
{
    struct buf words = {0};
    size_t label = label_length(str_first_line(text));
    buf_add(out, text.p, label);
    text = (struct str){text.p + label, text.n - label};
    for (bool more = true; more;) {
        struct str line = str_first_line(text);
        if (words.len) buf_putc(&words, ' ');
        buf_add(&words, line.p, line.n);
        size_t used = line.n + (line.n < text.n);
        text = (struct str){text.p + used, text.n - used};
        struct str next = str_first_line(text);
        more = join && !label && line.n && next.n && !label_length(next);
    }
    wrap_add(out, (struct str){words.data, words.len}, label);
    buf_free(&words);
    return text;
}

/* join: lines of a paragraph are joined and broken anew; otherwise each line is a paragraph. */
static void explain_add_text(struct buf *out, const char *text, bool join)
{
    struct str rest = str_from(text);
    while (rest.n) rest = add_paragraph(out, rest, join);
}

static void explain_add_rule(struct buf *out, const struct ptxopt_rule *rule)
{
    struct buf heading = {0};
    buf_printf(&heading, "%s: %s%s", rule->id,
               rule->advice ? "advises, removes nothing" : "removes ",
               rule->advice ? "" : rule->deletes);
    add_heading(out, &heading, rule->isa_section, rule->summary);
    explain_add_text(out, rule->explanation, true);
}

static void add_reason(struct buf *out, const struct ptxopt_reason *reason)
{
    struct buf heading = {0};
    buf_printf(&heading, "%s: a reason to keep", reason->word);
    add_heading(out, &heading, "", reason->summary);
    explain_add_text(out, reason->explanation, true);
}

static void add_assumption(struct buf *out, const struct ptxopt_assumption *assumption)
{
    struct buf heading = {0};
    bool on = assumption->on_by_default;
    buf_printf(&heading, "%s: %s --%sassume %s", assumption->name,
               on ? "assumed, off with" : "not assumed, on with", on ? "no-" : "",
               assumption->name);
    add_heading(out, &heading, assumption->isa_section, assumption->summary);
    explain_add_text(out, assumption->explanation, true);
}

static void explain_add_code(struct buf *out, const struct ptxopt_lint_code *code)
{
    struct buf heading = {0}, sentence = {0};
    buf_printf(&heading, "%s: reported by --lint", code->id);
    add_heading(out, &heading, code->isa_section, code->summary);
    buf_printf(&sentence, "ISA: %s", code->sentence);
    wrap_add(out, (struct str){sentence.data, sentence.len}, 0);
    buf_putc(out, '\n');
    buf_free(&sentence);
    explain_add_text(out, code->explanation, false);
}

static void explain_add_entry(struct buf *out, enum topic topic, size_t i)
{
    size_t count;
    switch (topic) {
    case TOPIC_RULES: explain_add_rule(out, &ptxopt_rules(&count)[i]); break;
    case TOPIC_REASONS: add_reason(out, &ptxopt_reasons(&count)[i]); break;
    case TOPIC_ASSUMPTIONS: add_assumption(out, &ptxopt_assumptions(&count)[i]); break;
    case TOPIC_CODES: explain_add_code(out, &ptxopt_lint_codes(&count)[i]); break;
    case TOPICS: break;
    }
}

static void add_all(struct buf *out)
{
    for (enum topic topic = 0; topic < TOPICS; topic++) {
        buf_printf(out, "%s%s\n", out->len ? "\n\n" : "", headings[topic]);
        for (size_t i = 0; explain_word_at(topic, i); i++) {
            buf_putc(out, '\n');
            explain_add_entry(out, topic, i);
        }
    }
}

bool explain_word(struct buf *out, const char *word, struct buf *error)
{
    struct nearest nearest = nearest_to(word);
    if (strcmp(word, "all") == 0) {
        add_all(out);
        return true;
    }
    for (enum topic topic = 0; topic < TOPICS; topic++)
        for (size_t i = 0; explain_word_at(topic, i); i++) {
            if (strcmp(word, explain_word_at(topic, i)) == 0) {
                explain_add_entry(out, topic, i);
                return true;
            }
            nearest_try(&nearest, explain_word_at(topic, i));
        }
    buf_printf(error, "--explain: there is no rule, reason, assumption or code '%s'", word);
    if (nearest.best) buf_printf(error, ", did you mean '%s'?", nearest.best);
    buf_puts(error, "; 'ptxopt --explain all' lists them");
    return false;
}
