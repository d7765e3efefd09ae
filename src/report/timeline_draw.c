/* Draws the picture of a kernel as SVG, from its layout. */
#include <inttypes.h>

#include "report/clean.h"
#include "report/groups.h"
#include "report/timeline.h"

enum {
    MARGIN = 20,
    LEAST_WIDTH = 760,
    TITLE = 30,   /* height of the kernel's name */
    HEADING = 24, /* height of a panel's name */
    LANE = 11,
    BOX = 24,
    NUMBERS = 14, /* height of the line numbers below the boxes */
    ARC_LEAST = 14,
    ARC_MOST = 62,
    LABEL = 16, /* height of a row of labels below the arcs, and of a line of the legend */
    LABEL_ROWS = 3,
    HALF_LETTER = 32, /* half the width of a letter of these labels, in tenths of a pixel */
    TOLD_MOST = 24,   /* removals that the description names */
};

const char timeline_style[] =
    ".timeline{--bg:#fff;--fg:#1f2328;--soft:#59636e;--line:#d1d9e0;--ld:#0969da;--ld-bg:#ddf4ff;\n"
    "--wait:#9a6700;--wait-bg:#fff8c5;--pipe:#8250df;--pipe-bg:#fbefff;--sync:#1a7f37;\n"
    "--sync-bg:#dafbe1;--gone:#cf222e;--gone-bg:#ffebe9;font:12px system-ui,sans-serif}\n"
    "@media(prefers-color-scheme:dark){.timeline{--bg:#0d1117;--fg:#f0f6fc;--soft:#9198a1;\n"
    "--line:#3d444d;--ld:#4493f8;--ld-bg:#121d2f;--wait:#d29922;--wait-bg:#272115;--pipe:#ab7df8;\n"
    "--pipe-bg:#1f1a2e;--sync:#3fb950;--sync-bg:#12261e;--gone:#f85149;--gone-bg:#301b1e}}\n"
    ".timeline text{fill:var(--fg)}.timeline .soft{fill:var(--soft)}\n"
    ".timeline .name{font-size:15px;font-weight:600}.timeline .head{font-weight:600}\n"
    ".timeline .box text{font:11px ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;\n"
    "text-anchor:middle}.timeline .no{font-size:9px;fill:var(--soft);text-anchor:middle}\n"
    ".timeline rect{stroke-width:1.2}.timeline .page{fill:var(--bg);stroke:var(--line)}\n"
    ".timeline .box rect{fill:var(--bg);stroke:var(--line)}\n"
    ".timeline .ld rect{fill:var(--ld-bg);stroke:var(--ld)}\n"
    ".timeline .wait rect{fill:var(--wait-bg);stroke:var(--wait);stroke-width:2}\n"
    ".timeline .pipe rect{fill:var(--pipe-bg);stroke:var(--pipe)}\n"
    ".timeline .sync rect{fill:var(--sync-bg);stroke:var(--sync)}\n"
    ".timeline .gone rect{fill:var(--gone-bg);stroke:var(--gone);stroke-dasharray:3 2;\n"
    "stroke-width:1}.timeline .gone text{opacity:.6}\n"
    ".timeline .gone line{stroke:var(--gone);stroke-width:2}\n"
    ".timeline .gap rect{fill:none;stroke-dasharray:2 3}.timeline .gap text{fill:var(--soft)}\n"
    ".timeline .gap.gone rect{fill:var(--gone-bg)}\n"
    ".timeline .flight{stroke:var(--ld);stroke-width:6;stroke-linecap:round}\n"
    ".timeline .flight.many{stroke-dasharray:1 9}\n"
    ".timeline .arc{fill:none;stroke:var(--gone);stroke-width:1.3}\n"
    ".timeline .tip{fill:var(--gone)}.timeline .why{fill:var(--gone);text-anchor:middle}\n"
    ".timeline .keeps .arc{stroke:var(--sync)}.timeline .keeps .tip,\n"
    ".timeline .keeps .why{fill:var(--sync)}.timeline a{cursor:pointer}\n";

/* ---- boxes ---- */

static const char *operation_class(const struct review_operation *operation)
{
    switch (operation->kind) {
    case PTXOPT_LOAD:
    case PTXOPT_STORE: return "ld";
    case PTXOPT_PIPE: return "pipe";
    case PTXOPT_WAIT_LOAD:
    case PTXOPT_WAIT_STORE:
    case PTXOPT_FENCE: return "wait";
    case PTXOPT_COMMIT:
    case PTXOPT_SYNC: return "sync";
    case PTXOPT_LEAVE: break;
    }
    return "other";
}

static uint32_t count_deleted(const struct timeline_panel *panel, const struct timeline_box *box)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < box->count; i++) count += panel->list[box->first + i]->deleted;
    return count;
}

static void add_what(struct buf *out, const struct timeline_panel *panel,
                     const struct timeline_box *box)
{
    const struct review_operation *first = panel->list[box->first];
    buf_puts(out, "<title>");
    if (box->count > 1) {
        buf_printf(out, "%" PRIu32 " operations, lines %" PRIu32 " to %" PRIu32, box->count,
                   first->line, panel->list[box->first + box->count - 1]->line);
    } else {
        buf_printf(out, "line %" PRIu32 ": ", first->line);
        clean_add_html(out, str_from(first->text));
        if (first->deleted) buf_puts(out, " (removed)");
    }
    buf_puts(out, "</title>");
}

/* The number of the item under which reports show the item: for copies, that of the first removed
 * one. */
static uint32_t item_shown(const struct review_file *file, uint32_t number)
{
    const struct review_group *group = file->items.at[number - 1].group;
    return group ? (uint32_t)(group->leader - file->items.at) + 1 : number;
}

static void draw_box(struct buf *out, const struct timeline_panel *panel,
                     const struct timeline_box *box, const struct timeline_links *links, uint32_t y)
{
    const struct review_operation *first = panel->list[box->first];
    bool one = box->count == 1;
    uint32_t item = links && one && first->item ? item_shown(links->file, first->item) : 0;
    bool linked = item && item <= links->end;
    bool gone = box->count == 1 ? first->deleted : box->times && count_deleted(panel, box);
    uint32_t x = MARGIN + box->x, middle = x + box->width / 2;
    if (linked) buf_printf(out, "<a href=\"#%s%" PRIu32 "\">", links->anchor, item);
    buf_printf(out, "<g class=\"box %s%s\">", one ? operation_class(first) : "gap",
               gone ? " gone" : "");
    add_what(out, panel, box);
    buf_printf(out,
               "<rect x=\"%" PRIu32 "\" y=\"%" PRIu32 "\" width=\"%" PRIu32
               "\" height=\"%d\" rx=\"4\"/><text x=\"%" PRIu32 "\" y=\"%" PRIu32 "\">",
               x, y, box->width, BOX, middle, y + 16);
    clean_add_html(out, str_from(box->label));
    buf_puts(out, "</text>");
    if (one && gone)
        buf_printf(out,
                   "<line x1=\"%" PRIu32 "\" y1=\"%" PRIu32 "\" x2=\"%" PRIu32 "\" y2=\"%" PRIu32
                   "\"/>",
                   x + 4, y + BOX / 2, x + box->width - 4, y + BOX / 2);
    buf_puts(out, "</g>");
    if (linked) buf_puts(out, "</a>");
    if (one)
        buf_printf(out, "<text class=\"no\" x=\"%" PRIu32 "\" y=\"%" PRIu32 "\">%" PRIu32 "</text>",
                   middle, y + BOX + 11, first->line);
    buf_putc(out, '\n');
}

static void add_flights(struct buf *out, const struct timeline_panel *panel, uint32_t y)
{
    for (uint32_t i = 0; i < panel->flights.count; i++) {
        const struct timeline_flight *flight = &panel->flights.at[i];
        const struct timeline_box *from = &panel->boxes.at[flight->from];
        const struct timeline_box *to = &panel->boxes.at[flight->to];
        uint32_t at = y + flight->lane * LANE + LANE / 2;
        buf_printf(out,
                   "<line class=\"flight%s\" x1=\"%" PRIu32 "\" y1=\"%" PRIu32 "\" x2=\"%" PRIu32
                   "\" y2=\"%" PRIu32 "\"/>\n",
                   from->count > 1 ? " many" : "", MARGIN + from->x + 8, at,
                   MARGIN + to->x + to->width / 2, at);
    }
}

/* ---- arcs ---- */

/* An arc from the instruction of an item to the instruction on which its proof depends. */
struct arc {
    uint32_t from, to; /* numbers of boxes */
    uint32_t times;
    const struct review_item *item;
};

struct arcs VEC(struct arc);

/* The box that shows the operation; panel->boxes.count if none does. */
static uint32_t box_with(const struct timeline_panel *panel,
                         const struct review_operation *operation)
{
    for (uint32_t b = 0; b < panel->boxes.count; b++) {
        const struct timeline_box *box = &panel->boxes.at[b];
        if (panel->list[box->first + box->count - 1] >= operation)
            return panel->list[box->first] <= operation ? b : panel->boxes.count;
    }
    return panel->boxes.count;
}

static void find_arcs(struct arcs *arcs, const struct timeline_panel *panel,
                      const struct review_file *file, const struct review_kernel *kernel,
                      bool deleted)
{
    const struct review_operation *all = &file->operations.at[kernel->first_operation];
    for (uint32_t b = 0; b < panel->boxes.count; b++) {
        const struct timeline_box *box = &panel->boxes.at[b];
        uint32_t i = box->first, end = i + box->count;
        if (box->count > 1 && !box->times) continue;
        while (i < end && (!panel->list[i]->item || panel->list[i]->deleted != deleted)) i++;
        if (i == end) continue;
        const struct review_item *item = &file->items.at[panel->list[i]->item - 1];
        uint32_t witness = timeline_find(file, kernel, item->finding.witness_line);
        uint32_t to = witness == UINT32_MAX ? panel->boxes.count : box_with(panel, &all[witness]);
        if (to == panel->boxes.count || to == b) continue;
        uint32_t times = deleted ? count_deleted(panel, box) : 1;
        vec_push(arcs, (struct arc){b, to, times, item});
    }
}

static uint32_t middle_of(const struct timeline_panel *panel, uint32_t box)
{
    return MARGIN + panel->boxes.at[box].x + panel->boxes.at[box].width / 2;
}

static uint32_t depth_of(const struct timeline_panel *panel, const struct arc *arc)
{
    uint32_t from = middle_of(panel, arc->from), to = middle_of(panel, arc->to);
    uint32_t depth = ARC_LEAST + (from < to ? to - from : from - to) / 12;
    return depth < ARC_MOST ? depth : ARC_MOST;
}

/* The part of the witness in the steps of the item; "": none. */
static const char *witness_part_of(const struct review_item *item)
{
    for (uint32_t s = 0; s < item->steps.count; s++)
        if (item->steps.at[s].line == item->finding.witness_line) return item->steps.at[s].part;
    return "";
}

/* The number of removals of arc i and of later arcs that end at the same box for the same reason; 0
 * if an earlier arc does. */
static uint32_t count_ending(const struct arcs *arcs, uint32_t i)
{
    const struct arc *first = &arcs->at[i];
    uint32_t times = 0;
    for (uint32_t k = 0; k < arcs->count; k++) {
        const struct arc *arc = &arcs->at[k];
        if (arc->to != first->to ||
            strcmp(witness_part_of(arc->item), witness_part_of(first->item)) != 0)
            continue;
        if (k < i) return 0;
        times += arc->times;
    }
    return times;
}

static void set_reason(struct buf *reason, const struct arc *arc, uint32_t times)
{
    reason->len = 0;
    buf_printf(reason, "line %" PRIu32 " %s", arc->item->finding.witness_line,
               witness_part_of(arc->item));
    if (times > 1) buf_printf(reason, " (%" PRIu32 " \xc3\x97)", times);
}

/* Adds the labels below the arcs, once for each box and reason. Returns the number of rows that
 * they need. */
static uint32_t add_reasons(struct buf *out, const struct timeline_panel *panel,
                            const struct arcs *arcs, uint32_t width, uint32_t y)
{
    uint32_t ends[LABEL_ROWS] = {0}, rows = 0;
    struct buf reason = {0};
    for (uint32_t i = 0; i < arcs->count; i++) {
        uint32_t times = count_ending(arcs, i), row = 0;
        set_reason(&reason, &arcs->at[i], times);
        struct str text = {reason.data, reason.len};
        uint32_t half = clean_count(text) * HALF_LETTER / 10 + MARGIN / 2;
        uint32_t at = middle_of(panel, arcs->at[i].to);
        if (at + half > width) at = width > 2 * half ? width - half : half;
        if (at < half) at = half;
        while (row < LABEL_ROWS && ends[row] > at - half) row++;
        if (!times || row == LABEL_ROWS) continue;
        ends[row] = at + half;
        if (row >= rows) rows = row + 1;
        buf_printf(out, "<text class=\"why\" x=\"%" PRIu32 "\" y=\"%" PRIu32 "\">", at,
                   y + row * LABEL + 12);
        clean_add_html(out, text);
        buf_puts(out, "</text>\n");
    }
    buf_free(&reason);
    return rows;
}

/* Returns the height of the arcs and their labels. */
static uint32_t add_arcs(struct buf *out, const struct timeline_panel *panel,
                         const struct arcs *arcs, bool deleted, uint32_t width, uint32_t y)
{
    uint32_t deepest = 0;
    if (!arcs->count) return 0;
    buf_puts(out, deleted ? "<g>\n" : "<g class=\"keeps\">\n");
    for (uint32_t i = 0; i < arcs->count; i++) {
        const struct arc *arc = &arcs->at[i];
        uint32_t from = middle_of(panel, arc->from), to = middle_of(panel, arc->to);
        uint32_t depth = depth_of(panel, arc), low = y + depth * 4 / 3;
        buf_printf(out,
                   "<path class=\"arc\" d=\"M%" PRIu32 " %" PRIu32 "C%" PRIu32 " %" PRIu32
                   " %" PRIu32 " %" PRIu32 " %" PRIu32 " %" PRIu32
                   "\"/><path class=\"tip\" d=\"M%" PRIu32 " %" PRIu32 "l-4 7h8z\"/>\n",
                   from, y, from, low, to, low, to, y + 5, to, y);
        if (depth > deepest) deepest = depth;
    }
    uint32_t rows = add_reasons(out, panel, arcs, width, y + deepest + 2);
    buf_puts(out, "</g>\n");
    return deepest + 2 + rows * LABEL;
}

/* ---- the picture ---- */

static void add_in_flight(struct buf *out, const struct timeline_panel *panel)
{
    if (!panel->most_in_flight) return;
    buf_puts(out, ": ");
    review_plural(out, panel->waits, "wait");
    buf_printf(out, ", %s %" PRIu32 " %s in flight at a time",
               panel->most_in_flight > 1 ? "up to" : "never more than", panel->most_in_flight,
               !panel->stores  ? "tcgen05.ld"
               : !panel->loads ? "tcgen05.st"
                               : "tcgen05.ld or st");
}

static uint32_t add_panel(struct buf *out, const struct timeline_panel *panel,
                          const struct review_file *file, const struct review_kernel *kernel,
                          const char *name, const struct timeline_links *links, uint32_t width,
                          uint32_t y)
{
    struct arcs arcs = {0};
    bool before = strcmp(name, "before") == 0;
    find_arcs(&arcs, panel, file, kernel, before);
    if (*name) {
        buf_printf(out, "<text x=\"%d\" y=\"%" PRIu32 "\"><tspan class=\"head\">%s</tspan>", MARGIN,
                   y + 14, name);
        buf_puts(out, "<tspan class=\"soft\">");
        add_in_flight(out, panel);
        buf_puts(out, "</tspan></text>\n");
        y += HEADING;
    }
    add_flights(out, panel, y);
    y += panel->lanes * LANE + 4;
    for (uint32_t b = 0; b < panel->boxes.count; b++)
        draw_box(out, panel, &panel->boxes.at[b], links, y);
    y += BOX + NUMBERS;
    y += add_arcs(out, panel, &arcs, before, width, y);
    vec_free(&arcs);
    return y;
}

static uint32_t add_legend(struct buf *out, const struct review_file *file,
                           const struct review_kernel *kernel, uint32_t y)
{
    const struct review_operation *all = &file->operations.at[kernel->first_operation];
    size_t count;
    const struct ptxopt_rule *rules = ptxopt_rules(&count);
    for (size_t r = 0; r < count; r++) {
        uint32_t i = 0;
        for (; i < kernel->operation_count; i++)
            if (all[i].deleted && all[i].item &&
                strcmp(file->items.at[all[i].item - 1].finding.code, rules[r].id) == 0)
                break;
        if (i == kernel->operation_count) continue;
        buf_printf(out, "<text class=\"soft\" x=\"%d\" y=\"%" PRIu32 "\">", MARGIN, y + 12);
        buf_printf(out, "<tspan class=\"head\">%s</tspan>: ", rules[r].id);
        clean_add_html(out, str_from(rules[r].summary));
        buf_puts(out, "</text>\n");
        y += LABEL;
    }
    static const char *const notes[] = {
        "In the order of the text. A bar: the operation may be in flight until that wait.",
        "Reading a loaded register waits for the load. An arc ends at the instruction that the "
        "proof of a removal needs."};
    for (size_t i = 0; i < sizeof notes / sizeof *notes; i++, y += LABEL)
        buf_printf(out, "<text class=\"soft\" x=\"%d\" y=\"%" PRIu32 "\">%s</text>\n", MARGIN,
                   y + 12, notes[i]);
    return y;
}

static void timeline_add_sum(struct buf *out, const struct review_file *file,
                             const struct review_kernel *kernel)
{
    uint32_t deleted = timeline_deleted(file, kernel);
    clean_add_html(out, str_from(kernel->name));
    buf_printf(out, ": %" PRIu32 " of %" PRIu32 " waits and fences redundant", deleted,
               deleted + kernel->count[PTXOPT_KEPT]);
}

/* For readers who cannot see the picture. */
static void timeline_add_description(struct buf *out, const struct review_file *file,
                                     const struct review_kernel *kernel)
{
    const struct review_operation *all = &file->operations.at[kernel->first_operation];
    uint32_t told = 0;
    buf_puts(out, "<title>");
    timeline_add_sum(out, file, kernel);
    buf_puts(out, "</title><desc>");
    for (uint32_t i = 0; i < kernel->operation_count && told < TOLD_MOST; i++) {
        if (!all[i].deleted || !all[i].item) continue;
        const struct review_item *item = &file->items.at[all[i].item - 1];
        buf_printf(out, "%sPTX line %" PRIu32 " is removed: PTX line %" PRIu32 " ",
                   told++ ? "; " : "", all[i].line, item->finding.witness_line);
        clean_add_html(out, str_from(witness_part_of(item)));
    }
    buf_puts(out, ".</desc>\n");
}

/* Adds the element that contains the picture. */
static void add_frame(struct buf *out, const struct review_file *file,
                      const struct review_kernel *kernel, bool linked, uint32_t y, uint32_t width,
                      uint32_t height)
{
    buf_printf(
        out,
        "<svg class=\"timeline\" xmlns=\"http://www.w3.org/2000/svg\" role=\"%s\" y=\"%" PRIu32
        "\" width=\"%" PRIu32 "\" height=\"%" PRIu32 "\" viewBox=\"0 0 %" PRIu32 " %" PRIu32 "\">",
        linked ? "group" : "img", y, width, height, width, height);
    timeline_add_description(out, file, kernel);
    buf_printf(out,
               "<rect class=\"page\" x=\".5\" y=\".5\" width=\"%" PRIu32 "\" height=\"%" PRIu32
               "\" rx=\"6\"/><text class=\"name\" x=\"%d\" y=\"22\">",
               width - 1, height - 1, MARGIN);
    timeline_add_sum(out, file, kernel);
    buf_puts(out, "<title>");
    clean_add_html(out, str_from(file->name));
    buf_puts(out, "</title></text>\n");
}

uint32_t timeline_add(struct buf *out, const struct review_file *file,
                      const struct review_kernel *kernel, const struct timeline_links *links,
                      uint32_t y, uint32_t *width)
{
    struct timeline_panel before = {0}, after = {0};
    struct buf body = {0};
    uint32_t height = 0, at = TITLE;
    timeline_lay_out(&before, file, kernel, false);
    timeline_lay_out(&after, file, kernel, true);
    uint32_t widest = before.width > after.width ? before.width : after.width;
    *width = (widest > LEAST_WIDTH ? widest : LEAST_WIDTH) + 2 * MARGIN;
    if (timeline_deleted(file, kernel)) {
        at = add_panel(&body, &before, file, kernel, "before", links, *width, at);
        at = add_panel(&body, &after, file, kernel, "after", links, *width, at + 6);
        height = add_legend(&body, file, kernel, at + 8) + 8;
    } else if (after.boxes.count > 1) {
        height = add_panel(&body, &after, file, kernel, "", links, *width, at) + 8;
    }
    if (height) {
        add_frame(out, file, kernel, links, y, *width, height);
        buf_add(out, body.data, body.len);
        buf_puts(out, "</svg>\n");
    }
    buf_free(&body);
    timeline_free(&before);
    timeline_free(&after);
    return height;
}
