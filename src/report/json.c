/* Writes everything that is known, for programs: json as one document, ndjson one object in each
 * line. The format is report-2.schema.json; an incompatible change makes it report-3. */
#include <jansson.h>

#include "report/json.h"

#include "base/bug.h"
#include "base/work.h"
#include "report/brief.h"
#include "report/clean.h"
#include "report/format.h"
#include "report/groups.h"

enum { SCHEMA_VERSION = 2 };

/* ---- helpers ---- */

/* Freeing a document can take long, so each value counts as work. */
static void free_value(void *ptr)
{
    mem_free(ptr);
    work_spend(1);
}

void json_use_work(void)
{
    json_set_alloc_funcs(mem_alloc, free_value);
}

static int add_chunk(const char *bytes, size_t len, void *out)
{
    work_spend(1);
    buf_add(out, bytes, len);
    return 0;
}

void json_add(struct buf *out, json_t *value, bool pretty)
{
    size_t flags = pretty ? JSON_INDENT(2) : JSON_COMPACT;
    BUG_UNLESS(json_dump_callback(value, add_chunk, out, flags) == 0);
    buf_putc(out, '\n');
    json_decref(value);
}

json_t *json_need(json_t *value)
{
    BUG_UNLESS(value);
    return value;
}

void json_put(json_t *object, const char *key, json_t *value)
{
    BUG_UNLESS(json_object_set_new(object, key, json_need(value)) == 0);
}

void json_put_text(json_t *object, const char *key, const char *text)
{
    json_put(object, key, json_string(text));
}

void json_put_any(json_t *object, const char *key, const char *text)
{
    if (*text) json_put_text(object, key, text);
}

void json_put_count(json_t *object, const char *key, uint32_t count)
{
    if (count) json_put(object, key, json_integer(count));
}

json_t *json_bytes(struct str text)
{
    json_t *value = json_stringn(text.n ? text.p : "", text.n);
    if (value) return value;
    struct arena arena = {0};
    value = json_need(json_string(clean_utf8(&arena, text)));
    arena_free(&arena);
    return value;
}

json_t *json_names(const char *names)
{
    json_t *list = json_need(json_array());
    while (*names) {
        size_t len = strcspn(names, ",");
        json_array_append_new(list, json_need(json_stringn(names, len)));
        names += len + (names[len] == ',');
    }
    return list;
}

json_t *json_message(const struct review_item *item)
{
    struct buf text = {0};
    struct review_fact facts[REVIEW_FACTS];
    brief_single(&text, item, "redundant");
    if (*item->finding.brief) buf_puts(&text, "\n    ");
    if (*item->finding.brief) review_sentence(&text, item);
    review_facts(item, facts);
    for (int i = 0; i < REVIEW_FACTS; i++)
        if (*facts[i].text) buf_printf(&text, "\n    %s: %s", facts[i].label, facts[i].text);
    buf_puts(&text, "\n    ");
    review_grounds(&text, item);
    json_t *value = json_need(json_stringn(text.data, text.len));
    buf_free(&text);
    return value;
}

/* ---- items ---- */

static json_t *location_object(const struct review_item *item)
{
    return json_need(json_pack("{s:i,s:i,s:i,s:i,s:i,s:i}", "line", (int)item->finding.line,
                               "column", (int)item->finding.column, "end_line",
                               (int)item->finding.end_line, "end_column",
                               (int)item->finding.end_column, "start", (int)item->finding.start,
                               "end", (int)item->finding.end));
}

static json_t *code_rows(const struct review_hunk *hunk)
{
    json_t *rows = json_need(json_array());
    for (uint32_t i = 0; i < hunk->rows.count; i++) {
        const struct review_row *row = &hunk->rows.at[i];
        char op[] = {row->op, '\0'};
        json_t *value = json_need(json_pack("{s:s}", "op", op));
        json_put_count(value, "before", row->before);
        json_put_count(value, "after", row->after);
        json_put(value, "text", json_bytes(row->text));
        json_array_append_new(rows, value);
    }
    return rows;
}

static json_t *place_object(const struct review_place *at)
{
    return json_pack("{s:s,s:i}", "file", at->source->file, "line", (int)at->line);
}

static json_t *chain_steps(const struct review_item *item)
{
    json_t *steps = json_need(json_array());
    for (uint32_t i = 0; i < item->steps.count; i++) {
        const struct review_step *step = &item->steps.at[i];
        json_t *value = json_need(json_pack("{s:i}", "line", (int)step->line));
        json_put_any(value, "part", step->part);
        json_put_text(value, "text", step->text);
        if (step->origin.source) json_put(value, "source", place_object(&step->origin));
        json_array_append_new(steps, value);
    }
    return steps;
}

/* The line of the instruction, and the calls through which it was inlined: as "stack" from the
 * outermost, as "inlined_at" from the innermost. */
static json_t *source_object(const struct review_item *item)
{
    uint32_t last = item->stack.count - 1;
    json_t *calls, *stack, *value = json_need(place_object(&item->stack.at[last]));
    json_put(value, "stack", stack = json_array());
    for (uint32_t i = 0; i <= last; i++)
        json_array_append_new(stack, json_need(place_object(&item->stack.at[i])));
    if (!last) return value;
    json_put(value, "inlined_at", calls = json_array());
    for (uint32_t i = last; i--;)
        json_array_append_new(calls, json_need(place_object(&item->stack.at[i])));
    return value;
}

static json_t *isa_object(const struct review_item *item)
{
    json_t *value = json_need(
        json_pack("{s:s,s:s}", "section", item->finding.isa_section, "link", item->isa_link));
    json_put_any(value, "sentence", item->finding.sentence);
    return value;
}

static json_t *sass_object(const struct review_item *item)
{
    json_t *value = json_need(
        json_pack("{s:s,s:s}", "state", witness_word(item->sass.state), "says", item->sass_says));
    if (item->sass.state == WITNESS_UNKNOWN) return value;
    json_put_count(value, "operation_line", item->sass.line);
    json_put(value, "operation_offset", json_integer(item->sass.operation));
    json_put(value, "release_offset", json_integer(item->sass.release));
    return value;
}

static void put_sass_side(json_t *row, const char *side, uint32_t offset, const char *text)
{
    if (text)
        json_put(row, side, json_pack("{s:I,s:s}", "offset", (json_int_t)offset, "text", text));
}

/* What a removal changed in the machine code. */
static json_t *sass_change(const struct sass_change *change)
{
    json_t *rows, *value = json_need(json_pack("{s:s}", "says", change->says));
    json_put(value, "rows", rows = json_array());
    for (uint32_t i = 0; i < change->rows.count; i++) {
        const struct sass_row *row = &change->rows.at[i];
        json_t *pair = json_need(json_object());
        json_put(pair, "op", json_stringn(&row->op, 1));
        put_sass_side(pair, "before", row->before, row->before_text);
        put_sass_side(pair, "after", row->after, row->after_text);
        json_array_append_new(rows, pair);
    }
    return value;
}

static json_t *figures_object(const struct measure_kernel *kernel)
{
    json_t *value =
        json_need(json_pack("{s:i,s:i,s:i}", "instructions", (int)kernel->instructions, "nops",
                            (int)kernel->nops, "membars", (int)kernel->membars));
    if (!kernel->is_entry) return value;
    json_put(value, "registers", json_integer(kernel->registers));
    json_put(value, "spill_store_bytes", json_integer(kernel->spill_stores));
    json_put(value, "spill_load_bytes", json_integer(kernel->spill_loads));
    json_put_count(value, "cta_threads", kernel->threads);
    json_put(value, "sm_warps", json_integer(kernel->warps));
    return value;
}

static void put_estimate(json_t *object, struct ptxopt_estimate live)
{
    if (live.after)
        json_put(object, "live_registers_estimate",
                 json_pack("{s:i,s:i}", "before", (int)live.before, "after", (int)live.after));
}

/* The risk, the fix, and the change by --fix. */
static void put_remedy(json_t *value, const struct ptxopt_finding *finding)
{
    json_put_any(value, "risk", finding->risk);
    json_put_any(value, "fix", finding->fix);
    json_put_any(value, "not_fixed", finding->not_fixed);
    if (!finding->insertion_count) return;
    json_t *list = json_need(json_array());
    for (uint32_t i = 0; i < finding->insertion_count; i++) {
        const struct ptxopt_insertion *at = &finding->insertions[i];
        json_array_append_new(list, json_need(json_pack("{s:i,s:i,s:s}", "at", (int)at->at, "line",
                                                        (int)at->line, "text", at->text)));
    }
    json_put(value, "insertions", list);
}

static json_t *item_object(const struct review_item *item)
{
    enum ptxopt_kind kind = review_kind(&item->finding);
    bool suppressed = kind == PTXOPT_SUPPRESSED;
    bool lint = kind == PTXOPT_HAZARD || item->finding.kind == PTXOPT_SUPPRESSED;
    json_t *value = json_need(json_pack("{s:s}", "type", review_kind_word(kind)));
    json_put_any(value, "id", item->finding.id);
    if (item->finding.kind == PTXOPT_DIAGNOSTIC || lint)
        json_put_text(value, "level", review_level_word(item->finding.level));
    json_put_text(value, review_is_ruled(item) ? "rule" : "code", item->finding.code);
    json_put_any(value, suppressed ? "suppressed_by" : "reason", item->finding.reason);
    json_put_any(value, "justification", item->finding.justification);
    json_put_any(value, "function", item->finding.function);
    json_put_any(value, "text", item->finding.text);
    json_put_any(value, "brief", item->finding.brief);
    json_put_text(value, "why", item->finding.message);
    json_put(value, "line", json_integer(item->finding.line));
    json_put(value, "location", location_object(item));
    if (item->stack.count) json_put(value, "source", source_object(item));
    if (*item->finding.isa_section) json_put(value, "isa", isa_object(item));
    put_remedy(value, &item->finding);
    if (item->sass.state != WITNESS_UNASKED) json_put(value, "sass", sass_object(item));
    if (*item->change.says) json_put(value, "sass_change", sass_change(&item->change));
    put_estimate(value, item->finding.live);
    if (item->cost.id)
        json_put(value, "cost",
                 json_pack("{s:o,s:o}", "without", figures_object(&item->cost.without), "with",
                           figures_object(&item->cost.with)));
    if (item->finding.kind == PTXOPT_DELETED) {
        json_put(value, "assumptions", json_names(item->finding.assumptions));
        json_put_text(value, "replacement", item->finding.replacement);
        json_put(value, "replaced",
                 json_pack("{s:i,s:i}", "start", (int)item->finding.replaced_start, "end",
                           (int)item->finding.replaced_end));
    }
    json_put_count(value, "witness_line", item->finding.witness_line);
    if (item->steps.count) json_put(value, lint ? "path" : "chain", chain_steps(item));
    json_put_count(value, "more_operations", item->finding.more_operations);
    json_put(value, "code_around", code_rows(&item->code));
    return value;
}

/* ---- files ---- */

static json_t *groups_array(const struct review_file *file)
{
    json_t *list = json_need(json_array());
    for (uint32_t i = 0; i < file->items.count; i++) {
        const struct review_item *item = &file->items.at[i];
        const struct review_group *group = item->group;
        if (!group || group->leader != item) continue;
        struct buf says = {0};
        json_t *lines = json_need(json_array());
        brief_line(&says, item, "redundant");
        if (group->last) buf_puts(&says, "; ");
        groups_advice(&says, group);
        for (uint32_t k = 0; k < group->count; k++)
            json_array_append_new(lines, json_integer(group->items[k]->finding.line));
        json_array_append_new(
            list,
            json_need(json_pack("{s:s,s:s,s:o,s:i,s:o,s:o}", "function", item->finding.function,
                                "text", item->finding.text, "source", source_object(item),
                                "edit_count", (int)group->redundant, "lines", lines, "says",
                                json_bytes((struct str){says.data, says.len}))));
        buf_free(&says);
    }
    return list;
}

static void put_counts(json_t *object, const uint32_t *count)
{
    static const char *const keys[PTXOPT_KINDS] = {
        [PTXOPT_DELETED] = "edit_count",          [PTXOPT_KEPT] = "kept_count",
        [PTXOPT_ADVICE] = "advice_count",         [PTXOPT_SKIPPED] = "skipped_count",
        [PTXOPT_DIAGNOSTIC] = "diagnostic_count", [PTXOPT_HAZARD] = "lint_count",
        [PTXOPT_SUPPRESSED] = "suppressed_count"};
    for (int kind = 0; kind < PTXOPT_KINDS; kind++)
        json_put(object, keys[kind], json_integer(count[kind]));
}

static json_t *kernels_array(const struct review_file *file)
{
    json_t *list = json_need(json_array());
    for (uint32_t i = 0; i < file->kernels.count; i++) {
        const struct review_kernel *kernel = &file->kernels.at[i];
        json_t *value = json_need(json_pack("{s:s}", "name", kernel->name));
        put_counts(value, kernel->count);
        put_estimate(value, kernel->live);
        if (kernel->before)
            json_put(value, "sass",
                     json_pack("{s:o,s:o,s:b}", "before", figures_object(kernel->before), "after",
                               figures_object(kernel->after), "worse",
                               (int)review_is_worse(kernel)));
        json_array_append_new(list, value);
    }
    return list;
}

static json_t *file_object(const struct review_file *file)
{
    json_t *value = json_need(json_pack(
        "{s:s,s:s,s:b,s:b,s:I,s:I,s:i}", "type", "file", "name", file->name, "bad_input",
        (int)file->bad, "changed", (int)file->changed, "input_bytes", (json_int_t)file->input_bytes,
        "output_bytes", (json_int_t)file->output_bytes, "candidate_count", (int)file->candidates));
    put_counts(value, file->count);
    json_put(value, "kernels", kernels_array(file));
    json_put(value, "groups", groups_array(file));
    if (file->sass.problem) json_put_text(value, "not_measured", file->sass.problem);
    json_put_any(value, "not_disassembled", file->no_sass);
    return value;
}

static json_t *head_object(const struct review *review)
{
    struct review_totals totals = review_totals(review);
    json_t *value = json_need(json_pack(
        "{s:s,s:i,s:{s:s,s:s},s:i,s:i,s:i}", "type", "ptxopt-report", "schema", (int)SCHEMA_VERSION,
        "tool", "name", "ptxopt", "version", ptxopt_version(), "file_count", (int)review->count,
        "changed_file_count", (int)totals.changed, "candidate_count", (int)totals.candidates));
    put_counts(value, totals.count);
    return value;
}

/* Suppressed items come last. */
static json_t *items_array(const struct review_file *file)
{
    json_t *list = json_need(json_array());
    for (uint32_t i = 0; i < file->items.count; i++)
        json_array_append_new(list, item_object(&file->items.at[i]));
    for (uint32_t i = 0; i < file->suppressed.count; i++)
        json_array_append_new(list, item_object(&file->suppressed.at[i]));
    return list;
}

void report_json(struct buf *out, const struct review *review)
{
    json_t *files = json_need(json_array());
    for (uint32_t f = 0; f < review->count; f++) {
        json_t *file = file_object(review->files[f]);
        json_put(file, "items", items_array(review->files[f]));
        json_array_append_new(files, file);
    }
    json_t *document = head_object(review);
    json_put(document, "files", files);
    json_add(out, document, true);
}

static void ndjson_add_items(struct buf *out, const struct review_file *file,
                             const struct review_item_list *items)
{
    for (uint32_t i = 0; i < items->count; i++) {
        json_t *item = item_object(&items->at[i]);
        json_put_text(item, "file", file->name);
        json_add(out, item, false);
    }
}

void report_ndjson(struct buf *out, const struct review *review)
{
    json_add(out, head_object(review), false);
    for (uint32_t f = 0; f < review->count; f++) {
        const struct review_file *file = review->files[f];
        json_add(out, file_object(file), false);
        ndjson_add_items(out, file, &file->items);
        ndjson_add_items(out, file, &file->suppressed);
    }
}
