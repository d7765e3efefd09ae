/* Functions that write the parts of the HTML report. */
#ifndef PTXOPT_REPORT_HTML_PARTS_H
#define PTXOPT_REPORT_HTML_PARTS_H

#include "report/model.h"

/* The fixed parts of the page, in this order: the beginning with the style; the style of lines,
 * after which timeline_style follows; the start of the body; the search field; the end. Static. */
extern const char html_style[], html_lines_style[], html_body[], html_controls[], html_foot[];

/* Append text, html_code as a <code> element. */
void html_text(struct buf *out, const char *text);
void html_code(struct buf *out, const char *text);

/* An item and its number in the page, where it has id="iFILE-NUMBER". */
struct html_item {
    const struct review_file *file;
    const struct review_item *item;
    uint32_t file_number, number; /* file_number from 0; number from 1 */
};

/* "edit", "kept", "lint" or "other": the name of the item's kind in style and filter. Static. */
const char *html_class(const struct review_item *item);

/* Appends the item, with the text about its copies, as an <article>. */
void html_add_item(struct buf *out, const struct html_item *at);

/* Appends the lines of the item; if they change, before and after side by side. Lines of its steps
 * have id="iFILE-NUMBER-LINE". */
void html_add_lines(struct buf *out, const struct html_item *at);

/* Appends the machine code that the removal changed, before and after side by side. */
void html_add_sass(struct buf *out, const struct sass_change *change);

/* The CUDA line that the author wrote: that of the outermost known call. Its line is 0 if none is
 * known. */
struct review_place html_author_place(const struct review_item *item);

/* The room that is left in the page. No item is added once the page has `end` bytes. */
struct html_room {
    uint32_t pictures, items;
    size_t end;
};

/* Appends the kernels of a file: for each its figures, its picture, its CUDA lines and its items,
 * with copies as one item. Items for which there is no room are counted in a table after them. */
void html_add_kernels(struct buf *out, const struct review_file *file, uint32_t file_number,
                      struct html_room *room);

/* Appends a table that counts the items from `first` on, for which the page has no room. Copies of
 * an earlier item are not counted. */
void html_add_rest(struct buf *out, const struct review_file *file, uint32_t first);

#endif
