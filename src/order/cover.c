/* Returns the entry of a table for the edge of a .func. */
#include "order/cover.h"

const struct cover_entry *cover_edge(const struct cover_table *table)
{
    static const struct cover_entry unknown = STOP(REASON_FUNCTION_EDGE);
    return table->on[EDGE].does == COVER_PASS ? &unknown : &table->on[EDGE];
}
