/* Chooses where reports show a finding: at the line of the PTX, or at the call site in the CUDA
 * source. */
#ifndef PTXOPT_REPORT_ANCHOR_H
#define PTXOPT_REPORT_ANCHOR_H

#include <stdbool.h>

#include "base/buf.h"
#include "report/model.h"

/* How a program finds the CUDA source. The library itself opens no file. */
struct review_finder {
    /* Returns the path of the source file `file`, as it is named in the PTX file at path ptx,
     * relative to the current folder of the reader. The caller frees it with mem_free. */
    char *(*place)(const char *ptx, const char *file);
    /* Appends the text of the file at a path that place has returned, at most limit bytes. False if
     * it is not available. read is NULL if the text is not needed. */
    bool (*read)(const char *place, size_t limit, struct buf *text);
};

/* Finds the source files that the items of `file` name. */
void review_file_find_sources(struct review_file *file, const struct review_finder *finder);

/* From now on, reports show an item at its call site in the CUDA source if it has one. Baselines
 * and tools then recognize the item by the text of that line; without the text, they do not
 * recognize it. */
void review_file_anchor(struct review_file *file);

#endif
