/* Which messages has this run gathered? */
#include "text/diag.h"

void diag_add(struct diag_list *list, enum diag_level level, struct place place, const char *code,
              const char *text)
{
    vec_push(list, (struct diag){level, place, code, text});
}
