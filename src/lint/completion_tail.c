/* Finds mma that no commit of their thread follows on some path. See completion_tail.h. */
#include "lint/completion_tail.h"

#include "base/mem.h"
#include "value/condition_pairs.h"
#include "value/instruction.h"

struct tail {
    struct lint *lint;
    const struct tensor_op *mma;
    uint32_t reader; /* the first load of the accumulator */
    bool *helps; /* by handover: a thread that waits here may load afterwards, or signal one that
                    does */
    bool *hears; /* by handover: the same, for a signal of the issuing thread other than a commit */
    uint64_t *before; /* by handover: a bit set of the waits before the loads */
    uint64_t *own;    /* by handover: a bit set of those that the issuing thread may reach */
    struct renewals *renewals;
    /* only other threads commit for the readers: then what is most likely decides, which takes more
     * time */
    bool likely;
    uint8_t *ends;    /* by handover of the issuing thread, an enum end */
    uint8_t *issuers; /* by handover, an enum issuer: whether is_of_issuer, of a commit */
    struct tail_paths *paths;
};

/* Whether a handover ends a path on which the mma is not known to be complete. */
enum end {
    END_NOT,
    END_CERTAIN,      /* a signal to a wait that helps or hears, or a wait for a commit */
    END_AFTER_COMMIT, /* a wait for commits of the issuing thread alone: one must be on the path */
};

enum issuer { ISSUER_UNKNOWN, ISSUER_NOT, ISSUER_IS };

static bool is_own(const struct tail *t, const struct handover *h)
{
    uint32_t i = (uint32_t)(h - t->lint->handovers->at);
    return t->own[i / 64] >> (i % 64) & 1;
}

/* Only the thread of the mma executes the handover. */
static bool is_of_issuer(const struct tail *t, uint32_t handover)
{
    uint32_t instr = t->lint->handovers->at[handover].instr;
    uint8_t *issuer = &t->issuers[handover];
    if (*issuer == ISSUER_UNKNOWN)
        *issuer = handover_other_thread(t->lint, t->mma->instr, instr) ||
                          handover_other_thread(t->lint, instr, t->mma->instr)
                      ? ISSUER_NOT
                      : ISSUER_IS;
    return *issuer == ISSUER_IS;
}

/* The load is of the accumulator, and in another thread. */
static bool is_tail_reader(const struct tail *t, const struct tensor_op *x)
{
    return handover_likely_conflict(t->lint, t->mma, x) &&
           handover_other_thread(t->lint, t->mma->instr, x->instr);
}

static void list_loads_of_all(struct tail *t)
{
    const struct handovers *all = t->lint->handovers;
    struct tail_paths *paths = t->paths;
    if (paths->loads) return;
    paths->loads = arena_room(t->lint->arena, all->op_count, sizeof *paths->loads);
    for (uint32_t i = 0; i < all->op_count; i++)
        if (lint_effect(t->lint, all->ops[i].instr) == EFFECT_ASYNC_LD)
            paths->loads[paths->load_count++] = i;
}

/* Sets reader to the first load of the accumulator in another thread; false: there is none. */
static bool find_first_reader(struct tail *t)
{
    const struct tail_paths *paths = t->paths;
    const struct tensor_op *ops = t->lint->handovers->ops;
    list_loads_of_all(t);
    lint_spend(t->lint, paths->load_count / 4 + 1);
    for (uint32_t i = 0; i < paths->load_count; i++)
        if (is_tail_reader(t, &ops[paths->loads[i]])) {
            t->reader = ops[paths->loads[i]].instr;
            return true;
        }
    return false;
}

/* Finds the waits before the loads of the accumulator in other threads. */
static void find_waits_of_readers(struct tail *t)
{
    const struct handovers *all = t->lint->handovers;
    const struct tail_paths *paths = t->paths;
    uint32_t block = UINT32_MAX, words = all->count / 64 + 1;
    lint_spend(t->lint, paths->load_count);
    for (uint32_t i = 0; i < paths->load_count; i++) {
        const struct tensor_op *x = &all->ops[paths->loads[i]];
        if (t->lint->cfg->block_of[x->instr] == block || !is_tail_reader(t, x)) continue;
        block = t->lint->cfg->block_of[x->instr];
        const struct handover_list *waits = handover_waits_before(t->lint, x->instr);
        lint_spend(t->lint, words / 8 + 1);
        for (uint32_t w = 0; w < words; w++) t->before[w] |= waits->bits[w];
    }
    for (uint32_t w = 0; w < all->count; w++) t->helps[w] = t->before[w / 64] >> (w % 64) & 1;
}

/* The two may meet, but if likely is set, they do not: most likely they are at different arrays of
 * mbarriers. */
static bool most_likely_apart(const struct tail *t, uint32_t signal, uint32_t wait)
{
    const struct handover *s = &t->lint->handovers->at[signal], *w = &t->lint->handovers->at[wait];
    return t->likely && handover_likely_others(t->lint, s, w);
}

/* Some wait that helps may be for the signal. helps: t->helps or t->hears. */
static bool tells(const struct tail *t, const bool *helps, uint32_t signal)
{
    const struct handover_list *waits = handover_waits(t->lint, signal);
    lint_spend(t->lint, waits->count);
    for (uint32_t w = 0; w < waits->count; w++)
        if (helps[waits->at[w]] && !most_likely_apart(t, signal, waits->at[w])) return true;
    return false;
}

static enum walk_does look_for_tracked(void *context, const struct lint *lint, uint32_t instr,
                                       unsigned *state)
{
    const uint32_t *commit = context;
    (void)state;
    if (instr == *commit) return WALK_END;
    bool tracked = effect_is_pipe(lint_effect(lint, instr));
    return tracked && handover_reaches(lint, instr, *commit) ? WALK_FOUND : WALK_ON;
}

/* The signal of another thread passes on that the mma has been issued, which the thread learns at
 * the wait. A commit does so only if it tracks an operation after the wait, because that operation
 * completes after the mma. */
static bool passes_on_issue(const struct tail *t, uint32_t wait, const struct handover *signal)
{
    uint32_t commit = signal->instr;
    struct walk_path path;
    if (!signal->use || signal->use->kind != BARRIER_COMMIT) return true;
    return walk_find(t->lint, wait, 0, WALK_ASYNC | 1 << EFFECT_COMMIT, look_for_tracked, &commit,
                     &path) ||
           path.gave_up;
}

/* Adds to helps, t->helps or t->hears, the waits of other threads that are followed by a signal to
 * a wait that helps. A signal that lets the mma run once more does not count: no such signal
 * follows the last mma. */
static void spread_to_helpers(struct tail *t, bool *helps)
{
    const struct handovers *all = t->lint->handovers;
    bool more = true;
    while (more) {
        more = false;
        for (uint32_t s = 0; s < all->count; s++) {
            const struct handover *signal = &all->at[s];
            if (!signal->signals || is_own(t, signal)) continue;
            if (handover_reaches(t->lint, signal->instr, t->mma->instr)) continue;
            if (!tells(t, t->helps, s) && !tells(t, helps, s)) continue;
            if (t->likely && renewals_is(t->renewals, s)) continue;
            for (uint32_t w = 0; w < all->count; w++) {
                if (helps[w] || !all->at[w].waits) continue;
                if (!handover_reaches(t->lint, all->at[w].instr, signal->instr)) continue;
                if (helps == t->hears && !passes_on_issue(t, all->at[w].instr, signal)) continue;
                helps[w] = more = true;
            }
        }
    }
}

/* Whether the wait is for a commit, and for which. */
static enum end wait_for_commit(const struct tail *t, uint32_t wait)
{
    const struct handovers *all = t->lint->handovers;
    const struct handover_list *signals = handover_signals(t->lint, wait);
    enum end end = END_NOT;
    lint_spend(t->lint, signals->count);
    for (uint32_t s = 0; s < signals->count; s++) {
        const struct barrier_use *use = all->at[signals->at[s]].use;
        if (!use || use->kind != BARRIER_COMMIT || most_likely_apart(t, signals->at[s], wait))
            continue;
        if (!is_of_issuer(t, signals->at[s])) return END_CERTAIN;
        end = END_AFTER_COMMIT;
    }
    return end;
}

/* The instruction is guarded by another elect.sync than the mma, so it is not known whether the
 * same lane executes both. */
static bool is_elected_anew(const struct tail *t, uint32_t instr)
{
    const struct condition_set *own = condition_pairs_set(t->lint->subject, t->mma->instr);
    const struct condition_set *set = condition_pairs_set(t->lint->subject, instr);
    for (uint32_t i = 0; i < set->count; i++) {
        struct value v = {set->at[i].base, 0};
        if (value_expr(t->lint->subject, v)->kind == EXPR_ELECTED &&
            condition_truth(t->lint->subject, own, v) == TRUTH_UNKNOWN)
            return true;
    }
    return false;
}

/* Only other threads commit to an mbarrier for which the readers wait, as if for this mma too. */
static bool others_commit_for_readers(const struct tail *t)
{
    const struct handovers *all = t->lint->handovers;
    bool others = false;
    for (uint32_t s = 0; s < all->count; s++) {
        const struct handover *h = &all->at[s];
        if (!h->use || h->use->kind != BARRIER_COMMIT || !tells(t, t->helps, s)) continue;
        if (is_own(t, h)) return false;
        others |= handover_other_thread(t->lint, t->mma->instr, h->instr);
    }
    return others;
}

/* Sets ends from helps and hears. False if the question cannot be answered: no handover ends a path
 * and no other thread commits for the readers, or a handover is not understood. */
static bool find_ends(struct tail *t)
{
    const struct handovers *all = t->lint->handovers;
    bool any = false;
    for (uint32_t s = 0; s < all->count; s++) {
        const struct handover *h = &all->at[s];
        if (!is_own(t, h)) continue;
        if (h->channel == CHANNEL_UNKNOWN) return false;
        const bool *helps = lint_effect(t->lint, h->instr) == EFFECT_COMMIT ? t->helps : t->hears;
        t->ends[s] = END_NOT;
        if (h->waits) t->ends[s] = (uint8_t)wait_for_commit(t, s);
        if (h->signals && tells(t, helps, s)) t->ends[s] = END_CERTAIN;
        if (t->ends[s] && is_elected_anew(t, h->instr)) return false;
        any |= t->ends[s];
    }
    return any || t->likely;
}

static enum walk_does look_for_tail_exit(void *context, const struct lint *lint, uint32_t instr,
                                         unsigned *state)
{
    const uint8_t *ends = context;
    enum effect effect = lint_effect(lint, instr);
    if (effect == EFFECT_EXIT)
        return instruction_is_trap(lint->subject, instr) ? WALK_END : WALK_FOUND;
    const struct handover *h = handover_at(lint, instr);
    enum end end = h ? ends[h - lint->handovers->at] : END_NOT;
    if (end == END_CERTAIN || (end == END_AFTER_COMMIT && *state)) return WALK_END;
    if (effect == EFFECT_COMMIT) *state = 1;
    return WALK_ON;
}

/* The instruction is a commit that ends a path. */
static bool is_end_by_commit(const struct tail *t, uint32_t instr)
{
    const struct handover *h = handover_at(t->lint, instr);
    return h && t->ends[h - t->lint->handovers->at] && lint_effect(t->lint, instr) == EFFECT_COMMIT;
}

static bool has_changing_guard(const struct tail *t, uint32_t instr)
{
    return t->lint->function->instrs[instr].guard != REG_NONE &&
           !value_is_fixed(t->lint->subject, value_of_guard(t->lint->subject, instr));
}

/* Both have the same guard, which is computed at one place: the path has decided both by one
 * value. */
static bool have_one_guard(const struct tail *t, uint32_t a, uint32_t b)
{
    uint32_t guard = t->lint->function->instrs[a].guard, last;
    return guard == t->lint->function->instrs[b].guard &&
           value_definitions(t->lint->subject, guard, &last) == 1;
}

/* A commit that ends a path is between the two instructions; branch: if not NO_INSTR, a commit with
 * another guard than that branch, which the loop changes. */
static bool commits_in(const struct tail *t, uint32_t first, uint32_t end, uint32_t branch)
{
    if (first < end) lint_spend(t->lint, (end - first) / 8 + 1);
    for (uint32_t i = first; i < end; i++)
        if (is_end_by_commit(t, i) &&
            (branch == NO_INSTR || (has_changing_guard(t, i) && !have_one_guard(t, i, branch))))
            return true;
    return false;
}

/* The path skips a commit in the loop by a guard that the loop changes: of the commit, or of a
 * branch. Most likely the last iteration, in which the path leaves the loop, does not skip it. */
static bool skips_commit_of_round(const struct tail *t, const struct walk_path *path)
{
    const struct cfg *cfg = t->lint->cfg;
    for (uint32_t i = 1; i < path->count; i++) {
        uint32_t branch = path->instrs[i];
        const struct block *block = &cfg->blocks[cfg->block_of[branch]];
        if (!handover_reaches(t->lint, branch, t->mma->instr)) continue;
        if (commits_in(t, i == 1 ? t->mma->instr : block->first, block->end, branch)) return true;
        if (block->succ_count < 2 || !has_changing_guard(t, branch)) continue;
        const struct block *target = &cfg->blocks[cfg->succs[block->first_succ]];
        if (commits_in(t, target->first, target->end, NO_INSTR) ||
            commits_in(t, block->end, target->first, NO_INSTR))
            return true;
    }
    return false;
}

/* Shortly behind the wait in the text is the first load in its block. */
static bool is_before_first_load(const struct tail *t, uint32_t wait)
{
    enum { APART_MAX = 32 };
    const struct lint *lint = t->lint;
    for (uint32_t i = wait + 1; i < lint->function->count && i <= wait + APART_MAX; i++) {
        const struct tensor_op *x = handover_op(lint, i);
        if (!x || lint_effect(lint, i) != EFFECT_ASYNC_LD || !is_tail_reader(t, x)) continue;
        uint32_t first = lint->cfg->blocks[lint->cfg->block_of[i]].first;
        return first > wait && handover_reaches(lint, wait, i);
    }
    return false;
}

/* The thread commits in the block of the mma, for threads that load the result right after they
 * have waited: then no path from the mma leads to the end. False: that is not known. */
static bool commits_plainly(const struct tail *t)
{
    enum { COMMITS_MAX = 2, WAITS_MAX = 2 };
    const struct lint *lint = t->lint;
    const struct handovers *all = lint->handovers;
    const uint32_t mma = t->mma->instr;
    uint32_t end = lint->cfg->blocks[lint->cfg->block_of[mma]].end, first = handover_from(all, mma);
    for (uint32_t s = first; s < first + COMMITS_MAX && s < all->count; s++) {
        uint32_t commit = all->at[s].instr;
        if (commit >= end) return false;
        if (!all->at[s].signals || lint_effect(lint, commit) != EFFECT_COMMIT) continue;
        if (lint->function->instrs[commit].guard != REG_NONE && !have_one_guard(t, mma, commit))
            continue;
        const struct handover_list *waits = handover_waits(lint, s);
        for (uint32_t w = 0; w < waits->count && w < WAITS_MAX; w++)
            if (!most_likely_apart(t, s, waits->at[w]) &&
                is_before_first_load(t, all->at[waits->at[w]].instr))
                return true;
    }
    return false;
}

enum {
    TAIL_INTEREST = 1 << EFFECT_RELEASE_BARRIER | 1 << EFFECT_RELEASE_MEMORY | 1 << EFFECT_COMMIT |
                    1 << EFFECT_ACQUIRE_BARRIER | 1 << EFFECT_ACQUIRE_MEMORY |
                    1 << EFFECT_BOTH_BARRIER | 1 << EFFECT_BOTH_MEMORY | 1 << EFFECT_EXIT
};

/* A path leads to the end. Most mma of a kernel have the same ends. */
static bool leads_to_end(struct tail *t)
{
    const struct lint *lint = t->lint;
    struct tail_paths *paths = t->paths;
    uint32_t count = lint->handovers->count;
    struct walk_path path;
    if (!paths->ends) paths->ends = arena_alloc(lint->arena, count, sizeof *paths->ends);
    lint_spend(lint, count / 8 + 1);
    if (!paths->question.memory || memcmp(paths->ends, t->ends, count * sizeof *t->ends) != 0) {
        walk_question_end(lint, &paths->question);
        memcpy(paths->ends, t->ends, count * sizeof *t->ends);
        paths->question =
            (struct walk_question){TAIL_INTEREST, look_for_tail_exit, paths->ends, NULL};
    }
    return walk_question_find(lint, &paths->question, t->mma->instr, 0, &path);
}

/* The last mma has the same ends. Keeps what decides them. */
static bool has_ends_of_last(const struct tail *t)
{
    const struct lint *lint = t->lint;
    struct tail_paths *paths = t->paths;
    uint32_t words = lint->handovers->count / 64 + 1;
    uint32_t conditions = condition_pairs_number(lint->subject, t->mma->instr);
    size_t size = words * sizeof *t->own;
    bool same = paths->own && paths->conditions == conditions &&
                memcmp(paths->own, t->own, size) == 0 &&
                memcmp(paths->before, t->before, size) == 0;
    lint_spend(lint, words / 8 + 1);
    if (same) return true;
    if (!paths->own) {
        paths->own = arena_room(lint->arena, words, sizeof *paths->own);
        paths->before = arena_room(lint->arena, words, sizeof *paths->before);
    }
    paths->conditions = conditions;
    memcpy(paths->own, t->own, size);
    memcpy(paths->before, t->before, size);
    return false;
}

/* As find_ends, from the waits before the loads alone. Sets t->likely. */
static bool find_first_ends(struct tail *t)
{
    struct tail_paths *paths = t->paths;
    if (has_ends_of_last(t)) {
        t->likely = paths->likely;
        if (paths->ended) memcpy(t->ends, paths->ends, t->lint->handovers->count * sizeof *t->ends);
        return paths->ended;
    }
    paths->likely = t->likely = others_commit_for_readers(t);
    return paths->ended = find_ends(t);
}

/* Finds a path to the end with no commit that tracks the mma, which a reader may need. */
static bool find_tail_path(struct tail *t, struct walk_path *path)
{
    struct lint *lint = t->lint;
    const uint32_t mma = t->mma->instr;
    find_waits_of_readers(t);
    memcpy(t->own, handover_behind_last(lint, mma),
           (lint->handovers->count / 64 + 1) * sizeof *t->own);
    /* First without spread_to_helpers, which is expensive: in nearly all kernels the readers wait
     * for the commit themselves. */
    if (!find_first_ends(t) || !leads_to_end(t)) return false;
    renewals_begin(t->renewals, mma, true);
    spread_to_helpers(t, t->helps);
    spread_to_helpers(t, t->hears);
    return find_ends(t) &&
           walk_find(lint, mma, 0, TAIL_INTEREST, look_for_tail_exit, t->ends, path) &&
           !path->vague && !skips_commit_of_round(t, path);
}

void completion_tail_report(struct lint *lint, const struct lint_code *code,
                            const struct tensor_op *mma, struct renewals *renewals,
                            struct tail_paths *paths)
{
    uint32_t count = lint->handovers->count;
    struct tail t = {.lint = lint,
                     .mma = mma,
                     .reader = NO_INSTR,
                     .renewals = renewals,
                     .likely = true,
                     .paths = paths};
    struct walk_path path;
    if (commits_plainly(&t) || !find_first_reader(&t)) return;
    t.helps = mem_zalloc(count, sizeof *t.helps);
    t.hears = mem_zalloc(count, sizeof *t.hears);
    t.ends = mem_zalloc(count, sizeof *t.ends);
    t.issuers = mem_zalloc(count, sizeof *t.issuers);
    t.before = mem_zalloc(count / 64 + 1, sizeof *t.before);
    t.own = mem_zalloc(count / 64 + 1, sizeof *t.own);
    if (find_tail_path(&t, &path))
        lint_report(lint, (struct hazard){code, LINT_WARNING, mma->instr, t.reader,
                                          "%s loads the result of this, and a path[ of the thread] "
                                          "to the end has no commit[ for it]",
                                          "commit after it to an mbarrier that the loading threads "
                                          "wait for",
                                          path.instrs, path.count, NULL});
    mem_free(t.helps);
    mem_free(t.hears);
    mem_free(t.ends);
    mem_free(t.issuers);
    mem_free(t.before);
    mem_free(t.own);
}
