/* GET /openapi.json and the page at /: files of this folder, embedded at build. */
#include "server/handle/embedded.h"
#include "server/handle/handlers.h"
#include "server/store/digest.h"

static void reply_document(struct reply *reply, const char *type, const unsigned char *bytes,
                           size_t len)
{
    char hex[DIGEST_HEX + 1];
    reply->fixed = (struct str){(const char *)bytes, len};
    digest_hex(reply->fixed, hex);
    reply->status = 200;
    reply_header(reply, "Content-Type", "%s", type);
    reply_header(reply, "ETag", "\"%s\"", hex);
}

void handle_openapi(struct service *service, const struct request *request, struct reply *reply)
{
    (void)service, (void)request;
    reply_document(reply, "application/json", embedded_openapi, embedded_openapi_len);
}

void handle_page(struct service *service, const struct request *request, struct reply *reply)
{
    (void)service, (void)request;
    reply_document(reply, "text/html; charset=utf-8", embedded_page, embedded_page_len);
    reply_header(
        reply, "Content-Security-Policy",
        "default-src 'none'; connect-src 'self'; img-src data:; script-src 'unsafe-inline'; "
        "style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; "
        "frame-ancestors 'none'");
}
