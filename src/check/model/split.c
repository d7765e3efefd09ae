/* Leaves out the paths that no thread takes. A register keeps its value from one write to the
 * next, so all branches with the same condition go the same way. Each block is copied once for
 * each set of known conditions at its entry that a later branch uses. An edge that contradicts
 * the known conditions is left out. See split.h. */
#include "check/model/split.h"

#include "base/work.h"
#include "check/model/guards.h"

enum { GROWTH_MAX = 4 };

/* Conditions, as bits: those that are known, and of these the true ones. */
struct known {
    uint64_t which, hold;
};

/* A block with the conditions that are known at its entry. */
struct copy {
    uint32_t block;
    struct known known;
};

struct split {
    struct program *program;
    struct guards guards;
    uint64_t *ended; /* by block: the conditions that writes in it end */
    uint64_t *asked; /* by block: the conditions that a branch uses before they end */
    struct VEC(struct copy) copies;
    struct intern numbers; /* numbers of copies, by block and known conditions */
    struct VEC(struct flow_block) blocks;
    struct VEC(uint32_t) succs;
    bool dropped;
};

/* ---- needed conditions ---- */

struct ending {
    const struct guards *guards;
    uint64_t ended;
};

static void add_ended(void *of, uint32_t reg, uint32_t at, bool guarded)
{
    struct ending *ending = of;
    (void)at, (void)guarded;
    ending->ended |= ending->guards->ended[reg];
}

static uint64_t ended_in(const struct split *split, uint32_t block)
{
    struct ending ending = {&split->guards, 0};
    guards_writes(split->program, &split->program->blocks.at[block], add_ended, &ending);
    return ending.ended;
}

static void split_find_asked(struct split *split)
{
    const struct program *program = split->program;
    uint32_t count = program->blocks.count;
    split->ended = mem_zalloc(count, sizeof *split->ended);
    split->asked = mem_zalloc(count, sizeof *split->asked);
    for (uint32_t b = 0; b < count; b++) {
        uint32_t decider = split->guards.decider[b];
        split->ended[b] = ended_in(split, b);
        if (decider != GUARDS_NONE) split->asked[b] = 1ull << decider & ~split->ended[b];
    }
    bool changed = true; /* conditions used too far away are not followed, which only splits less */
    for (int round = 0; changed && round < GUARDS_ROUNDS; round++) {
        changed = false;
        work_spend(count);
        for (uint32_t b = count; b-- > 0;) {
            const struct flow_block *block = &program->blocks.at[b];
            uint64_t asked = 0;
            for (uint32_t s = block->succ_start; s < block->succ_end; s++)
                asked |= split->asked[program->succs.at[s]];
            asked = split->asked[b] | (asked & ~split->ended[b]);
            changed |= asked != split->asked[b];
            split->asked[b] = asked;
        }
    }
}

/* ---- copies ---- */

/* Returns the number of the copy of a block with these known conditions, as far as they are needed
 * there. */
static uint32_t split_copy_of(struct split *split, uint32_t block, struct known known)
{
    known.which &= split->asked[block];
    known.hold &= known.which;
    char *name = arena_copy(split->program->scope.arena, (const char *)&known, sizeof known);
    uint32_t number = intern_add(&split->numbers, block, (struct str){name, sizeof known});
    if (number == split->copies.count) vec_push(&split->copies, (struct copy){block, known});
    return number;
}

/* Adds the condition that an edge of the block implies to known. Returns false if no thread takes
 * the edge. */
static bool follow_edge(const struct split *split, uint32_t block, uint32_t succ,
                        struct known *known)
{
    uint32_t decider = split->guards.decider[block];
    if (decider == GUARDS_NONE) return true;
    /* The last successor is for a guard that is false. */
    bool falls = succ + 1 == split->program->blocks.at[block].succ_end;
    bool holds = falls == guards_last(split->program, block)->negated;
    uint64_t bit = 1ull << decider;
    if (known->which & bit && (known->hold & bit) != (holds ? bit : 0)) return false;
    known->which |= bit;
    if (holds) known->hold |= bit;
    return true;
}

static void split_add_succs(struct split *split, struct copy copy)
{
    const struct program *program = split->program;
    const struct flow_block *block = &program->blocks.at[copy.block];
    struct flow_block made = {
        .start = block->start, .end = block->end, .succ_start = split->succs.count};
    work_spend(1);
    for (uint32_t s = block->succ_start; s < block->succ_end; s++) {
        struct known known = copy.known;
        known.which &= ~split->ended[copy.block];
        known.hold &= known.which;
        bool goes = follow_edge(split, copy.block, s, &known);
        split->dropped |= !goes;
        if (goes) vec_push(&split->succs, split_copy_of(split, program->succs.at[s], known));
    }
    made.succ_end = split->succs.count;
    vec_push(&split->blocks, made);
}

/* Makes the copies. Returns false if there would be too many. */
static bool copy_blocks(struct split *split)
{
    uint64_t most = (uint64_t)split->program->blocks.count * GROWTH_MAX;
    split_copy_of(split, 0, (struct known){0, 0});
    for (uint32_t c = 0; c < split->copies.count; c++) {
        if (split->copies.count > most) return false;
        split_add_succs(split, split->copies.at[c]);
    }
    return true;
}

static void take_over(struct split *split)
{
    struct program *program = split->program;
    program->blocks.count = program->succs.count = 0;
    for (uint32_t b = 0; b < split->blocks.count; b++)
        vec_push(&program->blocks, split->blocks.at[b]);
    for (uint32_t s = 0; s < split->succs.count; s++) vec_push(&program->succs, split->succs.at[s]);
}

bool split_blocks(struct program *program)
{
    struct split split = {.program = program};
    bool splits = guards_find(&split.guards, program);
    if (splits) split_find_asked(&split);
    splits = splits && copy_blocks(&split) && split.dropped;
    if (splits) take_over(&split);
    guards_free(&split.guards);
    mem_free(split.ended);
    mem_free(split.asked);
    vec_free(&split.copies);
    vec_free(&split.blocks);
    vec_free(&split.succs);
    intern_free(&split.numbers);
    return splits;
}
