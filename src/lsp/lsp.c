/* Runs the language server in one thread: handles the messages of the client in order and, if there
 * is none, analyses documents that are stale. See lsp.h. */
#include <jansson.h>

#include "lsp/lsp.h"

#include "lsp/methods.h"
#include "lsp/run.h"

enum { LEFT_WITHOUT_SHUTDOWN = 1, NOT_UNDERSTOOD = 2, TALKING = -1 };

/* The limit of a message. JSON text is longer than the text by about the number of its line breaks,
 * tabs and quotes. */
static size_t body_limit(size_t max_input)
{
    enum { FRAME = 1 << 16 };
    return 2 * max_input + FRAME;
}

static struct document *next_stale(const struct session *session)
{
    for (uint32_t i = 0; i < session->documents.count; i++)
        if (session->documents.at[i]->stale) return session->documents.at[i];
    return NULL;
}

/* Handles one message or, if there is none, analyses one document. */
static void lsp_step(struct session *session)
{
    struct letter letter;
    if (inbox_take(&session->inbox, &letter)) {
        methods_take(session, &letter);
        letter_free(&letter);
        return;
    }
    struct document *stale = next_stale(session);
    inbox_read(&session->inbox, !stale);
    if (stale && !inbox_waiting(&session->inbox)) (void)run_document(session, stale, NULL);
}

static bool lsp_is_over(const struct session *session)
{
    bool silent = session->inbox.ended && !inbox_waiting(&session->inbox);
    return session->exit_status != TALKING || session->write_error || silent;
}

int lsp_run(const struct lsp_settings *settings, int in, int out, struct buf *error)
{
    struct session session = {
        .settings = settings,
        .inbox = {.fd = in, .limit = body_limit(settings->max_input)},
        .out = out,
        .exit_status = TALKING,
    };
    while (!lsp_is_over(&session)) lsp_step(&session);
    int status = session.exit_status == TALKING ? LEFT_WITHOUT_SHUTDOWN : session.exit_status;
    if (session.write_error)
        buf_printf(error, "lsp: <stdout>: %s", strerror(session.write_error));
    else if (session.inbox.error.len && session.exit_status == TALKING) {
        buf_puts(error, "lsp: <stdin>: ");
        buf_add(error, session.inbox.error.data, session.inbox.error.len);
    }
    if (error->len) status = NOT_UNDERSTOOD;
    session_free(&session);
    return status;
}
