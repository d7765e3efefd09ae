/* Collects spans, and sends them from a separate thread. See spans.h. */
#include "server/base/spans.h"

#include <inttypes.h>
#include <jansson.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#ifdef HAVE_CURL
#include <curl/curl.h>
#endif

#include "api/ptxopt.h"
#include "base/mem.h"
#include "report/json.h"
#include "server/base/attempt.h"
#include "server/base/clock.h"

enum { SPANS_MOST = 1024, SEND_EVERY_MS = 1000, SEND_TIMEOUT_MS = 2000, KIND_SERVER = 2 };

struct spans {
    pthread_mutex_t lock; /* of waiting, count and stopping */
    pthread_cond_t stopped;
    pthread_t thread;
    struct metrics *metrics;
    const char *url;
    bool stopping;
    unsigned count;
    struct trace_span waiting[SPANS_MOST], sent[SPANS_MOST];
};

/* ---- JSON ---- */

static void put_attribute(json_t *list, const char *key, json_t *value)
{
    json_array_append_new(list, json_need(json_pack("{s:s,s:o}", "key", key, "value", value)));
}

static void put_text_attribute(json_t *list, const char *key, const char *text)
{
    put_attribute(list, key,
                  json_need(json_pack("{s:o}", "stringValue", json_bytes(str_from(text)))));
}

/* Numbers of 64 bits are texts in OTLP. */
static json_t *number_text(uint64_t number)
{
    char text[24];
    snprintf(text, sizeof text, "%" PRIu64, number);
    return json_need(json_string(text));
}

static json_t *span_object(const struct trace_span *span)
{
    char name[64];
    json_t *attributes = json_need(json_array());
    snprintf(name, sizeof name, "%s %s", span->method, span->route);
    put_text_attribute(attributes, "http.request.method", span->method);
    put_text_attribute(attributes, "http.route", span->route);
    put_text_attribute(attributes, "client.address", span->client);
    put_text_attribute(attributes, "ptxopt.request_id", span->request_id);
    put_attribute(attributes, "http.response.status_code",
                  json_need(json_pack("{s:o}", "intValue", number_text((uint64_t)span->status))));
    json_t *object = json_need(
        json_pack("{s:s,s:s,s:s,s:i,s:o,s:o,s:o}", "traceId", span->trace.trace_id, "spanId",
                  span->trace.span_id, "name", name, "kind", KIND_SERVER, "startTimeUnixNano",
                  number_text(span->end_ns - span->duration_ns), "endTimeUnixNano",
                  number_text(span->end_ns), "attributes", attributes));
    if (*span->trace.parent_id) json_put_text(object, "parentSpanId", span->trace.parent_id);
    if (span->status >= 500) json_put(object, "status", json_need(json_pack("{s:i}", "code", 2)));
    return object;
}

struct printing {
    const struct trace_span *all;
    unsigned count;
    struct buf out;
};

static void print_spans(void *context)
{
    struct printing *printing = context;
    json_t *list = json_need(json_array()), *resource = json_need(json_array());
    put_text_attribute(resource, "service.name", "ptxoptd");
    put_text_attribute(resource, "service.version", ptxopt_version());
    for (unsigned i = 0; i < printing->count; i++)
        json_array_append_new(list, span_object(&printing->all[i]));
    json_t *value = json_need(json_pack("{s:[{s:{s:o},s:[{s:{s:s},s:o}]}]}", "resourceSpans",
                                        "resource", "attributes", resource, "scopeSpans", "scope",
                                        "name", "ptxoptd", "spans", list));
    json_add(&printing->out, value, false);
}

/* The request of OTLP that sends them. */
static char *spans_print(const struct trace_span *all, unsigned count)
{
    struct printing printing = {.all = all, .count = count};
    return attempt(print_spans, &printing) ? buf_take(&printing.out) : NULL;
}

/* ---- sending ---- */

#ifdef HAVE_CURL
static size_t drop_answer(char *bytes, size_t size, size_t count, void *argument)
{
    (void)bytes, (void)argument;
    return size * count;
}

static bool post_text(const char *url, const char *text)
{
    long status = 0;
    CURL *curl = curl_easy_init();
    struct curl_slist *headers = curl_slist_append(NULL, "Content-Type: application/json");
    if (curl && headers) {
        curl_easy_setopt(curl, CURLOPT_URL, url);
        curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
        curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "http,https");
        curl_easy_setopt(curl, CURLOPT_TIMEOUT_MS, (long)SEND_TIMEOUT_MS);
        curl_easy_setopt(curl, CURLOPT_HTTPHEADER, headers);
        curl_easy_setopt(curl, CURLOPT_POSTFIELDS, text);
        curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, drop_answer);
        if (curl_easy_perform(curl) == CURLE_OK)
            curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &status);
    }
    curl_slist_free_all(headers);
    if (curl) curl_easy_cleanup(curl);
    return status >= 200 && status < 300;
}
#else
static bool post_text(const char *url, const char *text)
{
    (void)url, (void)text;
    return false;
}
#endif

/* With the lock held, which is open while it sends. */
static void send_waiting(struct spans *spans)
{
    unsigned count = spans->count;
    if (!count) return;
    memcpy(spans->sent, spans->waiting, count * sizeof *spans->sent);
    spans->count = 0;
    pthread_mutex_unlock(&spans->lock);
    char *text = spans_print(spans->sent, count);
    bool fine = text && post_text(spans->url, text);
    mem_free(text);
    metrics_add(spans->metrics, fine ? METRICS_SPANS_SENT : METRICS_SPANS_LOST, count);
    pthread_mutex_lock(&spans->lock);
}

static void *send_spans(void *argument)
{
    struct spans *spans = argument;
    pthread_mutex_lock(&spans->lock);
    while (!spans->stopping) {
        clock_wait(&spans->stopped, &spans->lock, clock_now_us() + SEND_EVERY_MS * 1000);
        send_waiting(spans);
    }
    send_waiting(spans); /* that came while the last were sent */
    pthread_mutex_unlock(&spans->lock);
    return NULL;
}

struct spans *spans_new(const char *url, struct metrics *metrics)
{
    struct spans *spans = mem_zalloc(1, sizeof *spans);
#ifdef HAVE_CURL
    curl_global_init(CURL_GLOBAL_DEFAULT);
#endif
    pthread_mutex_init(&spans->lock, NULL);
    clock_condition(&spans->stopped);
    spans->metrics = metrics;
    spans->url = url;
    if (pthread_create(&spans->thread, NULL, send_spans, spans) == 0) return spans;
    mem_free(spans);
    return NULL;
}

void spans_free(struct spans *spans)
{
    if (!spans) return;
    pthread_mutex_lock(&spans->lock);
    spans->stopping = true;
    pthread_cond_signal(&spans->stopped);
    pthread_mutex_unlock(&spans->lock);
    pthread_join(spans->thread, NULL);
    pthread_cond_destroy(&spans->stopped);
    pthread_mutex_destroy(&spans->lock);
    mem_free(spans);
}

void spans_add(struct spans *spans, const struct trace_span *span)
{
    if (!spans || !span->trace.is_sampled) return;
    pthread_mutex_lock(&spans->lock);
    bool fits = spans->count < SPANS_MOST;
    if (fits) spans->waiting[spans->count++] = *span;
    pthread_mutex_unlock(&spans->lock);
    if (!fits) metrics_add(spans->metrics, METRICS_SPANS_LOST, 1);
}
