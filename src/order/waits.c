/* Backward scans from waits. See waits.h. */
#include "order/waits.h"

#include "base/mem.h"

enum { COMMITTED = 1, WAITED = 2, STATES = 4, ELSE = 4 };

/* clang-format off */
#define HIDDEN(KIND) {                                                                             \
    .name = "wait: hidden", .backward = true,                                                      \
    .on = {                                                                                        \
        [EFFECT_WAIT_##KIND] = COVER,                                                              \
        [EFFECT_CALL] = STOP(REASON_CALL),                                                         \
    },                                                                                             \
}
#define OWN(KIND) {                                                                                \
    .name = "wait: own", .backward = true,                                                         \
    .on = {                                                                                        \
        [EFFECT_ASYNC_##KIND] = STOP(REASON_ASYNC_OP),                                             \
        [EFFECT_WAIT_##KIND] = COVER,                                                              \
        [EDGE] = DONE,                                                                             \
    },                                                                                             \
}
#define MEANT(OTHER) {                                                                             \
    .name = "wait: meant", .backward = true, .states = STATES, .enough = COMMITTED | WAITED,       \
    .on = {                                                                                        \
        [EFFECT_ASYNC_##OTHER] = STOP(REASON_NOT_WHAT_IT_WAITS_FOR, .unless = WAITED),             \
        ON_PIPE(STOP(REASON_NOT_WHAT_IT_WAITS_FOR, .unless = COMMITTED)),                          \
        [EFFECT_WAIT_##OTHER] = NOTE(WAITED),                                                      \
        [EFFECT_COMMIT] = NOTE(COMMITTED),                                                         \
        [EFFECT_CALL] = STOP(REASON_CALL),                                                         \
    },                                                                                             \
}
#define OWED(KIND, OTHER) {                                                                        \
    .name = "wait: owed", .backward = true, .states = SCAN_STATES, .look = look_owed,              \
    .looks_at_entries = true,                                                                      \
    .entry = STOP(REASON_NOT_WHAT_IT_WAITS_FOR, .only = ELSE),                                     \
    .on = {                                                                                        \
        [EFFECT_ASYNC_##KIND] = COVER,                                                             \
        [EFFECT_ASYNC_##OTHER] = NOTE(ELSE, .unless = WAITED),                                     \
        ON_PIPE(NOTE(ELSE, .unless = COMMITTED)),                                                  \
        [EFFECT_WAIT_##KIND] = COVER,                                                              \
        [EFFECT_WAIT_##OTHER] = NOTE(WAITED),                                                      \
        [EFFECT_COMMIT] = NOTE(COMMITTED),                                                         \
        [EDGE] = DONE,                                                                             \
    },                                                                                             \
}
/* clang-format on */

/* Runs the scan, and declines the open sites for which it stops. */
static const struct cover_entry *look_owed(const struct scan *scan, uint32_t i,
                                           const struct cover_entry *own, unsigned *state)
{
    static const struct cover_entry owed = STOP(REASON_NOT_WHAT_IT_WAITS_FOR);
    if (own->notes == ELSE && !(*state & own->unless)) *state |= ELSE;
    enum effect effect = analysis_effect(scan->analysis, i);
    bool ends = own->does == COVER_CERTAIN && !effect_is_async(effect);
    return ends && *state & ELSE && analysis_always(scan->analysis, i) ? &owed : own;
}

const struct cover_table waits_tables[2][WAITS_QUESTIONS] = {
    {HIDDEN(LD), OWN(LD), MEANT(ST), OWED(LD, ST)},
    {HIDDEN(ST), OWN(ST), MEANT(LD), OWED(ST, LD)},
};

static const struct cover_table *table_of(const struct analysis *analysis, uint32_t wait,
                                          enum waits_question question)
{
    return &waits_tables[analysis_effect(analysis, wait) == EFFECT_WAIT_ST][question];
}

/* Runs the scan; where it stops an open verdict becomes a decline. stays: see struct verdict. */
static void waits_decline(const struct analysis *analysis, enum waits_question question, bool stays,
                          const uint32_t *sites, uint32_t count, struct verdict *verdicts)
{
    const struct cover_table *table = table_of(analysis, sites[0], question);
    if (!scan_may_stop(analysis, table)) return;
    struct scan_answer *answers = mem_zalloc(count, sizeof *answers);
    scan_run(analysis, table, sites, count, 0, verdicts, answers);
    for (uint32_t k = 0; k < count; k++) {
        if (verdicts[k].reason != REASON_NONE || answers[k].found != SCAN_STOP) continue;
        verdicts[k].reason = answers[k].verdict.reason;
        verdicts[k].witness = answers[k].verdict.witness;
        verdicts[k].stays = stays;
    }
    mem_free(answers);
}

void waits_decline_hidden(const struct analysis *analysis, const uint32_t *sites, uint32_t count,
                          struct verdict *verdicts)
{
    waits_decline(analysis, WAITS_HIDDEN, true, sites, count, verdicts);
}

void waits_decline_meant(const struct analysis *analysis, const uint32_t *sites, uint32_t count,
                         struct verdict *verdicts)
{
    waits_decline(analysis, WAITS_MEANT, true, sites, count, verdicts);
}

void waits_decline_idle(const struct analysis *analysis, const uint32_t *sites, uint32_t count,
                        struct verdict *verdicts)
{
    size_t size = count * sizeof *verdicts;
    struct verdict *own = mem_alloc(2 * size), *meant = own + count;
    memcpy(own, verdicts, size);
    waits_decline(analysis, WAITS_OWN, false, sites, count, own);
    memcpy(meant, own, size);
    waits_decline(analysis, WAITS_MEANT, false, sites, count, meant);
    for (uint32_t k = 0; k < count; k++)
        if (own[k].reason == REASON_NONE) verdicts[k] = meant[k];
    mem_free(own);
}

/* If an access after the wait may pass (passed), one path may lack a wait that another path has. So
 * each path is examined by itself, as in the checker. */
void waits_decline_owed(const struct analysis *analysis, const uint32_t *sites, uint32_t count,
                        const bool *passed, struct verdict *verdicts)
{
    size_t size = count * sizeof *verdicts;
    struct verdict *owed = mem_alloc(2 * size), *meant = owed + count;
    memcpy(owed, verdicts, size);
    for (uint32_t k = 0; k < count; k++)
        if (!passed[k] && !(owed[k].assumptions & ASSUME_ISA_9_4_PAIRS))
            owed[k].reason = REASON_ASYNC_OP;
    memcpy(meant, owed, size);
    waits_decline(analysis, WAITS_OWED, false, sites, count, owed);
    waits_decline(analysis, WAITS_MEANT, false, sites, count, meant);
    for (uint32_t k = 0; k < count; k++)
        if (owed[k].reason == REASON_NOT_WHAT_IT_WAITS_FOR && verdicts[k].reason == REASON_NONE)
            verdicts[k] = meant[k];
    mem_free(owed);
}
