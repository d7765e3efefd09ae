/* Which two asynchronous instructions form a pipeline? The table grants what every version of the
 * ISA grants: 8.6 to 9.1 ask mma -> mma for the same cta_group, accumulator and shape, 9.2 also
 * for the same kind; 9.4 asks the other pairs for the same address in tensor memory, and of an mma
 * has only the reads of A and of the metadata in them. Scales are in none of its pairs with cp
 * (scales-follow-cp). cta_group is one value a function, or the function is left alone. */
#include "order/pair.h"

enum same {
    SAME_ACCUMULATOR, /* destination, instruction descriptor (shape), opcode with its modifiers */
    SAME_ADDRESS,     /* the first's tensor-memory address is one of the second's, or reversed */
};

struct pair_row {
    enum effect first, second;
    enum same same;
    bool only_9_4;
};

static const struct pair_row ROWS[] = {
    {EFFECT_ASYNC_MMA, EFFECT_ASYNC_MMA, SAME_ACCUMULATOR, false},
    {EFFECT_ASYNC_CP, EFFECT_ASYNC_MMA, SAME_ADDRESS, false},
    {EFFECT_ASYNC_SHIFT, EFFECT_ASYNC_MMA, SAME_ADDRESS, false},
    {EFFECT_ASYNC_SHIFT, EFFECT_ASYNC_CP, SAME_ADDRESS, false}, /* cp.4x256b only */
    {EFFECT_ASYNC_MMA, EFFECT_ASYNC_SHIFT, SAME_ADDRESS, false},
    {EFFECT_ASYNC_ST, EFFECT_ASYNC_LD, SAME_ADDRESS, true},
    {EFFECT_ASYNC_ST, EFFECT_ASYNC_ST, SAME_ADDRESS, true},
    {EFFECT_ASYNC_LD, EFFECT_ASYNC_ST, SAME_ADDRESS, true},
};

const struct operand *pair_operand(const struct facts *facts, uint32_t i, uint32_t n)
{
    const struct instr *instr = facts_instr(facts, i);
    return n < instr->operand_count ? &facts->function->operands[instr->first_operand + n] : NULL;
}

bool pair_same_operand(const struct facts *facts, const struct operand *a, const struct operand *b)
{
    const struct function *f = facts->function;
    if (!a || !b || a->kind != b->kind || a->use_count != b->use_count) return false;
    for (uint32_t i = 0; i < a->use_count; i++)
        if (f->uses[a->first_use + i].reg != f->uses[b->first_use + i].reg) return false;
    struct str s = source_slice(facts->view->source, a->span);
    struct str t = source_slice(facts->view->source, b->span);
    size_t i = 0, j = 0;
    for (;;) {
        while (i < s.n && (s.p[i] == ' ' || s.p[i] == '\t')) i++;
        while (j < t.n && (t.p[j] == ' ' || t.p[j] == '\t')) j++;
        if (i == s.n || j == t.n) return i == s.n && j == t.n;
        if (s.p[i++] != t.p[j++]) return false;
    }
}

static void add_regs(const struct facts *facts, uint32_t first, const struct operand *o,
                     struct pair_regs *regs)
{
    for (uint32_t i = 0; i < o->use_count; i++)
        vec_push(regs, (struct pair_reg){first, facts->function->uses[o->first_use + i].reg});
}

/* The instruction descriptor of an mma: behind a, b and, for .sp, the address of the metadata. */
static const struct operand *descriptor(const struct facts *facts, uint32_t mma)
{
    const struct operand *o = pair_operand(facts, mma, 3);
    return o && o->kind == OPERAND_ADDRESS ? pair_operand(facts, mma, 4) : o;
}

/* What the second reads as A from tensor memory may be what the first writes: no pair. */
static bool same_accumulator(const struct facts *facts, uint32_t first, uint32_t second,
                             struct pair_regs *regs)
{
    const struct operand *d = pair_operand(facts, first, 0), *idesc = descriptor(facts, first);
    const struct operand *a = pair_operand(facts, first, 1),
                         *other_a = pair_operand(facts, second, 1);
    bool same_form = a && other_a && a->kind == other_a->kind; /* from shared or tensor memory */
    if (facts_instr(facts, first)->spelling != facts_instr(facts, second)->spelling) return false;
    if (!same_form || other_a->kind == OPERAND_ADDRESS) return false;
    if (!pair_same_operand(facts, d, pair_operand(facts, second, 0))) return false;
    if (!pair_same_operand(facts, idesc, descriptor(facts, second))) return false;
    add_regs(facts, first, d, regs);
    add_regs(facts, first, idesc, regs);
    return true;
}

/* The tensor-memory address of a cp, shift, st or ld: its only address operand. */
static const struct operand *own_address(const struct facts *facts, uint32_t i)
{
    for (uint32_t n = 0; pair_operand(facts, i, n); n++)
        if (pair_operand(facts, i, n)->kind == OPERAND_ADDRESS) return pair_operand(facts, i, n);
    return NULL;
}

/* Does the mma read its A or metadata there? */
static bool mma_reads(const struct facts *facts, uint32_t mma, const struct operand *address)
{
    return pair_same_operand(facts, address, pair_operand(facts, mma, 1)) ||
           pair_same_operand(facts, address, pair_operand(facts, mma, 3));
}

/* The scales stand behind the instruction descriptor. */
static bool mma_scales_by(const struct facts *facts, uint32_t mma, const struct operand *address)
{
    for (uint32_t n = 4; pair_operand(facts, mma, n); n++)
        if (pair_same_operand(facts, address, pair_operand(facts, mma, n))) return true;
    return false;
}

/* A .16x32bx2 touches a second half, at an immediate away. */
static bool same_address(const struct facts *facts, uint32_t first, uint32_t second,
                         struct pair_regs *regs, uint32_t *assumptions)
{
    enum effect a = facts_effect(facts, first), b = facts_effect(facts, second);
    bool mma_first = a == EFFECT_ASYNC_MMA, mma = mma_first || b == EFFECT_ASYNC_MMA;
    const struct operand *address = own_address(facts, mma_first ? second : first);
    uint32_t other = mma_first ? first : second;
    if (!address || facts_instr(facts, first)->shape == SHAPE_16X32BX2 ||
        facts_instr(facts, second)->shape == SHAPE_16X32BX2)
        return false;
    bool same = mma ? mma_reads(facts, other, address)
                    : pair_same_operand(facts, address, own_address(facts, other));
    if (!same && mma && a == EFFECT_ASYNC_CP && facts->assumptions & ASSUME_SCALES_FOLLOW_CP) {
        same = mma_scales_by(facts, other, address);
        if (same) *assumptions |= ASSUME_SCALES_FOLLOW_CP;
    }
    if (same) add_regs(facts, first, address, regs);
    return same;
}

bool pair_is_pipelined(const struct facts *facts, uint32_t first, uint32_t second,
                       struct pair_regs *regs, uint32_t *assumptions)
{
    enum effect a = facts_effect(facts, first), b = facts_effect(facts, second);
    for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
        const struct pair_row *row = &ROWS[i];
        if (row->first != a || row->second != b) continue;
        if (row->only_9_4 && !(facts->assumptions & ASSUME_ISA_9_4_PAIRS)) continue;
        if (b == EFFECT_ASYNC_CP && facts_instr(facts, second)->shape != SHAPE_4X256B) continue;
        if (row->same == SAME_ACCUMULATOR) return same_accumulator(facts, first, second, regs);
        if (!same_address(facts, first, second, regs, assumptions)) return false;
        if (row->only_9_4) *assumptions |= ASSUME_ISA_9_4_PAIRS;
        return true;
    }
    return false;
}

struct change {
    const struct facts *facts;
    uint32_t site;
};

static bool writes_marked(const struct facts *facts, uint32_t i)
{
    const struct instr *instr = facts_instr(facts, i);
    for (uint32_t u = 0; u < instr->use_count; u++) {
        const struct use *use = &facts->function->uses[instr->first_use + u];
        if (use->write && marked_reg(facts, REGS_IN_FLIGHT, use->reg)) return true;
    }
    return false;
}

static enum step find_write(void *context, uint32_t i, unsigned *state)
{
    (void)state;
    const struct change *change = context;
    const struct facts *facts = change->facts;
    const struct instr *instr = facts_instr(facts, i);
    bool at_fence = effect_is_fence(facts_effect(facts, change->site));
    if (i == change->site) return STEP_ON;
    if (at_fence && effect_is_fence(instr->opcode->effect) && facts_always(facts, i))
        return STEP_DONE;
    return writes_marked(facts, i) ? STEP_STOP : STEP_ON;
}

bool pair_regs_unchanged(const struct facts *facts, uint32_t site, const struct pair_regs *regs)
{
    marks_clear(facts);
    for (uint32_t i = 0; i < regs->count; i++) {
        uint32_t first = regs->at[i].first;
        if (marked_instr(facts, first)) continue;
        mark_instr(facts, first);
        regs_clear(facts, REGS_IN_FLIGHT);
        for (uint32_t n = i; n < regs->count; n++)
            if (regs->at[n].first == first) mark_reg(facts, REGS_IN_FLIGHT, regs->at[n].reg);
        if (writes_marked(facts, first)) return false;
        if (!walk_forward(facts, first, 0, find_write, &(struct change){facts, site})) return false;
    }
    return true;
}
