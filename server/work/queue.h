/* A bounded queue and the threads that run its jobs, so that no client has all of them while others
 * wait. */
#ifndef SERVER_WORK_QUEUE_H
#define SERVER_WORK_QUEUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct queue;

struct job {
    struct job *next;
    void (*run)(struct job *job);
    uint64_t client;  /* its client, by queue_client */
    bool is_admitted; /* the queue's own */
};

/* A number for the name of a client. */
uint64_t queue_client(const char *name);

/* workers: jobs of one client that run at a time. While other clients wait it keeps half of them
 * for itself, at least one; those that it has beyond are made up for with threads of the queue's
 * own, so that at most 1.5 times as many run. most: jobs that wait. NULL when threads cannot be
 * started. */
struct queue *queue_new(size_t workers, size_t most);

/* False when full or stopping: the job is still the caller's. */
bool queue_push(struct queue *queue, struct job *job);

/* The same for a part of an admitted request: always accepted, and takes no place from
 * others. */
void queue_push_admitted(struct queue *queue, struct job *job);

/* Takes out a job that no thread has begun; false when there is no such job. */
bool queue_remove(struct queue *queue, struct job *job);

/* Whether queue_push would refuse. */
bool queue_is_full(struct queue *queue);

/* Runs the waiting jobs, then ends the threads. */
void queue_free(struct queue *queue);

#endif
