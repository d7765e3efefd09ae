/* Checks the calls of the callback of ptxopt_options_set_progress. */
#include "api/ptxopt.h"

#include <stdatomic.h>
#include <string.h>

#include "base/buf.h"
#include "unit.h"

static const char HEAD[] = ".version 8.8\n.target sm_100a\n.address_size 64\n";

/* A function of its own name, with a redundant wait. */
static void add_kernel(struct buf *text, int number)
{
    buf_printf(text,
               ".visible .entry k%d()\n"
               "{\n"
               "\ttcgen05.wait::ld.sync.aligned;\n"
               "\ttcgen05.wait::ld.sync.aligned;\n"
               "\tret;\n"
               "}\n",
               number);
}

struct told {
    atomic_size_t bytes;
    atomic_uint calls;
};

static void note(void *context, size_t bytes)
{
    struct told *told = context;
    assert_true(bytes > 0);
    atomic_fetch_add(&told->bytes, bytes);
    atomic_fetch_add(&told->calls, 1);
}

static void run_with(const struct buf *text, unsigned threads, struct told *told)
{
    struct ptxopt_options *options = ptxopt_options_new();
    assert_non_null(options);
    assert_true(ptxopt_options_set_threads(options, threads));
    ptxopt_options_set_progress(options, note, told);
    struct ptxopt_result *result = ptxopt_run(options, "k.ptx", text->data, text->len);
    assert_int_equal(ptxopt_result_status(result), PTXOPT_OK);
    ptxopt_result_free(result);
    ptxopt_options_free(options);
}

static void it_is_told_after_each_function(void **state)
{
    enum { FUNCTIONS = 3 };
    (void)state;
    struct buf text = {0};
    struct told told = {0};
    buf_puts(&text, HEAD);
    for (int i = 0; i < FUNCTIONS; i++) add_kernel(&text, i);
    buf_puts(&text, "// the end\n");
    run_with(&text, 1, &told);
    assert_int_equal(told.bytes, text.len);
    assert_int_equal(told.calls, FUNCTIONS + 1);
    buf_free(&text);
}

static void threads_tell_of_the_whole_text_together(void **state)
{
    enum { FUNCTIONS = 8000 };
    (void)state;
    struct buf text = {0};
    struct told told = {0};
    buf_puts(&text, HEAD);
    for (int i = 0; i < FUNCTIONS; i++) add_kernel(&text, i);
    run_with(&text, 4, &told);
    assert_int_equal(told.bytes, text.len);
    assert_true(told.calls >= FUNCTIONS);
    buf_free(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_is_told_after_each_function),
        cmocka_unit_test(threads_tell_of_the_whole_text_together),
    };
    return RUN_TESTS(tests);
}
