/* Runs lint over a function, and copies the hazards so that they outlive the view. */
#include "engine/missing.h"

#include "engine/id.h"
#include "engine/inlined.h"
#include "lint/cure.h"
#include "lint/run.h"
#include "order/assume.h"

/* Arguments that are equal for all hazards of a function. */
struct detaching {
    const struct lint *lint;
    struct inlined_index index;
    struct arena *scratch, *arena;
    bool cures;
};

static const char *copy_detached_text(const struct detaching *to, const char *text)
{
    return arena_copy(to->arena, text, strlen(text));
}

static struct plan_step step_at(struct detaching *to, uint32_t instr, const char *part)
{
    const struct function *function = to->lint->function;
    struct loc_place call_site = inlined_call_site(&to->index, function, instr, to->scratch);
    return (struct plan_step){
        .at = function->instrs[instr].span.start, .part = part, .origin = call_site};
}

/* Returns the steps of the path; if the code gives no path, those of the instructions that the
 * hazard names. */
static struct plan_step *hazard_steps(struct detaching *to, const struct hazard *hazard,
                                      uint32_t *count)
{
    uint32_t named[] = {hazard->at, hazard->witness};
    uint32_t named_count = hazard->witness == NO_INSTR ? 1 : 2;
    const uint32_t *path = hazard->path_count ? hazard->path : named;
    *count = hazard->path_count ? hazard->path_count : named_count;
    struct plan_step *steps = arena_alloc(to->arena, *count, sizeof *steps);
    for (uint32_t i = 0; i < *count; i++) steps[i] = step_at(to, path[i], "");
    if (!hazard->path_count) return steps;
    steps[0].part = "begins here";
    steps[*count - 1].part = "ends here";
    return steps;
}

static bool is_on_line(const struct source *source, struct span a, struct span b)
{
    uint32_t from = a.end < b.end ? a.end : b.end;
    uint32_t to = a.start > b.start ? a.start : b.start;
    return to < from || !memchr(source->text.p + from, '\n', to - from);
}

/* Returns the instruction beside which the line is inserted: instructions on the same line that
 * only work on registers are skipped. */
static uint32_t neighbour_of(const struct lint *lint, const struct cure *cure)
{
    const struct instr *instrs = lint->function->instrs;
    const struct block *block = &lint->cfg->blocks[lint->cfg->block_of[cure->instr]];
    uint32_t at = cure->instr;
    if (cure->guarded && instrs[at].guard != REG_NONE) return at;
    for (;;) {
        if (cure->behind ? at + 1 == block->end : at == block->first) return at;
        uint32_t next = cure->behind ? at + 1 : at - 1;
        if (instrs[next].opcode->effect != EFFECT_REGISTER ||
            instrs[next].scope != instrs[at].scope ||
            !is_on_line(lint->view->source, instrs[at].span, instrs[next].span))
            return at;
        at = next;
    }
}

static bool make_line(const struct detaching *to, const struct cure *cure, struct insert *line)
{
    uint32_t at = neighbour_of(to->lint, cure);
    const struct instr *neighbour = &to->lint->function->instrs[at];
    return insert_line(line, to->lint->view->source, neighbour->span, cure->behind,
                       cure->guarded && at == cure->instr, neighbour->scope != 0, cure->text,
                       to->arena);
}

/* Fills the cures that can be inserted as a line of their own. */
static void find_cures(const struct detaching *to, const struct hazard *hazard,
                       struct missing *missing)
{
    struct cure cures[CURES_MAX];
    uint32_t count = cures_find(to->lint, hazard, cures);
    struct insert *lines = arena_alloc(to->arena, CURES_MAX, sizeof *lines);
    for (uint32_t i = 0; i < count; i++)
        missing->cure_count += make_line(to, &cures[i], &lines[missing->cure_count]);
    missing->cures = lines;
    if (!missing->cure_count)
        missing->incurable = count ? "other instructions are on the line of the insertion"
                                   : "the fix is not one instruction at one place";
}

static struct missing detach_hazard(struct detaching *to, const struct hazard *hazard, uint64_t id)
{
    const struct function *function = to->lint->function;
    struct missing missing = {.code = hazard->code,
                              .level = hazard->level,
                              .id = id,
                              .instr = hazard->at,
                              .witness_instr = hazard->witness,
                              .place = plan_place_of(function, hazard->at),
                              .witness = plan_place_of(function, hazard->witness),
                              .says = copy_detached_text(to, hazard->says),
                              .fix = copy_detached_text(to, hazard->fix),
                              .words = {hazard->code->section, hazard->code->sentence}};
    if (hazard->words) missing.words = *hazard->words;
    missing.path = hazard_steps(to, hazard, &missing.path_count);
    missing.inlined = inlined_places(&to->index, function, hazard->at, to->scratch, to->arena,
                                     &missing.inlined_count);
    if (to->cures) find_cures(to, hazard, &missing);
    return missing;
}

/* Returns the ids of the hazards. An id depends only on its code and instruction, so that it does
 * not change with other hazards; hazards of equal code and instruction are numbered. */
static const uint64_t *ids_of(const struct lint *lint, struct arena *scratch)
{
    uint32_t count = lint->hazards.count;
    uint64_t *ids = arena_alloc(scratch, count, sizeof *ids);
    uint32_t *met = arena_alloc(scratch, count, sizeof *met);
    struct intern seen = {0};
    for (uint32_t i = 0; i < count; i++) {
        const struct hazard *hazard = &lint->hazards.at[i];
        uint64_t place = *id_build(lint->view, lint->function, &hazard->at, 1, scratch);
        ids[i] = id_of_word(place, hazard->code->id, 0);
        uint32_t rank = met[intern_add(&seen, 0, (struct str){(const char *)&ids[i], 8})]++;
        if (rank) ids[i] = id_of_word(place, hazard->code->id, rank);
    }
    intern_free(&seen);
    return ids;
}

/* The state of lint for one function, which runs as a separate work. */
struct looking {
    struct lint lint;
    struct lint_effort effort;
    bool examined;
    struct arena scratch;
};

static void look_for_hazards(void *context)
{
    struct looking *looking = context;
    struct lint *lint = &looking->lint;
    lint_begin(lint);
    lint_run(lint);
    looking->examined = true;
    lint_end(lint);
}

/* Runs the codes from effort.first on. Returns false if a code exceeds its part of the budget. */
static bool look_once(struct looking *looking, const struct lint *lint)
{
    struct lint_effort *effort = &looking->effort;
    looking->scratch = (struct arena){0};
    looking->lint = *lint;
    looking->lint.arena = &looking->scratch;
    looking->lint.effort = effort;
    effort->asked = 0;
    struct work_outcome outcome = work_run(NULL, look_for_hazards, looking);
    if (outcome.end == WORK_BUG) work_bug(outcome.bug, outcome.file, outcome.line);
    if (outcome.end != WORK_DONE && !effort->left.over) work_leave(outcome.end);
    return outcome.end == WORK_DONE;
}

/* Continues after the code that exceeded its part: with the codes after it, or with none if
 * preparing alone exceeds the budget. */
static void go_on_behind(struct lint_effort *effort)
{
    effort->budget -= effort->given - effort_left(&effort->left);
    effort->unasked |= effort->asked;
    if (effort->asked == LINT_PREPARING)
        effort->unasked |= LINT_PREPARING - (1u << effort->first);
    else
        effort->first = (uint32_t)__builtin_ctz(effort->asked) + 1;
}

/* Runs all codes within the budget. If a code exceeds its part, the data of the work are lost. They
 * are built again for the codes after it, and finally for all codes that stay within their part. */
static void look_within_budget(struct looking *looking, const struct lint *lint)
{
    struct lint_effort *effort = &looking->effort;
    bool over = false, done;
    while (!(done = look_once(looking, lint))) {
        over = true;
        go_on_behind(effort);
        if (effort->asked == LINT_PREPARING || effort->first == LINT_CODE_COUNT) break;
    }
    if (!over) return;
    if (done) { /* the final run includes the codes before it */
        vec_free(&looking->lint.hazards);
        arena_free(&looking->scratch);
    }
    looking->lint = *lint;
    looking->scratch = (struct arena){0};
    if (!effort->first) {
        effort->unasked = LINT_PREPARING;
        return;
    }
    effort->unasked &= ~LINT_PREPARING;
    effort->first = 0;
    effort->again = true;
    (void)look_once(looking, lint);
}

/* Returns the budget of a function: its share, by bytes, of the budget of the text. */
static uint64_t budget_of(const struct view *view, const struct function *function)
{
    uint64_t bytes = function->span.end - function->span.start, all = view->source->text.n + 1;
    return bytes * LINT_UNITS_A_BYTE + LINT_UNITS_A_TEXT * bytes / all;
}

void missing_find(struct missing_list *list, const struct view *view, const struct cfg *cfg,
                  const struct missing_options *options, struct arena *arena)
{
    const struct function *function = cfg->function;
    struct looking looking = {
        .effort = {.budget = options->budget ? options->budget : budget_of(view, function)}};
    struct lint lint = {.view = view,
                        .function = function,
                        .cfg = cfg,
                        .pairs_of_9_4 = options->assumptions & ASSUME_ISA_9_4_PAIRS};
    look_within_budget(&looking, &lint);
    const struct hazard_list *hazards = &looking.lint.hazards;
    const uint64_t *ids = ids_of(&looking.lint, &looking.scratch);
    struct detaching to = {.lint = &looking.lint,
                           .scratch = &looking.scratch,
                           .arena = arena,
                           .cures = options->cures};
    for (uint32_t i = 0; i < hazards->count; i++)
        vec_push(list, detach_hazard(&to, &hazards->at[i], ids[i]));
    inlined_free(&to.index);
    vec_free(&looking.lint.hazards);
    arena_free(&looking.scratch);
    list->unasked = looking.effort.unasked;
    list->partly = looking.effort.partly & ~looking.effort.unasked;
    list->cut = looking.effort.cut & ~(looking.effort.unasked | looking.effort.partly);
    list->examined = looking.examined;
}

const bool *missing_named(const struct missing_list *list, const struct function *function,
                          struct arena *arena)
{
    bool *named = list && list->count ? arena_alloc(arena, function->count, sizeof *named) : NULL;
    for (uint32_t i = 0; named && i < list->count; i++) {
        const struct missing *m = &list->at[i];
        if (m->level == LINT_NOTE) continue;
        named[m->instr] = true;
        if (m->witness_instr != NO_INSTR) named[m->witness_instr] = true;
    }
    return named;
}
