/* Fingerprints that identify a finding in several runs, for tools that compare runs. */
#ifndef PTXOPT_REPORT_FINGERPRINT_H
#define PTXOPT_REPORT_FINGERPRINT_H

#include "base/intern.h"
#include "base/str.h"
#include "report/model.h"

enum { FINGERPRINT_DIGITS = 32 };

/* The fingerprints that a report has used so far. Zero-initialised by the caller. */
struct fingerprints {
    struct arena arena;
    struct intern seen;
    struct VEC(uint32_t) times; /* by number in seen: how often it was used */
};

/* Writes the fingerprint of the item, with a NUL. It is computed from the name of the file, the
 * kind, and the id; without an id, from code, function, text and message. Line numbers are not
 * used. Findings that agree in all of these are numbered in their order, so no two fingerprints of
 * a report are equal. */
void fingerprint_add(struct fingerprints *all, const struct review_file *file,
                     const struct review_item *item, char text[FINGERPRINT_DIGITS + 1]);

/* Writes the fingerprint of a text with a NUL. */
void fingerprint_text(struct str text, char digits[FINGERPRINT_DIGITS + 1]);

void fingerprints_free(struct fingerprints *all);

#endif
