/* From each removed wait, looks for a way back to a block at or before the last load, on which
 * nothing waits for this load: no instruction that reads what it loads and, after the next kept
 * wait::ld, no barrier, commit or further load. See carried.h. */
#include "check/model/carried.h"

#include <string.h>

#include "base/mem.h"
#include "base/work.h"
#include "check/model/held.h"

enum { WAYS_MAX = 256 };

/* The state at the beginning of a block. */
struct way {
    uint32_t block;
    uint32_t load; /* the last one; NONE: not known */
    bool covered;  /* a kept wait::ld has come */
};

struct carried {
    const struct program *program;
    bool reads_text;    /* see statement_needs_load */
    bool stores;        /* of wait::st and stores in place of wait::ld and loads */
    uint32_t *block_of; /* by instruction */
    bool *in_flight;    /* by block: at its beginning, some load has no kept wait yet */
    uint32_t *rank;     /* by block: see rank_blocks; NULL: not yet */
    struct VEC(struct way) ways;
    bool *cleared; /* by instruction: see passes_cleared */
    /* Removed waits that are cleared if the current search finds nothing. */
    struct VEC(uint32_t) crossed;
};

static bool load_sets(const struct program *program, uint32_t load, uint32_t reg)
{
    const struct program_instruction *at = &program->instructions.at[load];
    for (uint32_t r = at->writes; r < at->reads; r++)
        if (program->registers.at[r] == reg) return true;
    return false;
}

/* Whether one of the touches [t, end), all of the same statement, writes the register. */
static bool touches_write(const struct program *program, uint32_t t, uint32_t end, uint32_t reg)
{
    const struct program_touch *touch = program->touches.at;
    for (uint32_t at = touch[t].at; t < end && touch[t].at == at; t++)
        if (!touch[t].reads && touch[t].reg == reg) return true;
    return false;
}

/* Whether the statement of the touches [t, end) names something that is loaded, and does not write
 * it. The text is read again, since a program without all reads does not have them. */
static bool statement_needs_load(const struct program *program, uint32_t t, uint32_t end,
                                 uint32_t load)
{
    struct str text = program->text;
    struct token token = token_next(text, program->touches.at[t].at);
    uint32_t pos = token.span.end; /* behind the first word of the opcode */
    bool needs = false;
    while (!needs && token.kind != TOKEN_END && token.kind != TOKEN_BAD &&
           !token_is(text, token, ';')) {
        token = token_next(text, pos);
        pos = token.span.end;
        if (token.kind != TOKEN_NAME) continue;
        uint32_t reg = scope_register_everywhere(&program->scope, text, token.span.start, &pos);
        needs = reg != PROGRAM_NONE && load_sets(program, load, reg) &&
                !touches_write(program, t, end, reg);
    }
    return needs;
}

/* Whether an instruction that only computes, of the touches [t, end), certainly reads what is
 * loaded. */
static bool work_needs_load(const struct carried *carried, uint32_t t, uint32_t end, uint32_t load)
{
    const struct program *program = carried->program;
    for (uint32_t last = UINT32_MAX; t < end; t++) {
        const struct program_touch *touch = &program->touches.at[t];
        if (touch->guarded) continue;
        if (touch->reads && load_sets(program, load, touch->reg)) return true;
        if (carried->reads_text && touch->at != last && statement_needs_load(program, t, end, load))
            return true;
        last = touch->at;
    }
    return false;
}

/* Whether the instruction, or one that only computes and comes before the next one, certainly reads
 * what is loaded. */
static bool needs_load(const struct carried *carried, uint32_t i, uint32_t load)
{
    const struct program *program = carried->program;
    const struct program_instruction *at = &program->instructions.at[i];
    if (load == PROGRAM_NONE) return false;
    for (uint32_t r = at->reads; r < at->end && !at->guarded && i != load; r++)
        if (load_sets(program, load, program->registers.at[r])) return true;
    return work_needs_load(carried, at->work, program_touches(program, i + 1), load);
}

static bool is_issue(const struct carried *carried, const struct program_instruction *at)
{
    return at->effect == (carried->stores ? CHECK_EFFECT_ST : CHECK_EFFECT_LD);
}

static bool its_wait(const struct carried *carried, const struct program_instruction *at)
{
    return at->effect == (carried->stores ? CHECK_EFFECT_WAIT_ST : CHECK_EFFECT_WAIT_LD);
}

static bool covers(const struct carried *carried, const struct program_instruction *at)
{
    return its_wait(carried, at) && !at->guarded && !at->deleted;
}

/* Whether no way leads back from this removed wait on, as an earlier search has found. All ways
 * that come to it with a load of its block are in the same state. */
static bool passes_cleared(struct carried *carried, uint32_t wait, const struct way *way)
{
    if (way->load == PROGRAM_NONE || carried->block_of[way->load] != carried->block_of[wait])
        return false;
    if (!carried->cleared[wait]) vec_push(&carried->crossed, wait);
    return carried->cleared[wait];
}

/* Passes [i, end) of a block. Returns false if something waits for the load. */
static bool pass_way(struct carried *carried, uint32_t i, uint32_t end, struct way *way)
{
    const struct program *program = carried->program;
    uint32_t from = i;
    bool on = true;
    for (; i < end && on; i++) {
        const struct program_instruction *at = &program->instructions.at[i];
        bool loads = is_issue(carried, at);
        if (way->covered && !at->guarded && (loads || held_is_drain(at))) break;
        if (!way->covered && loads) way->load = at->guarded ? PROGRAM_NONE : i;
        on = !needs_load(carried, i, way->load);
        if (on && its_wait(carried, at) && at->deleted) on = !passes_cleared(carried, i, way);
        way->covered |= covers(carried, at);
    }
    work_spend(i - from);
    return on && i == end;
}

static void add_way(struct carried *carried, struct way way)
{
    for (uint32_t w = 0; w < carried->ways.count; w++) {
        const struct way *old = &carried->ways.at[w];
        if (old->block == way.block && old->load == way.load && old->covered == way.covered) return;
    }
    vec_push(&carried->ways, way);
}

/* Sets how early each block is in a depth-first search that lists a block after all that follow it,
 * from the last to the first. So only a way around a loop leads to an earlier block, in whichever
 * order the text has the blocks. */
static void rank_blocks(struct carried *carried)
{
    const struct program *program = carried->program;
    uint32_t count = program->blocks.count, rank = count;
    struct VEC(uint32_t) trail = {0};
    uint32_t *tried = mem_zalloc(count, sizeof *tried);
    bool *met = mem_zalloc(count, sizeof *met);
    carried->rank = mem_alloc(count * sizeof *carried->rank);
    for (uint32_t b = 0; b < count; b++) carried->rank[b] = UINT32_MAX;
    work_spend(count);
    met[0] = true;
    vec_push(&trail, 0);
    while (trail.count) {
        uint32_t last = trail.at[trail.count - 1];
        const struct flow_block *block = &program->blocks.at[last];
        uint32_t s = block->succ_start + tried[last]++;
        if (s >= block->succ_end) {
            carried->rank[last] = --rank;
            trail.count--;
        } else if (!met[program->succs.at[s]]) {
            met[program->succs.at[s]] = true;
            vec_push(&trail, program->succs.at[s]);
        }
    }
    mem_free(met);
    mem_free(tried);
    vec_free(&trail);
}

/* Follows the edges out of the block of way. Returns whether one leads back. */
static bool way_back(struct carried *carried, struct way way)
{
    const struct program *program = carried->program;
    const struct flow_block *block = &program->blocks.at[way.block];
    uint32_t from = way.load == PROGRAM_NONE ? way.block : carried->block_of[way.load];
    for (uint32_t s = block->succ_start; s < block->succ_end; s++) {
        uint32_t next = program->succs.at[s];
        if (way.covered && carried->rank[next] <= carried->rank[way.block] &&
            carried->rank[next] <= carried->rank[from])
            return true;
        add_way(carried, (struct way){next, way.load, way.covered});
    }
    return false;
}

/* Sets the load that is in flight at the removed wait. Returns false if none is: the last one of
 * the block is waited for or needed in between. */
static bool begin_way(const struct carried *carried, uint32_t wait, struct way *way)
{
    const struct program *program = carried->program;
    uint32_t start = program->blocks.at[carried->block_of[wait]].start, i = wait;
    *way = (struct way){.block = carried->block_of[wait], .load = PROGRAM_NONE};
    for (bool drained = false; i > start; i--) {
        const struct program_instruction *at = &program->instructions.at[i - 1];
        if (is_issue(carried, at)) break;
        if (covers(carried, at) && (drained || way->covered)) return false;
        way->covered |= covers(carried, at);
        drained |= !at->guarded && held_is_drain(at);
    }
    if (i == start) return way->covered || carried->in_flight[way->block];
    if (program->instructions.at[i - 1].guarded) return true;
    way->load = i - 1;
    for (i--; i < wait; i++)
        if (needs_load(carried, i, way->load)) return false;
    return !needs_load(carried, wait, way->load);
}

static bool finds_way_back(struct carried *carried, struct way way, uint32_t wait)
{
    const struct program *program = carried->program;
    if (passes_cleared(carried, wait, &way)) return false;
    if (!carried->rank) rank_blocks(carried);
    carried->ways.count = 0;
    if (pass_way(carried, wait + 1, program->blocks.at[way.block].end, &way) &&
        way_back(carried, way))
        return true;
    for (uint32_t w = 0; w < carried->ways.count; w++) {
        way = carried->ways.at[w];
        const struct flow_block *block = &program->blocks.at[way.block];
        if (w == WAYS_MAX) return true;
        if (pass_way(carried, block->start, block->end, &way) && way_back(carried, way))
            return true;
    }
    return false;
}

static bool is_carried_over(struct carried *carried, uint32_t wait)
{
    struct way way;
    carried->crossed.count = 0;
    if (!begin_way(carried, wait, &way)) return false;
    if (finds_way_back(carried, way, wait)) return true;
    for (uint32_t n = 0; n < carried->crossed.count; n++)
        carried->cleared[carried->crossed.at[n]] = true;
    return false;
}

/* Whether a load is in flight after the block. */
static bool flies_on(const struct carried *carried, uint32_t block, bool flies)
{
    const struct program *program = carried->program;
    for (uint32_t i = program->blocks.at[block].start; i < program->blocks.at[block].end; i++) {
        const struct program_instruction *at = &program->instructions.at[i];
        flies |= is_issue(carried, at) || at->effect == CHECK_EFFECT_CALL;
        flies &= !covers(carried, at);
    }
    return flies;
}

static void find_in_flight(struct carried *carried)
{
    const struct program *program = carried->program;
    struct VEC(uint32_t) todo = {0};
    carried->in_flight[0] = !program->is_entry;
    for (uint32_t b = 0; b < program->blocks.count; b++) vec_push(&todo, b);
    work_spend(program->instructions.count);
    while (todo.count) {
        uint32_t b = todo.at[--todo.count];
        const struct flow_block *block = &program->blocks.at[b];
        if (!flies_on(carried, b, carried->in_flight[b])) continue;
        for (uint32_t s = block->succ_start; s < block->succ_end; s++) {
            uint32_t next = program->succs.at[s];
            if (!carried->in_flight[next]) vec_push(&todo, next);
            carried->in_flight[next] = true;
        }
    }
    vec_free(&todo);
}

static bool has_loop(const struct program *program)
{
    bool found = false;
    for (uint32_t b = 0; b < program->blocks.count; b++) {
        const struct flow_block *block = &program->blocks.at[b];
        for (uint32_t s = block->succ_start; s < block->succ_end; s++)
            found |= program->succs.at[s] <= b;
    }
    return found;
}

/* The number of a removed wait of the kind that is carried over. */
static uint32_t culprit_of_kind(struct carried *carried)
{
    const struct program *program = carried->program;
    uint32_t count = program->instructions.count, i = 0;
    const struct program_instruction *at = program->instructions.at;
    while (i < count && !(its_wait(carried, &at[i]) && at[i].deleted)) i++;
    if (i == count) return PROGRAM_NONE;
    memset(carried->in_flight, 0, program->blocks.count * sizeof *carried->in_flight);
    find_in_flight(carried);
    while (i < count &&
           !(its_wait(carried, &at[i]) && at[i].deleted && is_carried_over(carried, i)))
        i++;
    return i < count ? i : PROGRAM_NONE;
}

static bool has_removed_wait(const struct program *program)
{
    bool found = false;
    for (uint32_t i = 0; i < program->instructions.count && !found; i++) {
        const struct program_instruction *at = &program->instructions.at[i];
        found = at->deleted &&
                (at->effect == CHECK_EFFECT_WAIT_LD || at->effect == CHECK_EFFECT_WAIT_ST);
    }
    return found;
}

uint32_t carried_culprit(const struct program *program, bool reads_text)
{
    if (!has_removed_wait(program) || !has_loop(program)) return PROGRAM_NONE;
    struct carried carried = {.program = program, .reads_text = reads_text};
    carried.block_of = mem_zalloc(program->instructions.count, sizeof *carried.block_of);
    carried.in_flight = mem_zalloc(program->blocks.count, sizeof *carried.in_flight);
    for (uint32_t b = 0; b < program->blocks.count; b++)
        for (uint32_t n = program->blocks.at[b].start; n < program->blocks.at[b].end; n++)
            carried.block_of[n] = b;
    carried.cleared = mem_zalloc(program->instructions.count, sizeof *carried.cleared);
    uint32_t culprit = culprit_of_kind(&carried);
    carried.stores = true;
    if (culprit == PROGRAM_NONE) culprit = culprit_of_kind(&carried);
    vec_free(&carried.crossed);
    vec_free(&carried.ways);
    mem_free(carried.cleared);
    mem_free(carried.rank);
    mem_free(carried.in_flight);
    mem_free(carried.block_of);
    return culprit;
}
