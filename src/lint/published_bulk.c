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

enum { STORES_MAX = 16 };

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

static bool waits_for_source(const struct lint *lint, uint32_t instr)
{
    return bulk_left_pending(lint, instr) >= 0 && instruction_has(lint->subject, instr, ".read");
}

/* A walk to a flag. */
struct to_flag {
    bool from_wait; /* it begins at a wait for the source: another such wait ends the path, because
                       it is the start of a walk itself */
    bool only_bulk; /* bulk stores are all that a flag can announce */
};

static enum walk_does look_for_global_flag(void *context, const struct lint *lint, uint32_t instr,
                                           unsigned *state)
{
    unsigned groups = *state >> COUNT_SHIFT;
    int64_t pending = bulk_left_pending(lint, instr);
    const struct to_flag *to = context;
    bool covers = pending >= 0 && groups && pending < groups;
    enum effect e = lint_effect(lint, instr);
    if (e == EFFECT_CALL || e == EFFECT_EXIT) return WALK_END;
    if (covers && !waits_for_source(lint, instr)) return WALK_END;
    if (covers && to->from_wait && !(*state & FENCED)) return WALK_END;
    if (covers) *state |= READ;
    if (bulk_commits(lint, instr) && groups < GROUPS_MAX) *state += 1 << COUNT_SHIFT;
    if (!(*state & READ)) return WALK_ON;
    if (is_release_fence(lint, instr)) *state |= FENCED;
    if (is_global_flag(lint, instr, *state & FENCED)) return WALK_FOUND;
    return !to->only_bulk && is_other_work(lint, instr) ? WALK_END : WALK_ON;
}

static bool has_any(const struct lint *lint, uint32_t instr, const char *const *words)
{
    for (; *words; words++)
        if (instruction_has(lint->subject, instr, *words)) return true;
    return false;
}

/* The instruction writes global memory other than by a bulk store, waits until bulk stores are
 * complete, or learns by a flag what it may use, which another flag may give back. */
static bool may_be_announced(const struct lint *lint, uint32_t instr)
{
    static const char *const writers[] = {"st", "red", "atom", "multimem", "tensormap", "call"};
    static const char *const elsewhere[] = {".shared", ".shared::cta", ".shared::cluster", ".local",
                                            NULL};
    static const char *const strong[] = {".acquire", ".relaxed", ".volatile", ".mmio", NULL};
    struct str base = instruction_base(lint->subject, instr);
    if (bulk_left_pending(lint, instr) >= 0) return !waits_for_source(lint, instr);
    if (has_any(lint, instr, elsewhere) || is_global_flag(lint, instr, true)) return false;
    for (size_t i = 0; i < sizeof writers / sizeof *writers; i++)
        if (str_is(base, writers[i])) return true;
    return str_is(base, "ld") && has_any(lint, instr, strong);
}

static bool announces_only_bulk(const struct lint *lint)
{
    const struct subject *subject = lint->subject;
    lint_spend(lint, subject->acting_count);
    for (uint32_t n = 0; n < subject->acting_count; n++)
        if (may_be_announced(lint, subject->acting[n])) return false;
    return true;
}

/* The function sets a flag and has a wait_group.read. Without both, no walk is needed. */
static bool may_publish_bulk(const struct lint *lint)
{
    const struct function *f = lint->function;
    bool reads = false, sets = false;
    lint_spend(lint, f->notable_count);
    for (uint32_t n = 0; n < f->notable_count && !(reads && sets); n++) {
        uint32_t i = f->notable[n];
        reads |= waits_for_source(lint, i);
        sets |= is_global_flag(lint, i, true);
    }
    return reads && sets;
}

static const uint32_t interest =
    1 << EFFECT_MEMORY | 1 << EFFECT_MEET_MEMORY | WALK_HANDOVERS | 1 << EFFECT_EXIT;

/* Reports a flag that a thread may set after a wait for the source, at `nth` in notable. The store
 * is the nearest one from which a walk finds the flag: before the wait in the text, or, in a loop,
 * after it. */
static void report_flag(struct lint *lint, const struct lint_code *code, uint32_t nth,
                        uint32_t flag, bool only_bulk)
{
    static const struct lint_words words = {
        "9.7.9.25.3.2",
        "The optional `.read` modifier indicates that the waiting has to be done until all the "
        "bulk async operations in the specified bulk async-group have completed reading from "
        "their source locations."};
    const struct function *f = lint->function;
    struct to_flag to = {false, only_bulk};
    uint32_t asked = 0;
    for (uint32_t n = 0; n < f->notable_count && asked < STORES_MAX; n++) {
        uint32_t store = f->notable[(nth + f->notable_count - n) % f->notable_count];
        struct walk_path path;
        if (!bulk_is_store(lint, store)) continue;
        asked++;
        if (!walk_find(lint, store, 0, interest, look_for_global_flag, &to, &path) || path.vague ||
            path.found != flag)
            continue;
        lint_report(lint, (struct hazard){code, LINT_WARNING, flag, store,
                                          "this publishes what %s writes, which may be in flight[: "
                                          "its thread has only waited until the source was read]",
                                          "wait with cp.async.bulk.wait_group, without .read, "
                                          "between %s and here",
                                          path.instrs, path.count, &words});
        return;
    }
}

void published_bulk_report(struct lint *lint, const struct lint_code *code)
{
    const struct function *f = lint->function;
    uint32_t last = NO_INSTR;
    if (!may_publish_bulk(lint)) return;
    struct to_flag to = {true, announces_only_bulk(lint)};
    for (uint32_t n = 0; n < f->notable_count; n++) {
        uint32_t wait = f->notable[n];
        struct walk_path path;
        if (!waits_for_source(lint, wait)) continue;
        int64_t groups =
            bulk_left_pending(lint, wait) + 1; /* since the newest store that is read */
        if (groups > GROUPS_MAX) continue;
        unsigned state = READ | (unsigned)groups << COUNT_SHIFT;
        if (!walk_find(lint, wait, state, interest, look_for_global_flag, &to, &path)) continue;
        if (path.found == last) continue; /* one finding for each flag */
        last = path.found;
        report_flag(lint, code, n, last, to.only_bulk);
    }
}
