/* Converts the text of a fix to an instruction and places for it. It does so for a fix that begins
 * with "write" or "execute" and an instruction of the list below.
 *
 * An instruction that all lanes of a warp must execute together is placed next to another such
 * instruction: the release if that is .aligned, otherwise the operation itself. */
#include "lint/cure.h"

#include "value/instruction.h"

/* ---- which instruction ---- */

enum remedy { REMEDY_WAIT, REMEDY_BEFORE, REMEDY_AFTER, REMEDY_PROXY, REMEDY_GRID, REMEDY_GROUP };

struct remedy_row {
    enum remedy remedy;
    const char *name, *text; /* beginning of the fix, and the complete instruction */
};

static const struct remedy_row remedies[] = {
    {REMEDY_WAIT, "tcgen05.wait::ld ", "tcgen05.wait::ld.sync.aligned;"},
    {REMEDY_WAIT, "tcgen05.wait::st ", "tcgen05.wait::st.sync.aligned;"},
    {REMEDY_BEFORE, "tcgen05.fence::before_thread_sync ", "tcgen05.fence::before_thread_sync;"},
    {REMEDY_AFTER, "tcgen05.fence::after_thread_sync ", "tcgen05.fence::after_thread_sync;"},
    {REMEDY_PROXY, "fence.proxy.async.shared::cta ", "fence.proxy.async.shared::cta;"},
    {REMEDY_GRID, "griddepcontrol.wait ", "griddepcontrol.wait;"},
    {REMEDY_GROUP, "cp.async.bulk.wait_group.read ", "cp.async.bulk.wait_group.read 0;"},
};

static const struct remedy_row *remedy_of(const struct hazard *hazard)
{
    static const char *const orders[] = {"write ", "execute ",
                                         "let the thread that issued %s commit it and execute "};
    struct str fix = str_from(hazard->fix);
    for (size_t o = 0; o < sizeof orders / sizeof *orders; o++) {
        size_t n = strlen(orders[o]);
        if (!str_starts(fix, orders[o])) continue;
        for (size_t i = 0; i < sizeof remedies / sizeof *remedies; i++)
            if (str_starts((struct str){fix.p + n, fix.n - n}, remedies[i].name))
                return &remedies[i];
    }
    return NULL;
}

/* ---- places ---- */

struct search {
    const struct lint *lint;
    const struct hazard *hazard;
    const char *text;
    struct cure *cures;
    uint32_t count;
};

static void add_cure(struct search *s, uint32_t instr, bool behind, bool guarded)
{
    struct cure cure = {s->text, instr, behind, guarded};
    if (instr == NO_INSTR || instr + 1 >= s->lint->function->count) return;
    for (uint32_t i = 0; i < s->count; i++)
        if (s->cures[i].instr == instr && s->cures[i].behind == behind) return;
    if (s->count < CURES_MAX) s->cures[s->count++] = cure;
}

static bool has_guard(const struct search *s, uint32_t instr)
{
    return s->lint->function->instrs[instr].guard != REG_NONE;
}

static bool is_aligned_instruction(const struct search *s, uint32_t instr)
{
    return instruction_has(s->lint->subject, instr, ".aligned") ||
           str_is(instruction_base(s->lint->subject, instr), "bar");
}

static const struct block *block_of(const struct search *s, uint32_t instr)
{
    return &s->lint->cfg->blocks[s->lint->cfg->block_of[instr]];
}

/* ---- a wait for the thread's own operation ---- */

/* The last operation of the same kind in the block with the same guard: one wait completes all of
 * them. */
static uint32_t last_of_run(const struct search *s, uint32_t operation)
{
    const struct instr *instrs = s->lint->function->instrs;
    uint32_t last = operation;
    for (uint32_t i = operation + 1; i < block_of(s, operation)->end && i != s->hazard->at; i++)
        if (lint_effect(s->lint, i) == lint_effect(s->lint, operation) &&
            instrs[i].guard == instrs[operation].guard &&
            instrs[i].guard_negated == instrs[operation].guard_negated)
            last = i;
    return last;
}

static void find_wait(struct search *s)
{
    uint32_t at = s->hazard->at, operation = s->hazard->witness;
    enum effect effect = lint_effect(s->lint, at);
    if (effect == EFFECT_WAIT_LD || effect == EFFECT_WAIT_ST) {
        add_cure(s, at, true, true);
        return;
    }
    if (operation == NO_INSTR) return;
    bool together = block_of(s, at) == block_of(s, operation) && at > operation;
    if (is_aligned_instruction(s, at) ||
        (together && !has_guard(s, at) && !has_guard(s, operation)))
        add_cure(s, at, false, true);
    add_cure(s, last_of_run(s, operation), true, true);
    add_cure(s, operation, true, true);
}

/* ---- a fence after a wait for another thread ---- */

enum { LOOP_MOST = 16 }; /* limit of blocks: a loop that only retries has few */

struct loop {
    uint32_t blocks[LOOP_MOST], from[LOOP_MOST], count; /* from: index of the predecessor */
};

static bool loop_has(const struct loop *loop, uint32_t block)
{
    for (uint32_t i = 0; i < loop->count; i++)
        if (loop->blocks[i] == block) return true;
    return false;
}

/* Finds the shortest cycle through the block by breadth-first search. False if there is none within
 * LOOP_MOST blocks. */
static bool find_cure_loop(const struct search *s, uint32_t block, struct loop *loop)
{
    const struct cfg *cfg = s->lint->cfg;
    struct loop met = {.blocks = {block}, .count = 1};
    for (uint32_t first = 0; first < met.count; first++) {
        const struct block *at = &cfg->blocks[met.blocks[first]];
        for (uint32_t i = 0; i < at->succ_count; i++) {
            uint32_t next = cfg->succs[at->first_succ + i];
            if (next == block) {
                for (uint32_t on = first; on; on = met.from[on])
                    loop->blocks[loop->count++] = met.blocks[on];
                loop->blocks[loop->count++] = block;
                return true;
            }
            if (met.count == LOOP_MOST || loop_has(&met, next)) continue;
            met.from[met.count] = first;
            met.blocks[met.count++] = next;
        }
    }
    return false;
}

/* The block only retries the wait. */
static bool only_polls(const struct search *s, const struct block *block, uint32_t wait)
{
    for (uint32_t i = block->first; i < block->end; i++)
        if (i != wait && !effect_is_neutral(lint_effect(s->lint, i)) &&
            lint_effect(s->lint, i) != EFFECT_BOTH_MEMORY)
            return false;
    return true;
}

/* The first instruction after the loop that retries the wait; NO_INSTR if there is no such loop, or
 * several exits. */
static uint32_t behind_loop(const struct search *s, uint32_t wait)
{
    const struct cfg *cfg = s->lint->cfg;
    struct loop loop = {.count = 0};
    uint32_t exit = NO_INSTR;
    if (!find_cure_loop(s, cfg->block_of[wait], &loop)) return NO_INSTR;
    for (uint32_t b = 0; b < loop.count; b++) {
        const struct block *block = &cfg->blocks[loop.blocks[b]];
        if (!only_polls(s, block, wait)) return NO_INSTR;
        for (uint32_t i = 0; i < block->succ_count; i++) {
            uint32_t next = cfg->succs[block->first_succ + i];
            if (loop_has(&loop, next) || cfg->blocks[next].first == exit) continue;
            if (exit != NO_INSTR || cfg->blocks[next].first == cfg->blocks[next].end)
                return NO_INSTR;
            exit = cfg->blocks[next].first;
        }
    }
    return exit;
}

static void find_fence_after(struct search *s)
{
    uint32_t wait = s->hazard->witness;
    if (wait != NO_INSTR && instruction_joins_warps(s->lint->subject, wait))
        add_cure(s, wait, true, true);
    else if (wait != NO_INSTR)
        add_cure(s, behind_loop(s, wait), false, false);
    add_cure(s, s->hazard->at, false, true);
}

/* ---- a fence between the proxies ---- */

/* The fence must be before this instruction: a release, a read by the other proxy, or anything else
 * that may depend on it. */
static bool needs_proxy_fence_before(const struct search *s, uint32_t instr)
{
    enum effect effect = lint_effect(s->lint, instr);
    bool neutral = effect_is_neutral(effect) || effect == EFFECT_MEET_MEMORY;
    return instr == s->hazard->at || effect == EFFECT_CALL || effect == EFFECT_EXIT ||
           (!neutral && !effect_is_wait_or_fence(effect) && effect != EFFECT_ASYNC_LD &&
            effect != EFFECT_ASYNC_ST);
}

/* The only successor further down in the text; cfg->count if there is none, or several. */
static uint32_t next_below(const struct search *s, uint32_t block)
{
    const struct cfg *cfg = s->lint->cfg;
    uint32_t below = cfg->count;
    for (uint32_t i = 0; i < cfg->blocks[block].succ_count; i++) {
        uint32_t next = cfg->succs[cfg->blocks[block].first_succ + i];
        if (next <= block || next == below) continue;
        if (below != cfg->count) return cfg->count;
        below = next;
    }
    return below;
}

/* The block has a predecessor further down in the text. */
static bool is_loop_head(const struct search *s, uint32_t block)
{
    const struct cfg *cfg = s->lint->cfg;
    for (uint32_t i = 0; i < cfg->blocks[block].pred_count; i++)
        if (cfg->preds[cfg->blocks[block].first_pred + i] >= block) return true;
    return false;
}

/* Places the fence at the end of the block, before a branch. */
static void add_at_end(struct search *s, uint32_t block)
{
    uint32_t last = s->lint->cfg->blocks[block].end - 1;
    bool branches = str_is(instruction_base(s->lint->subject, last), "bra");
    add_cure(s, last, !branches, false);
}

/* Places the fence at the end of the code that the accessing thread executes without a release: one
 * fence covers all accesses in it. A loop that only begins after the access is not entered, so that
 * the fence does not run in every iteration. */
static void find_end_of_run(struct search *s, uint32_t access)
{
    const struct cfg *cfg = s->lint->cfg;
    uint32_t block = cfg->block_of[access], from = access + 1;
    for (;;) {
        for (uint32_t i = from; i < cfg->blocks[block].end; i++)
            if (needs_proxy_fence_before(s, i)) {
                add_cure(s, i, false, false);
                return;
            }
        uint32_t next = next_below(s, block);
        bool leaves_loop = cfg->blocks[block].succ_count > 1;
        if (next == cfg->count || cfg->blocks[next].first == cfg->blocks[next].end) return;
        if (is_loop_head(s, next) && !leaves_loop) {
            add_at_end(s, block);
            return;
        }
        block = next;
        from = cfg->blocks[block].first;
    }
}

static void find_fence_of_proxy(struct search *s)
{
    uint32_t access = s->hazard->witness;
    if (access == NO_INSTR) return;
    find_end_of_run(s, access);
    add_cure(s, access, true, false);
}

/* ---- other instructions ---- */

static void find_wait_for_group(struct search *s)
{
    uint32_t store = s->hazard->witness;
    if (store == NO_INSTR) return;
    for (uint32_t i = store + 1; i < block_of(s, store)->end; i++)
        if (str_starts(instruction_opcode(s->lint->subject, i), "cp.async.bulk.commit_group")) {
            add_cure(s, i, true, true);
            return;
        }
}

uint32_t cures_find(const struct lint *lint, const struct hazard *hazard,
                    struct cure cures[CURES_MAX])
{
    const struct remedy_row *row = remedy_of(hazard);
    if (!row) return 0;
    struct search s = {lint, hazard, row->text, cures, 0};
    switch (row->remedy) {
    case REMEDY_WAIT: find_wait(&s); break;
    case REMEDY_BEFORE: add_cure(&s, hazard->at, false, true); break;
    case REMEDY_AFTER: find_fence_after(&s); break;
    case REMEDY_PROXY: find_fence_of_proxy(&s); break;
    case REMEDY_GRID: add_cure(&s, hazard->at, false, false); break;
    case REMEDY_GROUP: find_wait_for_group(&s); break;
    }
    return s.count;
}
