/* What happened? One write a line, so that lines of threads do not mix. */
#include "server/log.h"

#include <poll.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "server/json_out.h"

enum { PATH_SHOWN = 256 };

/* The members that each line begins with. */
static json_t *begin(const char *level, const char *event)
{
    struct timespec now;
    struct tm utc;
    char text[40];
    clock_gettime(CLOCK_REALTIME, &now);
    gmtime_r(&now.tv_sec, &utc);
    size_t len = strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S", &utc);
    snprintf(text + len, sizeof text - len, ".%03ldZ", now.tv_nsec / 1000000);
    return json_need(
        json_pack("{s:s,s:s,s:s}", "time", text, "level", level, "event", event));
}

/* A log that nobody reads, or that cannot be written, is no reason to stop or to wait. */
static bool try_to_write(json_t *object)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* the room that was seen is ours */
    struct pollfd polled = {.fd = STDERR_FILENO, .events = POLLOUT};
    struct buf line = {0};
    json_add(&line, object, false);
    pthread_mutex_lock(&lock);
    bool ready = poll(&polled, 1, 0) == 1 && (polled.revents & POLLOUT);
    bool done = ready && write(STDERR_FILENO, line.data, line.len) > 0;
    pthread_mutex_unlock(&lock);
    buf_free(&line);
    return done;
}

static void end(json_t *object)
{
    static atomic_uint lost;
    unsigned before = atomic_exchange(&lost, 0);
    if (before) {
        json_t *note = begin("warning", "log");
        json_put(note, "lost_lines", json_integer(before));
        if (!try_to_write(note)) atomic_fetch_add(&lost, before);
    }
    if (!try_to_write(object)) atomic_fetch_add(&lost, 1);
}

void log_event(const char *level, const char *event, const char *format, ...)
{
    char text[512];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    json_t *line = begin(level, event);
    json_put(line, "message", json_out_text(text));
    end(line);
}

void log_request(const struct log_request *request)
{
    json_t *line = begin(request->status >= 500 ? "warning" : "info", "request");
    json_put_text(line, "request_id", request->id);
    json_put(line, "client", json_out_text(request->client));
    json_put(line, "method", json_out_text(request->method));
    /* A line stays below PIPE_BUF: it is written whole, and without waiting, once there is room. */
    size_t len = strnlen(request->path, PATH_SHOWN);
    json_put(line, "path", json_bytes((struct str){request->path, len}));
    json_put(line, "status", json_integer(request->status));
    json_put(line, "duration_us", json_integer((json_int_t)request->duration_us));
    json_put(line, "bytes_in", json_integer((json_int_t)request->bytes_in));
    json_put(line, "bytes_out", json_integer((json_int_t)request->bytes_out));
    json_put_any(line, "cache", request->cache);
    end(line);
}
