/* Simulates the first thread of each warp, and keeps a list of the bulk stores that it has issued
 * and not waited for. */
#include "lint/bulk_rounds.h"

#include "lint/bulk_slot.h"
#include "lint/handover.h"
#include "lint/interpret.h"
#include "value/instruction.h"
#include "value/lanes.h"

#define OPEN UINT32_MAX

/* A bulk store in flight. */
struct store {
    struct value source;
    uint32_t instr, group; /* group: its number, or OPEN until it is committed */
    uint32_t choices;
};

/* What the simulation does at an instruction. */
enum round_step { ROUND_NOTHING, ROUND_STORE, ROUND_WRITE, ROUND_COMMIT, ROUND_WAIT };

struct bulk_rounds {
    struct lint *lint;
    const struct lint_code *code;
    uint8_t *steps; /* by instruction: enum round_step */
    struct VEC(struct store) stores;
    uint32_t groups; /* committed so far */
    bool *said;      /* by instruction: already reported */
};

/* ---- instructions ---- */

static bool is_bulk_group_store(const struct lint *lint, uint32_t instr)
{
    return bulk_is_store(lint, instr) && instruction_has(lint->subject, instr, ".global");
}

static bool is_shared_store(const struct lint *lint, uint32_t instr)
{
    struct str base = instruction_base(lint->subject, instr);
    bool stores = str_is(base, "st") || str_is(base, "stmatrix");
    return stores && !instruction_has(lint->subject, instr, ".shared::cluster") &&
           (instruction_has(lint->subject, instr, ".shared") ||
            instruction_has(lint->subject, instr, ".shared::cta"));
}

/* A bulk copy from global memory into the own CTA. */
static bool is_bulk_load(const struct lint *lint, uint32_t instr)
{
    struct str opcode = instruction_opcode(lint->subject, instr);
    return str_starts(opcode, "cp.async.bulk.") && memmem(opcode.p, opcode.n, ".global", 7) &&
           !is_bulk_group_store(lint, instr) &&
           instruction_begins(lint->subject, instr, 0) == '[' &&
           (instruction_has(lint->subject, instr, ".shared::cta") ||
            instruction_has(lint->subject, instr, ".shared::cluster"));
}

static enum round_step round_step_of(const struct lint *lint, uint32_t instr)
{
    if (is_bulk_group_store(lint, instr)) return ROUND_STORE;
    if (is_shared_store(lint, instr) || is_bulk_load(lint, instr)) return ROUND_WRITE;
    if (bulk_commits(lint, instr)) return ROUND_COMMIT;
    return bulk_left_pending(lint, instr) >= 0 ? ROUND_WAIT : ROUND_NOTHING;
}

static uint32_t interest_in_rounds(const struct lint *lint, uint32_t instr, const void *context)
{
    const struct bulk_rounds *r = context;
    enum round_step step = round_step_of(lint, instr);
    r->steps[instr] = (uint8_t)step;
    if (step == ROUND_STORE) return interpret_needs(instruction_last_address(lint->subject, instr));
    if (step == ROUND_WRITE) return INTERPRET_MET | 1u << 0;
    return step ? INTERPRET_MET : 0;
}

/* ---- one thread ---- */

/* Removes the stores that the wait completes. An unknown guard counts as true. */
static void wait_for_stores(struct bulk_rounds *r, int64_t pending)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < r->stores.count; i++) {
        const struct store *s = &r->stores.at[i];
        if (s->group == OPEN || (int64_t)s->group + pending >= (int64_t)r->groups)
            r->stores.at[kept++] = *s;
    }
    r->stores.count = kept;
}

static void commit_stores(struct bulk_rounds *r)
{
    for (uint32_t i = 0; i < r->stores.count; i++)
        if (r->stores.at[i].group == OPEN) r->stores.at[i].group = r->groups;
    r->groups++;
}

static void note_store(struct bulk_rounds *r, const struct interpreter *run, uint32_t instr)
{
    struct value source =
        interpret_operand(run, instr, instruction_last_address(r->lint->subject, instr));
    if (value_is_none(source) || !value_is_fixed(r->lint->subject, source)) return;
    vec_push(&r->stores, ((struct store){source, instr, OPEN, interpret_free_choices(run)}));
}

static void compare_write(struct bulk_rounds *r, const struct interpreter *run, uint32_t instr)
{
    struct value to = interpret_operand(run, instr, 0);
    if (r->said[instr] || value_is_none(to)) return;
    lint_spend(r->lint, r->stores.count);
    for (uint32_t i = 0; i < r->stores.count; i++) {
        const struct store *s = &r->stores.at[i];
        if (!value_same(s->source, to) || s->choices != interpret_free_choices(run)) continue;
        r->said[instr] = true;
        lint_report(
            r->lint,
            (struct hazard){r->code, LINT_WARNING, instr, s->instr,
                            "this writes the slot that %s may still read[: the last wait of the "
                            "thread does not cover that store]",
                            "let the thread that issued %s execute cp.async.bulk.wait_group.read "
                            "with a smaller number before this write",
                            NULL, 0, NULL});
        return;
    }
}

static bool look_at_round(void *context, struct interpreter *run, uint32_t instr)
{
    struct bulk_rounds *r = context;
    bool certain = interpret_certain(run);
    switch ((enum round_step)r->steps[instr]) {
    case ROUND_WAIT: wait_for_stores(r, bulk_left_pending(r->lint, instr)); break;
    case ROUND_COMMIT:
        if (!certain) return false; /* the groups cannot be counted */
        commit_stores(r);
        break;
    case ROUND_STORE:
        if (certain) note_store(r, run, instr);
        break;
    case ROUND_WRITE:
        if (certain && r->stores.count) compare_write(r, run, instr);
        break;
    case ROUND_NOTHING: break;
    }
    return true;
}

/* Some bulk store uses a ring whose number of slots the address does not show; or the same
 * thread copies into its slots. */
static bool has_ring(const struct lint *lint)
{
    uint32_t moving = NO_INSTR, load = NO_INSTR;
    for (uint32_t n = 0; n < lint->subject->acting_count; n++) {
        uint32_t i = lint->subject->acting[n];
        if (is_bulk_load(lint, i)) load = i;
        if (!is_bulk_group_store(lint, i)) continue;
        struct bulk_slot slot = bulk_slot_of(lint, i, instruction_last_address(lint->subject, i));
        if (!slot.fixed && !slot.size) return true;
        if (!slot.fixed) moving = i;
    }
    return moving != NO_INSTR && load != NO_INSTR && handover_reaches(lint, moving, load);
}

/* The warps that may issue a bulk store, as bits. */
static uint32_t warps_of_stores(const struct lint *lint)
{
    uint32_t warps = 0;
    for (uint32_t n = 0; n < lint->subject->acting_count; n++)
        if (is_bulk_group_store(lint, lint->subject->acting[n]))
            warps |=
                lanes_warps_at(lint->subject, &lint->handovers->shape, lint->subject->acting[n]);
    return warps;
}

void bulk_rounds_find(struct lint *lint, const struct lint_code *code)
{
    struct bulk_rounds r = {.lint = lint, .code = code};
    uint32_t warps = lanes_warps_at_most(&lint->handovers->shape);
    if (!has_ring(lint)) return;
    r.said = arena_alloc(lint->arena, lint->function->count + 1, sizeof *r.said);
    uint32_t storing = warps_of_stores(lint);
    r.steps = arena_alloc(lint->arena, lint->function->count + 1, sizeof *r.steps);
    struct interpreter *run = interpret_begin(lint, interest_in_rounds, &r);
    for (uint32_t w = 0; w < warps; w++) {
        if (!(storing >> w & 1)) continue; /* it has no store that could be overwritten */
        r.stores.count = r.groups = 0;
        (void)interpret_thread(run, w * WARP, look_at_round, &r);
    }
    interpret_end(run);
    vec_free(&r.stores);
}
