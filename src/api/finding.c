/* Turns the decisions of a plan into findings. See finding.h. */
#include "api/finding_parts.h"

#include <stdlib.h>

#include "api/comments.h"
#include "api/hazards.h"
#include "api/origin.h"
#include "syntax/version.h"

/* The line of the witness; 0: there is none. */
static uint32_t witness_line(const struct writer *w, const struct decision *d)
{
    return d->verdict.witness == NO_WITNESS ? 0 : finding_line(w, d->witness.span.start);
}

/* ---- findings ---- */

/* The section of the ISA with the sentence on which the argument depends. */
static const char *section_of(const struct decision *d)
{
    uint32_t carrying = d->rule->carried_by & d->verdict.assumptions;
    return d->verdict.reason == REASON_NONE && carrying ? assume_section(carrying)
                                                        : d->rule->section;
}

/* A finding with everything that findings about decisions have in common. */
static struct ptxopt_finding by_rule(const struct writer *w, enum ptxopt_kind kind,
                                     const struct decision *d)
{
    struct ptxopt_finding finding = finding_blank(kind);
    finding.code = d->rule->id;
    finding.brief = d->rule->brief;
    finding.function = w->function;
    finding.text = finding_text(w, &d->place);
    finding.isa_section = section_of(d);
    finding_set_span(&finding, &w->run->source, d->place.span);
    return finding;
}

/* A finding with everything that findings about candidates have in common. */
static struct ptxopt_finding candidate_finding(const struct writer *w, enum ptxopt_kind kind,
                                               const struct decision *d)
{
    struct ptxopt_finding finding = by_rule(w, kind, d);
    finding.id = finding_id(w, d->id);
    finding.witness_line = witness_line(w, d);
    finding.origins =
        origin_stack(w->files, &w->run->view, d->inlined, d->inlined_count, &w->run->arena);
    finding.origin_count = d->inlined_count;
    return finding;
}

static const char *line_breaks(const struct writer *w, struct str deleted)
{
    w->sentence->len = 0;
    edit_add_line_breaks(w->sentence, deleted);
    return arena_copy(&w->run->arena, w->sentence->data, w->sentence->len);
}

static void add_deleted(const struct writer *w, const struct decision *d)
{
    struct ptxopt_finding finding = candidate_finding(w, PTXOPT_DELETED, d);
    finding.message = sentence_deleted(w, d);
    if (sentence_is_exit(d)) finding.brief = "the thread ends before anything needs it";
    if (options_accept(w->options, d->id)) finding.reason = "baseline";
    finding.assumptions = assume_names(d->verdict.assumptions, &w->run->arena);
    finding.steps = finding_steps(w, d->steps, d->step_count);
    finding.step_count = d->step_count;
    finding.more_operations = d->more_operations;
    finding.replacement =
        line_breaks(w, source_slice(&w->run->source, (struct span){finding.start, finding.end}));
    finding.replaced_start = d->replaced.start;
    finding.replaced_end = d->replaced.end;
    finding.shift = d->shift;
    finding.live = (struct ptxopt_estimate){d->live.before, d->live.after};
    finding.most_live = (struct ptxopt_estimate){w->plan->live.before, w->plan->live.after};
    vec_push(w->findings, finding);
}

/* How specific a decline is. The witness that needs the candidate is more specific than an
 * instruction before it, and a fault of the candidate itself is more specific still. What a person
 * has decided comes first. */
static uint32_t decision_weight(const struct decision *d)
{
    bool asked_for = d->verdict.reason >= REASON_NOT_SELECTED;
    bool itself = d->verdict.reason >= REASON_NOT_WHAT_IT_WAITS_FOR;
    bool forward = itself || (!d->rule->looks_back && d->verdict.reason >= REASON_WAIT);
    return d->verdict.reason + (asked_for ? 2 * REASON_COUNT : forward ? REASON_COUNT : 0);
}

/* Adds the only step of the finding. */
static void finding_add_step(const struct writer *w, struct ptxopt_finding *finding, uint32_t line,
                             struct loc_place origin, const char *part)
{
    struct ptxopt_step *step = arena_alloc(&w->run->arena, 1, sizeof *step);
    *step = (struct ptxopt_step){line, part,
                                 origin_of(w->files, &w->run->view, origin, &w->run->arena)};
    finding->steps = step;
    finding->step_count = 1;
}

/* Adds a finding from all declines of one candidate. Its reason is the most specific one. */
static void add_kept(const struct writer *w, const struct decision *declined, uint32_t count)
{
    const struct decision *best = declined;
    struct ptxopt_decline *declines = arena_alloc(&w->run->arena, count, sizeof *declines);
    for (uint32_t i = 0; i < count; i++) {
        const struct decision *d = &declined[i];
        declines[i] = (struct ptxopt_decline){d->rule->id, reason_word(d->verdict.reason),
                                              witness_line(w, d)};
        if (decision_weight(d) > decision_weight(best)) best = d;
    }
    struct ptxopt_finding finding = candidate_finding(w, PTXOPT_KEPT, best);
    finding.reason = reason_word(best->verdict.reason);
    finding.brief = reason_summary(best->verdict.reason);
    finding.message = sentence_kept(w, best);
    finding.declines = declines;
    finding.decline_count = count;
    bool by_comment = best->verdict.reason == REASON_KEPT_BY_COMMENT;
    if (by_comment) finding.justification = finding_copy(w, best->keeper->reason);
    if (by_comment)
        finding_add_step(w, &finding, finding_line(w, best->keeper->span.start),
                         (struct loc_place){.line = 0}, "keeps it");
    else if (finding.witness_line)
        finding_add_step(w, &finding, finding.witness_line, best->witness_origin,
                         best->rule->looks_back ? "comes before it" : "needs it");
    vec_push(w->findings, finding);
}

static void add_advice(const struct writer *w, const struct decision *d)
{
    struct ptxopt_finding finding = by_rule(w, PTXOPT_ADVICE, d);
    finding.message = sentence_advised(w, d);
    vec_push(w->findings, finding);
}

/* The function is unchanged because of an internal error. */
static bool is_internal(const struct function_plan *plan)
{
    return strcmp(plan->skipped, "internal") == 0;
}

/* A note if the caller requests all findings of lint, and so must learn where lint gave no
 * result. */
static enum ptxopt_level level_of_unseen(const struct writer *w)
{
    bool noted = w->options->engine.lint && w->options->least >= LINT_NOTE;
    return noted ? PTXOPT_NOTE : PTXOPT_REMARK;
}

static enum ptxopt_level level_of_skipped(const struct writer *w)
{
    return is_internal(w->plan) ? PTXOPT_WARNING : level_of_unseen(w);
}

static void add_skipped(const struct writer *w)
{
    struct ptxopt_finding finding = finding_blank(PTXOPT_SKIPPED);
    finding.level = level_of_skipped(w);
    finding.code = w->plan->skipped;
    finding.function = finding.text = w->function;
    finding.message = w->plan->skipped_why;
    finding_set_span(&finding, &w->run->source,
                     finding_rest_of_line(&w->run->source, w->plan->skipped_at));
    vec_push(w->findings, finding);
}

/* Reports an opcode that the table does not know, and that is therefore treated as ordering
 * everything. */
static void add_unknown(const struct writer *w, const struct plan_place *place)
{
    struct ptxopt_finding finding = finding_blank(PTXOPT_DIAGNOSTIC);
    finding.code = "unknown-opcode";
    finding.message = arena_printf(
        &w->run->arena, "'%s' is unknown: treated as a release and an acquire of everything",
        finding_text(w, place));
    finding_set_span(&finding, &w->run->source,
                     finding_rest_of_line(&w->run->source, place->span.start));
    vec_push(w->findings, finding);
}

static void add_diagnostics(struct finding_list *findings, const struct engine_run *run)
{
    const struct source *source = &run->source;
    for (uint32_t i = 0; i < run->diags.count; i++) {
        const struct diag *d = &run->diags.at[i];
        struct ptxopt_finding finding = finding_blank(PTXOPT_DIAGNOSTIC);
        uint32_t start = source_line_start(source, d->place.line) + d->place.column - 1;
        finding.level = PTXOPT_ERROR;
        finding.code = d->code;
        finding.message = d->text;
        finding_set_span(&finding, source, finding_rest_of_line(source, start));
        vec_push(findings, finding);
    }
}

static void add_warning(const struct writer *w, const char *code, const char *message,
                        struct span span)
{
    struct ptxopt_finding finding = finding_blank(PTXOPT_DIAGNOSTIC);
    finding.level = PTXOPT_WARNING;
    finding.code = code;
    finding.message = message;
    finding_set_span(&finding, &w->run->source, span);
    vec_push(w->findings, finding);
}

/* Reports an unknown version of the ISA: that of the options if it is set, otherwise that of the
 * text. */
static void finding_add_unknown_version(const struct writer *w)
{
    const struct engine_options *asked = &w->options->engine;
    const struct view *view = &w->run->view;
    uint32_t major = asked->isa_major ? asked->isa_major : view->isa_major;
    uint32_t minor = asked->isa_major ? asked->isa_minor : view->isa_minor;
    if (!version_is_newer(major, minor) || !view->function_count) return;
    const char *message = arena_printf(&w->run->arena,
                                       "PTX ISA %u.%u is newer than %d.%d: only what all known "
                                       "versions guarantee is used (or --isa %d.%d)",
                                       major, minor, VERSION_NEWEST_MAJOR, VERSION_NEWEST_MINOR,
                                       VERSION_NEWEST_MAJOR, VERSION_NEWEST_MINOR);
    add_warning(w, "unknown-version", message,
                finding_rest_of_line(&w->run->source, view->version_at));
}

static void add_unknown_target(const struct writer *w)
{
    const struct view *view = &w->run->view;
    if (!view->unknown_target.end || !view->function_count) return;
    struct str name = source_slice(&w->run->source, view->unknown_target);
    const char *message =
        arena_printf(&w->run->arena, "target %.*s is unknown: the rules of sm_100a are used",
                     (int)name.n, name.p);
    add_warning(w, "unknown-target", message, view->unknown_target);
}

/* ---- the list ---- */

static int compare_findings(const void *a, const void *b)
{
    const struct ptxopt_finding *x = a, *y = b;
    if (x->start != y->start) return x->start < y->start ? -1 : 1;
    if (x->kind != y->kind) return x->kind > y->kind ? -1 : 1; /* errors first */
    int code = strcmp(x->code, y->code);
    return code ? code : strcmp(x->message, y->message);
}

static void add_plan_stats(struct ptxopt_stats *stats, const struct function_plan *plan)
{
    stats->candidates += plan->candidates;
    stats->deleted += plan->deleted.count;
    stats->instructions += plan->instructions;
    stats->tcgen05 += plan->tcgen05;
    stats->examined += plan->missing.examined;
}

static void add_remarks(const struct writer *w)
{
    const struct function_plan *plan = w->plan;
    for (uint32_t i = 0; i < plan->unknown.count; i++) add_unknown(w, &plan->unknown.at[i]);
    for (uint32_t i = 0; i < plan->deleted.count; i++) add_deleted(w, &plan->deleted.at[i]);
    for (uint32_t i = 0, next; i < plan->declined.count; i = next) {
        const struct decision *first = &plan->declined.at[i];
        for (next = i + 1; next < plan->declined.count; next++)
            if (plan->declined.at[next].instr != first->instr) break;
        add_kept(w, first, next - i);
    }
    for (uint32_t i = 0; i < plan->advice.count; i++) add_advice(w, &plan->advice.at[i]);
}

void finding_list_build(struct finding_list *findings, struct engine_run *run,
                        const struct ptxopt_options *options, struct ptxopt_stats *stats)
{
    bool remarks = !options->engine.no_remarks;
    struct origin_files files = {0};
    struct buf sentence = {0};
    struct writer writer = {.findings = findings,
                            .run = run,
                            .files = &files,
                            .sentence = &sentence,
                            .options = options};
    add_diagnostics(findings, run);
    finding_add_unknown_version(&writer);
    add_unknown_target(&writer);
    writer.accepts = arena_alloc(&run->arena, run->keeps.directives.count, sizeof(bool));
    stats->functions = run->view.function_count;
    for (uint32_t f = 0; f < run->plans.count; f++) {
        const struct function_plan *plan = &run->plans.at[f];
        struct str name = plan->name;
        writer.plan = plan;
        writer.function = arena_copy(&run->arena, name.p, name.n);
        if (plan->skipped && (remarks || level_of_skipped(&writer) != PTXOPT_REMARK))
            add_skipped(&writer);
        hazards_add_gave_up(&writer, stats);
        if (remarks) add_remarks(&writer);
        for (uint32_t i = 0; i < plan->missing.count; i++)
            hazards_add(&writer, &plan->missing.at[i], stats);
        add_plan_stats(stats, plan);
    }
    comments_add(&writer);
    buf_free(&sentence);
    if (findings->count)
        qsort(findings->at, findings->count, sizeof *findings->at, compare_findings);
}
