/* Runs jobs on a fixed number of threads. What does not fit in the queue is refused at once, since
 * a client that tries elsewhere is served sooner than one that waits.
 *
 * A client's share is half of the workers. While no other waits it may have all of them; those
 * over its share are lent, and do not count when another client's job waits for a worker: that one
 * begins at once, in a thread that there is for it. So the workers' threads are half as many again.
 */
#include "server/work/queue.h"

#include <pthread.h>

#include "base/mem.h"

/* A client with running jobs. */
struct runner {
    uint64_t client;
    size_t running;
};

struct queue {
    pthread_mutex_t lock;
    pthread_cond_t filled;
    struct job *first, **last;
    size_t waiting, most, workers, share, threads;
    struct runner *runners; /* as many places as threads */
    size_t runner_count;
    size_t running; /* jobs */
    size_t counted; /* without those that are over their client's share */
    bool stopping;
    pthread_t thread[];
};

uint64_t queue_client(const char *name)
{
    uint64_t hash = 0xcbf29ce484222325; /* FNV-1a, 64 bits */
    for (; *name; name++) hash = (hash ^ (unsigned char)*name) * 0x100000001b3;
    return hash;
}

/* ---- the next client; all with the lock held ---- */

/* The place of that client; the one after the last when none of its jobs runs. */
static struct runner *find_runner(struct queue *queue, uint64_t client)
{
    struct runner *one = queue->runners, *end = one + queue->runner_count;
    while (one < end && one->client != client) one++;
    return one;
}

static size_t running_of(struct queue *queue, uint64_t client)
{
    const struct runner *one = find_runner(queue, client);
    return one < queue->runners + queue->runner_count ? one->running : 0;
}

static void begin_running(struct queue *queue, uint64_t client)
{
    struct runner *one = find_runner(queue, client);
    if (one == queue->runners + queue->runner_count) {
        *one = (struct runner){.client = client};
        queue->runner_count++;
    }
    queue->running++;
    queue->counted += ++one->running <= queue->share;
}

static void end_running(struct queue *queue, uint64_t client)
{
    struct runner *one = find_runner(queue, client);
    queue->running--;
    queue->counted -= one->running-- <= queue->share;
    if (!one->running) *one = queue->runners[--queue->runner_count];
}

/* Where the job is that a thread may begin now; NULL: none. */
static struct job **choose_job(struct queue *queue)
{
    if (queue->counted < queue->workers)
        for (struct job **at = &queue->first; *at; at = &(*at)->next)
            if (running_of(queue, (*at)->client) < queue->share) return at;
    return queue->first && queue->running < queue->workers ? &queue->first : NULL;
}

static void take_out(struct queue *queue, struct job **at)
{
    struct job *job = *at;
    *at = job->next;
    if (queue->last == &job->next) queue->last = at;
    queue->waiting -= !job->is_admitted;
}

/* ---- threads ---- */

static void *queue_work(void *argument)
{
    struct queue *queue = argument;
    pthread_mutex_lock(&queue->lock);
    for (;;) {
        struct job **at = choose_job(queue);
        /* Jobs left when the queue stops are begun by the workers that still run. */
        if (!at && queue->stopping) break;
        if (!at) {
            pthread_cond_wait(&queue->filled, &queue->lock);
            continue;
        }
        struct job *job = *at;
        uint64_t client = job->client;
        take_out(queue, at);
        begin_running(queue, client);
        pthread_mutex_unlock(&queue->lock);
        job->run(job);
        pthread_mutex_lock(&queue->lock);
        end_running(queue, client);
    }
    pthread_mutex_unlock(&queue->lock);
    return NULL;
}

struct queue *queue_new(size_t workers, size_t most)
{
    size_t share = workers / 2 ? workers / 2 : 1, threads = 2 * workers - share;
    struct queue *queue = mem_zalloc(1, sizeof *queue + threads * sizeof *queue->thread);
    pthread_mutex_init(&queue->lock, NULL);
    pthread_cond_init(&queue->filled, NULL);
    queue->last = &queue->first;
    queue->most = most;
    queue->workers = workers;
    queue->share = share;
    queue->runners = mem_zalloc(threads, sizeof *queue->runners);
    for (; queue->threads < threads; queue->threads++)
        if (pthread_create(&queue->thread[queue->threads], NULL, queue_work, queue) != 0) {
            queue_free(queue);
            return NULL;
        }
    return queue;
}

/* ---- jobs ---- */

/* With the lock held. */
static void queue_append(struct queue *queue, struct job *job, bool is_admitted)
{
    job->next = NULL;
    job->is_admitted = is_admitted;
    *queue->last = job;
    queue->last = &job->next;
    queue->waiting += !is_admitted;
    pthread_cond_signal(&queue->filled);
}

bool queue_push(struct queue *queue, struct job *job)
{
    pthread_mutex_lock(&queue->lock);
    bool fits = queue->waiting < queue->most && !queue->stopping;
    if (fits) queue_append(queue, job, false);
    pthread_mutex_unlock(&queue->lock);
    return fits;
}

void queue_push_admitted(struct queue *queue, struct job *job)
{
    pthread_mutex_lock(&queue->lock);
    queue_append(queue, job, true);
    pthread_mutex_unlock(&queue->lock);
}

bool queue_remove(struct queue *queue, struct job *job)
{
    pthread_mutex_lock(&queue->lock);
    struct job **at = &queue->first;
    while (*at && *at != job) at = &(*at)->next;
    bool found = *at;
    if (found) take_out(queue, at);
    pthread_mutex_unlock(&queue->lock);
    return found;
}

bool queue_is_full(struct queue *queue)
{
    pthread_mutex_lock(&queue->lock);
    bool full = queue->waiting >= queue->most;
    pthread_mutex_unlock(&queue->lock);
    return full;
}

void queue_free(struct queue *queue)
{
    pthread_mutex_lock(&queue->lock);
    queue->stopping = true;
    pthread_cond_broadcast(&queue->filled);
    pthread_mutex_unlock(&queue->lock);
    for (size_t i = 0; i < queue->threads; i++) pthread_join(queue->thread[i], NULL);
    pthread_cond_destroy(&queue->filled);
    pthread_mutex_destroy(&queue->lock);
    mem_free(queue->runners);
    mem_free(queue);
}
