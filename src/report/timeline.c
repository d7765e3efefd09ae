/* Lays out the picture of a kernel: which operations it shows, and where. It shows removals, the
 * operations on which their proofs depend, and their neighbours; in a kernel without removals, the
 * kept candidates and their witnesses. Of a repeated pattern, as in unrolled loops, it shows the
 * first two copies and the last. */
#include "report/timeline.h"

#include <inttypes.h>
#include <stdio.h>

#include "report/clean.h"

enum {
    BOXES_MOST = 60,  /* for each kernel; the rest is one box */
    NEIGHBOURS = 1,   /* operations shown on each side of an operation of interest */
    GAP_LEAST = 3,    /* fewer operations are not left out */
    PERIOD_MOST = 12, /* boxes of a repeated pattern */
    REPEATS_LEAST = 5,
    LABEL_MOST = 14, /* characters */
    LETTER = 67,     /* width of a letter in tenths of a pixel */
    PADDING = 14,    /* of a box, left and right together */
    SPACE = 6,       /* between boxes */
    LANES_MOST = 12,
};

uint32_t timeline_find(const struct review_file *file, const struct review_kernel *kernel,
                       uint32_t line)
{
    const struct review_operation *all = &file->operations.at[kernel->first_operation];
    uint32_t low = 0, high = kernel->operation_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (all[middle].line < line)
            low = middle + 1;
        else
            high = middle;
    }
    return low < kernel->operation_count && all[low].line == line ? low : UINT32_MAX;
}

/* ---- which operations are shown ---- */

static void mark_neighbours(bool *shown, uint32_t count, uint32_t at)
{
    if (at == UINT32_MAX) return;
    uint32_t from = at > NEIGHBOURS ? at - NEIGHBOURS : 0;
    for (uint32_t i = from; i <= at + NEIGHBOURS && i < count; i++) shown[i] = true;
}

uint32_t timeline_deleted(const struct review_file *file, const struct review_kernel *kernel)
{
    uint32_t deleted = 0;
    for (uint32_t i = 0; i < kernel->operation_count; i++)
        deleted += file->operations.at[kernel->first_operation + i].deleted;
    return deleted;
}

static void choose_operations(bool *shown, const struct review_file *file,
                              const struct review_kernel *kernel)
{
    const struct review_operation *all = &file->operations.at[kernel->first_operation];
    uint32_t count = kernel->operation_count;
    bool changes = timeline_deleted(file, kernel);
    for (uint32_t i = 0; i < count; i++) {
        if (all[i].deleted) mark_neighbours(shown, count, i);
        if (!all[i].item || all[i].deleted != changes) continue;
        const struct review_item *item = &file->items.at[all[i].item - 1];
        mark_neighbours(shown, count, i);
        for (uint32_t s = 0; s < item->steps.count; s++)
            mark_neighbours(shown, count, timeline_find(file, kernel, item->steps.at[s].line));
    }
}

/* ---- boxes ---- */

/* The label is "wait::ld" for "tcgen05.wait::ld.sync.aligned", "try_wait" for "mbarrier.try_wait
 * …", and "bar.sync". */
static void set_label(struct timeline_box *box, const char *text)
{
    static const char *const families[] = {"tcgen05.", "mbarrier."};
    bool within = false;
    for (size_t i = 0; i < sizeof families / sizeof *families; i++) {
        size_t len = strlen(families[i]);
        if (strncmp(text, families[i], len)) continue;
        text += len;
        within = true;
    }
    size_t len = strcspn(text, " ;");
    const char *dot = memchr(text, '.', len);
    if (dot && !within) dot = memchr(dot + 1, '.', len - (size_t)(dot + 1 - text));
    if (dot) len = (size_t)(dot - text);
    const char *low = len > LABEL_MOST ? memchr(text, '_', len) : NULL;
    if (low) len = (size_t)(low - text);
    snprintf(box->label, sizeof box->label, "%.*s", (int)(len < LABEL_MOST ? len : LABEL_MOST),
             text);
}

static void panel_add_box(struct timeline_panel *panel, uint32_t first, uint32_t count)
{
    struct timeline_box box = {.first = first, .count = count};
    if (count == 1)
        set_label(&box, panel->list[first]->text);
    else
        snprintf(box.label, sizeof box.label, "\xe2\x8b\xaf %" PRIu32, count);
    vec_push(&panel->boxes, box);
}

/* shown: by number of the operation in the list. */
static void make_boxes(struct timeline_panel *panel, const bool *shown)
{
    for (uint32_t i = 0; i < panel->count;) {
        uint32_t run = 0;
        while (i + run < panel->count && !shown[i + run]) run++;
        if (run >= GAP_LEAST) panel_add_box(panel, i, run);
        for (uint32_t k = 0; run < GAP_LEAST && k < run; k++) panel_add_box(panel, i + k, 1);
        i += run;
        if (i < panel->count) panel_add_box(panel, i++, 1);
    }
}

/* ---- repeated patterns ---- */

/* Two boxes look the same. Boxes for omitted operations always do, whatever their number. */
static bool is_alike(const struct timeline_panel *panel, uint32_t a, uint32_t b)
{
    const struct timeline_box *x = &panel->boxes.at[a], *y = &panel->boxes.at[b];
    bool gaps = x->count > 1 && y->count > 1 && !x->times && !y->times;
    return gaps || (strcmp(x->label, y->label) == 0 &&
                    panel->list[x->first]->deleted == panel->list[y->first]->deleted);
}

/* How often the pattern of period boxes from `at` on occurs in a row. */
static uint32_t count_repeats(const struct timeline_panel *panel, uint32_t at, uint32_t period)
{
    uint32_t alike = 0;
    while (at + alike + period < panel->boxes.count &&
           is_alike(panel, at + alike, at + alike + period))
        alike++;
    return 1 + alike / period;
}

/* The period of the pattern from `at` on that covers the most boxes; *repeats is 1 if there is
 * none. */
static uint32_t find_pattern(const struct timeline_panel *panel, uint32_t at, uint32_t *repeats)
{
    uint32_t best = 1;
    *repeats = 1;
    for (uint32_t period = 1; period <= PERIOD_MOST; period++) {
        uint32_t count = count_repeats(panel, at, period);
        if (count < REPEATS_LEAST || count * period <= *repeats * best) continue;
        best = period;
        *repeats = count;
    }
    return best;
}

static void fold_repeats(struct timeline_panel *panel)
{
    uint32_t kept = 0, repeats;
    for (uint32_t i = 0; i < panel->boxes.count;) {
        uint32_t period = find_pattern(panel, i, &repeats);
        uint32_t head = repeats > 1 ? 2 * period : 1;
        for (uint32_t k = 0; k < head; k++) panel->boxes.at[kept++] = panel->boxes.at[i++];
        if (repeats == 1) continue;
        uint32_t end = i + (repeats - 3) * period;
        struct timeline_box box = {.first = panel->boxes.at[i].first, .times = repeats - 3};
        box.count = panel->boxes.at[end].first - box.first;
        snprintf(box.label, sizeof box.label, "%" PRIu32 " \xc3\x97 more", box.times);
        panel->boxes.at[kept++] = box;
        for (i = end; i < end + period;) panel->boxes.at[kept++] = panel->boxes.at[i++];
    }
    panel->boxes.count = kept;
}

static void cut_boxes(struct timeline_panel *panel)
{
    if (panel->boxes.count <= BOXES_MOST) return;
    panel->boxes.count = BOXES_MOST - 1;
    const struct timeline_box *last = &panel->boxes.at[BOXES_MOST - 2];
    uint32_t first = last->first + last->count;
    panel_add_box(panel, first, panel->count - first);
}

/* ---- where boxes and lines are ---- */

static void place_boxes(struct timeline_panel *panel)
{
    uint32_t x = 0;
    for (uint32_t b = 0; b < panel->boxes.count; b++) {
        struct timeline_box *box = &panel->boxes.at[b];
        box->x = x;
        box->width = clean_count(str_from(box->label)) * LETTER / 10 + PADDING;
        x += box->width + SPACE;
    }
    panel->width = x ? x - SPACE : 0;
}

/* The operation that completes the one at from; panel->count if none does. */
static uint32_t find_end(const struct timeline_panel *panel, uint32_t from)
{
    enum ptxopt_operation_kind end =
        panel->list[from]->kind == PTXOPT_LOAD ? PTXOPT_WAIT_LOAD : PTXOPT_WAIT_STORE;
    uint32_t i = from + 1;
    while (i < panel->count && panel->list[i]->kind != end) i++;
    return i;
}

static bool is_asynchronous(const struct review_operation *operation)
{
    return operation->kind == PTXOPT_LOAD || operation->kind == PTXOPT_STORE;
}

/* The last box that begins at or before the operation. */
static uint32_t box_of(const struct timeline_panel *panel, uint32_t operation)
{
    uint32_t low = 0, high = panel->boxes.count;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (panel->boxes.at[middle].first <= operation)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static void add_flight(struct timeline_panel *panel, uint32_t box, uint32_t *lane_ends)
{
    const struct timeline_box *at = &panel->boxes.at[box];
    uint32_t last = at->first + at->count, lane = 0;
    while (last-- > at->first)
        if (is_asynchronous(panel->list[last])) break;
    if (last + 1 == at->first) return;
    uint32_t to = box_of(panel, find_end(panel, last));
    if (to == box) return;
    while (lane < LANES_MOST && lane_ends[lane] > box) lane++;
    if (lane == LANES_MOST) return;
    lane_ends[lane] = to;
    if (lane >= panel->lanes) panel->lanes = lane + 1;
    vec_push(&panel->flights, (struct timeline_flight){box, to, lane});
}

static void count_flights(struct timeline_panel *panel)
{
    uint32_t loads = 0, stores = 0;
    for (uint32_t i = 0; i < panel->count; i++) {
        enum ptxopt_operation_kind kind = panel->list[i]->kind;
        loads = kind == PTXOPT_WAIT_LOAD ? 0 : loads + (kind == PTXOPT_LOAD);
        stores = kind == PTXOPT_WAIT_STORE ? 0 : stores + (kind == PTXOPT_STORE);
        panel->loads += kind == PTXOPT_LOAD;
        panel->stores += kind == PTXOPT_STORE;
        panel->waits += kind == PTXOPT_WAIT_LOAD || kind == PTXOPT_WAIT_STORE;
        if (loads + stores > panel->most_in_flight) panel->most_in_flight = loads + stores;
    }
}

void timeline_lay_out(struct timeline_panel *panel, const struct review_file *file,
                      const struct review_kernel *kernel, bool after)
{
    *panel = (struct timeline_panel){0};
    if (!kernel->operation_count) return;
    const struct review_operation *all = &file->operations.at[kernel->first_operation];
    bool *shown = mem_zalloc(kernel->operation_count, sizeof *shown);
    uint32_t lane_ends[LANES_MOST] = {0};
    panel->list = mem_zalloc(kernel->operation_count, sizeof *panel->list);
    choose_operations(shown, file, kernel);
    for (uint32_t i = 0; i < kernel->operation_count; i++) {
        if (after && all[i].deleted) continue;
        shown[panel->count] = shown[i];
        panel->list[panel->count++] = &all[i];
    }
    make_boxes(panel, shown);
    mem_free(shown);
    fold_repeats(panel);
    cut_boxes(panel);
    place_boxes(panel);
    for (uint32_t b = 0; b < panel->boxes.count; b++) add_flight(panel, b, lane_ends);
    count_flights(panel);
}

void timeline_free(struct timeline_panel *panel)
{
    mem_free(panel->list);
    vec_free(&panel->boxes);
    vec_free(&panel->flights);
}
