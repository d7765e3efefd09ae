/* Builds the data that the codes share, runs each code within its share of the budget, and sorts
 * the hazards. */
#include "lint/run.h"

#include <stdlib.h>
#include <string.h>

#include "lint/arrays.h"
#include "lint/cluster_rank.h"
#include "lint/execution.h"
#include "lint/handover.h"
#include "lint/mbarriers.h"
#include "lint/path_condition.h"
#include "lint/readers.h"
#include "lint/relevance.h"
#include "lint/smem_place.h"
#include "lint/walk.h"
#include "value/barriers.h"
#include "value/condition_pairs.h"

static int compare_hazards(const void *a, const void *b)
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
    if (hazards->count) qsort(hazards->at, hazards->count, sizeof *hazards->at, compare_hazards);
    for (uint32_t i = 0; i < hazards->count; i++) {
        const struct hazard *last = kept ? &hazards->at[kept - 1] : NULL;
        if (last && last->at == hazards->at[i].at && last->code == hazards->at[i].code) continue;
        hazards->at[kept++] = hazards->at[i];
    }
    hazards->count = kept;
}

/* Subtracts the work of the previous code from the budget, and sets the share of the next one:
 * about three times what it would get if the rest were divided equally among the codes to come. */
static void begin_share(const struct lint *lint, uint32_t asked, uint32_t to_come)
{
    struct lint_effort *effort = lint->effort;
    if (!effort) return;
    if (effort->asked) effort->budget -= effort->given - effort_left(&effort->left);
    effort->asked = asked;
    effort->given = effort->again ? UINT64_MAX : effort->budget / (to_come + 2) * 3;
    effort->left = (struct effort){.left = effort->given};
}

static bool is_asked(const struct lint *lint, uint32_t code)
{
    const struct lint_effort *effort = lint->effort;
    return !effort || (code >= effort->first && !(effort->unasked & 1u << code));
}

void lint_begin(struct lint *lint)
{
    struct subject *subject = arena_alloc(lint->arena, 1, sizeof *subject);
    begin_share(lint, LINT_PREPARING, 2);
    *subject = (struct subject){.view = lint->view,
                                .function = lint->function,
                                .cfg = lint->cfg,
                                .arena = lint->arena,
                                .effort = lint->effort ? &lint->effort->left : NULL};
    subject_begin(subject);
    lint->subject = subject;
    lint->function = subject->function;
    lint->readers = readers_new(lint);
    values_build(subject);
    conditions_build(subject);
    condition_pairs_build(subject);
    barriers_build(subject);
    lint->arrays = arrays_build(lint);
    path_conditions_build(lint);
    lint->walks = walks_build(lint);
    lint->mbarriers = mbarriers_build(lint);
    lint->handovers = handovers_find(lint);
    lint->ranks = cluster_ranks_new(lint);
}

void lint_end(struct lint *lint)
{
    execution_free(lint->execution);
    if (lint->control) relevance_free(lint->control);
    smem_places_free(lint);
    cluster_ranks_free(lint->ranks);
    walks_free(lint->walks);
    path_conditions_free(lint->conditions);
    condition_pairs_free(lint->subject->condition_pairs);
    conditions_free(lint->subject->conditions);
    values_free(lint->subject->values);
}

void lint_run(struct lint *lint)
{
    for (uint32_t c = 0; c < LINT_CODE_COUNT; c++) {
        if (!is_asked(lint, c)) continue;
        begin_share(lint, 1u << c, LINT_CODE_COUNT - c);
        lint_code_at(c)->find(lint);
    }
    keep_gravest(&lint->hazards);
}
