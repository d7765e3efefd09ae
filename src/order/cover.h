/* Tables that say what an instruction means to a question, by its effect. The instruction may
 * answer the question on its path, stop the search for a reason, or do either under an assumption.
 * order/scan.h evaluates the tables. */
#ifndef PTXOPT_ORDER_COVER_H
#define PTXOPT_ORDER_COVER_H

#include "order/assume.h"
#include "order/verdict.h"
#include "ptx/opcode.h"

enum cover_does {
    COVER_PASS,    /* the path continues */
    COVER_STOP,    /* the question is answered with no, for the reason */
    COVER_DONE,    /* the path is answered, whether the instruction has a guard or not */
    COVER_CERTAIN, /* the path is answered if the instruction has no guard; otherwise it continues
                    */
    COVER_MUST, /* the path is answered if the instruction has no guard; otherwise as COVER_STOP */
};

struct cover_entry {
    uint8_t does;   /* enum cover_does */
    uint8_t reason; /* enum reason */
    /* the assumption that `does` needs; if it is off, the entry stops for the reason */
    uint16_t given;
    uint8_t only;   /* bits of the state of a path: if none of them is set, the path continues */
    uint8_t unless; /* bits of the state: if one of them is set, the path continues */
    uint8_t notes;  /* bits that an instruction sets in the state if it has no guard and the path
                       continues */
};

/* The edge of a .func: what comes before its body (backward) or after its exits (forward). If a
 * table has no entry for it, the search stops there, because the callers are unknown. At the entry
 * of a kernel a path is answered, unless the table has an entry for it (cover_table.entry). */
enum { EDGE = EFFECT_COUNT };

struct scan;

struct cover_table {
    const char *name;
    bool backward;
    /* the number of states of a path, at most SCAN_STATES; 0: a path has no state */
    uint8_t states;
    uint8_t enough; /* a path is answered when its state has all these bits; 0: never */
    struct cover_entry on[EFFECT_COUNT + 1];
    struct cover_entry entry; /* used at the entry of a kernel if the state has a bit of `only`;
                                 otherwise the path is answered */
    /* Returns the entry for instruction i in place of own, which is its entry in on[]: for
     * registers, guards, and conditions on states that an entry cannot express. May change *state.
     * The result must not depend on the site. */
    const struct cover_entry *(*look)(const struct scan *scan, uint32_t i,
                                      const struct cover_entry *own, unsigned *state);
    /* At effects without an entry in on[] (LOOK is one), look returns own and changes nothing. */
    bool looks_at_entries;
};

const struct cover_entry *cover_edge(const struct cover_table *table);

/* ---- entries: at an effect without an entry the path continues ---- */

/* clang-format off */
#define STOP(...) {.does = COVER_STOP, .reason = __VA_ARGS__}
#define COVER {.does = COVER_CERTAIN}
#define COVER_OR(...) {.does = COVER_MUST, .reason = __VA_ARGS__}
#define COVER_GIVEN(assumption, ...) {.does = COVER_CERTAIN, .given = (assumption), .reason = __VA_ARGS__}
#define PASS_GIVEN(assumption, ...) {.given = (assumption), .reason = __VA_ARGS__}
#define NOTE(...) {.notes = __VA_ARGS__}
#define DONE {.does = COVER_DONE}
#define LOOK {.only = UINT8_MAX} /* only look may do something here */
/* clang-format on */

/* ---- classes of effects ---- */

#define ON_PIPE(...)                                                                               \
    [EFFECT_ASYNC_MMA] = __VA_ARGS__, [EFFECT_ASYNC_CP] = __VA_ARGS__,                             \
    [EFFECT_ASYNC_SHIFT] = __VA_ARGS__
#define ON_ASYNC(...)                                                                              \
    [EFFECT_ASYNC_LD] = __VA_ARGS__, [EFFECT_ASYNC_ST] = __VA_ARGS__, ON_PIPE(__VA_ARGS__)
#define ON_WAIT(...) [EFFECT_WAIT_LD] = __VA_ARGS__, [EFFECT_WAIT_ST] = __VA_ARGS__
#define ON_FENCE(...) [EFFECT_FENCE_BEFORE] = __VA_ARGS__, [EFFECT_FENCE_AFTER] = __VA_ARGS__
#define ON_RELEASE(...)                                                                            \
    [EFFECT_RELEASE_BARRIER] = __VA_ARGS__, [EFFECT_RELEASE_MEMORY] = __VA_ARGS__
#define ON_ACQUIRE(...)                                                                            \
    [EFFECT_ACQUIRE_BARRIER] = __VA_ARGS__, [EFFECT_ACQUIRE_MEMORY] = __VA_ARGS__
/* A weak access with .sync orders only if .sync counts as a barrier. */
#define ON_MEET(...) [EFFECT_MEET_MEMORY] = PASS_GIVEN(ASSUME_SYNC_IS_NO_BARRIER, __VA_ARGS__)
#define ON_BOTH(...) [EFFECT_BOTH_BARRIER] = __VA_ARGS__, [EFFECT_BOTH_MEMORY] = __VA_ARGS__

#endif
