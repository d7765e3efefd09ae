/* GET /v1/rules, /v1/assumptions, /v1/version: what there is to choose from. */
#include "server/digest.h"
#include "server/json_out.h"
#include "ptxopt.h"
#include "server/routes.h"

static void finish(struct reply *reply)
{
    char hex[DIGEST_HEX + 1];
    buf_putc(&reply->body, '\n');
    digest_hex((struct str){reply->body.data, reply->body.len}, hex);
    reply->status = 200;
    reply_header(reply, "Content-Type", "application/json");
    reply_header(reply, "ETag", "\"%s\"", hex);
}

void handle_rules(struct service *service, const struct request *request, struct reply *reply)
{
    size_t count;
    const struct ptxopt_rule *rule = ptxopt_rules(&count);
    struct buf *out = &reply->body;
    (void)service, (void)request;
    buf_putc(out, '[');
    for (size_t i = 0; i < count; i++, rule++) {
        buf_puts(out, i ? ",{" : "{");
        json_out_member(out, "id", rule->id);
        json_out_member(out, "deletes", rule->deletes);
        json_out_member(out, "summary", rule->summary);
        json_out_member(out, "explanation", rule->explanation);
        json_out_member(out, "isa_section", rule->isa_section);
        json_out_name(out, "advice");
        buf_puts(out, rule->advice ? "true}" : "false}");
    }
    buf_putc(out, ']');
    finish(reply);
}

void handle_assumptions(struct service *service, const struct request *request,
                        struct reply *reply)
{
    size_t count;
    const struct ptxopt_assumption *assumption = ptxopt_assumptions(&count);
    struct buf *out = &reply->body;
    (void)service, (void)request;
    buf_putc(out, '[');
    for (size_t i = 0; i < count; i++, assumption++) {
        buf_puts(out, i ? ",{" : "{");
        json_out_member(out, "name", assumption->name);
        json_out_name(out, "on_by_default");
        buf_puts(out, assumption->on_by_default ? "true" : "false");
        json_out_member(out, "summary", assumption->summary);
        json_out_member(out, "isa_section", assumption->isa_section);
        buf_putc(out, '}');
    }
    buf_putc(out, ']');
    finish(reply);
}

void handle_version(struct service *service, const struct request *request, struct reply *reply)
{
    (void)service, (void)request;
    buf_putc(&reply->body, '{');
    json_out_member(&reply->body, "name", "ptxopt");
    json_out_member(&reply->body, "version", ptxopt_version());
    json_out_member(&reply->body, "api", "v1");
    buf_putc(&reply->body, '}');
    finish(reply);
}
