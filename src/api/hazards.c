/* Turns hazards into findings, and marks those that the user accepts. */
#include "api/hazards.h"

#include "api/comments.h"
#include "api/origin.h"

/* By a comment, or by its id: in both cases it is told apart from the others. */
static void accept_hazard(const struct writer *w, struct ptxopt_finding *finding, uint64_t id)
{
    const struct directive *comment =
        comments_accept(w, (struct span){finding->start, finding->end}, finding->code);
    if (!comment && !options_accept(w->options, id)) return;
    finding->kind = PTXOPT_SUPPRESSED;
    finding->reason = comment ? "comment" : "baseline";
    finding->justification = comment ? finding_copy(w, comment->reason) : "";
}

void hazards_add(const struct writer *w, const struct missing *m, struct ptxopt_stats *stats)
{
    enum { BRIEF = 98 }; /* with the code, so that a line has at most 120 bytes behind its place */
    static const enum ptxopt_level levels[] = {
        [LINT_ERROR] = PTXOPT_ERROR, [LINT_WARNING] = PTXOPT_WARNING, [LINT_NOTE] = PTXOPT_NOTE};
    const struct plan_place *witness = m->witness_instr != NO_INSTR ? &m->witness : NULL;
    struct ptxopt_finding finding = finding_blank(PTXOPT_HAZARD);
    finding.level = levels[m->level];
    finding.code = m->code->id;
    finding.id = finding_id(w, m->id);
    finding.function = w->function;
    finding.text = finding_text(w, &m->place);
    finding.brief = finding_fill_briefly(w, m->says, witness, BRIEF - strlen(m->code->id));
    if (!finding.brief) finding.brief = m->code->summary;
    finding.message = finding_fill(w, m->says, witness);
    finding.isa_section = m->words.section;
    finding.sentence = m->words.sentence;
    finding.risk = m->code->risk;
    finding.fix = finding_fill(w, m->fix, witness);
    finding.steps = finding_steps(w, m->path, m->path_count);
    finding.step_count = m->path_count;
    finding.witness_line = witness ? finding_line(w, witness->span.start) : 0;
    finding.origins =
        origin_stack(w->files, &w->run->view, m->inlined, m->inlined_count, &w->run->arena);
    finding.origin_count = m->inlined_count;
    finding_set_span(&finding, &w->run->source, m->place.span);
    accept_hazard(w, &finding, m->id);
    if (finding.kind == PTXOPT_SUPPRESSED || m->level <= w->options->least)
        vec_push(w->findings, finding);
    else if (m->level == LINT_WARNING)
        stats->hidden_warnings++;
    else
        stats->hidden_notes++;
}

void hazards_add_unasked(const struct writer *w, enum ptxopt_level level)
{
    struct ptxopt_finding finding = finding_blank(PTXOPT_DIAGNOSTIC);
    struct buf codes = {0};
    for (uint32_t c = 0; c < LINT_CODE_COUNT; c++)
        if (w->plan->missing.unasked & (1u << c | LINT_PREPARING))
            buf_printf(&codes, "%s%s", codes.len ? ", " : "", lint_code_at(c)->id);
    finding.level = level;
    finding.code = "lint-gave-up";
    finding.function = w->function;
    finding.message = arena_printf(
        &w->run->arena, "lint did not search this function for %.*s: it would take too long",
        (int)codes.len, codes.data);
    finding_set_span(&finding, &w->run->source,
                     finding_rest_of_line(&w->run->source, w->plan->span.start));
    vec_push(w->findings, finding);
    buf_free(&codes);
}
