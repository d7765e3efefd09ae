/* A result as lines for people, in the manner of compilers. */
#ifndef PTXOPT_REPORT_TEXT_H
#define PTXOPT_REPORT_TEXT_H

#include <stdbool.h>

#include "base/buf.h"
#include "api/ptxopt.h"
#include "report/measure.h"
#include "report/sass_change.h"
#include "report/witness.h"

/* Each line is "name:line:col: error|warning|note|remark: text"; control bytes that come from the
 * input are shown as '?'. */

/* How it is said. */
struct text_manner {
    bool forgiving;   /* what is wrong with the input is shown as a warning */
    bool whole_notes; /* hazards that are notes, too, with what they rest on */
    bool no_hazards;
    bool at_source; /* places are those in the CUDA source, where they are known */
    bool color;     /* the escapes of a terminal around places and levels */
};

/* What always has to be said: errors and warnings, functions in which ptxopt itself failed, and
 * hazards, with the lines and sentences they rest on, and what the machine code says of them
 * (witnesses; NULL when it was not asked). */
void text_diagnostics(struct buf *out, const char *name, const struct ptxopt_result *result,
                      const struct witnesses *witnesses, const struct text_manner *manner);

/* Every deletion, kept candidate, advice and skipped function, in order of place. */
void text_remarks(struct buf *out, const char *name, const struct ptxopt_result *result,
                  const struct text_manner *manner);

/* The deletions of text_remarks alone, less those that a baseline accepts. */
void text_deletions(struct buf *out, const char *name, const struct ptxopt_result *result,
                    const struct text_manner *manner);

/* "12 of 45 candidates deleted", or what verb says instead; "2 findings" where only lint ran. */
void text_sum(struct buf *out, const struct ptxopt_result *result, const char *verb);

/* What each deletion changed in the machine code, but for those that a baseline accepts. */
void text_changes(struct buf *out, const char *name, const struct ptxopt_result *result,
                  const struct sass_changes *changes);

/* A line a kernel: what ptxas made of it before and after. Then one for each that got worse. */
void text_figures(struct buf *out, const struct measure_pair *sass);

/* A table of counts, bytes and times, and of what ptxas made of the text before and after (NULL: it
 * was not asked). */
void text_stats(struct buf *out, const char *name, const struct ptxopt_result *result,
                const struct measure_pair *sass);

#endif
