/* GET /healthz, /readyz, /metrics: for monitoring. /healthz takes no lock. */
#include <inttypes.h>

#include "server/base/process_metrics.h"
#include "server/handle/handlers.h"
#include "server/handle/problem.h"
#include "server/store/cache.h"

void handle_health(struct service *service, const struct request *request, struct reply *reply)
{
    (void)service, (void)request;
    reply->status = 200;
    reply_header(reply, "Content-Type", "text/plain; charset=utf-8");
    reply->fixed = str_from("ok\n");
}

void handle_ready(struct service *service, const struct request *request, struct reply *reply)
{
    bool draining = atomic_load(&service->draining);
    if (draining) {
        problem_retry(reply, request, 503, "draining", "the service is shutting down");
        return;
    }
    handle_health(service, request, reply);
}

static void write_limits(const struct settings *settings, struct buf *out)
{
    const char *name, *unit;
    uint64_t value;
    buf_puts(out, "# HELP ptxopt_limit The limits of --print-limits.\n# TYPE ptxopt_limit gauge\n");
    for (size_t i = 0; settings_limit(settings, i, &name, &unit, &value); i++)
        buf_printf(out, "ptxopt_limit{name=\"%s\",unit=\"%s\"} %" PRIu64 "\n", name, unit, value);
}

void handle_metrics(struct service *service, const struct request *request, struct reply *reply)
{
    (void)request;
    reply->status = 200;
    reply_header(reply, "Content-Type", "text/plain; version=0.0.4; charset=utf-8");
    if (service->cache)
        atomic_store(&service->metrics.cache_bytes, (int_fast64_t)cache_bytes(service->cache));
    metrics_write(&service->metrics, &reply->body);
    write_limits(service->settings, &reply->body);
    process_metrics_write(&reply->body);
    if (service->allowances) allowances_write(service->allowances, &reply->body);
}
