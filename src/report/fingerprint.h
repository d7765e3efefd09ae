/* Fingerprints that identify a finding from run to run, for the tools that compare one run with
 * another. */
#ifndef PTXOPT_REPORT_FINGERPRINT_H
#define PTXOPT_REPORT_FINGERPRINT_H

#include "base/intern.h"
#include "base/str.h"
#include "report/model.h"

enum { FINGERPRINT_DIGITS = 32 };

/* What a report has given out so far. Zero-initialise. */
struct fingerprints {
    struct arena arena;
    struct intern seen;
    struct VEC(uint32_t) times; /* each came */
};

/* Writes the item's fingerprint with a NUL: of the file's name, the kind, and the id where there is
 * one, else rule, function and text, but no line numbers. Findings that agree in all of that
 * are numbered in the order they come, so no two of a report are equal. */
void fingerprint_add(struct fingerprints *all, const struct review_file *file,
                     const struct review_item *item, char text[FINGERPRINT_DIGITS + 1]);

/* Writes the fingerprint of a text with a NUL. */
void fingerprint_text(struct str text, char digits[FINGERPRINT_DIGITS + 1]);

void fingerprints_free(struct fingerprints *all);

#endif
