/* Writes the log, one write a line, so that lines of threads do not mix. */
#include "server/base/log.h"

#include <jansson.h>
#include <poll.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "report/json.h"
#include "server/base/attempt.h"

enum { PATH_SHOWN = 256 };

static json_t *log_json_text(const char *bytes)
{
    return json_bytes(str_from(bytes));
}

/* ---- levels ---- */

static const char *const levels[] = {"info", "warning", "error"};
enum { LEVELS = sizeof levels / sizeof *levels };
static unsigned least_level; /* set before there are threads */

static unsigned find_level(const char *level)
{
    unsigned i = 0;
    while (i < LEVELS && strcmp(level, levels[i]) != 0) i++;
    return i;
}

bool log_set_level(const char *level)
{
    unsigned found = find_level(level);
    if (found < LEVELS) least_level = found;
    return found < LEVELS;
}

static const char *level_of_request(const struct log_request *request)
{
    return request->status >= 500 ? "warning" : "info";
}

/* ---- lines ---- */

/* The members that each line begins with. */
static json_t *log_begin_entry(const char *level, const char *event)
{
    struct timespec now;
    struct tm utc;
    char text[40];
    clock_gettime(CLOCK_REALTIME, &now);
    gmtime_r(&now.tv_sec, &utc);
    size_t len = strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S", &utc);
    snprintf(text + len, sizeof text - len, ".%03ldZ", now.tv_nsec / 1000000);
    return json_need(json_pack("{s:s,s:s,s:s}", "time", text, "level", level, "event", event));
}

/* The service neither stops nor waits if the log has no reader or cannot be written. */
static bool try_to_write(const struct buf *line)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* the room that was seen is ours */
    struct pollfd polled = {.fd = STDERR_FILENO, .events = POLLOUT};
    pthread_mutex_lock(&lock);
    bool ready = poll(&polled, 1, 0) == 1 && (polled.revents & POLLOUT);
    bool done = ready && write(STDERR_FILENO, line->data, line->len) > 0;
    pthread_mutex_unlock(&lock);
    return done;
}

/* What a line is made of, and the line. */
struct entry {
    const char *level, *event, *message; /* of log_event */
    const struct log_request *request;
    unsigned lost;
    struct buf line;
};

static void make_event(void *context)
{
    struct entry *entry = context;
    json_t *line = log_begin_entry(entry->level, entry->event);
    json_put(line, "message", log_json_text(entry->message));
    json_add(&entry->line, line, false);
}

static void make_lost(void *context)
{
    struct entry *entry = context;
    json_t *line = log_begin_entry("warning", "log");
    json_put(line, "lost_lines", json_integer(entry->lost));
    json_add(&entry->line, line, false);
}

static void make_request(void *context)
{
    struct entry *entry = context;
    const struct log_request *request = entry->request;
    json_t *line = log_begin_entry(level_of_request(request), "request");
    json_put_text(line, "request_id", request->id);
    json_put(line, "client", log_json_text(request->client));
    if (*request->address) json_put(line, "address", log_json_text(request->address));
    json_put(line, "method", log_json_text(request->method));
    /* A line is below PIPE_BUF: it is written whole, and without waiting, once there is room. */
    size_t len = strnlen(request->path, PATH_SHOWN);
    json_put(line, "path", json_bytes((struct str){request->path, len}));
    json_put(line, "status", json_integer(request->status));
    json_put(line, "duration_us", json_integer((json_int_t)request->duration_us));
    json_put(line, "bytes_in", json_integer((json_int_t)request->bytes_in));
    json_put(line, "bytes_out", json_integer((json_int_t)request->bytes_out));
    json_put_any(line, "cache", request->cache);
    if (request->trace) {
        json_put_text(line, "trace_id", request->trace->trace_id);
        json_put_text(line, "span_id", request->trace->span_id);
        json_put_any(line, "parent_id", request->trace->parent_id);
    }
    json_add(&entry->line, line, false);
}

static bool is_written(void (*make)(void *entry), struct entry *entry)
{
    bool done = attempt(make, entry) && try_to_write(&entry->line);
    buf_free(&entry->line);
    return done;
}

static void write_entry(void (*make)(void *entry), struct entry *entry)
{
    static atomic_uint lost;
    unsigned before = atomic_exchange(&lost, 0);
    if (before && !is_written(make_lost, &(struct entry){.lost = before}))
        atomic_fetch_add(&lost, before);
    if (!is_written(make, entry)) atomic_fetch_add(&lost, 1);
}

void log_event(const char *level, const char *event, const char *format, ...)
{
    char text[512];
    va_list args;
    if (find_level(level) < least_level) return;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    write_entry(make_event, &(struct entry){.level = level, .event = event, .message = text});
}

void log_request(const struct log_request *request)
{
    if (find_level(level_of_request(request)) < least_level) return;
    write_entry(make_request, &(struct entry){.request = request});
}
