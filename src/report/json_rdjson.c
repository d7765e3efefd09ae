/* Prints reviewdog's Diagnostic Format, as one document (rdjson) or one object in each line
 * (rdjsonl). Columns are bytes from 1, ends are exclusive. Each removal, and each insertion of
 * --fix, is also a suggestion that a reviewer can accept with one click. There is none for a
 * finding at a CUDA line, because a suggestion cannot name another file. */
#include <jansson.h>

#include "report/format.h"
#include "report/json.h"
#include "report/json_insertions.h"

static json_t *rdjson_position(uint32_t line, uint32_t column)
{
    return json_need(json_pack("{s:i,s:i}", "line", (int)line, "column", (int)column));
}

static json_t *rdjson_range(const struct review_item *item)
{
    return json_need(json_pack("{s:o,s:o}", "start",
                               rdjson_position(item->finding.line, item->finding.column), "end",
                               rdjson_position(item->finding.end_line, item->finding.end_column)));
}

/* The range that a removal replaces: the instruction and blanks around it on its lines. */
static json_t *rdjson_replaced_range(const struct ptxopt_finding *finding)
{
    uint32_t before = finding->start - finding->replaced_start;
    uint32_t behind = finding->replaced_end - finding->end;
    return json_need(json_pack("{s:o,s:o}", "start",
                               rdjson_position(finding->line, finding->column - before), "end",
                               rdjson_position(finding->end_line, finding->end_column + behind)));
}

static const char *rdjson_severity(const struct review_item *item)
{
    static const char *const words[REVIEW_SEVERITIES] = {"ERROR", "WARNING", "INFO"};
    return words[review_severity(item)];
}

/* A location in the CUDA source has only a line number. */
static json_t *rdjson_location(const struct review_file *file, const struct review_item *item,
                               bool at_source)
{
    if (!at_source)
        return json_need(
            json_pack("{s:s,s:o}", "path", file->place_name, "range", rdjson_range(item)));
    return json_need(json_pack("{s:s,s:{s:{s:i}}}", "path", item->stack.at[0].source->place,
                               "range", "start", "line", (int)item->source_line));
}

/* The first related place is in the other text, PTX or CUDA. */
static json_t *rdjson_related(const struct review_file *file, const struct review_item *item)
{
    json_t *list = json_need(json_array());
    if (item->stack.count)
        json_array_append_new(
            list, json_need(json_pack("{s:s,s:o}", "message",
                                      item->at_source ? "in the PTX" : "in the CUDA source",
                                      "location", rdjson_location(file, item, !item->at_source))));
    for (uint32_t i = 0; i < item->steps.count; i++) {
        const struct review_step *step = &item->steps.at[i];
        if (step->line == item->finding.line) continue;
        json_array_append_new(
            list,
            json_need(json_pack("{s:s,s:{s:s,s:{s:{s:i}}}}", "message",
                                *step->part ? step->part : step->text, "location", "path",
                                file->place_name, "range", "start", "line", (int)step->line)));
    }
    return list;
}

static json_t *rdjson_diagnostic(const struct review_file *file, const struct review_item *item)
{
    json_t *value =
        json_need(json_pack("{s:o,s:o,s:s,s:{s:s}}", "message", json_message(item), "location",
                            rdjson_location(file, item, item->at_source), "severity",
                            rdjson_severity(item), "source", "name", "ptxopt"));
    json_t *code = json_need(json_pack("{s:s}", "value", item->finding.code));
    json_put_any(code, "url", item->isa_link);
    json_put(value, "code", code);
    if (item->finding.kind == PTXOPT_DELETED && !item->at_source)
        json_put(value, "suggestions",
                 json_pack("[{s:o,s:s}]", "range", rdjson_replaced_range(&item->finding), "text",
                           item->finding.replacement));
    if (item->finding.insertion_count && !item->at_source)
        json_put(value, "suggestions", json_insertions_rdjson(&item->finding));
    if (item->steps.count || item->stack.count)
        json_put(value, "relatedLocations", rdjson_related(file, item));
    return value;
}

void report_rdjson(struct buf *out, const struct review *review)
{
    json_t *list = json_need(json_array());
    for (uint32_t f = 0; f < review->count; f++)
        for (uint32_t i = 0; i < review->files[f]->items.count; i++)
            json_array_append_new(
                list, rdjson_diagnostic(review->files[f], &review->files[f]->items.at[i]));
    json_add(out,
             json_need(json_pack("{s:{s:s},s:s,s:o}", "source", "name", "ptxopt", "severity",
                                 "INFO", "diagnostics", list)),
             true);
}

void report_rdjsonl(struct buf *out, const struct review *review)
{
    for (uint32_t f = 0; f < review->count; f++)
        for (uint32_t i = 0; i < review->files[f]->items.count; i++)
            json_add(out, rdjson_diagnostic(review->files[f], &review->files[f]->items.at[i]),
                     false);
}
