/* The code divergent-aligned: all lanes of a warp, or all warps of a warpgroup, must execute the
 * instruction together, and some cannot reach it. */
#include "lint/handover.h"
#include "lint/lane_divergence.h"
#include "lint/walk.h"
#include "lint/warpgroup_registers.h"
#include "value/condition_pairs.h"
#include "value/instruction.h"
#include "value/lanes.h"

/* Keeps the answer for the last condition set: consecutive instructions mostly have the same
 * set. */
struct divergence {
    struct lint *lint;
    struct lanes_shape shape;
    struct condition_set last;
    bool last_apart;
    struct VEC(uint32_t) branches; /* with conditions that may differ within a warp */
};

static bool base_differs(const struct lint *lint, uint32_t base)
{
    return value_expr(lint->subject, (struct value){base, 0})->spread != SPREAD_SAME;
}

static bool lanes_are_apart(struct divergence *d, const struct condition_set *set)
{
    if (!conditions_same(set, &d->last)) {
        d->last = *set;
        d->last_apart = lanes_apart(d->lint->subject, &d->shape, set);
    }
    return d->last_apart;
}

/* ---- the report ---- */

static bool condition_mentions(const struct lint *lint, uint32_t base, uint32_t part)
{
    const struct expr *e = value_expr(lint->subject, (struct value){base, 0});
    if (base == part) return true;
    if (e->kind != EXPR_AND && e->kind != EXPR_OR) return false;
    struct value a = e->a[0], b = e->a[1];
    return condition_mentions(lint, a.base, part) || condition_mentions(lint, b.base, part);
}

/* The branch that separated the lanes: the last one before instr in the text that tests a condition
 * of the set that differs within a warp. NO_INSTR: not known. */
static uint32_t find_branch(struct divergence *d, uint32_t instr, const struct condition_set *set)
{
    lint_spend(d->lint, d->branches.count);
    for (uint32_t i = d->branches.count; i--;) {
        uint32_t branch = d->branches.at[i];
        struct value guard = value_of_guard(d->lint->subject, branch);
        if (branch > instr) continue;
        for (uint32_t k = 0; k < set->count; k++)
            if (base_differs(d->lint, set->at[k].base) &&
                condition_mentions(d->lint, guard.base, set->at[k].base))
                return branch;
    }
    return NO_INSTR;
}

static enum walk_does look_for(void *context, const struct lint *lint, uint32_t instr,
                               unsigned *state)
{
    (void)lint, (void)state;
    return instr == *(const uint32_t *)context ? WALK_FOUND : WALK_ON;
}

static const struct lint_words bar_words = {
    "9.7.13.1", "bar{.cta}.sync is equivalent to barrier{.cta}.sync.aligned."};

static void divergent_aligned_report(struct divergence *d, uint32_t instr,
                                     const struct condition_set *set)
{
    struct lint *lint = d->lint;
    uint32_t witness = find_branch(d, instr, set);
    struct walk_path path = {0};
    bool branch = witness != NO_INSTR;
    if (branch)
        (void)walk_forward(lint, witness, 0, 1u << lint_effect(lint, instr), look_for, &instr,
                           &path);
    lint_report(
        lint,
        (struct hazard){
            .code = &lint_divergent_aligned,
            .level = LINT_ERROR,
            .at = instr,
            .witness = witness,
            .says = branch ? "only some lanes of the warp reach this: the lanes diverge at %s"
                           : "only some lanes of the warp execute this: "
                             "its guard differs among them",
            .fix = "let all lanes of the warp execute it: move it "
                   "to where the branches join again, or branch on a "
                   "value that is the same in the whole warp",
            .path = path.instrs,
            .path_count = path.count,
            .words = str_is(instruction_base(lint->subject, instr), "bar") ? &bar_words : NULL});
}

/* ---- the search ---- */

static void find_divergent_branches(struct divergence *d)
{
    const struct function *f = d->lint->function;
    for (uint32_t i = 0; i < f->count; i++) {
        bool leaves = f->instrs[i].opcode->traits & OPCODE_BRANCH ||
                      f->instrs[i].opcode->effect == EFFECT_EXIT;
        if (f->instrs[i].guard == REG_NONE || !leaves) continue;
        struct value guard = value_of_guard(d->lint->subject, i);
        if (!value_is_none(guard) && base_differs(d->lint, guard.base)) vec_push(&d->branches, i);
    }
}

static void divergent_aligned_find(struct lint *lint)
{
    struct divergence d = {.lint = lint, .shape = lint->handovers->shape};
    find_divergent_branches(&d);
    for (uint32_t n = 0; n < lint->subject->acting_count; n++) {
        uint32_t i = lint->subject->acting[n];
        uint32_t block = lint->cfg->block_of[i];
        if (!lane_divergence_is_aligned(lint, i)) continue;
        if (!conditions_reach(lint->subject, block)) continue;
        const struct condition_set *set = condition_pairs_set(lint->subject, i);
        if (lanes_are_apart(&d, set)) divergent_aligned_report(&d, i, set);
    }
    vec_free(&d.branches);
    lane_divergence_report(lint, &lint_divergent_aligned);
    warpgroup_registers_report(lint, &lint_divergent_aligned);
}

const struct lint_code lint_divergent_aligned = {
    .id = "divergent-aligned",
    .section = "9.7.16.8.5",
    .summary = "an .aligned instruction that only some lanes of a warp, or some warps of a "
               "warpgroup, reach",
    .sentence = "The mandatory `.aligned` qualifier indicates that all threads in the warp must "
                "execute the same `tcgen05.wait_operation` instruction.",
    .risk = "the warp or warpgroup waits forever for its other threads, or the result is undefined",
    .explanation =
        "Broken:  elect.sync _|%p, -1; @!%p bra DONE; ... tcgen05.dealloc.sync.aligned; DONE:\n"
        "Right:   elect.sync _|%p, -1; @!%p bra DONE; ... DONE: tcgen05.dealloc.sync.aligned\n"
        "\n"
        "Under a condition, an .aligned instruction is defined only if all threads of the warp "
        "evaluate the condition identically. The same applies to bar.sync, which is "
        "barrier.sync.aligned. Lint evaluates the predicates on all paths to the instruction for "
        "each lane of each warp, if they depend on %tid.x, %laneid and elect.sync with a full "
        "mask. Lint reports an instruction if some lanes of a warp certainly reach it without "
        "the others, or if they may do so because a bound is a parameter of the kernel, which "
        "need not be a multiple of 32. tid.x >> 5 and tid.x < 64 are the same for all lanes of a "
        "warp. Where the paths join, the lanes are together again. Predicates that are computed "
        "from memory, or differ between rounds of a loop, are not evaluated. A warning at an "
        ".aligned instruction on one side of a branch on a value of each lane: loaded from "
        "another address in each lane or by tcgen05.ld, or computed from %tid.x, such as a row "
        "that is compared with the count of rows, and not combined by vote.sync, redux.sync or "
        "shfl.sync. A loaded integer counts if it decides how many rounds of a loop with tcgen05 "
        "instructions the lane takes.\n"
        "A note at a setmaxnreg: other warps of its warpgroup (four warps, the first one's "
        "number is a multiple of 4) execute one with another number of registers. That is "
        "undefined, but kernels do it.",
    .find = divergent_aligned_find,
};
