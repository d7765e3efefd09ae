/* The report for people at a terminal (format text): each item with the code around it, the lines
 * it rests on, and where to read on. */
#include "report/format.h"

#include <inttypes.h>

#include "report/clean.h"
#include "report/groups.h"

enum color { PLAIN, RED, GREEN, BOLD, DIM };

struct listing {
    struct buf *out;
    bool color;
};

static void begin(const struct listing *l, enum color color)
{
    static const char *const codes[] = {"\033[0m", "\033[31m", "\033[32m", "\033[1m", "\033[2m"};
    if (l->color) buf_puts(l->out, codes[color]);
}

static void add_text(const struct listing *l, enum color color, const char *text)
{
    begin(l, color);
    clean_add(l->out, str_from(text));
    begin(l, PLAIN);
}

static void add_row(const struct listing *l, const struct review_row *row)
{
    struct str text = row->text;
    if (text.n && text.p[text.n - 1] == '\r') text.n--;
    begin(l, row->op == '-' ? RED : row->op == '+' ? GREEN : DIM);
    buf_printf(l->out, "  %c %6" PRIu32 " | ", row->op, row->op == '+' ? row->after : row->before);
    clean_add(l->out, text);
    begin(l, PLAIN);
    buf_putc(l->out, '\n');
}

static void add_fact(const struct listing *l, const char *label, const char *text, const char *more)
{
    if (!*text) return;
    buf_printf(l->out, "    %-9s ", label);
    clean_add(l->out, str_from(text));
    if (*more) buf_puts(l->out, "  ");
    clean_add(l->out, str_from(more));
    buf_putc(l->out, '\n');
}

static void add_steps(const struct listing *l, const struct review_item *item)
{
    if (item->finding.more_operations)
        buf_printf(l->out, "    %-9s %" PRIu32 " more operations issued before\n", "chain",
                   item->finding.more_operations);
    for (uint32_t i = 0; i < item->steps.count; i++) {
        const struct review_step *step = &item->steps.at[i];
        bool first = i == 0 && !item->finding.more_operations;
        const char *label = item->finding.kind == PTXOPT_HAZARD ? "path" : "chain";
        buf_printf(l->out, "    %-9s %" PRIu32 ": ", first ? label : "", step->line);
        clean_add(l->out, str_from(step->text));
        if (*step->part) buf_printf(l->out, "  (%s)", step->part);
        buf_putc(l->out, '\n');
    }
}

static void add_facts(const struct listing *l, const struct review_item *item)
{
    struct review_fact facts[REVIEW_FACTS];
    review_facts(item, facts);
    for (int i = 0; i < REVIEW_FACTS; i++) add_fact(l, facts[i].label, facts[i].text, "");
}

static void add_place(const struct listing *l, const struct review_file *file,
                      const struct review_item *item)
{
    begin(l, BOLD);
    clean_add(l->out, str_from(item->at_source ? item->source_file : file->name));
    if (item->at_source)
        buf_printf(l->out, ":%" PRIu32 ": ", item->source_line);
    else
        buf_printf(l->out, ":%" PRIu32 ":%" PRIu32 ": ", item->finding.line, item->finding.column);
    begin(l, PLAIN);
}

/* What is said of all copies. */
static void add_group(const struct listing *l, const struct review_item *leader)
{
    struct buf text = {0};
    groups_sentence(&text, leader->group);
    begin(l, BOLD);
    clean_add(l->out, str_from(leader->source_file));
    buf_printf(l->out, ":%" PRIu32 ": ", leader->source_line);
    begin(l, PLAIN);
    clean_add(l->out, (struct str){text.data, text.len});
    buf_putc(l->out, '\n');
    buf_free(&text);
}

static void add_copies(const struct listing *l, const struct review_item *leader)
{
    const char *label = "copies";
    for (uint32_t i = 0; i < leader->group->count; i++) {
        struct buf text = {0};
        if (leader->group->items[i] == leader) continue;
        groups_site(&text, leader->group->items[i]);
        char *site = buf_take(&text);
        add_fact(l, label, site, "");
        label = "";
        mem_free(site);
    }
}

static void add_item(const struct listing *l, const struct review_file *file,
                     const struct review_item *item)
{
    struct buf text = {0};
    if (!groups_lead(item)) return;
    if (item->group) add_group(l, item);
    add_place(l, file, item);
    review_sentence(&text, item);
    char *sentence = buf_take(&text);
    bool bad = review_severity(item) == REVIEW_ERROR;
    if (item->finding.kind == PTXOPT_HAZARD)
        buf_printf(l->out, "%s: ", review_level_word(item->finding.level));
    add_text(l, bad ? RED : PLAIN, sentence);
    mem_free(sentence);
    buf_puts(l->out, "\n");
    for (uint32_t i = 0; i < item->code.rows.count; i++) add_row(l, &item->code.rows.at[i]);
    add_steps(l, item);
    add_facts(l, item);
    add_fact(l, "SASS", item->change.says, "");
    sass_change_columns(l->out, &item->change);
    add_fact(l, review_is_ruled(item) ? "rule" : "code", item->finding.code, item->finding.reason);
    add_fact(l, "PTX ISA", item->finding.isa_section, item->isa_link);
    add_fact(l, "assumes", item->finding.assumptions, "");
    add_fact(l, "function", item->finding.function, "");
    add_fact(l, "CUDA", item->source_says, "");
    add_fact(l, "PTX", item->ptx_says, "");
    add_fact(l, "id", item->finding.id, "");
    if (item->group) add_copies(l, item);
    buf_putc(l->out, '\n');
}

static void add_file(const struct listing *l, const struct review_file *file)
{
    for (uint32_t i = 0; i < file->items.count; i++) add_item(l, file, &file->items.at[i]);
    if (*file->no_sass) {
        clean_add(l->out, str_from(file->name));
        buf_puts(l->out, ": no machine code is shown: ");
        clean_add(l->out, str_from(file->no_sass));
        buf_putc(l->out, '\n');
    }
    for (uint32_t i = 0; i < file->kernels.count; i++) {
        if (!file->kernels.at[i].before) continue;
        add_text(l, BOLD, file->kernels.at[i].name);
        buf_puts(l->out, ": ");
        review_figures(l->out, &file->kernels.at[i]);
        buf_putc(l->out, '\n');
    }
}

void report_text(struct buf *out, const struct review *review)
{
    struct listing l = {out, review->color};
    for (uint32_t f = 0; f < review->count; f++) add_file(&l, review->files[f]);
    begin(&l, BOLD);
    review_headline(out, review);
    begin(&l, PLAIN);
    buf_putc(out, '\n');
}
