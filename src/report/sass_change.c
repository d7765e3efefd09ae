/* Describes what a removal changed in the machine code. It reports only what the words show: which
 * words of the instruction have disappeared, and whether the next load or store of tensor memory no
 * longer waits for the one before it. The second is decided only for straight-line code. */
#include "report/sass_change.h"

#include <inttypes.h>
#include <string.h>

#include "report/sass.h"
#include "report/side_by_side.h"

enum { REACH = 12, NEAR = 3 }; /* numbers of rows */

/* A function before and after. */
struct function {
    const struct machine_code *before, *after;
    struct side_by_side sides;
};

struct asking {
    struct VEC(struct function) functions;
    struct sass_changes *changes;
};

/* ---- words ---- */

static bool touches_tensor_memory(struct machine_word word)
{
    return machine_opcode(word) == SASS_LDTM || machine_opcode(word) == SASS_STTM;
}

static bool is_branch_word(struct machine_word word)
{
    switch (machine_opcode(word)) {
    case SASS_BRA_U:
    case SASS_CALL:
    case SASS_BRA:
    case SASS_BRX:
    case SASS_EXIT:
    case SASS_RET: return true;
    default: return false;
    }
}

/* ---- loads and stores that no longer wait ---- */

/* Some word after the first, up to and including the second, waits for the first. */
static bool is_waited_for(const struct machine_code *code, uint32_t first, uint32_t second)
{
    for (uint32_t i = first + 1; i <= second; i++)
        if (machine_waits_for(code->words[i], code->words[first])) return true;
    return false;
}

/* Nothing between the two changes the answer, such as a branch, a DEPBAR that may wait for some
 * operations only, or an access whose end implies that of the first. */
static bool is_straight(const struct machine_code *code, uint32_t first, uint32_t second)
{
    for (uint32_t i = first + 1; i < second; i++)
        if (is_branch_word(code->words[i]) || touches_tensor_memory(code->words[i]) ||
            machine_opcode(code->words[i]) == SASS_DEPBAR)
            return false;
    return true;
}

struct pair {
    uint32_t first, second; /* words of the code before */
};

/* The accesses of tensor memory before and after the word `gone`, if the second waited for the
 * first and no longer does. */
static bool find_pair(const struct function *function, uint32_t gone, struct pair *pair)
{
    const struct machine_code *before = function->before, *after = function->after;
    uint32_t first = gone, second = gone + 1;
    while (first && !touches_tensor_memory(before->words[first])) first--;
    while (second < before->count && !touches_tensor_memory(before->words[second])) second++;
    if (second >= before->count || !touches_tensor_memory(before->words[first])) return false;
    uint32_t a = function->sides.other_of_before[first],
             b = function->sides.other_of_before[second];
    if (a == NO_WORD || b == NO_WORD || a > b) return false;
    if (!is_straight(before, first, second) || !is_straight(after, a, b)) return false;
    *pair = (struct pair){first, second};
    return is_waited_for(before, first, second) && !is_waited_for(after, a, b);
}

static const char *access_noun(const struct machine_code *code, uint32_t i)
{
    return machine_opcode(code->words[i]) == SASS_LDTM ? "load" : "store";
}

static void say_pair(struct buf *out, const struct function *function, const struct pair *pair)
{
    const struct machine_code *before = function->before;
    const char *first = access_noun(before, pair->first),
               *second = access_noun(before, pair->second);
    const uint32_t *other = function->sides.other_of_before;
    uint32_t a = other[pair->first] * SASS_BYTES, b = other[pair->second] * SASS_BYTES;
    if (first == second)
        buf_printf(out, "; the %ss at 0x%" PRIx32 " and 0x%" PRIx32, first, a, b);
    else
        buf_printf(out, "; the %s at 0x%" PRIx32 " and the %s at 0x%" PRIx32, first, a, second, b);
    buf_printf(out,
               " now issue back to back (before, that at 0x%" PRIx32
               " waited for that at 0x%" PRIx32 ")",
               pair->second * SASS_BYTES, pair->first * SASS_BYTES);
}

/* ---- words that disappeared ---- */

struct gone {
    struct VEC(uint32_t) words; /* numbers in the code before */
    uint32_t nops;
};

/* Finds the words of the finding's lines that have no partner in the code after. */
static void find_gone(struct gone *gone, const struct function *function,
                      const struct ptxopt_finding *finding)
{
    const struct machine_code *code = function->before;
    for (uint32_t i = 0; i < code->count; i++) {
        bool is_its = code->lines[i] >= finding->line && code->lines[i] <= finding->end_line;
        if (!is_its || function->sides.other_of_before[i] != NO_WORD) continue;
        gone->nops += machine_opcode(code->words[i]) == SASS_NOP;
        vec_push(&gone->words, i);
    }
}

enum { MOST_NAMED = 4 };

/* The text of a word, as far as it is known. */
static const char *word_text(const struct machine_code *code, uint32_t i)
{
    bool is_nop = machine_opcode(code->words[i]) == SASS_NOP;
    return code->texts[i] ? code->texts[i] : is_nop ? "NOP" : "an instruction";
}

static void say_gone(struct buf *out, const struct machine_code *code, const struct gone *gone)
{
    uint32_t count = gone->words.count;
    if (count > 1)
        buf_printf(out, "%" PRIu32 " %ss disappeared: ", count,
                   gone->nops == count ? "NOP" : "instruction");
    for (uint32_t i = 0; i < count && i < MOST_NAMED; i++)
        buf_printf(out, "%s%s at 0x%" PRIx32, i ? ", " : "", word_text(code, gone->words.at[i]),
                   gone->words.at[i] * SASS_BYTES);
    if (count > MOST_NAMED) buf_puts(out, ", …");
    if (count == 1) buf_puts(out, " disappeared");
}

/* ---- rows ---- */

static void change_add_row(struct sass_change *change, const struct function *function,
                           const struct side_row *side)
{
    const struct machine_code *before = function->before, *after = function->after;
    struct sass_row row = {.op = ' '};
    if (side->before != NO_WORD) {
        row.before = side->before * SASS_BYTES;
        row.before_text = before->texts[side->before];
    }
    if (side->after != NO_WORD) {
        row.after = side->after * SASS_BYTES;
        row.after_text = after->texts[side->after];
    }
    if (side->after == NO_WORD)
        row.op = function->sides.other_of_before[side->before] == NO_WORD ? '-' : '~';
    else if (side->before == NO_WORD)
        row.op = function->sides.other_of_after[side->after] == NO_WORD ? '+' : '~';
    vec_push(&change->rows, row);
}

/* Only rows with a word on both sides are landmarks. */
static bool row_is_landmark(const struct function *function, uint32_t row)
{
    const struct side_row *side = &function->sides.rows.at[row];
    return side->before != NO_WORD && side->after != NO_WORD &&
           machine_is_landmark(function->before->words[side->before]);
}

struct range {
    uint32_t first, last; /* numbers of rows */
};

/* The rows from the landmark before the row to the landmark after it. A landmark more than REACH
 * rows away is replaced by the row at a distance of NEAR. */
static struct range landmarks_around(const struct function *function, uint32_t row)
{
    uint32_t end = function->sides.rows.count - 1;
    uint32_t low = row > REACH ? row - REACH : 0, high = end - row > REACH ? row + REACH : end;
    struct range range = {row > low ? row - 1 : row, row < high ? row + 1 : row};
    while (range.first > low && !row_is_landmark(function, range.first)) range.first--;
    while (range.last < high && !row_is_landmark(function, range.last)) range.last++;
    if (!row_is_landmark(function, range.first)) range.first = row > NEAR ? row - NEAR : 0;
    if (!row_is_landmark(function, range.last)) range.last = end - row > NEAR ? row + NEAR : end;
    return range;
}

static bool is_near(uint32_t row, uint32_t other)
{
    return row > other ? row - other <= NEAR : other - row <= NEAR;
}

static bool is_shown_row(struct range range, uint32_t row, uint32_t i)
{
    return is_near(i, range.first) || is_near(i, range.last) || is_near(i, row);
}

/* Adds the rows of the range. Consecutive rows without interest are replaced by one row '.'. */
static void add_rows(struct sass_change *change, const struct function *function,
                     struct range range, uint32_t row)
{
    for (uint32_t i = range.first; i <= range.last; i++) {
        if (is_shown_row(range, row, i) || is_shown_row(range, row, i + 1)) {
            change_add_row(change, function, &function->sides.rows.at[i]);
            continue;
        }
        vec_push(&change->rows, (struct sass_row){.op = '.'});
        while (!is_shown_row(range, row, i + 1)) i++;
    }
}

/* ---- a removal ---- */

static void describe_change(const struct asking *asking, const struct function *function,
                            const struct gone *gone, struct sass_change *change)
{
    struct buf says = {0};
    struct pair pair = {0, 0}, other;
    const uint32_t *row_of = function->sides.row_of_before;
    uint32_t word = gone->words.at[0], pairs = 0;
    for (uint32_t i = 0; i < gone->words.count; i++) {
        if (!find_pair(function, gone->words.at[i], &other) || pairs++) continue;
        pair = other;
        word = gone->words.at[i];
    }
    say_gone(&says, function->before, gone);
    if (pairs) say_pair(&says, function, &pair);
    if (pairs > 1) buf_printf(&says, ", and the same at %" PRIu32 " more places", pairs - 1);
    change->says = arena_copy(&asking->changes->before.arena, says.data, says.len);
    buf_free(&says);
    if (asking->changes->no_texts) return;
    struct range range = landmarks_around(function, row_of[word]);
    if (pairs) range = (struct range){row_of[pair.first], row_of[pair.second]};
    add_rows(change, function, range, row_of[word]);
}

static void find_change_of(const struct asking *asking, const struct ptxopt_finding *finding,
                           struct sass_change *change)
{
    bool exact = true;
    for (uint32_t f = 0; f < asking->functions.count && !*change->says; f++) {
        const struct function *function = &asking->functions.at[f];
        struct gone gone = {.nops = 0};
        bool told = function->before->is_exact && function->after->is_exact;
        if (told) find_gone(&gone, function, finding);
        if (gone.words.count) describe_change(asking, function, &gone, change);
        exact = exact && told;
        vec_free(&gone.words);
    }
    if (*change->says) return;
    change->says = exact ? "ptxas made no machine instruction for it"
                         : "unknown: the lines in the machine code are not those of the text";
}

/* ---- interface ---- */

static const struct machine_code *find_code(const struct machine *machine, const char *name)
{
    for (uint32_t i = 0; i < machine->functions.count; i++)
        if (strcmp(machine->functions.at[i].name, name) == 0) return &machine->functions.at[i];
    return NULL;
}

static void add_functions(struct asking *asking, const struct ptxopt_result *result)
{
    const struct sass_changes *changes = asking->changes;
    struct line_map map;
    line_map_build(&map, result);
    for (uint32_t i = 0; i < changes->before.functions.count; i++) {
        struct function function = {.before = &changes->before.functions.at[i]};
        function.after = find_code(&changes->after, function.before->name);
        if (!function.after) continue;
        side_by_side_build(&function.sides, function.before, function.after, &map);
        vec_push(&asking->functions, function);
    }
    line_map_free(&map);
}

/* False: changes->problem says why nothing is known. */
static bool read_both_machines(struct sass_changes *changes, struct compiled *before,
                               struct compiled *after)
{
    compiled_make(before);
    if (!before->problem) compiled_make(after);
    changes->problem = before->problem ? before->problem : after->problem;
    if (changes->problem) return false;
    if (!machine_read(&changes->before, before) || !machine_read(&changes->after, after)) {
        changes->problem = "ptxas wrote no cubin that can be read";
        return false;
    }
    changes->no_texts = sass_read(&changes->before, before);
    if (!changes->no_texts) changes->no_texts = sass_read(&changes->after, after);
    return true;
}

void sass_changes_find(struct sass_changes *changes, struct compiled *before,
                       struct compiled *after, const struct ptxopt_result *result)
{
    struct asking asking = {.changes = changes};
    const struct ptxopt_finding *findings = ptxopt_result_findings(result, &changes->count);
    changes->at = mem_zalloc(changes->count + 1, sizeof *changes->at);
    for (size_t i = 0; i < changes->count; i++) changes->at[i].says = "";
    if (!ptxopt_result_next(result, PTXOPT_DELETED, NULL)) return;
    if (!read_both_machines(changes, before, after)) return;
    add_functions(&asking, result);
    for (size_t i = 0; i < changes->count; i++)
        if (findings[i].kind == PTXOPT_DELETED)
            find_change_of(&asking, &findings[i], &changes->at[i]);
    for (uint32_t f = 0; f < asking.functions.count; f++)
        side_by_side_free(&asking.functions.at[f].sides);
    vec_free(&asking.functions);
}

void sass_changes_free(struct sass_changes *changes)
{
    for (size_t i = 0; changes->at && i < changes->count; i++) vec_free(&changes->at[i].rows);
    mem_free(changes->at);
    mem_free(changes->no_texts);
    machine_free(&changes->before);
    machine_free(&changes->after);
    *changes = (struct sass_changes){.count = 0};
}
