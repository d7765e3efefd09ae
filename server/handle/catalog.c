/* GET /v1/rules, /v1/codes, /v1/assumptions, /v1/version: the possible values of the options. */
#include "api/ptxopt.h"
#include "server/handle/handlers.h"
#include "server/handle/json_out.h"
#include "server/store/digest.h"

/* With a tag: the answer changes with the version only. */
static void catalog_reply(struct reply *reply, json_t *value)
{
    char hex[DIGEST_HEX + 1];
    json_out_reply(reply, value);
    digest_hex((struct str){reply->body.data, reply->body.len}, hex);
    reply_header(reply, "ETag", "\"%s\"", hex);
}

void handle_rules(struct service *service, const struct request *request, struct reply *reply)
{
    size_t count;
    const struct ptxopt_rule *rule = ptxopt_rules(&count);
    json_t *list = json_need(json_array());
    (void)service, (void)request;
    for (size_t i = 0; i < count; i++, rule++)
        json_array_append_new(
            list, json_need(json_pack("{s:s,s:s,s:s,s:s,s:s,s:b}", "id", rule->id, "deletes",
                                      rule->deletes, "summary", rule->summary, "explanation",
                                      rule->explanation, "isa_section", rule->isa_section, "advice",
                                      (int)rule->advice)));
    catalog_reply(reply, list);
}

void handle_codes(struct service *service, const struct request *request, struct reply *reply)
{
    size_t count;
    const struct ptxopt_lint_code *code = ptxopt_lint_codes(&count);
    json_t *list = json_need(json_array());
    (void)service, (void)request;
    for (size_t i = 0; i < count; i++, code++)
        json_array_append_new(
            list, json_need(json_pack("{s:s,s:s,s:s,s:s,s:s}", "id", code->id, "summary",
                                      code->summary, "explanation", code->explanation, "sentence",
                                      code->sentence, "isa_section", code->isa_section)));
    catalog_reply(reply, list);
}

void handle_assumptions(struct service *service, const struct request *request, struct reply *reply)
{
    size_t count;
    const struct ptxopt_assumption *one = ptxopt_assumptions(&count);
    json_t *list = json_need(json_array());
    (void)service, (void)request;
    for (size_t i = 0; i < count; i++, one++)
        json_array_append_new(
            list, json_need(json_pack("{s:s,s:b,s:s,s:s}", "name", one->name, "on_by_default",
                                      (int)one->on_by_default, "summary", one->summary,
                                      "isa_section", one->isa_section)));
    catalog_reply(reply, list);
}

void handle_version(struct service *service, const struct request *request, struct reply *reply)
{
    (void)service, (void)request;
    catalog_reply(reply,
                  json_need(json_pack("{s:s,s:s,s:s,s:s}", "name", "ptxopt", "version",
                                      ptxopt_version(), "build", ptxopt_build(), "api", "v1")));
}
