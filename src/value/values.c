/* Computes the value of each web on demand. A web with one definition has the value of that
 * definition; a web with several is an expression of its own. See values.h. */
#include "value/values.h"

#include "ptx/digits.h"
#include "value/cluster_use.h"
#include "value/compute.h"
#include "value/instruction.h"

enum { DEPTH_MAX = 64 };
enum progress { NOT_BEGUN, BEGUN, DONE_WITH };

struct definition {
    uint32_t count, last; /* number of instructions that write the register, and the last of them */
    uint8_t progress;     /* enum progress */
    uint32_t first;       /* of those instructions */
    struct value value;
    uint32_t write; /* the last of the uses that write it; only if count */
    uint32_t named; /* 1 + the index of an operand that consists only of the register; 0: none */
};

/* An address to which tcgen05.alloc writes. */
struct slot {
    struct value address;
    bool once; /* only one instruction writes to it, and only once */
};

/* The value that an instruction computes, if it is known. */
struct computed {
    struct value value;
    bool known;
};

struct values {
    struct exprs exprs;
    struct definition *of;     /* by register */
    struct computed *computed; /* by instruction */
    /* by use that writes a register: the use before it that writes the same one, or NO_WRITE; and
     * its instruction */
    uint32_t *write_before, *instr_of;
    struct VEC(struct slot) slots;
    uint32_t depth;
};

/* ---- leaves ---- */

static bool runs_once(const struct subject *subject, uint32_t instr)
{
    return !subject->loops.on_cycle[subject->cfg->block_of[instr]];
}

static bool starts_with_any(struct str name, const char *const *prefixes)
{
    for (; *prefixes; prefixes++)
        if (str_starts(name, *prefixes)) return true;
    return false;
}

static struct value values_add_expr(const struct subject *subject, const struct expr *e)
{
    return exprs_add(&subject->values->exprs, e);
}

/* The value of a symbol, the name of a parameter, or a special register. */
static struct value value_of_name(const struct subject *subject, uint32_t web, struct str name)
{
    static const char *const lanes[] = {"%laneid", "%lanemask", NULL};
    static const char *const block[] = {"%ctaid",     "%nctaid",     "%ntid",         "%cluster_",
                                        "%clusterid", "%nclusterid", "%is_explicit",  "%nsmid",
                                        "%smid",      "%gridid",     "%dynamic_smem", "%total_smem",
                                        "%nwarpid",   NULL};
    /* "its value may change during execution" (ISA 10), and performance counters */
    static const char *const volatiles[] = {"%warpid", "%smid", "%pm", NULL};
    bool special = name.n && name.p[0] == '%';
    if (str_is(name, "%cluster_ctarank") && !cluster_is_used(subject)) return exprs_constant(0);
    struct expr e = {.kind = EXPR_NAME, .web = web, .instr = NO_INSTR, .fixed = true};
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
    if (opcode_is_clock(name) || starts_with_any(name, volatiles)) e.fixed = false;
    return values_add_expr(subject, &e);
}

/* The value of a register that is not understood, with one definition, or with several
 * (NO_INSTR). */
static struct value opaque_value(const struct subject *subject, uint32_t web, uint32_t instr)
{
    struct expr e = {.kind = EXPR_REG, .web = web, .instr = instr, .spread = SPREAD_UNKNOWN};
    e.fixed = instr != NO_INSTR && runs_once(subject, instr) &&
              subject->function->instrs[instr].guard == REG_NONE;
    return values_add_expr(subject, &e);
}

static bool is_of_parameter(const struct subject *subject, struct str opcode, struct value address)
{
    return str_starts(opcode, "ld.param") && value_expr(subject, address)->kind == EXPR_NAME;
}

static struct value value_of_parameter(const struct subject *subject, struct value address)
{
    bool entry = subject->function->is_entry;
    struct expr p = {.kind = EXPR_PARAMETER,
                     .fixed = true,
                     .of_block = entry,
                     .spread = entry ? SPREAD_SAME : SPREAD_UNKNOWN,
                     .a = {address}};
    return values_add_expr(subject, &p);
}

/* The size in bytes of the opcode's type, which is its last modifier. 0: the type has no width. */
static int64_t element_size(struct str opcode)
{
    uint64_t bits;
    size_t n = opcode.n;
    while (n && opcode.p[n - 1] >= '0' && opcode.p[n - 1] <= '9') n--;
    if (!digits_read_integer((struct str){opcode.p + n, opcode.n - n}, &bits)) return 0;
    return (int64_t)(bits / 8);
}

/* The value of one register of ld.param.v2.u32 {a, b}, [p]: a parameter at its own offset. */
static struct value value_of_vector(const struct subject *subject, uint32_t instr, uint32_t web)
{
    const struct instr *at = &subject->function->instrs[instr];
    struct str opcode = instruction_opcode(subject, instr);
    int64_t size = element_size(opcode);
    uint32_t writes = 0, nth = 0;
    if (!str_starts(opcode, "ld.param") || !size) return VALUE_NONE;
    for (uint32_t u = 0; u < at->use_count; u++) {
        const struct use *use = &subject->function->uses[at->first_use + u];
        if (use->write && use->reg == web) nth = writes;
        writes += use->write;
    }
    bool whole = (writes == 2 && instruction_has(subject, instr, ".v2")) ||
                 (writes == 4 && instruction_has(subject, instr, ".v4"));
    struct value address = whole ? value_of_operand(subject, instr, 1) : VALUE_NONE;
    if (value_is_none(address) || !is_of_parameter(subject, opcode, address)) return VALUE_NONE;
    address.offset = plus_wrapped(address.offset, (int64_t)nth * size);
    return value_of_parameter(subject, address);
}

static struct value value_of_load(const struct subject *subject, uint32_t instr)
{
    struct value address = value_of_operand(subject, instr, 1);
    struct expr e = {.kind = EXPR_LOADED, .instr = instr, .spread = SPREAD_UNKNOWN};
    if (value_is_none(address)) return VALUE_NONE;
    struct str opcode = instruction_opcode(subject, instr);
    if (is_of_parameter(subject, opcode, address)) return value_of_parameter(subject, address);
    for (uint32_t s = 0; s < subject->values->slots.count; s++) {
        if (!value_same(subject->values->slots.at[s].address, address)) continue;
        struct expr slot = {.kind = EXPR_ALLOCATED,
                            .fixed = subject->values->slots.at[s].once,
                            .of_block = true,
                            .zero_bits = 5,
                            .not_negative = true,
                            .a = {address}};
        return values_add_expr(subject, &slot);
    }
    if (value_expr(subject, address)->spread == SPREAD_SAME) e.spread = SPREAD_SAME;
    e.fixed = runs_once(subject, instr);
    return values_add_expr(subject, &e);
}

/* ---- computations ---- */

/* shfl.sync.idx of a value that all lanes share is that value. Of any other value, all lanes get
 * that of one lane. */
static struct value value_of_shuffle(const struct subject *subject, uint32_t instr)
{
    struct value from = value_of_operand(subject, instr, 1),
                 lane = value_of_operand(subject, instr, 2);
    if (!instruction_has(subject, instr, ".idx") || value_is_none(from)) return VALUE_NONE;
    if (value_expr(subject, from)->spread == SPREAD_SAME) return from;
    if (value_is_none(lane) || value_expr(subject, lane)->spread != SPREAD_SAME) return VALUE_NONE;
    struct value a[2] = {from, lane};
    struct value v =
        exprs_operation(&subject->values->exprs, subject->function->instrs[instr].spelling, a, 2);
    if (!value_is_none(v)) subject->values->exprs.rows.at[v.base].spread = SPREAD_SAME;
    return v;
}

/* elect.sync _|p, mask: the same mask elects the same lane (ISA 9.7.13.15). */
static struct value value_of_election(const struct subject *subject, uint32_t instr)
{
    uint32_t last = subject->function->instrs[instr].operand_count;
    struct value mask = last ? value_of_operand(subject, instr, last - 1) : VALUE_NONE;
    if (value_is_none(mask)) return VALUE_NONE;
    struct expr e = {.kind = EXPR_ELECTED, .fixed = true, .spread = SPREAD_LANES, .a = {mask}};
    e.a[0].offset = (int64_t)(int32_t)mask.offset;
    return values_add_expr(subject, &e);
}

static struct value compute_value(const struct subject *subject, uint32_t instr)
{
    const struct instr *at = &subject->function->instrs[instr];
    enum { ARGUMENTS_MAX = 4 };
    struct value a[ARGUMENTS_MAX];
    switch ((enum operation)compute_read(subject, instr)->operation) {
    case OPERATION_ELECT: return value_of_election(subject, instr);
    case OPERATION_SHUFFLE: return value_of_shuffle(subject, instr);
    case OPERATION_LOAD: return value_of_load(subject, instr);
    default: break;
    }
    if (at->opcode->effect != EFFECT_REGISTER || at->opcode->writes != 1) return VALUE_NONE;
    uint32_t count = at->operand_count - 1;
    if (!at->operand_count || !count || count > ARGUMENTS_MAX) return VALUE_NONE;
    for (uint32_t n = 0; n < count; n++) {
        a[n] = value_of_operand(subject, instr, n + 1);
        if (value_is_none(a[n])) return VALUE_NONE;
    }
    return compute_instruction(&subject->values->exprs, subject, instr, a, count);
}

struct value value_computed(const struct subject *subject, uint32_t instr)
{
    struct values *values = subject->values;
    /* within the computation of another value, a result may be incomplete, so it is not cached */
    if (values->depth) return compute_value(subject, instr);
    struct computed *computed = &values->computed[instr];
    if (!computed->known)
        *computed = (struct computed){.value = compute_value(subject, instr), .known = true};
    return computed->value;
}

/* ---- registers ---- */

bool value_is_computed(const struct subject *subject, uint32_t instr, uint32_t web, bool *opposite)
{
    const struct instr *at = &subject->function->instrs[instr];
    const struct use *use = &subject->function->uses[at->first_use];
    *opposite = false;
    if (at->opcode->writes != 1 || !at->use_count) return false;
    bool name =
        at->operand_count && subject->function->operands[at->first_operand].kind == OPERAND_NAME;
    if (!name && instruction_begins(subject, instr, 0) == '{') return false;
    if (at->use_count > 1 && use[1].write) {
        enum operation operation = (enum operation)compute_read(subject, instr)->operation;
        *opposite = use->reg != web && operation == OPERATION_COMPARE;
        return *opposite || (use->reg == web) != (operation == OPERATION_ELECT);
    }
    return true;
}

/* Some instruction between the two reads the register. */
static bool is_read_between(const struct subject *subject, uint32_t web, uint32_t first,
                            uint32_t second)
{
    const struct function *f = subject->function;
    for (uint32_t i = first + 1; i <= second; i++) {
        const struct instr *at = &f->instrs[i];
        if (at->guard == web) return true;
        for (uint32_t u = 0; u < at->use_count; u++)
            if (f->uses[at->first_use + u].reg == web && !f->uses[at->first_use + u].write)
                return true;
    }
    return false;
}

/* The instruction computes a number into the register alone. */
static bool is_number_written(const struct subject *subject, uint32_t instr, uint32_t web)
{
    return subject->function->instrs[instr].opcode->writes == 1 &&
           value_operand_web(subject, instr, 0) == web && !compute_read(subject, instr)->predicate;
}

/* mov r, 0; elect.sync _|p, mask; @p mov r, 1: in a block, the register is written again under a
 * guard, and nobody reads it before that. */
static struct value value_of_rewrite(const struct subject *subject, uint32_t web,
                                     const struct definition *d)
{
    const struct instr *first = &subject->function->instrs[d->first],
                       *second = &subject->function->instrs[d->last];
    if (d->count != 2 || first->guard != REG_NONE || second->guard == REG_NONE) return VALUE_NONE;
    if (subject->cfg->block_of[d->first] != subject->cfg->block_of[d->last]) return VALUE_NONE;
    if (!is_number_written(subject, d->first, web) || !is_number_written(subject, d->last, web))
        return VALUE_NONE;
    if (is_read_between(subject, web, d->first, d->last)) return VALUE_NONE;
    struct value a = value_computed(subject, d->last), b = value_computed(subject, d->first),
                 guard = value_of_guard(subject, d->last);
    if (value_is_none(a) || value_is_none(b) || value_is_none(guard)) return VALUE_NONE;
    return exprs_select(&subject->values->exprs, a, b, guard);
}

static struct value define_web(const struct subject *subject, uint32_t web)
{
    const struct definition *d = &subject->values->of[web];
    bool opposite;
    if (!d->count) return value_of_name(subject, web, value_name(subject, web));
    if (d->count > 1 || subject->function->instrs[d->last].guard != REG_NONE) {
        struct value rewritten = value_of_rewrite(subject, web, d);
        return value_is_none(rewritten) ? opaque_value(subject, web, NO_INSTR) : rewritten;
    }
    bool computed = value_is_computed(subject, d->last, web, &opposite);
    struct value v =
        computed ? value_computed(subject, d->last) : value_of_vector(subject, d->last, web);
    if (value_is_none(v)) return opaque_value(subject, web, d->last);
    return opposite ? exprs_not(v) : v;
}

/* The value of a web that is not computed yet. */
static struct value find_value(const struct subject *subject, uint32_t web)
{
    struct values *values = subject->values;
    struct definition *d = &values->of[web];
    if (d->progress == BEGUN || values->depth == DEPTH_MAX)
        return opaque_value(subject, web, NO_INSTR);
    d->progress = BEGUN;
    values->depth++;
    d->value = define_web(subject, web);
    values->depth--;
    d->progress = DONE_WITH;
    return d->value;
}

struct value value_of(const struct subject *subject, uint32_t web)
{
    const struct definition *d = &subject->values->of[web];
    return d->progress == DONE_WITH ? d->value : find_value(subject, web);
}

uint32_t value_operand_web(const struct subject *subject, uint32_t instr, uint32_t n)
{
    const struct instr *at = &subject->function->instrs[instr];
    const struct operand *operand = &subject->function->operands[at->first_operand + n];
    if (n >= at->operand_count || operand->use_count != 1) return REG_NONE;
    return subject->function->uses[operand->first_use].reg;
}

struct value value_of_operand_holding(const struct subject *subject, uint32_t instr, uint32_t n,
                                      struct value held)
{
    struct held_operand operand = instruction_held(subject, instr, n);
    return value_of_held(&operand, held);
}

/* The last instruction before this one in its block that certainly writes the web. NO_INSTR: none,
 * or the web has many writes. */
static uint32_t write_in_block(const struct subject *subject, uint32_t web, uint32_t instr)
{
    enum { WRITES_MAX = 4 };
    const struct values *values = subject->values;
    const struct definition *d = &values->of[web];
    uint32_t last = NO_INSTR;
    if (d->count > WRITES_MAX || d->first >= instr) return NO_INSTR;
    for (uint32_t write = d->write; write != NO_WRITE; write = values->write_before[write])
        if (values->instr_of[write] < instr && (last == NO_INSTR || last < values->instr_of[write]))
            last = values->instr_of[write];
    if (last == NO_INSTR || subject->cfg->block_of[last] != subject->cfg->block_of[instr])
        return NO_INSTR;
    return subject->function->instrs[last].guard == REG_NONE ? last : NO_INSTR;
}

/* Some term of the value is an address in tensor memory. */
static bool is_in_allocation(const struct subject *subject, struct value v)
{
    uint32_t terms[EXPR_TERMS_MAX];
    uint32_t count = exprs_terms(&subject->values->exprs, v.base, terms);
    for (uint32_t i = 0; i < count; i++)
        if (value_expr(subject, (struct value){terms[i], 0})->kind == EXPR_ALLOCATED) return true;
    return false;
}

/* The value of the web at the instruction. If it has several definitions, and the one before the
 * instruction in its block computes an address in tensor memory that never changes, it is that
 * address: kernels often advance the register later, in a loop. */
static struct value value_of_web_at(const struct subject *subject, uint32_t web, uint32_t instr)
{
    bool opposite;
    if (subject->values->of[web].count < 2) return value_of(subject, web);
    uint32_t write = write_in_block(subject, web, instr);
    if (write == NO_INSTR || !value_is_computed(subject, write, web, &opposite) || opposite)
        return value_of(subject, web);
    struct value v = value_computed(subject, write);
    bool known = value_is_fixed(subject, v) && is_in_allocation(subject, v);
    return known ? v : value_of(subject, web);
}

struct value value_of_operand(const struct subject *subject, uint32_t instr, uint32_t n)
{
    const struct function *f = subject->function;
    if (n >= f->instrs[instr].operand_count) return VALUE_NONE;
    const struct operand *at = &f->operands[f->instrs[instr].first_operand + n];
    if (at->kind == OPERAND_NAME && at->use_count == 1) /* like most: it need not be read */
        return f->uses[at->first_use].write
                   ? VALUE_NONE
                   : value_of_web_at(subject, f->uses[at->first_use].reg, instr);
    struct held_operand operand = instruction_held(subject, instr, n);
    struct value held = VALUE_NONE;
    if (operand.holding == OPERAND_REGISTER)
        held = value_of_web_at(subject, value_operand_web(subject, instr, n), instr);
    return value_of_held(&operand, held);
}

uint32_t value_address_web(const struct subject *subject, uint32_t instr)
{
    return value_operand_web(subject, instr, instruction_first_address(subject, instr));
}

struct value value_of_address(const struct subject *subject, uint32_t instr)
{
    return value_of_operand(subject, instr, instruction_first_address(subject, instr));
}

struct value value_of_guard(const struct subject *subject, uint32_t instr)
{
    const struct instr *at = &subject->function->instrs[instr];
    if (at->guard == REG_NONE) return exprs_constant(1);
    struct value v = value_of(subject, at->guard);
    return at->guard_negated ? exprs_not(v) : v;
}

/* ---- interface ---- */

bool value_is_fixed(const struct subject *subject, struct value v)
{
    return !value_is_none(v) && value_expr(subject, v)->fixed;
}

struct value value_without_multiples(const struct subject *subject, struct value v, int64_t unit)
{
    if (value_is_none(v)) return v;
    return exprs_without_multiples(&subject->values->exprs, v, unit);
}

struct value value_fixed_part(const struct subject *subject, struct value v, bool *changes)
{
    *changes = !value_is_fixed(subject, v);
    return *changes ? exprs_fixed_part(&subject->values->exprs, v) : v;
}

struct value value_sum(const struct subject *subject, struct value a, struct value b)
{
    return exprs_sum(&subject->values->exprs, a, b);
}

struct value value_equal(const struct subject *subject, struct value a, struct value b)
{
    return exprs_compare(&subject->values->exprs, EXPR_EQ, a, b);
}

static bool ends_name(char c)
{
    return c == '+' || c == '-' || c == ']' || c == '}' || c == ' ' || c == '\t' || c == ',';
}

/* The text of an operand from the name of the web on, which has no definition. */
static struct str text_from_name(const struct subject *subject, uint32_t web)
{
    const struct definition *d = &subject->values->of[web];
    if (d->count || !d->named) return (struct str){"", 0};
    struct str text =
        source_slice(subject->view->source, subject->function->operands[d->named - 1].span);
    while (text.n && strchr("[!{ \t", text.p[0])) text.p++, text.n--;
    return text;
}

struct str value_name(const struct subject *subject, uint32_t web)
{
    struct str text = text_from_name(subject, web);
    size_t n = 0;
    while (n < text.n && !ends_name(text.p[n])) n++;
    return (struct str){text.p, n};
}

bool value_is_variable(const struct subject *subject, struct value v)
{
    if (value_is_none(v) || value_expr(subject, v)->kind != EXPR_NAME) return false;
    struct str text = text_from_name(subject, value_expr(subject, v)->web);
    return text.n && !ends_name(text.p[0]) && text.p[0] != '%';
}

uint32_t value_definitions(const struct subject *subject, uint32_t web, uint32_t *last)
{
    *last = subject->values->of[web].last;
    return subject->values->of[web].count;
}

uint32_t value_last_write(const struct subject *subject, uint32_t web)
{
    const struct definition *d = &subject->values->of[web];
    return d->count ? d->write : NO_WRITE;
}

uint32_t value_write_before(const struct subject *subject, uint32_t write)
{
    return subject->values->write_before[write];
}

uint32_t value_write_instr(const struct subject *subject, uint32_t write)
{
    return subject->values->instr_of[write];
}

struct value value_inverted_bits(const struct subject *subject, struct value of, struct value v)
{
    const struct expr *e = value_expr(subject, v);
    if (e->kind != EXPR_OP || e->spelling >= SPELLING_MAPPED || v.offset) return VALUE_NONE;
    if (!str_starts(subject->spelled[e->spelling]->opcode, "xor.b")) return VALUE_NONE;
    for (int i = 0; i < 2; i++)
        if (value_same(e->a[i], of) && value_is_constant(e->a[1 - i])) return e->a[1 - i];
    return VALUE_NONE;
}

struct value value_at_first(const struct subject *subject, struct value v)
{
    if (value_is_none(v) || value_expr(subject, v)->kind != EXPR_REG) return v;
    const struct definition *d = &subject->values->of[value_expr(subject, v)->web];
    if (d->count != 2) return VALUE_NONE;
    struct value first = value_computed(subject, d->first), next = value_computed(subject, d->last);
    if (value_is_none(first) || value_is_none(next)) return VALUE_NONE;
    struct value bits = value_inverted_bits(subject, (struct value){v.base, 0}, next);
    bool turns = !value_is_none(bits) && !(first.offset & bits.offset);
    if (next.base != v.base && !turns) return VALUE_NONE;
    return (struct value){first.base, plus_wrapped(first.offset, v.offset)};
}

/* ---- set-up ---- */

static void count_definitions(const struct subject *subject)
{
    const struct function *f = subject->function;
    const struct use *uses = f->uses;
    struct values *values = subject->values;
    struct definition *of = values->of;
    uint32_t operand_count = f->operand_count;
    for (uint32_t i = 0; i + 1 < f->count; i++) {
        const struct instr *at = &f->instrs[i];
        for (uint32_t u = at->first_use, end = u + at->use_count; u < end; u++) {
            if (!uses[u].write) continue;
            struct definition *d = &of[uses[u].reg];
            if (!d->count) d->first = i;
            values->write_before[u] = d->count ? d->write : NO_WRITE;
            values->instr_of[u] = i;
            d->write = u;
            d->count++;
            d->last = i;
        }
    }
    for (uint32_t o = 0; o < operand_count; o++) {
        if (f->operands[o].use_count != 1) continue;
        struct definition *d = &of[uses[f->operands[o].first_use].reg];
        if (!d->named) d->named = o + 1;
    }
}

/* Must run before all other queries, so that a load from such an address is distinguished from
 * other loads. */
static void find_slots(const struct subject *subject)
{
    struct values *values = subject->values;
    for (uint32_t n = 0; n < subject->acting_count; n++) {
        uint32_t i = subject->acting[n];
        if (!str_starts(instruction_opcode(subject, i), "tcgen05.alloc")) continue;
        struct slot slot = {value_of_operand(subject, i, 0), runs_once(subject, i)};
        if (!value_is_fixed(subject, slot.address)) continue;
        for (uint32_t s = 0; s < values->slots.count; s++) {
            if (!value_same(values->slots.at[s].address, slot.address)) continue;
            values->slots.at[s].once = slot.once = false;
        }
        subject_spend(subject, values->slots.count + 1);
        vec_push(&values->slots, slot);
    }
}

/* Allocates the tables. Only the members are set that say that the others are unknown: the tables
 * are large, and most of their entries are never asked for. */
static void make_tables(struct subject *subject)
{
    const struct function *f = subject->function;
    struct values *values = subject->values;
    subject->operands = arena_room(subject->arena, f->operand_count, sizeof *subject->operands);
    values->computed = arena_room(subject->arena, f->count, sizeof *values->computed);
    values->of = arena_room(subject->arena, f->reg_count, sizeof *values->of);
    values->write_before = arena_room(subject->arena, f->use_count, sizeof *values->write_before);
    values->instr_of = arena_room(subject->arena, f->use_count, sizeof *values->instr_of);
    for (uint32_t o = 0; o < f->operand_count; o++) subject->operands[o].holding = OPERAND_NOT_READ;
    for (uint32_t i = 0; i < f->count; i++) values->computed[i].known = false;
    for (uint32_t web = 0; web < f->reg_count; web++) {
        struct definition *d = &values->of[web];
        d->count = d->last = d->named = 0;
        d->progress = NOT_BEGUN;
    }
}

void values_build(struct subject *subject)
{
    struct values *values = arena_alloc(subject->arena, 1, sizeof *values);
    subject->values = values;
    subject->exprs = &values->exprs;
    exprs_init(&values->exprs);
    make_tables(subject);
    count_definitions(subject);
    find_slots(subject);
}

void values_free(struct values *values)
{
    exprs_free(&values->exprs);
    vec_free(&values->slots);
}
