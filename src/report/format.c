/* Finds report formats by name, and writes a report with limits. */
#include "report/format.h"

#define ROW(name, type, traits, summary) {#name, type, summary, traits, report_##name},
static const struct report_format table[] = {REPORT_FORMATS(ROW)};
#undef ROW

const struct ptxopt_report_format *ptxopt_report_formats(size_t *count)
{
#define PUBLIC(name, type, traits, summary) {#name, summary},
    static const struct ptxopt_report_format formats[] = {REPORT_FORMATS(PUBLIC)};
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

static size_t count_rows(unsigned traits)
{
    size_t count = 0;
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        count += (table[i].traits & traits) == traits;
    return count;
}

void report_formats_name(struct buf *out, unsigned traits, const char *before_last)
{
    size_t all = count_rows(traits), told = 0;
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        if ((table[i].traits & traits) != traits) continue;
        if (told) buf_puts(out, told + 1 < all ? ", " : before_last);
        buf_puts(out, table[i].name);
        told++;
    }
}

void report_prepare(struct review_file *file, const struct ptxopt_result *result, unsigned traits)
{
    if (traits & REPORT_HASHES_LINES) review_file_hash_lines(file, result);
    if (traits & REPORT_HAS_CONTEXT) review_file_add_context(file, result);
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
    report_prepare(&file, one->result, one->format->traits);
    one->out.most = REPORT_MAX_BYTES;
    one->format->write(&one->out, &review);
    one->out.most = 0;
    review_file_free(&file);
}

struct writing {
    const struct report_format *format;
    const struct review *review;
    struct buf out;
};

static void write_review(void *context)
{
    struct writing *writing = context;
    writing->format->write(&writing->out, writing->review);
    writing->out.most = 0;
}

struct work_outcome report_write(struct buf *out, const struct report_format *format,
                                 const struct review *review, size_t max_bytes)
{
    enum { MEMORY_A_BYTE = 16, LEAST = 64 << 20 }; /* for formats that build a tree first */
    struct writing writing = {format, review, {.most = max_bytes}};
    struct work_limits limits = {
        .max_bytes = max_bytes < SIZE_MAX / MEMORY_A_BYTE ? max_bytes * MEMORY_A_BYTE : 0};
    if (limits.max_bytes && limits.max_bytes < LEAST) limits.max_bytes = LEAST;
    struct work_outcome outcome = work_run(&limits, write_review, &writing);
    if (outcome.end == WORK_DONE) *out = writing.out;
    return outcome;
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
