/* How does a result become JSON? */
#include "server/json_out.h"

#include <inttypes.h>
#include <string.h>

/* The length of the UTF-8 sequence at p, 0 when there is none (RFC 3629). */
static size_t sequence(const unsigned char *p, size_t n)
{
    if (p[0] < 0x80) return 1;
    size_t len = p[0] >= 0xc2 && p[0] <= 0xdf ? 2 : (p[0] & 0xf0) == 0xe0 ? 3
                 : p[0] >= 0xf0 && p[0] <= 0xf4 ? 4 : 0;
    if (!len || len > n) return 0;
    for (size_t i = 1; i < len; i++)
        if ((p[i] & 0xc0) != 0x80) return 0;
    bool overlong = (p[0] == 0xe0 && p[1] < 0xa0) || (p[0] == 0xf0 && p[1] < 0x90);
    bool surrogate = p[0] == 0xed && p[1] > 0x9f, beyond = p[0] == 0xf4 && p[1] > 0x8f;
    return overlong || surrogate || beyond ? 0 : len;
}

bool json_out_is_utf8(struct str text)
{
    const unsigned char *p = (const unsigned char *)text.p;
    for (size_t i = 0; i < text.n;) {
        size_t len = sequence(p + i, text.n - i);
        if (!len) return false;
        i += len;
    }
    return true;
}

static void escape(struct buf *out, unsigned char c)
{
    switch (c) {
    case '"': buf_puts(out, "\\\""); break;
    case '\\': buf_puts(out, "\\\\"); break;
    case '\n': buf_puts(out, "\\n"); break;
    case '\t': buf_puts(out, "\\t"); break;
    case '\r': buf_puts(out, "\\r"); break;
    default: buf_printf(out, "\\u%04x", c);
    }
}

void json_out_string(struct buf *out, const char *text, size_t len)
{
    const unsigned char *p = (const unsigned char *)text;
    size_t start = 0, i = 0;
    buf_putc(out, '"');
    while (i < len) {
        bool special = p[i] < ' ' || p[i] == '"' || p[i] == '\\';
        size_t step = special ? 0 : sequence(p + i, len - i);
        if (step) {
            i += step;
            continue;
        }
        buf_add(out, text + start, i - start);
        if (special) escape(out, p[i]);
        else buf_puts(out, "\\ufffd");
        start = ++i;
    }
    buf_add(out, text + start, len - start);
    buf_putc(out, '"');
}

void json_out_text(struct buf *out, const char *text)
{
    json_out_string(out, text, strlen(text));
}

void json_out_name(struct buf *out, const char *name)
{
    char last = out->len ? out->data[out->len - 1] : '{';
    if (last != '{' && last != '[') buf_putc(out, ',');
    json_out_text(out, name);
    buf_putc(out, ':');
}

void json_out_member(struct buf *out, const char *name, const char *text)
{
    json_out_name(out, name);
    json_out_text(out, text);
}

void json_out_number(struct buf *out, const char *name, uint64_t number)
{
    json_out_name(out, name);
    buf_printf(out, "%" PRIu64, number);
}

/* ---- a result ---- */

static void place(struct buf *out, uint32_t line, uint32_t column, uint32_t start, uint32_t end)
{
    json_out_number(out, "line", line);
    json_out_number(out, "column", column);
    json_out_number(out, "start", start);
    json_out_number(out, "end", end);
}

/* Where in the CUDA source; left out when the text does not say. */
static void origin(struct buf *out, const char *file, uint32_t line)
{
    if (!line) return;
    json_out_member(out, "source_file", file);
    json_out_number(out, "source_line", line);
}

static void names(struct buf *out, const char *name, const char *list)
{
    json_out_name(out, name);
    buf_putc(out, '[');
    while (*list) {
        size_t len = strcspn(list, ",");
        json_out_string(out, list, len);
        list += len;
        if (*list == ',') {
            list++;
            buf_putc(out, ',');
        }
    }
    buf_putc(out, ']');
}

static void edits(struct buf *out, const struct ptxopt_result *result)
{
    size_t count;
    const struct ptxopt_edit *edit = ptxopt_result_edits(result, &count);
    json_out_name(out, "edits");
    buf_putc(out, '[');
    for (size_t i = 0; i < count; i++, edit++) {
        buf_puts(out, i ? ",{" : "{");
        json_out_member(out, "id", edit->id);
        json_out_member(out, "rule", edit->rule);
        json_out_member(out, "function", edit->function);
        json_out_member(out, "text", edit->text);
        place(out, edit->line, edit->column, edit->start, edit->end);
        origin(out, edit->source_file, edit->source_line);
        json_out_member(out, "isa_section", edit->isa_section);
        names(out, "assumptions", edit->assumptions);
        json_out_member(out, "why", edit->why);
        json_out_number(out, "witness_line", edit->witness_line);
        buf_putc(out, '}');
    }
    buf_putc(out, ']');
}

static void kept(struct buf *out, const struct ptxopt_result *result)
{
    size_t count;
    const struct ptxopt_kept *one = ptxopt_result_kept(result, &count);
    json_out_name(out, "kept");
    buf_putc(out, '[');
    for (size_t i = 0; i < count; i++, one++) {
        buf_puts(out, i ? ",{" : "{");
        json_out_member(out, "id", one->id);
        json_out_member(out, "rule", one->rule);
        json_out_member(out, "function", one->function);
        json_out_member(out, "text", one->text);
        place(out, one->line, one->column, one->start, one->end);
        origin(out, one->source_file, one->source_line);
        json_out_member(out, "reason", one->reason);
        json_out_member(out, "why", one->why);
        json_out_number(out, "witness_line", one->witness_line);
        buf_putc(out, '}');
    }
    buf_putc(out, ']');
}

static void remarks(struct buf *out, const struct ptxopt_result *result)
{
    size_t count;
    const struct ptxopt_advice *advice = ptxopt_result_advice(result, &count);
    json_out_name(out, "advice");
    buf_putc(out, '[');
    for (size_t i = 0; i < count; i++) {
        buf_puts(out, i ? ",{" : "{");
        json_out_member(out, "rule", advice[i].rule);
        json_out_member(out, "function", advice[i].function);
        json_out_number(out, "line", advice[i].line);
        json_out_number(out, "column", advice[i].column);
        json_out_member(out, "why", advice[i].why);
        buf_putc(out, '}');
    }
    buf_putc(out, ']');
    const struct ptxopt_skipped *skipped = ptxopt_result_skipped(result, &count);
    json_out_name(out, "skipped");
    buf_putc(out, '[');
    for (size_t i = 0; i < count; i++) {
        buf_puts(out, i ? ",{" : "{");
        json_out_member(out, "function", skipped[i].function);
        json_out_number(out, "line", skipped[i].line);
        json_out_number(out, "column", skipped[i].column);
        json_out_member(out, "reason", skipped[i].reason);
        json_out_member(out, "why", skipped[i].why);
        buf_putc(out, '}');
    }
    buf_putc(out, ']');
}

/* No times: the same request has the same answer, byte for byte. */
static void sums(struct buf *out, const struct ptxopt_result *result)
{
    const struct ptxopt_stats *stats = ptxopt_result_stats(result);
    json_out_name(out, "stats");
    buf_putc(out, '{');
    json_out_number(out, "input_bytes", stats->input_bytes);
    json_out_number(out, "output_bytes", stats->output_bytes);
    json_out_number(out, "functions", stats->functions);
    json_out_number(out, "instructions", stats->instructions);
    json_out_number(out, "tcgen05", stats->tcgen05);
    json_out_number(out, "candidates", stats->candidates);
    json_out_number(out, "deleted", stats->deleted);
    buf_putc(out, '}');
}

void json_out_result(struct buf *out, const struct ptxopt_result *result)
{
    edits(out, result);
    kept(out, result);
    remarks(out, result);
    sums(out, result);
}
