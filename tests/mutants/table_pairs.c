/* The optimizer's table of pipelined pairs, with visible rows; linked in place of the library's. */
#include "order/pair.c"

#include "tables.h"

void make_pair_mutants(void)
{
    for (uint32_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
        const struct pair_row *row = &ROWS[i];
        const char *first = effect_name(row->first), *second = effect_name(row->second);
        for (enum effect other = EFFECT_ASYNC_LD; other <= EFFECT_ASYNC_SHIFT; other++) {
            if (other != row->first)
                add_mutant(OF_OPTIMIZER, (struct reach){0}, &row->first, &other, sizeof other,
                           "pair/%s, %s: first is %s", first, second, effect_name(other));
            if (other != row->second)
                add_mutant(OF_OPTIMIZER, (struct reach){0}, &row->second, &other, sizeof other,
                           "pair/%s, %s: second is %s", first, second, effect_name(other));
        }
        enum same same = row->same == SAME_ADDRESS ? SAME_ACCUMULATOR : SAME_ADDRESS;
        bool only = !row->only_9_4;
        add_mutant(OF_OPTIMIZER, (struct reach){0}, &row->same, &same, sizeof same,
                   "pair/%s, %s: by %s", first, second,
                   same == SAME_ADDRESS ? "address" : "accumulator");
        add_mutant(OF_OPTIMIZER, (struct reach){0}, &row->only_9_4, &only, sizeof only,
                   "pair/%s, %s: %s", first, second, only ? "from 9.4 on" : "in any version");
    }
}
