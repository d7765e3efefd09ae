/* Runs ptxopt on a document, and cancels runs that are no longer needed. A run checks the inbox
 * every few milliseconds. A run without a request ends when a newer text arrives. A run for a
 * request continues until the request is cancelled, because its answer is about the text at the
 * time of the request. See run.h. */
#include <jansson.h>

#include "lsp/run.h"

#include "base/clock.h"
#include "base/mem.h"
#include "lsp/beside.h"
#include "lsp/diagnostics.h"

enum { LOOK_MS = 2 }; /* milliseconds between two checks of the inbox */

struct run {
    struct session *session;
    const struct document *document;
    const json_t *id;
    uint64_t looked_ms, until_ms; /* by the monotonic clock; until_ms 0: no limit */
    uint32_t seen;                /* number of messages that were checked */
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

/* The message makes the run unnecessary. */
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

/* only: id of the finding whose removal is made or, with fix, that is fixed; NULL: all. Returns
 * NULL if the run is no longer needed. */
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

/* Why a text was not analysed completely. */
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

/* Analyses a PTX text. False if the run is no longer needed. */
static bool run_learn(struct session *session, struct document *document, const json_t *id)
{
    struct ptxopt_result *result =
        document->too_large ? NULL : run_text(session, document, NULL, false, id);
    if (!result && !document->too_large) return false;
    if (!result || ptxopt_result_status(result) == PTXOPT_CANCELLED)
        document_give_up(document, run_problem(session, result != NULL));
    else
        document_learn(document, result);
    ptxopt_result_free(result);
    return true;
}

/* The problem that the editor shows at the first line of a source; NULL: none. */
static char *source_problem(const struct document *source, const struct document *ptx)
{
    struct buf text = {0};
    if (ptx && ptx->problem)
        buf_printf(&text, "the .ptx file of this file: %s", ptx->problem);
    else if (source->edited)
        buf_puts(&text, "this file has changed: to see its findings, compile with nvcc -lineinfo "
                        "-ptx and open it again");
    else if (!ptx)
        buf_puts(&text, "ptxopt reads PTX: compile with nvcc -lineinfo -ptx and open the .ptx "
                        "file, or place it beside this file and open this file again");
    else if (ptx->review.items.count && !ptx->review.sources.count)
        buf_puts(&text, "the .ptx file of this file names no lines of it: compile with nvcc "
                        "-lineinfo -ptx");
    return text.len ? buf_take(&text) : NULL;
}

/* Shows the findings of the PTX file of a source: of its text in the editor if it is open there,
 * otherwise of the file. */
static bool run_source(struct session *session, struct document *source, const json_t *id)
{
    struct document file = {0}, *ptx = source->edited ? NULL : beside_find(session, source);
    if (!ptx && !source->edited && beside_read(source, session->settings->max_input, &file))
        ptx = &file;
    bool done = !ptx || !ptx->stale ||
                (ptx == &file ? run_learn(session, ptx, id) : run_document(session, ptx, id));
    if (done) {
        document_give_up(source, source_problem(source, ptx));
        source_init(&source->source, &source->arena, source->uri, document_text(source));
        diagnostics_publish_source(session, source, ptx);
    }
    document_free(&file);
    return done;
}

bool run_document(struct session *session, struct document *document, const json_t *id)
{
    if (!document->stale) return true;
    if (document->is_source) return run_source(session, document, id);
    /* An empty text has no findings; most likely the user is about to fill it. */
    if (!document->text.len && !document->too_large)
        document_give_up(document, NULL);
    else if (!run_learn(session, document, id))
        return false;
    diagnostics_publish(session, document);
    beside_forget(session, document);
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
