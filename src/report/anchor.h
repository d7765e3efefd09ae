/* Chooses where reports show a finding: at the line of the PTX, or at the call site in the CUDA
 * source. */
#ifndef PTXOPT_REPORT_ANCHOR_H
#define PTXOPT_REPORT_ANCHOR_H

#include <stdbool.h>

#include "base/buf.h"
#include "report/model.h"

/* How a program finds the CUDA source; the library opens no file. */
struct review_finder {
    /* The path of file as named in the PTX at ptx, from the folder that the reader of a report
     * is in; for the caller to mem_free. */
    char *(*place)(const char *ptx, const char *file);
    /* Appends the text of the file at such a path, at most limit bytes; false: it is not available.
     * NULL: the text is not needed. */
    bool (*read)(const char *place, size_t limit, struct buf *text);
};

/* Finds the files that the items of file name. */
void review_file_find_sources(struct review_file *file, const struct review_finder *finder);

/* From now on reports are at the call site, where there is one. Their lines are then recognized
 * by the text of the CUDA source, and not recognized where that is not available. */
void review_file_anchor(struct review_file *file);

#endif
