/* Checks the answer of a shared cache with the independent checker. See prove.h. */
#include "server/work/prove.h"

#include "server/handle/proof.h"
#include "server/work/run.h"

bool prove_again(struct service *service, const struct request *request, struct str after)
{
    struct request question = {0};
    struct reply verdict = {0};
    char allow[64];
    if (!proof_ask(service->settings, request, after, &question)) return false;
    const struct route *route = routes_find(question.method, question.path, allow, sizeof allow);
    run_request(service, route, &question, &verdict);
    bool proven = proof_is_proven(&verdict);
    request_free(&question);
    reply_free(&verdict);
    return proven;
}
