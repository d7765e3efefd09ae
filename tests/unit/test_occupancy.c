/* Checks the number of warps that fit. The figures are those of the formulas in cuda_occupancy.h
 * for the limits of compute capability 10.0 and 11.0. */
#include "report/occupancy.h"

#include "unit.h"

#include "base/mem.h"
#include "report/heads.h"

static void registers_are_given_in_steps_of_eight(void **state)
{
    (void)state;
    assert_int_equal(occupancy_warps("sm_100a", 32, 128), 64);
    assert_int_equal(occupancy_warps("sm_100a", 33, 128), 48);
    assert_int_equal(occupancy_warps("sm_100a", 40, 128), 48);
    assert_int_equal(occupancy_warps("sm_100a", 41, 128), 40);
    assert_int_equal(occupancy_warps("sm_100a", 255, 128), 8);
}

static void ctas_are_resident_whole(void **state)
{
    (void)state;
    assert_int_equal(occupancy_warps("sm_100a", 48, 256), 40);
    assert_int_equal(occupancy_warps("sm_100a", 49, 256), 32);
    assert_int_equal(occupancy_warps("sm_100a", 48, 1024), 32);
    assert_int_equal(occupancy_warps("sm_100a", 65, 1024), 0);
    assert_int_equal(occupancy_warps("sm_100a", 32, 1), 32);
}

static void some_have_room_for_fewer(void **state)
{
    (void)state;
    assert_int_equal(occupancy_warps("sm_110a", 32, 128), 48);
    assert_int_equal(occupancy_warps("sm_110a", 32, 32), 24);
    assert_int_equal(occupancy_warps("sm_103a", 32, 32), 32);
}

static void without_a_size_it_is_that_of_warps(void **state)
{
    (void)state;
    assert_int_equal(occupancy_warps("sm_100a", 16, 0), 64);
    assert_int_equal(occupancy_warps("sm_100a", 48, 0), 40);
}

static void heads_are_read_as_they_stand(void **state)
{
    (void)state;
    static const char text[] =
        ".version 8.6 // .target sm_9\n.target /* .entry no */ sm_100a, debug\n"
        ".file 1 \".entry name.cu\"\n.extern .entry gone();\n"
        ".visible .entry $a_1(.param .u64 p) .maxntid 32 , 4,2\n{ ret; }\n"
        ".func f() .noreturn { }\n.entry b() .minnctapersm 2 { ret; }\n"
        ".entry c() .reqntid 192\n.reqnctapercluster 2 { .reg .b32 %r; }\n"
        ".entry d() .maxntid 70000, 2 { }\n.entry e() .maxntid";
    static const struct {
        const char *name;
        uint32_t threads;
    } wanted[] = {{"gone", 0}, {"$a_1", 256}, {"b", 0}, {"c", 192}, {"d", 0}};
    struct str all = str_from(text);
    size_t at = 0, i = 0;
    for (struct head head; heads_next(all, &at, &head); i++) {
        assert_true(i < sizeof wanted / sizeof *wanted);
        assert_true(str_is(head.name, wanted[i].name));
        assert_int_equal(head.threads, wanted[i].threads);
    }
    assert_int_equal(i, sizeof wanted / sizeof *wanted);
    char *target = heads_target(all);
    assert_string_equal(target, "sm_100a");
    mem_free(target);
    assert_null(heads_target(str_from(".version 8.6\n.target")));
    assert_null(heads_target(str_from("/* .target sm_100 */ // .target sm_100")));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(registers_are_given_in_steps_of_eight),
        cmocka_unit_test(ctas_are_resident_whole),
        cmocka_unit_test(some_have_room_for_fewer),
        cmocka_unit_test(without_a_size_it_is_that_of_warps),
        cmocka_unit_test(heads_are_read_as_they_stand),
    };
    return RUN_TESTS(tests);
}
