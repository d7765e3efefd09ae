/* Finds the candidates that comments keep. Comments about the same place share one entry, so that
 * the time of a query does not depend on their number. */
#include "engine/keeps.h"

#include "rules/rule.h"

static bool keeps_something(const struct directive *directive)
{
    return directive->word == DIRECTIVE_KEEP || directive->word == DIRECTIVE_KEEP_NEXT;
}

/* An unknown name excludes all rules, since any of them may have been meant. */
static uint32_t rules_of(const struct directive *directive)
{
    const uint32_t all = (1u << RULE_COUNT) - 1;
    struct str names = directive->names, name;
    if (!names.p) return all;
    uint32_t rules = 0;
    while (directive_next_name(&names, &name)) {
        uint32_t rule = rule_find(name);
        rules |= rule == RULE_COUNT ? all : 1u << rule;
    }
    return rules;
}

/* Returns the first entry that ends after the place. */
static uint32_t find_keep(const struct keep_list *list, uint32_t place)
{
    uint32_t low = 0, high = list->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (list->at[middle].about.end > place)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

static struct keep_list *keep_list_of(struct keeps *keeps, const struct directive *directive)
{
    bool is_line = directive->about.start <= directive->span.start;
    return is_line ? &keeps->lines : &keeps->nexts;
}

void keeps_find(struct keeps *keeps, const struct source *source, struct span span)
{
    directive_find(&keeps->directives, source, span);
    for (uint32_t i = 0; i < keeps->directives.count; i++) {
        const struct directive *directive = &keeps->directives.at[i];
        if (!keeps_something(directive)) continue;
        struct keep_list *list = keep_list_of(keeps, directive);
        struct keep *last = list->count ? &list->at[list->count - 1] : NULL;
        if (last && last->about.start == directive->about.start)
            last->rules |= rules_of(directive);
        else
            vec_push(list, (struct keep){directive->about, rules_of(directive), 0, directive});
    }
}

void keeps_free(struct keeps *keeps)
{
    vec_free(&keeps->directives);
    vec_free(&keeps->lines);
    vec_free(&keeps->nexts);
}

static uint32_t keep_list_rules(struct keep_list *list, struct span span, uint32_t rules,
                                const struct directive **by)
{
    uint32_t kept = 0;
    for (uint32_t i = find_keep(list, span.start); i < list->count; i++) {
        struct keep *keep = &list->at[i];
        if (keep->about.start >= span.end) break;
        keep->used |= rules;
        if (!*by && keep->rules & rules) *by = keep->by;
        kept |= keep->rules & rules;
    }
    return kept;
}

uint32_t keeps_ask(struct keeps *keeps, struct span span, uint32_t rules,
                   const struct directive **by)
{
    *by = NULL;
    uint32_t kept = keep_list_rules(&keeps->lines, span, rules, by);
    return kept | keep_list_rules(&keeps->nexts, span, rules, by);
}

static void append_keeps(struct keep_list *list, const struct keep_list *later)
{
    for (uint32_t i = 0; i < later->count; i++) vec_push(list, later->at[i]);
}

void keeps_append(struct keeps *keeps, const struct keeps *later)
{
    for (uint32_t i = 0; i < later->directives.count; i++)
        vec_push(&keeps->directives, later->directives.at[i]);
    append_keeps(&keeps->lines, &later->lines);
    append_keeps(&keeps->nexts, &later->nexts);
}

bool keeps_used(const struct keeps *keeps, const struct directive *directive)
{
    const struct keep_list *list = keep_list_of((struct keeps *)keeps, directive);
    uint32_t i = find_keep(list, directive->about.start);
    return i < list->count && list->at[i].used & rules_of(directive);
}

const char *keeps_given_up(const struct given_up *given_up, uint32_t count, uint64_t id)
{
    for (uint32_t i = 0; i < count; i++)
        if (given_up[i].id == id) return given_up[i].why;
    return NULL;
}
