/* Finds the PTX file of a CUDA source. Both are named by URIs. The file is opened only if its URI
 * has the scheme "file" and no host (RFC 8089). See beside.h. */
#include <jansson.h>

#include "lsp/beside.h"

#include "base/file.h"
#include "base/mem.h"

static int hex_digit(char c)
{
    static const char digits[] = "0123456789abcdef";
    const char *at = c ? strchr(digits, c >= 'A' && c <= 'F' ? c + ('a' - 'A') : c) : NULL;
    return at ? (int)(at - digits) : -1;
}

/* text with its %XX decoded, for mem_free. */
static char *decoded(const char *text)
{
    struct buf out = {0};
    for (; *text; text++) {
        int high = *text == '%' ? hex_digit(text[1]) : -1;
        int low = high >= 0 ? hex_digit(text[2]) : -1;
        buf_putc(&out, low >= 0 ? (char)(high * 16 + low) : *text);
        if (low >= 0) text += 2;
    }
    return buf_take(&out);
}

static const char *last_part(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

bool beside_names(const char *uri, const char *file)
{
    char *name = decoded(last_part(uri));
    bool same = strcmp(name, last_part(file)) == 0;
    mem_free(name);
    return same;
}

/* The URI with .ptx in place of its extension, for mem_free. */
static char *ptx_uri(const char *uri)
{
    struct buf out = {0};
    const char *dot = strrchr(last_part(uri), '.');
    buf_add(&out, uri, dot ? (size_t)(dot - uri) : strlen(uri));
    buf_puts(&out, ".ptx");
    return buf_take(&out);
}

struct document *beside_find(const struct session *session, const struct document *source)
{
    char *uri = ptx_uri(source->uri);
    struct document *ptx = session_find(session, uri);
    mem_free(uri);
    return ptx && !ptx->is_source ? ptx : NULL;
}

bool beside_read(const struct document *source, size_t limit, struct document *ptx)
{
    static const char scheme[] = "file://";
    size_t n = sizeof scheme - 1;
    ptx->uri = ptx_uri(source->uri);
    ptx->stale = true;
    if (strncmp(ptx->uri, scheme, n) != 0 || ptx->uri[n] != '/') return false;
    char *path = decoded(ptx->uri + n);
    bool good = file_read_regular(path, limit, &ptx->text);
    mem_free(path);
    return good;
}

void beside_forget(const struct session *session, const struct document *ptx)
{
    for (uint32_t i = 0; i < session->documents.count; i++) {
        struct document *source = session->documents.at[i];
        if (!source->is_source || beside_find(session, source) != ptx) continue;
        source->edited = false;
        document_forget(source);
    }
}
