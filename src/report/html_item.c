/* Prints one item in a page: what, where and why, and the lines that the proof uses. Kept items are
 * folded. */
#include <inttypes.h>

#include "report/brief.h"
#include "report/clean.h"
#include "report/groups.h"
#include "report/html_parts.h"

enum {
    COPIES_MOST = 100,    /* listed copies of a group */
    LINES_MOST = 48 << 10 /* limit in bytes for the lines around an item */
};

static void html_add_place(struct buf *out, struct review_place place)
{
    html_text(out, place.source->place);
    buf_printf(out, ":%" PRIu32, place.line);
}

/* ---- where ---- */

/* Adds the line that the author wrote, then the wrappers that were inlined there, then the PTX
 * line. */
static void html_add_places(struct buf *out, const struct html_item *at)
{
    const struct review_item *item = at->item;
    struct review_place author = html_author_place(item);
    buf_printf(out, "<a href=\"#i%" PRIu32 "-%" PRIu32 "\">", at->file_number, at->number);
    if (author.line) {
        html_add_place(out, author);
        buf_puts(out, "</a> <span class=\"soft\">");
        for (uint32_t i = 1; i < item->stack.count; i++) {
            buf_puts(out, "\xe2\x86\x92 ");
            html_add_place(out, item->stack.at[i]);
            buf_putc(out, ' ');
        }
        buf_puts(out, "\xc2\xb7 ");
    }
    html_text(out, at->file->name);
    buf_printf(out, ":%" PRIu32 ":%" PRIu32 "%s", item->finding.line, item->finding.column,
               author.line ? "</span>" : "</a>");
}

static void add_head(struct buf *out, const struct html_item *at)
{
    buf_printf(out, "<span class=\"kind\">%s</span> ", review_label(at->item));
    html_add_places(out, at);
    if (*at->item->finding.text && review_is_ruled(at->item)) {
        buf_putc(out, ' ');
        html_code(out, at->item->finding.text);
    }
}

/* ---- why ---- */

static void html_add_steps(struct buf *out, const struct html_item *at)
{
    const struct review_item *item = at->item;
    if (!item->steps.count) return;
    buf_puts(out, "<p class=\"steps\">");
    if (item->finding.more_operations)
        buf_printf(out, "%" PRIu32 " more issued before \xc2\xb7 ", item->finding.more_operations);
    for (uint32_t i = 0; i < item->steps.count; i++) {
        const struct review_step *step = &item->steps.at[i];
        buf_printf(out,
                   "%s<a href=\"#i%" PRIu32 "-%" PRIu32 "-%" PRIu32 "\">PTX line %" PRIu32 "</a> ",
                   i ? " \xc2\xb7 " : "", at->file_number, at->number, step->line, step->line);
        html_text(out, step->part);
        if (!step->origin.line) continue;
        buf_puts(out, " (");
        html_add_place(out, step->origin);
        buf_putc(out, ')');
    }
    buf_puts(out, "</p>\n");
}

static void add_link(struct buf *out, const struct review_item *item)
{
    buf_puts(out, ", <a rel=\"noreferrer\" href=\"");
    html_text(out, item->isa_link);
    buf_puts(out, "\">PTX ISA ");
    html_text(out, item->finding.isa_section);
    buf_puts(out, "</a>");
}

static void html_add_grounds(struct buf *out, const struct review_item *item)
{
    buf_puts(out, review_is_ruled(item) ? "<p class=\"soft\">Rule " : "<p class=\"soft\">Code ");
    html_code(out, item->finding.code);
    if (*item->finding.reason) buf_puts(out, ", reason ");
    if (*item->finding.reason) html_code(out, item->finding.reason);
    if (*item->finding.isa_section) add_link(out, item);
    if (*item->finding.assumptions) buf_puts(out, ", assumes ");
    for (const char *c = item->finding.assumptions; *c; c++) {
        clean_add_html(out, (struct str){c, 1});
        if (*c == ',') buf_putc(out, ' ');
    }
    if (*item->finding.id) buf_puts(out, ", id ");
    if (*item->finding.id) html_code(out, item->finding.id);
    buf_puts(out, "</p>\n");
}

static void html_add_facts(struct buf *out, const struct review_item *item)
{
    struct review_fact facts[REVIEW_FACTS];
    review_facts(item, facts);
    for (int i = 0; i < REVIEW_FACTS; i++) {
        if (!*facts[i].text) continue;
        buf_printf(out, "<p><span class=\"soft\">%s:</span> ", facts[i].label);
        html_text(out, facts[i].text);
        buf_puts(out, "</p>\n");
    }
}

static void html_add_sentence(struct buf *out, const struct review_item *item)
{
    struct buf sentence = {0};
    review_sentence(&sentence, item);
    buf_puts(out, "<p>");
    clean_add_html(out, (struct str){sentence.data, sentence.len});
    buf_puts(out, ".</p>\n");
    buf_free(&sentence);
}

const char *html_class(const struct review_item *item)
{
    switch (item->finding.kind) {
    case PTXOPT_DELETED: return "edit";
    case PTXOPT_KEPT: return "kept";
    case PTXOPT_HAZARD: return "lint";
    default: return "other";
    }
}

/* Adds the text that holds for all copies of a group. */
static void html_add_group(struct buf *out, const struct review_item *leader)
{
    struct buf text = {0};
    brief_line(&text, leader, "redundant");
    if (leader->group->last) buf_puts(&text, "; ");
    groups_advice(&text, leader->group);
    buf_puts(out, "<p><b>");
    clean_add_html(out, (struct str){text.data, text.len});
    buf_puts(out, "</b></p>\n");
    buf_free(&text);
}

static void html_add_copies(struct buf *out, const struct review_item *leader)
{
    const struct review_group *group = leader->group;
    uint32_t told = 0;
    buf_printf(out, "<details><summary>%" PRIu32 " copies</summary>\n<ul>\n", group->count);
    for (; told < group->count && told < COPIES_MOST; told++) {
        struct buf site = {0};
        groups_site(&site, group->items[told], "redundant");
        buf_puts(out, "<li>");
        clean_add_html(out, (struct str){site.data, site.len});
        buf_puts(out, "</li>\n");
        buf_free(&site);
    }
    if (told < group->count) buf_printf(out, "<li>%" PRIu32 " more</li>\n", group->count - told);
    buf_puts(out, "</ul></details>\n");
}

void html_add_item(struct buf *out, const struct html_item *at)
{
    const struct review_group *group = at->item->group;
    bool folds = at->item->finding.kind == PTXOPT_KEPT;
    buf_printf(out, "<article class=\"%s\" id=\"i%" PRIu32 "-%" PRIu32 "\"", html_class(at->item),
               at->file_number, at->number);
    if (group) buf_printf(out, " data-count=\"%" PRIu32 "\"", group->count);
    buf_putc(out, '>');
    buf_puts(out, folds ? "<details><summary>" : "<p>");
    add_head(out, at);
    buf_puts(out, folds ? "</summary>\n" : "</p>\n");
    if (group) html_add_group(out, at->item);
    html_add_sentence(out, at->item);
    html_add_steps(out, at);
    html_add_facts(out, at->item);
    size_t start = out->len;
    html_add_lines(out, at);
    if (out->len - start > LINES_MOST) {
        out->len = start;
        buf_puts(out, "<p class=\"soft\">The lines around it are too long for this page.</p>\n");
    }
    html_add_sass(out, &at->item->change);
    html_add_grounds(out, at->item);
    if (group) html_add_copies(out, at->item);
    buf_puts(out, folds ? "</details></article>\n" : "</article>\n");
}
