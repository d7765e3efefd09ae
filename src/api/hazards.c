/* Turns hazards into findings, and marks those that the user accepts. See hazards.h. */
#include "api/hazards.h"

#include "api/comments.h"
#include "api/origin.h"

/* Marks a hazard that a comment or the caller accepts, with the reason "comment" or "baseline". */
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
    enum { BRIEF = 96 }; /* with the code, so that a line has at most 120 bytes after the place */
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

static const char *names_of_codes(const struct writer *w, uint32_t bits)
{
    struct buf names = {0};
    for (uint32_t c = 0; c < LINT_CODE_COUNT; c++)
        if (bits & (1u << c | LINT_PREPARING))
            buf_printf(&names, "%s%s", names.len ? ", " : "", lint_code_at(c)->id);
    const char *copy = arena_copy(&w->run->arena, names.data, names.len);
    buf_free(&names);
    return copy;
}

static void add_gave_up(const struct writer *w, enum ptxopt_level level, uint32_t codes,
                        const char *did, const char *why)
{
    struct ptxopt_finding finding = finding_blank(PTXOPT_DIAGNOSTIC);
    finding.level = level;
    finding.code = "lint-gave-up";
    finding.function = w->function;
    finding.message = arena_printf(&w->run->arena, "lint %s this function for %s: %s", did,
                                   names_of_codes(w, codes), why);
    finding_set_span(&finding, &w->run->source,
                     finding_rest_of_line(&w->run->source, w->plan->span.start));
    vec_push(w->findings, finding);
}

/* Codes that were not run may have missed errors, so even a caller who requests only errors gets
 * the warning. Codes that stopped early are reported as a note, because that happens in half of all
 * kernels and most hazards are found nevertheless. */
void hazards_add_gave_up(const struct writer *w, struct ptxopt_stats *stats)
{
    const struct missing_list *missing = &w->plan->missing;
    bool notes = w->options->least >= LINT_NOTE;
    if (missing->unasked)
        add_gave_up(w, PTXOPT_WARNING, missing->unasked, "did not search",
                    "it would take too long");
    if (!notes) stats->hidden_notes += (missing->partly ? 1u : 0u) + (missing->cut ? 1u : 0u);
    if (missing->partly && notes)
        add_gave_up(w, PTXOPT_NOTE, missing->partly, "searched only a part of",
                    "all of it would take too long");
    if (missing->cut && notes)
        add_gave_up(w, PTXOPT_NOTE, missing->cut, "searched only a part of",
                    "a call or brx.idx stops it");
}
