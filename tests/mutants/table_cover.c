/* Mutants of the questions of the rules (order/cover.h): each cell lets the path continue, answers,
 * or needs fewer assumptions. */
#include <stdlib.h>
#include <string.h>

#include "order/cover.h"
#include "rules/rule.h"

#include "tables.h"

/* For the current table: the rules that use it, and its number among the tables with its name. */
static const char *rules;
static unsigned namesake;

static void change(const struct cover_table *table, const char *on, const struct cover_entry *entry,
                   struct cover_entry now, const char *how)
{
    add_mutant(OF_OPTIMIZER, (struct reach){.rules = rules}, entry, &now, sizeof now,
               "%s %u/%s: %s", table->name, namesake, on, how);
}

static void change_entry(const struct cover_table *table, const char *on,
                         const struct cover_entry *entry)
{
    struct cover_entry now = *entry;
    bool answers =
        entry->does == COVER_DONE || entry->does == COVER_CERTAIN || entry->does == COVER_MUST;
    if (entry->does != COVER_PASS || entry->given)
        change(table, on, entry, (struct cover_entry){.notes = entry->notes}, "passes");
    if (entry->does == COVER_PASS || entry->does == COVER_STOP)
        change(table, on, entry, (struct cover_entry){.does = COVER_DONE}, "answers");
    if (answers && entry->does != COVER_DONE) {
        now.does = COVER_DONE;
        change(table, on, entry, now, "answers though guarded");
    }
    now = *entry;
    now.given = 0;
    if (entry->given && entry->does != COVER_PASS) change(table, on, entry, now, "is assumed");
    now = *entry;
    now.only = now.unless = 0;
    if (entry->only || entry->unless) change(table, on, entry, now, "in every state");
    now = *entry;
    now.notes = 0;
    if (entry->notes) change(table, on, entry, now, "notes nothing");
}

/* Neutral instructions are not steps of a scan, and a function with an unsupported one is not
 * changed. */
static bool is_asked(enum effect effect)
{
    return !effect_is_neutral(effect) && effect != EFFECT_UNSUPPORTED;
}

static void change_table(const struct cover_table *table)
{
    for (enum effect effect = 0; effect < EFFECT_COUNT; effect++)
        if (is_asked(effect)) change_entry(table, effect_name(effect), &table->on[effect]);
    change_entry(table, "edge", &table->on[EDGE]);
    /* A cell at which a path continues becomes an answer. */
    if (table->entry.does != COVER_PASS) change_entry(table, "entry", &table->entry);
    for (unsigned bit = 1; bit < 256; bit <<= 1) {
        uint8_t enough = (uint8_t)(table->enough & ~bit);
        if (table->enough & bit && enough)
            add_mutant(OF_OPTIMIZER, (struct reach){.rules = rules}, &table->enough, &enough,
                       sizeof enough, "%s %u/enough: without %u", table->name, namesake, bit);
    }
}

static bool asks(const struct rule *rule, const struct cover_table *table)
{
    const struct cover_table *const *asked = rule->asks;
    while (*asked && *asked != table) asked++;
    return *asked != NULL;
}

/* The ids of the rules that use it, separated by blanks. Stored as long as the program runs. */
static const char *rules_that_ask(const struct cover_table *table)
{
    char *ids = must(calloc(RULE_COUNT + 1, sizeof rule_at(0)->id + 1));
    strcpy(ids, " ");
    for (uint32_t r = 0; r < RULE_COUNT; r++)
        if (asks(rule_at(r), table)) strcat(strcat(ids, rule_at(r)->id), " ");
    return ids;
}

/* Rules that remove: advice changes no text. Each table once, even if several rules use it. */
void make_cover_mutants(void)
{
    enum { MOST = 64 };
    const struct cover_table *known[MOST];
    uint32_t count = 0;
    for (uint32_t r = 0; r < RULE_REWRITES; r++)
        for (const struct cover_table *const *asked = rule_at(r)->asks; *asked; asked++) {
            uint32_t i = 0;
            while (i < count && known[i] != *asked) i++;
            if (i < count) continue;
            if (count == MOST) abort();
            namesake = 1;
            for (i = 0; i < count; i++) namesake += !strcmp(known[i]->name, (*asked)->name);
            known[count++] = *asked;
            rules = rules_that_ask(*asked);
            change_table(*asked);
        }
}
