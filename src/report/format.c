/* Which report formats are there? A new one is a file, a declaration and a row. */
#include "report/format.h"

/* X(name, summary, function) */
#define FORMATS(X)                                                                                 \
    X("text", "for people, in colour on a terminal", report_text)                                  \
    X("diff", "a unified diff, for git apply and patch", report_diff)                              \
    X("json", "everything, as one document (schema report-2.schema.json)", report_json)            \
    X("ndjson", "the same, an object a line", report_ndjson)                                       \
    X("sarif", "SARIF 2.1.0, for GitHub code scanning and editors", report_sarif)                  \
    X("rdjson", "for reviewdog, one document", report_rdjson)                                      \
    X("rdjsonl", "for reviewdog, an object a line", report_rdjsonl)                                \
    X("github", "annotations of GitHub Actions", report_github)                                    \
    X("gitlab", "Code Quality of GitLab", report_gitlab)                                           \
    X("markdown", "fits a comment on a pull request", report_markdown)                             \
    X("html", "one page that needs nothing else", report_html)                                     \
    X("svg", "a picture of each kernel that changes, before and after", report_svg)                \
    X("remarks", "optimization records of LLVM, as YAML", report_remarks)

#define ROW(name, summary, write) {name, summary, write},
static const struct report_format table[] = {FORMATS(ROW)};
#undef ROW

const struct ptxopt_report_format *ptxopt_report_formats(size_t *count)
{
#define PUBLIC(name, summary, write) {name, summary},
    static const struct ptxopt_report_format formats[] = {FORMATS(PUBLIC)};
#undef PUBLIC
    *count = sizeof formats / sizeof *formats;
    return formats;
}

const struct report_format *report_formats(size_t *count)
{
    *count = sizeof table / sizeof *table;
    return table;
}

const struct report_format *report_format_find(const char *name)
{
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (strcmp(table[i].name, name) == 0) return &table[i];
    return NULL;
}

bool report_tells_line_hashes(const struct report_format *format)
{
    return format->write == report_sarif;
}

bool report_shows_context(const struct report_format *format)
{
    return format->write == report_html || format->write == report_svg;
}

struct one {
    const struct report_format *format;
    const char *path;
    const struct ptxopt_result *result;
    struct buf out;
};

static void write_one(void *context)
{
    struct one *one = context;
    struct review_file file = {0};
    const struct review_file *files[] = {&file};
    struct review review = {.files = files, .count = 1};
    review_file_build(&file, one->path, one->path, one->result, NULL);
    if (report_tells_line_hashes(one->format)) review_file_hash_lines(&file, one->result);
    if (report_shows_context(one->format)) review_file_add_context(&file, one->result);
    one->format->write(&one->out, &review);
    review_file_free(&file);
}

struct work_outcome report_one(struct buf *out, const struct report_format *format,
                               const struct work_limits *limits, const char *path,
                               const struct ptxopt_result *result)
{
    struct one one = {format, path, result, {0}};
    struct work_outcome outcome = work_run(limits, write_one, &one);
    if (outcome.end == WORK_DONE) *out = one.out;
    return outcome;
}

char *ptxopt_report(const struct ptxopt_result *result, const char *format, const char *path,
                    size_t *len)
{
    struct buf out = {0};
    const struct report_format *found = report_format_find(format);
    if (!found || report_one(&out, found, NULL, path, result).end != WORK_DONE) return NULL;
    char *text = mem_export(out.data, out.len);
    *len = out.len;
    buf_free(&out);
    return text;
}
