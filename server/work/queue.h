/* A bounded queue and the threads that work it off. */
#ifndef SERVER_WORK_QUEUE_H
#define SERVER_WORK_QUEUE_H

#include <stdbool.h>
#include <stddef.h>

struct queue;

struct job {
    struct job *next;
    void (*run)(struct job *job);
    bool is_admitted; /* the queue's own */
};

/* NULL when threads cannot be started. */
struct queue *queue_new(size_t threads, size_t most);

/* False when full or stopping: the job is still the caller's. */
bool queue_push(struct queue *queue, struct job *job);

/* The same for a part of what was admitted before: always goes in, and takes no place from
 * others. */
void queue_push_admitted(struct queue *queue, struct job *job);

/* Takes out a job that no thread has begun; false when there is no such job. */
bool queue_remove(struct queue *queue, struct job *job);

/* Would queue_push refuse? */
bool queue_is_full(struct queue *queue);

/* Runs what waits, then ends the threads. */
void queue_free(struct queue *queue);

#endif
