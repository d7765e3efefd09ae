/* Writes a report that fits a comment on a pull request: a table of the kernels, those with the
 * most redundant instructions first; the first findings; and a fold for each kernel with the rest.
 * Copies are one item. GitHub refuses more than 65,536 characters, so items that do not fit are
 * counted instead. Characters in text from files that Markdown would interpret are written as HTML
 * entities. */
#include "report/format.h"

#include <inttypes.h>
#include <stdlib.h>

#include "report/brief.h"
#include "report/clean.h"
#include "report/groups.h"

enum {
    LIMIT = 65000,
    MAX_ROWS = 40,
    FOLD_LEAST = 1500,
    FOLD_END = 400,
    MAX_NAME = 120,
    OPEN = 3,
    SITES = 50
};

struct place_of_kernel {
    const struct review_file *file;
    const struct review_kernel *kernel;
    uint32_t order;
};
struct kernel_list VEC(struct place_of_kernel);

/* ---- text ---- */

static void markdown_add_plain(struct buf *out, const char *text)
{
    struct buf html = {0};
    clean_add_html(&html, str_from(text));
    for (size_t i = 0; i < html.len; i++) {
        char c = html.data[i];
        if (c == '\t')
            buf_putc(out, ' ');
        else if (strchr("*_`|[]\\~@$", c))
            buf_printf(out, "&#%d;", c);
        else
            buf_putc(out, c);
    }
    buf_free(&html);
}

/* At most MAX_NAME bytes of text, because a name can be as long as the file. */
static void markdown_add_code(struct buf *out, const char *text)
{
    char cut[MAX_NAME + 4];
    size_t len = strlen(text);
    if (len > MAX_NAME) {
        len = MAX_NAME;
        while (len && ((unsigned char)text[len] & 0xc0) == 0x80) len--;
        memcpy(cut, text, len);
        memcpy(cut + len, "\xe2\x80\xa6", 4);
        text = cut;
    }
    buf_puts(out, "<code>");
    markdown_add_plain(out, text);
    buf_puts(out, "</code>");
}

/* A fence must be longer than any run of backticks in the lines, so that none of them ends the
 * block. */
static size_t fence_length(const struct review_hunk *code)
{
    size_t longest = 2, run = 0;
    for (uint32_t i = 0; i < code->rows.count; i++) {
        struct str text = code->rows.at[i].text;
        for (size_t c = 0; c < text.n; c++) {
            run = text.p[c] == '`' ? run + 1 : 0;
            if (run > longest) longest = run;
        }
        run = 0;
    }
    return longest + 1;
}

static void add_fence(struct buf *out, size_t length)
{
    while (length--) buf_putc(out, '`');
}

static void add_block(struct buf *out, const struct review_hunk *code)
{
    size_t fence = fence_length(code);
    add_fence(out, fence);
    buf_puts(out, "diff\n");
    for (uint32_t i = 0; i < code->rows.count; i++) {
        const struct review_row *row = &code->rows.at[i];
        struct str text = row->text;
        if (text.n && text.p[text.n - 1] == '\r') text.n--;
        buf_putc(out, row->op);
        clean_add(out, text);
        buf_putc(out, '\n');
    }
    add_fence(out, fence);
    buf_puts(out, "\n\n");
}

/* ---- items ---- */

static void markdown_add_grounds(struct buf *out, const struct review_item *item)
{
    buf_puts(out, " (");
    markdown_add_code(out, item->finding.code);
    if (*item->finding.reason) buf_printf(out, ": %s", item->finding.reason);
    if (*item->finding.isa_section)
        buf_printf(out, ", [PTX ISA %s](%s)", item->finding.isa_section, item->isa_link);
    if (*item->finding.assumptions) buf_puts(out, ", assumes ");
    markdown_add_plain(out, item->finding.assumptions);
    if (*item->source_says) buf_puts(out, ", CUDA ");
    if (*item->source_says) markdown_add_code(out, item->source_says);
    if (*item->finding.id) buf_puts(out, ", id ");
    if (*item->finding.id) markdown_add_code(out, item->finding.id);
    buf_puts(out, ")\n");
}

static void markdown_add_steps(struct buf *out, const struct review_item *item)
{
    if (!item->steps.count) return;
    buf_puts(out, item->finding.kind == PTXOPT_HAZARD ? "  Path: " : "  Chain: ");
    if (item->finding.more_operations)
        buf_printf(out, "%" PRIu32 " more operations → ", item->finding.more_operations);
    for (uint32_t i = 0; i < item->steps.count; i++) {
        const struct review_step *step = &item->steps.at[i];
        buf_printf(out, "%sPTX line %" PRIu32 " ", i ? " → " : "", step->line);
        markdown_add_code(out, step->text);
        if (*step->part) buf_printf(out, " (%s)", step->part);
    }
    buf_putc(out, '\n');
}

static void markdown_add_facts(struct buf *out, const struct review_item *item)
{
    struct review_fact facts[REVIEW_FACTS];
    review_facts(item, facts);
    for (int i = 0; i < REVIEW_FACTS; i++) {
        if (!*facts[i].text) continue;
        buf_printf(out, "  - %s: ", facts[i].label);
        markdown_add_plain(out, facts[i].text);
        buf_putc(out, '\n');
    }
}

static void add_sass_cell(struct buf *out, uint32_t offset, const char *text)
{
    struct buf cell = {0};
    if (text) {
        buf_printf(&cell, "0x%04" PRIx32 " %s%c", offset, text, '\0');
        markdown_add_code(out, cell.data);
    }
    buf_free(&cell);
    buf_puts(out, " | ");
}

static const char *sass_mark(char op)
{
    switch (op) {
    case '-': return "−";
    case '+': return "+";
    case '~': return "↕";
    case '.': return "…";
    default: return "";
    }
}

/* Adds what the removal changed in the machine code, with columns for before and after. */
static void markdown_add_sass_change(struct buf *out, const struct sass_change *change)
{
    if (!*change->says) return;
    buf_puts(out, "SASS: ");
    markdown_add_plain(out, change->says);
    buf_puts(out, "\n\n");
    if (!change->rows.count) return;
    buf_puts(out, "| | before | after |\n|---|---|---|\n");
    for (uint32_t i = 0; i < change->rows.count; i++) {
        const struct sass_row *row = &change->rows.at[i];
        buf_printf(out, "| %s | ", sass_mark(row->op));
        add_sass_cell(out, row->before, row->before_text);
        add_sass_cell(out, row->after, row->after_text);
        out->len--;
        buf_putc(out, '\n');
    }
    buf_putc(out, '\n');
}

/* The item is shown with its code, before the items that are shown in one line. */
static bool is_shown_whole(const struct review_item *item)
{
    return item->finding.kind == PTXOPT_DELETED ||
           (item->finding.kind == PTXOPT_HAZARD && review_severity(item) != REVIEW_NOTE);
}

/* Takes over the text. */
static void add_plain_buf(struct buf *out, struct buf *text)
{
    char *plain = buf_take(text);
    markdown_add_plain(out, plain);
    mem_free(plain);
}

/* Adds the text that holds for all copies of the group. */
static void markdown_add_group(struct buf *out, const struct review_item *leader)
{
    struct buf sentence = {0};
    buf_puts(out, "- ");
    markdown_add_code(out, leader->source_file);
    buf_printf(out, " line %" PRIu32 ": **", leader->source_line);
    brief_line(&sentence, leader, "redundant");
    add_plain_buf(out, &sentence);
    buf_puts(out, "**");
    if (leader->group->last) buf_puts(out, "; ");
    groups_advice(&sentence, leader->group);
    add_plain_buf(out, &sentence);
    buf_putc(out, '\n');
}

static void markdown_add_copies(struct buf *out, const struct review_item *leader)
{
    const struct review_group *group = leader->group;
    uint32_t told = 0;
    if (!is_shown_whole(leader)) buf_putc(out, '\n');
    if (group->count == 2)
        buf_puts(out, "<details><summary>the other copy</summary>\n\n");
    else
        buf_printf(out, "<details><summary>the other %" PRIu32 " copies</summary>\n\n",
                   group->count - 1);
    for (uint32_t i = 0; i < group->count && told < SITES; i++) {
        struct buf site = {0};
        if (group->items[i] == leader) continue;
        buf_puts(out, "- ");
        groups_site(&site, group->items[i], "redundant");
        add_plain_buf(out, &site);
        buf_putc(out, '\n');
        told++;
    }
    if (told + 1 < group->count)
        buf_printf(out, "\n%" PRIu32 " more do not fit here.\n", group->count - 1 - told);
    buf_puts(out, "\n</details>\n\n");
}

/* Adds one item, with its code if it is shown whole. */
static void add_single(struct buf *out, const struct review_item *item)
{
    struct buf sentence = {0};
    buf_printf(out, "- **%s** ", review_label(item));
    if (item->at_source) {
        markdown_add_code(out, item->source_file);
        buf_printf(out, " line %" PRIu32 ", ", item->source_line);
    }
    buf_printf(out, "PTX line %" PRIu32 ": ", item->finding.line);
    review_sentence(&sentence, item);
    add_plain_buf(out, &sentence);
    markdown_add_grounds(out, item);
    markdown_add_facts(out, item);
    if (!is_shown_whole(item)) return;
    markdown_add_steps(out, item);
    buf_putc(out, '\n');
    add_block(out, &item->code);
    markdown_add_sass_change(out, &item->change);
}

/* The item belongs to the function, and is shown for itself or for its copies. */
static bool markdown_is_shown(const struct review_item *item, const char *function)
{
    return groups_lead(item) && strcmp(item->finding.function, function) == 0;
}

static uint32_t copies_of(const struct review_item *item)
{
    return item->group ? item->group->count : 1;
}

static void markdown_add_item(struct buf *out, const struct review_item *item)
{
    if (item->group) markdown_add_group(out, item);
    add_single(out, item);
    if (item->group) markdown_add_copies(out, item);
}

/* Adds items of a kernel ("": those of no kernel) from number first up to end, as far as they fit;
 * copies are one item. Items that are shown whole come first. Returns the number of items, counting
 * all copies. */
static uint32_t markdown_add_items(struct buf *out, const struct review_file *file,
                                   const char *function, uint32_t first, uint32_t end)
{
    uint32_t left = 0, number = 0, sum = 0;
    for (int whole = 1; whole >= 0; whole--)
        for (uint32_t i = 0; i < file->items.count; i++) {
            const struct review_item *item = &file->items.at[i];
            if (is_shown_whole(item) != whole || !markdown_is_shown(item, function)) continue;
            if (number++ < first || number > end) continue;
            struct buf text = {0};
            if (!left) markdown_add_item(&text, item);
            if (left || out->len + text.len > LIMIT - FOLD_END)
                left += copies_of(item);
            else
                buf_add(out, text.data, text.len);
            sum += copies_of(item);
            buf_free(&text);
        }
    if (left) buf_printf(out, "\n%" PRIu32 " more do not fit here.\n", left);
    return sum;
}

/* How many items of a function are shown. */
struct amount {
    uint32_t count, whole; /* copies count as one */
    uint32_t copies;       /* each copy counts */
};

static struct amount markdown_amount(const struct review_file *file, const char *function)
{
    struct amount amount = {0};
    for (uint32_t i = 0; i < file->items.count; i++) {
        if (!markdown_is_shown(&file->items.at[i], function)) continue;
        amount.whole += is_shown_whole(&file->items.at[i]);
        amount.copies += copies_of(&file->items.at[i]);
        amount.count++;
    }
    return amount;
}

/* ---- kernels ---- */

static int by_weight(const void *a, const void *b)
{
    const struct place_of_kernel *x = a, *y = b;
    for (int kind = 0; kind < PTXOPT_KINDS; kind++)
        if (x->kernel->count[kind] != y->kernel->count[kind])
            return x->kernel->count[kind] > y->kernel->count[kind] ? -1 : 1;
    return x->order < y->order ? -1 : 1;
}

static void collect_kernels(struct kernel_list *list, const struct review *review)
{
    for (uint32_t f = 0; f < review->count; f++)
        for (uint32_t k = 0; k < review->files[f]->kernels.count; k++)
            vec_push(list, (struct place_of_kernel){review->files[f],
                                                    &review->files[f]->kernels.at[k], list->count});
    if (list->count) qsort(list->at, list->count, sizeof *list->at, by_weight);
}

static void markdown_add_table(struct buf *out, const struct kernel_list *list, bool linted)
{
    uint32_t rows = list->count < MAX_ROWS ? list->count : MAX_ROWS;
    if (!rows) return;
    buf_printf(out, "| kernel | file |%s redundant | kept | ptxas |\n|---|---|%s--:|--:|---|\n",
               linted ? " lint |" : "", linted ? "--:|" : "");
    for (uint32_t i = 0; i < rows; i++) {
        const struct place_of_kernel *place = &list->at[i];
        buf_puts(out, "| ");
        markdown_add_code(out, place->kernel->name);
        buf_puts(out, " | ");
        markdown_add_code(out, place->file->name);
        if (linted) buf_printf(out, " | %" PRIu32, place->kernel->count[PTXOPT_HAZARD]);
        buf_printf(out, " | %" PRIu32 " | %" PRIu32 " | ", place->kernel->count[PTXOPT_DELETED],
                   place->kernel->count[PTXOPT_KEPT]);
        if (place->kernel->before)
            review_figures(out, place->kernel);
        else
            buf_puts(out, "not measured");
        buf_puts(out, " |\n");
    }
    if (rows < list->count)
        buf_printf(out, "\n… and %" PRIu32 " more kernels.\n", list->count - rows);
    buf_putc(out, '\n');
}

/* Lists the kernels of the table that got worse, because that is easily overlooked among its
 * figures. */
static void markdown_add_worse(struct buf *out, const struct kernel_list *list)
{
    bool any = false;
    for (uint32_t i = 0; i < list->count && i < MAX_ROWS; i++) {
        if (!review_is_worse(list->at[i].kernel)) continue;
        buf_puts(out, "- ");
        markdown_add_code(out, list->at[i].kernel->name);
        buf_puts(out, ": **");
        review_worse(out, list->at[i].kernel);
        buf_puts(out, "**\n");
        any = true;
    }
    if (any) buf_putc(out, '\n');
}

static void add_sums(struct buf *out, const struct place_of_kernel *place)
{
    markdown_add_code(out, place->kernel->name);
    buf_puts(out, ": ");
    if (place->file->linted)
        buf_printf(out, "%" PRIu32 " by lint, ", place->kernel->count[PTXOPT_HAZARD]);
    buf_printf(out, "%" PRIu32 " redundant, %" PRIu32 " kept, in ",
               place->kernel->count[PTXOPT_DELETED], place->kernel->count[PTXOPT_KEPT]);
    markdown_add_code(out, place->file->name);
}

/* The first *open items that are shown whole are visible without a click; the others are folded. */
static void markdown_add_kernel(struct buf *out, const struct place_of_kernel *place,
                                uint32_t *open)
{
    const char *name = place->kernel->name;
    struct amount amount = markdown_amount(place->file, name);
    uint32_t shown = amount.whole < *open ? amount.whole : *open, told = 0;
    *open -= shown;
    if (shown) {
        add_sums(out, place);
        buf_puts(out, "\n\n");
        told = markdown_add_items(out, place->file, name, 0, shown);
    }
    if (shown == amount.count) return;
    buf_puts(out, "<details><summary>");
    if (shown) {
        buf_printf(out, "the other %" PRIu32 " of ", amount.copies - told);
        markdown_add_code(out, name);
    } else {
        add_sums(out, place);
    }
    buf_puts(out, "</summary>\n\n");
    (void)markdown_add_items(out, place->file, name, shown, amount.count);
    buf_puts(out, "\n</details>\n\n");
}

static bool kernel_has_no_items(const struct review_kernel *kernel)
{
    for (int kind = 0; kind < PTXOPT_KINDS; kind++)
        if (kernel->count[kind]) return false;
    return true;
}

static void add_file_items(struct buf *out, const struct review_file *file)
{
    uint32_t count = markdown_amount(file, "").count;
    if (!count || out->len > LIMIT - FOLD_LEAST) return;
    markdown_add_code(out, file->name);
    buf_puts(out, ":\n\n");
    (void)markdown_add_items(out, file, "", 0, count);
    buf_putc(out, '\n');
}

void report_markdown(struct buf *out, const struct review *review)
{
    struct buf text = {0};
    struct kernel_list list = {0};
    uint32_t left = 0, open = OPEN;
    collect_kernels(&list, review);
    buf_puts(&text, "### ptxopt: ");
    review_headline(&text, review);
    buf_puts(&text, "\n\n");
    markdown_add_table(&text, &list, review_totals(review).linted);
    markdown_add_worse(&text, &list);
    for (uint32_t f = 0; f < review->count; f++) add_file_items(&text, review->files[f]);
    for (uint32_t i = 0; i < list.count; i++) {
        if (kernel_has_no_items(list.at[i].kernel)) continue;
        if (text.len > LIMIT - FOLD_LEAST)
            left++;
        else
            markdown_add_kernel(&text, &list.at[i], &open);
    }
    if (left) buf_printf(&text, "… and %" PRIu32 " more kernels that do not fit here.\n", left);
    buf_add(out, text.data, text.len);
    buf_free(&text);
    vec_free(&list);
}
