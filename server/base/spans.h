/* Sends a span of each sampled request to a collector of OpenTelemetry: OTLP/HTTP with JSON
 * (https://opentelemetry.io/docs/specs/otlp/#otlphttp). */
#ifndef SERVER_BASE_SPANS_H
#define SERVER_BASE_SPANS_H

#include <stdint.h>

#include "server/base/metrics.h"
#include "server/base/trace.h"

struct spans;

/* url: of the collector, with its path (/v1/traces). NULL: no thread could be started. If the
 * collector does not answer, spans are lost, but no request waits. */
struct spans *spans_new(const char *url, struct metrics *metrics);

/* Sends what waits, for two seconds at most. */
void spans_free(struct spans *spans);

struct trace_span {
    struct trace trace;
    char method[16], route[32], client[64], request_id[65];
    int status;
    uint64_t end_ns, duration_ns; /* end_ns: since 1970 */
};

/* Any thread; does not wait. Does nothing if spans is NULL or the trace is not sampled. */
void spans_add(struct spans *spans, const struct trace_span *span);

#endif
