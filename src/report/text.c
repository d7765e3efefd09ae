/* Prints for people: errors in the input, why candidates are removed or kept, and the totals.
 * Formats for programs are in other files of this folder. */
#include "report/text.h"

#include <inttypes.h>
#include <string.h>

#include "report/anchor.h"
#include "report/brief.h"
#include "report/details.h"
#include "report/groups.h"

/* ---- lines ---- */

/* Adds text as part of one line: each run of blanks and line breaks becomes one blank. */
static void add_inline_part(struct buf *out, struct str text)
{
    bool blank = false;
    for (size_t i = 0; i < text.n; i++) {
        char c = text.p[i];
        bool is_blank = c == ' ' || (c >= '\t' && c <= '\r');
        if (!is_blank) {
            if (blank) buf_putc(out, ' ');
            buf_putc(out, (unsigned char)c < ' ' || c == 0x7f ? '?' : c);
        }
        blank = is_blank;
    }
}

static void add_inline(struct buf *out, const char *text)
{
    add_inline_part(out, str_from(text));
}

/* The colours that compilers use. */
static const char *level_color(enum ptxopt_level level)
{
    switch (level) {
    case PTXOPT_ERROR: return "\033[1;31m";
    case PTXOPT_WARNING: return "\033[1;35m";
    case PTXOPT_NOTE: return "\033[1;36m";
    case PTXOPT_REMARK: return "\033[1;34m";
    }
    return "";
}

/* Appends "/home/…/kernel.cu": the name of the file, and as many leading folders as fit. */
static void add_short_path(struct buf *out, const char *path)
{
    enum { WIDTH = 40 }; /* bytes */
    const char *slash = strrchr(path, '/');
    size_t len = strlen(path), name = slash ? strlen(slash) : len, front = 0;
    for (size_t i = 0; i < len - name && i + 1 + strlen("…") + name <= WIDTH; i++)
        if (path[i] == '/') front = i + 1;
    if (len > WIDTH && front < len - name) {
        add_inline_part(out, (struct str){path, front});
        buf_puts(out, "…");
        path = slash;
    }
    add_inline(out, path);
}

/* A long path is shortened on a terminal. Elsewhere it is complete, because an editor may open
 * it. */
static void add_path(struct buf *out, const char *path, uint32_t line, uint32_t column,
                     bool terminal)
{
    if (terminal)
        add_short_path(out, path);
    else
        add_inline(out, path);
    buf_printf(out, ":%" PRIu32, line);
    if (column) buf_printf(out, ":%" PRIu32, column);
}

/* "k.cu:29 (k.ptx:289)" if the CUDA line is known, unless only one of them was requested. */
static void text_add_place(struct buf *out, const char *name, const struct review_item *item,
                           const struct text_manner *manner)
{
    const struct ptxopt_finding *finding = &item->finding;
    bool has_source = item->source_line && *item->source_file;
    if (!has_source || manner->place == TEXT_PTX) {
        add_path(out, name, finding->line, finding->column, manner->color);
    } else {
        uint32_t column = manner->place == TEXT_SOURCE ? item->stack.at[0].column : 0;
        add_path(out, item->source_file, item->source_line, column, manner->color);
    }
    if (has_source && manner->place == TEXT_BOTH) {
        buf_puts(out, " (");
        add_path(out, name, finding->line, 0, manner->color);
        buf_putc(out, ')');
    }
    buf_puts(out, ": ");
}

static void text_add_level(struct buf *out, enum ptxopt_level level, bool color)
{
    if (color) buf_puts(out, level_color(level));
    buf_printf(out, "%s: ", review_level_word(level));
    if (color) buf_puts(out, "\033[0m");
}

void text_item(struct buf *out, const char *name, const struct review_item *item,
               const struct text_manner *manner)
{
    const struct ptxopt_finding *finding = &item->finding;
    struct buf line = {0};
    bool milder =
        manner->forgiving && finding->kind == PTXOPT_DIAGNOSTIC && finding->level == PTXOPT_ERROR;
    if (manner->color) buf_puts(out, "\033[1m");
    text_add_place(out, name, item, manner);
    if (manner->color) buf_puts(out, "\033[0m");
    text_add_level(out, milder ? PTXOPT_WARNING : finding->level, manner->color);
    brief_line(&line, item, manner->verb);
    char *text = buf_take(&line);
    add_inline(out, text);
    mem_free(text);
    if (finding->kind == PTXOPT_SKIPPED && finding->level == PTXOPT_WARNING)
        buf_puts(out, " (please report this)");
    buf_putc(out, '\n');
    if (manner->full)
        details_add(out, item, manner->verb, manner->color);
    else if (*item->sass_says)
        buf_printf(out, "    SASS: %s\n", item->sass_says);
}

/* Shows the items that are wanted; copies are shown once. */
static void add_items(struct buf *out, const char *name, const struct ptxopt_result *result,
                      const struct witnesses *witnesses, const struct text_manner *manner,
                      bool (*is_wanted)(const struct ptxopt_finding *, const struct text_manner *))
{
    size_t count, wanted = 0;
    struct review_file file = {0};
    const struct ptxopt_finding *findings = ptxopt_result_findings(result, &count);
    for (size_t i = 0; i < count; i++) wanted += is_wanted(&findings[i], manner);
    if (!wanted) return;
    review_file_build(&file, name, name, result, NULL);
    if (manner->finder) review_file_find_sources(&file, manner->finder);
    if (witnesses) review_file_add_witnesses(&file, result, witnesses);
    for (uint32_t i = 0; i < file.items.count; i++) {
        const struct review_item *item = &file.items.at[i];
        if (is_wanted(&item->finding, manner) && groups_lead(item))
            text_item(out, name, item, manner);
    }
    review_file_free(&file);
}

static bool is_diagnostic(const struct ptxopt_finding *finding, const struct text_manner *manner)
{
    if (finding->level == PTXOPT_REMARK || finding->kind == PTXOPT_SUPPRESSED) return false;
    return finding->kind != PTXOPT_HAZARD || !manner->no_hazards;
}

static bool is_remark(const struct ptxopt_finding *finding, const struct text_manner *manner)
{
    (void)manner;
    return finding->level == PTXOPT_REMARK && review_kind(finding) != PTXOPT_SUPPRESSED;
}

static bool is_deletion(const struct ptxopt_finding *finding, const struct text_manner *manner)
{
    return is_remark(finding, manner) && finding->kind == PTXOPT_DELETED;
}

void text_diagnostics(struct buf *out, const char *name, const struct ptxopt_result *result,
                      const struct witnesses *witnesses, const struct text_manner *manner)
{
    add_items(out, name, result, witnesses, manner, is_diagnostic);
}

void text_remarks(struct buf *out, const char *name, const struct ptxopt_result *result,
                  const struct text_manner *manner)
{
    add_items(out, name, result, NULL, manner, is_remark);
}

void text_finding(struct buf *out, const char *name, const struct ptxopt_result *result,
                  const char *id, const struct text_manner *manner)
{
    struct review_file file = {0};
    review_file_build(&file, name, name, result, NULL);
    if (manner->finder) review_file_find_sources(&file, manner->finder);
    for (uint32_t i = 0; i < file.items.count; i++)
        if (strcmp(file.items.at[i].finding.id, id) == 0)
            text_item(out, name, &file.items.at[i], manner);
    review_file_free(&file);
}

void text_deletions(struct buf *out, const char *name, const struct ptxopt_result *result,
                    const struct text_manner *manner)
{
    add_items(out, name, result, NULL, manner, is_deletion);
}

/* ---- machine code ---- */

/* Adds the text of an instruction without the semicolon. */
static void text_add_instruction(struct buf *out, const char *text)
{
    add_inline(out, text);
    while (out->len && (out->data[out->len - 1] == ';' || out->data[out->len - 1] == ' '))
        out->len--;
}

static void text_add_sass_change(struct buf *out, const char *name,
                                 const struct ptxopt_finding *finding,
                                 const struct sass_change *change)
{
    add_inline(out, name);
    buf_printf(out, ":%" PRIu32 ":%" PRIu32 ": SASS: ", finding->line, finding->column);
    text_add_instruction(out, finding->text);
    buf_puts(out, ": ");
    add_inline(out, change->says);
    buf_putc(out, '\n');
    sass_change_columns(out, change);
}

void text_changes(struct buf *out, const char *name, const struct ptxopt_result *result,
                  const struct sass_changes *changes)
{
    const struct ptxopt_finding *findings = ptxopt_result_findings(result, &(size_t){0});
    for (size_t i = 0; i < changes->count; i++)
        if (*changes->at[i].says && !*findings[i].reason)
            text_add_sass_change(out, name, &findings[i], &changes->at[i]);
}

/* ---- stats ---- */

enum { LABEL = 14, WORD = 30 };

static void add_count(struct buf *out, const char *label, const char *word, size_t count)
{
    buf_printf(out, "  %-*s%-*s %8zu\n", LABEL, label, WORD, word, count);
}

/* The rule and the reason of a kept candidate, or only the rule of a removal. */
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
    static const char *const labels[PTXOPT_KINDS] = {[PTXOPT_DELETED] = "removed",
                                                     [PTXOPT_KEPT] = "kept",
                                                     [PTXOPT_SKIPPED] = "skipped",
                                                     [PTXOPT_HAZARD] = "lint",
                                                     [PTXOPT_SUPPRESSED] = "suppressed"};
    for (enum ptxopt_kind kind = 0; kind < PTXOPT_KINDS; kind++) {
        struct tally tally = {0};
        const struct ptxopt_finding *finding = NULL;
        while (labels[kind] && (finding = ptxopt_result_next(result, kind, finding)))
            tally_add(&tally, finding->code, finding->reason);
        if (tally.count) add_tally(out, labels[kind], &tally);
        vec_free(&tally);
    }
}

/* Adds a number before and after. */
static void text_add_change(struct buf *out, const char *what, uint32_t before, uint32_t after)
{
    buf_printf(out, "  %s %" PRIu32, what, before);
    if (before != after) buf_printf(out, " -> %" PRIu32, after);
}

static void text_add_kernel(struct buf *out, const struct measure_kernel *before,
                            const struct measure_kernel *after)
{
    buf_printf(out, "  %-*s", LABEL, "sass");
    add_inline(out, before->name);
    buf_putc(out, ':');
    text_add_change(out, "instructions", before->instructions, after->instructions);
    text_add_change(out, "NOPs", before->nops, after->nops);
    if (before->is_entry && after->is_entry) {
        text_add_change(out, "registers", before->registers, after->registers);
        text_add_change(out, "spill store bytes", before->spill_stores, after->spill_stores);
        text_add_change(out, "spill load bytes", before->spill_loads, after->spill_loads);
        if (before->warps != after->warps)
            text_add_change(out, "warps on an SM", before->warps, after->warps);
    }
    buf_putc(out, '\n');
}

static void add_worse(struct buf *out, const struct measure_kernel *before,
                      const struct measure_kernel *after)
{
    if (!measure_is_worse(before, after)) return;
    buf_printf(out, "  %-*s", LABEL, "worse");
    add_inline(out, before->name);
    buf_puts(out, ": ");
    measure_add_worse(out, before, after);
    buf_putc(out, '\n');
}

void text_figures(struct buf *out, const struct measure_pair *sass)
{
    if (sass->problem) {
        buf_printf(out, "  %-*snot measured: ", LABEL, "sass");
        add_inline(out, sass->problem);
        buf_putc(out, '\n');
        return;
    }
    for (int worse = 0; worse <= 1; worse++)
        for (uint32_t i = 0; i < sass->before.count; i++) {
            const struct measure_kernel *before = &sass->before.at[i];
            const struct measure_kernel *after = measure_find(&sass->after, before->name);
            if (after) (worse ? add_worse : text_add_kernel)(out, before, after);
        }
}

/* Adds "2 errors, 1 note" for the counts of errors, warnings and notes. */
static void add_levels(struct buf *out, const uint32_t *counts)
{
    static const char *const names[] = {"error", "warning", "note"};
    const char *before = "";
    for (size_t level = 0; level < sizeof names / sizeof *names; level++) {
        if (!counts[level]) continue;
        buf_puts(out, before);
        review_plural(out, counts[level], names[level]);
        before = ", ";
    }
}

void text_lint_sum(struct buf *out, const struct ptxopt_result *result)
{
    const struct ptxopt_stats *stats = ptxopt_result_stats(result);
    const struct ptxopt_finding *finding = NULL;
    uint32_t found[3] = {0}, hidden[3] = {0, stats->hidden_warnings, stats->hidden_notes};
    while ((finding = ptxopt_result_next(result, PTXOPT_HAZARD, finding)))
        found[finding->level == PTXOPT_ERROR ? 0 : finding->level == PTXOPT_WARNING ? 1 : 2]++;
    if (!stats->functions) {
        buf_puts(out, "no function to examine");
        return;
    }
    if (stats->examined != stats->functions) buf_printf(out, "%" PRIu32 " of ", stats->examined);
    review_plural(out, stats->functions, "function");
    buf_puts(out, " examined, ");
    if (!found[0] && !found[1])
        buf_printf(out, "no errors%s%s", hidden[1] ? "" : " or warnings", found[2] ? ", " : "");
    add_levels(out, found);
    size_t accepted = ptxopt_result_count(result, PTXOPT_SUPPRESSED), inserted;
    if (accepted) buf_printf(out, "; %zu accepted", accepted);
    if (ptxopt_result_insertions(result, &inserted)) {
        buf_puts(out, "; ");
        review_plural(out, inserted, "line");
        buf_puts(out, " inserted");
    }
    if (!hidden[1] && !hidden[2]) return;
    buf_puts(out, "; ");
    add_levels(out, hidden);
    buf_puts(out, " hidden (--lint-level note)");
}

void text_sum(struct buf *out, const struct ptxopt_result *result, const char *verb)
{
    const struct ptxopt_stats *stats = ptxopt_result_stats(result);
    if (stats->linted && !stats->optimized)
        text_lint_sum(out, result);
    else
        buf_printf(out, "%" PRIu32 " of %" PRIu32 " candidates %s", stats->deleted,
                   stats->candidates, verb);
}

/* Adds a line for each function for which the largest number of live registers is estimated. */
static void add_estimates(struct buf *out, const struct ptxopt_result *result)
{
    const struct ptxopt_finding *edit = NULL;
    const char *last = "";
    while ((edit = ptxopt_result_next(result, PTXOPT_DELETED, edit))) {
        if (!edit->most_live.after || strcmp(edit->function, last) == 0) continue;
        last = edit->function;
        buf_printf(out, "  %-*s", LABEL, "estimate");
        add_inline(out, last);
        buf_puts(out, ":");
        text_add_change(out, "live registers", edit->most_live.before, edit->most_live.after);
        buf_putc(out, '\n');
    }
}

void text_stats(struct buf *out, const char *name, const struct ptxopt_result *result,
                const struct measure_pair *sass)
{
    static const double NS_PER_MS = 1e6;
    const struct ptxopt_stats *stats = ptxopt_result_stats(result);
    add_inline(out, name);
    buf_puts(out, ": ");
    text_sum(out, result, "removed");
    buf_putc(out, '\n');
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
    if (!sass || sass->problem) add_estimates(out, result);
    if (sass) text_figures(out, sass);
}
