/* Which lines changed, and how do they look side by side? A line that no edit touches is the same
 * before and after, so the changed ones follow from the places of the edits. Only where emptied
 * lines were dropped the new number of lines has to be found: by making the edits of the few lines
 * again, with the code that made them. */
#include "report/lines.h"

#include "base/bug.h"
#include "base/buf.h"
#include "text/edit.h"

static uint32_t count_lines(const struct source *source)
{
    bool ends = !source->text.n || source->text.p[source->text.n - 1] == '\n';
    return source->line_count - (ends ? 1 : 0);
}

/* Line index (from 0) without its line feed. */
static struct str line_at(const struct source *source, uint32_t index)
{
    uint32_t start = source->line_start[index];
    size_t end = index + 1 < source->line_count ? source->line_start[index + 1] : source->text.n;
    if (end > start && source->text.p[end - 1] == '\n') end--;
    return (struct str){source->text.p + start, end - start};
}

static bool is_unended(const struct source *source, uint32_t index)
{
    return index + 1 == source->line_count;
}

struct str line_map_text(const struct line_map *map, uint32_t number)
{
    if (!number || number > map->before_count) return (struct str){"", 0};
    return line_at(&map->before, number - 1);
}

static void add_change(struct line_map *map, const struct ptxopt_edit *edit)
{
    uint32_t first = edit->line - 1;
    uint32_t end =
        source_place(&map->before, edit->end > edit->start ? edit->end - 1 : edit->end).line;
    struct line_change *last = map->changes.count ? &map->changes.at[map->changes.count - 1] : NULL;
    if (last && first <= last->before_first + last->before_count) {
        if (end > last->before_first + last->before_count)
            last->before_count = end - last->before_first;
    } else {
        vec_push(&map->changes, (struct line_change){first, end - first, 0, 0});
    }
}

static uint32_t offset_of(const struct source *source, uint32_t line)
{
    return line < source->line_count ? source->line_start[line] : (uint32_t)source->text.n;
}

/* How many lines are left of a change when emptied ones are dropped. *next: the first edit in
 * it. */
static uint32_t count_squeezed(const struct line_map *map, const struct line_change *change,
                               const struct ptxopt_edit *edits, size_t count, size_t *next)
{
    uint32_t from = offset_of(&map->before, change->before_first);
    uint32_t to = offset_of(&map->before, change->before_first + change->before_count);
    struct arena arena = {0};
    struct source source;
    struct edit_plan plan = {0};
    struct buf out = {0};
    source_init(&source, &arena, "", (struct str){map->before.text.p + from, to - from});
    for (; *next < count && edits[*next].start < to; ++*next)
        edit_plan_add(&plan, (struct span){edits[*next].start - from, edits[*next].end - from}, "");
    edit_plan_apply(&plan, &source, EDIT_SQUEEZE, &out);
    uint32_t lines = 0;
    for (size_t i = 0; i < out.len; i++) lines += out.data[i] == '\n';
    lines += out.len && out.data[out.len - 1] != '\n';
    buf_free(&out);
    vec_free(&plan);
    arena_free(&arena);
    return lines;
}

void line_map_build(struct line_map *map, struct str before, struct str after,
                    const struct ptxopt_edit *edits, size_t count)
{
    size_t next = 0;
    *map = (struct line_map){0};
    source_init(&map->before, &map->arena, "", before);
    source_init(&map->after, &map->arena, "", after);
    map->before_count = count_lines(&map->before);
    map->after_count = count_lines(&map->after);
    for (size_t i = 0; i < count; i++) add_change(map, &edits[i]);
    bool squeezed = map->before_count != map->after_count;
    uint32_t dropped = 0;
    for (uint32_t i = 0; i < map->changes.count; i++) {
        struct line_change *change = &map->changes.at[i];
        change->after_first = change->before_first - dropped;
        change->after_count =
            squeezed ? count_squeezed(map, change, edits, count, &next) : change->before_count;
        dropped += change->before_count - change->after_count;
    }
    BUG_UNLESS(map->before_count - dropped == map->after_count);
}

void line_map_free(struct line_map *map)
{
    vec_free(&map->changes);
    arena_free(&map->arena);
}

/* ---- rows ---- */

static void add_row(const struct line_map *map, char op, uint32_t before, uint32_t after,
                    struct arena *arena, struct review_hunk *hunk)
{
    const struct source *source = op == '+' ? &map->after : &map->before;
    uint32_t index = op == '+' ? after : before;
    struct str text = line_at(source, index);
    struct review_row row = {.op = op, .text = text, .unended = is_unended(source, index)};
    row.text.p = arena_copy(arena, text.p, text.n);
    row.before = op == '+' ? 0 : before + 1;
    row.after = op == '-' ? 0 : after + 1;
    hunk->before_count += op != '+';
    hunk->after_count += op != '-';
    vec_push(&hunk->rows, row);
}

/* The first change that reaches behind line (from 0). */
static uint32_t find_change(const struct line_map *map, uint32_t line)
{
    uint32_t low = 0, high = map->changes.count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        const struct line_change *change = &map->changes.at[middle];
        if (change->before_first + change->before_count > line)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

/* The lines [from, to) of a change, and what they became; when lines were dropped that is known
 * for the change as a whole only, and its new lines come with its last one. */
static void add_changed(const struct line_map *map, const struct line_change *change, uint32_t from,
                        uint32_t to, struct arena *arena, struct review_hunk *hunk)
{
    uint32_t after = change->after_first, after_end = after + change->after_count;
    if (change->after_count == change->before_count) {
        after_end = after + (to - change->before_first);
        after += from - change->before_first;
    } else if (to != change->before_first + change->before_count) {
        after_end = after;
    }
    for (uint32_t line = from; line < to; line++) add_row(map, '-', line, 0, arena, hunk);
    for (; after < after_end; after++) add_row(map, '+', 0, after, arena, hunk);
}

void line_map_rows(const struct line_map *map, uint32_t first, uint32_t last, struct arena *arena,
                   struct review_hunk *hunk)
{
    uint32_t line = first ? first - 1 : 0,
             end = last < map->before_count ? last : map->before_count;
    *hunk = (struct review_hunk){.before_first = line};
    uint32_t next = find_change(map, line);
    const struct line_change *before = next ? &map->changes.at[next - 1] : NULL;
    uint32_t dropped = before ? before->before_first + before->before_count - before->after_first -
                                    before->after_count
                              : 0;
    hunk->after_first = line - dropped;
    while (line < end) {
        const struct line_change *change =
            next < map->changes.count ? &map->changes.at[next] : NULL;
        uint32_t stop = change && change->before_first < end ? change->before_first : end;
        for (; line < stop; line++) add_row(map, ' ', line, line - dropped, arena, hunk);
        if (line == end) break;
        uint32_t to = change->before_first + change->before_count;
        if (to > end) to = end;
        add_changed(map, change, line, to, arena, hunk);
        dropped =
            change->before_first + change->before_count - change->after_first - change->after_count;
        line = to;
        next++;
    }
    hunk->before_first += hunk->before_count ? 1 : 0;
    hunk->after_first += hunk->after_count ? 1 : 0;
}
