/* What does a person want to know of a result? What was wrong with the input, why each candidate
 * went or stays, and the sums. Machine formats are other files of this folder. */
#include "report/text.h"

#include <inttypes.h>
#include <string.h>

#include "report/clean.h"
#include "report/lines.h"
#include "report/model.h"
#include "report/origins.h"

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

/* As compilers colour them. */
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

/* site: in the CUDA source; NULL: in the PTX. */
static void add_place(struct buf *out, const char *name, const struct ptxopt_finding *finding,
                      const struct ptxopt_origin *site)
{
    struct arena arena = {0};
    add_inline(out, site ? clean_path(&arena, site->file) : name);
    arena_free(&arena);
    buf_printf(out, ":%" PRIu32, site ? site->line : finding->line);
    if (!site || site->column) buf_printf(out, ":%" PRIu32, site ? site->column : finding->column);
}

static void add_level(struct buf *out, enum ptxopt_level level, bool color)
{
    buf_puts(out, ": ");
    if (color) buf_puts(out, level_color(level));
    buf_printf(out, "%s: ", review_level_word(level));
    if (color) buf_puts(out, "\033[0m");
}

/* The CUDA lines, and the line of the PTX where site is what stands in front. */
static void add_places(struct buf *out, const char *name, const struct ptxopt_finding *finding,
                       const struct ptxopt_origin *site)
{
    struct buf stack = {0};
    origins_print(&stack, finding);
    char *text = buf_take(&stack);
    if (*text) buf_puts(out, "; CUDA ");
    add_inline(out, text);
    mem_free(text);
    if (!site) return;
    buf_puts(out, "; PTX ");
    add_place(out, name, finding, NULL);
}

/* An instruction's text without the semicolon. */
static void add_instruction(struct buf *out, const char *text)
{
    add_inline(out, text);
    while (out->len && (out->data[out->len - 1] == ';' || out->data[out->len - 1] == ' '))
        out->len--;
}

/* What is said, up to the sentence. */
static void add_opening(struct buf *out, const struct ptxopt_finding *finding)
{
    switch (finding->kind) {
    case PTXOPT_DELETED:
        add_instruction(out, finding->text);
        buf_puts(out, " removed because ");
        break;
    case PTXOPT_KEPT:
        add_instruction(out, finding->text);
        buf_puts(out, " kept because ");
        break;
    case PTXOPT_ADVICE: buf_puts(out, "advice: "); break;
    case PTXOPT_SKIPPED:
        buf_puts(out, "function ");
        add_inline(out, finding->function);
        buf_puts(out, " left as it is: ");
        break;
    case PTXOPT_DIAGNOSTIC:
    case PTXOPT_HAZARD:
    case PTXOPT_SUPPRESSED:
    case PTXOPT_KINDS: break;
    }
}

static void add_finding(struct buf *out, const char *name, const struct ptxopt_finding *finding,
                        const struct text_manner *manner)
{
    bool cites = finding->kind == PTXOPT_DELETED || finding->kind == PTXOPT_HAZARD;
    bool milder =
        manner->forgiving && finding->kind == PTXOPT_DIAGNOSTIC && finding->level == PTXOPT_ERROR;
    const struct ptxopt_origin *site = manner->at_source ? origins_call_site(finding) : NULL;
    if (manner->color) buf_puts(out, "\033[1m");
    add_place(out, name, finding, site);
    add_level(out, milder ? PTXOPT_WARNING : finding->level, manner->color);
    add_opening(out, finding);
    add_inline(out, finding->message);
    if (finding->kind == PTXOPT_SKIPPED && finding->level == PTXOPT_WARNING)
        buf_puts(out, " (please report this)");
    buf_printf(out, " [%s", finding->code);
    if (*finding->reason) buf_printf(out, ": %s", finding->reason);
    if (cites && *finding->isa_section) buf_printf(out, "; ISA %s", finding->isa_section);
    if (*finding->assumptions) buf_printf(out, "; assumes %s", finding->assumptions);
    add_places(out, name, finding, site);
    buf_puts(out, "]\n");
}

/* ---- hazards ---- */

enum { STEPS_AT_AN_END = 8 }; /* of a path; what is longer is cut in the middle */

/* The text that the findings are about, and where their lines are in it. */
struct lines {
    struct line_map map;
    struct arena arena;
    bool built;
};

static void add_step(struct buf *out, struct lines *lines, const struct ptxopt_step *step)
{
    struct str line = line_map_text(&lines->map, step->line);
    buf_printf(out, "    %6" PRIu32 ": %s", step->line, clean_instruction(&lines->arena, line));
    if (*step->part) buf_printf(out, "  (%s)", step->part);
    if (step->origin.line && *step->origin.file) {
        buf_puts(out, "  ");
        add_inline(out, clean_path(&lines->arena, step->origin.file));
        buf_printf(out, ":%" PRIu32, step->origin.line);
    }
    buf_putc(out, '\n');
}

static void add_fact(struct buf *out, const char *label, const char *more, const char *text)
{
    if (!*text) return;
    buf_printf(out, "    %s%s%s: ", label, *more ? " " : "", more);
    add_inline(out, text);
    buf_putc(out, '\n');
}

/* What a hazard rests on, behind its line. */
static void add_grounds(struct buf *out, struct lines *lines, const struct ptxopt_result *result,
                        const struct ptxopt_finding *finding)
{
    if (!lines->built) line_map_build(&lines->map, result);
    lines->built = true;
    for (uint32_t i = 0; i < finding->step_count; i++) {
        uint32_t left = finding->step_count - i;
        if (i == STEPS_AT_AN_END && left > STEPS_AT_AN_END) {
            buf_printf(out, "            … %" PRIu32 " more\n", left - STEPS_AT_AN_END);
            i += left - STEPS_AT_AN_END;
        }
        add_step(out, lines, &finding->steps[i]);
    }
    add_fact(out, "ISA", finding->isa_section, finding->sentence);
    add_fact(out, "risk", "", finding->risk);
    add_fact(out, "fix", "", finding->fix);
}

static void add_witness(struct buf *out, const struct witness *witness)
{
    if (witness->state == WITNESS_UNASKED) return;
    buf_puts(out, "    SASS: ");
    witness_sentence(out, witness);
    buf_putc(out, '\n');
}

void text_diagnostics(struct buf *out, const char *name, const struct ptxopt_result *result,
                      const struct witnesses *witnesses, const struct text_manner *manner)
{
    size_t count;
    struct lines lines = {.built = false};
    const struct ptxopt_finding *findings = ptxopt_result_findings(result, &count);
    for (size_t i = 0; i < count; i++) {
        const struct ptxopt_finding *finding = &findings[i];
        bool hazard = finding->kind == PTXOPT_HAZARD;
        if (finding->level == PTXOPT_REMARK || finding->kind == PTXOPT_SUPPRESSED) continue;
        if (hazard && manner->no_hazards) continue;
        add_finding(out, name, finding, manner);
        if (hazard && (manner->whole_notes || finding->level != PTXOPT_NOTE))
            add_grounds(out, &lines, result, finding);
        if (witnesses) add_witness(out, &witnesses->at[i]);
    }
    if (lines.built) line_map_free(&lines.map);
    arena_free(&lines.arena);
}

void text_remarks(struct buf *out, const char *name, const struct ptxopt_result *result,
                  const struct text_manner *manner)
{
    size_t count;
    const struct ptxopt_finding *findings = ptxopt_result_findings(result, &count);
    for (int about_input = 1; about_input >= 0; about_input--)
        for (size_t i = 0; i < count; i++)
            if (findings[i].level == PTXOPT_REMARK &&
                (findings[i].kind == PTXOPT_DIAGNOSTIC) == about_input)
                add_finding(out, name, &findings[i], manner);
}

void text_deletions(struct buf *out, const char *name, const struct ptxopt_result *result,
                    const struct text_manner *manner)
{
    const struct ptxopt_finding *finding = NULL;
    while ((finding = ptxopt_result_next(result, PTXOPT_DELETED, finding)))
        if (!*finding->reason) add_finding(out, name, finding, manner);
}

/* ---- machine code ---- */

static void add_sass_change(struct buf *out, const char *name, const struct ptxopt_finding *finding,
                            const struct sass_change *change)
{
    add_inline(out, name);
    buf_printf(out, ":%" PRIu32 ":%" PRIu32 ": SASS: ", finding->line, finding->column);
    add_instruction(out, finding->text);
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
            add_sass_change(out, name, &findings[i], &changes->at[i]);
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
    static const char *const labels[PTXOPT_KINDS] = {[PTXOPT_DELETED] = "deleted",
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
        if (before->warps != after->warps)
            add_change(out, "warps on an SM", before->warps, after->warps);
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
            if (after) (worse ? add_worse : add_kernel)(out, before, after);
        }
}

/* "2 errors, 1 note", "no errors or warnings"; a number each for errors, warnings and notes. */
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

/* What lint examined, what it found, and what its level hides. */
static void add_lint_sum(struct buf *out, const struct ptxopt_result *result)
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
    size_t accepted = ptxopt_result_count(result, PTXOPT_SUPPRESSED);
    if (accepted) buf_printf(out, "; %zu accepted", accepted);
    if (!hidden[1] && !hidden[2]) return;
    buf_puts(out, "; ");
    add_levels(out, hidden);
    buf_puts(out, " hidden (--lint-level note)");
}

void text_sum(struct buf *out, const struct ptxopt_result *result, const char *verb)
{
    const struct ptxopt_stats *stats = ptxopt_result_stats(result);
    if (stats->linted && !stats->optimized)
        add_lint_sum(out, result);
    else
        buf_printf(out, "%" PRIu32 " of %" PRIu32 " candidates %s", stats->deleted,
                   stats->candidates, verb);
}

/* A line a function: where its most live registers are an estimate, that is all there is to say. */
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
        add_change(out, "live registers", edit->most_live.before, edit->most_live.after);
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
    text_sum(out, result, "deleted");
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
