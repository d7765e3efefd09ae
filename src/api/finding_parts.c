/* Builds the parts that findings of all kinds have. See finding_parts.h. */
#include "api/finding_parts.h"

#include "api/origin.h"
#include "engine/id.h"

uint32_t finding_line(const struct writer *w, uint32_t offset)
{
    return source_place(&w->run->source, offset).line;
}

const char *finding_copy(const struct writer *w, struct str text)
{
    return arena_copy(&w->run->arena, text.p, text.n);
}

struct ptxopt_finding finding_blank(enum ptxopt_kind kind)
{
    return (struct ptxopt_finding){.kind = kind,
                                   .level = PTXOPT_REMARK,
                                   .code = "",
                                   .id = "",
                                   .reason = "",
                                   .function = "",
                                   .text = "",
                                   .brief = "",
                                   .message = "",
                                   .isa_section = "",
                                   .assumptions = "",
                                   .sentence = "",
                                   .risk = "",
                                   .fix = "",
                                   .not_fixed = "",
                                   .justification = ""};
}

struct span finding_rest_of_line(const struct source *source, uint32_t start)
{
    const char *end = memchr(source->text.p + start, '\n', source->text.n - start);
    return (struct span){start, (uint32_t)(end ? end - source->text.p : (ptrdiff_t)source->text.n)};
}

void finding_set_span(struct ptxopt_finding *finding, const struct source *source, struct span span)
{
    struct place start = source_place(source, span.start), end = start;
    if (memchr(source->text.p + span.start, '\n', span.end - span.start))
        end = source_place(source, span.end);
    else
        end.column += span.end - span.start;
    finding->start = span.start;
    finding->end = span.end;
    finding->line = start.line;
    finding->column = start.column;
    finding->end_line = end.line;
    finding->end_column = end.column;
}

const char *finding_id(const struct writer *w, uint64_t id)
{
    char digits[ID_DIGITS];
    for (int i = 0; i < ID_DIGITS; i++)
        digits[i] = "0123456789abcdef"[id >> 4 * (ID_DIGITS - 1 - i) & 15];
    return arena_copy(&w->run->arena, digits, ID_DIGITS);
}

const struct ptxopt_step *finding_steps(const struct writer *w, const struct plan_step *from,
                                        uint32_t count)
{
    struct ptxopt_step *steps = arena_alloc(&w->run->arena, count + 1, sizeof *steps);
    for (uint32_t i = 0; i < count; i++)
        steps[i] = (struct ptxopt_step){
            finding_line(w, from[i].at), from[i].part,
            origin_of(w->files, &w->run->view, from[i].origin, &w->run->arena)};
    return steps;
}
