/* Runs jobs on a fixed number of threads. A fixed number of threads; what does not fit in the queue
 * is refused at once, since a client that tries elsewhere is served sooner than one that waits. */
#include "server/work/queue.h"

#include <pthread.h>

#include "base/mem.h"

struct queue {
    pthread_mutex_t lock;
    pthread_cond_t filled;
    struct job *first, **last;
    size_t waiting, most, threads;
    bool stopping;
    pthread_t thread[];
};

static void *queue_work(void *argument)
{
    struct queue *queue = argument;
    pthread_mutex_lock(&queue->lock);
    for (;;) {
        while (!queue->first && !queue->stopping) pthread_cond_wait(&queue->filled, &queue->lock);
        struct job *job = queue->first;
        if (!job) break;
        queue->first = job->next;
        if (!queue->first) queue->last = &queue->first;
        queue->waiting -= !job->is_admitted;
        pthread_mutex_unlock(&queue->lock);
        job->run(job);
        pthread_mutex_lock(&queue->lock);
    }
    pthread_mutex_unlock(&queue->lock);
    return NULL;
}

struct queue *queue_new(size_t threads, size_t most)
{
    struct queue *queue = mem_zalloc(1, sizeof *queue + threads * sizeof *queue->thread);
    pthread_mutex_init(&queue->lock, NULL);
    pthread_cond_init(&queue->filled, NULL);
    queue->last = &queue->first;
    queue->most = most;
    for (; queue->threads < threads; queue->threads++)
        if (pthread_create(&queue->thread[queue->threads], NULL, queue_work, queue) != 0) {
            queue_free(queue);
            return NULL;
        }
    return queue;
}

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
    if (found) {
        *at = job->next;
        if (queue->last == &job->next) queue->last = at;
        queue->waiting -= !job->is_admitted;
    }
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
    mem_free(queue);
}
