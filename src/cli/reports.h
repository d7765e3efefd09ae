/* Writes the reports of --report. */
#ifndef PTXOPT_CLI_REPORTS_H
#define PTXOPT_CLI_REPORTS_H

#include "base/buf.h"
#include "base/vec.h"
#include "report/format.h"

struct report_target {
    const struct report_format *format;
    const char *path; /* NULL: where none was given; "-": standard output */
};

struct report_list VEC(struct report_target);

/* Whether the text on standard output and error has colours; AUTO: where it is a terminal that
 * shows them, unless NO_COLOR is set. */
enum reports_color { REPORTS_AUTO, REPORTS_ALWAYS, REPORTS_NEVER };

/* The place of findings. */
enum locate { LOCATE_BOTH, LOCATE_PTX, LOCATE_SOURCE };

bool reports_has_color(enum reports_color color, int fd);

/* Adds the report that FORMAT[=FILE] names. On false, error holds one line. */
bool reports_add(struct report_list *reports, const char *argument, struct buf *error);

/* Whether no two reports, and no report and the PTX, have the same target. text_on_stdout: the PTX
 * is written to standard output. */
bool reports_check(const struct report_list *reports, bool text_on_stdout, struct buf *error);

/* Writes them all. Files that are named have no colours. Returns an exit status; what went wrong is
 * added to messages, whole lines. */
int reports_write(const struct report_list *reports, const struct review *review, size_t max_bytes,
                  bool text_on_stdout, enum reports_color color, struct buf *messages);

#endif
