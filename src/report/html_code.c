/* Prints the lines of an item in a page: before, with removed instructions struck out, and
 * after. */
#include <inttypes.h>

#include "report/clean.h"
#include "report/html_parts.h"

/* A column that is being written. All columns have the same number of lines. */
struct column {
    struct buf *out;
    const struct html_item *at;
    enum { NUMBERS, BEFORE, AFTER } what;
    uint32_t first, last; /* the lines between the item and the instruction that decides it */
    bool within;
};

static bool has_step(const struct review_item *item, uint32_t line)
{
    for (uint32_t i = 0; i < item->steps.count; i++)
        if (item->steps.at[i].line == line) return true;
    return false;
}

/* Adds the parts of the steps on that line. */
static void add_parts(struct buf *out, const struct review_item *item, uint32_t line)
{
    for (uint32_t i = 0; i < item->steps.count; i++) {
        if (item->steps.at[i].line != line) continue;
        buf_puts(out, "<b>");
        html_text(out, item->steps.at[i].part);
        buf_puts(out, "</b>");
    }
}

static struct str html_row_text(const struct review_row *row)
{
    struct str text = row->text;
    if (text.n && text.p[text.n - 1] == '\r') text.n--;
    return text;
}

/* Adds a line with the item struck out; the line may contain other instructions as well. */
static void add_struck(struct buf *out, const struct ptxopt_finding *finding,
                       const struct review_row *row)
{
    struct str text = html_row_text(row);
    int64_t size = (int64_t)text.n;
    int64_t from = row->before == finding->line ? (int64_t)finding->column - 1 + row->shift : 0;
    int64_t to =
        row->before == finding->end_line ? (int64_t)finding->end_column - 1 + row->shift : size;
    if (to > size) to = size;
    if (from > to) from = to;
    clean_add_html(out, (struct str){text.p, (size_t)from});
    buf_puts(out, "<s>");
    clean_add_html(out, (struct str){text.p + from, (size_t)(to - from)});
    buf_puts(out, "</s>");
    clean_add_html(out, (struct str){text.p + to, (size_t)(size - to)});
}

/* Opens or closes the element around the lines between. */
static void mark_shown_lines(struct column *column, uint32_t line)
{
    bool within = line >= column->first && line <= column->last;
    if (within != column->within) buf_puts(column->out, within ? "<span>" : "</span>");
    column->within = within;
}

static void add_before(struct column *column, const struct review_row *row)
{
    const struct html_item *at = column->at;
    const struct ptxopt_finding *finding = &at->item->finding;
    bool step = has_step(at->item, row->before);
    bool about = row->before >= finding->line && row->before <= finding->end_line;
    bool gone = about && finding->kind == PTXOPT_DELETED;
    const char *tag = gone ? "del" : "mark";
    mark_shown_lines(column, row->before);
    if (!step && !about && row->op == ' ') {
        clean_add_html(column->out, html_row_text(row));
        buf_putc(column->out, '\n');
        return;
    }
    buf_printf(column->out, "<%s%s", tag, gone ? "" : about ? " class=\"it\"" : "");
    if (!step && !about) buf_puts(column->out, " class=\"also\"");
    if (step)
        buf_printf(column->out, " id=\"i%" PRIu32 "-%" PRIu32 "-%" PRIu32 "\"", at->file_number,
                   at->number, row->before);
    buf_putc(column->out, '>');
    if (gone)
        add_struck(column->out, finding, row);
    else
        clean_add_html(column->out, html_row_text(row));
    add_parts(column->out, at->item, row->before);
    buf_printf(column->out, "</%s>", tag);
}

static void add_after(struct column *column, const struct review_row *row)
{
    bool come = row->op == '+' && row->text.n > strspn(row->text.p, " \t\r");
    if (come) buf_puts(column->out, "<ins>");
    clean_add_html(column->out, html_row_text(row));
    buf_puts(column->out, come ? "</ins>" : "\n");
}

/* Adds the rows of one kind and then blank lines, so that all columns have the same number of
 * lines. */
static void add_run(struct column *column, const struct review_row *rows, uint32_t count,
                    uint32_t blank)
{
    for (uint32_t i = 0; i < count; i++) switch (column->what) {
        case NUMBERS: buf_printf(column->out, "%" PRIu32 "\n", rows[i].before); break;
        case BEFORE: add_before(column, &rows[i]); break;
        case AFTER: add_after(column, &rows[i]); break;
        }
    while (blank--) buf_putc(column->out, '\n');
}

static uint32_t run_length(const struct review_hunk *code, uint32_t at, char op)
{
    uint32_t count = 0;
    while (at + count < code->rows.count && code->rows.at[at + count].op == op) count++;
    return count;
}

static void html_add_hunk(struct column *column, const struct review_hunk *code)
{
    for (uint32_t i = 0; i < code->rows.count;) {
        uint32_t same = run_length(code, i, ' ');
        add_run(column, &code->rows.at[i], same, 0);
        i += same;
        uint32_t gone = run_length(code, i, '-'), come = run_length(code, i + gone, '+');
        uint32_t most = gone > come ? gone : come;
        if (column->what == AFTER)
            add_run(column, &code->rows.at[i + gone], come, most - come);
        else
            add_run(column, &code->rows.at[i], gone, most - gone);
        i += gone + come;
    }
}

static void add_gap(struct column *column, uint32_t end, uint32_t next)
{
    mark_shown_lines(column, end);
    if (column->what == NUMBERS)
        buf_putc(column->out, '\n');
    else
        buf_printf(column->out, "<em>\xe2\x8b\xaf %" PRIu32 " lines</em>", next - end);
}

static void html_add_code_column(struct column column)
{
    const struct review_item *item = column.at->item;
    uint32_t end = 0;
    buf_puts(column.out, "<pre>");
    for (uint32_t h = 0; h < item->context.count; h++) {
        const struct review_hunk *code = &item->context.at[h];
        if (h) add_gap(&column, end, code->before_first);
        html_add_hunk(&column, code);
        end = code->before_first + code->before_count;
    }
    if (column.within) buf_puts(column.out, "</span>");
    buf_puts(column.out, "</pre>");
}

static bool item_changes_lines(const struct review_item *item)
{
    for (uint32_t h = 0; h < item->context.count; h++)
        for (uint32_t i = 0; i < item->context.at[h].rows.count; i++)
            if (item->context.at[h].rows.at[i].op != ' ') return true;
    return false;
}

void html_add_lines(struct buf *out, const struct html_item *at)
{
    const struct ptxopt_finding *finding = &at->item->finding;
    struct column before = {.out = out, .at = at, .what = BEFORE, .first = 1};
    bool two = finding->kind == PTXOPT_DELETED && item_changes_lines(at->item);
    if (!at->item->context.count) return;
    if (finding->witness_line) {
        bool ahead = finding->witness_line > finding->line;
        before.first = ahead ? finding->line : finding->witness_line;
        before.last = ahead ? finding->witness_line : finding->line;
    }
    buf_puts(out, two ? "<div class=\"lines two\">" : "<div class=\"lines\">");
    html_add_code_column((struct column){.out = out, .at = at, .what = NUMBERS, .first = 1});
    html_add_code_column(before);
    if (two) html_add_code_column((struct column){.out = out, .at = at, .what = AFTER, .first = 1});
    buf_puts(out, "</div>\n");
}
