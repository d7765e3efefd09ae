/* In which words do all formats say the same thing? */
#include <inttypes.h>

#include "report/model.h"

const char *review_kind_word(enum ptxopt_kind kind)
{
    switch (kind) {
    case PTXOPT_DELETED: return "edit";
    case PTXOPT_KEPT: return "kept";
    case PTXOPT_ADVICE: return "advice";
    case PTXOPT_SKIPPED: return "skipped";
    case PTXOPT_HAZARD: return "lint";
    case PTXOPT_DIAGNOSTIC:
    case PTXOPT_KINDS: break;
    }
    return "diagnostic";
}

struct review_totals review_totals(const struct review *review)
{
    struct review_totals totals = {0};
    for (uint32_t i = 0; i < review->count; i++) {
        totals.candidates += review->files[i]->candidates;
        totals.changed += review->files[i]->changed;
        for (int kind = 0; kind < PTXOPT_KINDS; kind++)
            totals.count[kind] += review->files[i]->count[kind];
    }
    return totals;
}

void review_sentence(struct buf *out, const struct review_item *item)
{
    switch (item->finding.kind) {
    case PTXOPT_DELETED: buf_printf(out, "%s is redundant because ", item->finding.text); break;
    case PTXOPT_KEPT: buf_printf(out, "%s is kept because ", item->finding.text); break;
    case PTXOPT_SKIPPED:
        buf_printf(out, "function %s is left as it is: ", item->finding.function);
        break;
    case PTXOPT_ADVICE: buf_printf(out, "advice on %s: ", item->finding.text); break;
    case PTXOPT_DIAGNOSTIC:
    case PTXOPT_HAZARD:
    case PTXOPT_KINDS: break;
    }
    buf_puts(out, item->finding.message);
}

void review_grounds(struct buf *out, const struct review_item *item)
{
    bool ruled = item->finding.kind == PTXOPT_DELETED || item->finding.kind == PTXOPT_KEPT ||
                 item->finding.kind == PTXOPT_ADVICE;
    buf_printf(out, "%s %s", ruled ? "rule" : "code", item->finding.code);
    if (*item->finding.reason) buf_printf(out, ", reason %s", item->finding.reason);
    if (*item->finding.isa_section) buf_printf(out, ", PTX ISA %s", item->finding.isa_section);
    if (*item->finding.assumptions) buf_puts(out, ", assumes ");
    for (const char *c = item->finding.assumptions; *c; c++) {
        buf_putc(out, *c);
        if (*c == ',') buf_putc(out, ' ');
    }
    if (item->source_line)
        buf_printf(out, ", CUDA source %s:%" PRIu32, item->source_file, item->source_line);
    if (*item->finding.id) buf_printf(out, ", id %s", item->finding.id);
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
