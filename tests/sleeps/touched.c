#include "touched.h"

#include <stdlib.h>

#include "../harness.h"
#include "value/barriers.h"
#include "lint/dependents.h"
#include "lint/run.h"
#include "value/instruction.h"
#include "value/tmem.h"
#include "lint/walk.h"
#include "proxies.h"
#include "syntax/cst.h"

struct touched {
    struct arena arena;
    struct source source;
    struct diag_list diags;
    struct cst *cst;
    struct view view;
    struct lint *lints; /* one for each function; NULL for a function without a graph */
};

struct touched *touched_of(struct str text)
{
    struct touched *touched = must(calloc(1, sizeof *touched));
    source_init(&touched->source, &touched->arena, "", text);
    touched->cst = cst_parse(&touched->source, &touched->arena, &touched->diags);
    if (!touched->cst) return touched_free(touched), NULL;
    struct reader *reader = reader_of_tree(touched->cst);
    view_build(&touched->view, reader, &touched->source, true, &touched->arena);
    reader_free(reader);
    touched->lints = must(calloc(touched->view.count + 1, sizeof *touched->lints));
    for (uint32_t f = 0; f < touched->view.count; f++) {
        const struct function *function = &touched->view.functions[f];
        struct cfg *cfg = arena_alloc(&touched->arena, 1, sizeof *cfg);
        uint32_t at;
        if (cfg_build(cfg, function, &touched->source, &touched->arena, &at)) continue;
        touched->lints[f] = (struct lint){
            .view = &touched->view, .function = function, .cfg = cfg, .arena = &touched->arena};
        lint_begin(&touched->lints[f]);
    }
    return touched;
}

void touched_free(struct touched *touched)
{
    if (!touched) return;
    for (uint32_t f = 0; touched->lints && f < touched->view.count; f++)
        if (touched->lints[f].function) lint_end(&touched->lints[f]);
    free(touched->lints);
    vec_free(&touched->diags);
    if (touched->cst) cst_free(touched->cst);
    arena_free(&touched->arena);
    free(touched);
}

static bool is_operation(const struct instr *instr)
{
    return effect_is_async(instr->opcode->effect);
}

static bool is_fence_before(const struct instr *instr)
{
    return instr->opcode->effect == EFFECT_FENCE_BEFORE;
}

static bool is_fence_after(const struct instr *instr)
{
    return instr->opcode->effect == EFFECT_FENCE_AFTER;
}

static bool is_fence_of_memory(const struct instr *instr)
{
    return !strncmp(instr->opcode->name, "fence", 5);
}

/* The first instruction of that line that is one, with its lint; or NO_INSTR. */
static uint32_t find_at(const struct touched *touched, uint32_t line,
                        bool (*is_one)(const struct instr *), struct lint **lint)
{
    uint32_t from = source_line_start(&touched->source, line);
    uint32_t to = source_line_start(&touched->source, line + 1);
    for (uint32_t f = 0; f < touched->view.count; f++) {
        *lint = &touched->lints[f];
        const struct function *function = (*lint)->function;
        if (!function || to <= function->span.start || from >= function->span.end) continue;
        for (uint32_t i = 0; i < function->count; i++)
            if (function->instrs[i].span.start >= from && function->instrs[i].span.start < to &&
                is_one(&function->instrs[i]))
                return i;
    }
    return NO_INSTR;
}

static bool apart(const struct tmem_range *a, const struct tmem_range *b)
{
    return a->count && b->count && a->base.base == b->base.base &&
           (a->first + a->count <= b->first || b->first + b->count <= a->first);
}

bool touched_apart(const struct touched *touched, uint32_t line, uint32_t other, bool once)
{
    struct lint *lint, *of_other;
    struct tmem_range ranges[TMEM_RANGES_MAX], others[TMEM_RANGES_MAX];
    uint32_t a = find_at(touched, line, is_operation, &lint);
    uint32_t b = find_at(touched, other, is_operation, &of_other);
    if (a == NO_INSTR || b == NO_INSTR || lint != of_other) return false;
    uint32_t n = tmem_ranges(lint->subject, a, ranges), m = tmem_ranges(lint->subject, b, others);
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = 0; j < m; j++)
            if (!apart(&ranges[i], &others[j])) return false;
    return n && m && (value_is_fixed(lint->subject, ranges[0].base) || once);
}

static bool is_to_memory(enum effect effect)
{
    return effect == EFFECT_MEMORY || effect == EFFECT_MEET_MEMORY || effect == EFFECT_ASYNC_ST ||
           effect_is_release(effect) || effect == EFFECT_BOTH_MEMORY;
}

bool touched_consumed(const struct touched *touched, uint32_t load, uint32_t before)
{
    struct lint *lint;
    uint32_t at = find_at(touched, load, is_operation, &lint);
    uint32_t end = source_line_start(&touched->source, before);
    if (at == NO_INSTR || lint_effect(lint, at) != EFFECT_ASYNC_LD) return false;
    struct lint own = *lint;
    struct dependents *dependents = dependents_build(&own);
    struct loaded_set gone = {{0}};
    dependents_follow(dependents, at);
    for (uint32_t i = at + 1; i < lint->function->count; i++) {
        if (lint->function->instrs[i].span.start >= end) break;
        if (!is_to_memory(lint_effect(lint, i))) continue;
        struct loaded_set read = dependents_read_by(dependents, i);
        (void)loaded_set_add(&gone, &read);
    }
    struct loaded_set all = dependents_all(dependents);
    bool consumed = loaded_set_covers(&gone, &all);
    dependents_free(dependents);
    return consumed;
}

struct completing {
    uint32_t to;
    enum effect by;
};

static enum walk_does look_for_completion(void *context, const struct lint *lint, uint32_t instr,
                                          unsigned *state)
{
    const struct completing *c = context;
    (void)state;
    if (instr == c->to) return WALK_FOUND;
    return lint_effect(lint, instr) == c->by ? WALK_END : WALK_ON;
}

static bool is_waited_for(const struct lint *lint, uint32_t commit, uint32_t to)
{
    const struct barrier_use *use = barriers_at(lint->subject, commit);
    for (uint32_t i = commit; use && i < to; i++) {
        const struct barrier_use *wait = barriers_at(lint->subject, i);
        if (wait && wait->kind == BARRIER_WAIT && barriers_same(use, wait)) return true;
    }
    return false;
}

/* In the order of the text: the thread that is elected for one is elected for the other. */
static bool is_committed_and_waited_for(const struct lint *lint, uint32_t at, uint32_t to)
{
    for (uint32_t i = at; i < to; i++)
        if (lint_effect(lint, i) == EFFECT_COMMIT && is_waited_for(lint, i, to)) return true;
    return false;
}

bool touched_tracked(const struct touched *touched, uint32_t line, uint32_t fence)
{
    struct lint *lint, *of_fence;
    struct walk_path path;
    uint32_t at = find_at(touched, line, is_operation, &lint);
    uint32_t to = find_at(touched, fence, is_fence_before, &of_fence);
    if (at == NO_INSTR || to == NO_INSTR || lint != of_fence) return false;
    struct completing c = {.to = to, .by = EFFECT_COMMIT};
    if (lint_effect(lint, at) == EFFECT_ASYNC_LD) c.by = EFFECT_WAIT_LD;
    if (lint_effect(lint, at) == EFFECT_ASYNC_ST) c.by = EFFECT_WAIT_ST;
    if (c.by == EFFECT_COMMIT && is_committed_and_waited_for(lint, at, to)) return true;
    return !walk_forward(lint, at, 0, 1u << EFFECT_FENCE_BEFORE | 1u << c.by, look_for_completion,
                         &c, &path) &&
           !path.gave_up;
}

/* mbarrier.try_wait, bar.sync, … */
static bool acquires(const struct lint *lint, uint32_t i)
{
    enum effect effect = lint_effect(lint, i);
    bool meets = effect == EFFECT_BOTH_BARRIER && instruction_joins_warps(lint->subject, i);
    return (meets || effect == EFFECT_ACQUIRE_BARRIER) &&
           !instruction_has(lint->subject, i, ".relaxed");
}

bool touched_acquired(const struct touched *touched, uint32_t source, uint32_t fence)
{
    struct lint *lint;
    uint32_t from = source_line_start(&touched->source, source);
    uint32_t to = find_at(touched, fence, is_fence_after, &lint);
    if (to == NO_INSTR) return false;
    for (uint32_t i = to; i-- > 0 && lint->function->instrs[i].span.start >= from;)
        if (acquires(lint, i)) return true;
    return false;
}

bool touched_idle(const struct touched *touched, uint32_t fence)
{
    struct lint *lint;
    uint32_t at = find_at(touched, fence, is_fence_of_memory, &lint);
    return at != NO_INSTR && proxies_idle(lint, at);
}
