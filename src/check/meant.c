/* wait::ld waits for no st, mma, cp or shift, and yet it is written as if (NVIDIA's own example has
 * `cp; wait::st; ld`). So a deleted wait without an own operation in flight, but with another, is
 * owed: a wait of its kind must follow before anything that could tell. See meant.h.
 *
 * A state says of one path what is in flight (ld and st since their last wait in the original, mma,
 * cp and shift since the last commit) and which waits are owed. */
#include "check/meant.h"

#include "base/work.h"
#include "check/worklist.h"

enum {
    FLIES_LD = 1,
    FLIES_ST = 2,
    FLIES_PIPE = 4,
    FLIES = 7,
    OWED_LD = 8,
    OWED_ST = 16,
    OWED = 24,
    STATES = 32
};

static bool is_wait(const struct program_instruction *at)
{
    return at->effect == EFFECT_WAIT_LD || at->effect == EFFECT_WAIT_ST;
}

void meant_prepare(struct meant *meant, const struct program *program)
{
    for (uint32_t i = 0; i < program->instructions.count; i++)
        meant->used |= program->instructions.at[i].deleted && is_wait(&program->instructions.at[i]);
    if (meant->used) meant->states = mem_zalloc(program->blocks.count, sizeof *meant->states);
}

void meant_free(struct meant *meant)
{
    mem_free(meant->states);
}

static unsigned wait(const struct program_instruction *at, unsigned state)
{
    unsigned own = at->effect == EFFECT_WAIT_LD ? FLIES_LD : FLIES_ST;
    unsigned owed = at->effect == EFFECT_WAIT_LD ? OWED_LD : OWED_ST;
    if (at->deleted) return (state & FLIES && !(state & own) ? state | owed : state) & ~own;
    return state & ~own & ~owed;
}

/* Where one path is behind an instruction that runs. */
static unsigned step(const struct program_instruction *at, unsigned state)
{
    switch (at->effect) {
    case EFFECT_LD: return state | FLIES_LD;
    case EFFECT_ST: return state | FLIES_ST;
    case EFFECT_MMA:
    case EFFECT_CP:
    case EFFECT_SHIFT: return state | FLIES_PIPE;
    case EFFECT_COMMIT: return state & ~(unsigned)FLIES_PIPE;
    case EFFECT_WAIT_LD:
    case EFFECT_WAIT_ST: return wait(at, state);
    default: return state;
    }
}

/* The owed waits whose absence an instruction could tell. */
static unsigned tells(const struct program_instruction *at)
{
    switch (at->effect) {
    case EFFECT_NEUTRAL:
    case EFFECT_BRANCH:
    case EFFECT_INDEXED:
    case EFFECT_WAIT_LD:
    case EFFECT_WAIT_ST: return 0;
    case EFFECT_LD: return OWED_ST;
    default: return at->deleted ? 0 : OWED;
    }
}

static uint32_t add(uint32_t states, unsigned state)
{
    return states | 1u << state;
}

/* Callers and callees may have issued anything. */
static uint32_t add_any(uint32_t states)
{
    for (unsigned flies = 0; flies <= FLIES; flies++) states = add(states, flies);
    return states;
}

/* Sends states through block b. The instruction that tells an owed wait (*owed says which),
 * NONE when none does. */
static uint32_t through(const struct program *program, uint32_t b, uint32_t *states,
                        unsigned *owed)
{
    const struct program_block *block = &program->blocks.at[b];
    work_spend(block->end - block->start);
    for (uint32_t i = block->start; i < block->end; i++) {
        const struct program_instruction *at = &program->instructions.at[i];
        if (at->effect == EFFECT_NEUTRAL) continue;
        uint32_t behind = at->guarded ? *states : 0;
        unsigned told = tells(at);
        for (unsigned state = 0; state < STATES; state++) {
            if (!(*states >> state & 1)) continue;
            *owed = state & told;
            if (*owed) return i;
            behind = add(behind, step(at, state));
        }
        *states = at->effect == EFFECT_CALL ? add_any(behind) : behind;
    }
    return PROGRAM_NONE;
}

static uint32_t entry_states(const struct program *program)
{
    return program->is_entry ? add(0, 0) : add_any(0);
}

/* The nearest deleted wait of that kind in front of i; else the first one. */
static uint32_t culprit(const struct program *program, uint32_t i, unsigned owed)
{
    uint32_t first = PROGRAM_NONE, nearest = PROGRAM_NONE;
    for (uint32_t w = 0; w < program->instructions.count; w++) {
        const struct program_instruction *at = &program->instructions.at[w];
        bool kind = at->effect == EFFECT_WAIT_LD ? owed & OWED_LD : owed & OWED_ST;
        if (!is_wait(at) || !at->deleted || !kind) continue;
        if (first == PROGRAM_NONE) first = w;
        if (w < i) nearest = w;
    }
    return nearest == PROGRAM_NONE ? first : nearest;
}

bool meant_solve(struct meant *meant, const struct program *program, uint32_t *fault)
{
    if (!meant->used) return true;
    struct worklist todo;
    worklist_init(&todo, program->blocks.count);
    uint32_t told = PROGRAM_NONE;
    unsigned owed = 0;
    meant->states[0] = entry_states(program);
    worklist_add(&todo, 0);
    for (uint32_t b = worklist_next(&todo); b != WORKLIST_NONE && told == PROGRAM_NONE;
         b = worklist_next(&todo)) {
        const struct program_block *block = &program->blocks.at[b];
        uint32_t states = meant->states[b];
        told = through(program, b, &states, &owed);
        for (uint32_t s = block->succ_start; s < block->succ_end; s++) {
            uint32_t *into = &meant->states[program->succs.at[s]];
            if (states & ~*into) worklist_add(&todo, program->succs.at[s]);
            *into |= states;
        }
    }
    worklist_free(&todo);
    if (told != PROGRAM_NONE) *fault = culprit(program, told, owed);
    return told == PROGRAM_NONE;
}

bool meant_holds(const struct meant *meant, const struct program *program)
{
    if (!meant->used) return true;
    bool fine = !(entry_states(program) & ~meant->states[0]);
    for (uint32_t b = 0; fine && b < program->blocks.count; b++) {
        const struct program_block *block = &program->blocks.at[b];
        uint32_t states = meant->states[b];
        unsigned owed;
        fine = through(program, b, &states, &owed) == PROGRAM_NONE;
        for (uint32_t s = block->succ_start; fine && s < block->succ_end; s++)
            fine = !(states & ~meant->states[program->succs.at[s]]);
    }
    return fine;
}
