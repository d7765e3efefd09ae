/* Checks what lint reports when the budget of its codes is small. */
#include "api/options.h"
#include "api/ptxopt.h"

#include <string.h>

#include "unit.h"

/* Tensor memory that is never freed, and a store without a wait: loaded, and released. */
static const char KERNEL[] =
    ".version 8.8\n"
    ".target sm_100a\n"
    ".address_size 64\n"
    ".shared .align 4 .b32 slot;\n"
    ".shared .align 8 .b64 full;\n"
    ".visible .entry k(.param .u64 out)\n"
    "{\n"
    "\t.reg .b32 %r<8>;\n"
    "\ttcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [slot], 32;\n"
    "\tbar.sync 0;\n"
    "\tld.shared.b32 %r1, [slot];\n"
    "\ttcgen05.wait::ld.sync.aligned;\n"
    "\ttcgen05.st.sync.aligned.32x32b.x1.b32 [%r1], {%r2};\n"
    "\ttcgen05.ld.sync.aligned.32x32b.x1.b32 {%r3}, [%r1];\n"
    "\tmbarrier.arrive.shared::cta.b64 _, [full];\n"
    "\tst.shared.b32 [slot], %r3;\n"
    "\tret;\n"
    "}\n";

static struct ptxopt_result *lint_from(enum ptxopt_level least, uint64_t budget)
{
    struct ptxopt_options *options = ptxopt_options_new();
    assert_non_null(options);
    ptxopt_options_set_lint(options, true);
    assert_true(ptxopt_options_set_lint_level(options, least));
    options->engine.lint_budget = budget;
    struct ptxopt_result *result = ptxopt_run(options, "k.ptx", KERNEL, strlen(KERNEL));
    assert_int_equal(ptxopt_result_status(result), PTXOPT_OK);
    ptxopt_options_free(options);
    return result;
}

static struct ptxopt_result *lint_within(uint64_t budget)
{
    return lint_from(PTXOPT_NOTE, budget);
}

static const struct ptxopt_finding *message_of(const struct ptxopt_result *result)
{
    const struct ptxopt_finding *finding = NULL;
    while ((finding = ptxopt_result_next(result, PTXOPT_DIAGNOSTIC, finding)))
        if (strcmp(finding->code, "lint-gave-up") == 0) return finding;
    return NULL;
}

static bool finds(const struct ptxopt_result *result, const struct ptxopt_finding *wanted)
{
    const struct ptxopt_finding *finding = NULL;
    while ((finding = ptxopt_result_next(result, PTXOPT_HAZARD, finding)))
        if (strcmp(finding->code, wanted->code) == 0 && finding->line == wanted->line) return true;
    return false;
}

static void what_takes_too_long_is_named_and_the_rest_is_found(void **state)
{
    (void)state;
    struct ptxopt_result *all = lint_within(0);
    uint32_t partly = 0;
    assert_null(message_of(all));
    assert_int_equal(ptxopt_result_count(all, PTXOPT_HAZARD), 3);
    for (uint64_t budget = 1; budget < 1 << 20; budget += budget / 4 + 1) {
        struct ptxopt_result *some = lint_within(budget);
        const struct ptxopt_finding *message = message_of(some), *finding = NULL;
        while ((finding = ptxopt_result_next(all, PTXOPT_HAZARD, finding)))
            assert_true(finds(some, finding) !=
                        (message && strstr(message->message, finding->code)));
        while ((finding = ptxopt_result_next(some, PTXOPT_HAZARD, finding)))
            assert_true(finds(all, finding));
        partly += message && ptxopt_result_count(some, PTXOPT_HAZARD);
        ptxopt_result_free(some);
    }
    assert_true(partly > 0);
    ptxopt_result_free(all);
}

static void the_message_is_of_the_function(void **state)
{
    (void)state;
    struct ptxopt_result *result = lint_within(1);
    const struct ptxopt_finding *message = message_of(result);
    assert_non_null(message);
    assert_int_equal(message->line, 6);
    assert_string_equal(message->function, "k");
    ptxopt_result_free(result);
}

static void it_is_a_warning_whatever_level_is_requested(void **state)
{
    static const enum ptxopt_level least[] = {PTXOPT_ERROR, PTXOPT_WARNING, PTXOPT_NOTE};
    (void)state;
    for (size_t i = 0; i < sizeof least / sizeof *least; i++) {
        struct ptxopt_result *result = lint_from(least[i], 1);
        const struct ptxopt_finding *message = message_of(result);
        assert_non_null(message);
        assert_int_equal(message->level, PTXOPT_WARNING);
        ptxopt_result_free(result);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_takes_too_long_is_named_and_the_rest_is_found),
        cmocka_unit_test(the_message_is_of_the_function),
        cmocka_unit_test(it_is_a_warning_whatever_level_is_requested),
    };
    return RUN_TESTS(tests);
}
