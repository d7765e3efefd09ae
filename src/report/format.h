/* The report formats as one list. */
#ifndef PTXOPT_REPORT_FORMAT_H
#define PTXOPT_REPORT_FORMAT_H

#include "base/buf.h"
#include "base/work.h"
#include "report/model.h"

/* The special properties of a format, as bits. */
enum report_trait {
    REPORT_EDITS_ONLY = 1 << 0,   /* shows only changes, not what is kept or what lint finds */
    REPORT_SHOWS_CODE = 1 << 1,   /* shows the code around each removal */
    REPORT_HAS_CONTEXT = 1 << 2,  /* shows what review_file_add_context adds */
    REPORT_HAS_FIGURES = 1 << 3,  /* shows the figures of ptxas (--stats) */
    REPORT_HAS_SASS = 1 << 4,     /* shows the machine code (--sass) */
    REPORT_TAKES_SOURCE = 1 << 5, /* with --locate=source, findings are at the CUDA line */
    REPORT_HASHES_LINES = 1 << 6, /* uses what review_file_hash_lines adds */
    REPORT_PATHS_BELOW = 1 << 7,  /* paths are relative to the current folder of ptxopt */
    REPORT_JOB_SUMMARY = 1 << 8,  /* what does not fit is in the summary of a GitHub job */
};

/* The list of formats: X(name, media type, traits, what it is and who reads it), in the order of
 * the manual. Each is written by report_NAME in its own file. Help, manual, completion, the media
 * types of the service and the formats that tests try are generated from this list. tests/report.sh
 * compares openapi.json, the README and examples/review with it. */
/* clang-format off */
#define REPORT_FORMATS(X)                                                                          \
    X(text, "text/plain",                                                                          \
      REPORT_SHOWS_CODE | REPORT_HAS_FIGURES | REPORT_HAS_SASS | REPORT_TAKES_SOURCE,              \
      "for people, in colour on a terminal")                                                       \
    X(diff, "text/x-diff", REPORT_EDITS_ONLY | REPORT_SHOWS_CODE | REPORT_PATHS_BELOW,             \
      "a unified diff, for git apply and patch")                                                   \
    X(json, "application/json", REPORT_SHOWS_CODE | REPORT_HAS_FIGURES | REPORT_HAS_SASS,          \
      "everything, as one document (schema report-2.schema.json)")                                 \
    X(ndjson, "application/x-ndjson", REPORT_SHOWS_CODE | REPORT_HAS_FIGURES | REPORT_HAS_SASS,    \
      "the same, an object a line")                                                                \
    X(sarif, "application/sarif+json",                                                             \
      REPORT_SHOWS_CODE | REPORT_HAS_FIGURES | REPORT_TAKES_SOURCE | REPORT_HASHES_LINES |         \
          REPORT_PATHS_BELOW,                                                                      \
      "SARIF 2.1.0, for GitHub code scanning and editors")                                         \
    X(rdjson, "application/json", REPORT_TAKES_SOURCE | REPORT_PATHS_BELOW,                        \
      "for reviewdog, one document")                                                               \
    X(rdjsonl, "application/x-ndjson", REPORT_TAKES_SOURCE | REPORT_PATHS_BELOW,                   \
      "for reviewdog, an object a line")                                                           \
    X(github, "text/plain", REPORT_TAKES_SOURCE | REPORT_PATHS_BELOW | REPORT_JOB_SUMMARY,         \
      "annotations of GitHub Actions")                                                             \
    X(gitlab, "application/json", REPORT_TAKES_SOURCE | REPORT_PATHS_BELOW,                        \
      "Code Quality of GitLab")                                                                    \
    X(markdown, "text/markdown",                                                                   \
      REPORT_SHOWS_CODE | REPORT_HAS_FIGURES | REPORT_HAS_SASS | REPORT_TAKES_SOURCE,              \
      "fits a comment on a pull request")                                                          \
    X(html, "text/html",                                                                           \
      REPORT_SHOWS_CODE | REPORT_HAS_CONTEXT | REPORT_HAS_FIGURES | REPORT_HAS_SASS,               \
      "one page that needs nothing else")                                                          \
    X(svg, "image/svg+xml", REPORT_EDITS_ONLY | REPORT_HAS_CONTEXT,                                \
      "a picture of each kernel that changes, before and after")                                   \
    X(remarks, "application/yaml", REPORT_HAS_FIGURES | REPORT_TAKES_SOURCE,                       \
      "optimization records of LLVM, as YAML")
/* clang-format on */

#define DECLARE_FORMAT(name, type, traits, summary)                                                \
    void report_##name(struct buf *out, const struct review *review);
REPORT_FORMATS(DECLARE_FORMAT)
#undef DECLARE_FORMAT

/* Strings are static. */
struct report_format {
    const char *name;    /* "sarif" */
    const char *type;    /* media type, such as "application/sarif+json" */
    const char *summary; /* for the manual: what it is and which programs read it */
    unsigned traits;
    void (*write)(struct buf *out, const struct review *review); /* appends the whole report */
};

/* The table of formats. *count: its number of rows. */
const struct report_format *report_formats(size_t *count);

/* The row with that name; NULL: none. */
const struct report_format *report_format_find(const char *name);

/* Appends the names of the formats that have all of the traits, as in "text, json and html";
 * before_last is " and " in that example. */
void report_formats_name(struct buf *out, unsigned traits, const char *before_last);

/* Adds to *file, which was built from the same result, what formats with these traits show. */
void report_prepare(struct review_file *file, const struct ptxopt_result *result, unsigned traits);

/* The default limit of a report, in bytes. */
#define REPORT_MAX_BYTES ((size_t)256 << 20)

/* Writes the whole report into *out, which must be empty. WORK_OVER_LIMIT: it would have more than
 * max_bytes. If the outcome is not WORK_DONE, *out remains empty. */
struct work_outcome report_write(struct buf *out, const struct report_format *format,
                                 const struct review *review, size_t max_bytes);

/* Writes a report on one result, of at most REPORT_MAX_BYTES, within limits (NULL: none). */
struct work_outcome report_one(struct buf *out, const struct report_format *format,
                               const struct work_limits *limits, const char *path,
                               const struct ptxopt_result *result);

/* True if the review has more annotations of some level than GitHub shows. */
bool report_github_overflows(const struct review *review);

#endif
