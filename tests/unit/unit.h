/* cmocka with TAP output; test names are sentences. The exit status is 0 whenever it ran, since TAP
 * reports the results. */
#ifndef PTXOPT_TESTS_UNIT_H
#define PTXOPT_TESTS_UNIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define RUN_TESTS(tests)                                                                           \
    (cmocka_set_message_output(CM_OUTPUT_TAP), cmocka_run_group_tests(tests, NULL, NULL), 0)

/* A small generator with a fixed seed: the same "random" programs everywhere. */
static inline uint32_t random_below(uint32_t *state, uint32_t bound)
{
    *state ^= *state << 13;
    *state ^= *state >> 17;
    *state ^= *state << 5;
    return *state % bound;
}

#endif
