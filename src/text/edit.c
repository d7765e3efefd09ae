/* Writes a text with the planned removals. See edit.h. */
#include "text/edit.h"

#include <stdbool.h>
#include <string.h>

#include "base/bug.h"

void edit_plan_add(struct edit_plan *plan, struct span span, const char *note)
{
    vec_push(plan, (struct edit){.span = span, .note = note});
}

void edit_add_line_breaks(struct buf *out, struct str deleted)
{
    for (size_t i = 0; i < deleted.n; i++)
        if (deleted.p[i] == '\n' || deleted.p[i] == '\r') buf_putc(out, deleted.p[i]);
}

/* Extends the replaced span by blanks, because a removal must not leave blanks at the end of a
 * line, which `git apply` may reject: by the blanks after it if nothing follows them on the line,
 * and then by those before it. bare: nothing remains on the first line of the next edit from there
 * on. Returns the same for this edit. */
static bool take_blanks(const struct source *source, struct edit *edit, uint32_t before,
                        const struct edit *next, bool bare)
{
    struct str text = source->text, deleted = source_slice(source, edit->span);
    uint32_t end = edit->span.end, start = edit->span.start;
    uint32_t until = next ? next->span.start : (uint32_t)text.n;
    while (end < until && (text.p[end] == ' ' || text.p[end] == '\t')) end++;
    bool ends_behind_next = next && end == until && bare;
    bool ends = end == until ? !next : text.p[end] == '\n' || text.p[end] == '\r';
    edit->replaced = edit->span;
    if (ends) edit->replaced.end = end;
    bool breaks = memchr(deleted.p, '\n', deleted.n) || memchr(deleted.p, '\r', deleted.n);
    if (!ends && !ends_behind_next && !breaks) return false;
    while (start > before && (text.p[start - 1] == ' ' || text.p[start - 1] == '\t')) start--;
    edit->replaced.start = start;
    return true;
}

static void take_all_blanks(struct edit_plan *plan, const struct source *source)
{
    bool bare = false;
    for (uint32_t i = plan->count; i-- > 0;)
        bare = take_blanks(source, &plan->at[i], i ? plan->at[i - 1].span.end : 0,
                           i + 1 < plan->count ? &plan->at[i + 1] : NULL, bare);
}

static bool edit_is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

/* If the edit leaves nothing on the line or lines of span, the offset of the first byte after them;
 * otherwise 0. A last line without a line feed is kept. */
static uint32_t emptied_until(const struct source *source, struct span span, const struct buf *out)
{
    const char *text = source->text.p, *at = text + span.end, *end = text + source->text.n;
    size_t line = out->len;
    while (at < end && edit_is_blank(*at)) at++;
    if (at == end || *at != '\n') return 0;
    while (line && edit_is_blank(out->data[line - 1])) line--;
    if (line && out->data[line - 1] != '\n') return 0;
    return (uint32_t)(at + 1 - text);
}

static void drop_last_line(struct buf *out)
{
    while (out->len && out->data[out->len - 1] != '\n') out->len--;
}

void edit_plan_apply(struct edit_plan *plan, const struct source *source, enum edit_style style,
                     struct buf *out)
{
    uint32_t at = 0;
    size_t begin = out->len;
    take_all_blanks(plan, source);
    buf_expect(out, source->text.n); /* a comment for an edit is rarely longer than the edit */
    for (uint32_t i = 0; i < plan->count; i++) {
        struct edit *edit = &plan->at[i];
        BUG_UNLESS(edit->span.start >= at && edit->span.end <= source->text.n);
        struct span gone = edit->replaced;
        if (style == EDIT_ANNOTATE) gone.start = edit->span.start;
        buf_add(out, source->text.p + at, gone.start - at);
        at = gone.end;
        uint32_t resume = style == EDIT_SQUEEZE ? emptied_until(source, gone, out) : 0;
        bool next_on_line = i + 1 < plan->count && plan->at[i + 1].span.start < resume;
        if (resume && !next_on_line) {
            drop_last_line(out);
            at = resume;
        } else {
            if (style == EDIT_ANNOTATE) buf_printf(out, "/* %s */", edit->note);
            edit_add_line_breaks(out, source_slice(source, edit->span));
        }
        edit->shift = (int32_t)((int64_t)(out->len - begin) - at);
    }
    buf_add(out, source->text.p + at, source->text.n - at);
}
