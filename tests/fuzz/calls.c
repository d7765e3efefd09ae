/* Checks that a call of the library that cannot complete reports this, leaks nothing and does not
 * harm other calls. Each allocation of each call fails, once or with all later ones; the call is
 * cancelled at each opportunity; its limit leaves it without memory; the checker refuses its
 * result. Linked with --wrap for malloc, calloc, realloc, free and check_run. */
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../harness.h"
#include "report/json.h"
#include "base/bug.h"
#include "base/work.h"
#include "calls.h"
#include "check/check.h"

enum { MOST_QUESTIONS = 1500, THREADS = 4, ROUNDS = 150 };

/* ---- failures ---- */

static _Thread_local struct {
    unsigned long allocations, questions; /* so far */
    unsigned long allocation, question;   /* the one that fails, or is answered with yes; 0: none */
    bool onward;                          /* all later ones, too */
    bool wrong;                           /* the checker refuses everything */
} plan;

static atomic_long living; /* allocations */

static bool fails(void)
{
    unsigned long now = ++plan.allocations;
    bool turn = plan.allocation && (plan.onward ? now >= plan.allocation : now == plan.allocation);
    if (turn) errno = ENOMEM;
    return turn;
}

static void *counted(void *ptr)
{
    if (ptr) atomic_fetch_add(&living, 1);
    return ptr;
}

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *old, size_t size);
void __real_free(void *ptr);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *old, size_t size);
void __wrap_free(void *ptr);

void *__wrap_malloc(size_t size)
{
    return fails() ? NULL : counted(__real_malloc(size));
}

void *__wrap_calloc(size_t count, size_t size)
{
    return fails() ? NULL : counted(__real_calloc(count, size));
}

void *__wrap_realloc(void *old, size_t size)
{
    if (fails()) return NULL;
    return old ? __real_realloc(old, size) : counted(__real_realloc(old, size));
}

void __wrap_free(void *ptr)
{
    if (ptr) atomic_fetch_sub(&living, 1);
    __real_free(ptr);
}

void __real_check_run(const struct check_options *options, struct str before, struct str after,
                      struct arena *arena, struct check_result *result);
void __wrap_check_run(const struct check_options *options, struct str before, struct str after,
                      struct arena *arena, struct check_result *result);

void __wrap_check_run(const struct check_options *options, struct str before, struct str after,
                      struct arena *arena, struct check_result *result)
{
    BUG_UNLESS(!plan.wrong);
    __real_check_run(options, before, after, arena, result);
}

/* Called at every point where the work can be left, not only now and then. */
static bool cancelled(void *context)
{
    (void)context;
    work_thread.credit = 0;
    return ++plan.questions == plan.question;
}

/* ---- one kind of call ---- */

struct finding {
    enum ptxopt_status status;
    uint64_t digest;
};

static struct finding look(const struct subject *subject, size_t max_memory)
{
    struct finding found;
    found.status = subject->call(subject, max_memory, cancelled, &found.digest);
    return found;
}

static bool is_same(struct finding a, struct finding b)
{
    return a.status == b.status && a.digest == b.digest;
}

static void clear(void)
{
    memset(&plan, 0, sizeof plan);
}

/* The result of a call that should fail; prints what is wrong. */
static bool ends_well(const struct subject *subject, enum ptxopt_status want, struct finding clean,
                      struct finding found, long before)
{
    long left = atomic_load(&living) - before;
    bool without = is_same(found, clean); /* it did not need the allocation */
    if (found.status != want && !without)
        printf("# %s: status %d, expected %d\n", subject->name, (int)found.status, (int)want);
    if (left) printf("# %s: %ld allocations are left\n", subject->name, left);
    return (found.status == want || without) && !left;
}

static bool repeats(const struct subject *subject, struct finding clean)
{
    clear();
    bool same = is_same(look(subject, 0), clean);
    if (!same) printf("# %s: the next call comes to something else\n", subject->name);
    return same;
}

static int reported;

static void report(bool good, const char *name, const char *what)
{
    reported++;
    printf("%s - %s: %s\n", good ? "ok" : "not ok", name, what);
}

static void allocations(const struct subject *subject, struct finding clean, unsigned long count)
{
    bool good = true;
    for (unsigned long nth = 1; good && nth <= 2 * count; nth++) {
        long before = atomic_load(&living);
        clear();
        plan.onward = nth > count;
        plan.allocation = plan.onward ? nth - count : nth;
        struct finding found = look(subject, 0);
        clear();
        good = ends_well(subject, PTXOPT_NO_MEMORY, clean, found, before);
        if (nth % 16 == 0) good = good && repeats(subject, clean);
        if (!good) printf("# allocation %lu of %lu\n", nth, count);
    }
    report(good && count, subject->name,
           "whichever allocation fails, it says so and leaves nothing");
}

static void questions(const struct subject *subject, struct finding clean, unsigned long count)
{
    bool good = true;
    unsigned long step = count / MOST_QUESTIONS + 1;
    for (unsigned long nth = 1; good && nth <= count; nth += step) {
        long before = atomic_load(&living);
        clear();
        plan.question = nth;
        struct finding found = look(subject, 0);
        clear();
        good = found.status == PTXOPT_CANCELLED &&
               ends_well(subject, PTXOPT_CANCELLED, clean, found, before);
        if (nth / step % 16 == 0) good = good && repeats(subject, clean);
        if (!good) printf("# question %lu of %lu, status %d\n", nth, count, (int)found.status);
    }
    report(good && count, subject->name, "whenever it is cancelled, it says so and leaves nothing");
}

/* The smallest limit that it stays within, by bisection; with less it never completes. */
static void limits(const struct subject *subject, struct finding clean)
{
    size_t low = 1, high = (size_t)1 << 30;
    bool good = is_same(look(subject, high), clean);
    while (good && high - low > 1) {
        size_t middle = low + (high - low) / 2;
        long before = atomic_load(&living);
        struct finding found = look(subject, middle);
        good = ends_well(subject, PTXOPT_BAD_INPUT, clean, found, before);
        if (is_same(found, clean))
            high = middle;
        else
            low = middle;
    }
    printf("# %s: needs %zu bytes\n", subject->name, high);
    for (size_t part = 1; good && part < 64; part++)
        good = look(subject, high / 64 * part).status == PTXOPT_BAD_INPUT;
    good = good && is_same(look(subject, high), clean) && !is_same(look(subject, high - 1), clean);
    report(good, subject->name, "it stays within its limit or says that it needs more");
}

static void check_subject(const struct subject *subject)
{
    clear();
    struct finding clean = look(subject, 0);
    unsigned long count = plan.allocations, asked = plan.questions;
    printf("# %s: %lu allocations, %lu questions\n", subject->name, count, asked);
    report(clean.status == subject->status, subject->name, "it comes to its end");
    allocations(subject, clean, count);
    if (subject->has_limits) questions(subject, clean, asked);
    if (subject->has_limits) limits(subject, clean);
    if (!subject->asks_checker) return;
    clear();
    long before = atomic_load(&living);
    plan.wrong = true;
    struct finding found = look(subject, 0);
    clear();
    report(found.status == PTXOPT_INTERNAL &&
               ends_well(subject, PTXOPT_INTERNAL, clean, found, before) && repeats(subject, clean),
           subject->name, "when we are wrong, it says so and leaves nothing");
}

/* ---- several at once ---- */

/* Every second call of each thread fails somewhere; the others have the same result as alone. */
static void *fail_often(void *context)
{
    const struct subject *subjects = context;
    uintptr_t wrong = 0;
    for (unsigned long round = 0; round < ROUNDS; round++) {
        const struct subject *subject = &subjects[round % calls_count()];
        clear();
        struct finding clean = look(subject, 0);
        wrong += clean.status != subject->status;
        unsigned long count = plan.allocations;
        clear();
        plan.allocation = 1 + round * 7919 % count;
        struct finding found = look(subject, 0);
        clear();
        wrong += found.status != PTXOPT_NO_MEMORY && !is_same(found, clean);
    }
    return (void *)wrong;
}

static void check_threads(const struct subject *subjects)
{
    pthread_t threads[THREADS];
    uintptr_t wrong = 0;
    for (int i = 0; i < THREADS; i++)
        if (pthread_create(&threads[i], NULL, fail_often, (void *)(uintptr_t)subjects))
            exit(EXIT_FAILURE);
    for (int i = 0; i < THREADS; i++) {
        void *found;
        pthread_join(threads[i], &found);
        wrong += (uintptr_t)found;
    }
    report(!wrong, "threads", "a call that fails harms none of another thread");
}

int main(void)
{
    enter_source_tree();
    json_use_work();
    long before = atomic_load(&living);
    const struct subject *subjects = calls_begin();
    for (size_t i = 0; i < calls_count(); i++) check_subject(&subjects[i]);
    check_threads(subjects);
    calls_end();
    clear();
    report(atomic_load(&living) == before, "all", "nothing is left at the end");
    printf("1..%d\n", reported);
    return EXIT_SUCCESS;
}
