/* Reports which findings of lint were fixed, and which were not. */
#ifndef PTXOPT_REPORT_FIXES_H
#define PTXOPT_REPORT_FIXES_H

#include "api/ptxopt.h"
#include "base/buf.h"

/* Appends a line for each finding of a run with ptxopt_options_set_fix: "NAME:LINE:COLUMN: fixed:
 * …" or "NAME:LINE:COLUMN: not fixed: …". done: the changed text is written; otherwise the line
 * says what would be inserted. */
void fixes_print(struct buf *out, const char *name, const struct ptxopt_result *result, bool done);

#endif
