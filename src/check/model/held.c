/* Checks that ptxas holds back in AFTER what it holds back in BEFORE. In each of the two programs
 * an operation passes through stages:
 *
 *   issued   no instruction that holds anything back has followed yet
 *   fenced   a wait or fence has followed: ptxas keeps ordering operations after it
 *   waited   the wait of its kind has followed: ptxas also keeps barriers after its completion
 *   drained  after that wait, one more wait or fence, a barrier or a commit has followed: ptxas
 *            keeps all ordering operations after its completion. If the function, its callers or
 *            callees may contain an instruction that ptxas moves before the others
 *            (CHECK_EFFECT_EARLY), only a wait or fence counts
 *
 * An mma, cp or shift is issued, committed (a commit has followed: ptxas keeps barriers after it)
 * or fenced. A commit is an operation, too, which is committed from the beginning. A state is the
 * stage in BEFORE and the stage in AFTER. If only stores need the values of a load, the load is
 * complete when they execute, or nothing needs it, and ptxas moves no store over a wait or fence.
 * So such a load counts only up to the last of these stores, and a kept wait or fence after it ends
 * it. See held.h. */
#include "check/model/held.h"

#include <string.h>

#include "base/work.h"
#include "check/model/assume.h"

enum { LOADS, STORES, PIPES };
enum stage { ISSUED, FENCED, WAITED, DRAINED };
enum pipe_stage { PIPE_ISSUED, PIPE_COMMITTED, PIPE_FENCED };

static bool is_sync(const struct program_instruction *at)
{
    return at->effect >= CHECK_EFFECT_WAIT_LD && at->effect <= CHECK_EFFECT_AFTER;
}

void held_prepare(struct held *held, const struct program *program, uint32_t assume)
{
    held->program = program;
    if (assume & CHECK_PTXAS_FOLLOWS_ISA) return;
    held->early = !program->is_entry;
    for (uint32_t i = 0; i < program->instructions.count; i++) {
        const struct program_instruction *at = &program->instructions.at[i];
        held->used |= at->deleted && is_sync(at);
        held->early |= at->early && !at->deleted;
    }
}

static unsigned state_of(unsigned before, unsigned after)
{
    return before * HELD_STAGES + after;
}

/* ---- instructions ---- */

static unsigned stage_behind_sync(const struct program_instruction *at, int kind, unsigned stage)
{
    bool own = (kind == LOADS && at->effect == CHECK_EFFECT_WAIT_LD) ||
               (kind == STORES && at->effect == CHECK_EFFECT_WAIT_ST);
    if (kind == PIPES) return PIPE_FENCED;
    if (stage >= WAITED) return DRAINED;
    return own ? WAITED : FENCED;
}

bool held_is_drain(const struct program_instruction *at)
{
    switch (at->effect) {
    case CHECK_EFFECT_COMMIT:
    case CHECK_EFFECT_RELEASE_BARRIER:
    case CHECK_EFFECT_BOTH_BARRIER: return true;
    case CHECK_EFFECT_ACQUIRE_BARRIER: return !(at->flags & CHECK_EFFECT_PURE);
    default: return false;
    }
}

enum observer { OBSERVES_NOTHING, OBSERVES_AS_ALLOCATION, OBSERVES_AS_BARRIER, OBSERVES_AS_MEMORY };

/* The caller of a function may observe anything after its end. */
static enum observer observer_of(const struct program *program,
                                 const struct program_instruction *at)
{
    /* An election observes no memory, and ptxas moves it before a load whatever waits there are. */
    bool elects = (at->flags & CHECK_EFFECT_ELECTION) == CHECK_EFFECT_ELECTION;
    switch (at->effect) {
    case CHECK_EFFECT_BOTH_MEMORY: return elects ? OBSERVES_NOTHING : OBSERVES_AS_MEMORY;
    case CHECK_EFFECT_RELEASE_MEMORY:
    case CHECK_EFFECT_ACQUIRE_MEMORY:
    case CHECK_EFFECT_CALL: return OBSERVES_AS_MEMORY;
    case CHECK_EFFECT_RELEASE_BARRIER:
    case CHECK_EFFECT_ACQUIRE_BARRIER:
    case CHECK_EFFECT_BOTH_BARRIER: return OBSERVES_AS_BARRIER;
    case CHECK_EFFECT_ALLOC: return OBSERVES_AS_ALLOCATION;
    case CHECK_EFFECT_RET: return program->is_entry ? OBSERVES_NOTHING : OBSERVES_AS_MEMORY;
    default: return OBSERVES_NOTHING;
    }
}

/* Whether an instruction that waits for operations from this stage on waits for this operation in
 * BEFORE only. */
static bool crosses_stage(unsigned before, unsigned after, unsigned stage)
{
    return before >= stage && after < stage;
}

static bool is_less(enum observer observer, int kind, unsigned before, unsigned after)
{
    bool memory = observer == OBSERVES_AS_MEMORY;
    if (kind == PIPES && memory) return crosses_stage(before, after, PIPE_FENCED);
    if (kind == PIPES)
        return observer != OBSERVES_AS_ALLOCATION && crosses_stage(before, after, PIPE_COMMITTED);
    /* "Inherently ordered" with the thread's own operations (9.7.16.6.1), if not complete. */
    if (observer == OBSERVES_AS_ALLOCATION) return crosses_stage(before, after, WAITED);
    return crosses_stage(before, after, FENCED) ||
           crosses_stage(before, after, memory ? DRAINED : WAITED);
}

/* ---- states ---- */

/* Values of `last`: NOTHING for a state without an operation, FOREVER for a state with an operation
 * that no store ends; otherwise 1 + the greatest program_instruction.stored of the operations in
 * the state. */
enum { NOTHING = 0 };
#define FOREVER UINT32_MAX

static void held_add_state(struct held *held, int kind, unsigned state, uint32_t last)
{
    if (last > held->last[kind][state]) held->last[kind][state] = last;
    held->states[kind] |= (uint16_t)(1u << state);
}

static void held_empty(struct held *held, int kind)
{
    for (unsigned left = held->states[kind]; left; left &= left - 1)
        held->last[kind][__builtin_ctz(left)] = NOTHING;
    held->states[kind] = 0;
}

/* Returns the state after an instruction that changes it. */
static unsigned next_state(const struct held *held, const struct program_instruction *at, int kind,
                           unsigned state)
{
    unsigned before = state / HELD_STAGES, after = state % HELD_STAGES;
    if (is_sync(at)) {
        before = stage_behind_sync(at, kind, before);
        if (!at->deleted) after = stage_behind_sync(at, kind, after);
    } else if (kind == PIPES && at->effect == CHECK_EFFECT_COMMIT) {
        if (before == PIPE_ISSUED) before = PIPE_COMMITTED;
        if (after == PIPE_ISSUED) after = PIPE_COMMITTED;
    } else if (kind != PIPES && !held->early) {
        if (before == WAITED) before = DRAINED;
        if (after == WAITED) after = DRAINED;
    }
    return state_of(before, after);
}

static void held_move(struct held *held, const struct program_instruction *at, int kind)
{
    uint32_t was[HELD_STATES];
    unsigned states = held->states[kind];
    memcpy(was, held->last[kind], sizeof was);
    held_empty(held, kind);
    for (unsigned left = states; left; left &= left - 1) {
        unsigned state = (unsigned)__builtin_ctz(left);
        held_add_state(held, kind, next_state(held, at, kind, state), was[state]);
    }
}

/* Returns 1 + the number of the instruction that stores the value of a load; FOREVER if none
 * does. */
static uint32_t last_of_load(const struct held *held, const struct program_instruction *at)
{
    bool ends = held->follows_values && at->stored != PROGRAM_NONE;
    return ends ? at->stored + 1 : FOREVER;
}

static void held_issue(struct held *held, const struct program_instruction *at)
{
    const unsigned issued = state_of(ISSUED, ISSUED);
    const unsigned committed = state_of(PIPE_COMMITTED, PIPE_COMMITTED);
    switch (at->effect) {
    case CHECK_EFFECT_LD: held_add_state(held, LOADS, issued, last_of_load(held, at)); break;
    case CHECK_EFFECT_ST: held_add_state(held, STORES, issued, FOREVER); break;
    case CHECK_EFFECT_MMA:
    case CHECK_EFFECT_CP:
    case CHECK_EFFECT_SHIFT: held_add_state(held, PIPES, issued, FOREVER); break;
    case CHECK_EFFECT_COMMIT: held_add_state(held, PIPES, committed, FOREVER); break;
    default: break;
    }
}

/* A caller or callee may have issued anything, and may have waited for it or not. */
static void issue_any(struct held *held)
{
    for (int kind = 0; kind < HELD_KINDS; kind++)
        for (unsigned stage = ISSUED; stage <= DRAINED; stage++)
            held_add_state(held, kind, state_of(stage, stage), FOREVER);
}

/* Whether the observer is held back less. kept: 1 + the number of the last kept wait or fence. */
static bool observes_less(const struct held *held, enum observer observer, uint32_t kept)
{
    bool less = false;
    for (int kind = 0; kind < HELD_KINDS; kind++)
        for (unsigned left = held->states[kind]; left; left &= left - 1) {
            unsigned state = (unsigned)__builtin_ctz(left);
            less |= held->last[kind][state] >= kept &&
                    is_less(observer, kind, state / HELD_STAGES, state % HELD_STAGES);
        }
    return less;
}

/* ---- the flow ---- */

/* Reads the states of all kinds from a set, in which they are adjacent. */
static void held_unpack(struct held *held, uint64_t set)
{
    for (int kind = 0; kind < HELD_KINDS; kind++, set >>= HELD_STATES) {
        held_empty(held, kind);
        for (unsigned left = (uint16_t)set; left; left &= left - 1)
            held_add_state(held, kind, (unsigned)__builtin_ctz(left), FOREVER);
    }
}

static uint64_t held_pack(const struct held *held, uint32_t kept)
{
    uint64_t set = 0;
    for (int kind = HELD_KINDS; kind-- > 0;) {
        set <<= HELD_STATES;
        for (unsigned left = held->states[kind]; left; left &= left - 1)
            if (held->last[kind][__builtin_ctz(left)] >= kept) set |= left & -left;
    }
    return set;
}

static void held_enter(void *of, uint64_t *set)
{
    struct held *held = of;
    if (held->program->is_entry) return;
    held_unpack(held, 0);
    issue_any(held);
    *set |= held_pack(held, 0);
}

/* Passes one instruction. Returns false if it is held back less. */
static bool held_pass_instruction(struct held *held, uint32_t i, uint32_t *kept)
{
    const struct program_instruction *at = &held->program->instructions.at[i];
    enum observer observer = at->deleted ? OBSERVES_NOTHING : observer_of(held->program, at);
    bool moves = !at->guarded && (is_sync(at) || held_is_drain(at));
    if (observer != OBSERVES_NOTHING && observes_less(held, observer, *kept)) return false;
    for (int kind = 0; moves && kind < HELD_KINDS; kind++)
        if (held->states[kind]) held_move(held, at, kind);
    if (is_sync(at) && !at->guarded && !at->deleted) *kept = i + 1;
    held_issue(held, at);
    if (at->effect == CHECK_EFFECT_CALL) issue_any(held);
    return true;
}

/* Returns the first instruction in [i, end) that may change or observe a state; end if there is
 * none. */
static uint32_t next_that_acts(const struct held *held, uint32_t i, uint32_t end)
{
    const struct program_instruction *at = held->program->instructions.at;
    while (i < end && (at[i].effect == CHECK_EFFECT_NEUTRAL || at[i].effect == CHECK_EFFECT_BRANCH))
        i++;
    return i;
}

static bool held_pass(void *of, uint32_t block, uint64_t *set)
{
    struct held *held = of;
    const struct flow_block *from = &held->program->blocks.at[block];
    uint32_t kept = 0, first = next_that_acts(held, from->start, from->end);
    work_spend(from->end - from->start);
    *set &= ~(~UINT64_C(0) << HELD_KINDS * HELD_STATES);
    if (first == from->end) return true;
    held_unpack(held, *set);
    for (uint32_t i = first; i < from->end; i = next_that_acts(held, i + 1, from->end)) {
        held->observer = i;
        if (!held_pass_instruction(held, i, &kept)) return false;
    }
    *set = held_pack(held, kept);
    return true;
}

/* Of all kinds: the states that are equal in both programs. They stay equal until a removed wait
 * or fence. */
static const uint64_t equal_states = UINT64_C(0x842184218421);

struct flow held_flow(struct held *held)
{
    return (struct flow){.blocks = held->program->blocks.at,
                         .succs = held->program->succs.at,
                         .block_count = held->program->blocks.count,
                         .words = held->used ? 1 : 0,
                         .of = held,
                         .enter = held_enter,
                         .pass = held_pass,
                         .fading = &equal_states};
}

uint32_t held_culprit(const struct held *held)
{
    const struct program *program = held->program;
    uint32_t first = PROGRAM_NONE, nearest = PROGRAM_NONE;
    for (uint32_t i = 0; i < program->instructions.count; i++) {
        const struct program_instruction *at = &program->instructions.at[i];
        if (!at->deleted || !is_sync(at)) continue;
        if (first == PROGRAM_NONE) first = i;
        if (i < held->observer) nearest = i;
    }
    return nearest == PROGRAM_NONE ? first : nearest;
}
