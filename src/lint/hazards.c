/* Keeps the hazards of a function, and lists of those that name one instruction. See lint.h. */
#include "lint/lint.h"

/* A hazard in a list. */
struct hazard_name {
    const struct lint_code *code;
    const struct hazard_name *next;
    bool witness; /* it has the instruction as witness; otherwise it is at the instruction */
};

/* By instruction: the hazards that name it, one of each code and side. In the arena. */
struct hazard_names {
    const struct hazard_name **of;
};

static void hazards_add_name(struct lint *lint, uint32_t instr, const struct lint_code *code,
                             bool witness)
{
    const struct hazard_name **list = &lint->names->of[instr];
    for (const struct hazard_name *n = *list; n; n = n->next)
        if (n->code == code && n->witness == witness) return;
    struct hazard_name *name = arena_room(lint->arena, 1, sizeof *name);
    *name = (struct hazard_name){code, *list, witness};
    *list = name;
}

/* witness: a hazard with the instruction as witness counts, too. */
static bool has_name(const struct lint *lint, uint32_t instr, const struct lint_code *code,
                     bool witness)
{
    const struct hazard_name *name = lint->names ? lint->names->of[instr] : NULL;
    while (name && (name->code != code || (name->witness && !witness))) name = name->next;
    return name;
}

void lint_report(struct lint *lint, struct hazard hazard)
{
    if (!lint->names) {
        uint32_t count = lint->function->count;
        lint->names = arena_room(lint->arena, 1, sizeof *lint->names);
        lint->names->of = arena_alloc(lint->arena, count, sizeof *lint->names->of);
    }
    hazards_add_name(lint, hazard.at, hazard.code, false);
    if (hazard.witness != NO_INSTR) hazards_add_name(lint, hazard.witness, hazard.code, true);
    vec_push(&lint->hazards, hazard);
}

bool lint_has_reported(const struct lint *lint, const struct lint_code *code, uint32_t at)
{
    return has_name(lint, at, code, false);
}

bool lint_has_named(const struct lint *lint, const struct lint_code *code, uint32_t instr)
{
    return has_name(lint, instr, code, true);
}
