/* What happened? One write a line, so that lines of threads do not mix. */
#include "server/log.h"

#include <stdarg.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "server/json_out.h"

static void begin(struct buf *line, const char *level, const char *event)
{
    struct timespec now;
    struct tm utc;
    char text[40];
    clock_gettime(CLOCK_REALTIME, &now);
    gmtime_r(&now.tv_sec, &utc);
    size_t len = strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S", &utc);
    snprintf(text + len, sizeof text - len, ".%03ldZ", now.tv_nsec / 1000000);
    buf_putc(line, '{');
    json_out_member(line, "time", text);
    json_out_member(line, "level", level);
    json_out_member(line, "event", event);
}

static void end(struct buf *line)
{
    buf_puts(line, "}\n");
    /* A log that cannot be written is no reason to stop. */
    ssize_t written = write(STDERR_FILENO, line->data, line->len);
    (void)written;
    buf_free(line);
}

void log_event(const char *level, const char *event, const char *format, ...)
{
    struct buf line = {0};
    char text[512];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    begin(&line, level, event);
    json_out_member(&line, "message", text);
    end(&line);
}

void log_request(const struct log_request *request)
{
    struct buf line = {0};
    begin(&line, request->status >= 500 ? "warning" : "info", "request");
    json_out_member(&line, "request_id", request->id);
    json_out_member(&line, "client", request->client);
    json_out_member(&line, "method", request->method);
    json_out_member(&line, "path", request->path);
    json_out_number(&line, "status", (uint64_t)request->status);
    json_out_number(&line, "duration_us", request->duration_us);
    json_out_number(&line, "bytes_in", request->bytes_in);
    json_out_number(&line, "bytes_out", request->bytes_out);
    if (*request->cache) json_out_member(&line, "cache", request->cache);
    end(&line);
}
