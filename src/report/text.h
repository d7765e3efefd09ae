/* Writes a result as lines for people, as compilers do. */
#ifndef PTXOPT_REPORT_TEXT_H
#define PTXOPT_REPORT_TEXT_H

#include <stdbool.h>

#include "base/buf.h"
#include "api/ptxopt.h"
#include "report/model.h"

/* A finding is one line: its place and at most 120 bytes, such as "k.cu:29 (k.ptx:289): remark: 15
 * of 16 wait::ld redundant: the last one covers them [wait-covered]". Copies at one CUDA line are
 * one finding. Control characters from the input are shown as '?'. */

enum text_place {
    TEXT_BOTH,   /* "k.cu:29 (k.ptx:289)" if the CUDA line is known, otherwise "k.ptx:289:2" */
    TEXT_PTX,    /* "k.ptx:289:2" */
    TEXT_SOURCE, /* "k.cu:29:5" if it is known */
};

struct review_finder; /* anchor.h */

struct text_manner {
    bool forgiving; /* errors in the input are shown as warnings */
    bool full;      /* the details of each finding follow it, indented */
    bool no_hazards;
    bool color; /* for a terminal: colours for places and levels, and long paths are shortened */
    enum text_place place;
    const struct review_finder *finder; /* of the CUDA files; NULL: they are named as in .file */
    const char *verb;                   /* for a removal: "removed" or "redundant" */
};

/* Appends one item of that file, with a line break. */
void text_item(struct buf *out, const char *name, const struct review_item *item,
               const struct text_manner *manner);

/* Appends what is always shown: errors and warnings, functions in which ptxopt itself failed, and
 * hazards with what the machine code shows about them (witnesses; NULL: not requested). */
void text_diagnostics(struct buf *out, const char *name, const struct ptxopt_result *result,
                      const struct witnesses *witnesses, const struct text_manner *manner);

/* Appends every removal, kept candidate, advice and skipped function, in the order of their
 * places. */
void text_remarks(struct buf *out, const char *name, const struct ptxopt_result *result,
                  const struct text_manner *manner);

/* Appends only the removals, without those that a baseline accepts. */
void text_deletions(struct buf *out, const char *name, const struct ptxopt_result *result,
                    const struct text_manner *manner);

/* Appends the finding with that id, if there is one. */
void text_finding(struct buf *out, const char *name, const struct ptxopt_result *result,
                  const char *id, const struct text_manner *manner);

/* Appends what lint examined, found and hid because of its level: "1 function examined, no errors
 * or warnings". */
void text_lint_sum(struct buf *out, const struct ptxopt_result *result);

/* Appends "12 of 45 candidates removed", with verb for the last word; "2 findings" if only lint
 * ran. */
void text_sum(struct buf *out, const struct ptxopt_result *result, const char *verb);

/* Appends what each removal changed in the machine code, without those that a baseline accepts. */
void text_changes(struct buf *out, const char *name, const struct ptxopt_result *result,
                  const struct sass_changes *changes);

/* Appends a line for each kernel with its ptxas figures before and after, then a line for each that
 * got worse. */
void text_figures(struct buf *out, const struct measure_pair *sass);

/* Appends a table of counts, bytes and times, and of the ptxas figures before and after (NULL:
 * ptxas was not run). */
void text_stats(struct buf *out, const char *name, const struct ptxopt_result *result,
                const struct measure_pair *sass);

#endif
