/* Writes each report to its file. A report without a file is written to standard output or, if the
 * PTX is written there, to standard error. See reports.h. */
#include "cli/reports.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/command.h"
#include "cli/nearest.h"
#include "base/bug.h"
#include "base/file.h"
#include "base/mem.h"
#include "cli/output.h"

bool reports_add(struct report_list *reports, const char *argument, struct buf *error)
{
    struct buf word = {0};
    size_t len = strcspn(argument, "="), count;
    buf_add(&word, argument, len);
    char *name = buf_take(&word);
    const struct report_format *format = report_format_find(name);
    bool named = argument[len] != '=' || argument[len + 1];
    if (format && named) {
        const char *path = argument[len] ? argument + len + 1 : NULL;
        vec_push(reports, (struct report_target){format, path});
    } else if (format) {
        buf_printf(error, "--report: expected a file name after '%s='", name);
    } else {
        const struct report_format *formats = report_formats(&count);
        struct nearest nearest = nearest_to(name);
        for (size_t i = 0; i < count; i++) nearest_try(&nearest, formats[i].name);
        buf_printf(error, "--report: there is no format '%s', %s", name,
                   nearest.best ? "" : "expected ");
        if (nearest.best)
            buf_printf(error, "did you mean '%s'?", nearest.best);
        else
            report_formats_name(error, 0, " or ");
    }
    mem_free(name);
    return format && named;
}

/* "-": standard output; NULL: standard error. */
static const char *report_place(const struct report_target *report, bool text_on_stdout)
{
    if (report->path) return report->path;
    return text_on_stdout ? NULL : "-";
}

static bool is_same_target(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) == 0 : a == b;
}

bool reports_check(const struct report_list *reports, bool text_on_stdout, struct buf *error)
{
    for (uint32_t i = 0; i < reports->count; i++) {
        const char *path = report_place(&reports->at[i], text_on_stdout);
        if (text_on_stdout && path && strcmp(path, "-") == 0) {
            buf_puts(error,
                     "the PTX is written to standard output already; expected -o FILE or a file "
                     "for the report");
            return false;
        }
        for (uint32_t j = 0; j < i; j++) {
            if (!is_same_target(path, report_place(&reports->at[j], text_on_stdout))) continue;
            buf_printf(error,
                       "the reports %s and %s would be written to the same place, expected "
                       "--report FORMAT=FILE",
                       reports->at[j].format->name, reports->at[i].format->name);
            return false;
        }
    }
    return true;
}

/* https://no-color.org: any value except "" switches colours off. */
bool reports_has_color(enum reports_color color, int fd)
{
    if (color != REPORTS_AUTO) return color == REPORTS_ALWAYS;
    const char *no_color = getenv("NO_COLOR"), *term = getenv("TERM");
    if (no_color && *no_color) return false;
    return isatty(fd) == 1 && term && strcmp(term, "dumb") != 0;
}

static bool reports_write_to(const char *path, const struct buf *text, struct buf *reason)
{
    if (path) return output_write(path, text->data, text->len, reason);
    if (file_write_all(STDERR_FILENO, text->data, text->len)) return true;
    buf_puts(reason, strerror(errno));
    return false;
}

/* Adds the markdown report to the summary of the job, because GitHub drops annotations beyond the
 * tenth of each level. */
static void add_job_summary(const struct review *review)
{
    const char *path = getenv("GITHUB_STEP_SUMMARY");
    if (!path || !*path || !report_github_overflows(review)) return;
    int fd = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOCTTY, 0666);
    if (fd < 0) return;
    struct buf text = {0};
    report_markdown(&text, review);
    (void)file_write_all(fd, text.data, text.len);
    buf_free(&text);
    close(fd);
}

/* Makes the report in text; false: reason says why there is none. */
static bool make_report(const struct report_format *format, const struct review *review,
                        size_t max_bytes, struct buf *text, struct buf *reason)
{
    struct work_outcome outcome = report_write(text, format, review, max_bytes);
    switch (outcome.end) {
    case WORK_DONE: return true;
    case WORK_OVER_LIMIT:
        buf_printf(reason,
                   "larger than %zu bytes; expected fewer inputs, or a larger --max-report "
                   "[report-too-large]",
                   max_bytes);
        return false;
    case WORK_BUG: bug(outcome.bug, outcome.file, outcome.line);
    case WORK_NO_MEMORY:
    case WORK_CANCELLED: break;
    }
    mem_exhausted();
}

int reports_write(const struct report_list *reports, const struct review *review, size_t max_bytes,
                  bool text_on_stdout, enum reports_color color, struct buf *messages)
{
    int status = 0;
    for (uint32_t i = 0; i < reports->count; i++) {
        const struct report_target *report = &reports->at[i];
        const char *path = report_place(report, text_on_stdout);
        struct review shown = *review;
        struct buf text = {0}, reason = {0};
        if (!path || strcmp(path, "-") == 0)
            shown.color = reports_has_color(color, path ? STDOUT_FILENO : STDERR_FILENO);
        if (!make_report(report->format, &shown, max_bytes, &text, &reason) ||
            !reports_write_to(path, &text, &reason)) {
            buf_printf(messages, "ptxopt: the report %s: %s: ", report->format->name,
                       !path                    ? "<stderr>"
                       : strcmp(path, "-") == 0 ? "<stdout>"
                                                : path);
            buf_add(messages, reason.data, reason.len);
            buf_putc(messages, '\n');
            status = EXIT_USAGE;
        }
        if (report->format->traits & REPORT_JOB_SUMMARY) add_job_summary(review);
        buf_free(&text);
        buf_free(&reason);
    }
    return status;
}
