/* Builds the data that reports show about one file: its findings, with copies of the lines around
 * each, so that the result can be freed. */
#include "report/model.h"

#include <inttypes.h>

#include "base/intern.h"
#include "report/clean.h"
#include "report/groups.h"
#include "report/isa.h"
#include "report/origins.h"

enum {
    CONTEXT = 3,
    MANY_LINES = 12,
    TEXT_MOST = 4096, /* bytes of a text about one finding; longer texts are malicious */
    NAME_MOST = 8192, /* of the name of a function; templates have several thousand */
};

static const char *review_copy_text(struct review_file *file, const char *text)
{
    return clean_start(&file->arena, str_from(text), TEXT_MOST);
}

const char *review_copy_name(struct review_file *file, const char *name)
{
    return clean_start(&file->arena, str_from(name), NAME_MOST);
}

/* ---- items ---- */

/* Copies all strings of a finding; text is shortened to one instruction. */
static void copy_strings(struct review_file *file, struct ptxopt_finding *finding)
{
    const char **const strings[] = {
        &finding->code,    &finding->id,          &finding->reason,        &finding->brief,
        &finding->message, &finding->isa_section, &finding->assumptions,   &finding->sentence,
        &finding->risk,    &finding->fix,         &finding->justification, &finding->not_fixed};
    for (size_t i = 0; i < sizeof strings / sizeof *strings; i++)
        *strings[i] = review_copy_text(file, *strings[i]);
    finding->function = review_copy_name(file, finding->function);
    if (finding->replacement)
        finding->replacement = clean_utf8(&file->arena, str_from(finding->replacement));
    finding->text = line_instruction(&file->arena, str_from(finding->text));
}

static void copy_insertions(struct review_file *file, struct ptxopt_finding *finding)
{
    struct ptxopt_insertion *copies =
        arena_alloc(&file->arena, finding->insertion_count, sizeof *copies);
    for (uint32_t i = 0; i < finding->insertion_count; i++) {
        copies[i] = finding->insertions[i];
        copies[i].text = clean_utf8(&file->arena, str_from(copies[i].text));
    }
    finding->insertions = copies;
}

static struct review_item_list *review_list_of(struct review_file *file,
                                               const struct ptxopt_finding *finding)
{
    return review_kind(finding) == PTXOPT_SUPPRESSED ? &file->suppressed : &file->items;
}

static void review_add_item(struct review_file *file, const struct ptxopt_finding *finding)
{
    struct review_item item = {.finding = *finding,
                               .ptx_says = "",
                               .line_hash = "",
                               .sass_says = "",
                               .change.says = "",
                               .cost_says = ""};
    copy_strings(file, &item.finding);
    copy_insertions(file, &item.finding);
    item.isa_link = *finding->isa_section ? isa_link(finding->isa_section) : "";
    item.char_column = item.end_char_column = 1;
    origins_add(file, &item, finding);
    item.finding.steps = NULL;
    item.finding.declines = NULL;
    item.finding.origins = NULL;
    file->count[review_kind(finding)]++;
    vec_push(review_list_of(file, finding), item);
}

/* The number of characters in front of a column, and where it was counted last. Counting continues
 * from there, because findings are in the order of their places and a line can be as long as the
 * text. */
struct character_count {
    uint32_t line, column, count;
};

static uint32_t char_column_of(struct character_count *last, const struct line_map *map,
                               uint32_t line, uint32_t column)
{
    struct str text = line_map_text(map, line);
    if (last->line != line || last->column > column) *last = (struct character_count){line, 1, 0};
    struct str between = {text.p + last->column - 1, column - last->column};
    *last = (struct character_count){line, column, last->count + clean_count(between)};
    return last->count + 1;
}

/* The instruction on the line of a step; if the line has many instructions, that of the finding.
 * Findings of a function mostly share steps. */
static const char *step_text(struct review_file *file, struct line_map *map,
                             const struct review_item *item, uint32_t line)
{
    enum { ONE_INSTRUCTION = 1200 };
    bool own = line == item->finding.line, kept = line <= map->before_count;
    if (!map->instructions)
        map->instructions =
            arena_alloc(&map->arena, map->before_count + 1, sizeof *map->instructions);
    if (!own && kept && map->instructions[line]) return map->instructions[line];
    struct str text = line_map_text(map, line);
    if (own && text.n > ONE_INSTRUCTION) return item->finding.text;
    const char *instruction = line_instruction(&file->arena, text);
    if (kept) map->instructions[line] = instruction;
    return instruction;
}

/* Adds to the last item its lines and those around them, and the lines of its steps. */
static void review_add_code(struct review_file *file, struct line_map *map,
                            const struct ptxopt_finding *finding, struct character_count *counted)
{
    struct review_item_list *list = review_list_of(file, finding);
    struct review_item *item = &list->at[list->count - 1];
    struct line_excerpt excerpt = {.line = finding->line, .column = finding->column};
    uint32_t line = finding->line, end = finding->end_line;
    item->char_column = char_column_of(counted, map, line, finding->column);
    item->end_char_column = char_column_of(counted, map, end, finding->end_column);
    uint32_t shown = end - line > MANY_LINES ? line + MANY_LINES : end;
    line_map_rows(map, line > CONTEXT ? line - CONTEXT : 1, shown + CONTEXT, &excerpt, &file->arena,
                  &item->code);
    for (uint32_t i = 0; i < finding->step_count; i++) {
        const struct ptxopt_step *step = &finding->steps[i];
        vec_push(&item->steps,
                 (struct review_step){step->line, step_text(file, map, item, step->line),
                                      review_copy_text(file, step->part),
                                      origins_place(file, &step->origin)});
    }
}

/* ---- the whole file ---- */

/* Adds the hunks of a unified diff: changes that are near each other share a hunk. */
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
        line_map_rows(map, from + 1, last->before_first + last->before_count + CONTEXT, NULL,
                      &file->arena, &hunk);
        vec_push(&file->hunks, hunk);
    }
}

static void review_count_items(struct review_file *file, const struct review_item_list *items,
                               struct intern *names)
{
    for (uint32_t i = 0; i < items->count; i++) {
        const struct ptxopt_finding *finding = &items->at[i].finding;
        if (!*finding->function) continue;
        uint32_t index = intern_add(names, 0, str_from(finding->function));
        if (index == file->kernels.count)
            vec_push(&file->kernels, (struct review_kernel){.name = finding->function});
        file->kernels.at[index].count[review_kind(finding)]++;
        if (review_kind(finding) == PTXOPT_HAZARD)
            file->kernels.at[index].hazards[review_severity(&items->at[i])]++;
    }
}

static const char *take_copy(struct review_file *file, struct buf *text)
{
    const char *taken = arena_copy(&file->arena, text->data, text->len);
    buf_free(text);
    return taken;
}

/* Adds to each removal the cost of all edits of its kernel or, if that was not measured, the
 * estimate from the text. */
static void say_costs(struct review_file *file, struct intern *names)
{
    for (uint32_t i = 0; i < file->items.count; i++) {
        struct review_item *item = &file->items.at[i];
        if (item->finding.kind != PTXOPT_DELETED) continue;
        uint32_t index = intern_add(names, 0, str_from(item->finding.function));
        struct review_kernel *kernel = &file->kernels.at[index];
        struct buf says = {0};
        kernel->live = item->finding.most_live;
        if (!kernel->before && item->finding.live.after)
            buf_printf(&says, "live registers %" PRIu32 " -> %" PRIu32 " here, by an estimate",
                       item->finding.live.before, item->finding.live.after);
        if (says.len) item->cost_says = take_copy(file, &says);
        if (!review_is_worse(kernel)) continue;
        uint32_t count = kernel->count[PTXOPT_DELETED];
        if (count > 1)
            buf_printf(&says, "of all %" PRIu32 " edits of the kernel together: ", count);
        measure_add_worse(&says, kernel->before, kernel->after);
        item->cost_says = take_copy(file, &says);
    }
}

/* Counts items by function. A function that only ptxas reports has only figures. */
static void add_kernels(struct review_file *file)
{
    struct intern names = {0};
    review_count_items(file, &file->items, &names);
    review_count_items(file, &file->suppressed, &names);
    for (uint32_t i = 0; file->measured && i < file->sass.before.count; i++) {
        const struct measure_kernel *before = &file->sass.before.at[i];
        const struct measure_kernel *after = measure_find(&file->sass.after, before->name);
        const char *name = review_copy_name(file, before->name);
        if (!after) continue;
        uint32_t index = intern_add(&names, 0, str_from(name));
        if (index == file->kernels.count)
            vec_push(&file->kernels, (struct review_kernel){.name = name});
        file->kernels.at[index].before = before;
        file->kernels.at[index].after = after;
    }
    say_costs(file, &names);
    intern_free(&names);
}

static void review_set_name(struct review_file *file, const char *path, const char *place)
{
    file->settings = "";
    file->path = arena_copy(&file->arena, path, strlen(path));
    file->name = clean_utf8(&file->arena, str_from(path));
    file->place = clean_path(&file->arena, place);
    file->place_name = clean_utf8(&file->arena, str_from(file->place));
    file->no_sass = "";
}

void review_file_build(struct review_file *file, const char *path, const char *place,
                       const struct ptxopt_result *result, struct measure_pair *sass)
{
    struct line_map map;
    struct character_count counted = {0};
    size_t count;
    const struct ptxopt_finding *findings = ptxopt_result_findings(result, &count);
    const struct ptxopt_stats *stats = ptxopt_result_stats(result);
    line_map_build(&map, result);
    review_set_name(file, path, place);
    file->bad = ptxopt_result_status(result) != PTXOPT_OK;
    file->changed = ptxopt_result_changed(result);
    file->linted = stats->linted;
    file->optimized = stats->optimized;
    file->input_bytes = stats->input_bytes;
    file->output_bytes = stats->output_bytes;
    file->candidates = stats->candidates;
    for (size_t i = 0; i < count; i++) {
        review_add_item(file, &findings[i]);
        review_add_code(file, &map, &findings[i], &counted);
    }
    add_hunks(file, &map);
    if (sass) {
        file->measured = !sass->problem;
        file->sass = *sass;
        *sass = (struct measure_pair){0};
    }
    add_kernels(file);
    groups_build(file);
    line_map_free(&map);
}

void review_file_add_witnesses(struct review_file *file, const struct ptxopt_result *result,
                               const struct witnesses *witnesses)
{
    const struct ptxopt_finding *findings = ptxopt_result_findings(result, &(size_t){0});
    uint32_t item = 0;
    for (size_t i = 0; i < witnesses->count; i++) {
        if (review_list_of(file, &findings[i]) != &file->items) continue;
        struct review_item *of = &file->items.at[item++];
        struct buf says = {0};
        witness_sentence(&says, &witnesses->at[i]);
        of->sass = witnesses->at[i];
        if (says.len) of->sass_says = arena_copy(&file->arena, says.data, says.len);
        buf_free(&says);
    }
}

void review_file_add_changes(struct review_file *file, const struct ptxopt_result *result,
                             const struct sass_changes *changes)
{
    const struct ptxopt_finding *findings = ptxopt_result_findings(result, &(size_t){0});
    uint32_t item = 0, suppressed = 0;
    for (size_t i = 0; i < changes->count; i++) {
        bool shown = review_list_of(file, &findings[i]) == &file->items;
        struct review_item *of =
            shown ? &file->items.at[item++] : &file->suppressed.at[suppressed++];
        of->change = sass_change_copy(&file->arena, &changes->at[i]);
    }
    const char *why = changes->problem ? changes->problem : changes->no_texts;
    if (why) file->no_sass = review_copy_text(file, why);
}

static const struct measure_cost *find_cost(const struct measure_cost *costs, uint32_t count,
                                            const char *id)
{
    for (uint32_t i = 0; i < count; i++)
        if (strcmp(costs[i].id, id) == 0) return &costs[i];
    return NULL;
}

void review_file_add_costs(struct review_file *file, const struct measure_cost *costs,
                           uint32_t count)
{
    for (uint32_t i = 0; i < file->items.count; i++) {
        struct review_item *item = &file->items.at[i];
        const struct measure_cost *cost = find_cost(costs, count, item->finding.id);
        if (!cost) continue;
        struct buf says = {0};
        item->cost = *cost;
        item->cost.id = item->finding.id;
        buf_puts(&says, "of this edit alone: ");
        if (measure_is_worse(&cost->without, &cost->with))
            measure_add_worse(&says, &cost->without, &cost->with);
        else
            buf_puts(&says, "none");
        if (*item->cost_says) buf_printf(&says, "; %s", item->cost_says);
        item->cost_says = take_copy(file, &says);
    }
}

static void hash_items(struct review_file *file, const struct review_item_list *items,
                       const struct line_hash_list *hashes)
{
    for (uint32_t i = 0; i < items->count; i++)
        items->at[i].line_hash = line_hash_text(hashes, items->at[i].finding.line, &file->arena);
}

void review_file_hash_lines(struct review_file *file, const struct ptxopt_result *result)
{
    struct line_hash_list hashes = {0};
    struct str text;
    if (!file->items.count && !file->suppressed.count) return;
    text.p = ptxopt_result_input(result, &text.n);
    line_hashes(&hashes, text);
    hash_items(file, &file->items, &hashes);
    hash_items(file, &file->suppressed, &hashes);
    vec_free(&hashes);
}

void review_file_fail(struct review_file *file, const char *path, const char *place,
                      const char *message)
{
    struct ptxopt_finding finding = {.kind = PTXOPT_DIAGNOSTIC,
                                     .level = PTXOPT_ERROR,
                                     .code = "unreadable",
                                     .id = "",
                                     .reason = "",
                                     .function = "",
                                     .text = "",
                                     .message = message,
                                     .isa_section = "",
                                     .assumptions = "",
                                     .sentence = "",
                                     .risk = "",
                                     .fix = "",
                                     .brief = "",
                                     .justification = "",
                                     .not_fixed = "",
                                     .line = 1,
                                     .column = 1,
                                     .end_line = 1,
                                     .end_column = 1};
    review_set_name(file, path, place);
    file->bad = true;
    review_add_item(file, &finding);
}

static void free_items(struct review_item_list *items)
{
    for (uint32_t i = 0; i < items->count; i++) {
        vec_free(&items->at[i].stack);
        vec_free(&items->at[i].steps);
        vec_free(&items->at[i].code.rows);
        vec_free(&items->at[i].change.rows);
        for (uint32_t k = 0; k < items->at[i].context.count; k++)
            vec_free(&items->at[i].context.at[k].rows);
        vec_free(&items->at[i].context);
    }
    vec_free(items);
}

void review_file_free(struct review_file *file)
{
    free_items(&file->items);
    free_items(&file->suppressed);
    for (uint32_t i = 0; i < file->hunks.count; i++) vec_free(&file->hunks.at[i].rows);
    for (uint32_t i = 0; i < file->sources.count; i++) vec_free(&file->sources.at[i]->hashes);
    vec_free(&file->sources);
    intern_free(&file->source_names);
    vec_free(&file->kernels);
    vec_free(&file->operations);
    vec_free(&file->hunks);
    measure_pair_free(&file->sass);
    arena_free(&file->arena);
}
