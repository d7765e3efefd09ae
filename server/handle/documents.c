/* GET /openapi.json and the page at /: files of this folder, embedded at build. They are compressed
 * once, before there are requests: the page has an editor and examples in it. */
#include "server/handle/documents.h"

#include <strings.h>

#include "server/handle/codec.h"
#include "server/handle/embedded.h"
#include "server/handle/handlers.h"
#include "server/store/digest.h"

enum { CODINGS = 2 };

static struct document {
    char hex[DIGEST_HEX + 1];
    struct buf coded[CODINGS];
} openapi, page;

static const char *const codings[CODINGS] = {"gzip", "zstd"};

static void prepare_document(struct document *document, const unsigned char *bytes, size_t len)
{
    struct str text = {(const char *)bytes, len};
    digest_hex(text, document->hex);
    for (int i = 0; i < CODINGS; i++)
        if (codec_is_known(codings[i])) codec_encode(codings[i], text, &document->coded[i]);
}

void documents_prepare(void)
{
    prepare_document(&openapi, embedded_openapi, embedded_openapi_len);
    prepare_document(&page, embedded_page, embedded_page_len);
}

void documents_free(void)
{
    for (int i = 0; i < CODINGS; i++) {
        buf_free(&openapi.coded[i]);
        buf_free(&page.coded[i]);
    }
}

static void reply_document(const struct request *request, struct reply *reply, const char *type,
                           const struct document *document, const unsigned char *bytes, size_t len)
{
    const char *coding = codec_choose(fields_find(&request->headers, "Accept-Encoding"));
    reply->fixed = (struct str){(const char *)bytes, len};
    reply->status = 200;
    reply_header(reply, "Content-Type", "%s", type);
    for (int i = 0; i < CODINGS; i++) {
        const struct buf *coded = &document->coded[i];
        if (!coding || !coded->len || strcasecmp(coding, codings[i]) != 0) continue;
        reply->fixed = (struct str){coded->data, coded->len};
        reply_header(reply, "Content-Encoding", "%s", coding);
        reply_header(reply, "ETag", "\"%s-%s\"", document->hex, coding);
        return;
    }
    reply_header(reply, "ETag", "\"%s\"", document->hex);
}

void handle_openapi(struct service *service, const struct request *request, struct reply *reply)
{
    (void)service;
    reply_document(request, reply, "application/json", &openapi, embedded_openapi,
                   embedded_openapi_len);
}

void handle_page(struct service *service, const struct request *request, struct reply *reply)
{
    (void)service;
    reply_document(request, reply, "text/html; charset=utf-8", &page, embedded_page,
                   embedded_page_len);
    reply_header(
        reply, "Content-Security-Policy",
        "default-src 'none'; connect-src 'self'; img-src data:; script-src 'unsafe-inline'; "
        "style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; "
        "frame-ancestors 'none'");
}
