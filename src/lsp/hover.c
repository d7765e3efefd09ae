/* Explains on hover why an instruction is removed or kept: the sentence, the steps with their
 * lines, and the details, as Markdown if the client supports it. See hover.h. */
#include <jansson.h>

#include "lsp/hover.h"

#include <inttypes.h>

#include "report/json.h"

/* Adds text with all Markdown characters escaped. */
static void hover_add_plain(struct buf *out, const char *text, bool markdown)
{
    for (; *text; text++) {
        if (markdown && strchr("\\`*_[]<>~|&$", *text)) buf_putc(out, '\\');
        buf_putc(out, *text);
    }
}

/* Adds code in more backticks than it has in a row. */
static void hover_add_code(struct buf *out, const char *text, bool markdown)
{
    size_t longest = 0, row = 0;
    for (const char *c = text; *c; c++) {
        row = *c == '`' ? row + 1 : 0;
        if (row > longest) longest = row;
    }
    for (size_t i = 0; markdown && i <= longest; i++) buf_putc(out, '`');
    if (markdown && longest) buf_putc(out, ' ');
    buf_puts(out, text);
    if (markdown && longest) buf_putc(out, ' ');
    for (size_t i = 0; markdown && i <= longest; i++) buf_putc(out, '`');
}

static void hover_add_steps(struct buf *out, const struct review_item *item, bool markdown)
{
    for (uint32_t i = 0; i < item->steps.count; i++) {
        const struct review_step *step = &item->steps.at[i];
        buf_printf(out, "- PTX line %" PRIu32 "%s", step->line, *step->part ? ", " : "");
        hover_add_plain(out, step->part, markdown);
        buf_puts(out, ": ");
        hover_add_code(out, step->text, markdown);
        buf_putc(out, '\n');
    }
    if (item->finding.more_operations)
        buf_printf(out, "- and %" PRIu32 " more like the first\n", item->finding.more_operations);
    if (item->steps.count) buf_putc(out, '\n');
}

static void hover_add_facts(struct buf *out, const struct review_item *item, bool markdown)
{
    struct review_fact facts[REVIEW_FACTS];
    review_facts(item, facts);
    for (int i = 0; i < REVIEW_FACTS; i++) {
        if (!*facts[i].text) continue;
        buf_printf(out, "%s: ", facts[i].label);
        hover_add_plain(out, facts[i].text, markdown);
        buf_puts(out, "\n\n");
    }
}

static void hover_add_item(struct buf *out, const struct review_item *item, bool markdown)
{
    struct buf text = {0};
    if (out->len) buf_puts(out, markdown ? "\n---\n\n" : "\n");
    review_sentence(&text, item);
    char *sentence = buf_take(&text);
    hover_add_plain(out, sentence, markdown);
    mem_free(sentence);
    buf_puts(out, "\n\n");
    hover_add_steps(out, item, markdown);
    hover_add_facts(out, item, markdown);
    review_grounds(&text, item);
    char *grounds = buf_take(&text);
    hover_add_plain(out, grounds, markdown);
    mem_free(grounds);
    if (markdown && *item->isa_link) buf_printf(out, " ([this section](%s))", item->isa_link);
    buf_putc(out, '\n');
}

json_t *hover_value(const struct session *session, struct document *document, uint32_t offset)
{
    struct buf text = {0};
    struct span span = {0};
    for (uint32_t i = 0; i < document->review.items.count; i++) {
        const struct review_item *item = &document->review.items.at[i];
        if (offset < item->finding.start || offset >= item->finding.end) continue;
        hover_add_item(&text, item, session->markdown);
        span = (struct span){item->finding.start, item->finding.end};
    }
    json_t *value = text.len
                        ? json_need(json_pack("{s:{s:s,s:o},s:o}", "contents", "kind",
                                              session->markdown ? "markdown" : "plaintext", "value",
                                              json_bytes((struct str){text.data, text.len}),
                                              "range", session_range(session, document, span)))
                        : json_null();
    buf_free(&text);
    return value;
}
