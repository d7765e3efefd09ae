/* Tables of what each effect means to a question. A question is a table of the instructions that
 * answer it, that stop it for a reason, or that lift it under an assumption. order/scan.h evaluates
 * it. */
#ifndef PTXOPT_ORDER_COVER_H
#define PTXOPT_ORDER_COVER_H

#include "order/assume.h"
#include "order/verdict.h"
#include "ptx/opcode.h"

enum cover_does {
    COVER_PASS,    /* nothing: the path continues */
    COVER_STOP,    /* the whole question is answered with no, for the reason */
    COVER_DONE,    /* this path is answered, whether the instruction is guarded or not */
    COVER_CERTAIN, /* … by one that certainly runs; after a guarded one the path continues */
    COVER_MUST,    /* … by one that certainly runs; a guarded one stops, for the reason */
};

struct cover_entry {
    uint8_t does;   /* enum cover_does */
    uint8_t reason; /* enum reason */
    uint16_t given; /* the assumption that does rests on; without it a stop for the reason */
    uint8_t only;   /* bits of a path's state: passes when none of them is set */
    uint8_t unless; /* … when one is */
    uint8_t notes;  /* … that an instruction which certainly runs and passes sets */
};

/* The edge of a .func: what comes before its body (backward) or after its exits (forward). Unlike
 * effects it stops where it is not named: callers are not known. The entry of a kernel is an answer
 * to every question but those that name it. */
enum { EDGE = EFFECT_COUNT };

struct scan;

struct cover_table {
    const char *name;
    bool backward;
    uint8_t states; /* of a path's own small memory: 0 (none) to SCAN_STATES */
    uint8_t enough; /* a path that has all these bits is answered; 0: none */
    struct cover_entry on[EFFECT_COUNT + 1];
    struct cover_entry entry; /* of a kernel, by the path's state; what it lets pass is answered */
    /* For registers, guards and what an entry cannot say of states: the entry that counts for
     * instruction i, on[] its own. It may change the state. It must not depend on the site. */
    const struct cover_entry *(*look)(const struct scan *scan, uint32_t i,
                                      const struct cover_entry *own, unsigned *state);
};

const struct cover_entry *cover_edge(const struct cover_table *table);

/* ---- entries: what is not named passes ---- */

/* clang-format off */
#define STOP(...) {.does = COVER_STOP, .reason = __VA_ARGS__}
#define COVER {.does = COVER_CERTAIN}
#define COVER_OR(...) {.does = COVER_MUST, .reason = __VA_ARGS__}
#define COVER_GIVEN(assumption, ...) {.does = COVER_CERTAIN, .given = (assumption), .reason = __VA_ARGS__}
#define PASS_GIVEN(assumption, ...) {.given = (assumption), .reason = __VA_ARGS__}
#define NOTE(...) {.notes = __VA_ARGS__}
#define DONE {.does = COVER_DONE}
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
/* A weak access in step with the warp orders only if that counts as a barrier. */
#define ON_MEET(...) [EFFECT_MEET_MEMORY] = PASS_GIVEN(ASSUME_SYNC_IS_NO_BARRIER, __VA_ARGS__)
#define ON_BOTH(...) [EFFECT_BOTH_BARRIER] = __VA_ARGS__, [EFFECT_BOTH_MEMORY] = __VA_ARGS__

#endif
