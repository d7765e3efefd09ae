/* Answers the lines of a batch, several at a time, in their order. Everything of a batch is under
 * its lock; a worker holds an item's line outside of it while it works. The last of the connection
 * and the workers frees the batch.
 *
 * libmicrohttpd sends no answer while a body still comes, and neither do most clients read one:
 * finished answers are kept. Input is held back instead, by suspending the connection. */
#include "server/work/batch.h"

#include <pthread.h>
#include <string.h>

#include "base/mem.h"
#include "server/base/clock.h"
#include "server/handle/codec.h"
#include "server/handle/routes.h"
#include "server/work/line_answer.h"
#include "server/work/lines.h"

/* Lines that wait and bytes that are not decoded, before the connection is suspended, and when it
 * is resumed; bytes. */
enum {
    HIGH_WATER = 8 << 20,
    LOW_WATER = 4 << 20,
    UNDECODED_HIGH = 256 << 10,
    UNDECODED_LOW = 128 << 10,
    SEND_BLOCK = 64 << 10
};

enum item_state { ITEM_WAITING, ITEM_WORKING, ITEM_ANSWERED };

struct item {
    struct job job; /* first: a job is cast to its item */
    struct item *next;
    struct batch *batch;
    uint64_t index;
    enum item_state state;
    bool held;             /* a worker has it */
    atomic_bool abandoned; /* and its answer is not needed */
    bool sent;             /* out of the list: the worker frees it */
    struct buf line;       /* while it waits */
    size_t line_len;       /* counts until it is answered */
    struct buf answer;
    size_t reserved; /* bytes that service_reserve gave for line or answer */
};

struct batch {
    struct batch_setup setup;
    struct line_asker asker;
    struct arena arena;
    size_t window; /* most lines in work */
    struct lines *lines;
    struct job reader; /* takes lines; only while is_reading */

    pthread_mutex_t lock; /* of all below */
    unsigned references;
    bool gone, finished, ended, broken;
    bool closed;     /* nothing more is taken: a limit was met, or all is */
    bool progressed; /* a line became whole since the last feed, or the connection was resumed */
    bool is_reading, is_drained; /* drained: lines had nothing more at the last look */
    enum { RUNNING, WAITS_FOR_ROOM, WAITS_FOR_ANSWER } suspended;
    struct codec_encoder *encoder;
    uint64_t count;             /* of lines */
    struct item *first, **last; /* in order; the first is sent next */
    struct item *waiting;       /* none before it waits */
    size_t waiting_bytes, in_work;
    size_t taken;      /* of the first one's answer */
    struct buf packed; /* as it is sent */
    size_t packed_sent;
};

static const struct limits *batch_limits(const struct batch *batch)
{
    return &batch->setup.service->settings->limits;
}

const struct route *batch_route(const char *path)
{
    static const char *const paths[] = {"/v1/optimize", "/v1/lint"};
    char allow[64];
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++)
        if (strcmp(path, paths[i]) == 0) return routes_find("POST", path, allow, sizeof allow);
    return NULL;
}

static void run_reader(struct job *job);

struct batch *batch_new(const struct batch_setup *setup, const struct request *request,
                        const char **coding)
{
    const char *route = fields_find(&request->query, "route");
    struct batch *batch = mem_zalloc(1, sizeof *batch);
    batch->setup = *setup;
    batch->asker.service = setup->service;
    batch->asker.route = batch_route(route ? route : "/v1/optimize");
    memcpy(batch->asker.id, request->id, sizeof batch->asker.id);
    batch->asker.trace = request->trace;
    batch->asker.allowance = request->allowance;
    batch->asker.client = arena_copy(&batch->arena, request->client, strlen(request->client));
    batch->reader.run = run_reader;
    batch->reader.client = queue_client(batch->asker.client);
    batch->window = (size_t)batch_limits(batch)->workers;
    pthread_mutex_init(&batch->lock, NULL);
    batch->references = 1;
    batch->is_drained = true;
    batch->last = &batch->first;
    batch->lines = lines_new(setup->service, fields_find(&request->headers, "Content-Encoding"));
    *coding = codec_choose(fields_find(&request->headers, "Accept-Encoding"));
    batch->encoder = codec_encoder_new(*coding);
    return batch;
}

/* ---- items ---- */

static void item_free(struct item *item)
{
    service_release(item->batch->setup.service, item->reserved);
    buf_free(&item->line);
    buf_free(&item->answer);
    mem_free(item);
}

/* With the lock held: the last reference frees; else unlocks. */
static void batch_release(struct batch *batch)
{
    bool last = --batch->references == 0;
    pthread_mutex_unlock(&batch->lock);
    if (!last) return;
    while (batch->first) {
        struct item *next = batch->first->next;
        item_free(batch->first);
        batch->first = next;
    }
    lines_free(batch->lines);
    codec_encoder_free(batch->encoder);
    buf_free(&batch->packed);
    arena_free(&batch->arena);
    pthread_mutex_destroy(&batch->lock);
    mem_free(batch);
}

static struct item *batch_add_item(struct batch *batch)
{
    struct item *item = mem_zalloc(1, sizeof *item);
    item->batch = batch;
    item->index = batch->count++;
    *batch->last = item;
    batch->last = &item->next;
    if (!batch->waiting) batch->waiting = item;
    return item;
}

/* Takes over answer. The line's memory is released; the answer's is reserved. */
static void settle_item(struct item *item, struct buf answer)
{
    struct service *service = item->batch->setup.service;
    service_release(service, item->reserved);
    item->reserved = 0;
    item->batch->waiting_bytes -= item->line_len;
    item->line_len = 0;
    buf_free(&item->line);
    if (service_reserve(service, answer.len)) {
        item->reserved = answer.len;
        item->answer = answer;
    } else {
        buf_free(&answer);
        line_answer_problem(&item->batch->asker, item->index, 503, "busy",
                            "too many bytes are waiting", &item->answer);
    }
    item->state = ITEM_ANSWERED;
    metrics_add(&service->metrics, METRICS_BATCH_LINES, 1);
}

static void settle_problem(struct item *item, int status, const char *code, const char *detail)
{
    struct buf answer = {0};
    line_answer_problem(&item->batch->asker, item->index, status, code, detail, &answer);
    settle_item(item, answer);
}

static void batch_refuse(struct batch *batch, int status, const char *code, const char *detail)
{
    settle_problem(batch_add_item(batch), status, code, detail);
}

/* The same, and nothing more is taken. */
static void close_input(struct batch *batch, int status, const char *code, const char *detail)
{
    batch_refuse(batch, status, code, detail);
    batch->closed = true;
}

/* ---- work ---- */

static bool has_room(struct batch *batch)
{
    return batch->closed ||
           (batch->waiting_bytes < LOW_WATER && lines_undecoded(batch->lines) < UNDECODED_LOW);
}

static bool has_answer(const struct batch *batch)
{
    return batch->first ? batch->first->state == ITEM_ANSWERED : batch->finished && batch->closed;
}

static void batch_wake(struct batch *batch)
{
    bool go = batch->suspended == WAITS_FOR_ROOM ? has_room(batch) : has_answer(batch);
    if (batch->suspended == RUNNING || batch->gone || !go) return;
    batch->suspended = RUNNING;
    batch->progressed = true;
    batch->setup.resume(batch->setup.connection);
}

static void run_item(struct job *job);

/* Begins as many lines as may be in work. */
static void schedule_items(struct batch *batch)
{
    while (!batch->gone && batch->waiting && batch->in_work < batch->window) {
        struct item *item = batch->waiting;
        batch->waiting = item->next;
        if (item->state != ITEM_WAITING) continue;
        item->state = ITEM_WORKING;
        item->held = true;
        item->job.run = run_item;
        item->job.client = batch->reader.client;
        batch->in_work++;
        batch->references++;
        atomic_fetch_add(&batch->setup.service->metrics.queued, 1);
        queue_push_admitted(batch->setup.queue, &item->job);
    }
}

/* Has lines taken from what was added, unless there is enough to do. */
static void read_on(struct batch *batch)
{
    if (batch->is_reading || batch->gone || batch->closed || batch->waiting_bytes > HIGH_WATER)
        return;
    if (batch->is_drained && !lines_undecoded(batch->lines) && !batch->finished) return;
    batch->is_reading = true;
    batch->references++;
    queue_push_admitted(batch->setup.queue, &batch->reader);
}

static void on_late(void *argument)
{
    struct item *item = argument;
    struct batch *batch = item->batch;
    pthread_mutex_lock(&batch->lock);
    if (item->state == ITEM_WORKING) {
        atomic_store(&item->abandoned, true);
        settle_problem(item, 503, "timeout", "the line took longer than --work-timeout");
        metrics_add(&batch->setup.service->metrics, METRICS_TIMEOUTS, 1);
        batch_wake(batch);
    }
    pthread_mutex_unlock(&batch->lock);
}

/* The line is taken out of the item, which may be answered and sent before the worker is done. */
static void work_on(struct item *item, struct buf *answer)
{
    struct batch *batch = item->batch;
    pthread_mutex_lock(&batch->lock);
    bool wanted = !batch->gone;
    struct buf line = item->line;
    item->line = (struct buf){0};
    pthread_mutex_unlock(&batch->lock);
    if (!wanted) {
        buf_free(&line);
        return;
    }
    struct deadline *deadline =
        deadline_add(batch->setup.deadlines, batch_limits(batch)->work_timeout_ms, on_late, item);
    line_answer(&batch->asker, item->index, line, &item->abandoned, answer);
    deadline_remove(batch->setup.deadlines, deadline);
}

static void run_item(struct job *job)
{
    struct item *item = (struct item *)(void *)job;
    struct batch *batch = item->batch;
    struct metrics *metrics = &batch->setup.service->metrics;
    struct buf answer = {0};
    atomic_fetch_sub(&metrics->queued, 1);
    atomic_fetch_add(&metrics->in_work, 1);
    work_on(item, &answer);
    atomic_fetch_sub(&metrics->in_work, 1);
    pthread_mutex_lock(&batch->lock);
    batch->in_work--;
    item->held = false;
    if (item->state == ITEM_WORKING)
        settle_item(item, answer);
    else
        buf_free(&answer);
    if (item->sent) item_free(item);
    schedule_items(batch);
    read_on(batch);
    batch_wake(batch);
    batch_release(batch);
}

/* ---- input ---- */

/* Each line is a separate request; the first was counted with the batch. */
static bool may_ask(const struct batch *batch)
{
    struct allowance *allowance = batch->asker.allowance;
    return !batch->count || !allowance || !allowance_take(allowance, clock_now_us());
}

static void batch_take_line(struct batch *batch, struct buf line)
{
    if (!may_ask(batch)) {
        batch_refuse(batch, 429, "rate", "this token has no requests left");
        service_release(batch->setup.service, line.len);
        buf_free(&line);
        return;
    }
    struct item *item = batch_add_item(batch);
    item->line = line;
    item->line_len = item->reserved = line.len;
    batch->waiting_bytes += line.len;
}

/* A limit counts blank lines, too: index is the number of the line in the input. */
static void take_event(struct batch *batch, enum lines_event event, struct buf line)
{
    bool has_text = event == LINES_LINE || event == LINES_LONG || event == LINES_BUSY;
    /* Blank lines would hold the connection for ever, and request nothing. */
    if (has_text) batch->progressed = true;
    if ((has_text || event == LINES_BLANK) &&
        batch->count >= batch_limits(batch)->max_batch_items) {
        close_input(batch, 413, "too-many-items",
                    "more than --max-batch-items; the rest is left out");
        service_release(batch->setup.service, line.len);
        buf_free(&line);
        return;
    }
    switch (event) {
    case LINES_NONE:
    case LINES_SOME: break;
    case LINES_LINE: batch_take_line(batch, line); break;
    case LINES_BLANK: batch->count++; break;
    case LINES_LONG:
        batch_refuse(batch, 413, "too-large", "the line is larger than --max-body");
        break;
    case LINES_BUSY: batch_refuse(batch, 503, "busy", "too many bytes are waiting"); break;
    case LINES_CORRUPT:
        close_input(batch, 400, "corrupt", "the body is not what its Content-Encoding says");
        break;
    case LINES_WINDOW:
        close_input(batch, 415, "zstd-window",
                    "the zstd window is larger than 8 MiB (RFC 8878); compress without --long");
        break;
    case LINES_NO_MEMORY:
        close_input(batch, 503, "no-memory", "the system has no memory left; the rest is left out");
        break;
    case LINES_MANY:
        close_input(batch, 413, "too-large", "more than --max-batch-bytes; the rest is left out");
        break;
    case LINES_END: batch->closed = true; break;
    }
}

/* A worker decodes and splits: 16 KB of zstd may be 256 MB of text. */
static void run_reader(struct job *job)
{
    struct batch *batch = (struct batch *)(void *)((char *)job - offsetof(struct batch, reader));
    enum lines_event event = LINES_SOME;
    pthread_mutex_lock(&batch->lock);
    while (event != LINES_NONE && !batch->gone && !batch->closed &&
           batch->waiting_bytes <= HIGH_WATER) {
        struct buf line = {0};
        pthread_mutex_unlock(&batch->lock);
        event = lines_next(batch->lines, &line);
        pthread_mutex_lock(&batch->lock);
        take_event(batch, event, line);
        schedule_items(batch);
    }
    batch->is_reading = false;
    batch->is_drained = event == LINES_NONE;
    read_on(batch);
    batch_wake(batch);
    batch_release(batch);
}

enum batch_outcome batch_feed(struct batch *batch, const char *bytes, size_t len)
{
    pthread_mutex_lock(&batch->lock);
    if (!batch->closed && !lines_add(batch->lines, bytes, len))
        close_input(batch, 503, "busy", "too many bytes are waiting; the rest is left out");
    read_on(batch);
    bool is_full = !batch->closed && (batch->waiting_bytes > HIGH_WATER ||
                                      lines_undecoded(batch->lines) > UNDECODED_HIGH);
    /* libmicrohttpd delivers what it has already read of a chunked body even then. */
    if (is_full && batch->suspended == RUNNING) {
        batch->suspended = WAITS_FOR_ROOM;
        batch->setup.suspend(batch->setup.connection);
    }
    enum batch_outcome outcome = batch->suspended != RUNNING ? BATCH_SUSPENDED
                                 : batch->closed             ? BATCH_CLOSED
                                 : batch->progressed         ? BATCH_PROGRESS
                                                             : BATCH_SAME;
    if (outcome == BATCH_PROGRESS) batch->progressed = false;
    pthread_mutex_unlock(&batch->lock);
    return outcome;
}

void batch_finish(struct batch *batch)
{
    pthread_mutex_lock(&batch->lock);
    batch->finished = true;
    lines_finish(batch->lines);
    read_on(batch);
    pthread_mutex_unlock(&batch->lock);
}

/* ---- output ---- */

/* Takes the first item out of the list. */
static void drop_first(struct batch *batch)
{
    struct item *item = batch->first;
    batch->first = item->next;
    if (!batch->first) batch->last = &batch->first;
    if (batch->waiting == item) batch->waiting = item->next;
    batch->taken = 0;
    if (item->held)
        item->sent = true;
    else
        item_free(item);
}

/* Makes packed from answers that are there; false when the encoder fails. */
static bool pack_answers(struct batch *batch)
{
    bool fine = true, any = false;
    batch->packed.len = batch->packed_sent = 0;
    while (fine && batch->packed.len < SEND_BLOCK && batch->first &&
           batch->first->state == ITEM_ANSWERED) {
        const struct buf *answer = &batch->first->answer;
        size_t len = answer->len - batch->taken;
        if (len > SEND_BLOCK) len = SEND_BLOCK;
        fine = codec_encoder_add(batch->encoder, (struct str){answer->data + batch->taken, len},
                                 CODEC_MORE, &batch->packed);
        any = true;
        batch->taken += len;
        if (batch->taken == answer->len) drop_first(batch);
    }
    bool end = batch->finished && batch->closed && !batch->first && !batch->ended;
    if (fine && (any || end))
        fine = codec_encoder_add(batch->encoder, (struct str){"", 0}, end ? CODEC_END : CODEC_FLUSH,
                                 &batch->packed);
    batch->ended |= end;
    return fine;
}

long batch_read(struct batch *batch, char *bytes, size_t size)
{
    pthread_mutex_lock(&batch->lock);
    if (batch->packed_sent == batch->packed.len && !batch->ended)
        batch->broken |= !pack_answers(batch);
    size_t len = batch->broken ? 0 : batch->packed.len - batch->packed_sent;
    if (len > size) len = size;
    if (len) memcpy(bytes, batch->packed.data + batch->packed_sent, len);
    batch->packed_sent += len;
    long outcome = len ? (long)len : batch->broken ? BATCH_BROKEN : batch->ended ? BATCH_END : 0;
    if (!outcome) {
        batch->suspended = WAITS_FOR_ANSWER;
        batch->setup.suspend(batch->setup.connection);
    }
    pthread_mutex_unlock(&batch->lock);
    return outcome;
}

void batch_leave(struct batch *batch)
{
    pthread_mutex_lock(&batch->lock);
    batch->gone = true;
    for (struct item *item = batch->first; item; item = item->next)
        atomic_store(&item->abandoned, true);
    batch_release(batch);
}
