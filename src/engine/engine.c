/* From bytes to bytes. Each step is a function of the one before; nothing is changed in place. */
#include "engine/engine.h"

#include <time.h>

#include "check/check.h"
#include "text/mention.h"

static uint64_t now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* All that a text too large to index is asked for. */
static struct str what_is_indexed(struct str text)
{
    struct str line = str_first_line(text);
    return (struct str){line.p, line.n < SOURCE_MAX ? line.n : SOURCE_MAX};
}

/* With a diagnostic. */
static bool is_too_large(struct engine_run *run, const struct engine_options *options,
                         const char *name, struct str text)
{
    size_t limit = options->max_input < SOURCE_MAX ? options->max_input : SOURCE_MAX;
    if (text.n <= limit) return false;
    const char *why =
        arena_printf(&run->arena, "%zu bytes; the limit is %zu (--max-input)", text.n, limit);
    diag_add(&run->diags, (struct place){1, 1}, "too-large", why);
    source_init(&run->source, &run->arena, name, what_is_indexed(text));
    return true;
}

static uint32_t assumptions_in_force(const struct engine_options *options, const struct view *view)
{
    uint32_t major = options->isa_major ? options->isa_major : view->isa_major;
    uint32_t minor = options->isa_major ? options->isa_minor : view->isa_minor;
    uint32_t bits = assume_defaults();
    if (major > 9 || (major == 9 && minor >= 4)) bits |= ASSUME_ISA_9_4_PAIRS;
    return (bits | options->assumptions) & ~options->no_assumptions;
}

static void forget_plans(struct engine_run *run)
{
    for (uint32_t f = 0; f < run->plans.count; f++) plan_free(&run->plans.at[f]);
    run->plans.count = 0;
}

/* One function after the other: read, planned for, given back. Under run->assumptions when these
 * are settled, else under what the .version in front says. False, with no plans, when reader cannot
 * tell all of the text, or a .version behind some function made others hold. */
static bool plan_functions(struct engine_run *run, const struct engine_options *options,
                           struct reader *reader, bool settled, bool *told)
{
    struct plan_options allowed = {
        .rules = options->rules,
        .assumptions = run->assumptions,
        .only = options->only.count ? options->only.at : NULL,
        .only_count = options->only.count,
        .skip = options->skip.at,
        .skip_count = options->skip.count,
        .steps = options->steps,
    };
    bool good = true;
    struct function function;
    struct view_reader *functions = view_read(&run->view, reader, &run->source, &run->arena);
    while (view_next(functions, &function)) {
        uint32_t in_force = assumptions_in_force(options, &run->view);
        good &= settled || !run->plans.count || in_force == allowed.assumptions;
        if (!settled) allowed.assumptions = in_force;
        vec_push(&run->plans, (struct function_plan){.skipped = NULL});
        uint64_t start = now_ns();
        plan_build(&run->plans.at[run->plans.count - 1], &run->view, &function, &allowed,
                   &run->arena);
        run->analysis_ns += now_ns() - start;
    }
    *told = view_read_end(functions);
    reader_free(reader);
    run->assumptions = assumptions_in_force(options, &run->view);
    good &= settled || !run->plans.count || run->assumptions == allowed.assumptions;
    if (!*told || !good) forget_plans(run);
    return *told && good;
}

static struct reader *open_reader(const struct engine_run *run, const struct cst *cst)
{
    return cst ? reader_of_tree(cst) : reader_of_text(run->source.text);
}

/* The text's last .version counts for all of it. False when shapes cannot tell all of the text. */
static bool plan_all(struct engine_run *run, const struct engine_options *options,
                     const struct cst *cst)
{
    bool told;
    if (plan_functions(run, options, open_reader(run, cst), false, &told)) return true;
    return told && plan_functions(run, options, open_reader(run, cst), true, &told);
}

/* Plans for all functions. False, with diagnostics, when the text is refused. */
static bool read_and_plan(struct engine_run *run, const struct engine_options *options)
{
    if (!options->whole_parse && plan_all(run, options, NULL)) return true;
    struct cst *cst = cst_parse(&run->source, &run->arena, &run->diags);
    if (cst) plan_all(run, options, cst);
    cst_free(cst);
    return cst;
}

/* What the edits, in the order of the deletions, moved. */
static void note_shifts(struct engine_run *run, const struct edit_plan *edits)
{
    uint32_t next = 0;
    for (uint32_t f = 0; f < run->plans.count; f++)
        for (uint32_t i = 0; i < run->plans.at[f].deleted.count; i++)
            run->plans.at[f].deleted.at[i].shift = edits->at[next++].shift;
}

/* The bytes that the plans give; false when they are the input's. */
static bool write_output(struct engine_run *run, enum edit_style style)
{
    struct edit_plan edits = {0};
    for (uint32_t f = 0; f < run->plans.count; f++) {
        const struct function_plan *plan = &run->plans.at[f];
        for (uint32_t i = 0; i < plan->deleted.count; i++) {
            const struct decision *d = &plan->deleted.at[i];
            const char *note =
                style == EDIT_ANNOTATE ? arena_printf(&run->arena, "ptxopt %s", d->rule->id) : NULL;
            edit_plan_add(&edits, d->place.span, note);
        }
    }
    bool changed = edits.count > 0;
    run->output.len = 0;
    if (changed) {
        edit_plan_apply(&edits, &run->source, style, &run->output);
        buf_putc(&run->output, '\0'); /* for who wants a string */
        run->output.len--;
    }
    note_shifts(run, &edits);
    vec_free(&edits);
    return changed;
}

uint32_t engine_check_assumptions(uint32_t assumptions)
{
    uint32_t count, bits = 0;
    const struct assumption_row *rows = assume_rows(&count);
    for (uint32_t i = 0; i < count; i++)
        if (assumptions & rows[i].bit) bits |= check_assume_bit(str_from(rows[i].name));
    return bits;
}

static struct check_options check_options(const struct engine_run *run)
{
    return (struct check_options){.assume = engine_check_assumptions(run->assumptions),
                                  .deny = engine_check_assumptions(~run->assumptions)};
}

/* Takes back the deletions of every function that is not proven; true when there were any. */
static bool revert_unproven(struct engine_run *run, const struct check_result *result)
{
    bool reverted = false;
    for (uint32_t i = 0; i < result->function_count; i++) {
        const struct check_function *checked = &result->functions[i];
        if (checked->verdict == CHECK_PROVEN) continue;
        for (uint32_t f = 0; f < run->plans.count; f++) {
            struct function_plan *plan = &run->plans.at[f];
            if (plan->span.start > checked->before.start ||
                plan->span.end <= checked->before.start || !plan->deleted.count)
                continue;
            plan_revert(plan, "internal",
                        arena_printf(&run->arena, "not proven: %s", checked->message));
            reverted = true;
        }
    }
    return reverted;
}

/* The proof of the output once more, now written down, with the rule and the assumptions of each
 * deletion. */
static void write_certificate(struct engine_run *run, struct check_options options)
{
    struct VEC(struct check_note) notes = {0};
    for (uint32_t f = 0; f < run->plans.count; f++)
        for (uint32_t i = 0; i < run->plans.at[f].deleted.count; i++) {
            const struct decision *d = &run->plans.at[f].deleted.at[i];
            const char *assumes = assume_names(d->verdict.assumptions, &run->arena);
            vec_push(&notes, (struct check_note){d->place.span.start, d->rule->id, assumes});
        }
    options.certificate = true;
    options.notes = notes.at;
    options.note_count = notes.count;
    struct check_result result;
    struct str after = {run->output.data, run->output.len};
    check_run(&options, run->source.text, after, &run->arena, &result);
    run->certificate = result.certificate;
    vec_free(&notes);
}

/* Writes the output and has it proven; what is not proven goes back to the input's bytes. */
static void write_proven(struct engine_run *run, const struct engine_options *asked)
{
    struct check_options options = check_options(run);
    while ((run->changed = write_output(run, asked->style))) {
        uint64_t start = now_ns();
        struct arena arena = {0};
        struct check_result result;
        struct str after = {run->output.data, run->output.len};
        check_run(&options, run->source.text, after, &arena, &result);
        bool proven = result.verdict == CHECK_PROVEN;
        bool reverted = !proven && revert_unproven(run, &result);
        for (uint32_t f = 0; !proven && !reverted && f < run->plans.count; f++)
            if (run->plans.at[f].deleted.count)
                plan_revert(&run->plans.at[f], "internal",
                            arena_printf(&run->arena, "not proven: %s", result.message));
        arena_free(&arena);
        run->check_ns += now_ns() - start;
        if (proven && asked->certificate) write_certificate(run, options);
        if (proven) return;
    }
}

void engine_run(struct engine_run *run, const struct engine_options *options, const char *name,
                struct str text)
{
    *run = (struct engine_run){0};
    run->bad_input = is_too_large(run, options, name, text);
    if (run->bad_input) return;
    run->source = (struct source){.name = name, .text = text}; /* nobody asks for a place in it */
    if (!options->whole_parse && !mention_found(text)) return;
    uint64_t start = now_ns();
    source_init(&run->source, &run->arena, name, text);
    run->bad_input = !read_and_plan(run, options);
    uint64_t planned = now_ns();
    run->parse_ns = planned - start - run->analysis_ns;
    if (run->bad_input) return;
    write_proven(run, options);
    run->analysis_ns += now_ns() - planned - run->check_ns;
}

void engine_free(struct engine_run *run)
{
    forget_plans(run);
    vec_free(&run->plans);
    vec_free(&run->diags);
    buf_free(&run->output);
    arena_free(&run->arena);
}
