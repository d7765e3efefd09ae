/* Follows each tensor copy to instructions of the same thread that overwrite its tensor map.
 *
 *     cp.async.bulk.tensor … [map, …], [mbar]; tensormap.cp_fenceproxy [map] broken
 *     cp.async.bulk.tensor … [map, …], [mbar]; mbarrier.try_wait [mbar]; tensormap.… [map]    right
 *
 * Any wait ends the search: it may show that the copy is complete, by itself or because the thread
 * that it waits for has waited for the copy. Of the paths that are found, only those count that the
 * simulation of the first thread of a warp confirms, because a loop often skips the wait in its
 * first iteration. */
#include "lint/tensormap_reused.h"

#include <stdlib.h>

#include "lint/bulk_slot.h"
#include "lint/global_root.h"
#include "lint/handover.h"
#include "lint/interpret.h"
#include "lint/walk.h"
#include "value/instruction.h"
#include "value/lanes.h"

/* A tensor copy in flight. */
struct copy {
    struct value map; /* the address of its tensor map */
    uint32_t instr, choices;
};

struct tensormaps {
    struct lint *lint;
    const struct lint_code *code;
    struct value map; /* of the copy whose paths are examined */
    struct VEC(struct copy) copies;
    struct tensormap_uses writes;
    bool *said; /* by instruction: already reported */
};

/* ---- instructions ---- */

/* The instruction overwrites a tensor map in global memory. Its first operand is the address. */
static bool tensormap_is_written(const struct lint *lint, uint32_t instr)
{
    struct str opcode = instruction_opcode(lint->subject, instr);
    return str_starts(opcode, "tensormap.cp_fenceproxy.global") ||
           (str_starts(opcode, "tensormap.replace") &&
            instruction_has(lint->subject, instr, ".global"));
}

static bool is_tensor_copy(const struct lint *lint, uint32_t instr)
{
    struct str opcode = instruction_opcode(lint->subject, instr);
    return str_starts(opcode, "cp.async.bulk.tensor") ||
           str_starts(opcode, "cp.reduce.async.bulk.tensor");
}

static bool may_show_completion(const struct lint *lint, uint32_t instr)
{
    const struct handover *h = handover_at(lint, instr);
    return (h && h->waits && handover_with_other_warps(lint, instr)) ||
           bulk_left_pending(lint, instr) >= 0;
}

struct value tensormap_of_copy(const struct lint *lint, uint32_t instr)
{
    if (!is_tensor_copy(lint, instr)) return VALUE_NONE;
    struct str opcode = instruction_opcode(lint->subject, instr);
    bool stores = instruction_opcode_has(opcode, ".global.shared::cta");
    return global_address_of(lint, instr, stores ? 0 : 1);
}

/* VALUE_NONE: not known, or not the same for each execution. */
static struct value map_of_copy(const struct lint *lint, uint32_t instr)
{
    struct value map = tensormap_of_copy(lint, instr);
    return value_is_fixed(lint->subject, map) ? map : VALUE_NONE;
}

/* ---- the instructions of each map ---- */

static int compare_tensormap_uses(const void *a, const void *b)
{
    const struct tensormap_use *x = a, *y = b;
    if (x->map.base != y->map.base) return x->map.base < y->map.base ? -1 : 1;
    if (x->map.offset != y->map.offset) return x->map.offset < y->map.offset ? -1 : 1;
    return (x->instr > y->instr) - (x->instr < y->instr);
}

static struct value map_written(const struct lint *lint, uint32_t instr)
{
    if (lint_effect(lint, instr) != EFFECT_BOTH_MEMORY || !tensormap_is_written(lint, instr))
        return VALUE_NONE;
    return value_of_operand(lint->subject, instr, 0);
}

void tensormaps_list(const struct lint *lint, bool writes, struct tensormap_uses *uses)
{
    const struct subject *subject = lint->subject;
    lint_spend(lint, subject->acting_count);
    for (uint32_t n = 0; n < subject->acting_count; n++) {
        uint32_t i = subject->acting[n];
        struct value map = writes ? map_written(lint, i) : tensormap_of_copy(lint, i);
        if (!value_is_none(map)) vec_push(uses, ((struct tensormap_use){map, i}));
    }
    if (uses->count) qsort(uses->at, uses->count, sizeof *uses->at, compare_tensormap_uses);
}

bool tensormaps_follow(const struct lint *lint, const struct tensormap_uses *uses, struct value map,
                       uint32_t instr)
{
    uint32_t low = 0, high = uses->count;
    const struct tensormap_use first = {map, 0};
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (compare_tensormap_uses(&uses->at[middle], &first) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    for (; low < uses->count && value_same(uses->at[low].map, map); low++)
        if (handover_reaches(lint, instr, uses->at[low].instr)) return true;
    return false;
}

/* ---- paths ---- */

static enum walk_does look_for_map(void *context, const struct lint *lint, uint32_t instr,
                                   unsigned *state)
{
    const struct tensormaps *t = context;
    (void)state;
    if (may_show_completion(lint, instr) || lint_effect(lint, instr) == EFFECT_CALL)
        return WALK_END;
    bool found = tensormap_is_written(lint, instr) &&
                 value_same(value_of_operand(lint->subject, instr, 0), t->map);
    return found ? WALK_FOUND : WALK_ON;
}

static bool leads_to_map(struct tensormaps *t, uint32_t copy)
{
    struct walk_path path;
    t->map = map_of_copy(t->lint, copy);
    return !value_is_none(t->map) &&
           conditions_reach(t->lint->subject, t->lint->cfg->block_of[copy]) &&
           tensormaps_follow(t->lint, &t->writes, t->map, copy) &&
           walk_find(t->lint, copy, 0, ~(1u << EFFECT_REGISTER | 1u << EFFECT_MEMORY), look_for_map,
                     t, &path);
}

/* ---- the simulation ---- */

static uint32_t interest_in_maps(const struct lint *lint, uint32_t instr, const void *context)
{
    (void)context;
    bool met = tensormap_is_written(lint, instr) || is_tensor_copy(lint, instr) ||
               may_show_completion(lint, instr);
    return met ? INTERPRET_MET : 0;
}

static void note_copy(struct tensormaps *t, const struct interpreter *run, uint32_t instr)
{
    struct value map = map_of_copy(t->lint, instr);
    if (!value_is_none(map))
        vec_push(&t->copies, ((struct copy){map, instr, interpret_choices(run)}));
}

static void compare_map(struct tensormaps *t, const struct interpreter *run, uint32_t instr)
{
    struct value map = value_of_operand(t->lint->subject, instr, 0);
    lint_spend(t->lint, t->copies.count);
    for (uint32_t i = 0; i < t->copies.count && !t->said[instr]; i++) {
        const struct copy *c = &t->copies.at[i];
        if (!value_same(c->map, map) || c->choices != interpret_choices(run)) continue;
        t->said[instr] = true;
        lint_report(t->lint,
                    (struct hazard){t->code, LINT_WARNING, instr, c->instr,
                                    "this overwrites the tensor map that the copy at %s may still "
                                    "read[: the thread has not waited for the copy]",
                                    "wait for the mbarrier or the bulk group of %s before the "
                                    "tensor map is written",
                                    NULL, 0, NULL});
    }
}

static bool look_at_map(void *context, struct interpreter *run, uint32_t instr)
{
    struct tensormaps *t = context;
    if (may_show_completion(t->lint, instr))
        t->copies.count = 0;
    else if (interpret_certain(run) && tensormap_is_written(t->lint, instr))
        compare_map(t, run, instr);
    else if (interpret_certain(run))
        note_copy(t, run, instr);
    return true;
}

static void simulate_copies(struct tensormaps *t)
{
    uint32_t warps = lanes_warps_at_most(&t->lint->handovers->shape);
    struct interpreter *run = interpret_begin(t->lint, interest_in_maps, NULL);
    t->said = arena_alloc(t->lint->arena, t->lint->function->count, sizeof *t->said);
    for (uint32_t w = 0; w < warps; w++) {
        t->copies.count = 0;
        (void)interpret_thread(run, w * WARP, look_at_map, t);
    }
    interpret_end(run);
    vec_free(&t->copies);
}

void tensormap_reused_find(struct lint *lint, const struct lint_code *code)
{
    struct tensormaps t = {.lint = lint, .code = code};
    bool found = false;
    tensormaps_list(lint, true, &t.writes);
    for (uint32_t n = 0; t.writes.count && n < lint->subject->acting_count && !found; n++) {
        uint32_t i = lint->subject->acting[n];
        found = is_tensor_copy(lint, i) && leads_to_map(&t, i);
    }
    if (found) simulate_copies(&t);
    vec_free(&t.writes);
}
