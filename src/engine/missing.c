/* What does lint say of a function? Asks the codes, and takes what they say out of the view. */
#include "engine/missing.h"

#include "engine/id.h"
#include "engine/inlined.h"
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

static const struct plan_step *path_of(const struct detaching *to, const struct hazard *hazard)
{
    const struct function *function = to->lint->function;
    struct plan_step *steps = arena_alloc(to->arena, hazard->path_count + 1, sizeof *steps);
    for (uint32_t i = 0; i < hazard->path_count; i++)
        steps[i] = (struct plan_step){function->instrs[hazard->path[i]].span.start, "goes by"};
    if (hazard->path_count) {
        steps[0].part = "begins here";
        steps[hazard->path_count - 1].part = "ends here";
    }
    return steps;
}

static struct missing detach(struct detaching *to, const struct hazard *hazard, uint64_t id)
{
    const struct function *function = to->lint->function;
    struct missing missing = {.code = hazard->code,
                              .level = hazard->level,
                              .id = id,
                              .place = place_of(function, hazard->at),
                              .witness = place_of(function, hazard->witness),
                              .has_witness = hazard->witness != NO_INSTR,
                              .says = keep(to, hazard->says),
                              .fix = keep(to, hazard->fix),
                              .path = path_of(to, hazard),
                              .path_count = hazard->path_count};
    missing.inlined = inlined_places(&to->index, function, hazard->at, to->scratch, to->arena,
                                     &missing.inlined_count);
    return missing;
}

/* The ids of the instructions that are named. */
static const uint64_t *ids_of(const struct lint *lint, struct arena *scratch)
{
    struct VEC(uint32_t) named = {0};
    for (uint32_t i = 0; i < lint->hazards.count; i++) vec_push(&named, lint->hazards.at[i].at);
    const uint64_t *ids = id_build(lint->view, lint->function, named.at, named.count, scratch);
    vec_free(&named);
    return ids;
}

void missing_find(struct missing_list *list, const struct view *view,
                  const struct function *function, uint32_t assumptions, struct arena *arena)
{
    struct arena scratch = {0};
    struct cfg cfg;
    uint32_t at = 0;
    if (!cfg_build(&cfg, function, view->source, &scratch, &at)) {
        struct lint lint = {.view = view,
                            .function = function,
                            .cfg = &cfg,
                            .arena = &scratch,
                            .pairs_of_9_4 = assumptions & ASSUME_ISA_9_4_PAIRS};
        lint_begin(&lint);
        lint_run(&lint);
        lint_end(&lint);
        const uint64_t *ids = ids_of(&lint, &scratch);
        struct detaching to = {.lint = &lint, .scratch = &scratch, .arena = arena};
        for (uint32_t i = 0; i < lint.hazards.count; i++)
            vec_push(list, detach(&to, &lint.hazards.at[i], ids[i]));
        inlined_free(&to.index);
        vec_free(&lint.hazards);
    }
    arena_free(&scratch);
}
