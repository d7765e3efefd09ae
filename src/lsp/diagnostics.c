/* Publishes diagnostics: what can be deleted (faded, where the editor can show that), what lint
 * found, advice, functions that were left alone, and what is wrong with the text. What stays is
 * told on hover. */
#include <jansson.h>

#include "lsp/diagnostics.h"

#include <inttypes.h>

#include "report/brief.h"
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

void diagnostics_publish(struct session *session, struct document *document)
{
    json_t *list = json_need(json_array());
    if (document->problem) json_array_append_new(list, problem_value(session, document));
    for (uint32_t i = 0; i < document->review.items.count; i++) {
        const struct review_item *item = &document->review.items.at[i];
        if (item->finding.kind == PTXOPT_KEPT) continue;
        json_array_append_new(list, diagnostics_value(session, document, item));
    }
    session_notify(session, "textDocument/publishDiagnostics",
                   json_need(json_pack("{s:s,s:I,s:o}", "uri", document->uri, "version",
                                       (json_int_t)document->version, "diagnostics", list)));
}

void diagnostics_withdraw(struct session *session, const struct document *document)
{
    session_notify(session, "textDocument/publishDiagnostics",
                   json_need(json_pack("{s:s,s:[]}", "uri", document->uri, "diagnostics")));
}
