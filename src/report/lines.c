/* Finds the lines that changed, and pairs them before and after. Lines that no removal touches are
 * equal in both texts, so the places of the removals give the changed lines, and the number of
 * lines that each removal drops gives their new places. Insertions are whole lines and are handled
 * the same way. */
#include "report/lines.h"

#include <string.h>

#include "base/buf.h"
#include "report/clean.h"

static uint32_t count_lines(const struct source *source)
{
    bool ends = !source->text.n || source->text.p[source->text.n - 1] == '\n';
    return source_line_count(source) - (ends ? 1 : 0);
}

/* The line with that index (from 0), without its line feed. */
static struct str line_without_feed(const struct source *source, uint32_t index)
{
    uint32_t start = source_line_start(source, index + 1);
    uint32_t end = source_line_start(source, index + 2);
    if (end > start && source->text.p[end - 1] == '\n') end--;
    return (struct str){source->text.p + start, end - start};
}

struct str line_map_text(const struct line_map *map, uint32_t number)
{
    if (!number || number > map->before_count) return (struct str){"", 0};
    return line_without_feed(&map->before, number - 1);
}

/* Adds the lines of a removal. shift: how many bytes earlier edits have moved them. */
static void add_line_change(struct line_map *map, const struct ptxopt_finding *deleted,
                            int32_t shift)
{
    bool at_line_start = deleted->end > deleted->start && deleted->end_column == 1;
    uint32_t first = deleted->line - 1, end = deleted->end_line - at_line_start;
    struct line_change *last = map->changes.count ? &map->changes.at[map->changes.count - 1] : NULL;
    if (!last || first > last->before_first + last->before_count) {
        vec_push(&map->changes, (struct line_change){.before_first = first});
        last = &map->changes.at[map->changes.count - 1];
        last->after.start = source_line_start(&map->before, first + 1) + (uint32_t)shift;
    }
    if (end > last->before_first + last->before_count)
        last->before_count = end - last->before_first;
    last->after.end = source_line_start(&map->before, last->before_first + last->before_count + 1) +
                      (uint32_t)deleted->shift;
}

/* Adds an inserted line. shift: how many bytes earlier edits have moved it. */
static void add_insertion(struct line_map *map, const struct ptxopt_insertion *insertion,
                          uint32_t shift)
{
    uint32_t first = insertion->line - 1, at = insertion->at + shift;
    struct line_change *last = map->changes.count ? &map->changes.at[map->changes.count - 1] : NULL;
    if (!last || first > last->before_first)
        vec_push(&map->changes, (struct line_change){.before_first = first, .after.start = at});
    map->changes.at[map->changes.count - 1].after.end = at + (uint32_t)strlen(insertion->text);
}

/* Finds the starts of the lines that remain of a change. */
static void index_changed_lines(struct line_map *map, struct line_change *change)
{
    change->after_index = map->after_starts.count;
    for (uint32_t at = change->after.start; at < change->after.end;) {
        const char *feed = memchr(map->after.p + at, '\n', change->after.end - at);
        vec_push(&map->after_starts, at);
        at = feed ? (uint32_t)(feed - map->after.p) + 1 : change->after.end;
    }
    change->after_count = map->after_starts.count - change->after_index;
}

void line_map_build(struct line_map *map, const struct ptxopt_result *result)
{
    struct str before;
    const struct ptxopt_finding *deleted = NULL;
    *map = (struct line_map){0};
    before.p = ptxopt_result_input(result, &before.n);
    map->after.p = ptxopt_result_text(result, &map->after.n);
    source_init(&map->before, &map->arena, "", before);
    map->before_count = count_lines(&map->before);
    for (int32_t shift = 0; (deleted = ptxopt_result_next(result, PTXOPT_DELETED, deleted));) {
        add_line_change(map, deleted, shift);
        shift = deleted->shift;
    }
    size_t count;
    const struct ptxopt_insertion *inserted = ptxopt_result_insertions(result, &count);
    for (uint32_t i = 0, shift = 0; i < count; i++) {
        add_insertion(map, &inserted[i], shift);
        shift += (uint32_t)strlen(inserted[i].text);
    }
    uint32_t dropped = 0;
    for (uint32_t i = 0; i < map->changes.count; i++) {
        struct line_change *change = &map->changes.at[i];
        change->after_first = change->before_first - dropped;
        index_changed_lines(map, change);
        dropped += change->before_count - change->after_count;
    }
}

void line_map_free(struct line_map *map)
{
    vec_free(&map->changes);
    vec_free(&map->after_starts);
    arena_free(&map->arena);
}

/* ---- rows ---- */

enum {
    LINE_MOST = 1200, /* bytes of a line that are shown; tcgen05.ld with 128 registers has fewer */
    ALL_MOST = 8192,  /* of all lines around a finding; then each is cut to LINE_LEAST */
    LINE_CUT = 240,   /* length to which a longer line is cut */
    LINE_LEAST = 80,
    ELLIPSIS = 3, /* bytes */
};

static bool is_within_character(struct str text, size_t at)
{
    return at < text.n && ((unsigned char)text.p[at] & 0xc0) == 0x80;
}

/* At most `most` bytes of text from `from` on, where a character must begin, with an ellipsis for
 * omitted text. In arena. */
static struct str line_cut(struct arena *arena, struct str text, size_t from, size_t most)
{
    size_t end = text.n - from > most ? from + most : text.n;
    struct buf out = {0};
    while (is_within_character(text, end)) end--;
    if (from) buf_puts(&out, "\xe2\x80\xa6");
    buf_add(&out, text.p + from, end - from);
    if (end < text.n) buf_puts(&out, "\xe2\x80\xa6");
    struct str cut = {arena_copy(arena, out.data, out.len), out.len};
    buf_free(&out);
    return cut;
}

/* Replaces the text of the row by a copy; a long line is cut around the column of the finding. */
static void cut_row(struct review_row *row, struct line_excerpt *excerpt, struct arena *arena)
{
    bool is_full = excerpt->used >= ALL_MOST;
    bool is_there = row->before == excerpt->line || row->op == '+';
    size_t most = is_full ? LINE_LEAST : LINE_CUT, from = 0;
    row->is_cut = row->text.n > (is_full ? LINE_LEAST : LINE_MOST);
    if (row->is_cut && is_there && excerpt->column > most / 3) from = excerpt->column - most / 3;
    if (from > row->text.n) from = row->text.n;
    while (is_within_character(row->text, from)) from--;
    if (row->is_cut)
        row->text = line_cut(arena, row->text, from, most);
    else
        row->text.p = arena_copy(arena, row->text.p, row->text.n);
    row->shift = from ? ELLIPSIS - (int32_t)from : 0;
    excerpt->used += row->text.n;
}

const char *line_instruction(struct arena *arena, struct str text)
{
    struct arena scratch = {0};
    while (text.n && (unsigned char)*text.p <= ' ') text.p++, text.n--;
    if (text.n > LINE_MOST) text = str_from(clean_start(&scratch, text, LINE_CUT));
    const char *copy = clean_instruction(arena, text);
    arena_free(&scratch);
    return copy;
}

static void hunk_add_row(struct review_row row, struct line_excerpt *excerpt, struct arena *arena,
                         struct review_hunk *hunk)
{
    if (excerpt)
        cut_row(&row, excerpt, arena);
    else
        row.text.p = arena_copy(arena, row.text.p, row.text.n);
    hunk->before_count += row.op != '+';
    hunk->after_count += row.op != '-';
    vec_push(&hunk->rows, row);
}

/* Adds line `before` (from 0) of the text before. kept: it is line `after` of the text after. */
static void add_old_row(const struct line_map *map, uint32_t before, bool kept, uint32_t after,
                        struct line_excerpt *excerpt, struct arena *arena, struct review_hunk *hunk)
{
    struct review_row row = {.op = kept ? ' ' : '-', .before = before + 1};
    if (kept) row.after = after + 1;
    row.text = line_without_feed(&map->before, before);
    row.unended = before + 1 == source_line_count(&map->before);
    hunk_add_row(row, excerpt, arena, hunk);
}

/* Adds line `number` (from 0) of the text after, which belongs to the change. */
static void add_new_row(const struct line_map *map, const struct line_change *change,
                        uint32_t number, struct line_excerpt *excerpt, struct arena *arena,
                        struct review_hunk *hunk)
{
    uint32_t nth = number - change->after_first;
    const uint32_t *starts = &map->after_starts.at[change->after_index];
    uint32_t end = nth + 1 < change->after_count ? starts[nth + 1] : change->after.end;
    bool ended = map->after.p[end - 1] == '\n';
    struct str text = {map->after.p + starts[nth], end - starts[nth] - ended};
    struct review_row row = {.op = '+', .after = number + 1, .text = text, .unended = !ended};
    hunk_add_row(row, excerpt, arena, hunk);
}

/* The first change that ends after line (from 0). */
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

uint32_t line_map_after(const struct line_map *map, uint32_t number)
{
    if (!number || number > map->before_count) return 0;
    uint32_t line = number - 1, next = find_change(map, line);
    const struct line_change *change = next < map->changes.count ? &map->changes.at[next] : NULL;
    const struct line_change *last = next ? &map->changes.at[next - 1] : NULL;
    if (change && line >= change->before_first) {
        bool by_line = change->after_count == change->before_count;
        return by_line ? change->after_first + (line - change->before_first) + 1 : 0;
    }
    if (!last) return number;
    return number - (last->before_first + last->before_count) +
           (last->after_first + last->after_count);
}

/* Adds the lines [from, to) of a change and the lines that replace them. If lines were dropped,
 * single lines cannot be matched: the new lines are then added together with the last old line of
 * the change. */
static void add_changed(const struct line_map *map, const struct line_change *change, uint32_t from,
                        uint32_t to, struct line_excerpt *excerpt, struct arena *arena,
                        struct review_hunk *hunk)
{
    uint32_t after = change->after_first, after_end = after + change->after_count;
    if (change->after_count == change->before_count) {
        after_end = after + (to - change->before_first);
        after += from - change->before_first;
    } else if (to != change->before_first + change->before_count) {
        after_end = after;
    }
    for (uint32_t line = from; line < to; line++)
        add_old_row(map, line, false, 0, excerpt, arena, hunk);
    for (; after < after_end; after++) add_new_row(map, change, after, excerpt, arena, hunk);
}

void line_map_rows(const struct line_map *map, uint32_t first, uint32_t last,
                   struct line_excerpt *excerpt, struct arena *arena, struct review_hunk *hunk)
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
        for (; line < stop; line++)
            add_old_row(map, line, true, line - dropped, excerpt, arena, hunk);
        if (line == end) break;
        uint32_t to = change->before_first + change->before_count;
        if (to > end) to = end;
        add_changed(map, change, line, to, excerpt, arena, hunk);
        dropped =
            change->before_first + change->before_count - change->after_first - change->after_count;
        line = to;
        next++;
    }
    hunk->before_first += hunk->before_count ? 1 : 0;
    hunk->after_first += hunk->after_count ? 1 : 0;
}
