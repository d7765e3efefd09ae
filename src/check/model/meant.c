/* Finds removed waits that were meant for another operation. By the ISA, wait::ld does not wait for
 * st, mma, cp or shift, but some code uses it so (an example of NVIDIA has `cp; wait::st; ld`). So
 * a removed wait is owed if no operation of its kind is in flight, but another operation is: a wait
 * of its kind must follow before any instruction that could show the difference. See meant.h.
 *
 * A state says, for one path and one kind of wait, what is in flight and whether a wait is owed. An
 * operation of the kind of the wait is in flight until a kept wait; one of the other kind until its
 * wait in BEFORE; an mma, cp or shift until a commit. A kept wait of the kind ends all of them,
 * since it does whatever the removed one may have been meant for. */
#include "check/model/meant.h"

#include "base/work.h"

enum { FLIES_OWN = 1, FLIES_OTHER = 2, FLIES_PIPE = 4, FLIES = 7, OWED = 8, STATES = MEANT_STATES };

static bool meant_is_wait(const struct program_instruction *at)
{
    return at->effect == CHECK_EFFECT_WAIT_LD || at->effect == CHECK_EFFECT_WAIT_ST;
}

/* By kind of wait. */
static const uint8_t waits[MEANT_KINDS] = {CHECK_EFFECT_WAIT_LD, CHECK_EFFECT_WAIT_ST};
static const uint8_t accesses[MEANT_KINDS] = {CHECK_EFFECT_LD, CHECK_EFFECT_ST};

void meant_prepare(struct meant *meant, const struct program *program)
{
    meant->program = program;
    for (uint32_t i = 0; i < program->instructions.count; i++)
        meant->used |=
            program->instructions.at[i].deleted && meant_is_wait(&program->instructions.at[i]);
}

static unsigned state_behind_wait(const struct program_instruction *at, int kind, unsigned state)
{
    if (at->effect != waits[kind]) return state & ~(unsigned)FLIES_OTHER;
    if (!at->deleted) return 0;
    if (state & FLIES && !(state & FLIES_OWN)) state |= OWED;
    return state;
}

/* Returns the state after an instruction that executes. */
static unsigned meant_transfer(const struct program_instruction *at, int kind, unsigned state)
{
    switch (at->effect) {
    case CHECK_EFFECT_LD:
    case CHECK_EFFECT_ST: return state | (at->effect == accesses[kind] ? FLIES_OWN : FLIES_OTHER);
    case CHECK_EFFECT_MMA:
    case CHECK_EFFECT_CP:
    case CHECK_EFFECT_SHIFT: return state | FLIES_PIPE;
    case CHECK_EFFECT_COMMIT: return state & ~(unsigned)FLIES_PIPE;
    case CHECK_EFFECT_WAIT_LD:
    case CHECK_EFFECT_WAIT_ST: return state_behind_wait(at, kind, state);
    default: return state;
    }
}

/* Whether this instruction could show that an owed wait is missing. */
static bool observes_owed_wait(const struct program_instruction *at, int kind)
{
    switch (at->effect) {
    case CHECK_EFFECT_BRANCH:
    case CHECK_EFFECT_INDEXED:
    case CHECK_EFFECT_WAIT_LD:
    case CHECK_EFFECT_WAIT_ST: return false;
    case CHECK_EFFECT_LD: return accesses[kind] != CHECK_EFFECT_LD;
    default: return !at->deleted;
    }
}

static uint16_t meant_add_state(uint16_t states, unsigned state)
{
    return (uint16_t)(states | 1u << state);
}

/* A caller or callee may have issued anything. */
static uint16_t meant_add_any_state(uint16_t states)
{
    for (unsigned flies = 0; flies <= FLIES; flies++) states = meant_add_state(states, flies);
    return states;
}

/* Changes the states of one kind by an instruction. Returns false if the instruction shows that an
 * owed wait is missing. */
static bool meant_pass_states(const struct program_instruction *at, int kind, uint16_t *states)
{
    uint16_t behind = at->guarded ? *states : 0;
    for (unsigned left = *states; left; left &= left - 1) {
        unsigned state = (unsigned)__builtin_ctz(left);
        if (state & OWED && observes_owed_wait(at, kind)) return false;
        behind = meant_add_state(behind, meant_transfer(at, kind, state));
    }
    *states = at->effect == CHECK_EFFECT_CALL ? meant_add_any_state(behind) : behind;
    return true;
}

/* Returns the states of one kind from a set, in which they are adjacent. */
static uint16_t meant_unpack(uint64_t word, int kind)
{
    return (uint16_t)(word >> STATES * kind);
}

static uint64_t meant_pack(const uint16_t *states)
{
    return states[0] | (uint64_t)states[1] << STATES;
}

static void meant_enter(void *of, uint64_t *set)
{
    const struct meant *meant = of;
    uint16_t states = meant->program->is_entry ? meant_add_state(0, 0) : meant_add_any_state(0);
    *set |= meant_pack((uint16_t[MEANT_KINDS]){states, states});
}

static bool meant_pass(void *of, uint32_t block, uint64_t *set)
{
    struct meant *meant = of;
    const struct flow_block *from = &meant->program->blocks.at[block];
    uint16_t states[MEANT_KINDS] = {meant_unpack(*set, 0), meant_unpack(*set, 1)};
    work_spend(from->end - from->start);
    for (uint32_t i = from->start; i < from->end; i++) {
        const struct program_instruction *at = &meant->program->instructions.at[i];
        if (at->effect == CHECK_EFFECT_NEUTRAL || at->effect == CHECK_EFFECT_BRANCH) continue;
        meant->observer = i;
        for (meant->kind = 0; meant->kind < MEANT_KINDS; meant->kind++)
            if (!meant_pass_states(at, meant->kind, &states[meant->kind])) return false;
    }
    *set = meant_pack(states);
    return true;
}

/* Of both kinds: the states in which no wait is owed. Only a removed wait becomes owed. */
static const uint64_t settled_states = UINT64_C(0x00ff00ff);

struct flow meant_flow(struct meant *meant)
{
    return (struct flow){.blocks = meant->program->blocks.at,
                         .succs = meant->program->succs.at,
                         .block_count = meant->program->blocks.count,
                         .words = meant->used ? 1 : 0,
                         .of = meant,
                         .enter = meant_enter,
                         .pass = meant_pass,
                         .fading = &settled_states};
}

uint32_t meant_culprit(const struct meant *meant)
{
    const struct program *program = meant->program;
    uint32_t first = PROGRAM_NONE, nearest = PROGRAM_NONE;
    for (uint32_t w = 0; w < program->instructions.count; w++) {
        const struct program_instruction *at = &program->instructions.at[w];
        if (at->effect != waits[meant->kind] || !at->deleted) continue;
        if (first == PROGRAM_NONE) first = w;
        if (w < meant->observer) nearest = w;
    }
    return nearest == PROGRAM_NONE ? first : nearest;
}
