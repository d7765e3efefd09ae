/* What does lint say of a function? Asks the codes, and takes what they say out of the view. */
#include "engine/missing.h"

#include "engine/id.h"
#include "engine/inlined.h"
#include "lint/run.h"
#include "order/assume.h"

/* What hazards share. */
struct detaching {
    const struct lint *lint;
    struct inlined_index index;
    struct arena *scratch, *arena;
};

static const char *keep(const struct detaching *to, const char *text)
{
    return arena_copy(to->arena, text, strlen(text));
}

static struct plan_step step_at(struct detaching *to, uint32_t instr, const char *part)
{
    const struct function *function = to->lint->function;
    uint32_t count;
    const struct loc_place *places =
        inlined_places(&to->index, function, instr, to->scratch, to->scratch, &count);
    struct loc_place call_site = count ? places[count - 1] : (struct loc_place){.line = 0};
    return (struct plan_step){
        .at = function->instrs[instr].span.start, .part = part, .origin = call_site};
}

/* The path or, where the code tells none, the instructions that are named. */
static struct plan_step *path_of(struct detaching *to, const struct hazard *hazard, uint32_t *count)
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

static struct missing detach(struct detaching *to, const struct hazard *hazard, uint64_t id)
{
    const struct function *function = to->lint->function;
    struct missing missing = {.code = hazard->code,
                              .level = hazard->level,
                              .id = id,
                              .instr = hazard->at,
                              .witness_instr = hazard->witness,
                              .place = place_of(function, hazard->at),
                              .witness = place_of(function, hazard->witness),
                              .says = keep(to, hazard->says),
                              .fix = keep(to, hazard->fix),
                              .words = {hazard->code->section, hazard->code->sentence}};
    if (hazard->words) missing.words = *hazard->words;
    missing.path = path_of(to, hazard, &missing.path_count);
    missing.inlined = inlined_places(&to->index, function, hazard->at, to->scratch, to->arena,
                                     &missing.inlined_count);
    return missing;
}

/* By code and instruction; each by itself, so that none changes with what else is found. Those that
 * look the same are numbered. */
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

/* One function, looked at as a work of its own. */
struct looking {
    struct lint lint;
    struct lint_effort effort;
    bool examined;
    struct cfg cfg;
    struct arena scratch;
};

static void look(void *context)
{
    struct looking *looking = context;
    struct lint *lint = &looking->lint;
    uint32_t at;
    if (cfg_build(&looking->cfg, lint->function, lint->view->source, &looking->scratch, &at))
        return;
    lint->cfg = &looking->cfg;
    lint_begin(lint);
    lint_run(lint);
    looking->examined = true;
    lint_end(lint);
}

/* What the codes say; without one that goes over its share it is asked again, as what all of them
 * go by is half grown then. */
static void look_within_shares(struct looking *looking, const struct lint *lint)
{
    struct work_outcome outcome;
    uint32_t unasked;
    do {
        unasked = looking->effort.unasked;
        looking->scratch = (struct arena){0};
        looking->lint = *lint;
        looking->lint.arena = &looking->scratch;
        looking->lint.effort = &looking->effort;
        if (unasked & LINT_PREPARING) return;
        outcome = work_run(NULL, look, looking);
        if (looking->effort.left.over) looking->effort.unasked |= looking->effort.asked;
    } while (looking->effort.unasked != unasked);
    if (outcome.end == WORK_BUG) work_bug(outcome.bug, outcome.file, outcome.line);
    if (outcome.end != WORK_DONE) work_leave(outcome.end);
}

void missing_find(struct missing_list *list, const struct view *view,
                  const struct function *function, const struct missing_options *options,
                  struct arena *arena)
{
    struct looking looking = {.effort = {.share = options->share ? options->share : LINT_SHARE}};
    struct lint lint = {.view = view,
                        .function = function,
                        .pairs_of_9_4 = options->assumptions & ASSUME_ISA_9_4_PAIRS};
    look_within_shares(&looking, &lint);
    const struct hazard_list *hazards = &looking.lint.hazards;
    const uint64_t *ids = ids_of(&looking.lint, &looking.scratch);
    struct detaching to = {.lint = &looking.lint, .scratch = &looking.scratch, .arena = arena};
    for (uint32_t i = 0; i < hazards->count; i++)
        vec_push(list, detach(&to, &hazards->at[i], ids[i]));
    inlined_free(&to.index);
    vec_free(&looking.lint.hazards);
    arena_free(&looking.scratch);
    list->unasked = looking.effort.unasked;
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
