/* The state of the session with one client. Include jansson.h before this header. */
#ifndef PTXOPT_LSP_SESSION_H
#define PTXOPT_LSP_SESSION_H

#include "lsp/document.h"
#include "lsp/inbox.h"
#include "lsp/lsp.h"

enum phase { PHASE_NEW, PHASE_OPEN, PHASE_SHUT };

/* The DiagnosticSeverity of LSP. */
enum severity { SEVERITY_ERROR = 1, SEVERITY_WARNING, SEVERITY_INFORMATION, SEVERITY_HINT };

struct session {
    const struct lsp_settings *settings;
    struct inbox inbox;
    int out;
    int write_error; /* errno of the first failed write; 0: none */
    enum phase phase;
    int exit_status; /* negative until the client sends exit */
    struct ptxopt_options *options;
    enum severity severity; /* of redundant instructions */
    enum encoding encoding;
    /* Capabilities of the client. */
    bool related, tags, markdown, action_literals, versioned_edits;
    struct VEC(struct document *) documents;
};

/* ---- sending; each function takes over its JSON values, except id ---- */

void session_answer(struct session *session, const struct json_t *id, struct json_t *result);
/* Sends an error. id NULL: the message had none. data NULL: none. */
void session_refuse(struct session *session, const struct json_t *id, enum fault fault,
                    const char *text, struct json_t *data);
void session_notify(struct session *session, const char *method, struct json_t *params);
/* Shows an error to the user of the editor. */
void session_complain(struct session *session, const char *text);

/* ---- documents ---- */

/* The document with that URI; NULL: it is not open. */
struct document *session_find(const struct session *session, const char *uri);
struct document *session_open(struct session *session, const char *uri);
void session_close(struct session *session, struct document *document);

/* Marks all documents as stale. */
void session_forget(struct session *session);

void session_free(struct session *session);

/* ---- JSON ---- */

/* session_range: a Range for the span. session_read_range: reads a Range; false: it is invalid, and
 * from and to are undefined. */
struct json_t *session_range(const struct session *session, struct document *document,
                             struct span span);
bool session_read_range(const struct json_t *range, struct position *from, struct position *to);
bool session_read_position(const struct json_t *value, struct position *position);

#endif
