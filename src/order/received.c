/* Declines the fences that pass on what the thread has received. It may have received it with
 * causality, or by the fences alone. See received.h. */
#include "order/received.h"

#include "base/mem.h"

/* The traits of an ordering operation, without the causality that a partner may lack: another
 * thread may have arrived relaxed at what this one waits for, or wait relaxed for its arrival. */
static unsigned traits_with_partners(const struct analysis *analysis, const struct opcode *opcode)
{
    unsigned traits = opcode->traits;
    if (opcode->effect == EFFECT_ACQUIRE_BARRIER && analysis->arrives_relaxed)
        traits &= ~(unsigned)OPCODE_CAUSAL_IN;
    if (opcode->effect == EFFECT_RELEASE_BARRIER && analysis->waits_relaxed)
        traits &= ~(unsigned)OPCODE_CAUSAL_OUT;
    return traits;
}

/* The entry `own`, except that a path passes ordering operations with one of the traits. */
static const struct cover_entry *entry_unless(const struct scan *scan, uint32_t i, unsigned traits,
                                              const struct cover_entry *own)
{
    static const struct cover_entry pass = {0};
    const struct opcode *opcode = analysis_instr(scan->analysis, i)->opcode;
    bool orders = own->reason == REASON_RECEIVED || own->reason == REASON_RELEASE;
    return orders && traits_with_partners(scan->analysis, opcode) & traits ? &pass : own;
}

static const struct cover_entry *look_relaxed(const struct scan *scan, uint32_t i,
                                              const struct cover_entry *own, unsigned *state)
{
    (void)state;
    return entry_unless(scan, i, OPCODE_BLIND | OPCODE_CAUSAL_IN, own);
}

static const struct cover_entry *look_any(const struct scan *scan, uint32_t i,
                                          const struct cover_entry *own, unsigned *state)
{
    (void)state;
    return entry_unless(scan, i, OPCODE_BLIND, own);
}

static const struct cover_entry *received_look_causal_out(const struct scan *scan, uint32_t i,
                                                          const struct cover_entry *own,
                                                          unsigned *state)
{
    (void)state;
    return entry_unless(scan, i, OPCODE_CAUSAL_OUT, own);
}

/* clang-format off */

/* tracked.h and the rules examine calls, the edge of a .func, and what a fence::after has taken
 * over. */
#define SINCE_FENCE                                                                                \
    ON_FENCE(COVER),                                                                               \
    ON_ACQUIRE(PASS_GIVEN(ASSUME_NOT_CUMULATIVE, REASON_RECEIVED)),                                \
    ON_BOTH(PASS_GIVEN(ASSUME_NOT_CUMULATIVE, REASON_RECEIVED)),                                   \
    ON_MEET(REASON_RECEIVED),                                                                      \
    [EDGE] = DONE

const struct cover_table received_tables[RECEIVED_QUESTIONS] = {
    [RECEIVED_RELAXED] = {
        .name = "fence: received relaxed",
        .backward = true,
        .on = {SINCE_FENCE},
        .look = look_relaxed,
        .looks_at_entries = true,
    },
    [RECEIVED_ANY] = {
        .name = "fence: received",
        .backward = true,
        .on = {SINCE_FENCE},
        .look = look_any,
        .looks_at_entries = true,
    },
    [RECEIVED_TOLD] = {
        .name = "fence: told relaxed",
        .on = {
            [EFFECT_FENCE_BEFORE] = COVER,
            ON_RELEASE(STOP(REASON_RELEASE)),
            ON_BOTH(STOP(REASON_RELEASE)),
            ON_MEET(REASON_RELEASE),
            [EFFECT_CALL] = STOP(REASON_CALL),
        },
        .look = received_look_causal_out,
        .looks_at_entries = true,
    },
};
/* clang-format on */

static bool received_is_open(const struct verdict *verdict)
{
    return verdict->reason == REASON_NONE;
}

static void received_decline_one(struct verdict *verdict, const struct scan_answer *received)
{
    verdict->reason = REASON_RECEIVED;
    verdict->witness = received->verdict.witness;
    verdict->stays = true;
}

static void decline_relaxed(const struct analysis *analysis, const uint32_t *sites, uint32_t count,
                            struct verdict *verdicts, struct scan_answer *received)
{
    scan_run(analysis, &received_tables[RECEIVED_RELAXED], sites, count, 0, verdicts, received);
    for (uint32_t k = 0; k < count; k++) {
        if (!received_is_open(&verdicts[k])) continue;
        verdicts[k].assumptions |= received[k].verdict.assumptions;
        if (received[k].found == SCAN_STOP) received_decline_one(&verdicts[k], &received[k]);
    }
}

/* For the fences that pass on anything, examines whether they pass it on without causality. */
static void decline_told(const struct analysis *analysis, const uint32_t *sites, uint32_t count,
                         struct verdict *verdicts, struct scan_answer *received)
{
    struct scan_answer *told = mem_zalloc(count, sizeof *told);
    struct verdict *open = mem_alloc(count * sizeof *open);
    memcpy(open, verdicts, count * sizeof *open);
    scan_run(analysis, &received_tables[RECEIVED_ANY], sites, count, 0, open, received);
    for (uint32_t k = 0; k < count; k++)
        if (received_is_open(&open[k]) && received[k].found != SCAN_STOP)
            open[k].reason = REASON_NO_COVER;
    scan_run(analysis, &received_tables[RECEIVED_TOLD], sites, count, 0, open, told);
    for (uint32_t k = 0; k < count; k++) {
        if (!received_is_open(&open[k])) continue;
        verdicts[k].assumptions |= told[k].verdict.assumptions;
        if (told[k].found == SCAN_STOP) received_decline_one(&verdicts[k], &received[k]);
    }
    mem_free(open);
    mem_free(told);
}

void received_decline(const struct analysis *analysis, const uint32_t *sites, uint32_t count,
                      struct verdict *verdicts)
{
    struct scan_answer *received = mem_zalloc(count, sizeof *received);
    decline_relaxed(analysis, sites, count, verdicts, received);
    decline_told(analysis, sites, count, verdicts, received);
    mem_free(received);
}
