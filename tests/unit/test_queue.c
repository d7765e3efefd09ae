/* Checks whose job a worker takes next. Jobs block until they are released, so the test knows which
 * ones run. */
#include "unit.h"

#include <pthread.h>

#include "server/work/queue.h"

enum { JOBS = 16 };

struct rig {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    bool begun[JOBS], may_end[JOBS];
    unsigned ended;
    struct queue *queue;
};

struct blocking_job {
    struct job job; /* first: a job is cast to it */
    struct rig *rig;
    unsigned number;
};

static void run_blocking(struct job *job)
{
    struct blocking_job *one = (struct blocking_job *)(void *)job;
    struct rig *rig = one->rig;
    pthread_mutex_lock(&rig->lock);
    rig->begun[one->number] = true;
    pthread_cond_broadcast(&rig->changed);
    while (!rig->may_end[one->number]) pthread_cond_wait(&rig->changed, &rig->lock);
    rig->ended++;
    pthread_cond_broadcast(&rig->changed);
    pthread_mutex_unlock(&rig->lock);
}

static void push(struct rig *rig, struct blocking_job *job, unsigned number, const char *client)
{
    *job = (struct blocking_job){
        .job = {.run = run_blocking, .client = queue_client(client)}, .rig = rig, .number = number};
    assert_true(queue_push(rig->queue, &job->job));
}

static void wait_until_begun(struct rig *rig, unsigned number)
{
    pthread_mutex_lock(&rig->lock);
    while (!rig->begun[number]) pthread_cond_wait(&rig->changed, &rig->lock);
    pthread_mutex_unlock(&rig->lock);
}

static bool has_begun(struct rig *rig, unsigned number)
{
    pthread_mutex_lock(&rig->lock);
    bool begun = rig->begun[number];
    pthread_mutex_unlock(&rig->lock);
    return begun;
}

static void let_end(struct rig *rig, unsigned number)
{
    pthread_mutex_lock(&rig->lock);
    unsigned before = rig->ended;
    rig->may_end[number] = true;
    pthread_cond_broadcast(&rig->changed);
    while (rig->ended == before) pthread_cond_wait(&rig->changed, &rig->lock);
    pthread_mutex_unlock(&rig->lock);
}

static void end_all(struct rig *rig)
{
    pthread_mutex_lock(&rig->lock);
    for (unsigned i = 0; i < JOBS; i++) rig->may_end[i] = true;
    pthread_cond_broadcast(&rig->changed);
    pthread_mutex_unlock(&rig->lock);
    queue_free(rig->queue);
}

#define RIG(workers)                                                                               \
    {                                                                                              \
        .lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER,                    \
        .queue = queue_new(workers, JOBS)                                                          \
    }

static void a_client_alone_has_all_workers_and_no_more(void **state)
{
    struct rig rig = RIG(4);
    struct blocking_job jobs[6];
    (void)state;
    for (unsigned i = 0; i < 6; i++) push(&rig, &jobs[i], i, "a");
    for (unsigned i = 0; i < 4; i++) wait_until_begun(&rig, i);
    assert_false(has_begun(&rig, 4));
    let_end(&rig, 2);
    wait_until_begun(&rig, 4);
    assert_false(has_begun(&rig, 5));
    end_all(&rig);
    assert_int_equal(rig.ended, 6);
}

static void another_client_begins_at_once_though_one_has_all_workers(void **state)
{
    struct rig rig = RIG(2);
    struct blocking_job jobs[5];
    (void)state;
    for (unsigned i = 0; i < 3; i++) push(&rig, &jobs[i], i, "a");
    wait_until_begun(&rig, 0);
    wait_until_begun(&rig, 1);
    push(&rig, &jobs[3], 3, "b");
    wait_until_begun(&rig, 3);
    assert_false(has_begun(&rig, 2));
    /* When both clients have their share, the job that came first is next. */
    push(&rig, &jobs[4], 4, "c");
    let_end(&rig, 0);
    assert_false(has_begun(&rig, 2));
    let_end(&rig, 1);
    wait_until_begun(&rig, 2);
    assert_false(has_begun(&rig, 4));
    let_end(&rig, 3);
    wait_until_begun(&rig, 4);
    end_all(&rig);
    assert_int_equal(rig.ended, 5);
}

static void a_single_worker_serves_clients_in_order(void **state)
{
    struct rig rig = RIG(1);
    struct blocking_job jobs[3];
    (void)state;
    push(&rig, &jobs[0], 0, "a");
    wait_until_begun(&rig, 0);
    push(&rig, &jobs[1], 1, "b");
    push(&rig, &jobs[2], 2, "a");
    assert_false(has_begun(&rig, 1));
    let_end(&rig, 0);
    wait_until_begun(&rig, 1);
    assert_false(has_begun(&rig, 2));
    end_all(&rig);
}

static void a_job_that_is_taken_out_is_not_run(void **state)
{
    struct rig rig = RIG(1);
    struct blocking_job jobs[3];
    (void)state;
    for (unsigned i = 0; i < 3; i++) push(&rig, &jobs[i], i, "a");
    wait_until_begun(&rig, 0);
    assert_true(queue_remove(rig.queue, &jobs[2].job));
    assert_false(queue_remove(rig.queue, &jobs[0].job));
    end_all(&rig);
    assert_int_equal(rig.ended, 2);
    assert_false(rig.begun[2]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_client_alone_has_all_workers_and_no_more),
        cmocka_unit_test(another_client_begins_at_once_though_one_has_all_workers),
        cmocka_unit_test(a_single_worker_serves_clients_in_order),
        cmocka_unit_test(a_job_that_is_taken_out_is_not_run),
    };
    return RUN_TESTS(tests);
}
