/* What is there to report of one file? The result's lists become one list in order of place, with
 * the code around each item copied, so that text and result need not be kept. */
#include "report/model.h"

#include <stdlib.h>

#include "base/intern.h"
#include "report/clean.h"
#include "report/isa.h"

enum { CONTEXT = 3, MANY_LINES = 12 };

static const char *copy(struct review_file *file, const char *text)
{
    return clean_utf8(&file->arena, str_from(text));
}

/* ---- items ---- */

/* Where [start, end) lies, and its lines with their neighbours. */
static void set_place(struct review_file *file, const struct line_map *map,
                      struct review_item *item)
{
    struct place start = source_place(&map->before, item->start);
    struct place end = source_place(&map->before, item->end);
    struct str first = line_map_text(map, start.line), last = line_map_text(map, end.line);
    item->line = start.line;
    item->column = start.column;
    item->end_line = end.line;
    item->end_column = end.column;
    item->char_column = clean_count((struct str){first.p, start.column - 1}) + 1;
    item->end_char_column = clean_count((struct str){last.p, end.column - 1}) + 1;
    uint32_t shown = end.line - start.line > MANY_LINES ? start.line + MANY_LINES : end.line;
    line_map_rows(map, start.line > CONTEXT ? start.line - CONTEXT : 1, shown + CONTEXT,
                  &file->arena, &item->code);
}

static const char *line_breaks(struct review_file *file, struct str deleted)
{
    char *breaks = arena_alloc(&file->arena, deleted.n + 1, 1);
    size_t count = 0;
    for (size_t i = 0; i < deleted.n; i++)
        if (deleted.p[i] == '\n' || deleted.p[i] == '\r') breaks[count++] = deleted.p[i];
    return breaks;
}

static struct review_item blank_item(enum review_kind kind)
{
    return (struct review_item){.kind = kind,
                                .level = PTXOPT_REMARK,
                                .id = "",
                                .name = "",
                                .reason = "",
                                .function = "",
                                .text = "",
                                .why = "",
                                .assumptions = "",
                                .isa_section = "",
                                .isa_link = "",
                                .source_file = "",
                                .replacement = ""};
}

static void add_item(struct review_file *file, struct review_item item)
{
    file->count[item.kind]++;
    vec_push(&file->items, item);
}

static const char *rule_section(const char *id)
{
    size_t count;
    const struct ptxopt_rule *rules = ptxopt_rules(&count);
    for (size_t i = 0; i < count; i++)
        if (strcmp(rules[i].id, id) == 0) return rules[i].isa_section;
    return "";
}

static void set_section(struct review_item *item, const char *section)
{
    item->isa_section = section;
    item->isa_link = isa_link(section);
}

static void add_step(struct review_file *file, const struct line_map *map, struct review_item *item,
                     uint32_t line, const char *part)
{
    const char *text = clean_instruction(&file->arena, line_map_text(map, line));
    vec_push(&item->steps, (struct review_step){line, text, copy(file, part)});
}

static void add_chain(struct review_file *file, const struct line_map *map,
                      struct review_item *item, const struct ptxopt_edit *edit)
{
    for (uint32_t i = 0; i < edit->chain_count; i++)
        add_step(file, map, item, edit->chain[i].line, edit->chain[i].part);
    item->more_operations = edit->more_operations;
}

static void add_edits(struct review_file *file, const struct line_map *map,
                      const struct ptxopt_result *result)
{
    size_t count;
    const struct ptxopt_edit *edits = ptxopt_result_edits(result, &count);
    for (size_t i = 0; i < count; i++) {
        const struct ptxopt_edit *edit = &edits[i];
        struct review_item item = blank_item(REVIEW_EDIT);
        item.id = copy(file, edit->id);
        item.name = copy(file, edit->rule);
        item.function = copy(file, edit->function);
        item.text = clean_instruction(&file->arena, str_from(edit->text));
        item.why = copy(file, edit->why);
        item.assumptions = copy(file, edit->assumptions);
        item.source_file = copy(file, edit->source_file);
        item.source_line = edit->source_line;
        item.start = edit->start;
        item.end = edit->end;
        item.witness_line = edit->witness_line;
        item.replacement =
            line_breaks(file, source_slice(&map->before, (struct span){edit->start, edit->end}));
        set_section(&item, copy(file, edit->isa_section));
        set_place(file, map, &item);
        add_chain(file, map, &item, edit);
        add_item(file, item);
    }
}

static void add_kept(struct review_file *file, const struct line_map *map,
                     const struct ptxopt_result *result)
{
    size_t count;
    const struct ptxopt_kept *kept = ptxopt_result_kept(result, &count);
    for (size_t i = 0; i < count; i++) {
        struct review_item item = blank_item(REVIEW_KEPT);
        item.id = copy(file, kept[i].id);
        item.name = copy(file, kept[i].rule);
        item.reason = copy(file, kept[i].reason);
        item.function = copy(file, kept[i].function);
        item.text = clean_instruction(&file->arena, str_from(kept[i].text));
        item.why = copy(file, kept[i].why);
        item.source_file = copy(file, kept[i].source_file);
        item.source_line = kept[i].source_line;
        item.start = kept[i].start;
        item.end = kept[i].end;
        item.witness_line = kept[i].witness_line;
        set_section(&item, rule_section(item.name));
        set_place(file, map, &item);
        if (item.witness_line) add_step(file, map, &item, item.witness_line, "needs it");
        add_item(file, item);
    }
}

/* An item at a line and column, to the end of the line. */
static struct review_item item_at(struct review_file *file, const struct line_map *map,
                                  enum review_kind kind, uint32_t line, uint32_t column)
{
    struct review_item item = blank_item(kind);
    uint32_t start = map->before.line_count ? line - 1 : 0;
    if (start >= map->before.line_count) start = map->before.line_count - 1;
    struct str text = line_map_text(map, start + 1);
    item.start =
        map->before.line_start[start] + (column - 1 < text.n ? column - 1 : (uint32_t)text.n);
    item.end = map->before.line_start[start] + (uint32_t)text.n;
    set_place(file, map, &item);
    return item;
}

static void add_advice(struct review_file *file, const struct line_map *map,
                       const struct ptxopt_result *result)
{
    size_t count;
    const struct ptxopt_advice *advice = ptxopt_result_advice(result, &count);
    for (size_t i = 0; i < count; i++) {
        struct review_item item =
            item_at(file, map, REVIEW_ADVICE, advice[i].line, advice[i].column);
        item.name = copy(file, advice[i].rule);
        item.function = copy(file, advice[i].function);
        item.text = clean_instruction(&file->arena, line_map_text(map, advice[i].line));
        item.why = copy(file, advice[i].why);
        set_section(&item, rule_section(item.name));
        add_item(file, item);
    }
}

static void add_skipped(struct review_file *file, const struct line_map *map,
                        const struct ptxopt_result *result)
{
    size_t count;
    const struct ptxopt_skipped *skipped = ptxopt_result_skipped(result, &count);
    for (size_t i = 0; i < count; i++) {
        struct review_item item =
            item_at(file, map, REVIEW_SKIPPED, skipped[i].line, skipped[i].column);
        item.name = copy(file, skipped[i].reason);
        item.function = copy(file, skipped[i].function);
        item.text = clean_instruction(&file->arena, str_from(item.function));
        item.why = copy(file, skipped[i].why);
        add_item(file, item);
    }
}

static void add_diagnostics(struct review_file *file, const struct line_map *map,
                            const struct ptxopt_result *result)
{
    size_t count;
    const struct ptxopt_diagnostic *diagnostics = ptxopt_result_diagnostics(result, &count);
    for (size_t i = 0; i < count; i++) {
        struct review_item item =
            item_at(file, map, REVIEW_DIAGNOSTIC, diagnostics[i].line, diagnostics[i].column);
        item.level = diagnostics[i].level;
        item.name = copy(file, diagnostics[i].code);
        item.why = copy(file, diagnostics[i].message);
        add_item(file, item);
    }
}

static int by_place(const void *a, const void *b)
{
    const struct review_item *x = a, *y = b;
    if (x->start != y->start) return x->start < y->start ? -1 : 1;
    if (x->kind != y->kind) return x->kind > y->kind ? -1 : 1; /* errors before what is fine */
    int name = strcmp(x->name, y->name);
    return name ? name : strcmp(x->why, y->why);
}

/* ---- the whole file ---- */

/* The change as a unified diff has it: changes that are near each other share a hunk. */
static void add_hunks(struct review_file *file, const struct line_map *map)
{
    for (uint32_t i = 0; i < map->changes.count;) {
        const struct line_change *first = &map->changes.at[i], *last = first;
        while (++i < map->changes.count &&
               map->changes.at[i].before_first - last->before_first - last->before_count <=
                   2 * CONTEXT)
            last = &map->changes.at[i];
        uint32_t from = first->before_first > CONTEXT ? first->before_first - CONTEXT : 0;
        struct review_hunk hunk;
        line_map_rows(map, from + 1, last->before_first + last->before_count + CONTEXT,
                      &file->arena, &hunk);
        vec_push(&file->hunks, hunk);
    }
}

/* By function; one that only ptxas knows has its figures and nothing else to say. */
static void add_kernels(struct review_file *file)
{
    struct intern names = {0};
    for (uint32_t i = 0; i < file->items.count; i++) {
        const struct review_item *item = &file->items.at[i];
        if (!*item->function) continue;
        uint32_t index = intern_add(&names, 0, str_from(item->function));
        if (index == file->kernels.count)
            vec_push(&file->kernels, (struct review_kernel){.name = item->function});
        file->kernels.at[index].count[item->kind]++;
    }
    for (uint32_t i = 0; file->measured && i < file->sass.before.count; i++) {
        const struct measure_kernel *before = &file->sass.before.at[i];
        const struct measure_kernel *after = measure_find(&file->sass.after, before->name);
        const char *name = copy(file, before->name);
        uint32_t index = intern_add(&names, 0, str_from(name));
        if (!after) continue;
        if (index == file->kernels.count)
            vec_push(&file->kernels, (struct review_kernel){.name = name});
        file->kernels.at[index].before = before;
        file->kernels.at[index].after = after;
    }
    intern_free(&names);
}

static void set_name(struct review_file *file, const char *path)
{
    file->path = arena_copy(&file->arena, path, strlen(path));
    file->name = copy(file, path);
}

void review_file_build(struct review_file *file, const char *path, struct str text,
                       const struct ptxopt_result *result, struct measure_pair *sass)
{
    struct line_map map;
    size_t count, len;
    const struct ptxopt_edit *edits = ptxopt_result_edits(result, &count);
    const char *after = ptxopt_result_text(result, &len);
    const struct ptxopt_stats *stats = ptxopt_result_stats(result);
    line_map_build(&map, text, (struct str){after, len}, edits, count);
    set_name(file, path);
    file->bad = ptxopt_result_status(result) != PTXOPT_OK;
    file->changed = ptxopt_result_changed(result);
    file->input_bytes = stats->input_bytes;
    file->output_bytes = stats->output_bytes;
    file->candidates = stats->candidates;
    add_edits(file, &map, result);
    add_kept(file, &map, result);
    add_advice(file, &map, result);
    add_skipped(file, &map, result);
    add_diagnostics(file, &map, result);
    if (file->items.count)
        qsort(file->items.at, file->items.count, sizeof *file->items.at, by_place);
    add_hunks(file, &map);
    if (sass) {
        file->measured = !sass->problem;
        file->sass = *sass;
        *sass = (struct measure_pair){0};
    }
    add_kernels(file);
    line_map_free(&map);
}

void review_file_fail(struct review_file *file, const char *path, const char *message)
{
    struct review_item item = blank_item(REVIEW_DIAGNOSTIC);
    set_name(file, path);
    file->bad = true;
    item.level = PTXOPT_ERROR;
    item.name = "unreadable";
    item.why = copy(file, message);
    item.line = item.column = item.end_line = item.end_column = 1;
    item.char_column = item.end_char_column = 1;
    add_item(file, item);
}

void review_file_free(struct review_file *file)
{
    for (uint32_t i = 0; i < file->items.count; i++) {
        vec_free(&file->items.at[i].steps);
        vec_free(&file->items.at[i].code.rows);
    }
    for (uint32_t i = 0; i < file->hunks.count; i++) vec_free(&file->hunks.at[i].rows);
    vec_free(&file->items);
    vec_free(&file->kernels);
    vec_free(&file->hunks);
    measure_pair_free(&file->sass);
    arena_free(&file->arena);
}
