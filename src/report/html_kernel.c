/* Prints the kernels of a file in a page: what is above their items. */
#include <inttypes.h>
#include <stdio.h>

#include "base/intern.h"
#include "report/groups.h"
#include "report/html_parts.h"
#include "report/timeline.h"

enum { PART = 64, FOLDED = 4, OPEN = 20 };

/* ---- by line of the CUDA source ---- */

struct source_row {
    struct review_place place;
    uint32_t first, count[PTXOPT_KINDS]; /* first: number of the first item */
};

struct source_rows VEC(struct source_row);

static void collect_source_rows(struct source_rows *rows, const struct review_file *file,
                                uint32_t first, uint32_t end)
{
    struct intern places = {0};
    for (uint32_t i = first; i < end; i++) {
        const struct review_item *item = &file->items.at[i];
        uint32_t shown = item->group ? (uint32_t)(item->group->leader - file->items.at) : i;
        struct review_place place = html_author_place(item);
        if (!place.line || shown >= end) continue;
        uint32_t index = intern_add(&places, place.line, str_from(place.source->place));
        if (index == rows->count)
            vec_push(rows, (struct source_row){.place = place, .first = shown + 1});
        rows->at[index].count[item->finding.kind]++;
    }
    intern_free(&places);
}

static void add_source_row(struct buf *out, const struct source_row *row, uint32_t file_number,
                           bool optimized, bool linted)
{
    buf_printf(out, "<tr><td><a href=\"#i%" PRIu32 "-%" PRIu32 "\">", file_number, row->first);
    html_text(out, row->place.source->place);
    buf_printf(out, ":%" PRIu32 "</a></td>", row->place.line);
    if (optimized)
        buf_printf(out, "<td>%" PRIu32 "</td><td>%" PRIu32 "</td>", row->count[PTXOPT_DELETED],
                   row->count[PTXOPT_KEPT]);
    if (linted) buf_printf(out, "<td>%" PRIu32 "</td>", row->count[PTXOPT_HAZARD]);
    buf_puts(out, "</tr>\n");
}

/* first, end: the range of the kernel's items that are shown. */
static void add_sources(struct buf *out, const struct review_file *file, uint32_t file_number,
                        uint32_t first, uint32_t end)
{
    struct source_rows rows = {0};
    bool optimized = file->optimized || !file->linted;
    collect_source_rows(&rows, file, first, end);
    if (rows.count) {
        buf_printf(out,
                   "<details open><summary>By line of the source</summary>\n<table "
                   "class=\"sums\"><tr><th>line</th>%s%s</tr>\n",
                   optimized ? "<th>redundant</th><th>kept</th>" : "",
                   file->linted ? "<th>lint</th>" : "");
        for (uint32_t i = 0; i < rows.count; i++)
            add_source_row(out, &rows.at[i], file_number, optimized, file->linted);
        buf_puts(out, "</table></details>\n");
    }
    vec_free(&rows);
}

/* ---- kernel by kernel ---- */

/* end: the end of the range of items that are shown. */
static void add_picture(struct buf *out, const struct review_file *file,
                        const struct review_kernel *kernel, uint32_t file_number, uint32_t end,
                        struct html_room *room)
{
    char anchor[24];
    struct timeline_links links = {anchor, file, end};
    uint32_t width;
    size_t start = out->len;
    if (!room->pictures) return;
    snprintf(anchor, sizeof anchor, "i%" PRIu32 "-", file_number);
    buf_puts(out, "<div class=\"scroll picture\" tabindex=\"0\">");
    if (timeline_add(out, file, kernel, &links, 0, &width)) {
        buf_puts(out, "</div>\n");
        room->pictures--;
    } else {
        out->len = start;
    }
}

/* The first item of [first, end) for which there is no room; end if there is room for all. */
static uint32_t end_of_room(const struct review_file *file, uint32_t first, uint32_t end,
                            struct html_room *room)
{
    for (; first < end; first++) {
        if (!groups_lead(&file->items.at[first])) continue;
        if (!room->items) return first;
        room->items--;
    }
    return end;
}

/* Adds the items [first, end), a group of copies as one item. A browser lays out only the visible
 * parts. For the other parts it uses the height given here: FOLDED or OPEN lines for each item. */
static void html_add_part(struct buf *out, const struct review_file *file, uint32_t file_number,
                          uint32_t first, uint32_t end)
{
    uint32_t height = 0;
    for (uint32_t i = first; i < end; i++)
        if (groups_lead(&file->items.at[i]))
            height += file->items.at[i].finding.kind == PTXOPT_KEPT ? FOLDED : OPEN;
    if (!height) return;
    buf_printf(out, "<div class=\"part\" style=\"contain-intrinsic-size:auto %" PRIu32 "rem\">\n",
               height);
    for (uint32_t i = first; i < end; i++) {
        struct html_item at = {file, &file->items.at[i], file_number, i + 1};
        if (groups_lead(at.item)) html_add_item(out, &at);
    }
    buf_puts(out, "</div>\n");
}

/* The index of the kernel with that function, from `from` on, because kernels are in the order of
 * their first items. */
static uint32_t find_kernel(const struct review_file *file, const char *function, uint32_t from)
{
    while (from < file->kernels.count && strcmp(file->kernels.at[from].name, function) != 0) from++;
    return from;
}

/* The end of the items of one function. An item without a function, such as an unknown opcode,
 * belongs to the items around it. */
static uint32_t end_of_function(const struct review_file *file, uint32_t first)
{
    const char *function = file->items.at[first].finding.function;
    uint32_t end = first + 1;
    for (; end < file->items.count; end++) {
        const char *other = file->items.at[end].finding.function;
        bool same = strcmp(other, function) == 0 || (*function && !*other);
        if (!same) break;
    }
    return end;
}

void html_add_kernels(struct buf *out, const struct review_file *file, uint32_t file_number,
                      struct html_room *room)
{
    uint32_t first = 0, end, next = 0;
    for (; first < file->items.count && room->items && out->len <= room->end; first = end) {
        const char *function = file->items.at[first].finding.function;
        uint32_t k = *function ? find_kernel(file, function, next) : file->kernels.count;
        end = end_of_room(file, first, end_of_function(file, first), room);
        if (k < file->kernels.count) {
            next = k + 1;
            buf_printf(out, "<h3 id=\"k%" PRIu32 "-%" PRIu32 "\">", file_number, k);
            html_code(out, function);
            buf_puts(out, "</h3>\n");
            add_picture(out, file, &file->kernels.at[k], file_number, end, room);
            add_sources(out, file, file_number, first, end);
        }
        for (uint32_t i = first; i < end; i += PART)
            html_add_part(out, file, file_number, i, end - i < PART ? end : i + PART);
    }
    html_add_rest(out, file, first);
}
