/* Prints what the library knows of a word. See explain.h. */
#include "cli/explain.h"

#include <string.h>

#include "api/ptxopt.h"
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

static void explain_add_section(struct buf *out, const char *section)
{
    if (*section) buf_printf(out, " (PTX ISA %s)", section);
    buf_putc(out, '\n');
}

static void explain_add_text(struct buf *out, const char *summary, const char *explanation)
{
    buf_printf(out, "%s\n\n%s", summary, explanation);
    if (out->data[out->len - 1] != '\n') buf_putc(out, '\n');
}

static void explain_add_rule(struct buf *out, const struct ptxopt_rule *rule)
{
    buf_printf(out, "%s: %s%s", rule->id, rule->advice ? "advises, removes nothing" : "removes ",
               rule->advice ? "" : rule->deletes);
    explain_add_section(out, rule->isa_section);
    explain_add_text(out, rule->summary, rule->explanation);
}

static void add_reason(struct buf *out, const struct ptxopt_reason *reason)
{
    buf_printf(out, "%s: a reason to keep\n", reason->word);
    explain_add_text(out, reason->summary, reason->explanation);
}

static void add_assumption(struct buf *out, const struct ptxopt_assumption *assumption)
{
    bool on = assumption->on_by_default;
    buf_printf(out, "%s: %s --%sassume %s", assumption->name,
               on ? "assumed, off with" : "not assumed, on with", on ? "no-" : "",
               assumption->name);
    explain_add_section(out, assumption->isa_section);
    explain_add_text(out, assumption->summary, assumption->explanation);
}

static void explain_add_code(struct buf *out, const struct ptxopt_lint_code *code)
{
    buf_printf(out, "%s: reported by --lint", code->id);
    explain_add_section(out, code->isa_section);
    buf_printf(out, "%s\n\nISA: %s\n\n%s", code->summary, code->sentence, code->explanation);
    if (out->data[out->len - 1] != '\n') buf_putc(out, '\n');
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
