/* A result as lines for people, in the manner of compilers. */
#ifndef PTXOPT_REPORT_TEXT_H
#define PTXOPT_REPORT_TEXT_H

#include <stdbool.h>

#include "base/buf.h"
#include "api/ptxopt.h"
#include "report/measure.h"
#include "report/witness.h"

/* Each line is "name:line:col: error|warning|note|remark: text"; control bytes that come from the
 * input are shown as '?'. */

/* What always has to be said: errors and warnings, functions in which ptxopt itself failed, and
 * hazards, with the lines and sentences they rest on (a note's only with whole_notes), and what
 * the machine code says of them (witnesses; NULL when it was not asked). forgiving: what is wrong
 * with the input is shown as a warning. */
void text_diagnostics(struct buf *out, const char *name, const struct ptxopt_result *result,
                      const struct witnesses *witnesses, bool forgiving, bool whole_notes);

/* Every deletion, kept candidate, advice and skipped function, in order of place. */
void text_remarks(struct buf *out, const char *name, const struct ptxopt_result *result);

/* A table of counts, bytes and times, and of what ptxas made of the text before and after. */
void text_stats(struct buf *out, const char *name, const struct ptxopt_result *result,
                const struct measure_pair *sass);

#endif
