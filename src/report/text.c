/* What does a person want to know of a result? What was wrong with the input, why each candidate
 * went or stays, and the sums. Machine formats are other files of this folder. */
#include "report/text.h"

#include <inttypes.h>
#include <string.h>

/* ---- lines ---- */

/* Adds text up to its end as part of one line; blanks and line breaks in a row become one blank. */
static void add_inline(struct buf *out, const char *text)
{
    bool blank = false;
    for (; *text; text++) {
        bool is_blank = *text == ' ' || (*text >= '\t' && *text <= '\r');
        if (!is_blank) {
            if (blank) buf_putc(out, ' ');
            buf_putc(out, (unsigned char)*text < ' ' || *text == 0x7f ? '?' : *text);
        }
        blank = is_blank;
    }
}

static void add_place(struct buf *out, const char *name, uint32_t line, uint32_t column,
                      const char *level)
{
    add_inline(out, name);
    buf_printf(out, ":%" PRIu32 ":%" PRIu32 ": %s: ", line, column, level);
}

/* An instruction's text without the semicolon. */
static void add_instruction(struct buf *out, const char *text)
{
    add_inline(out, text);
    while (out->len && (out->data[out->len - 1] == ';' || out->data[out->len - 1] == ' '))
        out->len--;
}

static const char *level_word(enum ptxopt_level level, bool forgiving)
{
    switch (level) {
    case PTXOPT_ERROR: return forgiving ? "warning" : "error";
    case PTXOPT_WARNING: return "warning";
    case PTXOPT_REMARK: break;
    }
    return "remark";
}

static void add_diagnostic(struct buf *out, const char *name,
                           const struct ptxopt_diagnostic *diagnostic, bool forgiving)
{
    add_place(out, name, diagnostic->line, diagnostic->column,
              level_word(diagnostic->level, forgiving));
    add_inline(out, diagnostic->message);
    buf_printf(out, " [%s]\n", diagnostic->code);
}

static bool is_internal(const struct ptxopt_skipped *skipped)
{
    return strcmp(skipped->reason, "internal") == 0;
}

static void add_skipped(struct buf *out, const char *name, const struct ptxopt_skipped *skipped)
{
    bool ours = is_internal(skipped);
    add_place(out, name, skipped->line, skipped->column, ours ? "warning" : "remark");
    buf_puts(out, "function ");
    add_inline(out, skipped->function);
    buf_puts(out, " left as it is: ");
    add_inline(out, skipped->why);
    if (ours) buf_puts(out, " (please report this)");
    buf_printf(out, " [%s]\n", skipped->reason);
}

void text_diagnostics(struct buf *out, const char *name, const struct ptxopt_result *result,
                      bool forgiving)
{
    size_t count;
    const struct ptxopt_diagnostic *diagnostics = ptxopt_result_diagnostics(result, &count);
    for (size_t i = 0; i < count; i++)
        if (diagnostics[i].level != PTXOPT_REMARK)
            add_diagnostic(out, name, &diagnostics[i], forgiving);
    const struct ptxopt_skipped *skipped = ptxopt_result_skipped(result, &count);
    for (size_t i = 0; i < count; i++)
        if (is_internal(&skipped[i])) add_skipped(out, name, &skipped[i]);
}

/* ---- remarks ---- */

static void add_edit(struct buf *out, const char *name, const struct ptxopt_edit *edit)
{
    add_place(out, name, edit->line, edit->column, "remark");
    add_instruction(out, edit->text);
    buf_puts(out, " removed because ");
    add_inline(out, edit->why);
    buf_printf(out, " [%s", edit->rule);
    if (*edit->isa_section) buf_printf(out, "; ISA %s", edit->isa_section);
    if (*edit->assumptions) buf_printf(out, "; assumes %s", edit->assumptions);
    buf_puts(out, "]\n");
}

static void add_kept(struct buf *out, const char *name, const struct ptxopt_kept *kept)
{
    add_place(out, name, kept->line, kept->column, "remark");
    add_instruction(out, kept->text);
    buf_puts(out, " kept because ");
    add_inline(out, kept->why);
    buf_printf(out, " [%s: %s]\n", kept->rule, kept->reason);
}

static void add_advice(struct buf *out, const char *name, const struct ptxopt_advice *advice)
{
    add_place(out, name, advice->line, advice->column, "remark");
    buf_puts(out, "advice: ");
    add_inline(out, advice->why);
    buf_printf(out, " [%s]\n", advice->rule);
}

/* The four arrays that remarks come from, each in order of place, and how far each is printed. */
enum { SKIPPED, ADVICE, EDITS, KEPT, KINDS };
struct cursor {
    const struct ptxopt_skipped *skipped;
    const struct ptxopt_advice *advice;
    const struct ptxopt_edit *edits;
    const struct ptxopt_kept *kept;
    size_t count[KINDS], at[KINDS];
};

/* The place of a kind's next remark as one number; UINT64_MAX when there is none. */
static uint64_t next_place(const struct cursor *cursor, int kind)
{
    size_t i = cursor->at[kind];
    if (i == cursor->count[kind]) return UINT64_MAX;
    uint32_t line = 0, column = 0;
    switch (kind) {
    case SKIPPED: line = cursor->skipped[i].line, column = cursor->skipped[i].column; break;
    case ADVICE: line = cursor->advice[i].line, column = cursor->advice[i].column; break;
    case EDITS: line = cursor->edits[i].line, column = cursor->edits[i].column; break;
    case KEPT: line = cursor->kept[i].line, column = cursor->kept[i].column; break;
    }
    return (uint64_t)line << 32 | column;
}

static void add_remark(struct buf *out, const char *name, struct cursor *cursor, int kind)
{
    size_t i = cursor->at[kind]++;
    switch (kind) {
    case SKIPPED:
        if (!is_internal(&cursor->skipped[i])) add_skipped(out, name, &cursor->skipped[i]);
        break;
    case ADVICE: add_advice(out, name, &cursor->advice[i]); break;
    case EDITS: add_edit(out, name, &cursor->edits[i]); break;
    case KEPT: add_kept(out, name, &cursor->kept[i]); break;
    }
}

void text_remarks(struct buf *out, const char *name, const struct ptxopt_result *result)
{
    size_t count;
    const struct ptxopt_diagnostic *diagnostics = ptxopt_result_diagnostics(result, &count);
    for (size_t i = 0; i < count; i++)
        if (diagnostics[i].level == PTXOPT_REMARK)
            add_diagnostic(out, name, &diagnostics[i], false);
    struct cursor cursor = {0};
    cursor.skipped = ptxopt_result_skipped(result, &cursor.count[SKIPPED]);
    cursor.advice = ptxopt_result_advice(result, &cursor.count[ADVICE]);
    cursor.edits = ptxopt_result_edits(result, &cursor.count[EDITS]);
    cursor.kept = ptxopt_result_kept(result, &cursor.count[KEPT]);
    for (;;) {
        int first = 0;
        for (int kind = 1; kind < KINDS; kind++)
            if (next_place(&cursor, kind) < next_place(&cursor, first)) first = kind;
        if (next_place(&cursor, first) == UINT64_MAX) break;
        add_remark(out, name, &cursor, first);
    }
}

/* ---- stats ---- */

enum { LABEL = 14, WORD = 30 };

static void add_count(struct buf *out, const char *label, const char *word, size_t count)
{
    buf_printf(out, "  %-*s%-*s %8zu\n", LABEL, label, WORD, word, count);
}

/* "rule: reason" of a kept candidate, or just the rule of an edit. */
struct tally_row {
    const char *rule, *reason;
    size_t count;
};

struct tally VEC(struct tally_row);

static void tally_add(struct tally *tally, const char *rule, const char *reason)
{
    for (uint32_t i = 0; i < tally->count; i++) {
        struct tally_row *row = &tally->at[i];
        if (strcmp(row->rule, rule) == 0 && strcmp(row->reason, reason) == 0) {
            row->count++;
            return;
        }
    }
    vec_push(tally, (struct tally_row){rule, reason, 1});
}

static void add_tally(struct buf *out, const char *label, const struct tally *tally)
{
    for (uint32_t i = 0; i < tally->count; i++) {
        const struct tally_row *row = &tally->at[i];
        struct buf word = {0};
        buf_printf(&word, "%s%s%s", row->rule, *row->reason ? ": " : "", row->reason);
        char *text = buf_take(&word);
        add_count(out, label, text, row->count);
        mem_free(text);
    }
}

static void add_tallies(struct buf *out, const struct ptxopt_result *result)
{
    struct tally deleted = {0}, stays = {0}, skips = {0};
    size_t count;
    const struct ptxopt_edit *edits = ptxopt_result_edits(result, &count);
    for (size_t i = 0; i < count; i++) tally_add(&deleted, edits[i].rule, "");
    const struct ptxopt_kept *kept = ptxopt_result_kept(result, &count);
    for (size_t i = 0; i < count; i++) tally_add(&stays, kept[i].rule, kept[i].reason);
    const struct ptxopt_skipped *skipped = ptxopt_result_skipped(result, &count);
    for (size_t i = 0; i < count; i++) tally_add(&skips, skipped[i].reason, "");
    add_tally(out, "deleted", &deleted);
    add_tally(out, "kept", &stays);
    add_tally(out, "skipped", &skips);
    vec_free(&deleted);
    vec_free(&stays);
    vec_free(&skips);
}

/* One number before and after. */
static void add_change(struct buf *out, const char *what, uint32_t before, uint32_t after)
{
    buf_printf(out, "  %s %" PRIu32, what, before);
    if (before != after) buf_printf(out, " -> %" PRIu32, after);
}

static void add_kernel(struct buf *out, const struct measure_kernel *before,
                       const struct measure_kernel *after)
{
    buf_printf(out, "  %-*s", LABEL, "sass");
    add_inline(out, before->name);
    buf_putc(out, ':');
    add_change(out, "instructions", before->instructions, after->instructions);
    add_change(out, "NOPs", before->nops, after->nops);
    if (before->is_entry && after->is_entry) {
        add_change(out, "registers", before->registers, after->registers);
        add_change(out, "spill store bytes", before->spill_stores, after->spill_stores);
        add_change(out, "spill load bytes", before->spill_loads, after->spill_loads);
    }
    buf_putc(out, '\n');
}

static void add_sass(struct buf *out, const struct measure_pair *sass)
{
    if (sass->problem) {
        buf_printf(out, "  %-*snot measured: ", LABEL, "sass");
        add_inline(out, sass->problem);
        buf_putc(out, '\n');
        return;
    }
    for (uint32_t i = 0; i < sass->before.count; i++) {
        const struct measure_kernel *before = &sass->before.at[i];
        const struct measure_kernel *after = measure_find(&sass->after, before->name);
        if (after) add_kernel(out, before, after);
    }
}

void text_stats(struct buf *out, const char *name, const struct ptxopt_result *result,
                const struct measure_pair *sass)
{
    static const double NS_PER_MS = 1e6;
    const struct ptxopt_stats *stats = ptxopt_result_stats(result);
    add_inline(out, name);
    buf_printf(out, ": %" PRIu32 " of %" PRIu32 " candidates deleted\n", stats->deleted,
               stats->candidates);
    add_count(out, "read", "functions", stats->functions);
    add_count(out, "", "instructions", stats->instructions);
    add_count(out, "", "tcgen05 instructions", stats->tcgen05);
    add_tallies(out, result);
    add_count(out, "bytes", "before", stats->input_bytes);
    add_count(out, "", "after", stats->output_bytes);
    add_count(out, "", "peak memory", stats->peak_bytes);
    buf_printf(out, "  %-*sparse %.3f, analysis %.3f, check %.3f\n", LABEL, "time (ms)",
               (double)stats->parse_ns / NS_PER_MS, (double)stats->analysis_ns / NS_PER_MS,
               (double)stats->check_ns / NS_PER_MS);
    add_sass(out, sass);
}
