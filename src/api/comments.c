/* Applies comments in the text that accept findings, and reports comments without effect: one that
 * keeps nothing is a warning, one that accepts no finding is a note. See comments.h. */
#include "api/comments.h"

static bool codes_have(struct str codes, const char *code)
{
    struct str one;
    if (!codes.p) return true;
    while (directive_next_name(&codes, &one))
        if (str_is(one, code)) return true;
    return false;
}

/* Comments after the line on which the span ends are not about it. */
const struct directive *comments_accept(const struct writer *w, struct span span, const char *code)
{
    const struct directive_list *list = &w->run->keeps.directives;
    uint32_t end = finding_rest_of_line(&w->run->source, span.end).end;
    uint32_t i = directive_first(list, span.start);
    for (; i < list->count && list->at[i].span.start < end; i++) {
        const struct directive *comment = &list->at[i];
        if (comment->word != DIRECTIVE_IGNORE || !codes_have(comment->names, code) ||
            !directive_meets(comment, span.start, span.end))
            continue;
        w->accepts[i] = true;
        return comment;
    }
    return NULL;
}

static void add_comment_finding(const struct writer *w, const struct directive *comment,
                                enum ptxopt_level level, const char *code, const char *message)
{
    struct ptxopt_finding finding = finding_blank(PTXOPT_DIAGNOSTIC);
    finding.level = level;
    finding.code = code;
    finding.message = message;
    finding_set_span(&finding, &w->run->source, comment->span);
    vec_push(w->findings, finding);
}

static void add_unknown_word(const struct writer *w, const struct directive *comment)
{
    add_comment_finding(
        w, comment, PTXOPT_WARNING, "unknown-word",
        arena_printf(&w->run->arena,
                     "'%.*s' is not a word of ptxopt; expected keep, keep-next or ignore",
                     (int)comment->spelled.n, comment->spelled.p));
}

static bool is_code(struct str word)
{
    for (uint32_t c = 0; c < LINT_CODE_COUNT; c++)
        if (str_is(word, lint_code_at(c)->id)) return true;
    return false;
}

/* Reports the names in a comment that are unknown. True if there are none. */
static bool add_unknown_names(const struct writer *w, const struct directive *comment)
{
    bool ignores = comment->word == DIRECTIVE_IGNORE, known = true;
    struct str rest = comment->names, name;
    while (directive_next_name(&rest, &name)) {
        if (ignores ? is_code(name) : rule_find(name) != RULE_COUNT) continue;
        known = false;
        add_comment_finding(
            w, comment, PTXOPT_WARNING, ignores ? "unknown-code" : "unknown-rule",
            arena_printf(&w->run->arena,
                         ignores ? "lint has no code '%.*s'; expected one that --list-rules names"
                                 : "no rule '%.*s' (see --list-rules; '--' begins a reason): no "
                                   "rule may remove it",
                         (int)name.n, name.p));
    }
    return known;
}

/* The plan of the function that contains the place; NULL if it has none. */
static const struct function_plan *plan_at(const struct engine_run *run, uint32_t place)
{
    uint32_t low = 0, high = run->plans.count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (run->plans.at[middle].span.end > place)
            high = middle;
        else
            low = middle + 1;
    }
    bool inside = low < run->plans.count && place >= run->plans.at[low].span.start;
    return inside ? &run->plans.at[low] : NULL;
}

/* Reports a comment without effect, unless the function was not or not completely examined. */
static void add_unused(const struct writer *w, const struct directive *comment, bool accepts)
{
    const struct function_plan *plan = plan_at(w->run, comment->about.start);
    if (plan && plan->skipped) return;
    if (comment->word != DIRECTIVE_IGNORE) {
        if (!keeps_used(&w->run->keeps, comment))
            add_comment_finding(w, comment, PTXOPT_WARNING, "unused-keep",
                                "this comment keeps nothing: move it to the line of the "
                                "instruction, or to a line of its own before it, or remove it");
    } else if (!accepts && w->options->engine.lint && w->options->least >= LINT_NOTE &&
               !(plan && (plan->missing.unasked | plan->missing.partly | plan->missing.cut))) {
        add_comment_finding(w, comment, PTXOPT_NOTE, "unused-suppression",
                            "this comment accepts no finding: remove it");
    }
}

void comments_add(const struct writer *w)
{
    for (uint32_t i = 0; i < w->run->keeps.directives.count; i++) {
        const struct directive *comment = &w->run->keeps.directives.at[i];
        if (comment->word == DIRECTIVE_UNKNOWN)
            add_unknown_word(w, comment);
        else if (add_unknown_names(w, comment))
            add_unused(w, comment, w->accepts[i]);
    }
}
