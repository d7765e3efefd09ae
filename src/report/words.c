/* Forms the sentences that all formats share. See model.h. */
#include <inttypes.h>

#include "report/model.h"

enum ptxopt_kind review_kind(const struct ptxopt_finding *finding)
{
    bool listed = finding->kind == PTXOPT_DELETED && *finding->reason;
    return listed ? PTXOPT_SUPPRESSED : finding->kind;
}

const char *review_kind_word(enum ptxopt_kind kind)
{
    switch (kind) {
    case PTXOPT_DELETED: return "edit";
    case PTXOPT_KEPT: return "kept";
    case PTXOPT_ADVICE: return "advice";
    case PTXOPT_SKIPPED: return "skipped";
    case PTXOPT_HAZARD: return "lint";
    case PTXOPT_SUPPRESSED: return "suppressed";
    case PTXOPT_DIAGNOSTIC:
    case PTXOPT_KINDS: break;
    }
    return "diagnostic";
}

const char *review_level_word(enum ptxopt_level level)
{
    switch (level) {
    case PTXOPT_ERROR: return "error";
    case PTXOPT_WARNING: return "warning";
    case PTXOPT_NOTE: return "note";
    case PTXOPT_REMARK: break;
    }
    return "remark";
}

const char *review_label(const struct review_item *item)
{
    if (item->finding.kind == PTXOPT_DELETED) return "redundant";
    if (item->finding.kind == PTXOPT_HAZARD) return review_level_word(item->finding.level);
    return review_kind_word(item->finding.kind);
}

enum review_severity review_severity(const struct review_item *item)
{
    enum ptxopt_level level = item->finding.level;
    if (item->finding.kind == PTXOPT_DELETED) return REVIEW_WARNING;
    bool levelled = item->finding.kind == PTXOPT_DIAGNOSTIC ||
                    item->finding.kind == PTXOPT_HAZARD || item->finding.kind == PTXOPT_SUPPRESSED;
    if (!levelled) return REVIEW_NOTE;
    return level == PTXOPT_ERROR     ? REVIEW_ERROR
           : level == PTXOPT_WARNING ? REVIEW_WARNING
                                     : REVIEW_NOTE;
}

struct review_totals review_totals(const struct review *review)
{
    struct review_totals totals = {0};
    for (uint32_t i = 0; i < review->count; i++) {
        totals.candidates += review->files[i]->candidates;
        totals.changed += review->files[i]->changed;
        totals.linted |= review->files[i]->linted;
        totals.optimized |= review->files[i]->optimized;
        for (int kind = 0; kind < PTXOPT_KINDS; kind++)
            totals.count[kind] += review->files[i]->count[kind];
    }
    return totals;
}

static void add_lint_sums(struct buf *out, const struct review *review)
{
    uint32_t count[REVIEW_SEVERITIES] = {0};
    for (uint32_t f = 0; f < review->count; f++)
        for (uint32_t i = 0; i < review->files[f]->items.count; i++) {
            const struct review_item *item = &review->files[f]->items.at[i];
            if (item->finding.kind == PTXOPT_HAZARD) count[review_severity(item)]++;
        }
    review_plural(out, count[REVIEW_ERROR], "error");
    buf_puts(out, ", ");
    review_plural(out, count[REVIEW_WARNING], "warning");
    buf_puts(out, ", ");
    review_plural(out, count[REVIEW_NOTE], "note");
}

void review_headline(struct buf *out, const struct review *review)
{
    struct review_totals totals = review_totals(review);
    if (totals.linted) {
        add_lint_sums(out, review);
        buf_puts(out, totals.optimized ? "; " : " in ");
    }
    if (totals.optimized || !totals.linted)
        buf_printf(out, "%" PRIu32 " of %" PRIu32 " candidates redundant, in %" PRIu32 " of ",
                   totals.count[PTXOPT_DELETED], totals.candidates, totals.changed);
    review_plural(out, review->count, "file");
}

bool review_is_ruled(const struct review_item *item)
{
    enum ptxopt_kind kind = item->finding.kind;
    return kind == PTXOPT_DELETED || kind == PTXOPT_KEPT || kind == PTXOPT_ADVICE;
}

void review_sentence(struct buf *out, const struct review_item *item)
{
    switch (item->finding.kind) {
    case PTXOPT_DELETED: buf_printf(out, "%s is redundant because ", item->finding.text); break;
    case PTXOPT_KEPT: buf_printf(out, "%s is kept because ", item->finding.text); break;
    case PTXOPT_SKIPPED:
        buf_printf(out, "function %s is kept unchanged: ", item->finding.function);
        break;
    case PTXOPT_ADVICE: buf_printf(out, "advice on %s: ", item->finding.text); break;
    case PTXOPT_DIAGNOSTIC:
    case PTXOPT_HAZARD:
    case PTXOPT_SUPPRESSED:
    case PTXOPT_KINDS: break;
    }
    buf_puts(out, item->finding.message);
}

void review_grounds(struct buf *out, const struct review_item *item)
{
    buf_printf(out, "%s %s", review_is_ruled(item) ? "rule" : "code", item->finding.code);
    if (*item->finding.reason) buf_printf(out, ", reason %s", item->finding.reason);
    if (*item->finding.isa_section) buf_printf(out, ", PTX ISA %s", item->finding.isa_section);
    if (*item->finding.assumptions) buf_puts(out, ", assumes ");
    for (const char *c = item->finding.assumptions; *c; c++) {
        buf_putc(out, *c);
        if (*c == ',') buf_putc(out, ' ');
    }
    if (*item->source_says) buf_printf(out, ", CUDA source %s", item->source_says);
    if (*item->ptx_says) buf_printf(out, ", PTX %s", item->ptx_says);
    if (*item->finding.id) buf_printf(out, ", id %s", item->finding.id);
}

void review_facts(const struct review_item *item, struct review_fact facts[REVIEW_FACTS])
{
    facts[0] = (struct review_fact){"ISA says", item->finding.sentence};
    facts[1] = (struct review_fact){"risk", item->finding.risk};
    facts[2] = (struct review_fact){"fix", item->finding.fix};
    facts[3] = (struct review_fact){"SASS", item->sass_says};
    facts[4] = (struct review_fact){"cost", item->cost_says};
}

static void words_add_figure(struct buf *out, const char *what, uint32_t before, uint32_t after)
{
    buf_printf(out, "%s %" PRIu32, what, before);
    if (before != after) buf_printf(out, " -> %" PRIu32, after);
}

void review_figures(struct buf *out, const struct review_kernel *kernel)
{
    const struct measure_kernel *before = kernel->before, *after = kernel->after;
    words_add_figure(out, "SASS instructions", before->instructions, after->instructions);
    words_add_figure(out, ", NOPs", before->nops, after->nops);
    if (!before->is_entry || !after->is_entry) return;
    words_add_figure(out, ", registers", before->registers, after->registers);
    words_add_figure(out, ", spill store bytes", before->spill_stores, after->spill_stores);
    words_add_figure(out, ", spill load bytes", before->spill_loads, after->spill_loads);
    if (before->warps != after->warps)
        words_add_figure(out, ", warps on an SM", before->warps, after->warps);
}

bool review_is_worse(const struct review_kernel *kernel)
{
    return kernel->before && measure_is_worse(kernel->before, kernel->after);
}

void review_worse(struct buf *out, const struct review_kernel *kernel)
{
    buf_puts(out, "worse with the edits: ");
    measure_add_worse(out, kernel->before, kernel->after);
}

void review_plural(struct buf *out, size_t count, const char *noun)
{
    buf_printf(out, "%zu %s%s", count, noun, count == 1 ? "" : "s");
}
