/* Proves an answer from the text that it answers. See proof.h. Texts may be large: both directions
 * are separate work. */
#include "server/handle/proof.h"

#include <string.h>

#include "server/base/attempt.h"
#include "server/handle/input.h"
#include "server/handle/json_out.h"

struct asking {
    const struct settings *settings;
    const struct request *request;
    struct str after;
    struct buf body; /* of /v1/verify; empty when there is none */
};

static json_t *options_of(const struct input *input)
{
    static const char *const asked[] = {"assume", "no_assume", "isa"};
    json_t *options = json_need(json_object());
    for (size_t i = 0; i < sizeof asked / sizeof *asked; i++) {
        const char *value = fields_find(&input->chosen, asked[i]);
        if (value) json_put(options, asked[i], json_need(json_string(value)));
    }
    return options;
}

static void write_question(void *context)
{
    struct asking *asking = context;
    struct input input = {0};
    struct reply scratch = {0};
    json_t *json = NULL;
    if (input_read(asking->settings, asking->request, &input, &scratch))
        json = json_pack("{s:s%,s:s%,s:o}", "before", input.source.p, input.source.n, "after",
                         asking->after.n ? asking->after.p : "", asking->after.n, "options",
                         options_of(&input));
    if (json) json_add(&asking->body, json, false);
    input_free(&input);
    reply_free(&scratch);
}

bool proof_ask(const struct settings *settings, const struct request *request, struct str after,
               struct request *question)
{
    struct asking asking = {.settings = settings, .request = request, .after = after};
    if (!attempt(write_question, &asking) || !asking.body.len) return false;
    *question = (struct request){.method = "POST",
                                 .path = "/v1/verify",
                                 .client = request->client,
                                 .wants = "application/json",
                                 .abandoned = request->abandoned,
                                 .body = asking.body};
    memcpy(question->id, request->id, sizeof question->id);
    request_add(question, &question->headers, "Content-Type", "application/json");
    return true;
}

struct reading {
    const struct reply *verdict;
    bool is_proven;
};

static void read_verdict(void *context)
{
    struct reading *reading = context;
    struct str body = reply_bytes(reading->verdict);
    json_t *json = reading->verdict->status == 200 ? json_loadb(body.p, body.n, 0, NULL) : NULL;
    const char *verdict = json_string_value(json_object_get(json, "verdict"));
    reading->is_proven = verdict && strcmp(verdict, "proven") == 0;
    json_decref(json);
}

bool proof_is_proven(const struct reply *verdict)
{
    struct reading reading = {.verdict = verdict};
    return attempt(read_verdict, &reading) && reading.is_proven;
}
