/* Finds the instructions that an explanation of a removal names, by following paths from one place.
 * The rules have already decided the removal for all paths: nothing is decided here, and
 * instructions too far away are left out. */
#include "engine/grounds.h"

#include "order/apart.h"
#include "order/pair.h"
#include "order/reach.h"
#include "order/waits.h"

enum { LOADS = 16 }; /* operations whose readers are searched for: the nearest ones */

struct plan_ground ground_at(const struct analysis *analysis, uint32_t instr)
{
    return (struct plan_ground){instr, plan_place_of(analysis->function, instr)};
}

/* ---- other witnesses on other paths ---- */

struct answers {
    struct plan_grounds *grounds;
    uint32_t witness;
    enum effect effect; /* an instruction of this effect that certainly runs is a witness */
};

static enum reach_next visit_answer(void *context, const struct analysis *analysis, uint32_t i)
{
    struct answers *answers = context;
    if (i == SCAN_ENTRY) {
        answers->grounds->entry = answers->witness != NO_WITNESS;
        return REACH_PATH;
    }
    enum effect effect = analysis_effect(analysis, i);
    bool answer = effect == answers->effect && analysis_always(analysis, i);
    if (!answer && effect != EFFECT_EXIT) return REACH_ON;
    answers->grounds->others |= i != answers->witness;
    return answers->grounds->others ? REACH_ALL : REACH_PATH;
}

/* Whether every path through the site passes the witness because both are in one block, in the
 * order that the rule needs. */
static bool dominates_in_block(const struct analysis *analysis, const struct decision *d)
{
    uint32_t site = d->instr, witness = d->verdict.witness;
    const uint32_t *block_of = analysis->cfg->block_of;
    if (witness == NO_WITNESS || block_of[site] != block_of[witness]) return false;
    return d->rule->looks_back ? witness < site : witness > site;
}

/* Finds out whether other paths have another witness of the same effect. A guarded candidate has
 * only one witness. */
static void find_others(struct plan_grounds *grounds, const struct decision *d,
                        const struct analysis *analysis)
{
    uint32_t witness = d->verdict.witness;
    enum effect site = analysis_effect(analysis, d->instr), effect = site;
    if (witness != NO_WITNESS) effect = analysis_effect(analysis, witness);
    if (effect == EFFECT_EXIT) effect = site;
    bool one_effect = effect >= EFFECT_WAIT_LD && effect <= EFFECT_COMMIT;
    if (!one_effect || !analysis_always(analysis, d->instr) || dominates_in_block(analysis, d))
        return;
    struct answers answers = {grounds, witness, effect};
    if (!reach_events(analysis, d->instr, d->rule->looks_back, visit_answer, &answers))
        grounds->others = true;
}

/* ---- the instruction that needs the order ---- */

/* The witness is kept, so the decline of the witness names the instruction that needs its order. */
static void find_need(struct plan_grounds *grounds, const struct decision *d,
                      const struct function_plan *plan, const struct analysis *analysis)
{
    uint32_t low = 0, high = plan->declined.count;
    const struct decision *declined = plan->declined.at;
    if (d->rule->looks_back || d->verdict.witness == NO_WITNESS) return;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (declined[middle].instr < d->verdict.witness)
            low = middle + 1;
        else
            high = middle;
    }
    for (; low < plan->declined.count && declined[low].instr == d->verdict.witness; low++) {
        const struct verdict *said = &declined[low].verdict;
        if (declined[low].rule != d->rule || said->witness == NO_WITNESS) continue;
        grounds->need = ground_at(analysis, said->witness);
        grounds->why = said->reason;
    }
}

/* ---- the first reader of a loaded register ---- */

struct readers {
    struct plan_grounds *grounds;
    const uint32_t *loads;
    uint32_t count;
};

/* Returns the n-th word (from 0) of a list such as "{%r1, _, %r2}"; empty if there are fewer
 * words. */
static struct span word_of_list(const struct source *source, struct span list, uint32_t n)
{
    static const char between[] = "{}, \t\r\n";
    struct span word = {list.start, list.start};
    for (;; n--) {
        while (word.end < list.end && strchr(between, source->text.p[word.end])) word.end++;
        word.start = word.end;
        while (word.end < list.end && !strchr(between, source->text.p[word.end])) word.end++;
        if (!n || word.start == word.end) return word;
    }
}

/* Returns how the load spells the register of this use. Empty if the list has anything but
 * registers, since then words and uses do not correspond. */
static struct span spelling_of_load(const struct analysis *analysis, uint32_t load, uint32_t use)
{
    const struct operand *to = pair_operand(analysis, load, 0);
    const struct source *source = analysis->view->source;
    bool plain = to && use >= to->first_use && use - to->first_use < to->use_count &&
                 word_of_list(source, to->span, to->use_count - 1).start < to->span.end;
    if (plain && !memchr(source->text.p + to->span.start, '_', to->span.end - to->span.start) &&
        !memchr(source->text.p + to->span.start, '/', to->span.end - to->span.start))
        return word_of_list(source, to->span, use - to->first_use);
    return (struct span){0, 0};
}

/* Whether one of the loads writes reg. If so, sets the spelling of the register. */
static bool is_loaded(struct readers *readers, const struct analysis *analysis, reg_id reg)
{
    for (uint32_t n = 0; n < readers->count; n++) {
        const struct use *use, *end;
        analysis_uses(analysis, readers->loads[n], &use, &end);
        for (; use < end; use++) {
            if (!use->write || use->reg != reg) continue;
            readers->grounds->reg = spelling_of_load(analysis, readers->loads[n],
                                                     (uint32_t)(use - analysis->function->uses));
            return true;
        }
    }
    return false;
}

static enum reach_next visit_reader(void *context, const struct analysis *analysis, uint32_t i)
{
    struct readers *readers = context;
    const struct use *use, *end;
    if (analysis_effect(analysis, i) == EFFECT_WAIT_LD && analysis_always(analysis, i))
        return REACH_PATH;
    analysis_uses(analysis, i, &use, &end);
    for (; use < end; use++) {
        if (use->write || !is_loaded(readers, analysis, use->reg)) continue;
        readers->grounds->reader = ground_at(analysis, i);
        return REACH_ALL;
    }
    return REACH_ON;
}

/* ---- operations around the removed instruction ---- */

static enum reach_next visit_second(void *context, const struct analysis *analysis, uint32_t i)
{
    struct plan_grounds *grounds = context;
    enum effect effect = analysis_effect(analysis, i);
    if (effect_is_fence(effect) && analysis_always(analysis, i)) return REACH_PATH;
    if (!effect_is_async(effect)) return REACH_ON;
    grounds->second = ground_at(analysis, i);
    return REACH_ALL;
}

/* Finds, after a removed wait and before the next wait of its kind, an operation that needs no wait
 * only because it is a pipelined pair with one in flight. */
struct paired {
    struct plan_grounds *grounds;
    enum effect wait;
};

static enum reach_next visit_paired(void *context, const struct analysis *analysis, uint32_t i)
{
    struct paired *paired = context;
    enum effect effect = analysis_effect(analysis, i), wait = paired->wait;
    if (effect == wait && analysis_always(analysis, i)) return REACH_PATH;
    bool commutes = wait == EFFECT_WAIT_LD && effect == EFFECT_ASYNC_LD;
    if (!effect_is_async(effect) || commutes) return REACH_ON;
    paired->grounds->second = ground_at(analysis, i);
    return REACH_ALL;
}

/* Finds, after a removed wait and before the next wait of its kind, an access that needs no wait
 * because its columns are apart from those in flight. */
struct apart_pair {
    struct plan_grounds *grounds;
    const uint32_t *in_flight;
    uint32_t count;
    enum effect wait;
};

static enum reach_next visit_apart(void *context, const struct analysis *analysis, uint32_t i)
{
    struct apart_pair *pair = context;
    struct plan_grounds *grounds = pair->grounds;
    enum effect effect = analysis_effect(analysis, i);
    if (effect == pair->wait && analysis_always(analysis, i)) return REACH_PATH;
    bool commutes = pair->wait == EFFECT_WAIT_LD && effect == EFFECT_ASYNC_LD;
    if ((effect != EFFECT_ASYNC_LD && effect != EFFECT_ASYNC_ST) || commutes) return REACH_ON;
    for (uint32_t n = 0; n < pair->count; n++) {
        uint32_t other = pair->in_flight[n];
        if (analysis_effect(analysis, other) != waits_issue(pair->wait) ||
            !apart_columns_of(analysis, other, i, &grounds->columns))
            continue;
        grounds->in_flight = ground_at(analysis, other);
        grounds->issued = ground_at(analysis, i);
        return REACH_ALL;
    }
    return REACH_ON;
}

static void find_apart(struct plan_grounds *grounds, const struct decision *d,
                       const struct analysis *analysis, const uint32_t *in_flight, uint32_t count)
{
    if (!analysis->apart || !apart_is_noted(analysis, d->instr)) return;
    struct apart_pair pair = {grounds, in_flight, count, analysis_effect(analysis, d->instr)};
    reach_events(analysis, d->instr, false, visit_apart, &pair);
}

static enum reach_next visit_commit(void *context, const struct analysis *analysis, uint32_t i)
{
    struct plan_grounds *grounds = context;
    enum effect effect = analysis_effect(analysis, i);
    if (!analysis_always(analysis, i)) return REACH_ON;
    if (effect == EFFECT_FENCE_BEFORE) return REACH_PATH;
    if (effect != EFFECT_COMMIT) return REACH_ON;
    grounds->commit = ground_at(analysis, i);
    return REACH_ALL;
}

void grounds_find(struct plan_grounds *grounds, const struct decision *d,
                  const struct function_plan *plan, const struct analysis *analysis,
                  const uint32_t *operations, uint32_t count)
{
    const struct plan_ground none = {.instr = NO_WITNESS};
    uint32_t witness = d->verdict.witness;
    *grounds = (struct plan_grounds){.need = none,
                                     .reader = none,
                                     .before = none,
                                     .second = none,
                                     .commit = none,
                                     .in_flight = none,
                                     .issued = none};
    find_others(grounds, d, analysis);
    find_need(grounds, d, plan, analysis);
    if (d->verdict.assumptions & ASSUME_REGISTER_DEPENDENCY) {
        struct readers readers = {grounds, operations, count < LOADS ? count : LOADS};
        reach_loaded(analysis, d->instr, visit_reader, &readers);
    }
    if (!d->rule->part && d->verdict.assumptions & ASSUME_ISA_9_4_PAIRS) {
        struct paired paired = {grounds, analysis_effect(analysis, d->instr)};
        reach_events(analysis, d->instr, false, visit_paired, &paired);
    }
    find_apart(grounds, d, analysis, operations, count);
    bool pair = witness != NO_WITNESS && effect_is_async(analysis_effect(analysis, witness));
    if (pair) reach_events(analysis, d->instr, false, visit_second, grounds);
    if (pair && d->verdict.assumptions & ASSUME_COMMIT_FENCES)
        reach_events(analysis, d->instr, false, visit_commit, grounds);
}
