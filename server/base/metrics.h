/* Counters for Prometheus. Any thread adds; no lock. */
#ifndef SERVER_BASE_METRICS_H
#define SERVER_BASE_METRICS_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

enum { METRICS_ROUTES = 16, METRICS_STATUSES = 24, METRICS_BUCKETS = 10 };

enum metrics_count {
    METRICS_CACHE_HITS,
    METRICS_CACHE_MISSES,
    METRICS_DISK_HITS,
    METRICS_DISK_MISSES,
    METRICS_DISK_ERRORS,
    METRICS_REMOTE_HITS,
    METRICS_REMOTE_MISSES,
    METRICS_REMOTE_ERRORS,
    METRICS_QUEUE_FULL,
    METRICS_TIMEOUTS,
    METRICS_CRASHES,
    METRICS_BYTES_IN,
    METRICS_BYTES_OUT,
    METRICS_SLOW_CONNECTIONS,
    METRICS_BATCH_LINES,
    METRICS_SPANS_SENT,
    METRICS_SPANS_LOST,
    METRICS_COUNTS
};

/* Zero-initialise except route_name, which only metrics_write uses. */
struct metrics {
    const char *(*route_name)(size_t route);
    atomic_uint_fast64_t count[METRICS_COUNTS];
    atomic_uint_fast64_t requests[METRICS_ROUTES + 1][METRICS_STATUSES];
    atomic_uint_fast64_t bucket[METRICS_ROUTES + 1][METRICS_BUCKETS + 1];
    atomic_uint_fast64_t duration_us[METRICS_ROUTES + 1];
    atomic_int_fast64_t in_work, queued, connections, cache_bytes, disk_bytes;
};

void metrics_add(struct metrics *metrics, enum metrics_count which, uint64_t amount);

/* One answered request; route: its row in the table of routes, or METRICS_ROUTES for none. */
void metrics_request(struct metrics *metrics, unsigned route, int status, uint64_t duration_us);

/* In Prometheus's text format. */
void metrics_write(struct metrics *metrics, struct buf *out);

#endif
