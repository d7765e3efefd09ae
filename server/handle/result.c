/* GET /v1/results/SHA256: sends an earlier result again, without its input. */
#include "server/handle/handlers.h"
#include "server/handle/problem.h"
#include "server/store/answers.h"
#include "server/store/digest.h"

void handle_result(struct service *service, const struct request *request, struct reply *reply)
{
    const char *key = request->path + strlen("/v1/results/");
    if (!digest_is_hex(key) || !answers_recall(service, key, NULL, NULL, reply))
        problem_set(reply, request, 404, "no-such-result", "no cache holds this result");
}
