/* Which codes are there, and what do they say of one function? */
#include "lint/lint.h"

#include <stdlib.h>

#include "lint/barriers.h"
#include "lint/conditions.h"
#include "lint/handover.h"
#include "lint/instruction.h"
#include "lint/values.h"
#include "lint/walk.h"

#define ADDRESS(name) &lint_##name,
static const struct lint_code *const codes[] = {LINT_CODES(ADDRESS)};
#undef ADDRESS

const struct lint_code *lint_code_at(uint32_t index)
{
    return codes[index];
}

void lint_report(struct lint *lint, struct hazard hazard)
{
    vec_push(&lint->hazards, hazard);
}

static int by_place(const void *a, const void *b)
{
    const struct hazard *x = a, *y = b;
    if (x->at != y->at) return x->at < y->at ? -1 : 1;
    int id = strcmp(x->code->id, y->code->id);
    if (id) return id;
    if (x->level != y->level) return x->level < y->level ? -1 : 1;
    return x->witness < y->witness ? -1 : x->witness > y->witness;
}

static void keep_gravest(struct hazard_list *hazards)
{
    uint32_t kept = 0;
    if (hazards->count) qsort(hazards->at, hazards->count, sizeof *hazards->at, by_place);
    for (uint32_t i = 0; i < hazards->count; i++) {
        const struct hazard *last = kept ? &hazards->at[kept - 1] : NULL;
        if (last && last->at == hazards->at[i].at && last->code == hazards->at[i].code) continue;
        hazards->at[kept++] = hazards->at[i];
    }
    hazards->count = kept;
}

/* ---- how long ---- */

_Noreturn void lint_give_up(const struct lint *lint)
{
    lint->effort->unasked |= lint->effort->asked;
    work_leave(WORK_OVER_LIMIT);
}

/* False when it has gone over its share before. */
static bool begin(const struct lint *lint, uint32_t asked)
{
    struct lint_effort *effort = lint->effort;
    if (!effort) return true;
    effort->asked = asked;
    effort->left = effort->share;
    return !(effort->unasked & asked);
}

/* ---- the whole ---- */

void lint_begin(struct lint *lint)
{
    (void)begin(lint, LINT_PREPARING);
    lint->opcodes = instruction_opcodes(lint);
    lint->values = values_build(lint);
    lint->conditions = conditions_build(lint);
    lint->walks = walks_build(lint);
    lint->barriers = barriers_find(lint);
    lint->handovers = handovers_find(lint);
}

void lint_end(struct lint *lint)
{
    conditions_free(lint->conditions);
    values_free(lint->values);
}

void lint_run(struct lint *lint)
{
    for (uint32_t c = 0; c < LINT_CODE_COUNT; c++)
        if (begin(lint, 1u << c)) codes[c]->find(lint);
    keep_gravest(&lint->hazards);
}
