/* Prints the result of each stage, for --dump and for people who examine a decision. */
#include "engine/engine.h"

#include "order/outstanding.h"
#include "value/barriers.h"
#include "value/conditions.h"
#include "value/print.h"

static void dump_add_lines(const struct view *view, const struct function *function,
                           const struct outstanding *outstanding, struct buf *out)
{
    for (uint32_t i = 0; i < outstanding->ops.count; i++) {
        uint32_t start = function->instrs[outstanding->ops.at[i]].span.start;
        buf_printf(out, " %u", source_place(view->source, start).line);
    }
    if (outstanding->hidden) buf_printf(out, " (%s)", reason_word(outstanding->hidden));
    buf_puts(out, outstanding->ops.count || outstanding->hidden ? "\n" : " none\n");
}

/* Prints, for each candidate, the operations that it may have to order before any removal. */
static void dump_facts(struct engine_run *run, const struct cfg *cfg, struct buf *out)
{
    struct analysis analysis;
    const struct function *function = cfg->function;
    analysis_init(&analysis, &run->view, function, cfg, run->assumptions, &run->arena);
    for (uint32_t i = 0; i < function->count; i++) {
        const struct instr *instr = &function->instrs[i];
        if (!rule_candidate(instr)) continue;
        buf_printf(out, "%s:%u: %s\n", run->source.name,
                   source_place(&run->source, instr->span.start).line,
                   view_text(&run->view, instr, &run->arena));
        struct outstanding outstanding;
        outstanding_collect(&outstanding, &analysis, i, OUTSTANDING_ASYNC);
        buf_puts(out, "  not known complete, issued on lines:");
        dump_add_lines(&run->view, function, &outstanding, out);
        outstanding_free(&outstanding);
        outstanding_collect(&outstanding, &analysis, i,
                            OUTSTANDING_ASYNC | OUTSTANDING_SINCE_FENCE);
        buf_puts(out, "  of these not ordered by a fence:");
        dump_add_lines(&run->view, function, &outstanding, out);
        outstanding_free(&outstanding);
    }
    analysis_free(&analysis);
}

static void dump_decisions(struct engine_run *run, const struct decision_list *list,
                           const char *verb, struct buf *out)
{
    for (uint32_t i = 0; i < list->count; i++) {
        const struct decision *d = &list->at[i];
        buf_printf(out, "%s:%u: %s %s", run->source.name,
                   source_place(&run->source, d->place.span.start).line, d->rule->id, verb);
        if (d->verdict.reason) buf_printf(out, " %s", reason_word(d->verdict.reason));
        if (d->verdict.witness != NO_WITNESS)
            buf_printf(out, " by line %u", source_place(&run->source, d->witness.span.start).line);
        buf_putc(out, '\n');
    }
}

static void dump_cfg(struct engine_run *run, const struct cfg *cfg, struct buf *out)
{
    cfg_dump(cfg, &run->source, out);
}

static void dump_roles(struct engine_run *run, const struct cfg *cfg, struct buf *out)
{
    struct subject subject = {
        .view = &run->view, .function = cfg->function, .cfg = cfg, .arena = &run->arena};
    subject_begin(&subject);
    values_build(&subject);
    conditions_build(&subject);
    barriers_build(&subject);
    print_roles(&subject, out);
    conditions_free(subject.conditions);
    values_free(subject.values);
}

typedef void dump_stage_of(struct engine_run *run, const struct cfg *cfg, struct buf *out);

/* Returns the function that prints a stage of one control-flow graph; NULL for other stages. */
static dump_stage_of *find_stage(const char *stage)
{
    static const struct {
        const char *name;
        dump_stage_of *dump;
    } stages[] = {{"cfg", dump_cfg}, {"facts", dump_facts}, {"roles", dump_roles}};
    for (size_t i = 0; i < sizeof stages / sizeof *stages; i++)
        if (strcmp(stages[i].name, stage) == 0) return stages[i].dump;
    return NULL;
}

static void dump_function(struct engine_run *run, const struct function *function,
                          dump_stage_of *dump, struct buf *out)
{
    struct cfg cfg;
    uint32_t at;
    cfg_build(&cfg, function, &run->source, &run->arena, &at);
    dump(run, &cfg, out);
}

/* Reads all functions again, because engine_run has freed them. */
static void view_again(struct engine_run *run, const struct cst *cst, bool all)
{
    struct reader *reader = reader_of_tree(cst);
    view_build(&run->view, reader, &run->source, all, &run->arena);
    reader_free(reader);
}

static bool dump_stage(struct engine_run *run, const char *stage, struct buf *out)
{
    dump_stage_of *dump = find_stage(stage);
    bool plan_stage = strcmp(stage, "plan") == 0;
    if (strcmp(stage, "view") == 0) {
        view_dump(&run->view, &run->arena, out);
        return true;
    }
    for (uint32_t f = 0; f < run->plans.count && (dump || plan_stage); f++) {
        const struct function_plan *plan = &run->plans.at[f];
        if (plan->skipped) {
            buf_printf(out, "%.*s: left alone: %s\n", (int)plan->name.n, plan->name.p,
                       plan->skipped_why);
            continue;
        }
        if (dump) dump_function(run, &run->view.functions[f], dump, out);
        if (!plan_stage) continue;
        dump_decisions(run, &plan->deleted, "removes", out);
        dump_decisions(run, &plan->declined, "declines", out);
        dump_decisions(run, &plan->advice, "advises", out);
    }
    return dump || plan_stage;
}

static void dump_diagnostics(const struct engine_run *run, struct buf *out)
{
    for (uint32_t i = 0; i < run->diags.count; i++)
        buf_printf(out, "%s:%u:%u: error: %s [%s]\n", run->source.name ? run->source.name : "",
                   run->diags.at[i].place.line, run->diags.at[i].place.column,
                   run->diags.at[i].text, run->diags.at[i].code);
}

bool engine_dump(const struct engine_options *options, const char *stage, const char *name,
                 struct str text, struct buf *out)
{
    struct engine_run run;
    struct engine_options asked = *options;
    bool known = true;
    asked.whole_parse = true;
    asked.strict = false;
    engine_run(&run, &asked, name, text);
    if (run.bad_input) {
        dump_diagnostics(&run, out);
    } else {
        struct cst *cst = cst_parse(&run.source, &run.arena, &run.diags);
        view_again(&run, cst, strcmp(stage, "roles") == 0);
        if (strcmp(stage, "cst") == 0)
            cst_dump(cst, out);
        else
            known = dump_stage(&run, stage, out);
        cst_free(cst);
    }
    engine_free(&run);
    return known;
}
