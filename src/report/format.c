/* Which report formats are there? A new one is a file, a declaration and a row. */
#include "report/format.h"

static const struct report_format table[] = {
    {"text", "for people, in colour on a terminal", report_text},
    {"diff", "a unified diff, for git apply and patch", report_diff},
    {"json", "everything, as one document (schema report-1.schema.json)", report_json},
    {"ndjson", "the same, an object a line", report_ndjson},
    {"sarif", "SARIF 2.1.0, for GitHub code scanning and editors", report_sarif},
    {"rdjson", "for reviewdog, one document", report_rdjson},
    {"rdjsonl", "for reviewdog, an object a line", report_rdjsonl},
    {"github", "annotations of GitHub Actions", report_github},
    {"gitlab", "Code Quality of GitLab", report_gitlab},
    {"markdown", "fits a comment on a pull request", report_markdown},
    {"html", "one page that needs nothing else", report_html},
    {"remarks", "optimization records of LLVM, as YAML", report_remarks},
};

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

struct one {
    const struct report_format *format;
    const char *path;
    struct str text;
    const struct ptxopt_result *result;
    struct buf out;
};

static void write_one(void *context)
{
    struct one *one = context;
    struct review_file file = {0};
    const struct review_file *files[] = {&file};
    struct review review = {.files = files, .count = 1};
    review_file_build(&file, one->path, one->text, one->result, NULL);
    one->format->write(&one->out, &review);
    review_file_free(&file);
}

struct work_outcome report_one(struct buf *out, const struct report_format *format,
                               const struct work_limits *limits, const char *path, struct str text,
                               const struct ptxopt_result *result)
{
    struct one one = {format, path, text, result, {0}};
    struct work_outcome outcome = work_run(limits, write_one, &one);
    if (outcome.end == WORK_DONE) *out = one.out;
    return outcome;
}
