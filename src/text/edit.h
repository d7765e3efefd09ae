/* Plans removals, and writes the resulting text. */
#ifndef PTXOPT_TEXT_EDIT_H
#define PTXOPT_TEXT_EDIT_H

#include "base/buf.h"
#include "base/vec.h"
#include "text/source.h"

enum edit_style {
    EDIT_BLANK, /* removes the statement, and blanks that would otherwise be at the end of a line,
                   but keeps its line breaks, so line numbers do not change */
    EDIT_ANNOTATE, /* like EDIT_BLANK, with a comment in place of the statement */
    EDIT_SQUEEZE,  /* like EDIT_BLANK, and drops lines that the removal emptied */
};

/* Removes span. note: text of the comment for EDIT_ANNOTATE; it must not contain the end mark of a
 * comment. */
struct edit {
    struct span span;
    const char *note;
    struct span replaced; /* set when applied: span and the blanks around it, which are replaced by
                             the line breaks of span; EDIT_ANNOTATE keeps the blanks before span */
    int32_t shift; /* set when applied: added to an offset on a later line of the source, it gives
                      the offset in the output */
};

struct edit_plan VEC(struct edit);

/* Adds a removal. When the plan is applied, spans must be sorted and disjoint. */
void edit_plan_add(struct edit_plan *plan, struct span span, const char *note);

/* Appends what remains of removed text: its line breaks. */
void edit_add_line_breaks(struct buf *out, struct str deleted);

/* Appends the text with all edits of the plan made. */
void edit_plan_apply(struct edit_plan *plan, const struct source *source, enum edit_style style,
                     struct buf *out);

#endif
