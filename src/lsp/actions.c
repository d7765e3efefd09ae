/* Offers code actions: remove or keep a redundant instruction, remove everything that ptxopt
 * removes, or insert what a lint finding requires. A single removal or insertion is tried before it
 * is offered, so it is proven alone and not only together with the others. See actions.h. */
#include <jansson.h>

#include "lsp/actions.h"

#include "lsp/diagnostics.h"
#include "lsp/run.h"
#include "report/clean.h"
#include "report/json.h"

enum { MOST_SINGLE = 16 }; /* each costs a run */

/* The client requests actions of that kind. A kind includes all below it. */
static bool is_wanted(const json_t *only, const char *kind)
{
    if (!json_is_array(only)) return true;
    for (size_t i = 0; i < json_array_size(only); i++) {
        const char *asked = json_string_value(json_array_get(only, i));
        size_t len = asked ? strlen(asked) : 0;
        if (asked && strncmp(kind, asked, len) == 0 && (!len || !kind[len] || kind[len] == '.'))
            return true;
    }
    return false;
}

static json_t *text_edit(const struct session *session, struct document *document, struct span span,
                         const char *text)
{
    return json_need(
        json_pack("{s:o,s:s}", "range", session_range(session, document, span), "newText", text));
}

static json_t *deletion_edit(const struct session *session, struct document *document,
                             const struct review_item *item)
{
    struct span span = {item->finding.replaced_start, item->finding.replaced_end};
    return text_edit(session, document, span, item->finding.replacement);
}

/* A WorkspaceEdit with these edits. */
static json_t *workspace_edit(const struct session *session, const struct document *document,
                              json_t *edits)
{
    if (session->versioned_edits)
        return json_need(json_pack("{s:[{s:{s:s,s:I},s:o}]}", "documentChanges", "textDocument",
                                   "uri", document->uri, "version", (json_int_t)document->version,
                                   "edits", edits));
    return json_need(json_pack("{s:{s:o}}", "changes", document->uri, edits));
}

static json_t *action_value(const char *kind, struct buf *title, json_t *edit)
{
    json_t *value =
        json_need(json_pack("{s:s,s:o,s:o}", "kind", kind, "title",
                            json_bytes((struct str){title->data, title->len}), "edit", edit));
    buf_free(title);
    return value;
}

/* The result has this edit and no other. */
static bool is_made(const struct ptxopt_result *result, const char *id)
{
    const struct ptxopt_finding *made = ptxopt_result_next(result, PTXOPT_DELETED, NULL);
    return made && strcmp(made->id, id) == 0 && ptxopt_result_count(result, PTXOPT_DELETED) == 1;
}

static void add_quick_fix(struct session *session, struct document *document,
                          const struct review_item *item, json_t *list)
{
    struct buf title = {0};
    json_t *edits = json_need(json_pack("[o]", deletion_edit(session, document, item)));
    buf_printf(&title, "Remove redundant %s", item->finding.text);
    json_t *value =
        action_value(ACTION_QUICK_FIX, &title, workspace_edit(session, document, edits));
    json_put(value, "isPreferred", json_true());
    json_put(value, "diagnostics", json_pack("[o]", diagnostics_value(session, document, item)));
    json_array_append_new(list, value);
}

/* Adds an action that keeps the instruction by a comment (text/directive.h), in the form after
 * which the line may continue. */
static void add_keep(struct session *session, struct document *document,
                     const struct review_item *item, json_t *list)
{
    struct buf title = {0};
    struct span behind = {item->finding.end, item->finding.end};
    json_t *edits =
        json_need(json_pack("[o]", text_edit(session, document, behind, " /* ptxopt: keep */")));
    buf_printf(&title, "Keep %s by a comment", item->finding.text);
    json_t *value =
        action_value(ACTION_QUICK_FIX, &title, workspace_edit(session, document, edits));
    json_put(value, "diagnostics", json_pack("[o]", diagnostics_value(session, document, item)));
    json_array_append_new(list, value);
}

/* Adds an action that inserts the lines that fix this finding only. */
static void add_insertion_edit(struct session *session, struct document *document,
                               const struct review_item *item, const struct ptxopt_result *result,
                               json_t *list)
{
    size_t count;
    const struct ptxopt_insertion *lines = ptxopt_result_insertions(result, &count);
    struct buf title = {0};
    if (!count) return;
    json_t *edits = json_need(json_array());
    for (size_t i = 0; i < count; i++)
        json_array_append_new(
            edits,
            text_edit(session, document, (struct span){lines[i].at, lines[i].at}, lines[i].text));
    buf_puts(&title, "Insert ");
    if (count == 1)
        buf_puts(&title, clean_instruction(&document->review.arena, str_from(lines->text)));
    else
        review_plural(&title, count, "missing instruction");
    json_t *value =
        action_value(ACTION_QUICK_FIX, &title, workspace_edit(session, document, edits));
    json_put(value, "diagnostics", json_pack("[o]", diagnostics_value(session, document, item)));
    json_array_append_new(list, value);
}

/* Adds the actions for one finding. False if the request was cancelled. */
static bool add_fixes_of(struct session *session, struct document *document,
                         const struct review_item *item, const json_t *id, json_t *list)
{
    bool lint = item->finding.kind == PTXOPT_HAZARD;
    struct ptxopt_result *result = lint ? run_fix(session, document, item->finding.id, id)
                                        : run_only(session, document, item->finding.id, id);
    if (!result) return false;
    if (lint)
        add_insertion_edit(session, document, item, result, list);
    else if (is_made(result, item->finding.id))
        add_quick_fix(session, document, item, list);
    ptxopt_result_free(result);
    if (!lint) add_keep(session, document, item, list);
    return true;
}

/* Adds the actions for the findings in span. False if the request was cancelled. */
static bool add_quick_fixes(struct session *session, struct document *document, struct span span,
                            const json_t *id, json_t *list)
{
    uint32_t tried = 0;
    for (uint32_t i = 0; i < document->review.items.count; i++) {
        const struct review_item *item = &document->review.items.at[i];
        bool meets = item->finding.start <= span.end && item->finding.end >= span.start;
        bool fixable = item->finding.kind == PTXOPT_DELETED || item->finding.kind == PTXOPT_HAZARD;
        if (!fixable || !meets) continue;
        if (tried++ == MOST_SINGLE) break;
        if (!add_fixes_of(session, document, item, id, list)) return false;
    }
    return true;
}

static void add_fix_all(struct session *session, struct document *document, json_t *list)
{
    struct buf title = {0};
    json_t *edits = json_need(json_array());
    for (uint32_t i = 0; i < document->review.items.count; i++)
        if (document->review.items.at[i].finding.kind == PTXOPT_DELETED)
            json_array_append_new(edits,
                                  deletion_edit(session, document, &document->review.items.at[i]));
    buf_puts(&title, "Remove ");
    review_plural(&title, json_array_size(edits), "redundant instruction");
    buf_puts(&title, " of this file");
    json_array_append_new(
        list, action_value(ACTION_FIX_ALL, &title, workspace_edit(session, document, edits)));
}

json_t *actions_list(struct session *session, struct document *document, struct span span,
                     const json_t *only, const json_t *id)
{
    json_t *list = json_need(json_array());
    if (!session->action_literals) return list; /* the client only accepts commands */
    if (is_wanted(only, ACTION_QUICK_FIX) && !add_quick_fixes(session, document, span, id, list)) {
        json_decref(list);
        return NULL;
    }
    if (document->review.count[PTXOPT_DELETED] && is_wanted(only, ACTION_FIX_ALL))
        add_fix_all(session, document, list);
    return list;
}
