/* Checks what a caller of the library can read: places in the CUDA source, the fix, where the
 * output has moved, the message of a failure, reports. */
#include "api/ptxopt.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "unit.h"

/* A kernel whose last wait is removed; the wait is in a function that was inlined twice. */
static const char INLINED[] = ".version 8.8\n"
                              ".target sm_100a\n"
                              ".address_size 64\n"
                              ".visible .entry k(.param .u64 p)\n"
                              "{\n"
                              "\t.reg .b32 %r<4>;\n"
                              "\t.loc 1 10 3\n"
                              "\ttcgen05.ld.sync.aligned.32x32b.x1.b32 {%r1}, [%r0];\n"
                              "\ttcgen05.wait::ld.sync.aligned;\n"
                              "\t.loc 2 20 5, function_name $L__info_string0, inlined_at 1 10 3\n"
                              "\tadd.u32 %r2, %r1, 1;\n"
                              "\t.loc 2 30 7, function_name $L__info_string1, inlined_at 2 20 5\n"
                              "\ttcgen05.wait::ld.sync.aligned;\n"
                              "\tret;\n"
                              "}\n"
                              ".file 1 \"kernel.cu\"\n"
                              ".file 2 \"tmem.cuh\"\n"
                              ".section .debug_str\n"
                              "{\n"
                              "$L__info_string0:\n"
                              ".b8 102, 0\n"
                              "$L__info_string1:\n"
                              ".b8 103, 0\n"
                              "}\n";

static struct ptxopt_result *run_with(struct ptxopt_options *options, const char *text)
{
    assert_non_null(options);
    struct ptxopt_result *result = ptxopt_run(options, "k.ptx", text, strlen(text));
    ptxopt_options_free(options);
    return result;
}

static struct ptxopt_result *run(const char *text)
{
    return run_with(ptxopt_options_new(), text);
}

static void assert_origin(const struct ptxopt_origin *origin, const char *file, uint32_t line,
                          uint32_t column)
{
    assert_string_equal(origin->file, file);
    assert_int_equal(origin->line, line);
    assert_int_equal(origin->column, column);
}

static void calls_that_were_inlined_follow_from_the_inside_out(void **state)
{
    (void)state;
    struct ptxopt_result *result = run(INLINED);
    const struct ptxopt_finding *deleted = ptxopt_result_next(result, PTXOPT_DELETED, NULL);
    assert_non_null(deleted);
    assert_int_equal(deleted->origin_count, 3);
    assert_origin(&deleted->origins[0], "tmem.cuh", 30, 7);
    assert_origin(&deleted->origins[1], "tmem.cuh", 20, 5);
    assert_origin(&deleted->origins[2], "kernel.cu", 10, 3);
    const struct ptxopt_finding *kept = ptxopt_result_next(result, PTXOPT_KEPT, NULL);
    assert_non_null(kept);
    assert_int_equal(kept->origin_count, 1);
    assert_origin(&kept->origins[0], "kernel.cu", 10, 3);
    ptxopt_result_free(result);
}

static void the_fix_and_the_shift_make_the_output(void **state)
{
    (void)state;
    struct ptxopt_options *options = ptxopt_options_new();
    ptxopt_options_set_style(options, PTXOPT_SQUEEZE);
    struct ptxopt_result *result = run_with(options, INLINED);
    const struct ptxopt_finding *deleted = ptxopt_result_next(result, PTXOPT_DELETED, NULL);
    size_t len;
    const char *text = ptxopt_result_text(result, &len);
    assert_non_null(deleted);
    assert_string_equal(deleted->replacement, "");
    assert_int_equal(INLINED[deleted->replaced_start - 1], '\n');
    assert_int_equal(INLINED[deleted->replaced_end], '\n');
    assert_int_equal(deleted->shift, (int)len - (int)strlen(INLINED));
    const char *ret = strstr(INLINED, "\tret;");
    assert_memory_equal(text + (ret - INLINED) + deleted->shift, "\tret;", 5);
    assert_null(ptxopt_result_next(result, PTXOPT_DELETED, deleted));
    assert_int_equal(ptxopt_result_count(result, PTXOPT_DELETED), 1);
    ptxopt_result_free(result);
}

static void a_kept_candidate_has_the_last_word_of_each_rule(void **state)
{
    (void)state;
    struct ptxopt_result *result = run(INLINED);
    const struct ptxopt_finding *kept = ptxopt_result_next(result, PTXOPT_KEPT, NULL);
    assert_int_equal(kept->decline_count, 2);
    assert_string_equal(kept->declines[0].rule, "wait-idle");
    assert_string_equal(kept->declines[0].reason, "async-op");
    assert_int_equal(kept->declines[0].witness_line, 8);
    assert_string_equal(kept->declines[1].rule, "wait-covered");
    ptxopt_result_free(result);
}

static void what_is_not_ptx_is_a_status_a_message_and_a_place(void **state)
{
    (void)state;
    struct ptxopt_result *result = run(".version 8.8\n.target sm_100a\n} // tcgen05\n");
    size_t count;
    const struct ptxopt_finding *findings = ptxopt_result_findings(result, &count);
    assert_int_equal(ptxopt_result_status(result), PTXOPT_BAD_INPUT);
    assert_true(count >= 1);
    assert_int_equal(findings[0].level, PTXOPT_ERROR);
    assert_int_equal(findings[0].line, 3);
    assert_string_equal(ptxopt_result_message(result), findings[0].message);
    ptxopt_result_free(result);
    result = run(INLINED);
    assert_string_equal(ptxopt_result_message(result), "");
    ptxopt_result_free(result);
}

static void what_names_nothing_is_passed_on_unread_but_for_a_full_parse(void **state)
{
    static const char text[] = ".version 8.6\n\x01 no PTX }\n";
    (void)state;
    struct ptxopt_result *result = run(text);
    size_t len;
    assert_int_equal(ptxopt_result_status(result), PTXOPT_OK);
    assert_false(ptxopt_result_changed(result));
    assert_memory_equal(ptxopt_result_text(result, &len), text, sizeof text - 1);
    assert_int_equal(len, sizeof text - 1);
    ptxopt_result_free(result);
    struct ptxopt_options *options = ptxopt_options_new();
    ptxopt_options_set_parse(options, PTXOPT_PARSE_FULL);
    result = run_with(options, text);
    assert_int_equal(ptxopt_result_status(result), PTXOPT_BAD_INPUT);
    ptxopt_result_free(result);
}

static void every_format_gives_a_report_and_no_other(void **state)
{
    (void)state;
    struct ptxopt_result *result = run(INLINED);
    size_t count, len;
    const struct ptxopt_report_format *formats = ptxopt_report_formats(&count);
    assert_true(count >= 12);
    for (size_t i = 0; i < count; i++) {
        char *report = ptxopt_report(result, formats[i].name, "k.ptx", &len);
        assert_non_null(report);
        assert_int_equal(strlen(report), len);
        assert_non_null(strstr(report, "k.ptx"));
        free(report);
    }
    assert_null(ptxopt_report(result, "telex", "k.ptx", &len));
    ptxopt_result_free(result);
}

static void the_header_has_the_library_s_version(void **state)
{
    (void)state;
    char text[32];
    snprintf(text, sizeof text, "%d.%d.%d", PTXOPT_VERSION_MAJOR, PTXOPT_VERSION_MINOR,
             PTXOPT_VERSION_PATCH);
    assert_string_equal(text, ptxopt_version());
}

/* A caller who only needs the text does not request the remarks; the text and the counts are the
 * same. */
static void remarks_may_be_left_out(void **state)
{
    (void)state;
    struct ptxopt_options *options = ptxopt_options_new();
    ptxopt_options_set_remarks(options, false);
    struct ptxopt_result *quiet = run_with(options, INLINED), *all = run(INLINED);
    size_t count, quiet_len, len;
    (void)ptxopt_result_findings(quiet, &count);
    assert_int_equal(count, 0);
    assert_true(ptxopt_result_count(all, PTXOPT_DELETED) > 0);
    const char *quiet_text = ptxopt_result_text(quiet, &quiet_len);
    const char *text = ptxopt_result_text(all, &len);
    assert_int_equal(quiet_len, len);
    assert_memory_equal(quiet_text, text, len);
    assert_int_equal(ptxopt_result_stats(quiet)->deleted, ptxopt_result_stats(all)->deleted);
    ptxopt_result_free(quiet);
    ptxopt_result_free(all);

    options = ptxopt_options_new();
    ptxopt_options_set_remarks(options, false);
    quiet = run_with(options, "tcgen05 is no PTX");
    assert_int_equal(ptxopt_result_findings(quiet, &count)->level, PTXOPT_ERROR);
    ptxopt_result_free(quiet);
}

static void operations_come_with_steps_in_order_of_place(void **state)
{
    static const enum ptxopt_operation_kind kinds[] = {PTXOPT_LOAD, PTXOPT_WAIT_LOAD,
                                                       PTXOPT_WAIT_LOAD, PTXOPT_LEAVE};
    static const uint32_t lines[] = {8, 9, 13, 14};
    (void)state;
    size_t count;
    struct ptxopt_result *result = run(INLINED);
    (void)ptxopt_result_operations(result, &count);
    assert_int_equal(count, 0);
    ptxopt_result_free(result);

    struct ptxopt_options *options = ptxopt_options_new();
    ptxopt_options_set_steps(options, true);
    result = run_with(options, INLINED);
    const struct ptxopt_operation *operations = ptxopt_result_operations(result, &count);
    assert_int_equal(count, sizeof lines / sizeof *lines);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(operations[i].kind, kinds[i]);
        assert_int_equal(operations[i].line, lines[i]);
        assert_string_equal(operations[i].function, "k");
    }
    assert_memory_equal(INLINED + operations[0].start, "tcgen05.ld", 10);
    assert_int_equal(INLINED[operations[0].end - 1], ';');
    assert_int_equal(operations[2].start, ptxopt_result_next(result, PTXOPT_DELETED, NULL)->start);
    ptxopt_result_free(result);
}

static void assert_begins(const char *text, const char *start)
{
    assert_memory_equal(text, start, strlen(start));
}

static void settings_are_told_in_words(void **state)
{
    (void)state;
    struct ptxopt_result *result = run(INLINED);
    assert_begins(ptxopt_result_settings(result), "all rules, PTX ISA 8.8, assumes ");
    ptxopt_result_free(result);

    struct ptxopt_options *options = ptxopt_options_new();
    assert_true(ptxopt_options_set_rules(options, "wait-idle,wait-covered"));
    assert_true(ptxopt_options_set_isa(options, "9.4"));
    ptxopt_options_set_lint(options, true);
    result = run_with(options, INLINED);
    const char *settings = ptxopt_result_settings(result);
    assert_begins(settings, "rules wait-idle, wait-covered, PTX ISA 9.4 as asked for, assumes ");
    assert_string_equal(settings + strlen(settings) - 6, ", lint");
    ptxopt_result_free(result);

    result = run("no function");
    assert_string_equal(ptxopt_result_settings(result), "");
    ptxopt_result_free(result);
}

static void an_empty_text_may_be_null(void **state)
{
    (void)state;
    size_t n;
    struct ptxopt_options *options = ptxopt_options_new();
    ptxopt_options_set_parse(options, PTXOPT_PARSE_FULL);
    struct ptxopt_result *result = ptxopt_run(options, "empty.ptx", NULL, 0);
    assert_int_equal(ptxopt_result_status(result), PTXOPT_BAD_INPUT);
    ptxopt_result_free(result);
    struct ptxopt_verification *same = ptxopt_verify(options, NULL, 0, NULL, 0);
    assert_int_equal(ptxopt_verification_status(same), PTXOPT_OK);
    ptxopt_verification_free(same);
    free(ptxopt_dump(options, "cst", "empty.ptx", NULL, 0, &n));
    ptxopt_options_free(options);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(calls_that_were_inlined_follow_from_the_inside_out),
        cmocka_unit_test(the_fix_and_the_shift_make_the_output),
        cmocka_unit_test(a_kept_candidate_has_the_last_word_of_each_rule),
        cmocka_unit_test(what_is_not_ptx_is_a_status_a_message_and_a_place),
        cmocka_unit_test(what_names_nothing_is_passed_on_unread_but_for_a_full_parse),
        cmocka_unit_test(every_format_gives_a_report_and_no_other),
        cmocka_unit_test(the_header_has_the_library_s_version),
        cmocka_unit_test(remarks_may_be_left_out),
        cmocka_unit_test(operations_come_with_steps_in_order_of_place),
        cmocka_unit_test(settings_are_told_in_words),
        cmocka_unit_test(an_empty_text_may_be_null),
    };
    return RUN_TESTS(tests);
}
