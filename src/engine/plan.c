/* What may go from one function? See plan.h. */
#include "engine/plan.h"

#include <stdlib.h>

#include "engine/id.h"

struct planner {
    struct function_plan *plan;
    struct facts facts;
    const struct plan_options *options;
    struct VEC(uint32_t) sites;
    uint64_t *ids; /* of the sites */
};

static struct verdict ask(const struct planner *planner, const struct rule *rule, uint32_t site)
{
    const struct facts *facts = &planner->facts;
    struct verdict verdict = {REASON_NONE, NO_WITNESS, 0};
    if (!facts->cfg->blocks[facts->cfg->block_of[site]].reachable)
        verdict.reason = REASON_UNREACHABLE;
    else if (!facts_always(facts, site) && !rule->handles_guard)
        verdict.reason = REASON_GUARDED;
    else
        rule->match(facts, site, &verdict);
    return verdict;
}

static bool applies(const struct planner *planner, uint32_t index, uint32_t site)
{
    uint32_t candidate = rule_candidate(facts_instr(&planner->facts, site));
    return planner->options->rules & 1u << index && rule_at(index)->candidates & candidate;
}

static bool lists(const uint64_t *ids, uint32_t count, uint64_t id)
{
    for (uint32_t i = 0; i < count; i++)
        if (ids[i] == id) return true;
    return false;
}

static bool is_selected(const struct planner *planner, uint32_t s)
{
    const struct plan_options *options = planner->options;
    if (lists(options->skip, options->skip_count, planner->ids[s])) return false;
    return !options->only || lists(options->only, options->only_count, planner->ids[s]);
}

static bool run_round(struct planner *planner)
{
    bool changed = false;
    for (uint32_t r = 0; r < RULE_REWRITES; r++) {
        const struct rule *rule = rule_at(r);
        for (uint32_t s = 0; s < planner->sites.count; s++) {
            uint32_t site = planner->sites.at[s];
            if (planner->facts.deleted[site] || !applies(planner, r, site)) continue;
            if (!is_selected(planner, s)) continue;
            struct verdict verdict = ask(planner, rule, site);
            if (verdict.reason != REASON_NONE) continue;
            planner->facts.deleted[site] = true;
            vec_push(&planner->plan->deleted,
                     (struct decision){site, planner->ids[s], rule, verdict});
            changed = true;
        }
    }
    return changed;
}

static int by_place(const void *a, const void *b)
{
    const struct decision *x = a, *y = b;
    return x->instr < y->instr ? -1 : x->instr > y->instr;
}

/* What justified a deletion may have gone itself, for a better reason: name what is left. */
static void refresh_witnesses(struct planner *planner)
{
    struct decision_list *deleted = &planner->plan->deleted;
    for (uint32_t i = 0; i < deleted->count; i++) {
        struct decision *decision = &deleted->at[i];
        struct verdict now = ask(planner, decision->rule, decision->instr);
        if (now.reason != REASON_NONE) continue;
        decision->verdict.witness = now.witness;
        decision->verdict.assumptions |= now.assumptions;
    }
    if (deleted->count) qsort(deleted->at, deleted->count, sizeof *deleted->at, by_place);
}

static void record_rest(struct planner *planner)
{
    for (uint32_t s = 0; s < planner->sites.count; s++) {
        uint32_t site = planner->sites.at[s];
        if (planner->facts.deleted[site]) continue;
        for (uint32_t r = 0; r < RULE_COUNT; r++) {
            if (!applies(planner, r, site)) continue;
            struct decision decision = {site, planner->ids[s], rule_at(r),
                                        ask(planner, rule_at(r), site)};
            if (r < RULE_REWRITES && !is_selected(planner, s))
                decision.verdict = (struct verdict){REASON_NOT_SELECTED, NO_WITNESS, 0};
            if (r < RULE_REWRITES)
                vec_push(&planner->plan->declined, decision);
            else if (decision.verdict.reason == REASON_NONE)
                vec_push(&planner->plan->advice, decision);
        }
    }
}

static void find_sites(struct planner *planner)
{
    const struct function *function = planner->facts.function;
    for (uint32_t i = 0; i < function->count; i++) {
        uint32_t candidate = rule_candidate(&function->instrs[i]);
        if (candidate) vec_push(&planner->sites, i);
        planner->plan->candidates += candidate && candidate != CANDIDATE(EFFECT_COMMIT);
    }
}

/* "Only the thread's own operations" are not told from another thread's once they may have come
 * back through a commit and its mbarrier, or from a caller or callee. */
static uint32_t assumptions_for(const struct function *function, uint32_t assumptions)
{
    bool own_may_return = !function->is_entry;
    for (uint32_t i = 0; i < function->count; i++) {
        enum effect effect = function->instrs[i].opcode->effect;
        own_may_return |= effect == EFFECT_COMMIT || effect == EFFECT_CALL;
    }
    return own_may_return ? assumptions & ~(uint32_t)ASSUME_NOT_CUMULATIVE : assumptions;
}

void plan_build(struct function_plan *plan, const struct view *view,
                const struct function *function, const struct plan_options *options,
                struct arena *arena)
{
    *plan = (struct function_plan){.function = function};
    uint32_t at = 0;
    plan->skipped = function->unsupported;
    plan->skipped_why = function->unsupported_why;
    plan->skipped_at = function->unsupported_at;
    if (plan->skipped) return;
    plan->skipped_why = cfg_build(&plan->cfg, function, view->source, arena, &at);
    if (plan->skipped_why) {
        plan->skipped = "unsupported";
        plan->skipped_at = function->instrs[at].span.start;
        return;
    }
    struct planner planner = {.plan = plan, .options = options};
    facts_init(&planner.facts, view, function, &plan->cfg,
               assumptions_for(function, options->assumptions), arena);
    find_sites(&planner);
    planner.ids = id_build(view, function, planner.sites.at, planner.sites.count, arena);
    while (run_round(&planner))
        ;
    refresh_witnesses(&planner);
    record_rest(&planner);
    vec_free(&planner.sites);
}

void plan_revert(struct function_plan *plan, const char *why)
{
    plan->deleted.count = plan->declined.count = 0;
    plan->skipped = "internal";
    plan->skipped_why = why;
    plan->skipped_at = plan->function->span.start;
}

void plan_free(struct function_plan *plan)
{
    vec_free(&plan->deleted);
    vec_free(&plan->declined);
    vec_free(&plan->advice);
}
