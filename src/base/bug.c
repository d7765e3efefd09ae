/* Ends the work, or the process, after an internal error. See bug.h. */
#include "base/bug.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/work.h"

void bug(const char *what, const char *file, int line)
{
    if (work_thread.open) work_bug(what, file, line);
    fprintf(stderr, "ptxopt: internal error: %s (%s:%d)\n", what, file, line);
    abort();
}
