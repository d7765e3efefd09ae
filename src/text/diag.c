/* Collects messages about the input. See diag.h. */
#include "text/diag.h"

void diag_add(struct diag_list *list, struct place place, const char *code, const char *text)
{
    vec_push(list, (struct diag){place, code, text});
}
