/* Finds conditions in one pass over the writes and one pass over the last branches of blocks. Which
 * registers have been written at a block is a set of bits. See agree.h. */
#include "flow/agree.h"

#include "base/intern.h"
#include "base/vec.h"
#include "base/work.h"

/* How the text uses a register. */
struct reg_state {
    uint32_t by;   /* the last instruction that writes it */
    uint32_t ends; /* bits of the conditions that a write of the register ends */
    uint8_t bit;   /* 1 + the number of its bit in the sets of written registers; 0: it has none */
    bool written, written_again;
    bool uncertain;                /* some of these instructions may leave the register unchanged */
    bool branches, branches_again; /* it is the guard of a branch, and of another one */
};

struct write {
    uint32_t instr;
    reg_id reg;
};

/* A branch that may depend on a condition. */
struct branch {
    uint32_t block, condition;
    uint32_t compare; /* the comparison in its block, or AGREE_NONE: the condition is the predicate
                         itself */
    uint32_t key;     /* equal for branches with the same condition */
    uint64_t needs;   /* bits of the registers that must have been written */
};

struct search {
    const struct cfg *cfg;
    const struct source *source;
    struct reg_state *regs;
    struct VEC(struct write) writes; /* ascending by instr */
    struct VEC(struct branch) branches;
    struct intern keys;
    uint32_t bits;
    struct agree *agree;
    struct arena scratch;
};

/* The branch at the end of a block, if it has a guard; otherwise NULL. */
static const struct instr *agree_branch(const struct cfg *cfg, uint32_t block)
{
    const struct block *at = &cfg->blocks[block];
    if (at->first == at->end) return NULL;
    const struct instr *last = &cfg->function->instrs[at->end - 1];
    return last->opcode->traits & OPCODE_BRANCH && last->guard != REG_NONE ? last : NULL;
}

bool agree_take_edge(const struct agree *agree, const struct cfg *cfg, uint32_t block, uint32_t n,
                     struct known *known)
{
    uint32_t decider = agree->decider[block], ended = agree->ended[block];
    known->yes &= ~ended;
    known->no &= ~ended;
    if (decider == AGREE_NONE) return true;
    uint32_t bit = 1u << decider;
    bool branches = n + 1 < cfg->blocks[block].succ_count;
    bool yes = branches != agree_branch(cfg, block)->guard_negated;
    if ((yes ? known->no : known->yes) & bit) return false;
    *(yes ? &known->yes : &known->no) |= bit;
    return true;
}

static bool is_certain(const struct instr *instr)
{
    return instr->guard == REG_NONE && instr->opcode->writes != OPCODE_WRITES_ALL;
}

static void agree_list_writes(struct search *s)
{
    const struct function *f = s->cfg->function;
    for (uint32_t i = 0; i < f->count; i++) {
        const struct instr *instr = &f->instrs[i];
        for (uint32_t u = 0; u < instr->use_count; u++) {
            const struct use *use = &f->uses[instr->first_use + u];
            if (!use->write) continue;
            struct reg_state *reg = &s->regs[use->reg];
            reg->written_again = reg->written;
            reg->written = true;
            reg->by = i;
            reg->uncertain |= !is_certain(instr);
            vec_push(&s->writes, (struct write){i, use->reg});
        }
    }
    work_spend(f->count);
}

static bool is_written_once(const struct search *s, reg_id reg)
{
    const struct reg_state *state = &s->regs[reg];
    return state->written && !state->written_again && !state->uncertain;
}

/* ---- comparisons ---- */

static bool agree_is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* Returns the text after the result of `setp.….… p, a, b;`, without blanks. Empty if the text has
 * another form. */
static struct str compared_operands(struct search *s, const struct instr *instr)
{
    struct str text = source_slice(s->source, instr->span);
    char *made = arena_alloc(&s->scratch, text.n + 1, 1);
    struct str found = {made, 0};
    uint32_t commas = 0;
    for (size_t i = 0; i < text.n && text.p[i] != ';'; i++) {
        char c = text.p[i];
        if (c == '/' || c == '|' || c == '@') return (struct str){"", 0};
        if (commas && !agree_is_blank(c)) made[found.n++] = c;
        commas += c == ',';
    }
    return commas == 2 ? found : (struct str){"", 0};
}

/* Returns the comparison of the branch, or AGREE_NONE. The predicate must be written only by the
 * comparison and read by no other branch, the comparison must be in the block of the branch, and
 * what it compares must have one value in each execution of the block. */
static uint32_t compare_of(const struct search *s, uint32_t block, reg_id predicate)
{
    const struct function *f = s->cfg->function;
    const struct reg_state *reg = &s->regs[predicate];
    if (!is_written_once(s, predicate) || reg->branches_again) return AGREE_NONE;
    const struct instr *instr = &f->instrs[reg->by];
    bool fits = s->cfg->block_of[reg->by] == block && instr->opcode->traits & OPCODE_COMPARE;
    if (!fits) return AGREE_NONE;
    for (uint32_t u = 1; u < instr->use_count; u++) {
        const struct use *use = &f->uses[instr->first_use + u];
        if (use->write || !is_written_once(s, use->reg)) return AGREE_NONE;
        uint32_t by = s->regs[use->reg].by;
        if (s->cfg->block_of[by] == block && by > reg->by) return AGREE_NONE;
    }
    return reg->by;
}

/* A key for the comparison: its opcode, the text of its operands, and their registers. */
static struct str comparison_name(struct search *s, const struct instr *instr, struct str text)
{
    const struct function *f = s->cfg->function;
    size_t regs = instr->use_count * sizeof(reg_id);
    char *name = arena_alloc(&s->scratch, sizeof instr->spelling + regs + text.n, 1);
    memcpy(name, &instr->spelling, sizeof instr->spelling);
    char *at = name + sizeof instr->spelling;
    for (uint32_t u = 1; u < instr->use_count; u++, at += sizeof(reg_id))
        memcpy(at, &f->uses[instr->first_use + u].reg, sizeof(reg_id));
    memcpy(at, text.p, text.n);
    return (struct str){name, (size_t)(at - name) + text.n};
}

/* ---- conditions ---- */

static void add_branch(struct search *s, uint32_t block, const struct instr *last)
{
    const struct function *f = s->cfg->function;
    struct branch made = {.block = block, .condition = AGREE_NONE};
    struct str text = {"", 0};
    made.compare = compare_of(s, block, last->guard);
    if (made.compare != AGREE_NONE) text = compared_operands(s, &f->instrs[made.compare]);
    if (!text.n) made.compare = AGREE_NONE;
    if (made.compare != AGREE_NONE)
        made.key = intern_add(&s->keys, REG_NONE - f->instrs[made.compare].use_count,
                              comparison_name(s, &f->instrs[made.compare], text));
    else
        made.key = intern_add(&s->keys, last->guard, (struct str){"", 0});
    vec_push(&s->branches, made);
}

static void agree_find_branches(struct search *s)
{
    for (uint32_t b = 0; b < s->cfg->count; b++) {
        const struct instr *last = agree_branch(s->cfg, b);
        struct reg_state *guard = last ? &s->regs[last->guard] : NULL;
        if (!guard) continue;
        guard->branches_again = guard->branches;
        guard->branches = true;
    }
    for (uint32_t b = 0; b < s->cfg->count; b++) {
        const struct instr *last = agree_branch(s->cfg, b);
        if (last) add_branch(s, b, last);
    }
}

static uint64_t agree_bit_of(const struct reg_state *state)
{
    return state->bit ? UINT64_C(1) << (state->bit - 1) : 0;
}

/* The condition is valid only after the register was written, and ends at the next write. False if
 * there are no more bits. */
static bool rest_on(struct search *s, struct branch *branch, reg_id reg)
{
    enum { BITS = 64 };
    struct reg_state *state = &s->regs[reg];
    if (!state->bit && s->bits < BITS) state->bit = (uint8_t)++s->bits;
    state->ends |= 1u << branch->condition;
    branch->needs |= agree_bit_of(state);
    return state->bit;
}

static bool branch_rest_on(struct search *s, struct branch *branch)
{
    const struct function *f = s->cfg->function;
    if (branch->compare == AGREE_NONE)
        return rest_on(s, branch, agree_branch(s->cfg, branch->block)->guard);
    const struct instr *instr = &f->instrs[branch->compare];
    bool fits = true;
    for (uint32_t u = 1; u < instr->use_count; u++)
        fits &= rest_on(s, branch, f->uses[instr->first_use + u].reg);
    return fits;
}

/* Numbers the conditions on which two or more branches depend. */
static void agree_number_conditions(struct search *s)
{
    uint32_t *times = arena_alloc(&s->scratch, s->keys.count + 1, sizeof *times);
    uint32_t *number = arena_alloc(&s->scratch, s->keys.count + 1, sizeof *number);
    for (uint32_t n = 0; n < s->branches.count; n++) times[s->branches.at[n].key]++;
    for (uint32_t n = 0; n < s->branches.count; n++) {
        struct branch *branch = &s->branches.at[n];
        uint32_t *own = &number[branch->key];
        if (times[branch->key] < 2) continue;
        if (!*own && s->agree->count < AGREE_MOST) *own = ++s->agree->count;
        if (!*own) continue;
        branch->condition = *own - 1;
        if (!branch_rest_on(s, branch)) branch->condition = AGREE_NONE;
    }
}

/* Adds the registers that each block certainly writes, and the conditions that its writes end. */
static void agree_collect_writes(struct search *s, uint64_t *written, uint32_t *ended)
{
    work_spend(s->writes.count);
    for (uint32_t n = 0; n < s->writes.count; n++) {
        const struct write *write = &s->writes.at[n];
        const struct reg_state *reg = &s->regs[write->reg];
        if (!reg->ends) continue;
        uint32_t b = s->cfg->block_of[write->instr];
        ended[b] |= reg->ends;
        if (is_certain(&s->cfg->function->instrs[write->instr])) written[b] |= agree_bit_of(reg);
    }
}

/* Sets decider where every register that the branch needs has been written on every path. */
static void agree_find_deciders(struct search *s)
{
    uint32_t count = s->cfg->count;
    uint64_t *before = arena_alloc(&s->scratch, count, sizeof *before);
    uint64_t *written = arena_alloc(&s->scratch, count, sizeof *written);
    for (uint32_t b = 0; b < count; b++) {
        before[b] = b ? UINT64_MAX : 0;
        s->agree->decider[b] = AGREE_NONE;
    }
    agree_collect_writes(s, written, s->agree->ended);
    bool changed = true;
    for (int pass = 0; changed && pass < AGREE_PASSES; pass++) {
        changed = false;
        work_spend(count);
        for (uint32_t b = 0; b < count; b++) {
            const struct block *block = &s->cfg->blocks[b];
            for (uint32_t n = 0; n < block->succ_count; n++) {
                uint64_t *at = &before[s->cfg->succs[block->first_succ + n]];
                uint64_t both = *at & (before[b] | written[b]);
                changed |= both != *at;
                *at = both;
            }
        }
    }
    if (changed) return; /* the sets are still too large, so no branch has a decider */
    for (uint32_t n = 0; n < s->branches.count; n++) {
        const struct branch *branch = &s->branches.at[n];
        uint64_t missing = branch->needs & ~(before[branch->block] | written[branch->block]);
        if (!missing) s->agree->decider[branch->block] = branch->condition;
    }
}

/* Sets decided. Returns whether it is set for a block. */
static bool agree_find_decided(struct search *s)
{
    const struct agree *agree = s->agree;
    uint32_t count = s->cfg->count;
    uint32_t *known = arena_alloc(&s->scratch, count, sizeof *known); /* on some path to a block */
    bool changed = true, any = false;
    for (int pass = 0; changed && pass < AGREE_PASSES; pass++) {
        changed = false;
        work_spend(count);
        for (uint32_t b = 0; b < count; b++) {
            const struct block *block = &s->cfg->blocks[b];
            uint32_t behind = known[b] & ~agree->ended[b];
            if (agree->decider[b] != AGREE_NONE) behind |= 1u << agree->decider[b];
            if (!block->reachable || !behind) continue;
            for (uint32_t n = 0; n < block->succ_count; n++) {
                uint32_t *at = &known[s->cfg->succs[block->first_succ + n]];
                changed |= (behind & ~*at) != 0;
                *at |= behind;
            }
        }
    }
    for (uint32_t b = 0; b < count; b++) {
        if (agree->decider[b] == AGREE_NONE || !s->cfg->blocks[b].reachable) continue;
        uint32_t before = changed ? UINT32_MAX : known[b] & ~agree->ended[b];
        agree->decided[b] = before >> agree->decider[b] & 1;
        any |= agree->decided[b];
    }
    return any;
}

bool agree_find(struct agree *agree, const struct cfg *cfg, const struct source *source,
                struct arena *arena)
{
    *agree = (struct agree){.count = 0};
    struct search s = {.cfg = cfg, .source = source, .agree = agree};
    agree->decider = arena_alloc(arena, cfg->count, sizeof *agree->decider);
    agree->ended = arena_alloc(arena, cfg->count, sizeof *agree->ended);
    agree->decided = arena_alloc(arena, cfg->count, sizeof *agree->decided);
    s.regs = arena_alloc(&s.scratch, cfg->function->reg_count, sizeof *s.regs);
    agree_list_writes(&s);
    agree_find_branches(&s);
    agree_number_conditions(&s);
    if (agree->count) agree_find_deciders(&s);
    bool any = agree->count && agree_find_decided(&s);
    vec_free(&s.writes);
    vec_free(&s.branches);
    intern_free(&s.keys);
    arena_free(&s.scratch);
    return any;
}
