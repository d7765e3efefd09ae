/* Follows the paths on which queries of a clusterlaunchcontrol answer succeed. See
 * cancel_query.h. */
#include "lint/cancel_query.h"

#include "value/conditions.h"
#include "value/instruction.h"

struct cancel_paths {
    const struct lint *lint;
    struct condition_set success; /* the conditions "all queries succeed" */
    uint32_t to;
    bool (*ends)(const struct lint *lint, uint32_t instr);
    bool *open; /* by block: it was reached */
    struct VEC(uint32_t) blocks;
};

static void assume_success(struct cancel_paths *paths)
{
    const struct function *f = paths->lint->function;
    lint_spend(paths->lint, f->count);
    for (uint32_t n = 0; n < paths->lint->subject->acting_count; n++) {
        uint32_t i = paths->lint->subject->acting[n];
        const struct use *use = &f->uses[f->instrs[i].first_use];
        if (lint_effect(paths->lint, i) != EFFECT_BOTH_MEMORY || !f->instrs[i].use_count) continue;
        if (!str_is(instruction_base(paths->lint->subject, i), "clusterlaunchcontrol")) continue;
        if (!instruction_has(paths->lint->subject, i, ".is_canceled") || !use->write) continue;
        struct value succeeds = value_of(paths->lint->subject, use->reg);
        (void)condition_add(paths->lint->subject, &paths->success, succeeds, true);
    }
}

/* Follows the block from instr on. True if it reaches paths->to. */
static bool follow_from(struct cancel_paths *paths, uint32_t instr)
{
    const struct cfg *cfg = paths->lint->cfg;
    uint32_t block = cfg->block_of[instr];
    lint_spend(paths->lint, cfg->blocks[block].end - instr);
    for (; instr < cfg->blocks[block].end; instr++) {
        struct value guard = value_of_guard(paths->lint->subject, instr);
        if (instr == paths->to) return true;
        if (paths->ends(paths->lint, instr) &&
            condition_truth(paths->lint->subject, &paths->success, guard) == TRUTH_YES)
            return false;
    }
    for (uint32_t i = 0; i < cfg->blocks[block].succ_count; i++) {
        uint32_t next = cfg->succs[cfg->blocks[block].first_succ + i];
        struct condition_set set = paths->success;
        if (paths->open[next] || !conditions_on_edge(paths->lint->subject, block, next, &set))
            continue;
        paths->open[next] = true;
        vec_push(&paths->blocks, next);
    }
    return false;
}

bool cancel_query_leads(const struct lint *lint, uint32_t from, uint32_t to,
                        bool (*ends)(const struct lint *lint, uint32_t instr))
{
    struct cancel_paths paths = {.lint = lint, .to = to, .ends = ends};
    paths.open = arena_alloc(lint->arena, lint->cfg->count, sizeof *paths.open);
    assume_success(&paths);
    bool leads = follow_from(&paths, from);
    while (!leads && paths.blocks.count)
        leads = follow_from(&paths, lint->cfg->blocks[paths.blocks.at[--paths.blocks.count]].first);
    vec_free(&paths.blocks);
    return leads;
}
