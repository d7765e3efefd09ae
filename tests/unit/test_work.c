/* Checks that abandoned work leaks nothing, at any depth, and leaves older memory intact. */
#include "base/work.h"

#include <string.h>

#include "base/arena.h"
#include "base/bug.h"
#include "base/buf.h"
#include "base/mem.h"
#include "base/vec.h"
#include "unit.h"

struct task {
    struct buf text;
    struct arena arena;
    char *kept;
    struct work_limits inner;
    struct work_outcome outcome;
    int asked;
};

static void keep_some(void *context)
{
    struct task *task = context;
    task->kept = mem_alloc(100);
    buf_puts(&task->text, "text");
    mem_free(mem_alloc(50));
}

static void what_is_kept_is_ordinary_memory(void **state)
{
    (void)state;
    struct task task = {0};
    struct work_outcome outcome = work_run(NULL, keep_some, &task);
    assert_int_equal(outcome.end, WORK_DONE);
    assert_true(outcome.most_bytes >= 150 && outcome.most_bytes < 1000);
    assert_null(work_thread.open);
    buf_puts(&task.text, " that grows");
    assert_memory_equal(task.text.data, "text that grows", 15);
    buf_free(&task.text);
    mem_free(task.kept);
}

static void ask_for_too_much(void *context)
{
    struct task *task = context;
    for (;;) task->kept = mem_alloc(1000);
}

static void a_limit_ends_the_work_that_has_it(void **state)
{
    (void)state;
    struct task task = {0};
    struct work_limits limits = {.max_bytes = 10000};
    struct work_outcome outcome = work_run(&limits, ask_for_too_much, &task);
    assert_int_equal(outcome.end, WORK_OVER_LIMIT);
    assert_int_equal(outcome.max_bytes, 10000);
    assert_true(outcome.most_bytes > 8000 && outcome.most_bytes <= 10000);
}

static void ask_beyond_all_memory(void *context)
{
    struct task *task = context;
    task->kept = mem_zalloc(SIZE_MAX / 2, 3);
}

static void a_size_that_overflows_is_no_memory(void **state)
{
    (void)state;
    struct task task = {0};
    assert_int_equal(work_run(NULL, ask_beyond_all_memory, &task).end, WORK_NO_MEMORY);
}

static void run_inner(void *context)
{
    struct task *task = context;
    task->outcome = work_run(&task->inner, ask_for_too_much, task);
    keep_some(task);
}

static void work_in_work_is_left_alone(void **state)
{
    (void)state;
    struct task task = {.inner = {.max_bytes = 5000}};
    assert_int_equal(work_run(NULL, run_inner, &task).end, WORK_DONE);
    assert_int_equal(task.outcome.end, WORK_OVER_LIMIT);
    assert_memory_equal(task.text.data, "text", 4);
    buf_free(&task.text);
    mem_free(task.kept);
}

static void the_limit_around_holds_inside(void **state)
{
    (void)state;
    struct task task = {.inner = {.max_bytes = 1 << 30}};
    struct work_limits limits = {.max_bytes = 20000};
    assert_int_equal(work_run(&limits, run_inner, &task).end, WORK_DONE);
    assert_int_equal(task.outcome.end, WORK_OVER_LIMIT);
    assert_int_equal(task.outcome.max_bytes, 20000);
    buf_free(&task.text);
    mem_free(task.kept);
}

/* The memory of the inner work belongs to the outer one, which is abandoned: otherwise it leaks. */
static void leave_after_inner(void *context)
{
    struct task *task = context;
    task->outcome = work_run(NULL, keep_some, task);
    buf_puts(&task->text, " and more");
    work_leave(WORK_CANCELLED);
}

static void what_the_inner_kept_goes_with_the_outer(void **state)
{
    (void)state;
    struct task task = {0};
    assert_int_equal(work_run(NULL, leave_after_inner, &task).end, WORK_CANCELLED);
    assert_int_equal(task.outcome.end, WORK_DONE);
}

static void grow_and_leave(void *context)
{
    struct task *task = context;
    for (int i = 0; i < 1000; i++) buf_puts(&task->text, "0123456789");
    arena_alloc(&task->arena, 10, 10);
    work_leave(WORK_NO_MEMORY);
}

static void what_is_older_survives_though_it_has_moved(void **state)
{
    (void)state;
    struct task task = {0};
    arena_copy(&task.arena, "old", 3);
    buf_puts(&task.text, "old");
    assert_int_equal(work_run(NULL, grow_and_leave, &task).end, WORK_NO_MEMORY);
    assert_int_equal(task.text.len, 3 + 10000);
    assert_memory_equal(task.text.data, "old0123", 7);
    buf_free(&task.text);
    arena_free(&task.arena);
}

static void free_older(void *context)
{
    struct task *task = context;
    mem_free(task->kept);
    task->kept = mem_alloc(10);
    mem_free(task->kept);
    task->kept = NULL;
}

static void what_is_older_may_be_freed(void **state)
{
    (void)state;
    struct task task = {.kept = mem_alloc(5000)};
    struct work_limits limits = {.max_bytes = 100};
    struct work_outcome outcome = work_run(&limits, free_older, &task);
    assert_int_equal(outcome.end, WORK_DONE);
    assert_int_equal(outcome.most_bytes, 0);
}

static void be_wrong(void *context)
{
    (void)context;
    BUG_UNLESS(1 > 2);
}

static void a_bug_is_told_with_its_place(void **state)
{
    (void)state;
    struct work_outcome outcome = work_run(NULL, be_wrong, NULL);
    assert_int_equal(outcome.end, WORK_BUG);
    assert_string_equal(outcome.bug, "1 > 2");
    assert_non_null(strstr(outcome.file, "test_work.c"));
    assert_true(outcome.line > 0);
}

static bool after_ten(void *context)
{
    struct task *task = context;
    assert_null(work_thread.open);
    mem_free(mem_alloc(1 << 20)); /* does not belong to the work */
    return ++task->asked >= 10;
}

static void work_for_ever(void *context)
{
    (void)context;
    for (;;) work_spend(3);
}

static void it_is_asked_until_it_says_yes(void **state)
{
    (void)state;
    struct task task = {0};
    struct work_limits limits = {.max_bytes = 1000, .cancelled = after_ten, .context = &task};
    struct work_outcome outcome = work_run(&limits, work_for_ever, &task);
    assert_int_equal(outcome.end, WORK_CANCELLED);
    assert_int_equal(task.asked, 10);
    assert_int_equal(outcome.most_bytes, 0);
}

static void work_inside_for_ever(void *context)
{
    struct task *task = context;
    task->outcome = work_run(NULL, work_for_ever, task);
}

static void who_cancels_cancels_what_is_inside(void **state)
{
    (void)state;
    struct task task = {0};
    struct work_limits limits = {.cancelled = after_ten, .context = &task};
    work_run(&limits, work_inside_for_ever, &task);
    assert_int_equal(task.outcome.end, WORK_CANCELLED);
}

static void free_what_is_not_ours(void *context)
{
    struct task *task = context;
    memset(task->kept, 'x', 200);
    mem_free(task->kept + 64);
}

static void a_pointer_that_is_none_of_ours_is_a_bug(void **state)
{
    (void)state;
    struct task task = {.kept = mem_alloc(200)};
    assert_int_equal(work_run(NULL, free_what_is_not_ours, &task).end, WORK_BUG);
    mem_free(task.kept);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_kept_is_ordinary_memory),
        cmocka_unit_test(a_limit_ends_the_work_that_has_it),
        cmocka_unit_test(a_size_that_overflows_is_no_memory),
        cmocka_unit_test(work_in_work_is_left_alone),
        cmocka_unit_test(the_limit_around_holds_inside),
        cmocka_unit_test(what_the_inner_kept_goes_with_the_outer),
        cmocka_unit_test(what_is_older_survives_though_it_has_moved),
        cmocka_unit_test(what_is_older_may_be_freed),
        cmocka_unit_test(a_bug_is_told_with_its_place),
        cmocka_unit_test(it_is_asked_until_it_says_yes),
        cmocka_unit_test(who_cancels_cancels_what_is_inside),
        cmocka_unit_test(a_pointer_that_is_none_of_ours_is_a_bug),
    };
    return RUN_TESTS(tests);
}
