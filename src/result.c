/* How is a plan told to people? Decisions become edits, kept candidates, advice and figures, with
 * sentences that name lines. */
#include "result.h"

#include "engine/id.h"

struct teller {
    struct ptxopt_result *result;
    struct engine_run *run;
    const struct function_plan *plan;
    const char *function;
};

static struct place place_of(const struct teller *t, uint32_t instr)
{
    return source_place(&t->run->source, t->plan->function->instrs[instr].span.start);
}

static const char *text_of(const struct teller *t, uint32_t instr)
{
    return view_text(&t->run->view, &t->plan->function->instrs[instr], &t->run->arena);
}

static uint32_t witness_line(const struct teller *t, uint32_t witness)
{
    return witness == NO_WITNESS ? 0 : place_of(t, witness).line;
}

/* "tcgen05.wait::ld.sync.aligned (line 12)"; long operands are cut. */
static const char *name_witness(const struct teller *t, uint32_t witness)
{
    enum { WIDTH = 60 };
    if (witness == NO_WITNESS) return "the entry of the kernel";
    const char *text = text_of(t, witness);
    bool cut = strlen(text) > WIDTH;
    return arena_printf(&t->run->arena, "%.*s%s (line %u)", WIDTH, text, cut ? "…" : "",
                        place_of(t, witness).line);
}

/* The clause with the witness in its "%s", if it has one. */
static const char *fill(const struct teller *t, const char *clause, uint32_t witness)
{
    const char *hole = strstr(clause, "%s");
    if (!hole) return clause;
    return arena_printf(&t->run->arena, "%.*s%s%s", (int)(hole - clause), clause,
                        name_witness(t, witness), hole + 2);
}

static const char *id_of(const struct teller *t, const struct decision *decision)
{
    return arena_printf(&t->run->arena, "%0*llx", ID_DIGITS, (unsigned long long)decision->id);
}

/* The CUDA line that an instruction comes from; 0, and an empty name, when the text does not
 * say. */
static uint32_t source_line(const struct teller *t, uint32_t instr, const char **file)
{
    struct str name;
    const struct loc *loc = view_loc(&t->run->view, t->plan->function, instr, &name);
    *file = arena_copy(&t->run->arena, name.p, name.n);
    return loc ? loc->line : 0;
}

/* ---- lists ---- */

static const char *why_removed(const struct teller *t, const struct decision *d)
{
    uint32_t witness = d->verdict.witness;
    bool at_end =
        witness != NO_WITNESS && t->plan->function->instrs[witness].opcode->effect == EFFECT_EXIT;
    const char *clause =
        at_end ? "the thread ends at %s, which publishes nothing" : d->rule->because;
    return fill(t, clause, witness);
}

static const struct ptxopt_step *steps_of(const struct teller *t, const struct decision *d)
{
    struct ptxopt_step *steps = arena_alloc(&t->run->arena, d->step_count, sizeof *steps);
    for (uint32_t i = 0; i < d->step_count; i++)
        steps[i] = (struct ptxopt_step){place_of(t, d->steps[i].instr).line, d->steps[i].part};
    return steps;
}

static void tell_deleted(const struct teller *t)
{
    for (uint32_t i = 0; i < t->plan->deleted.count; i++) {
        const struct decision *d = &t->plan->deleted.at[i];
        struct span span = t->plan->function->instrs[d->instr].span;
        struct place place = place_of(t, d->instr);
        const char *file;
        uint32_t line = source_line(t, d->instr, &file);
        vec_push(&t->result->edits,
                 (struct ptxopt_edit){
                     .id = id_of(t, d),
                     .rule = d->rule->id,
                     .function = t->function,
                     .text = text_of(t, d->instr),
                     .line = place.line,
                     .column = place.column,
                     .start = span.start,
                     .end = span.end,
                     .source_file = file,
                     .source_line = line,
                     .isa_section = d->rule->section,
                     .assumptions = assume_names(d->verdict.assumptions, &t->run->arena),
                     .why = why_removed(t, d),
                     .witness_line = witness_line(t, d->verdict.witness),
                     .chain = steps_of(t, d),
                     .chain_count = d->step_count,
                     .more_operations = d->more_operations,
                 });
    }
}

static const char *why_kept(const struct teller *t, const struct verdict *verdict)
{
    if (verdict->reason == REASON_ASSUMPTION)
        return arena_printf(&t->run->arena, "the deletion needs --assume %s",
                            assume_names(verdict->assumptions, &t->run->arena));
    bool lacks_witness = verdict->witness == NO_WITNESS;
    if (lacks_witness && verdict->reason == REASON_NOT_PIPELINED)
        return "it orders no pipelined pair whose operands provably stay the same";
    if (lacks_witness && verdict->reason == REASON_RECEIVED)
        return "another thread's work may have been received since the entry of the kernel";
    if (lacks_witness && verdict->reason == REASON_UNTRACKED)
        return "it orders nothing that a commit tracks";
    return fill(t, reason_clause(verdict->reason), verdict->witness);
}

static void tell_kept(const struct teller *t, const struct decision *d)
{
    struct span span = t->plan->function->instrs[d->instr].span;
    struct place place = place_of(t, d->instr);
    const char *file;
    uint32_t line = source_line(t, d->instr, &file);
    vec_push(&t->result->kept, (struct ptxopt_kept){
                                   .id = id_of(t, d),
                                   .rule = d->rule->id,
                                   .function = t->function,
                                   .text = text_of(t, d->instr),
                                   .line = place.line,
                                   .column = place.column,
                                   .start = span.start,
                                   .end = span.end,
                                   .source_file = file,
                                   .source_line = line,
                                   .reason = reason_word(d->verdict.reason),
                                   .why = why_kept(t, &d->verdict),
                                   .witness_line = witness_line(t, d->verdict.witness),
                               });
}

/* How much a decline tells: who needs the candidate says more than what came before it. */
static uint32_t weight(const struct decision *d)
{
    bool forward = !d->rule->looks_back && d->verdict.reason >= REASON_WAIT;
    return d->verdict.reason + (forward ? REASON_COUNT : 0);
}

/* Declines of one candidate stand together; the most telling one is shown as why it is kept. */
static void tell_declined(const struct teller *t)
{
    const struct decision_list *declined = &t->plan->declined;
    for (uint32_t i = 0, best = 0; i < declined->count; i++) {
        const struct decision *d = &declined->at[i];
        vec_push(&t->result->declines,
                 (struct ptxopt_decline){d->rule->id, reason_word(d->verdict.reason),
                                         place_of(t, d->instr).line,
                                         witness_line(t, d->verdict.witness)});
        if (i == 0 || declined->at[i - 1].instr != d->instr) best = i;
        if (weight(d) > weight(&declined->at[best])) best = i;
        bool last = i + 1 == declined->count || declined->at[i + 1].instr != d->instr;
        if (last) tell_kept(t, &declined->at[best]);
    }
}

static void tell_advice(const struct teller *t)
{
    for (uint32_t i = 0; i < t->plan->advice.count; i++) {
        const struct decision *d = &t->plan->advice.at[i];
        struct place place = place_of(t, d->instr);
        vec_push(&t->result->advice,
                 (struct ptxopt_advice){d->rule->id, t->function,
                                        fill(t, d->rule->because, d->verdict.witness), place.line,
                                        place.column});
    }
}

static void tell_skipped(const struct teller *t)
{
    struct place place = source_place(&t->run->source, t->plan->skipped_at);
    vec_push(&t->result->skipped,
             (struct ptxopt_skipped){t->function, t->plan->skipped, t->plan->skipped_why,
                                     place.line, place.column});
}

static bool is_tcgen05(const struct instr *instr)
{
    return strncmp(instr->opcode->name, "tcgen05", 7) == 0;
}

static void count(struct ptxopt_stats *stats, const struct function_plan *plan)
{
    stats->candidates += plan->candidates;
    stats->deleted += plan->deleted.count;
    stats->instructions += plan->function->count - 1; /* less the end of the body */
    for (uint32_t i = 0; i < plan->function->count; i++)
        stats->tcgen05 += is_tcgen05(&plan->function->instrs[i]);
}

/* An opcode that the table does not know is treated as ordering everything, and said so. */
static void tell_unknown(const struct teller *t)
{
    for (uint32_t i = 0; i < t->plan->function->count; i++) {
        if (t->plan->function->instrs[i].opcode != &opcode_unknown) continue;
        struct place place = place_of(t, i);
        const char *message = arena_printf(
            &t->run->arena, "'%s' is not known and taken to order everything", text_of(t, i));
        vec_push(&t->result->diagnostics,
                 (struct ptxopt_diagnostic){PTXOPT_REMARK, place.line, place.column,
                                            "unknown-opcode", message});
    }
}

void result_build(struct ptxopt_result *result)
{
    struct engine_run *run = &result->run;
    for (uint32_t i = 0; i < run->diags.count; i++) {
        const struct diag *d = &run->diags.at[i];
        enum ptxopt_level level = d->level == DIAG_ERROR     ? PTXOPT_ERROR
                                  : d->level == DIAG_WARNING ? PTXOPT_WARNING
                                                             : PTXOPT_REMARK;
        vec_push(
            &result->diagnostics,
            (struct ptxopt_diagnostic){level, d->place.line, d->place.column, d->code, d->text});
    }
    result->stats.functions = run->view.function_count;
    for (uint32_t f = 0; run->plans && f < run->view.count; f++) {
        const struct function_plan *plan = &run->plans[f];
        struct str name = plan->function->name;
        struct teller t = {result, run, plan, arena_copy(&run->arena, name.p, name.n)};
        if (plan->skipped) tell_skipped(&t);
        tell_unknown(&t);
        tell_deleted(&t);
        tell_declined(&t);
        tell_advice(&t);
        count(&result->stats, plan);
    }
}
