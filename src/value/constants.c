/* Traces constants through registers that are written more than once (conditional constant
 * propagation): for each such register on which a branch depends, and each block, whether it has
 * the same constant on all paths to the block. See constants.h. */
#include "value/constants.h"

#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "flow/rounds.h"
#include "value/compute.h"
#include "value/instruction.h"
#include "value/values.h"

enum { FOLLOWED_MAX = 32, ARGUMENTS_MAX = 4 };

/* The value of a register at some place, on all paths there that were found so far: a constant is
 * HOLDS_ONE and more, with its place in a list. */
enum { HOLDS_NOTHING_YET, HOLDS_MANY, HOLDS_ONE };
typedef uint8_t held;

enum { CONSTANTS_MAX = UINT8_MAX - HOLDS_ONE };

/* The values of the followed registers. */
struct holding {
    held of[FOLLOWED_MAX];
};

struct propagation {
    const struct subject *subject;
    uint32_t webs[FOLLOWED_MAX], count;
    uint32_t *place_of;          /* by web: 1 + its index in webs; 0: it is not followed */
    struct VEC(uint32_t) writes; /* instructions that write one, in the order of the text */
    uint32_t *first;             /* by block, with one more at the end: index into writes */
    struct holding *at;          /* by block: at its beginning, by index in webs */
    int64_t *constants;          /* room for CONSTANTS_MAX */
    uint32_t constant_count;
    bool *taken; /* by edge: control may take it */
    struct rounds rounds;
    bool constant; /* some followed register gets a constant */
};

/* ---- which registers are followed ---- */

static void follow_web(struct propagation *p, uint32_t web)
{
    if (p->count == FOLLOWED_MAX || p->place_of[web]) return;
    if (value_is_fixed(p->subject, value_of(p->subject, web))) return;
    p->webs[p->count++] = web;
    p->place_of[web] = p->count;
}

static bool only_computes(const struct instr *instr)
{
    return instr->opcode->effect == EFFECT_REGISTER && instr->opcode->writes == 1;
}

/* Follows the registers from which the instruction computes a followed one. */
static void follow_sources(struct propagation *p, uint32_t instr)
{
    const struct function *f = p->subject->function;
    const struct instr *at = &f->instrs[instr];
    for (uint32_t u = at->first_use; u < at->first_use + at->use_count; u++)
        if (!f->uses[u].write) follow_web(p, f->uses[u].reg);
}

static int compare_instrs(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

static void choose_webs(struct propagation *p)
{
    const struct function *f = p->subject->function;
    for (uint32_t n = 0; n < f->notable_count; n++) {
        const struct instr *instr = &f->instrs[f->notable[n]];
        if (instr->guard != REG_NONE && instr->opcode->traits & OPCODE_BRANCH)
            follow_web(p, instr->guard);
    }
    for (uint32_t w = 0; w < p->count; w++) {
        uint32_t write = value_last_write(p->subject, p->webs[w]);
        for (; write != NO_WRITE; write = value_write_before(p->subject, write)) {
            uint32_t instr = value_write_instr(p->subject, write);
            subject_spend(p->subject, 1);
            if (only_computes(&f->instrs[instr])) follow_sources(p, instr);
        }
    }
}

static void list_writes(struct propagation *p, struct arena *scratch)
{
    const struct cfg *cfg = p->subject->cfg;
    uint32_t block = 0, kept = 0, *writes;
    for (uint32_t w = 0; w < p->count; w++) {
        uint32_t write = value_last_write(p->subject, p->webs[w]);
        for (; write != NO_WRITE; write = value_write_before(p->subject, write))
            vec_push(&p->writes, value_write_instr(p->subject, write));
    }
    writes = p->writes.at;
    subject_spend(p->subject, p->writes.count);
    if (p->writes.count) qsort(writes, p->writes.count, sizeof *writes, compare_instrs);
    p->first = arena_alloc(scratch, cfg->count + 1, sizeof *p->first);
    for (uint32_t n = 0; n < p->writes.count; n++) {
        if (kept && writes[kept - 1] == writes[n]) continue;
        while (block <= cfg->block_of[writes[n]]) p->first[block++] = kept;
        struct value v = value_computed(p->subject, writes[n]);
        p->constant |= value_is_constant(v);
        writes[kept++] = writes[n];
    }
    p->writes.count = kept;
    while (block <= cfg->count) p->first[block++] = kept;
}

/* ---- their values ---- */

/* More constants than CONSTANTS_MAX are not told apart. */
static held hold_constant(struct propagation *p, int64_t constant)
{
    uint32_t c = 0;
    while (c < p->constant_count && p->constants[c] != constant) c++;
    if (c == CONSTANTS_MAX) return HOLDS_MANY;
    if (c == p->constant_count) p->constants[p->constant_count++] = constant;
    return (held)(HOLDS_ONE + c);
}

static held merge_one(held before, held with)
{
    held known = before == HOLDS_NOTHING_YET ? with : before;
    return with == known || with == HOLDS_NOTHING_YET ? known : HOLDS_MANY;
}

/* Joins `with` into *holding. True if that changes it. */
static bool merge_holding(struct holding *holding, const struct holding *with)
{
    struct holding merged;
    for (uint32_t k = 0; k < FOLLOWED_MAX; k++)
        merged.of[k] = merge_one(holding->of[k], with->of[k]);
    bool changes = memcmp(&merged, holding, sizeof merged) != 0;
    *holding = merged;
    return changes;
}

/* place: 1 + the index of a followed register. */
static bool holds_constant(const struct holding *now, uint32_t place)
{
    return place && now->of[place - 1] >= HOLDS_ONE;
}

static int64_t constant_held(const struct propagation *p, const struct holding *now, uint32_t place)
{
    return p->constants[now->of[place - 1] - HOLDS_ONE];
}

static struct value value_held(const struct propagation *p, const struct holding *now, uint32_t web)
{
    uint32_t place = web == REG_NONE ? 0 : p->place_of[web];
    struct value v = web == REG_NONE ? VALUE_NONE : value_of(p->subject, web);
    if (holds_constant(now, place)) return exprs_constant(constant_held(p, now, place));
    return value_is_fixed(p->subject, v) ? v : VALUE_NONE;
}

/* What the instruction computes: a constant or, if that is not known, VALUE_NONE. */
static struct value compute_constant(const struct propagation *p, const struct holding *now,
                                     uint32_t instr)
{
    const struct subject *subject = p->subject;
    const struct instr *at = &subject->function->instrs[instr];
    uint32_t count = at->operand_count - 1;
    struct value a[ARGUMENTS_MAX];
    if (!only_computes(at) || !at->operand_count || !count || count > ARGUMENTS_MAX)
        return VALUE_NONE;
    if (str_is(instruction_base(subject, instr), "ld")) return VALUE_NONE;
    for (uint32_t n = 0; n < count; n++) {
        struct value of = value_held(p, now, value_operand_web(subject, instr, n + 1));
        a[n] = value_of_operand_holding(subject, instr, n + 1, of);
        if (value_is_none(a[n])) return VALUE_NONE;
    }
    struct value v = compute_instruction(values_exprs(subject), subject, instr, a, count);
    return value_is_constant(v) ? v : VALUE_NONE;
}

static void run_instruction(struct propagation *p, struct holding *now, uint32_t instr)
{
    const struct function *f = p->subject->function;
    const struct instr *at = &f->instrs[instr];
    struct value result = compute_constant(p, now, instr);
    subject_spend(p->subject, 1);
    for (uint32_t u = at->first_use; u < at->first_use + at->use_count; u++) {
        uint32_t place = p->place_of[f->uses[u].reg];
        held one = HOLDS_MANY;
        bool opposite;
        if (!f->uses[u].write || !place) continue;
        if (value_is_computed(p->subject, instr, f->uses[u].reg, &opposite) &&
            !value_is_none(result))
            one = hold_constant(p, opposite ? result.offset ^ 1 : result.offset);
        now->of[place - 1] = at->guard == REG_NONE ? one : merge_one(now->of[place - 1], one);
    }
}

/* ---- control flow ---- */

/* The branch at the end of the block may take its n-th edge. */
static bool may_take(const struct propagation *p, const struct holding *now, uint32_t block,
                     uint32_t n)
{
    const struct cfg *cfg = p->subject->cfg;
    const struct block *at = &cfg->blocks[block];
    const uint32_t *succs = &cfg->succs[at->first_succ];
    if (at->first == at->end || at->succ_count != 2 || succs[0] == succs[1]) return true;
    const struct instr *last = &p->subject->function->instrs[at->end - 1];
    if (last->guard == REG_NONE || !(last->opcode->traits & OPCODE_BRANCH)) return true;
    uint32_t place = p->place_of[last->guard];
    if (!holds_constant(now, place)) return true;
    bool jumps = ((constant_held(p, now, place) & 1) != 0) != last->guard_negated;
    return jumps == (n == 0);
}

static void leave_block(struct propagation *p, uint32_t block)
{
    const struct block *at = &p->subject->cfg->blocks[block];
    struct holding now = p->at[block];
    for (uint32_t w = p->first[block]; w < p->first[block + 1]; w++)
        run_instruction(p, &now, p->writes.at[w]);
    for (uint32_t n = 0; n < at->succ_count; n++) {
        uint32_t edge = at->first_succ + n, to = p->subject->cfg->succs[edge];
        bool more = !p->taken[edge];
        if (!may_take(p, &now, block, n)) continue;
        subject_spend(p->subject, p->count);
        p->taken[edge] = true;
        more |= merge_holding(&p->at[to], &now);
        if (more) rounds_want(&p->rounds, to);
    }
}

static void propagate_constants(struct propagation *p, struct arena *scratch)
{
    const struct cfg *cfg = p->subject->cfg;
    uint32_t block;
    p->at = arena_alloc(scratch, cfg->count, sizeof *p->at);
    p->constants = arena_room(scratch, CONSTANTS_MAX, sizeof *p->constants);
    for (uint32_t k = 0; k < p->count; k++) p->at[0].of[k] = HOLDS_MANY;
    rounds_init(&p->rounds, cfg->count, false);
    rounds_want(&p->rounds, 0);
    while (rounds_next(&p->rounds, &block)) leave_block(p, block);
    rounds_free(&p->rounds);
}

/* ---- interface ---- */

static uint32_t count_edges(const struct cfg *cfg)
{
    uint32_t edges = 0;
    for (uint32_t b = 0; b < cfg->count; b++) edges += cfg->blocks[b].succ_count;
    return edges;
}

bool *constants_dead_edges(const struct subject *subject)
{
    struct propagation p = {.subject = subject};
    struct arena scratch = {0};
    uint32_t edges = count_edges(subject->cfg);
    bool *dead = NULL;
    p.place_of = arena_alloc(&scratch, subject->function->reg_count + 1, sizeof *p.place_of);
    p.taken = arena_alloc(&scratch, edges, sizeof *p.taken);
    choose_webs(&p);
    list_writes(&p, &scratch);
    if (p.constant) propagate_constants(&p, &scratch);
    for (uint32_t e = 0; p.constant && e < edges; e++) {
        if (p.taken[e]) continue;
        if (!dead) dead = arena_alloc(subject->arena, edges, sizeof *dead);
        dead[e] = true;
    }
    vec_free(&p.writes);
    arena_free(&scratch);
    return dead;
}
