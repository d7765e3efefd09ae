/* Keeps a text as the editor shows it, and its analysis. A change of the text discards the
 * analysis. See document.h. */
#include "lsp/document.h"

#include "base/mem.h"

struct str document_text(const struct document *document)
{
    return (struct str){document->text.len ? document->text.data : "", document->text.len};
}

void document_forget(struct document *document)
{
    document->stale = true;
    vec_free(&document->lines);
    review_file_free(&document->review);
    document->review = (struct review_file){0};
    arena_free(&document->arena);
    mem_free(document->problem);
    document->problem = NULL;
}

static void drop_if_larger(struct document *document, size_t limit)
{
    document->too_large = document->text.len > limit;
    if (document->too_large) buf_free(&document->text);
}

void document_set(struct document *document, struct str text, size_t limit)
{
    document_forget(document);
    document->text.len = 0;
    buf_add(&document->text, text.p, text.n);
    drop_if_larger(document, limit);
}

void document_change(struct document *document, enum encoding encoding, struct position from,
                     struct position to, struct str text, size_t limit)
{
    if (document->too_large) return;
    uint32_t start = document_offset(document, encoding, from);
    uint32_t end = document_offset(document, encoding, to);
    if (end < start) end = start;
    struct buf *old = &document->text, next = {0};
    document_forget(document);
    buf_expect(&next, old->len - (end - start) + text.n);
    buf_add(&next, old->data, start);
    buf_add(&next, text.p, text.n);
    if (old->len > end) buf_add(&next, old->data + end, old->len - end);
    buf_free(old);
    *old = next;
    drop_if_larger(document, limit);
}

static void document_index_lines(struct document *document)
{
    if (!document->lines.count) position_index(&document->lines, document_text(document));
}

struct position document_position(struct document *document, enum encoding encoding,
                                  uint32_t offset)
{
    document_index_lines(document);
    return position_of(&document->lines, document_text(document), encoding, offset);
}

uint32_t document_offset(struct document *document, enum encoding encoding,
                         struct position position)
{
    document_index_lines(document);
    return position_offset(&document->lines, document_text(document), encoding, position);
}

void document_learn(struct document *document, const struct ptxopt_result *result)
{
    source_init(&document->source, &document->arena, document->uri, document_text(document));
    review_file_build(&document->review, document->uri, document->uri, result, NULL);
    document->stale = false;
}

void document_give_up(struct document *document, char *problem)
{
    document->problem = problem;
    document->stale = false;
}

struct span document_line(const struct document *document, uint32_t line)
{
    uint32_t start = source_line_start(&document->source, line);
    struct str text = document->source.text;
    struct str rest = str_first_line((struct str){text.p + start, text.n - start});
    uint32_t end = start + (uint32_t)rest.n;
    while (start < end && (text.p[start] == ' ' || text.p[start] == '\t')) start++;
    while (end > start && (text.p[end - 1] == ' ' || text.p[end - 1] == '\r')) end--;
    return (struct span){start, end};
}

void document_free(struct document *document)
{
    document_forget(document);
    buf_free(&document->text);
    mem_free(document->uri);
}
