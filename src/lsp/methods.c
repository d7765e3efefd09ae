/* Dispatches messages to functions by a table. A request with an unknown method is refused, an
 * unknown notification is ignored, as LSP 3.17 requires. See methods.h. */
#include <jansson.h>

#include "lsp/methods.h"

#include "lsp/actions.h"
#include "lsp/hover.h"
#include "lsp/run.h"
#include "lsp/settings.h"
#include "lsp/sync.h"
#include "report/json.h"

/* ---- initialize ---- */

static const json_t *nested_member(const json_t *value, const char *first, const char *second,
                                   const char *third)
{
    return json_object_get(json_object_get(json_object_get(value, first), second), third);
}

static bool has_text(const json_t *list, const char *text)
{
    for (size_t i = 0; i < json_array_size(list); i++) {
        const char *one = json_string_value(json_array_get(list, i));
        if (one && strcmp(one, text) == 0) return true;
    }
    return false;
}

static void learn_client(struct session *session, const json_t *client)
{
    const json_t *published =
        json_object_get(json_object_get(client, "textDocument"), "publishDiagnostics");
    const json_t *contents = nested_member(client, "textDocument", "hover", "contentFormat");
    const char *preferred = json_string_value(json_array_get(contents, 0));
    const json_t *encodings =
        json_object_get(json_object_get(client, "general"), "positionEncodings");
    session->encoding = has_text(encodings, "utf-8") ? ENCODING_UTF8 : ENCODING_UTF16;
    session->related = json_is_true(json_object_get(published, "relatedInformation"));
    session->tags = json_is_object(json_object_get(published, "tagSupport")) ||
                    json_is_true(json_object_get(published, "tagSupport"));
    session->markdown = preferred && strcmp(preferred, "markdown") == 0;
    session->action_literals = json_is_object(
        nested_member(client, "textDocument", "codeAction", "codeActionLiteralSupport"));
    session->versioned_edits =
        json_is_true(nested_member(client, "workspace", "workspaceEdit", "documentChanges"));
}

static json_t *server_capabilities(const struct session *session)
{
    enum { SYNC_INCREMENTAL = 2 };
    const char *encoding = session->encoding == ENCODING_UTF8 ? "utf-8" : "utf-16";
    return json_need(json_pack(
        "{s:{s:s,s:{s:b,s:i},s:b,s:{s:[s,s]}},s:{s:s,s:s}}", "capabilities", "positionEncoding",
        encoding, "textDocumentSync", "openClose", 1, "change", (int)SYNC_INCREMENTAL,
        "hoverProvider", 1, "codeActionProvider", "codeActionKinds", ACTION_QUICK_FIX,
        ACTION_FIX_ALL, "serverInfo", "name", "ptxopt", "version", ptxopt_version()));
}

static void method_initialize(struct session *session, const json_t *id, const json_t *params)
{
    struct buf error = {0};
    buf_puts(&error, "initializationOptions: ");
    if (session->phase != PHASE_NEW) {
        session_refuse(session, id, FAULT_REQUEST, "initialize: expected once", NULL);
    } else if (settings_apply(session, json_object_get(params, "initializationOptions"), &error)) {
        learn_client(session, json_object_get(params, "capabilities"));
        session->phase = PHASE_OPEN;
        session_answer(session, id, server_capabilities(session));
    } else {
        buf_putc(&error, '\0');
        session_refuse(session, id, FAULT_PARAMS, error.data,
                       json_need(json_pack("{s:b}", "retry", 0)));
    }
    buf_free(&error);
}

static void method_configure(struct session *session, const json_t *id, const json_t *params)
{
    const json_t *ours = json_object_get(json_object_get(params, "settings"), "ptxopt");
    struct buf error = {0};
    (void)id;
    buf_puts(&error, "settings: ");
    bool good = !ours || settings_apply(session, ours, &error);
    buf_putc(&error, '\0');
    if (!good) session_complain(session, error.data);
    buf_free(&error);
}

static void shut_down(struct session *session, const json_t *id, const json_t *params)
{
    (void)params;
    session->phase = PHASE_SHUT;
    session_answer(session, id, json_null());
}

/* ---- documents ---- */

static void tell_if_bad(struct session *session, bool good, const char *method,
                        const char *expected)
{
    if (good) return;
    struct buf text = {0};
    buf_printf(&text, "%s: expected %s", method, expected);
    buf_putc(&text, '\0');
    session_complain(session, text.data);
    buf_free(&text);
}

static void open_document(struct session *session, const json_t *id, const json_t *params)
{
    (void)id;
    tell_if_bad(session, sync_open(session, params), "textDocument/didOpen",
                "a textDocument with uri, version and text");
}

static void change_document(struct session *session, const json_t *id, const json_t *params)
{
    (void)id;
    tell_if_bad(session, sync_change(session, params), "textDocument/didChange",
                "an open textDocument, its version and contentChanges");
}

static void close_document(struct session *session, const json_t *id, const json_t *params)
{
    (void)id;
    tell_if_bad(session, sync_close(session, params), "textDocument/didClose",
                "an open textDocument");
}

/* ---- requests ---- */

static void refuse_withdrawn(struct session *session, const json_t *id)
{
    session_refuse(session, id, FAULT_CANCELLED, "the request was cancelled", NULL);
}

static void method_hover(struct session *session, const json_t *id, const json_t *params)
{
    struct document *document = sync_document(session, params);
    struct position position;
    if (!document || !session_read_position(json_object_get(params, "position"), &position)) {
        session_refuse(session, id, FAULT_PARAMS,
                       "textDocument/hover: expected an open textDocument and a position", NULL);
        return;
    }
    if (!run_document(session, document, id)) {
        refuse_withdrawn(session, id);
        return;
    }
    uint32_t offset = document_offset(document, session->encoding, position);
    session_answer(session, id, hover_value(session, document, offset));
}

static void offer_actions(struct session *session, const json_t *id, const json_t *params)
{
    struct document *document = sync_document(session, params);
    const json_t *only = json_object_get(json_object_get(params, "context"), "only");
    struct position from, to;
    if (!document || !session_read_range(json_object_get(params, "range"), &from, &to)) {
        session_refuse(session, id, FAULT_PARAMS,
                       "textDocument/codeAction: expected an open textDocument and a range", NULL);
        return;
    }
    bool known = run_document(session, document, id);
    struct span span = {document_offset(document, session->encoding, from),
                        document_offset(document, session->encoding, to)};
    json_t *list = known ? actions_list(session, document, span, only, id) : NULL;
    if (list)
        session_answer(session, id, list);
    else
        refuse_withdrawn(session, id);
}

/* ---- the table ---- */

static const struct method {
    const char *name;
    bool asks; /* it is a request, not a notification */
    void (*take)(struct session *session, const json_t *id, const json_t *params);
} table[] = {
    {"initialize", true, method_initialize},
    {"shutdown", true, shut_down},
    {"workspace/didChangeConfiguration", false, method_configure},
    {"textDocument/didOpen", false, open_document},
    {"textDocument/didChange", false, change_document},
    {"textDocument/didClose", false, close_document},
    {"textDocument/hover", true, method_hover},
    {"textDocument/codeAction", true, offer_actions},
};

static const struct method *find_method(const char *name, bool asks)
{
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (strcmp(table[i].name, name) == 0 && table[i].asks == asks) return &table[i];
    return NULL;
}

/* Why a request is not handled in the current phase; 0: it is handled. */
static enum fault too_early_or_late(const struct session *session, const struct method *method)
{
    if (session->phase == PHASE_NEW && !(method && method->take == method_initialize))
        return FAULT_NOT_INITIALIZED;
    return session->phase == PHASE_SHUT ? FAULT_REQUEST : 0;
}

static void take_request(struct session *session, const char *name, const json_t *id,
                         const json_t *params)
{
    const struct method *method = find_method(name, true);
    enum fault fault = too_early_or_late(session, method);
    if (!json_is_string(id) && !json_is_integer(id))
        session_refuse(session, NULL, FAULT_REQUEST, "expected an id that is a number or a string",
                       NULL);
    else if (fault)
        session_refuse(session, id, fault,
                       session->phase == PHASE_NEW ? "expected initialize first"
                                                   : "nothing is answered after shutdown",
                       NULL);
    else if (method)
        method->take(session, id, params);
    else
        session_refuse(session, id, FAULT_METHOD, "there is no such method", NULL);
}

static void take_notification(struct session *session, const char *name, const json_t *params)
{
    const struct method *method = find_method(name, false);
    if (strcmp(name, "exit") == 0)
        session->exit_status = session->phase == PHASE_SHUT ? 0 : 1;
    else if (method && session->phase == PHASE_OPEN)
        method->take(session, NULL, params);
}

void methods_take(struct session *session, const struct letter *letter)
{
    const json_t *message = letter->value;
    const json_t *id = json_object_get(message, "id");
    const json_t *name = json_object_get(message, "method");
    const json_t *params = json_object_get(message, "params");
    if (!message)
        session_refuse(session, NULL, letter->fault, letter->problem, NULL);
    else if (json_is_string(name) && id)
        take_request(session, json_string_value(name), id, params);
    else if (json_is_string(name))
        take_notification(session, json_string_value(name), params);
    else if (!json_object_get(message, "result") && !json_object_get(message, "error"))
        session_refuse(session, NULL, FAULT_REQUEST, "expected an object with a method", NULL);
}
