/* Runs and ends works. A work ends with longjmp; its allocations are in a ring, so that all of them
 * can be freed. */
#include "base/work.h"

#include <setjmp.h>
#include <stdint.h>
#include <stdlib.h>

/* Units between two checks for a cancellation: about 10 to 100 microseconds. */
enum { CREDIT = 2048 };

struct work {
    struct work_memory memory; /* first: see work_memory */
    struct work *outer;
    struct work_limits limits; /* max_bytes is in memory */
    struct work_outcome outcome;
    jmp_buf exit;
};

_Thread_local struct work_thread work_thread WORK_TLS;

/* ---- start and end ---- */

/* Returns the smaller of max and the bytes that the outer work has left; 0: no limit. */
static size_t strictest_limit(size_t max, const struct work *outer)
{
    if (max > PTRDIFF_MAX) max = 0;
    if (!outer || !outer->memory.max_bytes) return max;
    ptrdiff_t left = (ptrdiff_t)outer->memory.max_bytes - outer->memory.used;
    if (left < 1) left = 1;
    return max && max < (size_t)left ? max : (size_t)left;
}

/* A function of its own, so that no local variable of the caller is live across setjmp, whose value
 * would be undefined after longjmp. */
static void work_enter(struct work *work, void (*run)(void *context), void *context)
{
    if (setjmp(work->exit) == 0) run(context);
}

static void ring_empty(struct allocation *ring)
{
    ring->next = ring->prev = ring;
}

static void free_ring(struct allocation *ring)
{
    for (struct allocation *one = ring->next, *next; one != ring; one = next) {
        next = one->next;
        free(one);
    }
    ring_empty(ring);
}

static void free_spare(struct work_memory *memory)
{
    for (size_t class = 0; class < WORK_SPARE_CLASSES; class ++)
        for (struct allocation *one = memory->spare[class].first, *next; one; one = next) {
            next = one->next;
            free(one);
        }
}

/* Moves all allocations of the ring to the innermost work, or to none. */
static void hand_over(struct allocation *ring)
{
    for (struct allocation *one = ring->next, *next; one != ring; one = next) {
        next = one->next;
        work_adopt(one);
    }
    ring_empty(ring);
}

/* Runs a work. Afterwards the allocations that run has not freed are in the ring of the work, which
 * is no longer the innermost. */
static void run_open(struct work *work, const struct work_limits *limits,
                     void (*run)(void *context), void *context)
{
    struct work *before = work_thread.open;
    if (limits) work->limits = *limits;
    work->memory.max_bytes = strictest_limit(work->limits.max_bytes, work->outer);
    ring_empty(&work->memory.ring);
    work_thread.open = work;
    work_enter(work, run, context);
    work_thread.open = before;
    free_spare(&work->memory);
    if (work->outcome.end != WORK_DONE) free_ring(&work->memory.ring);
    work->outcome.most_bytes = (size_t)work->memory.most;
    work->outcome.max_bytes = work->memory.max_bytes;
}

struct work_outcome work_run(const struct work_limits *limits, void (*run)(void *context),
                             void *context)
{
    struct work work = {.outer = work_thread.open};
    run_open(&work, limits, run, context);
    hand_over(&work.memory.ring);
    return work.outcome;
}

void work_leave(enum work_end end)
{
    struct work *work = work_thread.open;
    work->outcome.end = end;
    longjmp(work->exit, 1);
}

void work_bug(const char *what, const char *file, int line)
{
    struct work_outcome *outcome = &work_thread.open->outcome;
    outcome->bug = what;
    outcome->file = file;
    outcome->line = line;
    work_leave(WORK_BUG);
}

static bool is_cancelled(void *innermost)
{
    for (const struct work *work = innermost; work; work = work->outer)
        if (work->limits.cancelled && work->limits.cancelled(work->limits.context)) return true;
    return false;
}

/* The callback runs outside of the work, which therefore does not own the memory that it
 * allocates. */
void work_ask(void)
{
    struct work *open = work_thread.open;
    work_thread.credit = CREDIT;
    work_thread.open = NULL;
    bool over = is_cancelled(open);
    work_thread.open = open;
    if (over) work_leave(WORK_CANCELLED);
}

/* ---- parts ---- */

struct work_limits work_share(uint32_t count)
{
    struct work *work = work_thread.open;
    size_t left = strictest_limit(0, work);
    struct work_limits share = {.cancelled = is_cancelled, .context = work};
    if (left) share.max_bytes = left / count ? left / count : 1;
    return share;
}

void work_run_part(struct work_part *part, const struct work_limits *limits,
                   void (*run)(void *context), void *context)
{
    struct work work = {.outer = NULL};
    run_open(&work, limits, run, context);
    part->outcome = work.outcome;
    ring_empty(&part->ring);
    if (work.memory.ring.next == &work.memory.ring) return;
    part->ring = work.memory.ring;
    part->ring.next->prev = part->ring.prev->next = &part->ring;
}

void work_take_part(struct work_part *part)
{
    hand_over(&part->ring);
}

void work_drop_part(struct work_part *part)
{
    free_ring(&part->ring);
}
