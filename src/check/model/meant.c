/* wait::ld waits for no st, mma, cp or shift, and yet it is written as if (NVIDIA's own example has
 * `cp; wait::st; ld`). So a deleted wait without an own operation in flight, but with another, is
 * owed: one of its kind must follow before anything that could tell. See meant.h.
 *
 * A state says of one path, for one kind of wait, what is in flight (ld and st till their wait in
 * the original; mma, cp and shift till a commit; all till a wait of the kind that stays, which does
 * whatever the deleted one may be meant for) and whether a wait is owed. */
#include "check/model/meant.h"

#include "base/work.h"
#include "check/prove/worklist.h"

enum { FLIES_OWN = 1, FLIES_OTHER = 2, FLIES_PIPE = 4, FLIES = 7, OWED = 8, STATES = 16 };

static bool is_wait(const struct program_instruction *at)
{
    return at->effect == CHECK_EFFECT_WAIT_LD || at->effect == CHECK_EFFECT_WAIT_ST;
}

/* By kind of wait. */
static const uint8_t waits[MEANT_KINDS] = {CHECK_EFFECT_WAIT_LD, CHECK_EFFECT_WAIT_ST};
static const uint8_t accesses[MEANT_KINDS] = {CHECK_EFFECT_LD, CHECK_EFFECT_ST};

void meant_prepare(struct meant *meant, const struct program *program)
{
    for (uint32_t i = 0; i < program->instructions.count; i++)
        meant->used |= program->instructions.at[i].deleted && is_wait(&program->instructions.at[i]);
    if (meant->used) meant->at = mem_zalloc(program->blocks.count, sizeof *meant->at);
}

void meant_free(struct meant *meant)
{
    mem_free(meant->at);
}

static unsigned wait(const struct program_instruction *at, int kind, unsigned state)
{
    if (at->effect != waits[kind]) return state & ~(unsigned)FLIES_OTHER;
    if (!at->deleted) return 0;
    if (state & FLIES && !(state & FLIES_OWN)) state |= OWED;
    return state & ~(unsigned)FLIES_OWN;
}

/* Where one path is behind an instruction that runs. */
static unsigned transfer(const struct program_instruction *at, int kind, unsigned state)
{
    switch (at->effect) {
    case CHECK_EFFECT_LD:
    case CHECK_EFFECT_ST: return state | (at->effect == accesses[kind] ? FLIES_OWN : FLIES_OTHER);
    case CHECK_EFFECT_MMA:
    case CHECK_EFFECT_CP:
    case CHECK_EFFECT_SHIFT: return state | FLIES_PIPE;
    case CHECK_EFFECT_COMMIT: return state & ~(unsigned)FLIES_PIPE;
    case CHECK_EFFECT_WAIT_LD:
    case CHECK_EFFECT_WAIT_ST: return wait(at, kind, state);
    default: return state;
    }
}

/* Could this instruction tell that an owed wait is gone? */
static bool tells(const struct program_instruction *at, int kind)
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

static uint16_t add(uint16_t states, unsigned state)
{
    return (uint16_t)(states | 1u << state);
}

/* Callers and callees may have issued anything. */
static uint16_t add_any(uint16_t states)
{
    for (unsigned flies = 0; flies <= FLIES; flies++) states = add(states, flies);
    return states;
}

/* The states of one kind behind an instruction; false when it tells. */
static bool pass(const struct program_instruction *at, int kind, uint16_t *states)
{
    uint16_t behind = at->guarded ? *states : 0;
    for (unsigned state = 0; state < STATES; state++) {
        if (!(*states >> state & 1)) continue;
        if (state & OWED && tells(at, kind)) return false;
        behind = add(behind, transfer(at, kind, state));
    }
    *states = at->effect == CHECK_EFFECT_CALL ? add_any(behind) : behind;
    return true;
}

/* Sends sets through block b. The instruction that tells an owed wait of *kind, NONE when none
 * does. */
static uint32_t through(const struct program *program, uint32_t b, struct meant_sets *sets,
                        int *kind)
{
    const struct program_block *block = &program->blocks.at[b];
    work_spend(block->end - block->start);
    for (uint32_t i = block->start; i < block->end; i++) {
        const struct program_instruction *at = &program->instructions.at[i];
        if (at->effect == CHECK_EFFECT_NEUTRAL) continue;
        for (*kind = 0; *kind < MEANT_KINDS; ++*kind)
            if (!pass(at, *kind, &sets->of[*kind])) return i;
    }
    return PROGRAM_NONE;
}

static struct meant_sets entry_sets(const struct program *program)
{
    uint16_t states = program->is_entry ? add(0, 0) : add_any(0);
    return (struct meant_sets){{states, states}};
}

static bool includes(const struct meant_sets *all, const struct meant_sets *some)
{
    return !(some->of[0] & ~all->of[0]) && !(some->of[1] & ~all->of[1]);
}

/* The nearest deleted wait of the kind in front of i; else the first one. */
static uint32_t culprit(const struct program *program, uint32_t i, int kind)
{
    uint32_t first = PROGRAM_NONE, nearest = PROGRAM_NONE;
    for (uint32_t w = 0; w < program->instructions.count; w++) {
        const struct program_instruction *at = &program->instructions.at[w];
        if (at->effect != waits[kind] || !at->deleted) continue;
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
    int kind = 0;
    meant->at[0] = entry_sets(program);
    worklist_add(&todo, 0);
    for (uint32_t b = worklist_next(&todo); b != WORKLIST_NONE && told == PROGRAM_NONE;
         b = worklist_next(&todo)) {
        const struct program_block *block = &program->blocks.at[b];
        struct meant_sets sets = meant->at[b];
        told = through(program, b, &sets, &kind);
        for (uint32_t s = block->succ_start; s < block->succ_end; s++) {
            struct meant_sets *into = &meant->at[program->succs.at[s]];
            if (!includes(into, &sets)) worklist_add(&todo, program->succs.at[s]);
            for (int k = 0; k < MEANT_KINDS; k++) into->of[k] |= sets.of[k];
        }
    }
    worklist_free(&todo);
    if (told != PROGRAM_NONE) *fault = culprit(program, told, kind);
    return told == PROGRAM_NONE;
}

bool meant_holds(const struct meant *meant, const struct program *program)
{
    if (!meant->used) return true;
    struct meant_sets entry = entry_sets(program);
    bool fine = includes(&meant->at[0], &entry);
    for (uint32_t b = 0; fine && b < program->blocks.count; b++) {
        const struct program_block *block = &program->blocks.at[b];
        struct meant_sets sets = meant->at[b];
        int kind;
        fine = through(program, b, &sets, &kind) == PROGRAM_NONE;
        for (uint32_t s = block->succ_start; fine && s < block->succ_end; s++)
            fine = includes(&meant->at[program->succs.at[s]], &sets);
    }
    return fine;
}
