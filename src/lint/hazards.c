/* Keeps the hazards of a function, and lists of those that name one instruction. See lint.h. */
#include "lint/lint.h"

/* A hazard in a list. */
struct hazard_name {
    const struct lint_code *code;
    const struct hazard_name *next;
};

/* By instruction: the hazards at it, and those with it as witness. In the arena. */
struct hazard_names {
    const struct hazard_name **at, **witness;
};

static void hazards_add_name(struct lint *lint, const struct hazard_name **list,
                             const struct lint_code *code)
{
    struct hazard_name *name = arena_room(lint->arena, 1, sizeof *name);
    *name = (struct hazard_name){code, *list};
    *list = name;
}

static bool has_name(const struct hazard_name *name, const struct lint_code *code)
{
    while (name && name->code != code) name = name->next;
    return name;
}

void lint_report(struct lint *lint, struct hazard hazard)
{
    if (!lint->names) {
        uint32_t count = lint->function->count;
        lint->names = arena_room(lint->arena, 1, sizeof *lint->names);
        lint->names->at = arena_alloc(lint->arena, count, sizeof *lint->names->at);
        lint->names->witness = arena_alloc(lint->arena, count, sizeof *lint->names->witness);
    }
    hazards_add_name(lint, &lint->names->at[hazard.at], hazard.code);
    if (hazard.witness != NO_INSTR)
        hazards_add_name(lint, &lint->names->witness[hazard.witness], hazard.code);
    vec_push(&lint->hazards, hazard);
}

bool lint_has_reported(const struct lint *lint, const struct lint_code *code, uint32_t at)
{
    return lint->names && has_name(lint->names->at[at], code);
}

bool lint_has_named(const struct lint *lint, const struct lint_code *code, uint32_t instr)
{
    return lint_has_reported(lint, code, instr) ||
           (lint->names && has_name(lint->names->witness[instr], code));
}
