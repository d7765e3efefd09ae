/* Runs the stages. Each stage is a function of the result of the previous one; none changes its
 * input. */
#include "engine/engine.h"

#include <inttypes.h>

#include "base/clock.h"
#include "engine/id.h"
#include "syntax/strict.h"
#include "text/mention.h"
#include "text/opening.h"

/* Returns the part of a too large text that is indexed for the diagnostic: its first line, at most
 * SOURCE_MAX bytes. */
static struct str what_is_indexed(struct str text)
{
    struct str line = str_first_line(text);
    return (struct str){line.p, line.n < SOURCE_MAX ? line.n : SOURCE_MAX};
}

/* Refuses a text above the size limit, with a diagnostic. */
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

/* Refuses a text that does not begin as PTX, with a diagnostic. Callers that only need the tree
 * (whole_parse without strict) may pass a fragment. */
static bool begins_otherwise(struct engine_run *run, const struct engine_options *options,
                             const char *name, struct str text)
{
    struct opening_fault fault;
    if ((options->whole_parse && !options->strict) || opening_is_ptx(text, &fault)) return false;
    source_init(&run->source, &run->arena, name, text);
    diag_add(&run->diags, source_place(&run->source, fault.at), fault.code, fault.text);
    return true;
}

/* ---- reading and planning ---- */

static void forget_stretches(struct engine_run *run)
{
    for (uint32_t f = 0; f < run->plans.count; f++) plan_free(&run->plans.at[f]);
    run->plans.count = 0;
    for (uint32_t i = 0; i < run->stretch_count; i++) stretch_free(&run->stretches[i]);
    mem_free(run->stretches);
    run->stretches = NULL;
    run->stretch_count = 0;
    keeps_free(&run->keeps);
}

static void join_views(struct engine_run *run)
{
    struct VEC(struct source_file) files = {0};
    run->view = (struct view){.source = &run->source};
    for (uint32_t i = 0; i < run->stretch_count; i++) {
        const struct view *view = &run->stretches[i].view;
        for (uint32_t f = 0; f < view->file_count; f++) vec_push(&files, view->files[f]);
        run->view.function_count += view->function_count;
        if (!run->view.unknown_target.end) run->view.unknown_target = view->unknown_target;
        if (!view->has_version) continue;
        run->view.has_version = true;
        run->view.isa_major = view->isa_major;
        run->view.isa_minor = view->isa_minor;
        run->view.version_at = view->version_at;
    }
    run->view.file_count = files.count;
    run->view.files = arena_alloc(&run->arena, files.count, sizeof *files.at);
    if (files.count) memcpy(run->view.files, files.at, files.count * sizeof *files.at);
    vec_free(&files);
}

static void join_keeps(struct engine_run *run)
{
    for (uint32_t i = 0; i < run->stretch_count; i++)
        if (run->stretches[i].keeps) keeps_append(&run->keeps, run->stretches[i].keeps);
}

/* Collects the plans of all stretches. Returns false if one of them was made under other
 * assumptions than those in force: the last .version counts for the whole text. */
static bool join_plans(struct engine_run *run, const struct engine_options *options)
{
    bool agree = true;
    uint32_t threads =
        options->threads < run->stretch_count ? options->threads : run->stretch_count;
    for (uint32_t i = 0; i < run->stretch_count; i++) {
        struct stretch *stretch = &run->stretches[i];
        agree &= !stretch->plans.count || stretch->assumptions == run->assumptions;
        if (!run->plans.count) {
            vec_free(&run->plans);
            run->plans = stretch->plans;
            stretch->plans = (struct plan_list){0};
        }
        for (uint32_t f = 0; f < stretch->plans.count; f++)
            vec_push(&run->plans, stretch->plans.at[f]);
        stretch->plans.count = 0;
        run->analysis_ns += stretch->analysis_ns / (threads ? threads : 1);
    }
    return agree;
}

static bool all_told(const struct engine_run *run)
{
    for (uint32_t i = 0; i < run->stretch_count; i++)
        if (!run->stretches[i].told) return false;
    return run->stretch_count > 0;
}

/* Plans on one thread, with the tree of the text if there is one, otherwise with the reader of
 * statements. */
static void plan_alone(struct engine_run *run, const struct engine_options *options,
                       const struct cst *cst, bool settled)
{
    struct reader *reader = cst ? reader_of_tree(cst) : reader_of_text(run->source.text, 0);
    run->stretches = mem_zalloc(1, sizeof *run->stretches);
    run->stretch_count = 1;
    run->stretches->assumptions = run->assumptions;
    run->stretches->span = (struct span){0, (uint32_t)run->source.text.n};
    stretch_plan(run->stretches, options, &run->source, reader, settled);
    reader_free(reader);
}

/* Returns false if the reader of statements cannot read all of the text. */
static bool plan_once(struct engine_run *run, const struct engine_options *options,
                      const struct cst *cst, bool settled)
{
    if (!cst)
        run->stretches =
            stretch_plan_all(options, &run->source, settled, run->assumptions, &run->stretch_count);
    if (all_told(run)) return true;
    forget_stretches(run);
    plan_alone(run, options, cst, settled);
    return all_told(run);
}

static bool plan_all(struct engine_run *run, const struct engine_options *options,
                     const struct cst *cst)
{
    for (bool settled = false; plan_once(run, options, cst, settled); settled = true) {
        join_views(run);
        join_keeps(run);
        run->assumptions = stretch_assume(options, &run->view);
        if (join_plans(run, options)) return true;
        forget_stretches(run);
    }
    forget_stretches(run);
    return false;
}

/* Makes the plans of all functions. Returns false, with diagnostics, if the text is refused. */
static bool read_and_plan(struct engine_run *run, const struct engine_options *options)
{
    if (!options->whole_parse && plan_all(run, options, NULL)) return true;
    struct cst *cst = cst_parse(&run->source, &run->arena, &run->diags);
    bool accepted =
        cst && (!options->strict || strict_check(&run->source, cst, &run->arena, &run->diags));
    if (accepted) plan_all(run, options, cst);
    cst_free(cst);
    return accepted;
}

/* Records in each removal the bytes that its edit replaced and the shift of the text after it. */
static void note_edits(struct engine_run *run, const struct edit_plan *edits)
{
    const struct edit *edit = edits->at;
    for (uint32_t f = 0; f < run->plans.count; f++)
        for (uint32_t i = 0; i < run->plans.at[f].deleted.count; i++, edit++) {
            struct decision *d = &run->plans.at[f].deleted.at[i];
            d->replaced = edit->replaced;
            d->shift = edit->shift;
        }
}

/* Returns the comment of --annotate for a removal: the rule, the id, and the statement on one
 * line. */
static const char *note_of(struct engine_run *run, const struct decision *d)
{
    struct buf note = {0};
    struct str text = source_slice(&run->source, d->place.span);
    buf_printf(&note, "ptxopt %s %0*" PRIx64 ": ", d->rule->id, ID_DIGITS, d->id);
    for (size_t i = 0; i < text.n; i++) {
        bool ends = i && text.p[i - 1] == '*' && text.p[i] == '/'; /* would end the comment */
        if (ends) buf_putc(&note, ' ');
        buf_putc(&note, text.p[i] == '\n' || text.p[i] == '\r' ? ' ' : text.p[i]);
    }
    const char *copy = arena_copy(&run->arena, note.data, note.len);
    buf_free(&note);
    return copy;
}

/* Writes the text without the removed instructions to run->output. Returns false if nothing is
 * removed. */
static bool write_output(struct engine_run *run, enum edit_style style)
{
    struct edit_plan edits = {0};
    for (uint32_t f = 0; f < run->plans.count; f++) {
        const struct function_plan *plan = &run->plans.at[f];
        for (uint32_t i = 0; i < plan->deleted.count; i++) {
            const struct decision *d = &plan->deleted.at[i];
            edit_plan_add(&edits, d->place.span, style == EDIT_ANNOTATE ? note_of(run, d) : NULL);
        }
    }
    bool changed = edits.count > 0;
    run->output.len = 0;
    if (changed) {
        edit_plan_apply(&edits, &run->source, style, &run->output);
        buf_putc(&run->output, '\0'); /* after the last byte, for callers that need a string */
        run->output.len--;
    }
    note_edits(run, &edits);
    vec_free(&edits);
    return changed;
}

/* Translates the bits of order/assume.h to those of check/check.h by the names of the
 * assumptions. */
static uint32_t check_assumptions(uint32_t assumptions)
{
    uint32_t count, bits = 0;
    const struct assumption_row *rows = assume_rows(&count);
    for (uint32_t i = 0; i < count; i++)
        if (assumptions & rows[i].bit) bits |= check_assume_bit(str_from(rows[i].name));
    return bits;
}

struct check_options engine_check_options(const struct engine_options *asked)
{
    return (struct check_options){.assume = check_assumptions(asked->assumptions),
                                  .deny = check_assumptions(asked->no_assumptions),
                                  .isa_major = asked->isa_major,
                                  .isa_minor = asked->isa_minor};
}

/* Undoes the removals of every function that is not proven. Returns whether there were any. */
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
            reverted = true;
            if (plan_revert_wide(plan)) continue;
            plan_revert(plan, "internal",
                        arena_printf(&run->arena, "not proven: %s", checked->message));
        }
    }
    return reverted;
}

/* Proves the output again, this time with a certificate that names the rule and the assumptions of
 * each removal. */
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

/* Writes the output and runs the checker on it, until all functions are proven. A function that is
 * not proven keeps the bytes of the input. */
static void write_proven(struct engine_run *run, const struct engine_options *asked)
{
    struct check_options options = engine_check_options(asked);
    options.faults_only = true; /* saves memory if a text has thousands of functions */
    for (uint32_t f = 0; f < run->plans.count; f++)
        options.expects_values |= run->plans.at[f].deleted.count && run->plans.at[f].by_store;
    while ((run->changed = write_output(run, asked->style))) {
        uint64_t start = clock_ns();
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
        run->check_ns += clock_ns() - start;
        if (proven && asked->certificate) write_certificate(run, options);
        if (proven) return;
    }
}

void engine_run(struct engine_run *run, const struct engine_options *options, const char *name,
                struct str text)
{
    *run = (struct engine_run){0};
    run->bad_input =
        is_too_large(run, options, name, text) || begins_otherwise(run, options, name, text);
    if (run->bad_input) return;
    run->source = (struct source){.name = name, .text = text}; /* not indexed: needs no lines */
    if (!options->whole_parse && !options->lint && !mention_found(text)) return;
    uint64_t start = clock_ns();
    source_init(&run->source, &run->arena, name, text);
    run->bad_input = !read_and_plan(run, options);
    uint64_t planned = clock_ns();
    uint64_t read_ns = planned - start;
    run->parse_ns = read_ns > run->analysis_ns ? read_ns - run->analysis_ns : 0;
    if (run->bad_input) return;
    write_proven(run, options);
    run->analysis_ns += clock_ns() - planned - run->check_ns;
}

void engine_free(struct engine_run *run)
{
    forget_stretches(run);
    vec_free(&run->plans);
    vec_free(&run->diags);
    buf_free(&run->output);
    arena_free(&run->arena);
}
