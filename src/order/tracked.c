/* Backward scans from fences. See tracked.h. */
#include "order/tracked.h"

enum { LD_WAITED = 1, ST_WAITED = 2, STATES = 4 };

/* clang-format off */
const struct cover_table tracked_tables[TRACKED_QUESTIONS] = {
    [TRACKED_HIDDEN] = {
        .name = "fence: hidden",
        .backward = true,
        .on = {
            [EFFECT_FENCE_BEFORE] = COVER,
            [EFFECT_CALL] = STOP(REASON_CALL),
        },
    },
    [TRACKED_OTHERS] = {
        .name = "fence: others",
        .backward = true,
        .on = {
            [EFFECT_ASYNC_LD] = STOP(REASON_UNTRACKED),
            [EFFECT_ASYNC_ST] = STOP(REASON_UNTRACKED),
            ON_WAIT(STOP(REASON_UNTRACKED)),
            [EFFECT_FENCE_BEFORE] = COVER,
            [EDGE] = DONE,
        },
    },
    [TRACKED_OTHERS_IN_FLIGHT] = {
        .name = "fence: in flight",
        .backward = true,
        .states = STATES,
        .enough = LD_WAITED | ST_WAITED,
        .on = {
            [EFFECT_ASYNC_LD] = STOP(REASON_UNTRACKED, .unless = LD_WAITED),
            [EFFECT_ASYNC_ST] = STOP(REASON_UNTRACKED, .unless = ST_WAITED),
            [EFFECT_WAIT_LD] = NOTE(LD_WAITED),
            [EFFECT_WAIT_ST] = NOTE(ST_WAITED),
            ON_FENCE(COVER),
            [EDGE] = DONE,
        },
    },
    [TRACKED_RELAYED] = {
        .name = "fence: relayed",
        .backward = true,
        .on = {
            ON_PIPE(COVER),
            [EFFECT_FENCE_BEFORE] = COVER,
            [EFFECT_FENCE_AFTER] = STOP(REASON_RECEIVED),
            [EFFECT_CALL] = STOP(REASON_RECEIVED),
        },
    },
    [TRACKED_ANY] = {
        .name = "fence: any",
        .backward = true,
        .on = {
            ON_PIPE(STOP(REASON_ASYNC_OP)),
            [EFFECT_FENCE_BEFORE] = COVER,
            [EDGE] = DONE,
        },
    },
};
/* clang-format on */

void tracked_scan(const struct analysis *analysis, enum tracked_question question,
                  const uint32_t *sites, uint32_t count, const struct verdict *open,
                  struct scan_answer *answers)
{
    const struct cover_table *table = &tracked_tables[question];
    memset(answers, 0, count * sizeof *answers);
    if (scan_may_stop(analysis, table)) scan_run(analysis, table, sites, count, 0, open, answers);
}
