/* Draws a kernel: which operations it issues, waits for, and loses, and what orders the same
 * instead, in the order of the text, before and after. */
#ifndef PTXOPT_REPORT_TIMELINE_H
#define PTXOPT_REPORT_TIMELINE_H

#include "report/model.h"

/* A box for the operations [first, first + count) of the kernel. If count is more than 1, they are
 * left out. */
struct timeline_box {
    uint32_t first, count;
    uint32_t times;    /* repetitions of a pattern that are left out; 0: none */
    uint32_t x, width; /* pixels */
    char label[24];
};

/* An operation in flight over the boxes [from, to]; the one at `to` completes it. */
struct timeline_flight {
    uint32_t from, to, lane;
};

/* The kernel's text before or after, from left to right. */
struct timeline_panel {
    const struct review_operation **list; /* the operations that are in that text; count of them */
    uint32_t count, width, lanes;
    uint32_t waits, loads, stores; /* totals, including operations that are not shown */
    uint32_t most_in_flight; /* the most tcgen05.ld and st that are in flight at the same time */
    struct VEC(struct timeline_box) boxes;
    struct VEC(struct timeline_flight) flights;
};

/* Lays out the kernel after the removals, or before them. The caller frees *panel with
 * timeline_free. */
void timeline_lay_out(struct timeline_panel *panel, const struct review_file *file,
                      const struct review_kernel *kernel, bool after);
void timeline_free(struct timeline_panel *panel);

/* The number of the kernel's operation on that line; UINT32_MAX: none. */
uint32_t timeline_find(const struct review_file *file, const struct review_kernel *kernel,
                       uint32_t line);

/* The number of the kernel's operations that were removed. */
uint32_t timeline_deleted(const struct review_file *file, const struct review_kernel *kernel);

/* The style of the pictures, as CSS. A document needs it once. */
extern const char timeline_style[];

/* Where the boxes of a picture link to: "#" anchor "N" for item N of the file, if N is at most
 * end. */
struct timeline_links {
    const char *anchor;
    const struct review_file *file;
    uint32_t end;
};

/* Appends the kernel as an <svg> element at position y of the element around it, and returns its
 * height in pixels; *width gets its width. links: NULL: none. Appends nothing and returns 0 for a
 * kernel whose operations are not known, or with nothing to show. */
uint32_t timeline_add(struct buf *out, const struct review_file *file,
                      const struct review_kernel *kernel, const struct timeline_links *links,
                      uint32_t y, uint32_t *width);

#endif
