/* Writes a picture of each kernel that changes, one below the other. */
#include <inttypes.h>

#include "report/clean.h"
#include "report/format.h"
#include "report/timeline.h"

enum { SPACE = 12, EMPTY = 40, EMPTY_WIDTH = 400 };

/* For readers who cannot see the picture: the totals and the names of all files. */
static void svg_add_description(struct buf *out, const struct review *review)
{
    buf_puts(out, "<title>ptxopt: ");
    review_headline(out, review);
    buf_puts(out, "</title><desc>");
    for (uint32_t f = 0; f < review->count; f++) {
        if (f) buf_puts(out, ", ");
        clean_add_html(out, str_from(review->files[f]->name));
    }
    buf_puts(out, "</desc>\n");
}

/* Adds the totals if there is no picture. */
static void svg_add_sum(struct buf *out, const struct review *review, uint32_t width)
{
    buf_printf(out,
               "<g class=\"timeline\"><rect class=\"page\" x=\".5\" y=\".5\" width=\"%" PRIu32
               "\" height=\"%d\" rx=\"6\"/><text x=\"20\" y=\"25\">",
               width - 1, EMPTY - 1);
    review_headline(out, review);
    buf_puts(out, "</text></g>\n");
}

void report_svg(struct buf *out, const struct review *review)
{
    struct buf body = {0};
    uint32_t y = 0, widest = EMPTY_WIDTH, width = 0;
    for (uint32_t f = 0; f < review->count; f++) {
        const struct review_file *file = review->files[f];
        for (uint32_t k = 0; k < file->kernels.count; k++) {
            const struct review_kernel *kernel = &file->kernels.at[k];
            if (!timeline_deleted(file, kernel)) continue;
            uint32_t height = timeline_add(&body, file, kernel, NULL, y, &width);
            if (height) y += height + SPACE;
            if (width > widest) widest = width;
        }
    }
    uint32_t height = y ? y - SPACE : EMPTY;
    buf_printf(out,
               "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%" PRIu32 "\" height=\"%" PRIu32
               "\" viewBox=\"0 0 %" PRIu32 " %" PRIu32 "\">\n",
               widest, height, widest, height);
    svg_add_description(out, review);
    buf_printf(out, "<style>\n:root{max-width:100%%;height:auto}\n%s</style>\n", timeline_style);
    if (y)
        buf_add(out, body.data, body.len);
    else
        svg_add_sum(out, review, widest);
    buf_puts(out, "</svg>\n");
    buf_free(&body);
}
