/* Sends messages to the client, and keeps its open documents. See session.h. */
#include <jansson.h>

#include "lsp/session.h"

#include <errno.h>

#include "base/file.h"
#include "report/json.h"

/* ---- sending ---- */

static void session_send(struct session *session, json_t *message)
{
    struct buf frame = {0}, body = {0};
    json_add(&body, message, false);
    buf_printf(&frame, "Content-Length: %zu\r\n\r\n", body.len);
    buf_add(&frame, body.data, body.len);
    if (!session->write_error && !file_write_all(session->out, frame.data, frame.len))
        session->write_error = errno;
    buf_free(&frame);
    buf_free(&body);
}

/* Sends an answer to the request id, with the result or error under key. */
static void session_reply(struct session *session, const json_t *id, const char *key, json_t *value)
{
    json_t *message = json_need(json_pack("{s:s}", "jsonrpc", "2.0"));
    json_put(message, "id", id ? json_copy((json_t *)id) : json_null());
    json_put(message, key, value);
    session_send(session, message);
}

void session_answer(struct session *session, const json_t *id, json_t *result)
{
    session_reply(session, id, "result", result);
}

void session_refuse(struct session *session, const json_t *id, enum fault fault, const char *text,
                    json_t *data)
{
    json_t *error = json_need(json_pack("{s:i}", "code", (int)fault));
    json_put(error, "message", json_bytes(str_from(text)));
    if (data) json_put(error, "data", data);
    session_reply(session, id, "error", error);
}

void session_notify(struct session *session, const char *method, json_t *params)
{
    session_send(session, json_need(json_pack("{s:s,s:s,s:o}", "jsonrpc", "2.0", "method", method,
                                              "params", params)));
}

void session_complain(struct session *session, const char *text)
{
    enum { MESSAGE_ERROR = 1 };
    json_t *params = json_need(json_pack("{s:i}", "type", (int)MESSAGE_ERROR));
    struct buf message = {0};
    buf_printf(&message, "ptxopt: %s", text);
    json_put(params, "message", json_bytes((struct str){message.data, message.len}));
    buf_free(&message);
    session_notify(session, "window/showMessage", params);
}

/* ---- documents ---- */

struct document *session_find(const struct session *session, const char *uri)
{
    for (uint32_t i = 0; i < session->documents.count; i++)
        if (strcmp(session->documents.at[i]->uri, uri) == 0) return session->documents.at[i];
    return NULL;
}

struct document *session_open(struct session *session, const char *uri)
{
    struct document *document = session_find(session, uri);
    if (document) return document;
    struct buf name = {0};
    buf_puts(&name, uri);
    document = mem_zalloc(1, sizeof *document);
    document->uri = buf_take(&name);
    vec_push(&session->documents, document);
    return document;
}

void session_close(struct session *session, struct document *document)
{
    uint32_t at = 0;
    while (session->documents.at[at] != document) at++;
    session->documents.at[at] = session->documents.at[--session->documents.count];
    document_free(document);
    mem_free(document);
}

void session_forget(struct session *session)
{
    for (uint32_t i = 0; i < session->documents.count; i++)
        document_forget(session->documents.at[i]);
}

void session_free(struct session *session)
{
    while (session->documents.count) session_close(session, session->documents.at[0]);
    vec_free(&session->documents);
    ptxopt_options_free(session->options);
    inbox_free(&session->inbox);
}

/* ---- JSON ---- */

static json_t *position_value(struct position position)
{
    return json_need(json_pack("{s:I,s:I}", "line", (json_int_t)position.line, "character",
                               (json_int_t)position.character));
}

json_t *session_range(const struct session *session, struct document *document, struct span span)
{
    struct position from = document_position(document, session->encoding, span.start);
    struct position to = document_position(document, session->encoding, span.end);
    return json_need(
        json_pack("{s:o,s:o}", "start", position_value(from), "end", position_value(to)));
}

/* Reads a number of LSP (uinteger), which is at most 2^31 - 1. */
static bool read_uinteger(const json_t *value, uint32_t *number)
{
    json_int_t got = json_integer_value(value);
    *number = (uint32_t)got;
    return json_is_integer(value) && got >= 0 && got <= INT32_MAX;
}

bool session_read_position(const json_t *value, struct position *position)
{
    return read_uinteger(json_object_get(value, "line"), &position->line) &&
           read_uinteger(json_object_get(value, "character"), &position->character);
}

bool session_read_range(const json_t *range, struct position *from, struct position *to)
{
    return session_read_position(json_object_get(range, "start"), from) &&
           session_read_position(json_object_get(range, "end"), to);
}
