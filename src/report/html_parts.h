/* The parts of the HTML report. */
#ifndef PTXOPT_REPORT_HTML_PARTS_H
#define PTXOPT_REPORT_HTML_PARTS_H

#include "report/model.h"

/* The parts common to all pages: the beginning with the style, that of lines, which timeline_style
 * follows; from there into the body; the field to search in; the end. */
extern const char html_style[], html_lines_style[], html_body[], html_controls[], html_foot[];

/* Appends text, and text as <code>. */
void html_text(struct buf *out, const char *text);
void html_code(struct buf *out, const char *text);

/* An item, and where it is in the page: id="iFILE-NUMBER", both as they are listed. */
struct html_item {
    const struct review_file *file;
    const struct review_item *item;
    uint32_t file_number, number; /* from 0; from 1 */
};

/* "edit", "kept", "lint" or "other": its name for style and filter; static. */
const char *html_class(const struct review_item *item);

/* Appends the item, and the text about its copies, as an <article>. */
void html_add_item(struct buf *out, const struct html_item *at);

/* Appends its lines: side by side, before and after, where they change. Those of its steps have
 * id="iFILE-NUMBER-LINE". */
void html_add_lines(struct buf *out, const struct html_item *at);

/* Appends the machine code that its removal changed: before and after, side by side. */
void html_add_sass(struct buf *out, const struct sass_change *change);

/* The line of the CUDA source that the author wrote: of the outermost call that is known, line 0
 * when none is. */
struct review_place html_author_place(const struct review_item *item);

/* What the page still has room for; items end at that length of the page, too. */
struct html_room {
    uint32_t pictures, items;
    size_t end;
};

/* Appends the kernels of a file: for each its figures, its picture, its CUDA lines, its items, with
 * copies as one. What there is no room for is counted in a table after them. */
void html_add_kernels(struct buf *out, const struct review_file *file, uint32_t file_number,
                      struct html_room *room);

/* Appends the sums of the items from there on that have no part of the page: those that are not
 * a copy of one in front of it. */
void html_add_rest(struct buf *out, const struct review_file *file, uint32_t first);

#endif
