/* Finds the set of edits that is within the limits. Ranges of a kernel's edits are tried, halved if
 * they exceed a limit, and then made as long as will most likely fit. See choose.h. */
#include "cli/choose.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/bug.h"
#include "base/mem.h"
#include "cli/timed.h"

enum state { OUT, TRIED, IN };

/* A candidate of the text. is_edit: the plan would remove it. */
struct site {
    const char *id;
    bool is_edit;
    enum state state;
    const char *function, *rule;
    uint32_t line;
    uint32_t live; /* estimate of the live registers if all edits are made; 0: none */
};

/* The edits [from, to) of a kernel. */
struct range {
    uint32_t from, to;
};

/* The result for a set of edits, which has a bit for each edit. */
struct trial {
    uint64_t *set;
    bool fits;
    struct measure_kernel figures;
    const char *why; /* if it does not fit: why */
};

/* A kernel and its edits. If some edit is in a function that several kernels share, a single struct
 * has all edits of the text, and each kernel must be within the limits. */
struct kernel {
    const char *name;           /* NULL: all kernels */
    struct VEC(uint32_t) edits; /* indices of sites, in the order of sites_compare */
    uint32_t settled, left_out; /* decided edits at the start, and how many of them are left out */
    uint32_t failing; /* the edits from settled up to this one do not fit together; 0: none are
                         known not to */
    struct VEC(struct trial) trials;
    struct range asked; /* the range that is being tried; empty: none */
};

struct search {
    struct choice *choice;
    const struct command *command;
    const char *name;
    struct str text;
    struct tool_clock *clock;
    struct arena *arena;
    struct VEC(struct site) sites;
    struct VEC(struct kernel) kernels;
    const char *problem; /* why nothing more can be tried */
};

static const char *choose_copy_text(struct search *search, const char *text)
{
    return arena_copy(search->arena, text, strlen(text));
}

/* ---- the edits to choose from ---- */

static struct kernel *choose_kernel_of(struct search *search, const char *name)
{
    for (uint32_t k = 0; k < search->kernels.count; k++)
        if (!name || strcmp(search->kernels.at[k].name, name) == 0) return &search->kernels.at[k];
    vec_push(&search->kernels, (struct kernel){.name = name});
    return &search->kernels.at[search->kernels.count - 1];
}

static bool is_entry(const struct search *search, const char *name)
{
    const struct measure_kernel *kernel = measure_find(&search->choice->figures.before, name);
    return kernel && kernel->is_entry;
}

/* Each edit is in an entry function, so it affects one kernel only. */
static bool kernels_are_apart(const struct search *search, const struct ptxopt_result *result)
{
    const struct ptxopt_finding *edit = NULL;
    while ((edit = ptxopt_result_next(result, PTXOPT_DELETED, edit)))
        if (!is_entry(search, edit->function)) return false;
    return true;
}

/* ptxas most likely makes the same of both edits. */
static bool sites_are_alike(const struct site *a, const struct site *b)
{
    return a->live && a->live == b->live && strcmp(a->rule, b->rule) == 0 &&
           strcmp(a->function, b->function) == 0;
}

/* Sorts edits by the estimate of live registers, lowest first, with edits that are alike next to
 * each other; without estimates, by place. */
static int sites_compare(const struct site *a, const struct site *b)
{
    int order = (a->live > b->live) - (a->live < b->live);
    if (!order && a->live) order = strcmp(a->function, b->function);
    if (!order && a->live) order = strcmp(a->rule, b->rule);
    return order ? order : (a > b) - (a < b);
}

static int edits_compare(const void *a, const void *b, void *sites)
{
    const struct site *all = sites;
    return sites_compare(&all[*(const uint32_t *)a], &all[*(const uint32_t *)b]);
}

static void collect_sites(struct search *search, const struct ptxopt_result *result)
{
    size_t count;
    const struct ptxopt_finding *findings = ptxopt_result_findings(result, &count);
    bool apart = kernels_are_apart(search, result);
    for (size_t i = 0; i < count; i++) {
        const struct ptxopt_finding *finding = &findings[i];
        bool is_edit = finding->kind == PTXOPT_DELETED;
        if (!is_edit && finding->kind != PTXOPT_KEPT) continue;
        vec_push(&search->sites,
                 (struct site){.id = choose_copy_text(search, finding->id),
                               .is_edit = is_edit,
                               .state = OUT,
                               .function = choose_copy_text(search, finding->function),
                               .rule = choose_copy_text(search, finding->code),
                               .line = finding->line,
                               .live = finding->live.after});
        if (!is_edit) continue;
        struct kernel *kernel =
            choose_kernel_of(search, apart ? choose_copy_text(search, finding->function) : NULL);
        vec_push(&kernel->edits, search->sites.count - 1);
    }
    for (uint32_t k = 0; k < search->kernels.count; k++) {
        struct kernel *kernel = &search->kernels.at[k];
        qsort_r(kernel->edits.at, kernel->edits.count, sizeof *kernel->edits.at, edits_compare,
                search->sites.at);
    }
}

/* ---- one set ---- */

/* The next range to try: half of a range that does not fit; otherwise a number of edits that fit
 * together in about half of all cases, at the rate at which edits were left out so far. */
static struct range range_to_try(const struct kernel *kernel)
{
    uint32_t settled = kernel->settled, rest = kernel->edits.count - settled, size = rest;
    if (kernel->failing > settled)
        size = (kernel->failing - settled + 1) / 2;
    else if (kernel->left_out)
        size = settled / (2 * kernel->left_out);
    size = size < 1 ? 1 : size < rest ? size : rest;
    return (struct range){settled, settled + size};
}

static void mark_edits(struct search *search, const struct kernel *kernel, struct range range,
                       enum state state)
{
    for (uint32_t e = range.from; e < range.to; e++)
        search->sites.at[kernel->edits.at[e]].state = state;
}

static uint64_t *set_of(const struct search *search, const struct kernel *kernel)
{
    uint64_t *set = arena_alloc(search->arena, kernel->edits.count / 64 + 1, sizeof *set);
    for (uint32_t e = 0; e < kernel->edits.count; e++)
        if (search->sites.at[kernel->edits.at[e]].state != OUT) set[e / 64] |= 1ull << e % 64;
    return set;
}

static const struct trial *find_trial(const struct kernel *kernel, const uint64_t *set)
{
    size_t bytes = (kernel->edits.count / 64 + 1) * sizeof *set;
    for (uint32_t t = 0; t < kernel->trials.count; t++)
        if (memcmp(kernel->trials.at[t].set, set, bytes) == 0) return &kernel->trials.at[t];
    return NULL;
}

/* The figures of the kernel with the edits that are chosen so far. */
static struct measure_kernel chosen_figures(const struct search *search,
                                            const struct kernel *kernel)
{
    const struct measure_kernel *known =
        kernel->name ? measure_find(&search->choice->figures.after, kernel->name) : NULL;
    return known ? *known : (struct measure_kernel){.name = NULL};
}

static struct choice_edit *edit_of(struct search *search, const char *id)
{
    vec_push(&search->choice->edits, (struct choice_edit){.id = id, .why = ""});
    return &search->choice->edits.at[search->choice->edits.count - 1];
}

/* Leaves out the edits that are like one that does not fit: they most likely do not fit either. */
static void leave_out_alike(struct search *search, struct kernel *kernel, const char *why)
{
    const struct site *tried = &search->sites.at[kernel->edits.at[kernel->settled - 1]];
    for (; kernel->settled < kernel->edits.count; kernel->settled++, kernel->left_out++) {
        const struct site *site = &search->sites.at[kernel->edits.at[kernel->settled]];
        if (!sites_are_alike(tried, site)) return;
        edit_of(search, site->id)->why = arena_printf(
            search->arena, "with one like it (PTX line %" PRIu32 ") %s", tried->line, why);
    }
}

/* Decides about the range by the result of its trial. */
static void settle_range(struct search *search, struct kernel *kernel, const struct trial *trial)
{
    struct range range = kernel->asked;
    kernel->asked = (struct range){0, 0};
    bool single = range.to - range.from == 1;
    mark_edits(search, kernel, range, trial->fits ? IN : OUT);
    if (trial->fits || single) kernel->settled = range.to;
    if (!trial->fits) kernel->failing = single ? 0 : range.to;
    if (single) {
        struct choice_edit *edit =
            edit_of(search, search->sites.at[kernel->edits.at[range.from]].id);
        if (trial->figures.is_entry)
            edit->cost =
                (struct measure_cost){edit->id, chosen_figures(search, kernel), trial->figures};
        if (!trial->fits) edit->why = trial->why;
        kernel->left_out += !trial->fits;
        if (!trial->fits) leave_out_alike(search, kernel, trial->why);
    }
}

/* Decides ranges with known results until one must be tried. False if all edits are decided. */
static bool next_range(struct search *search, struct kernel *kernel)
{
    while (kernel->settled < kernel->edits.count) {
        kernel->asked = range_to_try(kernel);
        mark_edits(search, kernel, kernel->asked, TRIED);
        const struct trial *known = find_trial(kernel, set_of(search, kernel));
        if (!known) return true;
        settle_range(search, kernel, known);
    }
    return false;
}

/* ---- runs of ptxas ---- */

/* The text with all edits that are not OUT. all: with remarks and estimates for all edits. NULL:
 * there is none, and search->problem is set. */
static struct ptxopt_result *make_text(struct search *search, bool all)
{
    struct timed timed;
    timed_begin(&timed, search->command->options, search->command->timeout_ms);
    ptxopt_options_set_remarks(timed.options, all);
    ptxopt_options_set_steps(timed.options, false);
    ptxopt_options_set_estimates(timed.options, all);
    ptxopt_options_set_certificate(timed.options, false);
    for (uint32_t i = 0; i < search->sites.count; i++)
        if (search->sites.at[i].state == OUT)
            BUG_UNLESS(ptxopt_options_give_up(timed.options, search->sites.at[i].id, ""));
    struct ptxopt_result *result =
        ptxopt_run(timed.options, search->name, search->text.p, search->text.n);
    timed_end(&timed);
    if (ptxopt_result_status(result) == PTXOPT_NO_MEMORY) mem_exhausted();
    if (ptxopt_result_status(result) == PTXOPT_OK) return result;
    search->problem = choose_copy_text(search, ptxopt_result_message(result));
    ptxopt_result_free(result);
    return NULL;
}

/* Appends the names of the kernels that are tried; nothing if these are all kernels. */
static void add_entries(const struct search *search, struct buf *entries)
{
    uint32_t asked = 0, all = 0;
    const struct measure *before = &search->choice->figures.before;
    for (uint32_t i = 0; i < before->count; i++) all += before->at[i].is_entry;
    for (uint32_t k = 0; k < search->kernels.count; k++)
        asked += search->kernels.at[k].asked.to && search->kernels.at[k].name;
    for (uint32_t k = 0; asked < all && k < search->kernels.count; k++) {
        const struct kernel *kernel = &search->kernels.at[k];
        if (kernel->asked.to && kernel->name)
            buf_printf(entries, "%s%s", entries->len ? "," : "", kernel->name);
    }
}

static void measure_text(struct search *search, struct str text, struct measure *figures)
{
    struct buf entries = {0};
    add_entries(search, &entries);
    char *names = buf_take(&entries);
    struct compiled compiled = {.text = text,
                                .ptxas = search->command->ptxas,
                                .entries = *names ? names : NULL,
                                .clock = search->clock};
    char *problem = measure_read(figures, &compiled);
    if (problem) search->problem = choose_copy_text(search, problem);
    mem_free(problem);
    mem_free(names);
    compiled_free(&compiled);
}

/* Checks that all kernels that the edits may change are within the limits. */
static struct trial judge_trial(struct search *search, const struct kernel *kernel,
                                const struct measure *figures)
{
    struct trial trial = {.set = set_of(search, kernel), .fits = true, .why = ""};
    const struct measure *before = &search->choice->figures.before;
    for (uint32_t i = 0; trial.fits && i < before->count; i++) {
        if (!before->at[i].is_entry) continue;
        if (kernel->name && strcmp(kernel->name, before->at[i].name) != 0) continue;
        const struct measure_kernel *now = measure_find(figures, before->at[i].name);
        struct buf why = {0};
        if (!now)
            buf_puts(&why, "ptxas gives no figures for the kernel");
        else
            limits_allow(&search->command->limits, &before->at[i], now, &why);
        trial.fits = !why.len;
        buf_putc(&why, '\0');
        trial.why = choose_copy_text(search, why.data);
        if (now && kernel->name) trial.figures = *now;
        trial.figures.name = NULL;
        buf_free(&why);
    }
    return trial;
}

/* Stores the figures for the edits that are now chosen. */
static void take_figures(struct search *search, const struct kernel *kernel,
                         const struct measure *figures)
{
    struct measure *after = &search->choice->figures.after;
    for (uint32_t i = 0; i < after->count; i++) {
        char *name = after->at[i].name;
        const struct measure_kernel *now = measure_find(figures, name);
        if (!now || (kernel->name && strcmp(kernel->name, name) != 0)) continue;
        after->at[i] = *now;
        after->at[i].name = name;
    }
}

/* Runs ptxas once, on one set of each kernel that is not decided. False if there is none. */
static bool ask_ptxas(struct search *search)
{
    bool any = false;
    for (uint32_t k = 0; k < search->kernels.count; k++)
        any |= next_range(search, &search->kernels.at[k]);
    struct measure figures = {0};
    struct ptxopt_result *result = any ? make_text(search, false) : NULL;
    if (result) {
        struct str text;
        text.p = ptxopt_result_text(result, &text.n);
        measure_text(search, text, &figures);
    }
    ptxopt_result_free(result);
    for (uint32_t k = 0; !search->problem && k < search->kernels.count; k++) {
        struct kernel *kernel = &search->kernels.at[k];
        if (!kernel->asked.to) continue;
        struct trial trial = judge_trial(search, kernel, &figures);
        vec_push(&kernel->trials, trial);
        settle_range(search, kernel, &trial);
        if (trial.fits) take_figures(search, kernel, &figures);
    }
    measure_free(&figures);
    return any && !search->problem;
}

/* ---- interface ---- */

/* The entry for the edit or candidate with that id; NULL: none. */
static const struct choice_edit *choose_find(const struct choice *choice, const char *id)
{
    for (uint32_t i = 0; i < choice->edits.count; i++)
        if (strcmp(choice->edits.at[i].id, id) == 0) return &choice->edits.at[i];
    return NULL;
}

/* Lists the edits that were not chosen, and why. */
static void list_rest(struct search *search)
{
    const char *unknown = "";
    bool left_out = false;
    if (search->problem)
        unknown = arena_printf(search->arena, "its cost is unknown: %s", search->problem);
    for (uint32_t i = 0; i < search->sites.count; i++)
        left_out |= search->sites.at[i].is_edit && search->sites.at[i].state != IN;
    for (uint32_t i = 0; left_out && i < search->sites.count; i++) {
        struct site *site = &search->sites.at[i];
        if (site->state == TRIED) site->state = OUT;
        if (site->state == IN || choose_find(search->choice, site->id)) continue;
        edit_of(search, site->id)->why =
            site->is_edit ? unknown : "its removal would replace one that is kept for its cost";
        search->choice->untried += site->is_edit;
    }
}

static void choose_search_edits(struct search *search)
{
    struct choice *choice = search->choice;
    struct ptxopt_result *result = make_text(search, true);
    if (!result || !ptxopt_result_changed(result)) {
        ptxopt_result_free(result); /* the final run will have the same result */
        return;
    }
    choice->made = true;
    choice->before = (struct compiled){
        .text = search->text, .ptxas = search->command->ptxas, .clock = search->clock};
    measure_pair_read(&choice->figures, &choice->before, NULL);
    if (choice->figures.problem)
        search->problem = choose_copy_text(search, choice->figures.problem);
    collect_sites(search, result);
    ptxopt_result_free(result);
    while (!search->problem && ask_ptxas(search)) continue;
    list_rest(search);
    choice->problem = search->problem;
}

void choose_edits(struct choice *choice, const struct command *command, const char *name,
                  const struct buf *input, struct tool_clock *clock)
{
    struct search search = {.choice = choice,
                            .command = command,
                            .name = name,
                            .text = {input->len ? input->data : "", input->len},
                            .clock = clock,
                            .arena = &choice->arena};
    choose_search_edits(&search);
    for (uint32_t k = 0; k < search.kernels.count; k++) {
        vec_free(&search.kernels.at[k].edits);
        vec_free(&search.kernels.at[k].trials);
    }
    vec_free(&search.kernels);
    vec_free(&search.sites);
}

void choose_apply(const struct choice *choice, struct ptxopt_options *options)
{
    for (uint32_t i = 0; i < choice->edits.count; i++)
        if (*choice->edits.at[i].why)
            BUG_UNLESS(
                ptxopt_options_give_up(options, choice->edits.at[i].id, choice->edits.at[i].why));
}

void choose_free(struct choice *choice)
{
    compiled_free(&choice->before);
    measure_pair_free(&choice->figures);
    vec_free(&choice->edits);
    arena_free(&choice->arena);
}
