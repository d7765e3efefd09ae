/* Draws a kernel: what is issued, what is waited for, what was removed and what orders the
 * same instead, in the order of the text, before and after. */
#ifndef PTXOPT_REPORT_TIMELINE_H
#define PTXOPT_REPORT_TIMELINE_H

#include "report/model.h"

/* Operations of the kernel [first, first + count) as one box; many of them: they are left out. */
struct timeline_box {
    uint32_t first, count;
    uint32_t times;    /* of a repeated pattern that is left out; 0: nothing repeats */
    uint32_t x, width; /* pixels */
    char label[24];
};

/* What is under way over boxes [from, to], until the one at to completes it. */
struct timeline_flight {
    uint32_t from, to, lane;
};

/* The kernel's text before, or after, from left to right. */
struct timeline_panel {
    const struct review_operation **list; /* those that are there; count of them */
    uint32_t count, width, lanes;
    uint32_t waits, loads, stores; /* of all, also those not shown */
    uint32_t most_in_flight;       /* tcgen05.ld and st that nothing has completed yet, at most */
    struct VEC(struct timeline_box) boxes;
    struct VEC(struct timeline_flight) flights;
};

/* Lays out the kernel: as it is after the removals, or before them. Free with timeline_free. */
void timeline_lay_out(struct timeline_panel *panel, const struct review_file *file,
                      const struct review_kernel *kernel, bool after);
void timeline_free(struct timeline_panel *panel);

/* The kernel's operation on that line, by its number among them; UINT32_MAX when there is none. */
uint32_t timeline_find(const struct review_file *file, const struct review_kernel *kernel,
                       uint32_t line);

/* The kernel's operations that were removed. */
uint32_t timeline_deleted(const struct review_file *file, const struct review_kernel *kernel);

/* How the pictures look, as CSS, for once in a document. */
extern const char timeline_style[];

/* Where the boxes of a picture link to: "#" anchor "N" for item N of the file, up to end. */
struct timeline_links {
    const char *anchor;
    const struct review_file *file;
    uint32_t end;
};

/* Appends the kernel as an <svg> element at y of the one around it, if there is one, and returns
 * its height in pixels; *width gets its width. links NULL: there are none. Nothing, and 0,
 * for a kernel with operations that are not known or with nothing to show. */
uint32_t timeline_add(struct buf *out, const struct review_file *file,
                      const struct review_kernel *kernel, const struct timeline_links *links,
                      uint32_t y, uint32_t *width);

#endif
