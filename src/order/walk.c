/* Which instructions may run after, or before, this one? Depth-first over the graph, each block
 * entered at most once a state. */
#include <string.h>

#include "base/vec.h"
#include "order/facts.h"

struct item {
    uint32_t block;
    unsigned state;
};

struct walk_scratch {
    struct item *stack;   /* blocks * WALK_STATES items at the most */
    uint32_t *block_mark; /* by block: the walk that entered_states belongs to */
    uint8_t *entered_states;
    uint32_t walk;
    uint32_t *instr_mark, generation;
    uint32_t *reg_mark[REG_SETS], reg_generation[REG_SETS];
};

void facts_init(struct facts *facts, const struct view *view, const struct function *function,
                const struct cfg *cfg, uint32_t assumptions, struct arena *arena)
{
    struct walk_scratch *s = arena_alloc(arena, 1, sizeof *s);
    s->stack = arena_alloc(arena, (size_t)cfg->count * WALK_STATES, sizeof *s->stack);
    s->block_mark = arena_alloc(arena, cfg->count, sizeof *s->block_mark);
    s->entered_states = arena_alloc(arena, cfg->count, sizeof *s->entered_states);
    s->instr_mark = arena_alloc(arena, function->count, sizeof *s->instr_mark);
    s->generation = 1;
    for (int set = 0; set < REG_SETS; set++) {
        s->reg_mark[set] = arena_alloc(arena, function->reg_count, sizeof **s->reg_mark);
        s->reg_generation[set] = 1;
    }
    bool *deleted = arena_alloc(arena, function->count, sizeof *deleted);
    *facts = (struct facts){view, function, cfg, assumptions, deleted, s};
}

/* Enters a block in a state unless it has been entered in it. */
static void enter(struct walk_scratch *s, uint32_t *depth, uint32_t block, unsigned state)
{
    if (s->block_mark[block] != s->walk) {
        s->block_mark[block] = s->walk;
        s->entered_states[block] = 0;
    }
    if (s->entered_states[block] & 1u << state) return;
    s->entered_states[block] |= (uint8_t)(1u << state);
    s->stack[(*depth)++] = (struct item){block, state};
}

static enum step visit_one(const struct facts *facts, uint32_t site, uint32_t i, walk_visit *visit,
                           void *context, unsigned *state)
{
    if (i == site || facts->deleted[i]) return STEP_ON;
    return visit(context, i, state);
}

bool walk_forward(const struct facts *facts, uint32_t site, unsigned state, walk_visit *visit,
                  void *context)
{
    const struct cfg *cfg = facts->cfg;
    struct walk_scratch *s = facts->scratch;
    uint32_t depth = 0, block = cfg->block_of[site], from = site + 1;
    s->walk++;
    for (;;) {
        enum step step = STEP_ON;
        for (uint32_t i = from; i < cfg->blocks[block].end && step == STEP_ON; i++)
            step = visit_one(facts, site, i, visit, context, &state);
        if (step == STEP_STOP) return false;
        for (uint32_t i = 0; step == STEP_ON && i < cfg->blocks[block].succ_count; i++)
            enter(s, &depth, cfg->succs[cfg->blocks[block].first_succ + i], state);
        if (!depth) return true;
        block = s->stack[--depth].block;
        state = s->stack[depth].state;
        from = cfg->blocks[block].first;
    }
}

bool walk_backward(const struct facts *facts, uint32_t site, unsigned state, walk_visit *visit,
                   void *context)
{
    const struct cfg *cfg = facts->cfg;
    struct walk_scratch *s = facts->scratch;
    uint32_t depth = 0, block = cfg->block_of[site], behind = site;
    s->walk++;
    for (;;) {
        enum step step = STEP_ON;
        for (uint32_t i = behind; i > cfg->blocks[block].first && step == STEP_ON; i--)
            step = visit_one(facts, site, i - 1, visit, context, &state);
        if (step == STEP_ON && block == 0) {
            unsigned at_entry = state;
            if (visit(context, WALK_ENTRY, &at_entry) == STEP_STOP) return false;
        }
        if (step == STEP_STOP) return false;
        for (uint32_t i = 0; step == STEP_ON && i < cfg->blocks[block].pred_count; i++)
            enter(s, &depth, cfg->preds[cfg->blocks[block].first_pred + i], state);
        if (!depth) return true;
        block = s->stack[--depth].block;
        state = s->stack[depth].state;
        behind = cfg->blocks[block].end;
    }
}

void marks_clear(const struct facts *facts)
{
    facts->scratch->generation++;
}

void mark_instr(const struct facts *facts, uint32_t instr)
{
    facts->scratch->instr_mark[instr] = facts->scratch->generation;
}

bool marked_instr(const struct facts *facts, uint32_t instr)
{
    return facts->scratch->instr_mark[instr] == facts->scratch->generation;
}

void regs_clear(const struct facts *facts, enum reg_set set)
{
    facts->scratch->reg_generation[set]++;
}

void mark_reg(const struct facts *facts, enum reg_set set, reg_id reg)
{
    facts->scratch->reg_mark[set][reg] = facts->scratch->reg_generation[set];
}

bool marked_reg(const struct facts *facts, enum reg_set set, reg_id reg)
{
    return facts->scratch->reg_mark[set][reg] == facts->scratch->reg_generation[set];
}
