/* Publishes diagnostics: redundant instructions (faded, if the editor supports that), lint
 * findings, advice, skipped functions, and errors in the text. Kept instructions are explained on
 * hover. See diagnostics.h. */
#include <jansson.h>

#include "lsp/diagnostics.h"

#include <inttypes.h>

#include "lsp/beside.h"
#include "report/brief.h"
#include "report/groups.h"
#include "report/json.h"

enum { TAG_UNNECESSARY = 1 };

static enum severity severity_of(const struct session *session, const struct review_item *item)
{
    if (item->finding.kind == PTXOPT_DELETED) return session->severity;
    switch (item->finding.level) {
    case PTXOPT_ERROR: return SEVERITY_ERROR;
    case PTXOPT_WARNING: return SEVERITY_WARNING;
    case PTXOPT_NOTE:
    case PTXOPT_REMARK: break;
    }
    return SEVERITY_INFORMATION;
}

static json_t *diagnostic_related(struct session *session, struct document *document,
                                  const struct review_item *item)
{
    json_t *list = json_need(json_array());
    for (uint32_t i = 0; i < item->steps.count; i++) {
        const struct review_step *step = &item->steps.at[i];
        if (step->line == item->finding.line) continue;
        struct span span = document_line(document, step->line);
        struct buf text = {0};
        buf_printf(&text, "%s%s%s", step->part, *step->part ? ": " : "", step->text);
        if (step->origin.source)
            buf_printf(&text, "; CUDA: %s:%" PRIu32, step->origin.source->place, step->origin.line);
        json_array_append_new(
            list, json_need(json_pack("{s:{s:s,s:o},s:o}", "location", "uri", document->uri,
                                      "range", session_range(session, document, span), "message",
                                      json_bytes((struct str){text.data, text.len}))));
        buf_free(&text);
    }
    return list;
}

static json_t *diagnostic_sentence(const struct review_item *item)
{
    struct buf text = {0};
    brief_single(&text, item, "redundant");
    if (*item->finding.fix) buf_printf(&text, "; fix: %s", item->finding.fix);
    if (*item->source_says) buf_printf(&text, "; CUDA: %s", item->source_says);
    json_t *value = json_bytes((struct str){text.data, text.len});
    buf_free(&text);
    return value;
}

json_t *diagnostics_value(struct session *session, struct document *document,
                          const struct review_item *item)
{
    struct span span = {item->finding.start, item->finding.end};
    json_t *value = json_need(json_pack("{s:o,s:i,s:s,s:s,s:o}", "range",
                                        session_range(session, document, span), "severity",
                                        (int)severity_of(session, item), "code", item->finding.code,
                                        "source", "ptxopt", "message", diagnostic_sentence(item)));
    if (*item->isa_link)
        json_put(value, "codeDescription", json_pack("{s:s}", "href", item->isa_link));
    if (item->finding.kind == PTXOPT_DELETED && session->tags)
        json_put(value, "tags", json_pack("[i]", (int)TAG_UNNECESSARY));
    if (item->steps.count && session->related)
        json_put(value, "relatedInformation", diagnostic_related(session, document, item));
    if (*item->finding.id) json_put(value, "data", json_pack("{s:s}", "id", item->finding.id));
    return value;
}

static json_t *problem_value(struct session *session, struct document *document)
{
    int severity = document->is_source ? SEVERITY_INFORMATION : SEVERITY_WARNING;
    return json_need(json_pack("{s:o,s:i,s:s,s:o}", "range",
                               session_range(session, document, (struct span){0, 0}), "severity",
                               severity, "source", "ptxopt", "message",
                               json_bytes(str_from(document->problem))));
}

static void send_list(struct session *session, const struct document *document, json_t *list)
{
    session_notify(session, "textDocument/publishDiagnostics",
                   json_need(json_pack("{s:s,s:I,s:o}", "uri", document->uri, "version",
                                       (json_int_t)document->version, "diagnostics", list)));
}

void diagnostics_publish(struct session *session, struct document *document)
{
    json_t *list = json_need(json_array());
    if (document->problem) json_array_append_new(list, problem_value(session, document));
    for (uint32_t i = 0; i < document->review.items.count; i++) {
        const struct review_item *item = &document->review.items.at[i];
        if (item->finding.kind == PTXOPT_KEPT) continue;
        json_array_append_new(list, diagnostics_value(session, document, item));
    }
    send_list(session, document, list);
}

/* ---- in a CUDA source ---- */

/* The line of the source to which the item belongs, the outermost if there are several; 0: none. */
static uint32_t line_in_source(const struct document *source, const struct review_item *item)
{
    for (uint32_t i = 0; i < item->stack.count; i++) {
        const struct review_place *place = &item->stack.at[i];
        if (place->source && beside_names(source->uri, place->source->file)) return place->line;
    }
    return 0;
}

/* The PTX line, as related information. */
static json_t *ptx_place(const struct document *ptx, const struct review_item *item)
{
    json_int_t line = (json_int_t)item->finding.line - 1;
    const char *text = *item->finding.text ? item->finding.text : item->finding.code;
    return json_need(json_pack("[{s:{s:s,s:{s:{s:I,s:i},s:{s:I,s:i}}},s:o}]", "location", "uri",
                               ptx->uri, "range", "start", "line", line, "character", 0, "end",
                               "line", line, "character", 0, "message",
                               json_bytes(str_from(text))));
}

static json_t *source_value(struct session *session, struct document *source,
                            const struct document *ptx, const struct review_item *item,
                            uint32_t line)
{
    struct buf text = {0};
    brief_line(&text, item, "redundant");
    if (*item->finding.fix) buf_printf(&text, "; fix: %s", item->finding.fix);
    json_t *value =
        json_need(json_pack("{s:o,s:i,s:s,s:s,s:o}", "range",
                            session_range(session, source, document_line(source, line)), "severity",
                            (int)severity_of(session, item), "code", item->finding.code, "source",
                            "ptxopt", "message", json_bytes((struct str){text.data, text.len})));
    buf_free(&text);
    if (*item->isa_link)
        json_put(value, "codeDescription", json_pack("{s:s}", "href", item->isa_link));
    if (session->related) json_put(value, "relatedInformation", ptx_place(ptx, item));
    return value;
}

void diagnostics_publish_source(struct session *session, struct document *source,
                                const struct document *ptx)
{
    json_t *list = json_need(json_array());
    if (source->problem) json_array_append_new(list, problem_value(session, source));
    for (uint32_t i = 0; ptx && i < ptx->review.items.count; i++) {
        const struct review_item *item = &ptx->review.items.at[i];
        uint32_t line = line_in_source(source, item);
        if (item->finding.kind == PTXOPT_KEPT || !groups_lead(item) || !line) continue;
        if (line <= source_line_count(&source->source))
            json_array_append_new(list, source_value(session, source, ptx, item, line));
    }
    send_list(session, source, list);
}

void diagnostics_withdraw(struct session *session, const struct document *document)
{
    session_notify(session, "textDocument/publishDiagnostics",
                   json_need(json_pack("{s:s,s:[]}", "uri", document->uri, "diagnostics")));
}
