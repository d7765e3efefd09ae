/* Collects the errors that the rules of strict.h find. See strict_rule.h. */
#include "syntax/strict_rule.h"

void strict_complain(struct strict *strict, uint32_t at, const char *text)
{
    if (strict->found++ < STRICT_COMPLAINTS)
        diag_add(strict->diags, source_place(strict->source, at), "syntax", text);
}
