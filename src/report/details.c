/* Writes the details below the line of an item. See details.h. */
#include "report/details.h"

#include <inttypes.h>

#include "report/clean.h"
#include "report/groups.h"

enum color { PLAIN, RED, GREEN, DIM };

struct listing {
    struct buf *out;
    const char *verb;
    bool color;
};

static void begin(const struct listing *l, enum color color)
{
    static const char *const codes[] = {"\033[0m", "\033[31m", "\033[32m", "\033[2m"};
    if (l->color) buf_puts(l->out, codes[color]);
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
        buf_printf(l->out, "    %-9s PTX line %" PRIu32 ": ", first ? label : "", step->line);
        clean_add(l->out, str_from(step->text));
        if (*step->part) buf_printf(l->out, "  (%s)", step->part);
        if (step->origin.source) {
            buf_puts(l->out, "  ");
            clean_add(l->out, str_from(step->origin.source->place));
            buf_printf(l->out, ":%" PRIu32, step->origin.line);
        }
        buf_putc(l->out, '\n');
    }
}

static void add_facts(const struct listing *l, const struct review_item *item)
{
    struct review_fact facts[REVIEW_FACTS];
    review_facts(item, facts);
    for (int i = 0; i < REVIEW_FACTS; i++) add_fact(l, facts[i].label, facts[i].text, "");
}

static void add_copies(const struct listing *l, const struct review_item *leader)
{
    const char *label = "copies";
    for (uint32_t i = 0; i < leader->group->count; i++) {
        struct buf text = {0};
        if (leader->group->items[i] == leader) continue;
        groups_site(&text, leader->group->items[i], l->verb);
        char *site = buf_take(&text);
        add_fact(l, label, site, "");
        label = "";
        mem_free(site);
    }
}

/* Adds a fact whose text is in a buffer, and frees the buffer. */
static void add_made_fact(const struct listing *l, const char *label, struct buf *text)
{
    char *made = buf_take(text);
    add_fact(l, label, made, "");
    mem_free(made);
}

static void details_add_argument(const struct listing *l, const struct review_item *item)
{
    struct buf sentence = {0}, advice = {0};
    review_sentence(&sentence, item);
    add_made_fact(l, "argument", &sentence);
    if (item->group) groups_advice(&advice, item->group);
    add_made_fact(l, "advice", &advice);
}

void details_add(struct buf *out, const struct review_item *item, const char *verb, bool color)
{
    struct listing listing = {out, verb, color}, *l = &listing;
    if (*item->finding.brief) details_add_argument(l, item);
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
