/* Reads functions and makes their plans, on several threads.
 *
 * A text is cut after lines that only have a '}', most of which end a function. Correctness does
 * not depend on this. The first stretch begins at a statement of the module. If a stretch that
 * begins at a statement of the module is read to its end without a fault, the next stretch begins
 * at one, too: a reader that is inside a body, a list, a string or a comment at the cut reports a
 * fault. So either all stretches are told, and together they give what one reader would have read,
 * or one is not told, and one reader reads the whole text again. */
#include "engine/stretch.h"

#include "base/clock.h"
#include "base/team.h"
#include "engine/engine.h"
#include "flow/expand.h"
#include "syntax/version.h"

uint32_t stretch_assume(const struct engine_options *options, const struct view *view)
{
    uint32_t major = options->isa_major ? options->isa_major : view->isa_major;
    uint32_t minor = options->isa_major ? options->isa_minor : view->isa_minor;
    uint32_t bits = assume_defaults();
    /* For an unknown ISA version, only what every known version grants is assumed. */
    bool from_9_4 = major > 9 || (major == 9 && minor >= 4);
    if (from_9_4 && !version_is_newer(major, minor)) bits |= ASSUME_ISA_9_4_PAIRS;
    return (bits | options->assumptions) & ~options->no_assumptions;
}

/* Adds instructions that represent the calls of the function, which lint does not need. Updates the
 * instruction numbers in missing. False if there are none. */
static bool expand_function(struct function *function, struct callees *callees,
                            struct missing_list *missing, struct arena *arena)
{
    const uint32_t *now = expand_calls(function, callees, arena);
    for (uint32_t i = 0; now && i < missing->count; i++) {
        struct missing *m = &missing->at[i];
        m->instr = now[m->instr];
        if (m->witness_instr != NO_INSTR) m->witness_instr = now[m->witness_instr];
    }
    return now;
}

/* Runs lint over the function. Returns cfg, which it sets to the graph of the function in the arena
 * graph; NULL if lint is not asked for or the function has no graph. */
static const struct cfg *lint_function(struct stretch *stretch,
                                       const struct engine_options *options,
                                       const struct function *function,
                                       struct missing_list *missing, struct cfg *cfg,
                                       struct arena *graph)
{
    struct missing_options wanted = {options->lint_budget, stretch->assumptions, options->fix};
    uint32_t at;
    if (!options->lint || function->unsupported ||
        cfg_build(cfg, function, stretch->view.source, graph, &at))
        return NULL;
    missing_find(missing, &stretch->view, cfg, &wanted, &stretch->arena);
    return cfg;
}

/* Finds the comments of the stretch as soon as the reader has read a comment for ptxopt. */
static void heed_comments(struct stretch *stretch, const struct source *source,
                          const struct reader *reader)
{
    if (stretch->keeps || !reader_was_addressed(reader)) return;
    stretch->keeps = arena_alloc(&stretch->arena, 1, sizeof *stretch->keeps);
    *stretch->keeps = (struct keeps){.directives = {0}};
    keeps_find(stretch->keeps, source, stretch->span);
}

/* Reports to the caller that the text from *noted to end was read and analysed. */
static void note_progress(const struct engine_options *options, uint32_t *noted, uint32_t end)
{
    if (!options->progress || end <= *noted) return;
    options->progress(options->progress_context, end - *noted);
    *noted = end;
}

void stretch_plan(struct stretch *stretch, const struct engine_options *options,
                  const struct source *source, struct reader *reader, bool settled)
{
    uint32_t noted = stretch->span.start;
    struct plan_options allowed = {
        .rules = options->rules,
        .only = options->only.count ? options->only.at : NULL,
        .only_count = options->only.count,
        .skip = options->skip.at,
        .skip_count = options->skip.count,
        .given_up = options->given_up.at,
        .given_up_count = options->given_up.count,
        .unexplained =
            options->no_remarks && !options->certificate && options->style != EDIT_ANNOTATE,
        .steps = options->steps,
        .estimates = options->estimates,
    };
    struct function function;
    struct callees callees = {.source = source};
    struct view_reader *functions = view_read(&stretch->view, reader, source, &stretch->arena);
    if (options->lint || options->estimates) view_keep_all(functions);
    if (options->lint) view_keep_unmentioned(functions);
    if (allowed.unexplained && !options->lint && !options->steps) view_leave_out_locs(functions);
    while (view_next(functions, &function)) {
        uint32_t end = function.span.end;
        if (!settled && !stretch->plans.count)
            stretch->assumptions = stretch_assume(options, &stretch->view);
        allowed.assumptions = stretch->assumptions;
        vec_push(&stretch->plans, (struct function_plan){.skipped = NULL});
        uint64_t start = clock_ns();
        struct function_plan *plan = &stretch->plans.at[stretch->plans.count - 1];
        struct missing_list missing = {0};
        struct arena graph = {0};
        struct cfg cfg;
        allowed.cfg = lint_function(stretch, options, &function, &missing, &cfg, &graph);
        allowed.missing = &missing;
        if (expand_function(&function, &callees, &missing, &stretch->arena)) allowed.cfg = NULL;
        heed_comments(stretch, source, reader);
        allowed.keeps = stretch->keeps;
        plan_build(plan, &stretch->view, &function, &allowed, &stretch->arena);
        arena_free(&graph);
        plan->missing = missing;
        stretch->analysis_ns += clock_ns() - start;
        note_progress(options, &noted, end);
    }
    note_progress(options, &noted, stretch->span.end);
    stretch->told = view_read_end(functions);
    callees_free(&callees);
    heed_comments(stretch, source, reader);
}

void stretch_free(struct stretch *stretch)
{
    for (uint32_t f = 0; f < stretch->plans.count; f++) plan_free(&stretch->plans.at[f]);
    vec_free(&stretch->plans);
    if (stretch->keeps) keeps_free(stretch->keeps);
    arena_free(&stretch->arena);
}

/* ---- several threads ---- */

enum {
    LEAST = 1 << 17,    /* fewest bytes for a thread */
    PARTS_A_THREAD = 4, /* so that a thread that is done early takes parts of others */
};

/* Returns the end of the first line after `from` that only has a "}"; NULL if there is none. */
static const char *function_end(struct str text, size_t from)
{
    const char *at = text.p + from, *end = text.p + text.n;
    while ((at = memmem(at, (size_t)(end - at), "\n}", 2))) {
        at += 2;
        if (at < end && *at == '\r') at++;
        if (at < end && *at == '\n') return at + 1;
    }
    return NULL;
}

/* Fills ends with the ends of at most count stretches of about equal length. Returns their
 * number. */
static uint32_t cut_text(struct str text, uint32_t count, uint32_t *ends)
{
    uint32_t n = 0;
    for (uint32_t i = 1; i < count; i++) {
        size_t from = text.n / count * i;
        if (n && from < ends[n - 1]) continue;
        const char *at = function_end(text, from);
        if (!at) break;
        ends[n++] = (uint32_t)(at - text.p);
    }
    if (!n || ends[n - 1] < text.n) ends[n++] = (uint32_t)text.n;
    return n;
}

/* Returns the assumptions by the statements before the first function. */
static uint32_t assume_by_head(const struct engine_options *options, const struct source *source)
{
    struct arena arena = {0};
    struct view view;
    struct reader *reader = reader_of_text(source->text, 0);
    view_read_head(&view, reader, source, &arena);
    reader_free(reader);
    arena_free(&arena);
    return stretch_assume(options, &view);
}

struct share_out {
    const struct engine_options *options;
    const struct source *source;
    const uint32_t *ends;
    struct stretch *stretches;
    uint32_t assumptions;
};

static void plan_one(void *context, uint32_t index)
{
    const struct share_out *all = context;
    struct span span = {index ? all->ends[index - 1] : 0, all->ends[index]};
    struct stretch stretch = {.assumptions = all->assumptions, .span = span};
    struct str text = {all->source->text.p, span.end};
    struct reader *reader = reader_of_text(text, span.start);
    stretch_plan(&stretch, all->options, all->source, reader, true);
    reader_free(reader);
    all->stretches[index] = stretch;
}

struct stretch *stretch_plan_all(const struct engine_options *options, const struct source *source,
                                 bool settled, uint32_t assumptions, uint32_t *count)
{
    uint32_t ends[TEAM_MOST_THREADS * PARTS_A_THREAD];
    size_t most = source->text.n / LEAST, wanted = (size_t)options->threads * PARTS_A_THREAD;
    *count = 0;
    if (options->threads < 2 || most < 2) return NULL;
    uint32_t cuts = cut_text(source->text, (uint32_t)(most < wanted ? most : wanted), ends);
    struct share_out all = {options, source, ends, NULL, assumptions};
    if (!settled) all.assumptions = assume_by_head(options, source);
    all.stretches = mem_zalloc(cuts, sizeof *all.stretches);
    if (team_run(options->threads, cuts, plan_one, &all)) {
        *count = cuts;
        return all.stretches;
    }
    mem_free(all.stretches);
    return NULL;
}
