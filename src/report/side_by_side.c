/* Matches the words of the machine code before and after: first by line and opcode, then by place
 * and opcode, then by opcode alone. The heaviest series of pairs that is in the same order on both
 * sides gets common rows; the other pairs have moved. */
#include "report/side_by_side.h"

#include <stdlib.h>

struct key {
    uint32_t line, opcode, word;
};

static int by_key(const void *a, const void *b)
{
    const struct key *x = a, *y = b;
    if (x->line != y->line) return x->line < y->line ? -1 : 1;
    if (x->opcode != y->opcode) return x->opcode < y->opcode ? -1 : 1;
    return x->word < y->word ? -1 : x->word > y->word;
}

/* Words that have no partner yet. */
struct keys VEC(struct key);

/* Keys sorted by line and opcode. map translates the lines of the text before; NULL: the lines are
 * those of the text after. */
static struct keys line_keys(const struct machine_code *code, const struct line_map *map)
{
    struct keys keys = {0};
    for (uint32_t i = 0; i < code->count; i++) {
        uint32_t line = code->lines[i];
        if (map && line && !(line = line_map_after(map, line))) line = UINT32_MAX;
        vec_push(&keys, (struct key){line, machine_opcode(code->words[i]), i});
    }
    if (keys.count) qsort(keys.at, keys.count, sizeof *keys.at, by_key);
    return keys;
}

/* Keys sorted by opcode alone. NOPs are left out, because a NOP at another place is not the same
 * instruction. */
static struct keys opcode_keys(const struct machine_code *code, const uint32_t *other)
{
    struct keys keys = {0};
    for (uint32_t i = 0; i < code->count; i++)
        if (other[i] == NO_WORD && machine_opcode(code->words[i]) != SASS_NOP)
            vec_push(&keys, (struct key){0, machine_opcode(code->words[i]), i});
    if (keys.count) qsort(keys.at, keys.count, sizeof *keys.at, by_key);
    return keys;
}

/* Has count + 1 elements, because the tree counts from 1. */
static uint32_t *no_words(uint32_t count)
{
    uint32_t *words = mem_alloc((count + 1) * sizeof *words);
    for (uint32_t i = 0; i <= count; i++) words[i] = NO_WORD;
    return words;
}

/* Pairs the first word of a line and opcode with the first one on the other side, and so on. Frees
 * both lists. */
static void pair_up(struct side_by_side *sides, struct keys before, struct keys after)
{
    for (uint32_t i = 0, k = 0; i < before.count && k < after.count;) {
        struct key x = before.at[i], y = after.at[k];
        x.word = y.word = 0;
        int order = by_key(&x, &y);
        if (!order) {
            sides->other_of_before[before.at[i].word] = after.at[k].word;
            sides->other_of_after[after.at[k].word] = before.at[i].word;
        }
        i += order <= 0;
        k += order >= 0;
    }
    vec_free(&before);
    vec_free(&after);
}

/* The series of pairs that are in the same order on both sides, each identified by the last word
 * before. best is a Fenwick tree: the heaviest series whose last word after is among the first n
 * words. */
struct series {
    const struct side_by_side *sides;
    uint32_t *best, *previous, count; /* count: of words after */
    uint64_t *weight;
};

static uint32_t heaviest_below(const struct series *series, uint32_t word)
{
    uint32_t best = NO_WORD;
    for (uint32_t i = word; i; i &= i - 1)
        if (series->best[i] != NO_WORD &&
            (best == NO_WORD || series->weight[series->best[i]] > series->weight[best]))
            best = series->best[i];
    return best;
}

static void add_series(struct series *series, uint32_t before, uint32_t weight)
{
    uint32_t after = series->sides->other_of_before[before];
    uint32_t previous = heaviest_below(series, after);
    series->previous[before] = previous;
    series->weight[before] = weight + (previous == NO_WORD ? 0 : series->weight[previous]);
    for (uint32_t i = after + 1; i <= series->count; i += i & -i) {
        uint32_t *best = &series->best[i];
        if (*best == NO_WORD || series->weight[before] > series->weight[*best]) *best = before;
    }
}

/* Marks the words before of the heaviest series. A landmark weighs more than all other words
 * together. */
static bool *in_order(const struct side_by_side *sides, const struct machine_code *before,
                      uint32_t after_count)
{
    struct series series = {.sides = sides, .count = after_count};
    bool *marks = mem_zalloc(before->count + 1, sizeof *marks);
    series.best = no_words(after_count);
    series.previous = no_words(before->count);
    series.weight = mem_zalloc(before->count + 1, sizeof *series.weight);
    for (uint32_t i = 0; i < before->count; i++)
        if (sides->other_of_before[i] != NO_WORD)
            add_series(&series, i, machine_is_landmark(before->words[i]) ? before->count : 1);
    for (uint32_t i = heaviest_below(&series, after_count); i != NO_WORD; i = series.previous[i])
        marks[i] = true;
    mem_free(series.best);
    mem_free(series.previous);
    mem_free(series.weight);
    return marks;
}

/* Pairs words without a partner between two common rows, in order, if they have the same opcode:
 * ptxas may assign a word of a removed line to another line afterwards. */
static void pair_left_over(struct side_by_side *sides, const struct machine_code *before,
                           const struct machine_code *after, const bool *common)
{
    uint32_t *other_of_before = sides->other_of_before, *other_of_after = sides->other_of_after;
    for (uint32_t i = 0, k = 0; i < before->count; i++) {
        if (common[i]) k = other_of_before[i] + 1;
        if (other_of_before[i] != NO_WORD) continue;
        for (uint32_t at = k; at < after->count; at++) {
            bool left_over = other_of_after[at] == NO_WORD;
            if (!left_over && common[other_of_after[at]]) break;
            if (!left_over || machine_opcode(before->words[i]) != machine_opcode(after->words[at]))
                continue;
            other_of_before[i] = at;
            other_of_after[at] = i;
            k = at + 1;
            break;
        }
    }
}

static void pair_all(struct side_by_side *sides, const struct machine_code *before,
                     const struct machine_code *after, const struct line_map *map)
{
    sides->other_of_before = no_words(before->count);
    sides->other_of_after = no_words(after->count);
    pair_up(sides, line_keys(before, map), line_keys(after, NULL));
    bool *common = in_order(sides, before, after->count);
    pair_left_over(sides, before, after, common);
    mem_free(common);
    pair_up(sides, opcode_keys(before, sides->other_of_before),
            opcode_keys(after, sides->other_of_after));
}

void side_by_side_build(struct side_by_side *sides, const struct machine_code *before,
                        const struct machine_code *after, const struct line_map *map)
{
    pair_all(sides, before, after, map);
    bool *common = in_order(sides, before, after->count);
    uint32_t k = 0;
    sides->row_of_before = no_words(before->count);
    for (uint32_t i = 0; i < before->count; i++) {
        uint32_t other = common[i] ? sides->other_of_before[i] : NO_WORD;
        for (; common[i] && k < other; k++) vec_push(&sides->rows, (struct side_row){NO_WORD, k});
        if (common[i]) k++;
        sides->row_of_before[i] = sides->rows.count;
        vec_push(&sides->rows, (struct side_row){i, other});
    }
    for (; k < after->count; k++) vec_push(&sides->rows, (struct side_row){NO_WORD, k});
    mem_free(common);
}

void side_by_side_free(struct side_by_side *sides)
{
    mem_free(sides->other_of_before);
    mem_free(sides->other_of_after);
    mem_free(sides->row_of_before);
    vec_free(&sides->rows);
}
