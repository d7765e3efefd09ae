/* What does each register hold? Registers with one definition have the value of that definition;
 * those with more are an expression of their own. */
#include "lint/values.h"

#include "flow/loops.h"
#include "lint/compute.h"
#include "lint/instruction.h"
#include "order/analysis.h"

enum { DEPTH_MAX = 64 };
enum progress { NOT_BEGUN, BEGUN, DONE_WITH };

struct definition {
    uint32_t count, last; /* how many instructions write the register, and the last of them */
    uint8_t progress;     /* enum progress */
    struct value value;
    struct str name; /* of one that is never written */
};

struct values {
    struct exprs exprs;
    struct definition *of;          /* by register */
    const bool *in_loop;            /* by block */
    struct VEC(struct value) slots; /* addresses that tcgen05.alloc writes to */
    uint32_t depth;
};

/* ---- leaves ---- */

static bool runs_once(const struct lint *lint, uint32_t instr)
{
    return !lint->values->in_loop[lint->cfg->block_of[instr]];
}

static bool starts_with_any(struct str name, const char *const *prefixes)
{
    for (; *prefixes; prefixes++)
        if (str_starts(name, *prefixes)) return true;
    return false;
}

static struct value add(const struct lint *lint, const struct expr *e)
{
    return exprs_add(&lint->values->exprs, e);
}

/* A symbol, a parameter's name, a special register. */
static struct value named(const struct lint *lint, reg_id reg, struct str name)
{
    static const char *const lanes[] = {"%laneid", "%lanemask", NULL};
    static const char *const block[] = {"%ctaid",     "%nctaid",     "%ntid",         "%cluster_",
                                        "%clusterid", "%nclusterid", "%is_explicit",  "%nsmid",
                                        "%smid",      "%gridid",     "%dynamic_smem", "%total_smem",
                                        "%nwarpid",   NULL};
    bool special = name.n && name.p[0] == '%';
    struct expr e = {.kind = EXPR_NAME, .reg = reg, .instr = NO_INSTR, .fixed = true};
    bool of_block = !special || starts_with_any(name, block);
    e.of_block = of_block;
    e.not_negative = true;
    e.of_thread = special && (str_starts(name, "%tid") || str_is(name, "%laneid"));
    e.counts_lanes = str_is(name, "%tid.x") || str_is(name, "%laneid");
    if (of_block || str_is(name, "%warpid"))
        e.spread = SPREAD_SAME;
    else if (e.counts_lanes || starts_with_any(name, lanes))
        e.spread = SPREAD_LANES;
    else
        e.spread = SPREAD_UNKNOWN;
    if (opcode_is_clock(name)) e.fixed = false;
    return add(lint, &e);
}

/* What is not understood, of one definition or of several (NO_INSTR). */
static struct value opaque(const struct lint *lint, reg_id reg, uint32_t instr)
{
    struct expr e = {.kind = EXPR_REG, .reg = reg, .instr = instr, .spread = SPREAD_UNKNOWN};
    e.fixed = instr != NO_INSTR && runs_once(lint, instr) &&
              lint->function->instrs[instr].guard == REG_NONE;
    return add(lint, &e);
}

static struct value loaded(const struct lint *lint, uint32_t instr)
{
    struct value address = value_of_operand(lint, instr, 1);
    struct expr e = {.kind = EXPR_LOADED, .instr = instr, .spread = SPREAD_UNKNOWN};
    if (value_is_none(address)) return VALUE_NONE;
    struct str opcode = instruction_opcode(lint, instr);
    if (str_starts(opcode, "ld.param")) {
        struct expr p = {.kind = EXPR_PARAMETER, .fixed = true, .of_block = true, .a = {address}};
        return add(lint, &p);
    }
    for (uint32_t s = 0; s < lint->values->slots.count; s++) {
        if (!value_same(lint->values->slots.at[s], address)) continue;
        struct expr slot = {.kind = EXPR_ALLOCATED,
                            .fixed = true,
                            .of_block = true,
                            .zero_bits = 5,
                            .not_negative = true,
                            .a = {address}};
        return add(lint, &slot);
    }
    if (value_expr(lint, address)->spread == SPREAD_SAME) e.spread = SPREAD_SAME;
    e.fixed = runs_once(lint, instr);
    return add(lint, &e);
}

/* ---- what computes ---- */

/* shfl.sync.idx of what all lanes have: the same. Of anything else one lane's for all. */
static struct value shuffled(const struct lint *lint, uint32_t instr)
{
    struct value from = value_of_operand(lint, instr, 1), lane = value_of_operand(lint, instr, 2);
    if (!instruction_has(lint, instr, ".idx") || value_is_none(from)) return VALUE_NONE;
    if (value_expr(lint, from)->spread == SPREAD_SAME) return from;
    if (value_is_none(lane) || value_expr(lint, lane)->spread != SPREAD_SAME) return VALUE_NONE;
    struct value a[2] = {from, lane};
    struct value v =
        exprs_operation(&lint->values->exprs, lint->function->instrs[instr].spelling, a, 2);
    if (!value_is_none(v)) lint->values->exprs.rows.at[v.base].spread = SPREAD_SAME;
    return v;
}

/* elect.sync _|p, mask: the same mask elects the same lane (ISA 9.7.13.15). */
static struct value elected(const struct lint *lint, uint32_t instr)
{
    uint32_t last = lint->function->instrs[instr].operand_count;
    struct value mask = last ? value_of_operand(lint, instr, last - 1) : VALUE_NONE;
    if (value_is_none(mask)) return VALUE_NONE;
    struct expr e = {.kind = EXPR_ELECTED, .fixed = true, .spread = SPREAD_LANES, .a = {mask}};
    e.a[0].offset = (int64_t)(int32_t)mask.offset;
    return add(lint, &e);
}

struct value value_computed(const struct lint *lint, uint32_t instr)
{
    const struct instr *at = &lint->function->instrs[instr];
    struct str base = instruction_base(lint, instr);
    enum { ARGUMENTS_MAX = 4 };
    struct value a[ARGUMENTS_MAX];
    if (str_is(base, "elect")) return elected(lint, instr);
    if (str_is(base, "shfl")) return shuffled(lint, instr);
    if (str_is(base, "ld") || str_is(base, "ldu")) return loaded(lint, instr);
    if (at->opcode->effect != EFFECT_REGISTER || at->opcode->writes != 1) return VALUE_NONE;
    uint32_t count = at->operand_count - 1;
    if (!at->operand_count || !count || count > ARGUMENTS_MAX) return VALUE_NONE;
    for (uint32_t n = 0; n < count; n++) {
        a[n] = value_of_operand(lint, instr, n + 1);
        if (value_is_none(a[n])) return VALUE_NONE;
    }
    return compute(lint, instr, a, count);
}

/* ---- registers ---- */

/* Whether an instruction with several destinations computes reg, as value_computed has it: the
 * first of p|q, the last of elect's; not one of a list. */
static bool is_computed(const struct lint *lint, uint32_t instr, reg_id reg, bool *opposite)
{
    const struct instr *at = &lint->function->instrs[instr];
    const struct use *use = &lint->function->uses[at->first_use];
    struct str destination = instruction_operand(lint, instr, 0);
    bool elect = str_is(instruction_base(lint, instr), "elect");
    *opposite = false;
    if (at->opcode->writes != 1 || !at->use_count) return false;
    if (destination.n && destination.p[0] == '{') return false;
    if (at->use_count > 1 && use[1].write) {
        *opposite = use->reg != reg && str_starts(instruction_opcode(lint, instr), "setp.");
        return *opposite || (use->reg == reg) != elect;
    }
    return true;
}

static struct value define(const struct lint *lint, reg_id reg)
{
    const struct definition *d = &lint->values->of[reg];
    bool opposite;
    if (!d->count) return named(lint, reg, d->name);
    if (d->count > 1 || lint->function->instrs[d->last].guard != REG_NONE)
        return opaque(lint, reg, NO_INSTR);
    if (!is_computed(lint, d->last, reg, &opposite)) return opaque(lint, reg, d->last);
    struct value v = value_computed(lint, d->last);
    if (value_is_none(v)) return opaque(lint, reg, d->last);
    return opposite ? exprs_not(v) : v;
}

struct value value_of(const struct lint *lint, reg_id reg)
{
    struct values *values = lint->values;
    struct definition *d = &values->of[reg];
    if (d->progress == DONE_WITH) return d->value;
    if (d->progress == BEGUN || values->depth == DEPTH_MAX) return opaque(lint, reg, NO_INSTR);
    d->progress = BEGUN;
    values->depth++;
    d->value = define(lint, reg);
    values->depth--;
    d->progress = DONE_WITH;
    return d->value;
}

/* "%r1+16", "name", "-4": one register or name, and a number. */
static struct value value_of_text(const struct lint *lint, struct str text, const struct use *use)
{
    int64_t number = 0;
    if (!use) {
        bool truth = str_is(text, "true");
        if (truth || str_is(text, "false")) return exprs_constant(truth);
        return instruction_integer(text, &number) ? exprs_constant(number) : VALUE_NONE;
    }
    struct value v = value_of(lint, use->reg);
    size_t n = 0;
    while (n < text.n && text.p[n] != '+' && text.p[n] != '-') n++;
    if (n == text.n) return v;
    struct str rest = {text.p + n, text.n - n};
    if (rest.n > 1 && rest.p[0] == '+' && rest.p[1] == '-') rest.p++, rest.n--;
    if (!instruction_integer(rest, &number)) return VALUE_NONE;
    v.offset = plus_wrapped(v.offset, number);
    return v;
}

struct value value_of_operand(const struct lint *lint, uint32_t instr, uint32_t n)
{
    const struct instr *at = &lint->function->instrs[instr];
    struct str text = instruction_operand(lint, instr, n);
    if (n >= at->operand_count || !text.n) return VALUE_NONE;
    const struct operand *operand = &lint->function->operands[at->first_operand + n];
    bool address = text.p[0] == '[', negated = text.p[0] == '!';
    if (operand->use_count > 1 || text.p[0] == '{') return VALUE_NONE;
    if (address && text.p[text.n - 1] == ']') text.n--;
    if (address || negated) text.p++, text.n--;
    const struct use *use = operand->use_count ? &lint->function->uses[operand->first_use] : NULL;
    if (use && use->write) return VALUE_NONE;
    struct value v = value_of_text(lint, text, use);
    return negated ? exprs_not(v) : v;
}

struct value value_of_guard(const struct lint *lint, uint32_t instr)
{
    const struct instr *at = &lint->function->instrs[instr];
    if (at->guard == REG_NONE) return exprs_constant(1);
    struct value v = value_of(lint, at->guard);
    return at->guard_negated ? exprs_not(v) : v;
}

/* ---- what others ask ---- */

struct exprs *values_exprs(const struct lint *lint)
{
    return &lint->values->exprs;
}

const struct expr *value_expr(const struct lint *lint, struct value v)
{
    return &lint->values->exprs.rows.at[v.base];
}

bool value_is_fixed(const struct lint *lint, struct value v)
{
    return !value_is_none(v) && value_expr(lint, v)->fixed;
}

struct value value_without_multiples(const struct lint *lint, struct value v, int64_t unit)
{
    if (value_is_none(v)) return v;
    return exprs_without_multiples(&lint->values->exprs, v, unit);
}

struct value value_fixed_part(const struct lint *lint, struct value v, bool *changes)
{
    *changes = !value_is_fixed(lint, v);
    return *changes ? exprs_fixed_part(&lint->values->exprs, v) : v;
}

struct value value_sum(const struct lint *lint, struct value a, struct value b)
{
    return exprs_sum(&lint->values->exprs, a, b);
}

struct value value_equal(const struct lint *lint, struct value a, struct value b)
{
    return exprs_compare(&lint->values->exprs, EXPR_EQ, a, b);
}

struct str value_name(const struct lint *lint, reg_id reg)
{
    return lint->values->of[reg].name;
}

uint32_t value_definitions(const struct lint *lint, reg_id reg, uint32_t *last)
{
    *last = lint->values->of[reg].last;
    return lint->values->of[reg].count;
}

/* ---- the whole ---- */

/* The name of what is used, for those that nothing writes. */
static void note_name(const struct lint *lint, const struct operand *operand)
{
    const struct use *use = &lint->function->uses[operand->first_use];
    struct definition *d = &lint->values->of[use->reg];
    struct str text = source_slice(lint->view->source, operand->span);
    if (operand->use_count != 1 || d->name.n) return;
    while (text.n && strchr("[!{ \t", text.p[0])) text.p++, text.n--;
    size_t n = 0;
    while (n < text.n && !strchr("+-]} \t,", text.p[n])) n++;
    d->name = (struct str){text.p, n};
}

static void count_definitions(const struct lint *lint)
{
    const struct function *f = lint->function;
    for (uint32_t i = 0; i + 1 < f->count; i++) {
        const struct instr *at = &f->instrs[i];
        for (uint32_t u = 0; u < at->use_count; u++) {
            const struct use *use = &f->uses[at->first_use + u];
            if (!use->write) continue;
            lint->values->of[use->reg].count++;
            lint->values->of[use->reg].last = i;
        }
        for (uint32_t o = 0; o < at->operand_count; o++)
            note_name(lint, &f->operands[at->first_operand + o]);
    }
}

/* Before anything else is asked, so that what is loaded from there is told from other loads. */
static void find_slots(const struct lint *lint)
{
    struct values *values = lint->values;
    for (uint32_t i = 0; i + 1 < lint->function->count; i++) {
        if (!str_starts(instruction_opcode(lint, i), "tcgen05.alloc")) continue;
        struct value slot = value_of_operand(lint, i, 0);
        if (value_is_fixed(lint, slot)) vec_push(&values->slots, slot);
    }
}

struct values *values_build(struct lint *lint)
{
    struct values *values = arena_alloc(lint->arena, 1, sizeof *values);
    lint->values = values;
    exprs_init(&values->exprs, lint->arena);
    values->of = arena_alloc(lint->arena, lint->function->reg_count + 1, sizeof *values->of);
    values->in_loop = loops_find(lint->cfg, lint->arena);
    count_definitions(lint);
    find_slots(lint);
    return values;
}

void values_free(struct values *values)
{
    exprs_free(&values->exprs);
    vec_free(&values->slots);
}
