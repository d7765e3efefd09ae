/* Plans removals, and writes the resulting bytes. */
#ifndef PTXOPT_TEXT_EDIT_H
#define PTXOPT_TEXT_EDIT_H

#include "base/buf.h"
#include "base/vec.h"
#include "text/source.h"

enum edit_style {
    EDIT_BLANK, /* remove the statement and the blanks that would otherwise end a line, and keep its
                   line breaks: line numbers do not change */
    EDIT_ANNOTATE, /* as blank, with a comment in its place */
    EDIT_SQUEEZE,  /* as blank, and drop lines that the removal emptied */
};

/* Removes span; note is the comment's text and holds no "*" + "/"; only EDIT_ANNOTATE needs one. */
struct edit {
    struct span span;
    const char *note;
    struct span replaced; /* set when applied: what the line breaks of span replace: it
                             and blanks around it, of which EDIT_ANNOTATE leaves those before */
    int32_t shift; /* set when applied: offsets on later lines, in the output less in the source */
};

struct edit_plan VEC(struct edit);

/* Adds a removal. Spans must be ascending and disjoint when the plan is applied. */
void edit_plan_add(struct edit_plan *plan, struct span span, const char *note);

/* Appends what a removal leaves: the line breaks in it. */
void edit_add_line_breaks(struct buf *out, struct str deleted);

/* Appends the text with every edit of the plan made. */
void edit_plan_apply(struct edit_plan *plan, const struct source *source, enum edit_style style,
                     struct buf *out);

#endif
