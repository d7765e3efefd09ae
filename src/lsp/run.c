/* Runs ptxopt on a document, and cancels runs that are no longer worth their end. It asks the
 * inbox, every few milliseconds. Work that nobody asked for gives way to a newer text; a request is
 * worked on until it is withdrawn, since its answer is about the text as it was then. */
#include <jansson.h>

#include "lsp/run.h"

#include "base/clock.h"
#include "base/mem.h"
#include "lsp/diagnostics.h"

enum { LOOK_MS = 2 }; /* between two looks into the inbox */

struct run {
    struct session *session;
    const struct document *document;
    const json_t *id;
    uint64_t looked_ms, until_ms; /* by the monotonic clock; 0: no end */
    uint32_t seen;                /* letters that were looked at */
    bool pointless;
};

static uint64_t run_now_ms(void)
{
    return clock_ns() / 1000000;
}

static bool is_for(const json_t *message, const struct document *document)
{
    const json_t *params = json_object_get(message, "params");
    const char *uri =
        json_string_value(json_object_get(json_object_get(params, "textDocument"), "uri"));
    return uri && strcmp(uri, document->uri) == 0;
}

/* Does the message say that the run need not go on? */
static bool ends_run(const struct run *run, const json_t *message)
{
    const char *method = json_string_value(json_object_get(message, "method"));
    if (!method) return false;
    if (run->id) {
        const json_t *id = json_object_get(json_object_get(message, "params"), "id");
        return strcmp(method, "$/cancelRequest") == 0 && id && json_equal(id, run->id);
    }
    if (strcmp(method, "textDocument/didChange") == 0 ||
        strcmp(method, "textDocument/didClose") == 0)
        return is_for(message, run->document);
    return strcmp(method, "shutdown") == 0 || strcmp(method, "exit") == 0 ||
           strcmp(method, "workspace/didChangeConfiguration") == 0;
}

static void look_into_inbox(struct run *run)
{
    struct inbox *inbox = &run->session->inbox;
    inbox_read(inbox, false);
    for (; run->seen < inbox_waiting(inbox); run->seen++)
        run->pointless |= ends_run(run, inbox->letters.at[inbox->taken + run->seen].value);
    run->pointless |= !run->id && inbox->ended;
}

static bool run_is_over(void *context)
{
    struct run *run = context;
    uint64_t now = run_now_ms();
    if (now >= run->looked_ms + LOOK_MS) {
        look_into_inbox(run);
        run->looked_ms = now;
    }
    return run->pointless || (run->until_ms && now >= run->until_ms);
}

/* only: the finding whose edit is made or, with fix, that is mended; NULL: all are. NULL when the
 * run is pointless. */
static struct ptxopt_result *run_text(struct session *session, const struct document *document,
                                      const char *only, bool fix, const json_t *id)
{
    struct run run = {.session = session, .document = document, .id = id};
    struct ptxopt_options *options = ptxopt_options_copy(session->options);
    if (!options || (only && !ptxopt_options_only(options, only))) mem_exhausted();
    ptxopt_options_set_fix(options, fix);
    look_into_inbox(&run);
    run.looked_ms = run_now_ms();
    if (session->settings->timeout_ms) run.until_ms = run.looked_ms + session->settings->timeout_ms;
    ptxopt_options_set_cancel(options, run_is_over, &run);
    struct str text = document_text(document);
    struct ptxopt_result *result =
        run.pointless ? NULL : ptxopt_run(options, document->uri, text.p, text.n);
    ptxopt_options_free(options);
    if (result && ptxopt_result_status(result) == PTXOPT_NO_MEMORY) mem_exhausted();
    if (!run.pointless || !result) return result;
    ptxopt_result_free(result);
    return NULL;
}

/* Why a text was not looked at to its end. */
static char *run_problem(const struct session *session, bool late)
{
    struct buf text = {0};
    if (late)
        buf_printf(&text, "not done after %zu ms; expected a longer --timeout",
                   session->settings->timeout_ms);
    else
        buf_printf(&text, "the text is larger than %zu bytes; expected a greater --max-input",
                   session->settings->max_input);
    return buf_take(&text);
}

/* Of a source the editor shows what ptxopt needs; of an empty text, which is about to become one,
 * nothing. */
static bool needs_no_run(struct document *document)
{
    struct buf text = {0};
    if (document->is_source)
        buf_puts(&text, "ptxopt reads PTX: compile with nvcc -lineinfo -ptx and open the .ptx "
                        "file; its findings name the lines of this file");
    bool needs = !document->is_source && (document->text.len || document->too_large);
    if (!needs) document_give_up(document, document->is_source ? buf_take(&text) : NULL);
    return !needs;
}

bool run_document(struct session *session, struct document *document, const json_t *id)
{
    if (!document->stale) return true;
    if (needs_no_run(document)) {
        diagnostics_publish(session, document);
        return true;
    }
    struct ptxopt_result *result =
        document->too_large ? NULL : run_text(session, document, NULL, false, id);
    if (!result && !document->too_large) return false;
    if (!result || ptxopt_result_status(result) == PTXOPT_CANCELLED)
        document_give_up(document, run_problem(session, result != NULL));
    else
        document_learn(document, result);
    ptxopt_result_free(result);
    diagnostics_publish(session, document);
    return true;
}

struct ptxopt_result *run_only(struct session *session, struct document *document,
                               const char *finding, const json_t *id)
{
    return run_text(session, document, finding, false, id);
}

struct ptxopt_result *run_fix(struct session *session, struct document *document,
                              const char *finding, const json_t *id)
{
    return run_text(session, document, finding, true, id);
}
