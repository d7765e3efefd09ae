/* Reports which findings of lint were fixed, and which were not. */
#ifndef PTXOPT_REPORT_FIXES_H
#define PTXOPT_REPORT_FIXES_H

#include "api/ptxopt.h"
#include "base/buf.h"

/* A line for each finding of a run with ptxopt_options_set_fix: "NAME:LINE:COLUMN: fixed: …" or
 * "… not fixed: …". done: the lines are in a text that is written; else they would be. */
void fixes_print(struct buf *out, const char *name, const struct ptxopt_result *result, bool done);

#endif
