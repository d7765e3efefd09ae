/* Counts what the service does, and prints the counters for Prometheus. */
#include "server/base/metrics.h"

#include <inttypes.h>
#include <stdio.h>

#include "api/ptxopt.h"

static const int statuses[METRICS_STATUSES] = {200, 204, 206, 304, 400, 401, 403, 404,
                                               405, 406, 411, 412, 413, 414, 415, 416,
                                               417, 422, 429, 431, 499, 500, 503};

static const uint64_t bounds_us[METRICS_BUCKETS] = {500,    1000,   2500,    10000,   25000,
                                                    100000, 250000, 1000000, 5000000, 30000000};

static const struct {
    const char *name, *help;
} counters[METRICS_COUNTS] = {
    [METRICS_CACHE_HITS] = {"cache_hits", "Answers from the cache of the process."},
    [METRICS_CACHE_MISSES] = {"cache_misses", "Look-ups that the cache of the process missed."},
    [METRICS_DISK_HITS] = {"disk_cache_hits", "Answers from --cache-dir."},
    [METRICS_DISK_MISSES] = {"disk_cache_misses", "Look-ups that --cache-dir missed."},
    [METRICS_DISK_ERRORS] = {"disk_cache_errors",
                             "Files of --cache-dir that could not be written or were damaged."},
    [METRICS_REMOTE_HITS] = {"shared_cache_hits", "Answers from the shared cache."},
    [METRICS_REMOTE_MISSES] = {"shared_cache_misses", "Look-ups that the shared cache missed."},
    [METRICS_REMOTE_ERRORS] =
        {"shared_cache_errors",
         "Look-ups and writes that failed, were late or returned invalid data."},
    [METRICS_QUEUE_FULL] = {"queue_full", "Requests answered 503 because the queue was full."},
    [METRICS_TIMEOUTS] = {"timeouts", "Requests that took too long to work on."},
    [METRICS_CRASHES] = {"worker_crashes", "Isolated processes that died."},
    [METRICS_BYTES_IN] = {"request_bytes", "Bytes of bodies received."},
    [METRICS_BYTES_OUT] = {"response_bytes", "Bytes of bodies answered, after compression."},
    [METRICS_BATCH_LINES] = {"batch_lines", "Lines of batches answered."},
    [METRICS_SPANS_SENT] = {"spans_sent", "Spans that --otlp-url took."},
    [METRICS_SPANS_LOST] = {"spans_lost", "Spans that it did not take, or that were too many."},
    [METRICS_SLOW_CONNECTIONS] = {"slow_connections",
                                  "Connections closed for slow headers or bodies."},
};

void metrics_add(struct metrics *metrics, enum metrics_count which, uint64_t amount)
{
    atomic_fetch_add_explicit(&metrics->count[which], amount, memory_order_relaxed);
}

void metrics_request(struct metrics *metrics, unsigned route, int status, uint64_t duration_us)
{
    unsigned column = 0, bucket = 0;
    while (column < METRICS_STATUSES - 1 && statuses[column] != status) column++;
    while (bucket < METRICS_BUCKETS && duration_us > bounds_us[bucket]) bucket++;
    atomic_fetch_add_explicit(&metrics->requests[route][column], 1, memory_order_relaxed);
    atomic_fetch_add_explicit(&metrics->bucket[route][bucket], 1, memory_order_relaxed);
    atomic_fetch_add_explicit(&metrics->duration_us[route], duration_us, memory_order_relaxed);
}

static void write_metric_head(struct buf *out, const char *name, const char *type, const char *help)
{
    buf_printf(out, "# HELP ptxopt_%s %s\n# TYPE ptxopt_%s %s\n", name, help, name, type);
}

static void write_gauge(struct buf *out, const char *name, const char *help, int64_t value)
{
    write_metric_head(out, name, "gauge", help);
    buf_printf(out, "ptxopt_%s %" PRId64 "\n", name, value);
}

static void write_request_counts(struct metrics *metrics, struct buf *out)
{
    write_metric_head(out, "requests_total", "counter", "Requests answered, by route and status.");
    for (size_t i = 0; i <= METRICS_ROUTES; i++)
        for (size_t k = 0; k < METRICS_STATUSES; k++) {
            uint64_t value = atomic_load(&metrics->requests[i][k]);
            if (!value) continue;
            buf_printf(out, "ptxopt_requests_total{route=\"%s\",status=\"%d\"} %" PRIu64 "\n",
                       metrics->route_name(i), statuses[k], value);
        }
}

static void durations_of(struct metrics *metrics, size_t i, struct buf *out)
{
    const char *name = metrics->route_name(i);
    uint64_t sum = 0;
    for (int k = 0; k <= METRICS_BUCKETS; k++) {
        sum += atomic_load(&metrics->bucket[i][k]);
        buf_printf(out, "ptxopt_request_duration_seconds_bucket{route=\"%s\",le=\"", name);
        if (k < METRICS_BUCKETS)
            buf_printf(out, "%g", (double)bounds_us[k] / 1e6);
        else
            buf_puts(out, "+Inf");
        buf_printf(out, "\"} %" PRIu64 "\n", sum);
    }
    buf_printf(out, "ptxopt_request_duration_seconds_sum{route=\"%s\"} %g\n", name,
               (double)atomic_load(&metrics->duration_us[i]) / 1e6);
    buf_printf(out, "ptxopt_request_duration_seconds_count{route=\"%s\"} %" PRIu64 "\n", name, sum);
}

/* Of the routes that were requested. */
static void write_durations(struct metrics *metrics, struct buf *out)
{
    write_metric_head(out, "request_duration_seconds", "histogram",
                      "From the headers to the answer.");
    for (size_t i = 0; i <= METRICS_ROUTES; i++) {
        uint64_t count = 0;
        for (int k = 0; k <= METRICS_BUCKETS; k++) count += atomic_load(&metrics->bucket[i][k]);
        if (count) durations_of(metrics, i, out);
    }
}

void metrics_write(struct metrics *metrics, struct buf *out)
{
    write_request_counts(metrics, out);
    write_durations(metrics, out);
    for (int i = 0; i < METRICS_COUNTS; i++) {
        char name[64];
        snprintf(name, sizeof name, "%s_total", counters[i].name);
        write_metric_head(out, name, "counter", counters[i].help);
        buf_printf(out, "ptxopt_%s %" PRIu64 "\n", name, (uint64_t)atomic_load(&metrics->count[i]));
    }
    write_metric_head(out, "build_info", "gauge", "1, with the version and the build.");
    buf_printf(out, "ptxopt_build_info{version=\"%s\",build=\"%s\"} 1\n", ptxopt_version(),
               ptxopt_build());
    write_gauge(out, "requests_in_work", "Requests that a worker works on.",
                atomic_load(&metrics->in_work));
    write_gauge(out, "queue_length", "Requests that wait for a worker.",
                atomic_load(&metrics->queued));
    write_gauge(out, "connections", "Open connections.", atomic_load(&metrics->connections));
    write_gauge(out, "cache_bytes", "Bytes held by the cache of the process.",
                atomic_load(&metrics->cache_bytes));
    write_gauge(out, "disk_cache_bytes", "Bytes of the files in --cache-dir.",
                atomic_load(&metrics->disk_bytes));
}
