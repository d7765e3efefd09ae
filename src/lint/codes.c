/* The table of lint's codes, in the order of the list. */
#include "lint/codes.h"

#define ADDRESS(name) &lint_##name,
static const struct lint_code *const codes[] = {LINT_CODES(ADDRESS)};
#undef ADDRESS

const struct lint_code *lint_code_at(uint32_t index)
{
    return codes[index];
}
