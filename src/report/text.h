/* A result as lines for people, in the manner of compilers. */
#ifndef PTXOPT_REPORT_TEXT_H
#define PTXOPT_REPORT_TEXT_H

#include <stdbool.h>

#include "base/buf.h"
#include "api/ptxopt.h"
#include "report/model.h"

/* A finding is one line, its place and at most 120 bytes: "k.cu:29 (k.ptx:289): remark: 15 of 16
 * wait::ld redundant: the last one covers them [wait-covered]". Copies of one CUDA line are one
 * finding. Control bytes that come from the input are shown as '?'. */

enum text_place {
    TEXT_BOTH,   /* "k.cu:29 (k.ptx:289)" where the CUDA line is known, else "k.ptx:289:2" */
    TEXT_PTX,    /* "k.ptx:289:2" */
    TEXT_SOURCE, /* "k.cu:29:5" where it is known */
};

struct review_finder; /* anchor.h */

struct text_manner {
    bool forgiving; /* what is wrong with the input is shown as a warning */
    bool full;      /* what each finding rests on follows it, indented */
    bool no_hazards;
    bool color; /* for a terminal: escapes around places and levels, and long paths are shortened */
    enum text_place place;
    const struct review_finder
        *finder;      /* of the CUDA files; NULL: they are named as .file has it */
    const char *verb; /* of a removal: "removed" or "redundant" */
};

/* One item of that file with its line break. */
void text_item(struct buf *out, const char *name, const struct review_item *item,
               const struct text_manner *manner);

/* What is always shown: errors and warnings, functions in which ptxopt itself failed, and hazards,
 * with what the machine code shows of them (witnesses; NULL when it was not requested). */
void text_diagnostics(struct buf *out, const char *name, const struct ptxopt_result *result,
                      const struct witnesses *witnesses, const struct text_manner *manner);

/* Every removal, kept candidate, advice and skipped function, in order of place. */
void text_remarks(struct buf *out, const char *name, const struct ptxopt_result *result,
                  const struct text_manner *manner);

/* The removals of text_remarks alone, less those that a baseline accepts. */
void text_deletions(struct buf *out, const char *name, const struct ptxopt_result *result,
                    const struct text_manner *manner);

/* The finding with that id, if there is one. */
void text_finding(struct buf *out, const char *name, const struct ptxopt_result *result,
                  const char *id, const struct text_manner *manner);

/* "1 function examined, no errors or warnings": what lint examined and found. */
void text_lint_sum(struct buf *out, const struct ptxopt_result *result);

/* "12 of 45 candidates removed", or what verb says instead; "2 findings" where only lint ran. */
void text_sum(struct buf *out, const struct ptxopt_result *result, const char *verb);

/* What each removal changed in the machine code, but for those that a baseline accepts. */
void text_changes(struct buf *out, const char *name, const struct ptxopt_result *result,
                  const struct sass_changes *changes);

/* A line a kernel: what ptxas made of it before and after. Then one for each that got worse. */
void text_figures(struct buf *out, const struct measure_pair *sass);

/* A table of counts, bytes and times, and of what ptxas made of the text before and after (NULL: it
 * was not run). */
void text_stats(struct buf *out, const char *name, const struct ptxopt_result *result,
                const struct measure_pair *sass);

#endif
