/* In which words do all formats say the same thing? */
#include <inttypes.h>

#include "report/model.h"

const char *review_kind_word(enum review_kind kind)
{
    switch (kind) {
    case REVIEW_EDIT: return "edit";
    case REVIEW_KEPT: return "kept";
    case REVIEW_ADVICE: return "advice";
    case REVIEW_SKIPPED: return "skipped";
    case REVIEW_DIAGNOSTIC:
    case REVIEW_KINDS: break;
    }
    return "diagnostic";
}

struct review_totals review_totals(const struct review *review)
{
    struct review_totals totals = {0};
    for (uint32_t i = 0; i < review->count; i++) {
        totals.candidates += review->files[i]->candidates;
        totals.changed += review->files[i]->changed;
        for (int kind = 0; kind < REVIEW_KINDS; kind++)
            totals.count[kind] += review->files[i]->count[kind];
    }
    return totals;
}

void review_sentence(struct buf *out, const struct review_item *item)
{
    switch (item->kind) {
    case REVIEW_EDIT: buf_printf(out, "%s is redundant because ", item->text); break;
    case REVIEW_KEPT: buf_printf(out, "%s is kept because ", item->text); break;
    case REVIEW_SKIPPED: buf_printf(out, "function %s is left as it is: ", item->function); break;
    case REVIEW_ADVICE: buf_printf(out, "advice on %s: ", item->text); break;
    case REVIEW_DIAGNOSTIC:
    case REVIEW_KINDS: break;
    }
    buf_puts(out, item->why);
}

void review_grounds(struct buf *out, const struct review_item *item)
{
    bool ruled =
        item->kind == REVIEW_EDIT || item->kind == REVIEW_KEPT || item->kind == REVIEW_ADVICE;
    buf_printf(out, "%s %s", ruled ? "rule" : "code", item->name);
    if (*item->reason) buf_printf(out, ", reason %s", item->reason);
    if (*item->isa_section) buf_printf(out, ", PTX ISA %s", item->isa_section);
    if (*item->assumptions) buf_puts(out, ", assumes ");
    for (const char *c = item->assumptions; *c; c++) {
        buf_putc(out, *c);
        if (*c == ',') buf_putc(out, ' ');
    }
    if (item->source_line)
        buf_printf(out, ", CUDA source %s:%" PRIu32, item->source_file, item->source_line);
    if (*item->id) buf_printf(out, ", id %s", item->id);
}

static void add_figure(struct buf *out, const char *what, uint32_t before, uint32_t after)
{
    buf_printf(out, "%s %" PRIu32, what, before);
    if (before != after) buf_printf(out, " -> %" PRIu32, after);
}

void review_figures(struct buf *out, const struct review_kernel *kernel)
{
    const struct measure_kernel *before = kernel->before, *after = kernel->after;
    add_figure(out, "SASS instructions", before->instructions, after->instructions);
    add_figure(out, ", NOPs", before->nops, after->nops);
    if (!before->is_entry || !after->is_entry) return;
    add_figure(out, ", registers", before->registers, after->registers);
    add_figure(out, ", spill store bytes", before->spill_stores, after->spill_stores);
    add_figure(out, ", spill load bytes", before->spill_loads, after->spill_loads);
}

void review_plural(struct buf *out, size_t count, const char *noun)
{
    buf_printf(out, "%zu %s%s", count, noun, count == 1 ? "" : "s");
}
