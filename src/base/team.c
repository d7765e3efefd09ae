/* Distributes the parts of a work among threads. Each thread takes the next part that no thread has
 * taken, until none is left. No thread outlives the call. The additional threads block all signals,
 * so that only the thread of the caller receives those of the process. */
#include "base/team.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>

#include "base/bug.h"
#include "base/mem.h"
#include "base/work.h"

struct team {
    void (*run)(void *context, uint32_t index);
    void *context;
    struct work_limits limits;
    struct work_part *parts;
    uint32_t count;
    atomic_uint next;
};

struct call {
    const struct team *team;
    uint32_t index;
};

static void call_one(void *context)
{
    const struct call *call = context;
    call->team->run(call->team->context, call->index);
}

static void *take_parts(void *context)
{
    struct team *team = context;
    for (uint32_t i; (i = atomic_fetch_add(&team->next, 1)) < team->count;) {
        struct call call = {team, i};
        work_run_part(&team->parts[i], &team->limits, call_one, &call);
    }
    return NULL;
}

static void take_parts_together(struct team *team, uint32_t threads)
{
    pthread_t helpers[TEAM_MOST_THREADS];
    uint32_t started = 0;
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    while (started + 1 < threads && !pthread_create(&helpers[started], NULL, take_parts, team))
        started++;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    take_parts(team);
    for (uint32_t i = 0; i < started; i++) pthread_join(helpers[i], NULL);
}

/* Returns the outcome of the first part that did not complete; NULL if all completed. */
static const struct work_outcome *first_failure(const struct team *team)
{
    for (uint32_t i = 0; i < team->count; i++)
        if (team->parts[i].outcome.end != WORK_DONE) return &team->parts[i].outcome;
    return NULL;
}

static void leave_like(const struct work_outcome *outcome)
{
    if (outcome->end == WORK_BUG) bug(outcome->bug, outcome->file, outcome->line);
    if (outcome->end == WORK_NO_MEMORY) mem_exhausted();
    work_leave(outcome->end);
}

bool team_run(uint32_t threads, uint32_t count, void (*run)(void *context, uint32_t index),
              void *context)
{
    BUG_UNLESS(threads && threads <= TEAM_MOST_THREADS);
    if (threads > count) threads = count;
    struct team team = {.run = run, .context = context, .count = count};
    team.parts = mem_zalloc(count, sizeof *team.parts);
    team.limits = work_share(count);
    take_parts_together(&team, threads);
    const struct work_outcome *failure = first_failure(&team);
    for (uint32_t i = 0; i < count; i++) {
        if (failure)
            work_drop_part(&team.parts[i]);
        else
            work_take_part(&team.parts[i]);
    }
    bool shared_out = !failure;
    if (failure && failure->end != WORK_OVER_LIMIT) leave_like(failure);
    mem_free(team.parts);
    return shared_out;
}
