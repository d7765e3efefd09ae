/* Applies the editor's changes to documents, by LSP 3.17, "Text Document Synchronization": a whole
 * text, or changes of parts one after the other. See sync.h. */
#include <jansson.h>

#include "lsp/sync.h"

#include "lsp/beside.h"
#include "lsp/diagnostics.h"

static struct str sync_text_of(const json_t *value)
{
    return (struct str){json_string_value(value), json_string_length(value)};
}

struct document *sync_document(const struct session *session, const json_t *params)
{
    const json_t *named = json_object_get(params, "textDocument");
    const char *uri = json_string_value(json_object_get(named, "uri"));
    return uri ? session_find(session, uri) : NULL;
}

static bool has_ending(const char *uri, const char *ending)
{
    size_t len = strlen(uri), n = strlen(ending);
    return len > n && strcmp(uri + len - n, ending) == 0;
}

/* The document is C++ or CUDA, by the language that the editor reports, or by its file name,
 * because some editors do not know CUDA. */
static bool sync_is_source(const char *uri, const char *language)
{
    static const char *const languages[] = {"cuda", "cuda-cpp", "cpp", "c"};
    for (size_t i = 0; language && i < sizeof languages / sizeof *languages; i++)
        if (strcmp(language, languages[i]) == 0) return true;
    return has_ending(uri, ".cu") || has_ending(uri, ".cuh");
}

bool sync_open(struct session *session, const json_t *params)
{
    const json_t *opened = json_object_get(params, "textDocument");
    const char *uri = json_string_value(json_object_get(opened, "uri"));
    const json_t *text = json_object_get(opened, "text");
    const json_t *version = json_object_get(opened, "version");
    if (!uri || !json_is_string(text) || !json_is_integer(version)) return false;
    struct document *document = session_open(session, uri);
    document->version = json_integer_value(version);
    document->is_source =
        sync_is_source(uri, json_string_value(json_object_get(opened, "languageId")));
    document->edited = false;
    document_set(document, sync_text_of(text), session->settings->max_input);
    return true;
}

static bool apply_change(const struct session *session, struct document *document,
                         const json_t *value)
{
    const json_t *text = json_object_get(value, "text"), *range = json_object_get(value, "range");
    struct position from, to;
    if (!json_is_string(text)) return false;
    if (!range) {
        document_set(document, sync_text_of(text), session->settings->max_input);
        return true;
    }
    if (!session_read_range(range, &from, &to)) return false;
    document_change(document, session->encoding, from, to, sync_text_of(text),
                    session->settings->max_input);
    return true;
}

bool sync_change(struct session *session, const json_t *params)
{
    struct document *document = sync_document(session, params);
    const json_t *version = json_object_get(json_object_get(params, "textDocument"), "version");
    const json_t *changes = json_object_get(params, "contentChanges");
    if (!document || !json_is_array(changes) || !json_is_integer(version)) return false;
    for (size_t i = 0; i < json_array_size(changes); i++)
        if (!apply_change(session, document, json_array_get(changes, i))) return false;
    document->version = json_integer_value(version);
    document->edited = document->is_source;
    document_forget(document);
    return true;
}

bool sync_close(struct session *session, const json_t *params)
{
    struct document *document = sync_document(session, params);
    if (!document) return false;
    diagnostics_withdraw(session, document);
    if (!document->is_source) beside_forget(session, document);
    session_close(session, document);
    return true;
}
