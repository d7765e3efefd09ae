/* Finds out whether an observer needs a fence. See loss.h; the entries are the observers of the
 * ordering model under the literal reading of G4 and G5. */
#include "order/loss.h"

/* A fence::after restores the order of issue. The arrival of a commit comes after all operations
 * that were issued before it. Later barriers come after the implicit fence of the commit, but other
 * ordering operations do not. */
static const struct cover_entry *loss_look(const struct scan *scan, uint32_t i,
                                           const struct cover_entry *own, unsigned *lost)
{
    static const struct cover_entry pass = {0}, done = DONE, beyond = STOP(REASON_BEYOND_COMMIT);
    enum effect effect = analysis_effect(scan->analysis, i);
    bool always = analysis_always(scan->analysis, i);
    if (effect == EFFECT_FENCE_AFTER) {
        if (always) *lost &= ~(unsigned)LOST_ISSUE;
        return *lost ? own : &done;
    }
    if (effect == EFFECT_COMMIT && own->given) {
        if (!(*lost & LOST_PUBLISH) || !always) return &pass;
        *lost = (*lost & ~(unsigned)LOST_PUBLISH) | LOST_BEYOND_COMMIT;
        return own;
    }
    bool misses = *lost & LOST_BEYOND_COMMIT && !(*lost & LOST_PUBLISH);
    return misses && effect_is_beyond_commit(effect) ? &beyond : own;
}

/* clang-format off */

/* Synchronous tcgen05 instructions are inherently ordered with the others (9.7.16.6.1). G4 orders
 * acquires after a fence::before as it orders releases. No asynchronous operation of the thread
 * follows the end of the thread, but a .func returns to its caller. */
#define TO_OBSERVERS                                                                               \
    [EFFECT_FENCE_BEFORE] = COVER,                                                                 \
    [EFFECT_FENCE_AFTER] = LOOK,                                                                   \
    ON_RELEASE(STOP(REASON_RELEASE, .only = LOST_PUBLISH)),                                        \
    ON_ACQUIRE(STOP(REASON_ACQUIRE, .only = LOST_PUBLISH)),                                        \
    ON_BOTH(STOP(REASON_RELEASE, .only = LOST_PUBLISH)),                                           \
    ON_MEET(REASON_RELEASE, .only = LOST_PUBLISH | LOST_BEYOND_COMMIT),                            \
    [EFFECT_ALLOC] = STOP(REASON_OBSERVER, .only = LOST_PUBLISH),                                  \
    [EFFECT_CALL] = STOP(REASON_CALL),                                                             \
    [EFFECT_EXIT] = PASS_GIVEN(ASSUME_EXIT_SILENT, REASON_EXIT, .only = LOST_PUBLISH)

const struct cover_table loss_tables[2] = {
    {
        .name = "lost",
        .states = SCAN_STATES,
        .on = {
            TO_OBSERVERS,
            [EFFECT_COMMIT] = STOP(REASON_UNTRACKED, .only = LOST_PUBLISH | LOST_ISSUE),
        },
        .look = loss_look,
        .looks_at_entries = true,
    },
    {
        .name = "lost, but for a commit",
        .states = SCAN_STATES,
        .on = {
            TO_OBSERVERS,
            [EFFECT_COMMIT] = PASS_GIVEN(ASSUME_COMMIT_FENCES, REASON_ASSUMPTION),
        },
        .look = loss_look,
        .looks_at_entries = true,
    },
};
/* clang-format on */

void loss_scan(const struct analysis *analysis, const uint32_t *at, uint32_t count, unsigned lost,
               bool commit_stands_in, const struct verdict *open, struct scan_answer *answers)
{
    scan_run(analysis, &loss_tables[commit_stands_in], at, count, lost, open, answers);
}
