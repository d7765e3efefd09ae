/* Batches without a socket: the connection is a flag that says whether it is suspended. */
#include "report/json.h"
#include "unit.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "server/handle/codec.h"
#include "server/work/batch.h"

#define HEAD ".version 8.7\\n.target sm_100a\\n.address_size 64\\n"
#define GOOD "{\"source\":\"" HEAD "\"}"
#define WRONG "{\"sauce\":1}"

struct rig {
    struct settings settings;
    struct service service;
    struct queue *queue;
    struct deadlines *deadlines;
    struct request request;
    struct batch *batch;
    const char *coding;
    pthread_mutex_t lock;
    pthread_cond_t resumed;
    bool suspended;
    unsigned suspensions;
    struct buf answer;
};

static void suspend(void *connection)
{
    struct rig *rig = connection;
    pthread_mutex_lock(&rig->lock);
    rig->suspended = true;
    rig->suspensions++;
    pthread_mutex_unlock(&rig->lock);
}

static void resume(void *connection)
{
    struct rig *rig = connection;
    pthread_mutex_lock(&rig->lock);
    rig->suspended = false;
    pthread_cond_signal(&rig->resumed);
    pthread_mutex_unlock(&rig->lock);
}

static void wait_for_resume(struct rig *rig)
{
    pthread_mutex_lock(&rig->lock);
    while (rig->suspended) pthread_cond_wait(&rig->resumed, &rig->lock);
    pthread_mutex_unlock(&rig->lock);
}

static void prepare(struct rig *rig)
{
    *rig = (struct rig){.lock = PTHREAD_MUTEX_INITIALIZER, .resumed = PTHREAD_COND_INITIALIZER};
    settings_init(&rig->settings);
    rig->settings.limits.workers = 3;
    rig->service.settings = &rig->settings;
    rig->request.client = "test";
    strcpy(rig->request.id, "id-1");
}

static void begin(struct rig *rig)
{
    rig->queue = queue_new(3, 4);
    rig->deadlines = deadlines_new();
    rig->batch = batch_new(&(struct batch_setup){.service = &rig->service,
                                                 .queue = rig->queue,
                                                 .deadlines = rig->deadlines,
                                                 .connection = rig,
                                                 .suspend = suspend,
                                                 .resume = resume},
                           &rig->request, &rig->coding);
}

/* Feeds the body as a connection would: in pieces, and none while it is suspended. */
static void feed(struct rig *rig, struct str body, size_t piece)
{
    enum batch_outcome outcome = BATCH_SAME;
    for (size_t at = 0; at < body.n && outcome != BATCH_CLOSED; at += piece) {
        outcome = batch_feed(rig->batch, body.p + at, body.n - at < piece ? body.n - at : piece);
        wait_for_resume(rig);
    }
}

/* The decompressed output, with a NUL after it. */
static const char *read_all(struct rig *rig)
{
    char block[777];
    struct buf packed = {0};
    long n;
    batch_finish(rig->batch);
    while ((n = batch_read(rig->batch, block, sizeof block)) >= 0) {
        buf_add(&packed, block, (size_t)n);
        wait_for_resume(rig);
    }
    assert_int_equal(n, BATCH_END);
    assert_int_equal(
        codec_decode(rig->coding, (struct str){packed.data, packed.len}, 64 << 20, &rig->answer),
        CODEC_DONE);
    buf_putc(&rig->answer, 0);
    buf_free(&packed);
    return rig->answer.data;
}

static void end(struct rig *rig)
{
    batch_leave(rig->batch);
    queue_free(rig->queue);
    deadlines_free(rig->deadlines);
    request_free(&rig->request);
    buf_free(&rig->answer);
    assert_int_equal(rig->service.buffered, 0);
    assert_int_equal(rig->service.metrics.queued, 0);
    assert_int_equal(rig->service.metrics.in_work, 0);
}

/* "0:200 1:400 …": index and status of each line of answers. */
static const char *summary(const char *answers)
{
    static char text[256];
    size_t len = 0;
    for (unsigned index, status; *answers; answers = strchr(answers, '\n') + 1) {
        assert_int_equal(sscanf(answers, "{\"index\":%u,\"status\":%u,", &index, &status), 2);
        len += (size_t)snprintf(text + len, sizeof text - len, "%s%u:%u", len ? " " : "", index,
                                status);
    }
    return len ? text : "";
}

static void answers_keep_the_order_in_whatever_pieces_lines_come(void **state)
{
    static const char body[] = GOOD "\n\n" WRONG "\r\n  \n" GOOD "\n{\n" GOOD;
    (void)state;
    for (size_t piece = 1; piece <= sizeof body; piece++) {
        struct rig rig;
        prepare(&rig);
        begin(&rig);
        feed(&rig, str_from(body), piece);
        assert_string_equal(summary(read_all(&rig)), "0:200 2:400 4:200 5:400 6:200");
        end(&rig);
    }
}

static void codings_are_understood_both_ways(void **state)
{
    static const char *const codings[] = {"gzip", "zstd"};
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        struct rig rig;
        struct buf packed = {0};
        if (!codec_encode(codings[i], str_from(GOOD "\n" WRONG "\n"), &packed)) continue;
        prepare(&rig);
        request_add(&rig.request, &rig.request.headers, "Content-Encoding", codings[i]);
        request_add(&rig.request, &rig.request.headers, "Accept-Encoding", codings[i]);
        begin(&rig);
        assert_string_equal(rig.coding, codings[i]);
        feed(&rig, (struct str){packed.data, packed.len}, 5);
        assert_string_equal(summary(read_all(&rig)), "0:200 1:400");
        end(&rig);

        /* If the body is cut short, the complete lines are answered and the rest is reported. */
        prepare(&rig);
        request_add(&rig.request, &rig.request.headers, "Content-Encoding", codings[i]);
        begin(&rig);
        feed(&rig, (struct str){packed.data, packed.len - 4}, 5);
        const char *answers = read_all(&rig);
        assert_non_null(strstr(answers, "\"status\":400,\"problem\""));
        assert_non_null(strstr(answers, "urn:ptxopt:problem:corrupt"));
        end(&rig);
        buf_free(&packed);
    }
}

static void limits_spoil_only_what_is_over_them(void **state)
{
    struct rig rig;
    (void)state;
    prepare(&rig);
    rig.settings.limits.max_body = strlen(GOOD);
    begin(&rig);
    feed(&rig, str_from(GOOD "\n" GOOD " \n" GOOD "\n"), 10);
    assert_string_equal(summary(read_all(&rig)), "0:200 1:413 2:200");
    end(&rig);

    prepare(&rig);
    rig.settings.limits.max_batch_items = 3;
    begin(&rig);
    feed(&rig, str_from(GOOD "\n" GOOD "\n\n" GOOD "\n" GOOD "\n"), 10);
    assert_string_equal(summary(read_all(&rig)), "0:200 1:200 3:413");
    end(&rig);

    prepare(&rig);
    rig.settings.limits.max_batch_bytes = strlen(GOOD) + 5;
    begin(&rig);
    feed(&rig, str_from(GOOD "\n" GOOD "\n" GOOD "\n"), 10);
    assert_string_equal(summary(read_all(&rig)), "0:200 1:413");
    end(&rig);

    prepare(&rig);
    rig.settings.limits.max_buffered = strlen(GOOD) / 2;
    begin(&rig);
    feed(&rig, str_from(GOOD "\n" GOOD "\n"), 10);
    /* The continuation depends on how soon the bytes of the first line are released. */
    assert_memory_equal(summary(read_all(&rig)), "0:503", 5);
    end(&rig);
}

static void a_line_that_is_late_is_503_and_the_next_is_answered(void **state)
{
    struct buf body = {0};
    struct rig rig;
    (void)state;
    prepare(&rig);
    rig.settings.limits.work_timeout_ms = 30;
    buf_puts(&body, "{\"source\":\"" HEAD ".entry k(){\\n");
    for (int i = 0; i < 300000; i++) buf_puts(&body, "add.u32 %r1, %r1, %r2;\\n");
    buf_puts(&body, "}\"}\n" GOOD "\n");
    begin(&rig);
    feed(&rig, (struct str){body.data, body.len}, 1 << 16);
    assert_string_equal(summary(read_all(&rig)), "0:503 1:200");
    end(&rig);
    buf_free(&body);
}

static void input_is_held_back_while_much_waits(void **state)
{
    struct buf body = {0};
    struct rig rig;
    (void)state;
    /* One line of 3 MB, six times. */
    for (int i = 0; i < 6; i++) {
        buf_puts(&body, "{\"source\":\".version 8.6\\n");
        for (int k = 0; k < 100000; k++) buf_puts(&body, "// a long line of comment text");
        buf_puts(&body, "\"}\n");
    }
    prepare(&rig);
    begin(&rig);
    feed(&rig, (struct str){body.data, body.len}, 1 << 20);
    assert_true(rig.suspensions > 0);
    assert_string_equal(summary(read_all(&rig)), "0:200 1:200 2:200 3:200 4:200 5:200");
    end(&rig);
    buf_free(&body);
}

static void a_client_that_leaves_is_forgotten_at_any_time(void **state)
{
    static const char body[] = GOOD "\n" GOOD "\n" GOOD "\n" GOOD "\n" GOOD "\n" GOOD;
    char block[64];
    struct rig rig;
    (void)state;
    for (size_t len = 0; len < sizeof body; len += 13) {
        prepare(&rig);
        begin(&rig);
        feed(&rig, (struct str){body, len}, 40);
        end(&rig);
    }
    prepare(&rig);
    begin(&rig);
    feed(&rig, str_from(body), 40);
    batch_finish(rig.batch);
    while (batch_read(rig.batch, block, sizeof block) == 0) wait_for_resume(&rig);
    end(&rig);
}

int main(void)
{
    json_use_work();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(answers_keep_the_order_in_whatever_pieces_lines_come),
        cmocka_unit_test(codings_are_understood_both_ways),
        cmocka_unit_test(limits_spoil_only_what_is_over_them),
        cmocka_unit_test(a_line_that_is_late_is_503_and_the_next_is_answered),
        cmocka_unit_test(input_is_held_back_while_much_waits),
        cmocka_unit_test(a_client_that_leaves_is_forgotten_at_any_time),
    };
    return RUN_TESTS(tests);
}
