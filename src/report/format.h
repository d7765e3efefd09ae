/* The report formats as one list. */
#ifndef PTXOPT_REPORT_FORMAT_H
#define PTXOPT_REPORT_FORMAT_H

#include "base/buf.h"
#include "base/work.h"
#include "report/model.h"

/* The special properties of a format, as bits. */
enum report_trait {
    REPORT_EDITS_ONLY = 1 << 0,   /* shows what changes; not what is kept, nor what lint finds */
    REPORT_SHOWS_CODE = 1 << 1,   /* shows the code around each removal */
    REPORT_HAS_CONTEXT = 1 << 2,  /* shows what review_file_add_context adds */
    REPORT_HAS_FIGURES = 1 << 3,  /* has what ptxas counts (--stats) */
    REPORT_HAS_SASS = 1 << 4,     /* shows the machine code (--sass) */
    REPORT_TAKES_SOURCE = 1 << 5, /* its findings are at the CUDA line with --locate=source */
    REPORT_HASHES_LINES = 1 << 6, /* has what review_file_hash_lines adds */
    REPORT_PATHS_BELOW = 1 << 7,  /* its paths are those from the folder that ptxopt runs in */
    REPORT_JOB_SUMMARY = 1 << 8,  /* the rest, beyond its room, is in the summary of a GitHub job */
};

/* The one list: X(name, media type, traits, what it is and its readers), in the order of the
 * manual. report_NAME in a file of its own writes it. Help, manual, completion, the types of the
 * service's answers and the formats that tests try are made from it; tests/report.sh holds
 * openapi.json, the README and examples/review to it. */
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
    const char *type;    /* of media: "application/sarif+json" */
    const char *summary; /* for the manual: what it is and which programs read it */
    unsigned traits;
    void (*write)(struct buf *out, const struct review *review); /* appends the whole report */
};

/* The table as an array of *count rows. */
const struct report_format *report_formats(size_t *count);

/* The row of that name, or NULL. */
const struct report_format *report_format_find(const char *name);

/* Adds the names of the formats that have all of the traits, "text, json and html"; before_last is
 * " and ". */
void report_formats_name(struct buf *out, unsigned traits, const char *before_last);

/* Adds to a file, of the same result, what formats with these traits show. */
void report_prepare(struct review_file *file, const struct ptxopt_result *result, unsigned traits);

/* The bytes that a report has at most, by default. */
#define REPORT_MAX_BYTES ((size_t)256 << 20)

/* The whole report into *out, which is empty. WORK_OVER_LIMIT: it has more than max_bytes. When it
 * does not complete *out is empty. */
struct work_outcome report_write(struct buf *out, const struct report_format *format,
                                 const struct review *review, size_t max_bytes);

/* The same of one result, at most REPORT_MAX_BYTES, within limits (NULL: none). */
struct work_outcome report_one(struct buf *out, const struct report_format *format,
                               const struct work_limits *limits, const char *path,
                               const struct ptxopt_result *result);

/* Whether the annotations of GitHub are more than it may show. */
bool report_github_overflows(const struct review *review);

#endif
