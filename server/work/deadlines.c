/* Calls the function of each deadline that is over. See deadlines.h: a thread that looks at all of
 * them as long as there are any. */
#include "server/work/deadlines.h"

#include <pthread.h>
#include <stdbool.h>

#include "base/mem.h"
#include "server/base/clock.h"

enum { STEP_MS = 25 };

struct deadline {
    struct deadline *next, *prev;
    uint64_t at_us; /* 0: it has come */
    void (*late)(void *argument);
    void *argument;
};

struct deadlines {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    pthread_t thread;
    bool stopping, is_asleep; /* asleep: there was none at the last look */
    struct deadline list;     /* a ring */
};

static void call_late(struct deadlines *deadlines, uint64_t now)
{
    for (struct deadline *one = deadlines->list.next; one != &deadlines->list; one = one->next) {
        if (!one->at_us || one->at_us > now) continue;
        one->at_us = 0;
        one->late(one->argument);
    }
}

static void *watch_deadlines(void *argument)
{
    struct deadlines *deadlines = argument;
    pthread_mutex_lock(&deadlines->lock);
    while (!deadlines->stopping) {
        uint64_t now = clock_now_us();
        call_late(deadlines, now);
        deadlines->is_asleep = deadlines->list.next == &deadlines->list;
        if (deadlines->is_asleep)
            pthread_cond_wait(&deadlines->changed, &deadlines->lock);
        else
            clock_wait(&deadlines->changed, &deadlines->lock, now + STEP_MS * 1000);
    }
    pthread_mutex_unlock(&deadlines->lock);
    return NULL;
}

struct deadlines *deadlines_new(void)
{
    struct deadlines *deadlines = mem_zalloc(1, sizeof *deadlines);
    pthread_mutex_init(&deadlines->lock, NULL);
    clock_condition(&deadlines->changed);
    deadlines->list.next = deadlines->list.prev = &deadlines->list;
    if (pthread_create(&deadlines->thread, NULL, watch_deadlines, deadlines) == 0) return deadlines;
    mem_free(deadlines);
    return NULL;
}

void deadlines_free(struct deadlines *deadlines)
{
    pthread_mutex_lock(&deadlines->lock);
    deadlines->stopping = true;
    pthread_cond_signal(&deadlines->changed);
    pthread_mutex_unlock(&deadlines->lock);
    pthread_join(deadlines->thread, NULL);
    pthread_cond_destroy(&deadlines->changed);
    pthread_mutex_destroy(&deadlines->lock);
    mem_free(deadlines);
}

struct deadline *deadline_add(struct deadlines *deadlines, uint64_t timeout_ms,
                              void (*late)(void *argument), void *argument)
{
    struct deadline *deadline = mem_zalloc(1, sizeof *deadline);
    deadline->at_us = clock_now_us() + timeout_ms * 1000;
    deadline->late = late;
    deadline->argument = argument;
    pthread_mutex_lock(&deadlines->lock);
    if (deadlines->is_asleep) pthread_cond_signal(&deadlines->changed);
    deadline->next = deadlines->list.next;
    deadline->prev = &deadlines->list;
    deadline->next->prev = deadline->prev->next = deadline;
    pthread_mutex_unlock(&deadlines->lock);
    return deadline;
}

void deadline_remove(struct deadlines *deadlines, struct deadline *deadline)
{
    pthread_mutex_lock(&deadlines->lock);
    deadline->next->prev = deadline->prev;
    deadline->prev->next = deadline->next;
    pthread_mutex_unlock(&deadlines->lock);
    mem_free(deadline);
}
