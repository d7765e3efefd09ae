/* Prints the tables of the rules as src/rules/README.md shows them: a column for each question, a
 * row for each kind of instruction. rule-table.sh compares the two. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rules/rule.h"

enum { TABLES_MAX = 64, COLUMNS = 7 };

struct row {
    const char *name;
    int first, last; /* effects that no table distinguishes */
};

static const struct row rows[] = {
    {"ld", EFFECT_ASYNC_LD, EFFECT_ASYNC_LD},
    {"st", EFFECT_ASYNC_ST, EFFECT_ASYNC_ST},
    {"mma, cp, shift", EFFECT_ASYNC_MMA, EFFECT_ASYNC_SHIFT},
    {"wait::ld", EFFECT_WAIT_LD, EFFECT_WAIT_LD},
    {"wait::st", EFFECT_WAIT_ST, EFFECT_WAIT_ST},
    {"fence::before", EFFECT_FENCE_BEFORE, EFFECT_FENCE_BEFORE},
    {"fence::after", EFFECT_FENCE_AFTER, EFFECT_FENCE_AFTER},
    {"commit", EFFECT_COMMIT, EFFECT_COMMIT},
    {"release", EFFECT_RELEASE_BARRIER, EFFECT_RELEASE_MEMORY},
    {"acquire", EFFECT_ACQUIRE_BARRIER, EFFECT_ACQUIRE_MEMORY},
    {"either", EFFECT_BOTH_BARRIER, EFFECT_BOTH_MEMORY},
    {"ldmatrix, stmatrix", EFFECT_MEET_MEMORY, EFFECT_MEET_MEMORY},
    {"alloc", EFFECT_ALLOC, EFFECT_ALLOC},
    {"call", EFFECT_CALL, EFFECT_CALL},
    {"exit", EFFECT_EXIT, EFFECT_EXIT},
    {"edge of a .func", EDGE, EDGE},
};

static const struct cover_table *tables[TABLES_MAX];
static int table_count;

static void add(const struct cover_table *table)
{
    for (int i = 0; i < table_count; i++)
        if (tables[i] == table) return;
    if (table_count < TABLES_MAX) tables[table_count++] = table;
}

/* The question of each rule comes first, then those that several rules share. */
static void collect(void)
{
    for (uint32_t r = 0; r < RULE_COUNT; r++)
        if (rule_at(r)->asks[0]) add(rule_at(r)->asks[0]);
    for (uint32_t r = 0; r < RULE_COUNT; r++)
        for (int n = 0; rule_at(r)->asks[n]; n++) add(rule_at(r)->asks[n]);
}

static void print_assumption(uint32_t bit)
{
    uint32_t count;
    const struct assumption_row *all = assume_rows(&count);
    for (uint32_t i = 0; i < count; i++)
        if (all[i].bit == bit) printf(" given %s", all[i].name);
}

static void print_entry(const struct cover_entry *entry)
{
    static const char *const does[] = {"", "", "ends", "covers", "covers"};
    bool is_read = entry->only || entry->unless || entry->notes;
    bool passes = entry->does == COVER_PASS && (entry->given || entry->notes || entry->only);
    const char *words = passes ? "passes" : does[entry->does];
    printf("%s%s", *words ? " " : "", words);
    if (entry->given) print_assumption(entry->given);
    if (entry->reason) printf("%s`%s`", *words ? ", else " : " ", reason_word(entry->reason));
    printf("%s |", is_read ? "*" : "");
}

/* A scan skips register work and weak accesses; for two effects in one row the table must have the
 * same entry. */
static bool has_rows(const struct cover_table *table)
{
    static const struct cover_entry none;
    bool fine = true;
    for (int effect = EFFECT_REGISTER; effect <= EFFECT_MEMORY; effect++) {
        if (!memcmp(&none, &table->on[effect], sizeof none)) continue;
        printf("%s: the entry for %s counts for nothing, as scans pass over it: order/scan.h\n",
               table->name, effect_name((enum effect)effect));
        fine = false;
    }
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++)
        for (int effect = rows[r].first; effect <= rows[r].last; effect++) {
            if (!memcmp(&table->on[rows[r].first], &table->on[effect], sizeof none)) continue;
            printf("%s: %s and %s differ, which the row \"%s\" of tests/rule_table.c joins\n",
                   table->name, effect_name((enum effect)rows[r].first),
                   effect_name((enum effect)effect), rows[r].name);
            fine = false;
        }
    return fine;
}

static void print_row(const struct row *row, int first, int end)
{
    bool any = false;
    for (int t = first; t < end; t++) {
        const struct cover_entry *e = &tables[t]->on[row->first];
        any |= e->does || e->given || e->notes || row->first == EDGE;
    }
    if (!any) return;
    printf("| %s |", row->name);
    for (int t = first; t < end; t++)
        print_entry(row->first == EDGE ? cover_edge(tables[t]) : &tables[t]->on[row->first]);
    putchar('\n');
}

int main(void)
{
    collect();
    bool fine = true;
    for (int t = 0; t < table_count; t++) fine &= has_rows(tables[t]);
    if (!fine) return EXIT_FAILURE;
    for (int first = 0; first < table_count; first += COLUMNS) {
        int end = first + COLUMNS < table_count ? first + COLUMNS : table_count;
        printf("%s| |", first ? "\n" : "");
        for (int t = first; t < end; t++)
            printf(" %s%s %s |", tables[t]->name, tables[t]->look ? "*" : "",
                   tables[t]->backward ? "↑" : "↓");
        printf("\n|---|");
        for (int t = first; t < end; t++) printf("---|");
        putchar('\n');
        for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) print_row(&rows[r], first, end);
    }
    return EXIT_SUCCESS;
}
