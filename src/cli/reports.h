/* Writes the reports that --report requests. */
#ifndef PTXOPT_CLI_REPORTS_H
#define PTXOPT_CLI_REPORTS_H

#include "base/buf.h"
#include "base/vec.h"
#include "report/format.h"

struct report_target {
    const struct report_format *format;
    const char *path; /* NULL: none was given; "-": standard output */
};

struct report_list VEC(struct report_target);

/* Whether text on standard output and standard error has colours. REPORTS_AUTO: if it is a terminal
 * that shows colours, unless NO_COLOR is set. */
enum reports_color { REPORTS_AUTO, REPORTS_ALWAYS, REPORTS_NEVER };

/* The values of --locate. */
enum locate { LOCATE_BOTH, LOCATE_PTX, LOCATE_SOURCE };

bool reports_has_color(enum reports_color color, int fd);

/* Adds the report of an argument FORMAT[=FILE]. On false, error has one line. */
bool reports_add(struct report_list *reports, const char *argument, struct buf *error);

/* Checks that no two reports have the same target, and that none has that of the PTX.
 * text_on_stdout: the PTX is written to standard output. On false, error has one line. */
bool reports_check(const struct report_list *reports, bool text_on_stdout, struct buf *error);

/* Writes all reports. max_bytes: limit of each. Reports in named files have no colours. Returns an
 * exit status. messages gets errors as whole lines. */
int reports_write(const struct report_list *reports, const struct review *review, size_t max_bytes,
                  bool text_on_stdout, enum reports_color color, struct buf *messages);

#endif
