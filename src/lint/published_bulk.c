/* A bulk store to global memory that is published before it is complete:
 *
 *     cp.async.bulk.global.shared::cta.bulk_group [g], [s], n; commit_group; wait_group.read 0;
 *     red.release.gpu.global.add.u32 [flag], 1
 *     …; commit_group; wait_group 0; red.release.gpu.global.add.u32 [flag], 1                 right
 *
 * wait_group.read waits until shared memory has been read. Only a wait_group without .read, of the
 * thread that issued the store, waits until global memory is written. A flag is reported only if
 * the thread neither writes memory nor waits for other warps between the wait and the flag;
 * otherwise the flag may announce that other work. */
#include "lint/published_bulk.h"

#include "lint/bulk_slot.h"
#include "lint/handover.h"
#include "lint/releases.h"
#include "lint/walk.h"
#include "value/instruction.h"

/* The state of a walk. READ: a wait for the source was executed; FENCED: a release fence was
 * executed after that wait; from bit COUNT_SHIFT on: the number of groups committed since the
 * store, at most GROUPS_MAX. */
enum { READ = 1, FENCED = 2, COUNT_SHIFT = 2, GROUPS_MAX = 63 };

/* The scope of the instruction is the GPU or the system. */
static bool has_gpu_scope(const struct lint *lint, uint32_t instr)
{
    return instruction_has(lint->subject, instr, ".gpu") ||
           instruction_has(lint->subject, instr, ".sys");
}

static bool is_release_fence(const struct lint *lint, uint32_t instr)
{
    struct str opcode = instruction_opcode(lint->subject, instr);
    if (str_starts(opcode, "membar.gl") || str_starts(opcode, "membar.sys")) return true;
    bool orders = str_starts(opcode, "fence.acq_rel") || str_starts(opcode, "fence.sc") ||
                  str_starts(opcode, "fence.release");
    return orders && has_gpu_scope(lint, instr);
}

/* A store, red or atom that is a release, by itself or after a release fence (fenced). */
static bool is_global_flag(const struct lint *lint, uint32_t instr, bool fenced)
{
    if (release_of(lint, instr) != RELEASE_FLAG || !has_gpu_scope(lint, instr)) return false;
    if (lint->function->instrs[instr].space == SPACE_SHARED) return false;
    return fenced || instruction_has(lint->subject, instr, ".release") ||
           instruction_has(lint->subject, instr, ".acq_rel");
}

/* The instruction waits for other warps or writes memory, so a later flag may be for that work. */
static bool is_other_work(const struct lint *lint, uint32_t instr)
{
    struct str base = instruction_base(lint->subject, instr);
    const struct handover *h = handover_at(lint, instr);
    bool writes = str_is(base, "st") || str_is(base, "red") || str_is(base, "atom");
    return writes || (h && h->waits && h->channel != CHANNEL_WARP);
}

static enum walk_does look_for_global_flag(void *context, const struct lint *lint, uint32_t instr,
                                           unsigned *state)
{
    unsigned groups = *state >> COUNT_SHIFT;
    int64_t pending = bulk_left_pending(lint, instr);
    bool covers = pending >= 0 && groups && pending < groups;
    enum effect e = lint_effect(lint, instr);
    (void)context;
    if (e == EFFECT_CALL || e == EFFECT_EXIT) return WALK_END;
    if (covers && !instruction_has(lint->subject, instr, ".read")) return WALK_END;
    if (covers) *state |= READ;
    if (bulk_commits(lint, instr) && groups < GROUPS_MAX) *state += 1 << COUNT_SHIFT;
    if (!(*state & READ)) return WALK_ON;
    if (is_release_fence(lint, instr)) *state |= FENCED;
    if (is_global_flag(lint, instr, *state & FENCED)) return WALK_FOUND;
    return is_other_work(lint, instr) ? WALK_END : WALK_ON;
}

/* The function sets a flag and has a wait_group.read. Without both, no walk is needed. */
static bool may_publish_bulk(const struct lint *lint)
{
    const struct function *f = lint->function;
    bool reads = false, sets = false;
    lint_spend(lint, f->notable_count);
    for (uint32_t n = 0; n < f->notable_count && !(reads && sets); n++) {
        uint32_t i = f->notable[n];
        reads |= bulk_left_pending(lint, i) >= 0 && instruction_has(lint->subject, i, ".read");
        sets |= is_global_flag(lint, i, true);
    }
    return reads && sets;
}

void published_bulk_report(struct lint *lint, const struct lint_code *code)
{
    static const struct lint_words words = {
        "9.7.9.25.3.2",
        "The optional `.read` modifier indicates that the waiting has to be done until all the "
        "bulk async operations in the specified bulk async-group have completed reading from "
        "their source locations."};
    const struct function *f = lint->function;
    const uint32_t interest =
        1 << EFFECT_MEMORY | 1 << EFFECT_MEET_MEMORY | WALK_HANDOVERS | 1 << EFFECT_EXIT;
    uint32_t last = NO_INSTR;
    if (!may_publish_bulk(lint)) return;
    for (uint32_t n = 0; n < f->notable_count; n++) {
        uint32_t i = f->notable[n];
        struct walk_path path;
        if (!bulk_is_store(lint, i)) continue;
        if (!walk_find(lint, i, 0, interest, look_for_global_flag, NULL, &path) || path.vague)
            continue;
        if (path.found == last) continue; /* one finding for each flag */
        last = path.found;
        lint_report(lint, (struct hazard){code, LINT_WARNING, path.found, i,
                                          "this publishes what %s writes, which may be in flight[: "
                                          "its thread has only waited until the source was read]",
                                          "wait with cp.async.bulk.wait_group, without .read, "
                                          "between %s and here",
                                          path.instrs, path.count, &words});
    }
}
