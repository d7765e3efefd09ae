/* Which places does a SARIF result name? See json_sarif_places.h. */
#include <jansson.h>

#include "report/json_sarif_places.h"

#include "report/json.h"

json_t *sarif_uri(const char *path)
{
    struct buf text = {0};
    if (*path == '/') buf_puts(&text, "file://");
    while (path[0] == '.' && path[1] == '/') path += 2;
    for (; *path; path++) {
        unsigned char c = (unsigned char)*path;
        bool plain = (c >= '0' && c <= '9') || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z') ||
                     strchr("-._~/", c);
        if (plain)
            buf_putc(&text, *path);
        else
            buf_printf(&text, "%%%02X", c);
    }
    json_t *value = json_need(json_stringn(text.data, text.len));
    buf_free(&text);
    return value;
}

/* The instruction, with so many blanks before and behind it. */
static json_t *region_with(const struct review_item *item, uint32_t before, uint32_t behind)
{
    return json_need(json_pack(
        "{s:i,s:i,s:i,s:i,s:i,s:i}", "startLine", (int)item->finding.line, "startColumn",
        (int)(item->char_column - before), "endLine", (int)item->finding.end_line, "endColumn",
        (int)(item->end_char_column + behind), "byteOffset", (int)(item->finding.start - before),
        "byteLength", (int)(item->finding.end - item->finding.start + before + behind)));
}

json_t *sarif_region(const struct review_item *item)
{
    return region_with(item, 0, 0);
}

json_t *sarif_replaced_region(const struct review_item *item)
{
    return region_with(item, item->finding.start - item->finding.replaced_start,
                       item->finding.replaced_end - item->finding.end);
}

json_t *sarif_artifact(const struct review_file *file, uint32_t index)
{
    return json_need(json_pack("{s:o,s:i}", "uri", sarif_uri(file->place), "index", (int)index));
}

/* ---- the lines around ---- */

enum { CONTEXT = 3 };

static json_t *context_region(uint32_t first, uint32_t last, struct str text)
{
    return json_need(json_pack("{s:i,s:i,s:{s:o}}", "startLine", (int)first, "endLine", (int)last,
                               "snippet", "text", json_bytes(text)));
}

/* As the model has them; NULL where it has cut them. */
static json_t *ptx_context(const struct review_item *item)
{
    struct buf text = {0};
    uint32_t first = 0, last = 0;
    for (uint32_t i = 0; i < item->code.rows.count; i++) {
        const struct review_row *row = &item->code.rows.at[i];
        if (row->op == '+') continue;
        if (!first) first = row->before;
        last = row->before;
        buf_add(&text, row->text.p, row->text.n);
        if (!row->unended) buf_putc(&text, '\n');
    }
    bool whole = first && first <= item->finding.line && last >= item->finding.end_line;
    json_t *value = whole ? context_region(first, last, (struct str){text.data, text.len}) : NULL;
    buf_free(&text);
    return value;
}

/* NULL where the text is not at hand. */
static json_t *cuda_context(const struct review_place *place)
{
    const struct source *text = &place->source->text;
    if (!text->text.n || place->line > source_line_count(text)) return NULL;
    uint32_t first = place->line > CONTEXT ? place->line - CONTEXT : 1;
    uint32_t last = place->line + CONTEXT, lines = source_line_count(text);
    if (last > lines) last = lines;
    if (last > first && source_line_start(text, last) == text->text.n) last--; /* behind the last */
    struct span span = {source_line_start(text, first), source_line_start(text, last + 1)};
    return context_region(first, last, source_slice(text, span));
}

/* ---- locations ---- */

static json_t *in_ptx(const struct review_file *file, uint32_t index,
                      const struct review_item *item)
{
    return json_need(json_pack("{s:o,s:o}", "artifactLocation", sarif_artifact(file, index),
                               "region", sarif_region(item)));
}

static json_t *in_cuda(const struct review_place *place)
{
    return json_need(json_pack("{s:{s:o},s:{s:i}}", "artifactLocation", "uri",
                               sarif_uri(place->source->place), "region", "startLine",
                               (int)place->line));
}

json_t *sarif_location(const struct review_file *file, uint32_t index,
                       const struct review_item *item)
{
    const struct review_place *site = item->at_source ? &item->stack.at[0] : NULL;
    json_t *place = site ? in_cuda(site) : in_ptx(file, index, item);
    json_t *context = site ? cuda_context(site) : ptx_context(item);
    if (context) json_put(place, "contextRegion", context);
    return json_need(json_pack("{s:o}", "physicalLocation", place));
}

/* Takes over the place. */
static void add_related(json_t *list, json_t *place, const char *text)
{
    json_array_append_new(
        list, json_need(json_pack("{s:i,s:o,s:{s:s}}", "id", (int)json_array_size(list) + 1,
                                  "physicalLocation", place, "message", "text", text)));
}

json_t *sarif_related(const struct review_file *file, uint32_t index,
                      const struct review_item *item)
{
    json_t *list = json_need(json_array());
    if (item->at_source)
        add_related(list, in_ptx(file, index, item), "in the PTX");
    else if (item->stack.count)
        add_related(list, in_cuda(&item->stack.at[0]), "in the CUDA source");
    for (uint32_t i = 0; i < item->steps.count; i++) {
        const struct review_step *step = &item->steps.at[i];
        struct buf message = {0};
        if (step->line == item->finding.line) continue;
        buf_printf(&message, "%s%s%s", step->part, *step->part ? ": " : "", step->text);
        char *text = buf_take(&message);
        add_related(
            list,
            json_need(json_pack("{s:o,s:{s:i}}", "artifactLocation", sarif_artifact(file, index),
                                "region", "startLine", (int)step->line)),
            text);
        mem_free(text);
    }
    return list;
}

/* ---- paths and stacks ---- */

json_t *sarif_code_flows(const struct review_file *file, uint32_t index,
                         const struct review_item *item)
{
    json_t *steps = json_need(json_array());
    for (uint32_t i = 0; i < item->steps.count; i++) {
        const struct review_step *step = &item->steps.at[i];
        json_t *place =
            json_need(json_pack("{s:{s:o,s:{s:i}},s:{s:s}}", "physicalLocation", "artifactLocation",
                                sarif_artifact(file, index), "region", "startLine", (int)step->line,
                                "message", "text", *step->part ? step->part : step->text));
        json_array_append_new(steps, json_need(json_pack("{s:o}", "location", place)));
    }
    return json_need(json_pack("[{s:[{s:o}]}]", "threadFlows", "locations", steps));
}

/* The CUDA source as the stack of calls that were inlined; SARIF has the innermost first. */
json_t *sarif_stacks(const struct review_item *item)
{
    json_t *frames = json_need(json_array());
    for (uint32_t i = item->stack.count; i--;)
        json_array_append_new(frames,
                              json_need(json_pack("{s:{s:o}}", "location", "physicalLocation",
                                                  in_cuda(&item->stack.at[i]))));
    return json_need(
        json_pack("[{s:{s:s},s:o}]", "message", "text", "CUDA source", "frames", frames));
}
