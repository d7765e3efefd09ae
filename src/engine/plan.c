/* Plans the removals of one function. See plan.h. */
#include "engine/plan.h"

#include <stdlib.h>

#include "engine/detach.h"
#include "engine/estimate.h"
#include "engine/group.h"
#include "engine/id.h"
#include "engine/obstacles.h"
#include "engine/steps.h"
#include "engine/wide.h"
#include "order/apart.h"

/* The most rounds over all rules. A round takes time proportional to the size of the function; real
 * functions need two or three. */
enum { ROUNDS_MAX = 64 };

enum { NOBODY = RULE_COUNT };

struct site {
    uint32_t instr, candidate; /* of rule_candidate */
    bool suspicious;
    uint8_t gone_by; /* the rule that removed it, or NOBODY */
    /* Bits 1 << index: rules that may run on it, and rules that a comment excludes. */
    uint32_t allowed, kept;
    const struct directive *keeper;
    const char *given_up; /* why it is kept whatever the rules decide; NULL: it may be removed */
};

/* The verdict of a rule on a site. asked: 1 + the number of removals when it was given; 0: no
 * verdict. */
struct word {
    struct verdict verdict;
    uint32_t asked;
};

static const struct word no_word = {{REASON_NONE, NO_WITNESS, 0, false}, 0};

struct planner {
    struct function_plan *plan;
    struct analysis analysis;
    const struct wide *wide; /* with fewer paths; NULL: use the graph of the function */
    const struct plan_options *options;
    struct VEC(struct site) sites;
    uint32_t present;   /* the kinds of candidates that the sites have */
    uint64_t *ids;      /* of the sites; 0 if not needed */
    struct word *words; /* [rule][site] */
    /* Of judge_group: the instructions about which a rule is asked, and what it says. */
    struct VEC(uint32_t) asked;
    struct VEC(struct verdict) said;
};

static bool is_selected(const struct planner *planner, uint32_t s)
{
    const struct plan_options *options = planner->options;
    if (id_is_listed(options->skip, options->skip_count, planner->ids[s])) return false;
    return !options->only || id_is_listed(options->only, options->only_count, planner->ids[s]);
}

static bool is_allowed(const struct site *site, uint32_t rule)
{
    return site->allowed >> rule & 1;
}

/* Returns why a rule must not run on the site, independent of the program. */
static enum reason left_out(const struct site *site, uint32_t rule)
{
    if (site->kept & 1u << rule) return REASON_KEPT_BY_COMMENT;
    return site->suspicious ? REASON_SUSPICIOUS : REASON_NOT_SELECTED;
}

/* Returns why a rule cannot run on the instruction; REASON_NONE if it can. */
static enum reason not_asked(const struct planner *planner, const struct rule *rule, uint32_t instr)
{
    const struct cfg *cfg = planner->analysis.cfg;
    if (!cfg->blocks[cfg->block_of[instr]].reachable) return REASON_UNREACHABLE;
    if (!analysis_always(&planner->analysis, instr) && !rule->handles_guard) return REASON_GUARDED;
    return REASON_NONE;
}

/* Fills the verdicts of the group, all for the current program. held: see rule_decide. */
static void judge_group(struct planner *planner, const struct rule *rule, bool held,
                        struct group *group)
{
    planner->asked.count = planner->said.count = group->verdicts.count = 0;
    for (uint32_t g = 0; g < group->sites.count; g++) {
        uint32_t instr = planner->sites.at[group->sites.at[g]].instr;
        enum reason reason = not_asked(planner, rule, instr);
        vec_push(&group->verdicts, (struct verdict){reason, NO_WITNESS, 0, false});
        if (reason != REASON_NONE) continue;
        vec_push(&planner->asked, instr);
        vec_push(&planner->said, (struct verdict){REASON_NONE, NO_WITNESS, 0, false});
    }
    const uint32_t *asked = planner->asked.at, count = planner->asked.count;
    struct verdict *said = planner->said.at;
    if (!count) return;
    if (planner->wide)
        wide_decide(planner->wide, rule, asked, count, said);
    else
        rule_decide(rule, &planner->analysis, asked, count, held, said);
    for (uint32_t g = 0, k = 0; g < group->sites.count; g++)
        if (group->verdicts.at[g].reason == REASON_NONE) group->verdicts.at[g] = said[k++];
}

static void mark_group(struct planner *planner, const struct group *group, bool deleted)
{
    for (uint32_t g = 0; g < group->sites.count; g++) {
        uint32_t instr = planner->sites.at[group->sites.at[g]].instr;
        planner->analysis.deleted[instr] = deleted;
        if (planner->wide) wide_mark(planner->wide, instr, deleted);
    }
}

/* Candidates that are redundant one by one need not be redundant together. So all of them are
 * judged again with all of them removed; of those that fail, the later half is kept, until none
 * fails. What hold_decline found is about all of them together already, unless it would have to
 * note its assumption again. */
static void settle_group(struct planner *planner, const struct rule *rule, struct group *group)
{
    uint32_t failing;
    bool held = !(planner->analysis.assumptions & ASSUME_PTXAS_FOLLOWS_ISA);
    mark_group(planner, group, true);
    do {
        judge_group(planner, rule, held, group);
        held = false;
        failing = group_count_declined(group);
        mark_group(planner, group, false);
        group_filter(group, failing / 2);
        mark_group(planner, group, true);
    } while (failing && group->sites.count);
}

static struct word *planner_word_of(const struct planner *planner, uint32_t rule, uint32_t site)
{
    return &planner->words[rule * planner->sites.count + site];
}

/* Whether the verdict was given for the current program. */
static bool is_current(const struct planner *planner, const struct word *word)
{
    return word->asked == planner->plan->deleted.count + 1;
}

/* The verdict declines the site in the current program too, because it stays (see struct
 * verdict). */
static bool still_declines(const struct planner *planner, const struct word *word)
{
    uint32_t witness = word->verdict.witness;
    if (!word->asked || !word->verdict.stays || word->verdict.reason == REASON_NONE) return false;
    return witness == NO_WITNESS || !planner->analysis.deleted[witness];
}

static void record_group_verdicts(struct planner *planner, uint32_t rule, struct group *group)
{
    judge_group(planner, rule_at(rule), false, group);
    for (uint32_t g = 0; g < group->sites.count; g++)
        *planner_word_of(planner, rule, group->sites.at[g]) =
            (struct word){group->verdicts.at[g], planner->plan->deleted.count + 1};
}

static void delete_group(struct planner *planner, uint32_t rule, const struct group *group)
{
    for (uint32_t g = 0; g < group->sites.count; g++) {
        uint32_t s = group->sites.at[g], instr = planner->sites.at[s].instr;
        bool wide = planner->wide || apart_is_noted(&planner->analysis, instr);
        planner->sites.at[s].gone_by = (uint8_t)rule;
        vec_push(&planner->plan->deleted, (struct decision){.instr = instr,
                                                            .id = planner->ids[s],
                                                            .rule = rule_at(rule),
                                                            .verdict = group->verdicts.at[g],
                                                            .wide = wide});
    }
}

/* Runs a rule on all its candidates. A rule that found nothing to remove in the current program is
 * not run again. */
static bool try_rule(struct planner *planner, uint32_t rule, uint32_t candidate)
{
    struct group group = {0};
    for (uint32_t s = 0; s < planner->sites.count; s++) {
        const struct site *site = &planner->sites.at[s];
        if (site->candidate == candidate && is_allowed(site, rule) && !site->given_up &&
            !planner->analysis.deleted[site->instr] &&
            !still_declines(planner, planner_word_of(planner, rule, s)) &&
            !(planner->wide && !wide_asks(rule_at(rule))))
            vec_push(&group.sites, s);
    }
    if (group.sites.count && is_current(planner, planner_word_of(planner, rule, group.sites.at[0])))
        group.sites.count = 0;
    if (group.sites.count) {
        record_group_verdicts(planner, rule, &group);
        group_filter(&group, 0);
        if (group.sites.count) settle_group(planner, rule_at(rule), &group);
    }
    bool changed = group.sites.count;
    delete_group(planner, rule, &group);
    group_free(&group);
    return changed;
}

static bool run_round(struct planner *planner)
{
    bool changed = false;
    for (uint32_t r = 0; r < RULE_REWRITES; r++) {
        if (!(planner->options->rules & 1u << r)) continue;
        for (uint32_t left = rule_at(r)->candidates & planner->present; left; left &= left - 1)
            changed |= try_rule(planner, r, left & ~(left - 1));
    }
    return changed;
}

static int compare_decisions(const void *a, const void *b)
{
    const struct decision *x = a, *y = b;
    return x->instr < y->instr ? -1 : x->instr > y->instr;
}

/* Whether the verdict of the rule on the site is reported: for a removed site, only that of the
 * rule that removed it. */
static bool has_last_word(const struct planner *planner, uint32_t rule, uint32_t site)
{
    const struct site *at = &planner->sites.at[site];
    if (at->gone_by != NOBODY) return at->gone_by == rule;
    return is_allowed(at, rule);
}

/* Computes the verdicts of a rule on the candidates for the final program; only where a verdict is
 * missing or outdated. */
static void add_last_words(struct planner *planner, uint32_t rule, uint32_t candidate)
{
    struct group group = {0};
    bool together = rule_at(rule)->judges_together, open = false;
    for (uint32_t s = 0; s < planner->sites.count; s++) {
        if (planner->sites.at[s].candidate != candidate) continue;
        bool asks = has_last_word(planner, rule, s);
        bool current = is_current(planner, planner_word_of(planner, rule, s));
        open |= !current && (asks || together);
        if (together || (asks && !current)) vec_push(&group.sites, s);
    }
    if (open) record_group_verdicts(planner, rule, &group);
    group_free(&group);
}

static void collect_last_words(struct planner *planner)
{
    for (uint32_t r = 0; r < RULE_COUNT; r++) {
        if (!(planner->options->rules & 1u << r)) continue;
        for (uint32_t left = rule_at(r)->candidates; left; left &= left - 1)
            add_last_words(planner, r, left & ~(left - 1));
    }
}

static void sort_removals(struct decision_list *deleted)
{
    if (deleted->count) qsort(deleted->at, deleted->count, sizeof *deleted->at, compare_decisions);
}

/* Names another witness where the witness of a removal was removed itself. */
static void refresh_witnesses(struct planner *planner)
{
    struct decision_list *deleted = &planner->plan->deleted;
    for (uint32_t i = 0, s = 0; i < deleted->count; i++) {
        struct decision *decision = &deleted->at[i];
        while (planner->sites.at[s].instr != decision->instr) s++;
        const struct verdict *now =
            &planner_word_of(planner, planner->sites.at[s].gone_by, s)->verdict;
        if (now->reason != REASON_NONE) continue;
        decision->verdict.witness = now->witness;
        decision->verdict.assumptions |= now->assumptions;
    }
}

static void record_rest(struct planner *planner)
{
    for (uint32_t s = 0; s < planner->sites.count; s++) {
        const struct site *site = &planner->sites.at[s];
        if (planner->analysis.deleted[site->instr]) continue;
        for (uint32_t r = 0; r < RULE_COUNT; r++) {
            bool applies =
                planner->options->rules & 1u << r && rule_at(r)->candidates & site->candidate;
            if (!applies) continue;
            struct decision decision = {.instr = site->instr,
                                        .id = planner->ids[s],
                                        .rule = rule_at(r),
                                        .verdict = planner_word_of(planner, r, s)->verdict,
                                        .keeper = site->keeper,
                                        .why = site->given_up};
            if (!is_allowed(site, r))
                decision.verdict = (struct verdict){left_out(site, r), NO_WITNESS, 0, false};
            if (site->given_up && r < RULE_REWRITES && decision.verdict.reason == REASON_NONE)
                decision.verdict = (struct verdict){REASON_REGISTERS, NO_WITNESS, 0, false};
            if (r < RULE_REWRITES)
                vec_push(&planner->plan->declined, decision);
            else if (decision.verdict.reason == REASON_NONE)
                vec_push(&planner->plan->advice, decision);
        }
    }
}

static void count_instructions(struct function_plan *plan, const struct function *function)
{
    plan->instructions = function->count - 1; /* without the end of the body */
    for (uint32_t n = 0; n + 1 < function->notable_count; n++) {
        uint32_t i = function->notable[n];
        const struct opcode *opcode = function->instrs[i].opcode;
        if (opcode->traits & OPCODE_TCGEN05) plan->tcgen05++;
        if (opcode->traits & OPCODE_CALLED) plan->instructions--;
        if (opcode == &opcode_unknown) vec_push(&plan->unknown, plan_place_of(function, i));
    }
}

/* ---- the plan of a function ---- */

/* Returns bits 1 << index of the rules for this kind of candidate. */
static uint32_t rules_about(uint32_t candidate)
{
    uint32_t rules = 0;
    for (uint32_t r = 0; r < RULE_COUNT; r++)
        if (rule_at(r)->candidates & candidate) rules |= 1u << r;
    return rules;
}

/* Sets which rules may run on each site: by the options, by lint and by comments. */
static void choose_sites(struct planner *planner)
{
    struct keeps *keeps = planner->options->keeps;
    for (uint32_t s = 0; s < planner->sites.count; s++) {
        struct site *site = &planner->sites.at[s];
        site->given_up = keeps_given_up(planner->options->given_up,
                                        planner->options->given_up_count, planner->ids[s]);
        bool selected = !site->suspicious && is_selected(planner, s);
        site->allowed = selected ? UINT32_MAX : ~((1u << RULE_REWRITES) - 1);
        if (!keeps) continue;
        struct span span = planner->analysis.function->instrs[site->instr].span;
        site->kept = keeps_ask(keeps, span, rules_about(site->candidate), &site->keeper);
        site->allowed &= ~site->kept;
    }
}

static bool asks_for_ids(const struct plan_options *options)
{
    return !options->unexplained || options->only || options->skip_count || options->given_up_count;
}

static void plan_find_sites(struct planner *planner, struct arena *arena)
{
    const bool *suspicious =
        missing_named(planner->options->missing, planner->analysis.function, arena);
    const struct analysis *analysis = &planner->analysis;
    const struct function *function = analysis->function;
    struct VEC(uint32_t) instrs = {0};
    for (uint32_t e = 0; e < analysis->events.count; e++) {
        uint32_t i = analysis->events.at[e].instr;
        uint32_t candidate = rule_candidate(&function->instrs[i]);
        if (!candidate) continue;
        vec_push(&planner->sites, (struct site){.instr = i,
                                                .candidate = candidate,
                                                .suspicious = suspicious && suspicious[i],
                                                .gone_by = NOBODY});
        vec_push(&instrs, i);
        planner->present |= candidate;
        planner->plan->candidates += candidate != CANDIDATE(EFFECT_COMMIT);
    }
    planner->ids = asks_for_ids(planner->options)
                       ? id_build(analysis->view, function, instrs.at, instrs.count, arena)
                       : arena_alloc(arena, instrs.count, sizeof *planner->ids);
    vec_free(&instrs);
    choose_sites(planner);
}

/* Whether the rule might remove one of these candidates on the graph with fewer paths. wide: NULL
 * to ask only about each verdict. */
static bool any_hope_of(const struct planner *planner, const struct wide *wide, uint32_t rule,
                        uint32_t candidate)
{
    struct VEC(struct wide_site) asked = {0};
    bool any = false;
    for (uint32_t s = 0; s < planner->sites.count && !any; s++) {
        const struct site *site = &planner->sites.at[s];
        struct verdict said = planner_word_of(planner, rule, s)->verdict;
        if (site->candidate != candidate || !is_allowed(site, rule) || site->given_up ||
            planner->analysis.deleted[site->instr])
            continue;
        if (!wide)
            any = wide_may_help(&planner->analysis, rule_at(rule), site->instr, said);
        else if (said.reason != REASON_GUARDED && said.reason != REASON_UNREACHABLE)
            vec_push(&asked, (struct wide_site){site->instr, said.reason});
    }
    if (asked.count)
        any = wide_may_help_any(wide, &planner->analysis, rule_at(rule), asked.at, asked.count);
    vec_free(&asked);
    return any;
}

/* Whether rules might remove more on the graph with fewer paths. wide: as for any_hope_of. */
static bool any_hope(const struct planner *planner, const struct wide *wide)
{
    bool any = false;
    for (uint32_t r = 0; r < RULE_REWRITES && !any; r++) {
        if (!(planner->options->rules & 1u << r) || !wide_asks(rule_at(r))) continue;
        for (uint32_t left = rule_at(r)->candidates; left && !any; left &= left - 1)
            any = any_hope_of(planner, wide, r, left & ~(left - 1));
    }
    return any;
}

/* Runs rounds until one proposes nothing. Returns how many proposed something. */
static int run_rounds(struct planner *planner)
{
    int round = 0;
    size_t words = planner->sites.count;
    planner->words = mem_alloc(words * RULE_COUNT * sizeof *planner->words);
    for (size_t w = 0; w < words; w++) planner->words[w] = no_word;
    for (uint32_t r = 1; words && r < RULE_COUNT; r++)
        memcpy(planner_word_of(planner, r, 0), planner->words, words * sizeof *planner->words);
    while (round < ROUNDS_MAX && run_round(planner)) round++;
    return round;
}

/* Runs rounds on the graph with fewer paths, if candidates are left. Their verdicts are used only
 * there; if they remove nothing, all earlier verdicts stay valid. */
static int run_wide_rounds(struct planner *planner, struct arena *scratch)
{
    struct wide *wide = any_hope(planner, NULL) ? wide_find(&planner->analysis, scratch) : NULL;
    if (!wide || !any_hope(planner, wide)) return 0;
    if (!wide_build(wide, &planner->analysis, scratch)) return 0;
    struct word *words = planner->words;
    planner->wide = wide;
    int rounds = run_rounds(planner);
    mem_free(planner->words);
    planner->words = words;
    planner->wide = NULL;
    wide_free(wide);
    return rounds;
}

/* Records the verdicts on all sites for the explanations. */
static void planner_explain(struct planner *planner)
{
    collect_last_words(planner);
    refresh_witnesses(planner);
    record_rest(planner);
    obstacles_name(planner->plan, &planner->analysis);
}

static void thin_out(struct planner *planner, struct arena *scratch)
{
    int round = run_rounds(planner);
    if (round < ROUNDS_MAX) round = run_wide_rounds(planner, scratch);
    sort_removals(&planner->plan->deleted);
    if (round == ROUNDS_MAX) {
        plan_revert(planner->plan, "too-big",
                    "its synchronisation has too many cyclic dependencies to analyse");
    } else if (!planner->options->unexplained && planner->sites.count) {
        planner_explain(planner);
    }
    mem_free(planner->words);
}

static void plan_with(struct function_plan *plan, const struct view *view,
                      const struct function *function, const struct plan_options *options,
                      struct arena *scratch, struct arena *arena)
{
    struct cfg built;
    const struct cfg *cfg = options->cfg;
    uint32_t at = 0;
    if (!cfg) {
        plan->skipped_why = cfg_build(&built, function, view->source, scratch, &at);
        cfg = &built;
    }
    if (plan->skipped_why) {
        plan->skipped = "unsupported";
        plan->skipped_at = function->instrs[at].span.start;
        return;
    }
    struct planner planner = {.plan = plan, .options = options};
    analysis_init(&planner.analysis, view, function, cfg, options->assumptions, scratch);
    planner.analysis.assumptions = analysis_assumptions(&planner.analysis);
    planner.analysis.apart = apart_create(view, cfg, scratch);
    plan_find_sites(&planner, scratch);
    thin_out(&planner, scratch);
    plan->by_store = *planner.analysis.by_store;
    if (options->steps) {
        steps_build(plan, &planner.analysis, arena);
        steps_list_operations(plan, &planner.analysis);
    }
    if (options->estimates) estimate_fill(plan, &planner.analysis, arena);
    detach_plan(plan, function, options->steps, scratch, arena);
    vec_free(&planner.sites);
    vec_free(&planner.asked);
    vec_free(&planner.said);
    apart_free(planner.analysis.apart);
    analysis_free(&planner.analysis);
}

void plan_build(struct function_plan *plan, const struct view *view,
                const struct function *function, const struct plan_options *options,
                struct arena *arena)
{
    struct arena scratch = {0};
    *plan = (struct function_plan){.name = function->name,
                                   .span = function->span,
                                   .skipped = function->unsupported,
                                   .skipped_why = function->unsupported_why,
                                   .skipped_at = function->unsupported_at};
    count_instructions(plan, function);
    if (!plan->skipped) plan_with(plan, view, function, options, &scratch, arena);
    /* Saves memory: a text may have thousands of functions with one decision each. */
    vec_fit(&plan->deleted);
    vec_fit(&plan->declined);
    vec_fit(&plan->advice);
    arena_free(&scratch);
}

/* ---- undoing removals that are not proven ---- */

static int by_place_and_rule(const void *a, const void *b)
{
    const struct decision *x = a, *y = b;
    if (x->instr != y->instr) return x->instr < y->instr ? -1 : 1;
    return x->rule < y->rule ? -1 : x->rule > y->rule;
}

bool plan_revert_wide(struct function_plan *plan)
{
    uint32_t kept = 0, count = plan->deleted.count;
    for (uint32_t i = 0; i < count; i++) {
        struct decision decision = plan->deleted.at[i];
        if (!decision.wide) {
            plan->deleted.at[kept++] = decision;
            continue;
        }
        decision.verdict = (struct verdict){REASON_NO_COVER, NO_WITNESS, 0, false};
        decision.witness = (struct plan_place){.span = {0, 0}};
        decision.steps = NULL;
        decision.grounds = NULL;
        decision.step_count = decision.more_operations = 0;
        vec_push(&plan->declined, decision);
    }
    plan->deleted.count = kept;
    if (kept == count) return false;
    qsort(plan->declined.at, plan->declined.count, sizeof *plan->declined.at, by_place_and_rule);
    return true;
}

void plan_revert(struct function_plan *plan, const char *reason, const char *why)
{
    plan->deleted.count = plan->declined.count = 0;
    plan->skipped = reason;
    plan->skipped_why = why;
    plan->skipped_at = plan->span.start;
}

void plan_free(struct function_plan *plan)
{
    vec_free(&plan->deleted);
    vec_free(&plan->declined);
    vec_free(&plan->advice);
    vec_free(&plan->missing);
    vec_free(&plan->unknown);
    vec_free(&plan->operations);
}
