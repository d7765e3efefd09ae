/* Keeps the state of the session with one client. Include jansson.h before it. */
#ifndef PTXOPT_LSP_SESSION_H
#define PTXOPT_LSP_SESSION_H

#include "lsp/document.h"
#include "lsp/inbox.h"
#include "lsp/lsp.h"

enum phase { PHASE_NEW, PHASE_OPEN, PHASE_SHUT };

/* DiagnosticSeverity. */
enum severity { SEVERITY_ERROR = 1, SEVERITY_WARNING, SEVERITY_INFORMATION, SEVERITY_HINT };

struct session {
    const struct lsp_settings *settings;
    struct inbox inbox;
    int out;
    int write_error; /* errno of a client that does not listen; 0: it does */
    enum phase phase;
    int exit_status; /* below 0 until the client says exit */
    struct ptxopt_options *options;
    enum severity severity; /* of what can be removed */
    enum encoding encoding;
    /* What the client takes. */
    bool related, tags, markdown, action_literals, versioned_edits;
    struct VEC(struct document *) documents;
};

/* ---- sending; each takes over the values but id ---- */

void session_answer(struct session *session, const struct json_t *id, struct json_t *result);
/* id NULL: of a message that has none; data NULL: none. */
void session_refuse(struct session *session, const struct json_t *id, enum fault fault,
                    const char *text, struct json_t *data);
void session_notify(struct session *session, const char *method, struct json_t *params);
/* Shows an error to whoever sits before the editor. */
void session_complain(struct session *session, const char *text);

/* ---- documents ---- */

/* NULL when it is not open. */
struct document *session_find(const struct session *session, const char *uri);
struct document *session_open(struct session *session, const char *uri);
void session_close(struct session *session, struct document *document);

/* Nothing is known any more of any document. */
void session_forget(struct session *session);

void session_free(struct session *session);

/* ---- JSON ---- */

/* A Range, and what is in one; from and to are any where false. */
struct json_t *session_range(const struct session *session, struct document *document,
                             struct span span);
bool session_read_range(const struct json_t *range, struct position *from, struct position *to);
bool session_read_position(const struct json_t *value, struct position *position);

#endif
