/* Reads and writes baselines: files of known, accepted removals and findings of lint. */
#ifndef PTXOPT_REPORT_BASELINE_H
#define PTXOPT_REPORT_BASELINE_H

#include "report/model.h"

/* One of them; strings are in the baseline's arena. */
struct baseline_entry {
    const char *id, *code, *function;
};

struct baseline {
    struct arena arena;
    struct VEC(struct baseline_entry) entries;
};

/* Fills *baseline, zero before, from the text of a file. On false error says, on one line, what was
 * expected. baseline_free in both cases. */
bool baseline_read(struct baseline *baseline, struct str text, struct buf *error);
void baseline_free(struct baseline *baseline);

/* Appends the file that accepts the review's removals and findings of lint, those that a baseline
 * accepts already among them: by function, code and id, so that the same findings give the same
 * bytes, and a new one is new lines. */
void baseline_write(struct buf *out, const struct review *review);

#endif
