/* Prints SARIF 2.1.0, for GitHub code scanning and editors. A removal is a result with a fix; a
 * kept candidate has the kind "informational". GitHub refuses a file with more than 25,000 results,
 * so the most important ones come first and the others are counted in a notification. GitHub does
 * not show fixes, so the message describes the change. */
#include <jansson.h>
#include <stdio.h>

#include "base/intern.h"
#include "report/brief.h"
#include "report/fingerprint.h"
#include "report/format.h"
#include "report/groups.h"
#include "report/isa.h"
#include "report/json.h"
#include "report/json_insertions.h"
#include "report/model.h"

enum { MAX_RESULTS = 25000 };

struct sarif {
    struct fingerprints prints;
    struct intern rule_ids;
    json_t *rules, *results;
    uint32_t left_out;
};

/* ---- places: a PTX file is named by its index in the artifacts ---- */

/* A path as a URI reference; an absolute path gets the scheme "file". */
static json_t *sarif_uri(const char *path)
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

/* The region of the instruction with `before` blanks in front of it and `behind` blanks after
 * it. */
static json_t *region_with(const struct review_item *item, uint32_t before, uint32_t behind)
{
    return json_need(json_pack(
        "{s:i,s:i,s:i,s:i,s:i,s:i}", "startLine", (int)item->finding.line, "startColumn",
        (int)(item->char_column - before), "endLine", (int)item->finding.end_line, "endColumn",
        (int)(item->end_char_column + behind), "byteOffset", (int)(item->finding.start - before),
        "byteLength", (int)(item->finding.end - item->finding.start + before + behind)));
}

/* The region of the instruction in the PTX. */
static json_t *sarif_region(const struct review_item *item)
{
    return region_with(item, 0, 0);
}

/* The region that a removal replaces: the instruction and blanks around it on its lines. */
static json_t *sarif_replaced_region(const struct review_item *item)
{
    return region_with(item, item->finding.start - item->finding.replaced_start,
                       item->finding.replaced_end - item->finding.end);
}

static json_t *sarif_artifact(const struct review_file *file, uint32_t index)
{
    return json_need(json_pack("{s:o,s:i}", "uri", sarif_uri(file->place), "index", (int)index));
}

/* ---- the lines around an item ---- */

enum { CONTEXT = 3 };

static json_t *context_region(uint32_t first, uint32_t last, struct str text)
{
    return json_need(json_pack("{s:i,s:i,s:{s:o}}", "startLine", (int)first, "endLine", (int)last,
                               "snippet", "text", json_bytes(text)));
}

/* The lines around the item in the PTX; NULL if the model has shortened them. */
static json_t *ptx_context(const struct review_item *item)
{
    struct buf text = {0};
    uint32_t first = 0, last = 0;
    bool is_cut = false;
    for (uint32_t i = 0; i < item->code.rows.count; i++) {
        const struct review_row *row = &item->code.rows.at[i];
        if (row->op == '+') continue;
        is_cut |= row->is_cut;
        if (!first) first = row->before;
        last = row->before;
        buf_add(&text, row->text.p, row->text.n);
        if (!row->unended) buf_putc(&text, '\n');
    }
    bool whole = !is_cut && first && first <= item->finding.line && last >= item->finding.end_line;
    json_t *value = whole ? context_region(first, last, (struct str){text.data, text.len}) : NULL;
    buf_free(&text);
    return value;
}

/* The lines around a place in the CUDA source; NULL if the text is not available. */
static json_t *cuda_context(const struct review_place *place)
{
    const struct source *text = &place->source->text;
    if (!text->text.n || place->line > source_line_count(text)) return NULL;
    uint32_t first = place->line > CONTEXT ? place->line - CONTEXT : 1;
    uint32_t last = place->line + CONTEXT, lines = source_line_count(text);
    if (last > lines) last = lines;
    if (last > first && source_line_start(text, last) == text->text.n) last--; /* it is empty */
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

/* The location of the item in reports, with the lines around it if they are available. */
static json_t *sarif_location(const struct review_file *file, uint32_t index,
                              const struct review_item *item)
{
    const struct review_place *site = item->at_source ? &item->stack.at[0] : NULL;
    json_t *place = site ? in_cuda(site) : in_ptx(file, index, item);
    json_t *context = site ? cuda_context(site) : ptx_context(item);
    if (context) json_put(place, "contextRegion", context);
    return json_need(json_pack("{s:o}", "physicalLocation", place));
}

/* Takes over place. */
static void add_related(json_t *list, json_t *place, const char *text)
{
    json_array_append_new(
        list, json_need(json_pack("{s:i,s:o,s:{s:s}}", "id", (int)json_array_size(list) + 1,
                                  "physicalLocation", place, "message", "text", text)));
}

/* The same place in the other text, PTX or CUDA, and the steps of the proof. */
static json_t *sarif_related(const struct review_file *file, uint32_t index,
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

/* The path of a hazard, along which viewers can step. */
static json_t *sarif_code_flows(const struct review_file *file, uint32_t index,
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

/* The stack of inlined calls in the CUDA source. SARIF has the innermost first. */
static json_t *sarif_stacks(const struct review_item *item)
{
    json_t *frames = json_need(json_array());
    for (uint32_t i = item->stack.count; i--;)
        json_array_append_new(frames,
                              json_need(json_pack("{s:{s:o}}", "location", "physicalLocation",
                                                  in_cuda(&item->stack.at[i]))));
    return json_need(
        json_pack("[{s:{s:s},s:o}]", "message", "text", "CUDA source", "frames", frames));
}

/* ---- rules ---- */

/* The index of the rule. A new rule gets a descriptor. */
static uint32_t rule_index(struct sarif *sarif, const char *id, const char *summary)
{
    uint32_t index = intern_add(&sarif->rule_ids, 0, str_from(id));
    if (index == json_array_size(sarif->rules))
        json_array_append_new(
            sarif->rules,
            json_need(json_pack("{s:s,s:{s:s}}", "id", id, "shortDescription", "text", summary)));
    return index;
}

static void sarif_add_rule(struct sarif *sarif, const struct ptxopt_rule *rule)
{
    struct buf markdown = {0};
    const char *link = isa_link(rule->isa_section);
    json_t *value = json_array_get(sarif->rules, rule_index(sarif, rule->id, rule->summary));
    buf_printf(&markdown, "**%s** — %s\n\n```\n%s\n```\n\n[PTX ISA %s](%s)\n", rule->id,
               rule->summary, rule->explanation, rule->isa_section, link);
    json_put_text(value, "name", rule->id);
    json_put(value, "fullDescription", json_pack("{s:s}", "text", rule->summary));
    json_put(value, "help",
             json_pack("{s:s,s:o}", "text", rule->explanation, "markdown",
                       json_need(json_stringn(markdown.data, markdown.len))));
    json_put_text(value, "helpUri", link);
    json_put(value, "defaultConfiguration",
             json_pack("{s:s}", "level", rule->advice ? "note" : "warning"));
    json_put(value, "properties", json_pack("{s:[s,s]}", "tags", "tcgen05", "performance"));
    buf_free(&markdown);
}

static void sarif_add_code(struct sarif *sarif, const struct ptxopt_lint_code *code)
{
    struct buf markdown = {0};
    const char *link = isa_link(code->isa_section);
    json_t *value = json_array_get(sarif->rules, rule_index(sarif, code->id, code->summary));
    buf_printf(&markdown, "**%s** — %s\n\n> %s\n\n```\n%s\n```\n\n[PTX ISA %s](%s)\n", code->id,
               code->summary, code->sentence, code->explanation, code->isa_section, link);
    json_put_text(value, "name", code->id);
    json_put(value, "fullDescription", json_pack("{s:s}", "text", code->summary));
    json_put(value, "help",
             json_pack("{s:s,s:o}", "text", code->explanation, "markdown",
                       json_need(json_stringn(markdown.data, markdown.len))));
    json_put_text(value, "helpUri", link);
    json_put(value, "defaultConfiguration", json_pack("{s:s}", "level", "warning"));
    json_put(value, "properties", json_pack("{s:[s,s]}", "tags", "tcgen05", "correctness"));
    buf_free(&markdown);
}

/* ---- results ---- */

static const char *sarif_level(const struct review_item *item)
{
    if (item->finding.kind == PTXOPT_KEPT) return "none";
    static const char *const words[REVIEW_SEVERITIES] = {"error", "warning", "note"};
    return words[review_severity(item)];
}

static json_t *sarif_fixes(const struct review_file *file, uint32_t index,
                           const struct review_item *item)
{
    bool deletes = item->finding.kind == PTXOPT_DELETED;
    json_t *replacements =
        deletes ? json_pack("[{s:o,s:{s:s}}]", "deletedRegion", sarif_replaced_region(item),
                            "insertedContent", "text", item->finding.replacement)
                : json_insertions_sarif(&item->finding);
    return json_need(json_pack(
        "[{s:{s:s},s:[{s:o,s:o}]}]", "description", "text",
        deletes ? "Remove the redundant instruction" : "Insert what is missing", "artifactChanges",
        "artifactLocation", sarif_artifact(file, index), "replacements", json_need(replacements)));
}

static json_t *sarif_message(const struct review_item *item)
{
    struct buf text = {0};
    review_sentence(&text, item);
    struct review_fact facts[REVIEW_FACTS];
    if (item->finding.kind == PTXOPT_DELETED) buf_puts(&text, "; ptxopt removes it");
    review_facts(item, facts);
    for (int i = 0; i < REVIEW_FACTS; i++)
        if (*facts[i].text) buf_printf(&text, "; %s: %s", facts[i].label, facts[i].text);
    buf_puts(&text, " (");
    review_grounds(&text, item);
    buf_puts(&text, ").");
    json_t *value =
        json_need(json_pack("{s:o}", "text", json_need(json_stringn(text.data, text.len))));
    buf_free(&text);
    return value;
}

/* Adds the item in one line, and advice to the author. For a group, both are about all copies. */
static void put_brief(json_t *value, const struct review_item *item)
{
    struct buf text = {0};
    brief_line(&text, item, "redundant");
    json_put(value, "brief", json_bytes((struct str){text.data, text.len}));
    text.len = 0;
    if (item->group) groups_advice(&text, item->group);
    if (text.len) json_put(value, "advice", json_bytes((struct str){text.data, text.len}));
    buf_free(&text);
}

static json_t *sarif_properties(const struct review_item *item)
{
    json_t *value = json_need(json_object());
    put_brief(value, item);
    json_put_any(value, "id", item->finding.id);
    json_put_any(value, "reason", item->finding.reason);
    json_put_any(value, "assumptions", item->finding.assumptions);
    json_put_any(value, "isaSection", item->finding.isa_section);
    json_put_any(value, "isaSentence", item->finding.sentence);
    json_put_any(value, "risk", item->finding.risk);
    json_put_any(value, "fix", item->finding.fix);
    json_put_any(value, "notFixed", item->finding.not_fixed);
    json_put_any(value, "sourceFile", item->source_file);
    json_put_count(value, "sourceLine", item->source_line);
    return value;
}

static bool is_lint(const struct review_item *item)
{
    return item->finding.kind == PTXOPT_HAZARD || item->finding.kind == PTXOPT_SUPPRESSED;
}

static json_t *sarif_suppressions(const struct review_item *item)
{
    bool comment = strcmp(item->finding.reason, "comment") == 0;
    json_t *value = json_need(json_pack("{s:s}", "kind", comment ? "inSource" : "external"));
    json_put_any(value, "justification", item->finding.justification);
    return json_need(json_pack("[o]", value));
}

static void add_result(struct sarif *sarif, const struct review_file *file, uint32_t index,
                       const struct review_item *item)
{
    char print[FINGERPRINT_DIGITS + 1];
    if (json_array_size(sarif->results) == MAX_RESULTS) {
        sarif->left_out++;
        return;
    }
    fingerprint_add(&sarif->prints, file, item, print);
    json_t *location = sarif_location(file, index, item);
    if (*item->finding.function)
        json_put(location, "logicalLocations",
                 json_pack("[{s:s,s:s}]", "fullyQualifiedName", item->finding.function, "kind",
                           "function"));
    json_t *value = json_need(
        json_pack("{s:s,s:i,s:s,s:s,s:o,s:[o],s:{s:s}}", "ruleId", item->finding.code, "ruleIndex",
                  (int)rule_index(sarif, item->finding.code, item->finding.message), "kind",
                  item->finding.kind == PTXOPT_KEPT ? "informational" : "fail", "level",
                  sarif_level(item), "message", sarif_message(item), "locations", location,
                  "partialFingerprints", "ptxopt/v1", print));
    json_put_any(json_object_get(value, "partialFingerprints"), "primaryLocationLineHash",
                 item->line_hash);
    if (item->steps.count || item->stack.count)
        json_put(value, "relatedLocations", sarif_related(file, index, item));
    if (item->steps.count && is_lint(item))
        json_put(value, "codeFlows", sarif_code_flows(file, index, item));
    if (item->stack.count) json_put(value, "stacks", sarif_stacks(item));
    if (review_kind(&item->finding) == PTXOPT_SUPPRESSED)
        json_put(value, "suppressions", sarif_suppressions(item));
    if (item->finding.kind == PTXOPT_DELETED || item->finding.insertion_count)
        json_put(value, "fixes", sarif_fixes(file, index, item));
    json_put(value, "properties", sarif_properties(item));
    json_array_append_new(sarif->results, value);
}

/* Results with a low rank are kept if not all fit. */
static int sarif_rank(const struct review_item *item)
{
    if (item->finding.kind == PTXOPT_KEPT) return 3;
    if (item->finding.kind == PTXOPT_DELETED) return 1;
    return review_severity(item) == REVIEW_NOTE ? 2 : 0;
}

/* ---- the run ---- */

static json_t *sarif_artifacts(const struct review *review)
{
    json_t *list = json_need(json_array());
    for (uint32_t f = 0; f < review->count; f++) {
        const struct review_file *file = review->files[f];
        json_t *value = json_need(json_pack("{s:{s:o},s:s}", "location", "uri",
                                            sarif_uri(file->place), "mimeType", "text/x-ptx"));
        struct buf figures = {0};
        for (uint32_t k = 0; k < file->kernels.count; k++) {
            if (!file->kernels.at[k].before) continue;
            buf_printf(&figures, "%s%s: ", figures.len ? "; " : "", file->kernels.at[k].name);
            review_figures(&figures, &file->kernels.at[k]);
        }
        if (figures.len)
            json_put(
                value, "properties",
                json_pack("{s:o}", "sass", json_need(json_stringn(figures.data, figures.len))));
        buf_free(&figures);
        json_array_append_new(list, value);
    }
    return list;
}

static void sarif_notify(json_t *notifications, const char *level, const char *text,
                         json_t *locations)
{
    json_t *value = json_need(json_pack("{s:s,s:{s:s}}", "level", level, "message", "text", text));
    if (locations) json_put(value, "locations", locations);
    json_array_append_new(notifications, value);
}

/* Reports errors because of which a file was not read or not processed. */
static void notify_errors(json_t *notifications, const struct review_file *file, uint32_t index)
{
    for (uint32_t i = 0; i < file->items.count; i++) {
        const struct review_item *item = &file->items.at[i];
        if (item->finding.kind != PTXOPT_DIAGNOSTIC || item->finding.level != PTXOPT_ERROR)
            continue;
        sarif_notify(
            notifications, "error", item->finding.message,
            json_need(json_pack("[{s:{s:o,s:o}}]", "physicalLocation", "artifactLocation",
                                sarif_artifact(file, index), "region", sarif_region(item))));
    }
}

/* A file that failed makes the invocation fail, so that readers of the log see that it is
 * missing. */
static json_t *sarif_invocation(const struct sarif *sarif, const struct review *review)
{
    json_t *notifications = json_need(json_array());
    bool failed = false;
    for (uint32_t f = 0; f < review->count; f++) {
        if (!review->files[f]->bad) continue;
        failed = true;
        notify_errors(notifications, review->files[f], f);
    }
    if (sarif->left_out) {
        char text[96];
        snprintf(text, sizeof text, "%u results of less weight are left out: at most %d fit.",
                 sarif->left_out, MAX_RESULTS);
        sarif_notify(notifications, "note", text, NULL);
    }
    json_t *value = json_need(json_pack("{s:b}", "executionSuccessful", !failed));
    if (json_array_size(notifications))
        json_put(value, "toolExecutionNotifications", notifications);
    else
        json_decref(notifications);
    return value;
}

void report_sarif(struct buf *out, const struct review *review)
{
    struct sarif sarif = {.rules = json_need(json_array()), .results = json_need(json_array())};
    size_t count;
    const struct ptxopt_rule *rules = ptxopt_rules(&count);
    for (size_t i = 0; i < count; i++) sarif_add_rule(&sarif, &rules[i]);
    const struct ptxopt_lint_code *codes = ptxopt_lint_codes(&count);
    for (size_t i = 0; review_totals(review).linted && i < count; i++)
        sarif_add_code(&sarif, &codes[i]);
    for (int wanted = 0; wanted <= 3; wanted++)
        for (uint32_t f = 0; f < review->count; f++)
            for (uint32_t i = 0; i < review->files[f]->items.count; i++)
                if (sarif_rank(&review->files[f]->items.at[i]) == wanted)
                    add_result(&sarif, review->files[f], f, &review->files[f]->items.at[i]);
    for (uint32_t f = 0; f < review->count; f++)
        for (uint32_t i = 0; i < review->files[f]->suppressed.count; i++)
            add_result(&sarif, review->files[f], f, &review->files[f]->suppressed.at[i]);
    json_t *run = json_need(
        json_pack("{s:{s:{s:s,s:s,s:s,s:o}},s:s,s:o,s:[o],s:o}", "tool", "driver", "name", "ptxopt",
                  "version", ptxopt_version(), "informationUri", isa_link(""), "rules", sarif.rules,
                  "columnKind", "unicodeCodePoints", "artifacts", sarif_artifacts(review),
                  "invocations", sarif_invocation(&sarif, review), "results", sarif.results));
    json_add(out,
             json_need(json_pack("{s:s,s:s,s:[o]}", "$schema",
                                 "https://json.schemastore.org/sarif-2.1.0.json", "version",
                                 "2.1.0", "runs", run)),
             false);
    fingerprints_free(&sarif.prints);
    intern_free(&sarif.rule_ids);
}
