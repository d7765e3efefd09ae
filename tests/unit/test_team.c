/* Checks that threads do the parts of one work, and that none leaks memory when one of them fails.
 */
#include "base/team.h"

#include <stdatomic.h>

#include "base/bug.h"
#include "base/mem.h"
#include "base/work.h"
#include "unit.h"

enum { PARTS = 50, THREADS = 4 };

struct shared {
    char *kept[PARTS];
    uint32_t calls[PARTS];
    uint32_t bad; /* the part that ends otherwise */
    enum work_end end;
    bool shared_out;
    atomic_int asked;
};

static void keep_one(void *context, uint32_t index)
{
    struct shared *shared = context;
    shared->calls[index]++;
    shared->kept[index] = mem_alloc(1000);
    mem_free(mem_alloc(500));
}

static void run_keep_one(void *context)
{
    struct shared *shared = context;
    shared->shared_out = team_run(THREADS, PARTS, keep_one, shared);
    mem_free(shared->kept[PARTS - 1]);
    shared->kept[PARTS - 1] = NULL;
}

static void each_part_is_done_once_and_what_it_keeps_is_the_callers(void **state)
{
    (void)state;
    struct shared shared = {.bad = PARTS};
    struct work_outcome outcome = work_run(NULL, run_keep_one, &shared);
    assert_int_equal(outcome.end, WORK_DONE);
    assert_true(shared.shared_out);
    assert_true(outcome.most_bytes >= PARTS * 1000);
    for (uint32_t i = 0; i < PARTS; i++) {
        assert_int_equal(shared.calls[i], 1);
        mem_free(shared.kept[i]);
    }
}

static void fail_at(void *context, uint32_t index)
{
    struct shared *shared = context;
    shared->kept[index] = mem_alloc(1000);
    if (index < shared->bad) return;
    if (shared->end == WORK_BUG) BUG("as the test wants it");
    if (shared->end == WORK_OVER_LIMIT)
        for (;;) (void)mem_alloc(1000);
    work_leave(shared->end);
}

static void run_fail_at(void *context)
{
    struct shared *shared = context;
    shared->shared_out = team_run(THREADS, PARTS, fail_at, shared);
}

static void a_part_that_fails_ends_the_work_as_it_ended(void **state)
{
    (void)state;
    static const enum work_end ends[] = {WORK_NO_MEMORY, WORK_CANCELLED, WORK_BUG};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        struct shared shared = {.bad = PARTS / 2, .end = ends[i]};
        struct work_outcome outcome = work_run(NULL, run_fail_at, &shared);
        assert_int_equal(outcome.end, ends[i]);
        if (ends[i] == WORK_BUG) assert_string_equal(outcome.bug, "as the test wants it");
    }
}

/* A caller that needs less if the parts run one after the other is told so. */
static void a_share_of_memory_that_is_used_up_ends_only_the_team(void **state)
{
    (void)state;
    struct shared shared = {.bad = PARTS / 2, .end = WORK_OVER_LIMIT, .shared_out = true};
    struct work_limits limits = {.max_bytes = PARTS * 10000};
    struct work_outcome outcome = work_run(&limits, run_fail_at, &shared);
    assert_int_equal(outcome.end, WORK_DONE);
    assert_false(shared.shared_out);
    assert_true(outcome.most_bytes <
                10000); /* the memory of the parts does not belong to the work, and is freed */
}

static bool stop(void *context)
{
    struct shared *shared = context;
    return atomic_fetch_add(&shared->asked, 1) > 5;
}

static void work_for_ever(void *context, uint32_t index)
{
    (void)context;
    (void)index;
    for (;;) work_spend(1000);
}

static void run_for_ever(void *context)
{
    (void)team_run(THREADS, PARTS, work_for_ever, context);
}

static void who_cancels_the_work_cancels_its_parts(void **state)
{
    (void)state;
    struct shared shared = {.bad = 0};
    struct work_limits limits = {.cancelled = stop, .context = &shared};
    assert_int_equal(work_run(&limits, run_for_ever, &shared).end, WORK_CANCELLED);
}

static void outside_of_any_work_it_is_ordinary_memory(void **state)
{
    (void)state;
    struct shared shared = {.bad = PARTS};
    assert_true(team_run(1, PARTS, keep_one, &shared));
    for (uint32_t i = 0; i < PARTS; i++) mem_free(shared.kept[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_part_is_done_once_and_what_it_keeps_is_the_callers),
        cmocka_unit_test(a_part_that_fails_ends_the_work_as_it_ended),
        cmocka_unit_test(a_share_of_memory_that_is_used_up_ends_only_the_team),
        cmocka_unit_test(who_cancels_the_work_cancels_its_parts),
        cmocka_unit_test(outside_of_any_work_it_is_ordinary_memory),
    };
    return RUN_TESTS(tests);
}
