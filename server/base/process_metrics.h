/* Prints the metrics that Prometheus expects of every process
 * (https://prometheus.io/docs/instrumenting/writing_clientlibs/#process-metrics). */
#ifndef SERVER_BASE_PROCESS_METRICS_H
#define SERVER_BASE_PROCESS_METRICS_H

#include "base/buf.h"

/* Appends process_…; what the system does not report is left out. */
void process_metrics_write(struct buf *out);

#endif
