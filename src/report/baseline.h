/* Reads and writes baselines: files of known, accepted removals and findings of lint. */
#ifndef PTXOPT_REPORT_BASELINE_H
#define PTXOPT_REPORT_BASELINE_H

#include "report/model.h"

/* An accepted removal or finding. Strings are in the arena of the baseline. */
struct baseline_entry {
    const char *id, *code, *function;
};

struct baseline {
    struct arena arena;
    struct VEC(struct baseline_entry) entries;
};

/* Fills *baseline, which must be zero, from the text of a file. On false, *error has one line that
 * says what was expected. The caller calls baseline_free in both cases. */
bool baseline_read(struct baseline *baseline, struct str text, struct buf *error);
void baseline_free(struct baseline *baseline);

/* Appends a file that accepts all removals and lint findings of the review, also those that a
 * baseline has already accepted. Entries are sorted by function, code and id, so that equal
 * findings give equal bytes and a new finding only adds lines. */
void baseline_write(struct buf *out, const struct review *review);

#endif
