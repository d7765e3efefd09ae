/* Decides which two asynchronous instructions form a pipelined pair. The table has the pairs that
 * every version of the ISA lists. 8.6 to 9.1 require for mma -> mma the same cta_group, accumulator
 * and shape, 9.2 also the same kind. 9.4 requires for the other pairs the same address in tensor
 * memory; of an mma only the addresses of A and of the metadata count. Scales are in none of its
 * pairs with cp (scales-follow-cp). The pairs that only 9.4 lists need isa-9.4-pairs. cta_group has
 * one value in a function; otherwise no instruction of the function forms a pair. */
#include "order/pair.h"

enum same {
    SAME_ACCUMULATOR, /* the same destination, instruction descriptor (shape), and opcode with its
                         modifiers */
    SAME_ADDRESS,     /* a tensor-memory address of the first is an address of the second */
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
    {EFFECT_ASYNC_MMA, EFFECT_ASYNC_CP, SAME_ADDRESS, true},
    {EFFECT_ASYNC_ST, EFFECT_ASYNC_LD, SAME_ADDRESS, true},
    {EFFECT_ASYNC_ST, EFFECT_ASYNC_ST, SAME_ADDRESS, true},
    {EFFECT_ASYNC_LD, EFFECT_ASYNC_ST, SAME_ADDRESS, true},
};

const struct operand *pair_operand(const struct analysis *analysis, uint32_t i, uint32_t n)
{
    const struct instr *instr = analysis_instr(analysis, i);
    return n < instr->operand_count ? &analysis->function->operands[instr->first_operand + n]
                                    : NULL;
}

bool pair_same_operand(const struct analysis *analysis, const struct operand *a,
                       const struct operand *b)
{
    const struct function *f = analysis->function;
    if (!a || !b || a->kind != b->kind || a->use_count != b->use_count) return false;
    for (uint32_t i = 0; i < a->use_count; i++)
        if (f->uses[a->first_use + i].reg != f->uses[b->first_use + i].reg) return false;
    struct str s = source_slice(analysis->view->source, a->span);
    struct str t = source_slice(analysis->view->source, b->span);
    size_t i = 0, j = 0;
    for (;;) {
        while (i < s.n && (s.p[i] == ' ' || s.p[i] == '\t')) i++;
        while (j < t.n && (t.p[j] == ' ' || t.p[j] == '\t')) j++;
        if (i == s.n || j == t.n) return i == s.n && j == t.n;
        if (s.p[i++] != t.p[j++]) return false;
    }
}

/* The instruction descriptor of an mma. It follows a, b and, for .sp, the address of the metadata.
 */
static const struct operand *mma_descriptor(const struct analysis *analysis, uint32_t mma)
{
    const struct operand *o = pair_operand(analysis, mma, 3);
    return o && o->kind == OPERAND_ADDRESS ? pair_operand(analysis, mma, 4) : o;
}

/* The mma reads more in tensor memory than its accumulator: A, metadata or scales. */
static bool reads_more(const struct analysis *analysis, uint32_t mma)
{
    for (uint32_t n = 1; pair_operand(analysis, mma, n); n++)
        if (pair_operand(analysis, mma, n)->kind == OPERAND_ADDRESS) return true;
    return false;
}

/* An mma that reads more than its accumulator forms no such pair: it may read what the other
 * writes. */
static bool same_accumulator(const struct analysis *analysis, uint32_t first, uint32_t second)
{
    const struct operand *d = pair_operand(analysis, first, 0),
                         *idesc = mma_descriptor(analysis, first);
    if (analysis_instr(analysis, first)->spelling != analysis_instr(analysis, second)->spelling)
        return false;
    if (reads_more(analysis, first) || reads_more(analysis, second)) return false;
    if (!pair_same_operand(analysis, d, pair_operand(analysis, second, 0))) return false;
    return pair_same_operand(analysis, idesc, mma_descriptor(analysis, second));
}

/* The tensor-memory address of a cp, shift, st or ld: its only address operand. */
static const struct operand *pair_own_address(const struct analysis *analysis, uint32_t i)
{
    for (uint32_t n = 0; pair_operand(analysis, i, n); n++)
        if (pair_operand(analysis, i, n)->kind == OPERAND_ADDRESS)
            return pair_operand(analysis, i, n);
    return NULL;
}

/* The address is that of the scales, which follow the instruction descriptor. */
static bool scales_by(const struct analysis *analysis, uint32_t mma, const struct operand *address)
{
    for (uint32_t n = 4; pair_operand(analysis, mma, n); n++)
        if (pair_same_operand(analysis, address, pair_operand(analysis, mma, n))) return true;
    return false;
}

/* The mma and an operation at the address form a pair: by the address of A or of the metadata;
 * after a cp also by that of the scales; never by that of the accumulator. */
static bool mma_pairs_by(const struct analysis *analysis, uint32_t mma,
                         const struct operand *address, bool behind_cp, uint32_t *assumptions)
{
    if (pair_same_operand(analysis, address, pair_operand(analysis, mma, 0))) return false;
    if (!scales_by(analysis, mma, address))
        return pair_same_operand(analysis, address, pair_operand(analysis, mma, 1)) ||
               pair_same_operand(analysis, address, pair_operand(analysis, mma, 3));
    *assumptions |= ASSUME_SCALES_FOLLOW_CP;
    return behind_cp && analysis->assumptions & ASSUME_SCALES_FOLLOW_CP;
}

/* A .16x32bx2 forms no pair, because it accesses a second part of tensor memory at a distance that
 * an immediate gives. */
static bool same_address(const struct analysis *analysis, uint32_t first, uint32_t second,
                         uint32_t *assumptions)
{
    enum effect a = analysis_effect(analysis, first), b = analysis_effect(analysis, second);
    bool mma_first = a == EFFECT_ASYNC_MMA, mma = mma_first || b == EFFECT_ASYNC_MMA;
    const struct operand *address = pair_own_address(analysis, mma_first ? second : first);
    uint32_t other = mma_first ? first : second;
    if (!address || analysis_instr(analysis, first)->shape == SHAPE_16X32BX2 ||
        analysis_instr(analysis, second)->shape == SHAPE_16X32BX2)
        return false;
    if (mma) return mma_pairs_by(analysis, other, address, a == EFFECT_ASYNC_CP, assumptions);
    return pair_same_operand(analysis, address, pair_own_address(analysis, other));
}

static bool has_no_pair(const struct analysis *analysis, uint32_t i)
{
    return analysis_instr(analysis, i)->opcode->traits & OPCODE_NO_PAIR;
}

bool pair_is_pipelined(const struct analysis *analysis, uint32_t first, uint32_t second,
                       uint32_t *assumptions)
{
    enum effect a = analysis_effect(analysis, first), b = analysis_effect(analysis, second);
    if (has_no_pair(analysis, first) || has_no_pair(analysis, second)) return false;
    for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
        const struct pair_row *row = &ROWS[i];
        if (row->first != a || row->second != b) continue;
        if (row->only_9_4 && !(analysis->assumptions & ASSUME_ISA_9_4_PAIRS)) continue;
        if (a == EFFECT_ASYNC_SHIFT && b == EFFECT_ASYNC_CP &&
            analysis_instr(analysis, second)->shape != SHAPE_4X256B)
            continue;
        if (row->same == SAME_ACCUMULATOR) return same_accumulator(analysis, first, second);
        if (!same_address(analysis, first, second, assumptions)) return false;
        if (row->only_9_4) *assumptions |= ASSUME_ISA_9_4_PAIRS;
        return true;
    }
    return false;
}

static bool may_pair(const struct analysis *analysis, uint32_t i)
{
    enum effect effect = analysis_effect(analysis, i);
    return effect_is_pipe(effect) || analysis->assumptions & ASSUME_ISA_9_4_PAIRS;
}

/* The pair of an mma depends on its accumulator, its descriptor and each address that it reads in
 * tensor memory; that of another operation on its address. */
bool pair_rests_on(const struct analysis *analysis, uint32_t i, uint32_t n)
{
    const struct operand *o = pair_operand(analysis, i, n);
    if (!may_pair(analysis, i)) return false;
    return o->kind == OPERAND_ADDRESS ||
           (analysis_effect(analysis, i) == EFFECT_ASYNC_MMA && o == mma_descriptor(analysis, i));
}

static void pair_add_operand(const struct analysis *analysis, const struct operand *o,
                             struct buf *key)
{
    struct str text = source_slice(analysis->view->source, o->span);
    for (size_t i = 0, n; i < text.n; i += n + 1) {
        for (n = 0; i + n < text.n && text.p[i + n] != ' ' && text.p[i + n] != '\t';) n++;
        buf_add(key, text.p + i, n);
    }
    for (uint32_t u = 0; u < o->use_count; u++)
        buf_add(key, &analysis->function->uses[o->first_use + u].reg, sizeof(reg_id));
}

void pair_key(const struct analysis *analysis, uint32_t i, struct buf *key)
{
    const struct instr *instr = analysis_instr(analysis, i);
    uint32_t spelling = may_pair(analysis, i) ? instr->spelling : 0;
    buf_putc(key, (char)instr->opcode->effect);
    buf_add(key, &spelling, sizeof spelling);
    for (uint32_t n = 0; may_pair(analysis, i) && n < instr->operand_count; n++) {
        buf_putc(key, (char)pair_operand(analysis, i, n)->kind);
        if (pair_rests_on(analysis, i, n))
            pair_add_operand(analysis, pair_operand(analysis, i, n), key);
        buf_putc(key, '\0');
    }
}
