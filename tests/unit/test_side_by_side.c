/* Checks that each word of the code after is found in the code before, in any order of ptxas. */
#include "report/side_by_side.h"

#include <string.h>

#include "api/ptxopt.h"
#include "unit.h"

/* The wait on line 9 is removed. */
static const char TEXT[] = ".version 8.8\n"
                           ".target sm_100a\n"
                           ".address_size 64\n"
                           ".visible .entry k()\n"
                           "{\n"
                           "\t.reg .b32 %r<4>;\n"
                           "\ttcgen05.ld.sync.aligned.32x32b.x1.b32 {%r1}, [%r0];\n"
                           "\ttcgen05.wait::ld.sync.aligned;\n"
                           "\ttcgen05.wait::ld.sync.aligned;\n"
                           "\tadd.u32 %r2, %r1, 1;\n"
                           "\tadd.u32 %r2, %r2, 1;\n"
                           "\tret;\n"
                           "}\n";

enum { ADD = 0x210, MOV = 0x202, MOST = 8 };

/* A word as a line of the text and an opcode; line 0 ends them. */
struct made {
    uint32_t line, opcode;
};

struct made_code {
    struct machine_word words[MOST];
    uint32_t lines[MOST];
};

static struct machine_code make(struct made_code *made, const struct made *words)
{
    struct machine_code code = {.words = made->words, .lines = made->lines};
    *made = (struct made_code){{{0, 0}}, {0}};
    for (; words[code.count].line; code.count++) {
        made->words[code.count].low = words[code.count].opcode;
        made->lines[code.count] = words[code.count].line;
    }
    return code;
}

/* The rows must be those of want, a letter for each row: '=' on both sides, '-' before only, '+'
 * after only; 'M' before and 'm' after only, for rows that are at another place on the other side.
 */
static void assert_rows(bool squeeze, const struct made *before, const struct made *after,
                        const char *want)
{
    struct ptxopt_options *options = ptxopt_options_new();
    if (squeeze) ptxopt_options_set_style(options, PTXOPT_SQUEEZE);
    ptxopt_options_set_remarks(options, true);
    struct ptxopt_result *result = ptxopt_run(options, "k.ptx", TEXT, strlen(TEXT));
    struct made_code made[2];
    struct machine_code b = make(&made[0], before), a = make(&made[1], after);
    struct side_by_side sides = {.row_of_before = NULL};
    struct line_map map;
    char got[2 * MOST + 1] = "";
    line_map_build(&map, result);
    side_by_side_build(&sides, &b, &a, &map);
    for (uint32_t i = 0; i < sides.rows.count; i++) {
        struct side_row row = sides.rows.at[i];
        if (row.before != NO_WORD && row.after != NO_WORD)
            got[i] = '=';
        else if (row.after == NO_WORD)
            got[i] = sides.other_of_before[row.before] == NO_WORD ? '-' : 'M';
        else
            got[i] = sides.other_of_after[row.after] == NO_WORD ? '+' : 'm';
        if (row.before != NO_WORD) assert_int_equal(sides.row_of_before[row.before], i);
    }
    assert_string_equal(got, want);
    side_by_side_free(&sides);
    line_map_free(&map);
    ptxopt_result_free(result);
    ptxopt_options_free(options);
}

static void what_is_of_the_deleted_line_goes(void **state)
{
    (void)state;
    static const struct made before[] = {{7, SASS_LDTM}, {9, SASS_NOP}, {10, ADD}, {0, 0}};
    static const struct made after[] = {{7, SASS_LDTM}, {10, ADD}, {0, 0}};
    assert_rows(false, before, after, "=-=");
}

static void dropped_lines_move_those_behind(void **state)
{
    (void)state;
    static const struct made before[] = {{7, SASS_LDTM}, {8, SASS_NOP}, {9, SASS_NOP},
                                         {10, ADD},      {11, MOV},     {0, 0}};
    static const struct made after[] = {{7, SASS_LDTM}, {8, SASS_NOP}, {9, ADD}, {10, MOV}, {0, 0}};
    assert_rows(true, before, after, "==-==");
}

static void loads_stay_in_line_and_the_rest_moves_around_them(void **state)
{
    (void)state;
    static const struct made before[] = {
        {7, SASS_LDTM}, {10, ADD}, {11, ADD}, {8, SASS_LDTM}, {0, 0}};
    static const struct made after[] = {
        {7, SASS_LDTM}, {8, SASS_LDTM}, {10, ADD}, {11, ADD}, {0, 0}};
    assert_rows(false, before, after, "=MM=mm");
}

static void what_ptxas_gave_to_the_deleted_line_is_found_again(void **state)
{
    (void)state;
    static const struct made before[] = {{9, MOV}, {7, SASS_LDTM}, {9, SASS_NOP},
                                         {9, ADD}, {10, MOV},      {0, 0}};
    static const struct made after[] = {{7, SASS_LDTM}, {11, ADD}, {10, MOV}, {11, MOV}, {0, 0}};
    assert_rows(false, before, after, "M=-==m");
}

static void a_nop_elsewhere_is_another(void **state)
{
    (void)state;
    static const struct made before[] = {{9, SASS_NOP}, {7, SASS_LDTM}, {0, 0}};
    static const struct made after[] = {{7, SASS_LDTM}, {11, SASS_NOP}, {0, 0}};
    assert_rows(false, before, after, "-=+");
}

static void nothing_is_nothing(void **state)
{
    (void)state;
    static const struct made none[] = {{0, 0}}, one[] = {{7, SASS_LDTM}, {0, 0}};
    assert_rows(false, none, none, "");
    assert_rows(false, one, none, "-");
    assert_rows(false, none, one, "+");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_of_the_deleted_line_goes),
        cmocka_unit_test(dropped_lines_move_those_behind),
        cmocka_unit_test(loads_stay_in_line_and_the_rest_moves_around_them),
        cmocka_unit_test(what_ptxas_gave_to_the_deleted_line_is_found_again),
        cmocka_unit_test(a_nop_elsewhere_is_another),
        cmocka_unit_test(nothing_is_nothing),
    };
    return RUN_TESTS(tests);
}
