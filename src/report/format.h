/* The report formats as one table. */
#ifndef PTXOPT_REPORT_FORMAT_H
#define PTXOPT_REPORT_FORMAT_H

#include "base/buf.h"
#include "base/work.h"
#include "report/model.h"

/* Strings are static. */
struct report_format {
    const char *name;    /* "sarif" */
    const char *summary; /* for the manual: what it is and who reads it */
    void (*write)(struct buf *out, const struct review *review); /* appends the whole report */
};

/* The table as an array of *count rows. */
const struct report_format *report_formats(size_t *count);

/* The row of that name, or NULL. */
const struct report_format *report_format_find(const char *name);

/* Whether it tells what review_file_hash_lines adds. */
bool report_tells_line_hashes(const struct report_format *format);

/* Whether it shows what review_file_add_context adds. */
bool report_shows_context(const struct report_format *format);

/* The whole report on one result into *out, which is empty, within limits (NULL: none). When it
 * does not come to its end *out stays empty. */
struct work_outcome report_one(struct buf *out, const struct report_format *format,
                               const struct work_limits *limits, const char *path,
                               const struct ptxopt_result *result);

/* The formats, one a file. */
void report_text(struct buf *out, const struct review *review);
void report_diff(struct buf *out, const struct review *review);
void report_json(struct buf *out, const struct review *review);
void report_ndjson(struct buf *out, const struct review *review);
void report_sarif(struct buf *out, const struct review *review);
void report_rdjson(struct buf *out, const struct review *review);
void report_rdjsonl(struct buf *out, const struct review *review);
void report_github(struct buf *out, const struct review *review);
bool report_github_overflows(const struct review *review); /* it has more than it may show */
void report_gitlab(struct buf *out, const struct review *review);
void report_markdown(struct buf *out, const struct review *review);
void report_html(struct buf *out, const struct review *review);
void report_svg(struct buf *out, const struct review *review);
void report_remarks(struct buf *out, const struct review *review);

#endif
