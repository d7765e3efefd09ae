/* Copies blocks for each set of known conditions at their start, beginning at the entry. See
 * unfold.h. */
#include "flow/unfold.h"

#include "base/vec.h"
#include "base/work.h"
#include "ptx/stored.h"

/* The most copies for each block on average, and of one block. */
enum { GROWTH_MOST = 4, COPIES_MOST = 64 };

/* A block with these conditions known at its start. */
struct copy {
    uint32_t block, number; /* number: the index of its block in the result */
    struct known known;
    uint32_t earlier;                /* 1 + the copy of the same block that was made before, or 0 */
    uint32_t first_succ, succ_count; /* first_succ: index in succs, which has indices of copies */
};

struct build {
    const struct cfg *cfg;
    const struct agree *agree;
    uint32_t *asked; /* by block: the conditions that a later branch depends on before they end */
    struct VEC(struct copy) copies;
    struct VEC(uint32_t) succs;
    uint32_t *latest; /* by block: 1 + the copy that was made last, or 0 */
    struct VEC(uint32_t) kept;
    uint32_t *first_kept;      /* by block, and one more: index in kept */
    struct stored_list stored; /* of the function */
    uint32_t *first_stored;    /* by block, and one more: index in stored */
    struct arena scratch;
    bool wins;     /* some edge of some copy is impossible */
    bool too_many; /* a block would have more copies than COPIES_MOST */
};

/* Computes asked. A condition that is not found within the passes is forgotten on the paths. */
static void unfold_find_asked(struct build *b)
{
    const struct cfg *cfg = b->cfg;
    bool changed = true;
    b->asked = arena_alloc(&b->scratch, cfg->count, sizeof *b->asked);
    for (int pass = 0; changed && pass < AGREE_PASSES; pass++) {
        changed = false;
        work_spend(cfg->count);
        for (uint32_t at = cfg->count; at-- > 0;) {
            const struct block *block = &cfg->blocks[at];
            uint32_t decider = b->agree->decider[at], asked = 0;
            if (decider != AGREE_NONE) asked |= 1u << decider;
            for (uint32_t n = 0; n < block->succ_count; n++)
                asked |= b->asked[cfg->succs[block->first_succ + n]];
            asked &= ~b->agree->ended[at];
            changed |= asked != b->asked[at];
            b->asked[at] = asked;
        }
    }
}

static uint32_t unfold_copy_of(struct build *b, uint32_t block, struct known known)
{
    uint32_t made = 0;
    known.yes &= b->asked[block];
    known.no &= b->asked[block];
    for (uint32_t at = b->latest[block]; at; at = b->copies.at[at - 1].earlier, made++) {
        const struct known *of = &b->copies.at[at - 1].known;
        if (of->yes == known.yes && of->no == known.no) return at - 1;
    }
    if (made == COPIES_MOST) b->too_many = true;
    vec_push(&b->copies,
             (struct copy){.block = block, .known = known, .earlier = b->latest[block]});
    b->latest[block] = b->copies.count;
    return b->copies.count - 1;
}

static void follow_copy(struct build *b, uint32_t number)
{
    struct copy copy = b->copies.at[number];
    const struct block *block = &b->cfg->blocks[copy.block];
    copy.first_succ = b->succs.count;
    for (uint32_t n = 0; n < block->succ_count; n++) {
        struct known known = copy.known;
        if (agree_take_edge(b->agree, b->cfg, copy.block, n, &known))
            vec_push(&b->succs, unfold_copy_of(b, b->cfg->succs[block->first_succ + n], known));
        else
            b->wins = true;
    }
    copy.succ_count = b->succs.count - copy.first_succ;
    b->copies.at[number] = copy;
}

static bool follow_all(struct build *b)
{
    uint64_t most = (uint64_t)b->cfg->count * GROWTH_MOST;
    b->latest = arena_alloc(&b->scratch, b->cfg->count, sizeof *b->latest);
    unfold_copy_of(b, 0, (struct known){0, 0});
    for (uint32_t n = 0; n < b->copies.count && b->copies.count <= most && !b->too_many; n++) {
        work_spend(1);
        follow_copy(b, n);
    }
    return b->wins && b->copies.count <= most && !b->too_many;
}

/* ---- the result ---- */

/* Numbers the copies in the order of their blocks. The first copy of the entry keeps the number 0.
 */
static void number_copies(struct build *b, struct unfold *unfold, struct arena *arena)
{
    uint32_t blocks = b->cfg->count;
    unfold->first_copy = arena_alloc(arena, blocks + 1, sizeof *unfold->first_copy);
    for (uint32_t n = 0; n < b->copies.count; n++) unfold->first_copy[b->copies.at[n].block + 1]++;
    for (uint32_t at = 0; at < blocks; at++) unfold->first_copy[at + 1] += unfold->first_copy[at];
    uint32_t *next = arena_alloc(&b->scratch, blocks, sizeof *next);
    for (uint32_t n = 0; n < b->copies.count; n++) {
        struct copy *copy = &b->copies.at[n];
        copy->number = unfold->first_copy[copy->block] + next[copy->block]++;
    }
}

/* Instructions that only compute, and have no requested register, are not copied. */
static bool unfold_keeps(const struct instr *instr)
{
    return !effect_is_neutral(instr->opcode->effect) || instr->use_count;
}

/* Lists the instructions that are copied, block after block. */
static void rank_instrs(struct build *b, struct unfold *unfold, struct arena *arena)
{
    const struct function *from = b->cfg->function;
    unfold->rank = arena_alloc(arena, from->count, sizeof *unfold->rank);
    b->first_kept = arena_alloc(&b->scratch, b->cfg->count + 1, sizeof *b->first_kept);
    work_spend(from->count);
    for (uint32_t at = 0; at < b->cfg->count; at++) {
        const struct block *block = &b->cfg->blocks[at];
        for (uint32_t i = block->first; i < block->end; i++) {
            unfold->rank[i] = b->kept.count - b->first_kept[at];
            if (unfold_keeps(&from->instrs[i])) vec_push(&b->kept, i);
        }
        b->first_kept[at + 1] = b->kept.count;
    }
}

static void copy_block(const struct build *b, struct unfold *unfold, uint32_t at, uint32_t copy)
{
    struct function *to = &unfold->function;
    unfold->cfg.blocks[copy].first = to->count;
    for (uint32_t k = b->first_kept[at]; k < b->first_kept[at + 1]; k++) {
        const struct instr *instr = &b->cfg->function->instrs[b->kept.at[k]];
        if (!effect_is_neutral(instr->opcode->effect)) to->notable[to->notable_count++] = to->count;
        unfold->origin[to->count] = b->kept.at[k];
        unfold->cfg.block_of[to->count] = copy;
        to->instrs[to->count++] = *instr;
    }
    unfold->cfg.blocks[copy].end = to->count;
}

/* Returns the number of loads of stored in all copies. */
static uint32_t copied_loads(struct build *b)
{
    uint32_t count = 0, next = 0;
    b->stored = stored_of(b->cfg->function);
    b->first_stored = arena_room(&b->scratch, b->cfg->count + 1, sizeof *b->first_stored);
    for (uint32_t at = 0; at < b->cfg->count; at++) {
        b->first_stored[at] = next;
        while (next < b->stored.count && b->stored.at[next].load < b->cfg->blocks[at].end) next++;
    }
    b->first_stored[b->cfg->count] = next;
    for (uint32_t n = 0; n < b->copies.count; n++) {
        const uint32_t *first = &b->first_stored[b->copies.at[n].block];
        count += first[1] - first[0];
    }
    return count;
}

static void copy_stored(const struct build *b, struct unfold *unfold, uint32_t at, uint32_t copy)
{
    uint32_t first = unfold->cfg.blocks[copy].first;
    for (uint32_t s = b->first_stored[at]; s < b->first_stored[at + 1]; s++)
        unfold->function.stored[unfold->function.stored_count++] =
            (struct stored){first + unfold->rank[b->stored.at[s].load],
                            first + unfold->rank[b->stored.at[s].behind]};
}

static void make_instrs(struct build *b, struct unfold *unfold, struct arena *arena)
{
    struct function *to = &unfold->function;
    uint32_t count = 0;
    rank_instrs(b, unfold, arena);
    for (uint32_t n = 0; n < b->copies.count; n++) {
        const uint32_t *first = &b->first_kept[b->copies.at[n].block];
        count += first[1] - first[0];
    }
    *to = *b->cfg->function;
    to->search = NULL;
    to->stored = arena_room(arena, copied_loads(b), sizeof *to->stored);
    to->count = to->stored_count = to->label_count = to->target_list_count = to->loc_count =
        to->notable_count = 0;
    to->instrs = arena_room(arena, count, sizeof *to->instrs);
    to->notable = arena_room(arena, count, sizeof *to->notable);
    unfold->origin = arena_room(arena, count, sizeof *unfold->origin);
    unfold->cfg.block_of = arena_room(arena, count, sizeof *unfold->cfg.block_of);
    for (uint32_t at = 0; at < b->cfg->count; at++)
        for (uint32_t n = unfold->first_copy[at]; n < unfold->first_copy[at + 1]; n++) {
            copy_block(b, unfold, at, n);
            copy_stored(b, unfold, at, n);
        }
    work_spend(count);
}

static void unfold_make_edges(struct build *b, struct unfold *unfold, struct arena *arena)
{
    struct cfg *cfg = &unfold->cfg;
    cfg->succs = arena_room(arena, b->succs.count, sizeof *cfg->succs);
    for (uint32_t n = 0; n < b->copies.count; n++) {
        const struct copy *copy = &b->copies.at[n];
        struct block *block = &cfg->blocks[copy->number];
        block->reachable = true;
        block->first_succ = copy->first_succ;
        block->succ_count = copy->succ_count;
        for (uint32_t s = 0; s < copy->succ_count; s++)
            cfg->succs[copy->first_succ + s] =
                b->copies.at[b->succs.at[copy->first_succ + s]].number;
    }
    cfg_find_preds(cfg, arena);
}

bool unfold_build(struct unfold *unfold, const struct cfg *cfg, const struct agree *agree,
                  struct arena *arena)
{
    struct build b = {.cfg = cfg, .agree = agree};
    *unfold = (struct unfold){.cfg = {.function = &unfold->function}};
    unfold_find_asked(&b);
    bool wins = follow_all(&b);
    if (wins) {
        unfold->cfg.count = b.copies.count;
        unfold->cfg.blocks = arena_alloc(arena, b.copies.count, sizeof *unfold->cfg.blocks);
        number_copies(&b, unfold, arena);
        make_instrs(&b, unfold, arena);
        unfold_make_edges(&b, unfold, arena);
    }
    vec_free(&b.copies);
    vec_free(&b.succs);
    vec_free(&b.kept);
    arena_free(&b.scratch);
    return wins;
}
