/* Lists the assumptions and their defaults. */
#include "order/assume.h"

#include <string.h>

#include "base/buf.h"

#define ROW(name, bit, on, summary, section, explanation) {name, bit, on, section},
static const struct assumption_row ROWS[] = {ASSUMPTIONS(ROW)};
#undef ROW

const struct assumption_row *assume_rows(uint32_t *count)
{
    *count = sizeof ROWS / sizeof *ROWS;
    return ROWS;
}

uint32_t assume_defaults(void)
{
    uint32_t bits = 0;
    for (uint32_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++)
        if (ROWS[i].on_by_default) bits |= ROWS[i].bit;
    return bits;
}

const char *assume_section(uint32_t bit)
{
    uint32_t i = 0;
    while (ROWS[i].bit != bit) i++;
    return ROWS[i].section;
}

uint32_t assume_find(const char *name)
{
    for (uint32_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++)
        if (strcmp(ROWS[i].name, name) == 0) return ROWS[i].bit;
    return 0;
}

const char *assume_names(uint32_t bits, struct arena *arena)
{
    struct buf names = {0};
    if (!bits) return "";
    for (uint32_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++)
        if (bits & ROWS[i].bit) {
            if (names.len) buf_putc(&names, ',');
            buf_puts(&names, ROWS[i].name);
        }
    const char *copy = arena_copy(arena, names.data, names.len);
    buf_free(&names);
    return copy;
}
