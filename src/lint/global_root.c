/* Finds the pointer that the address of an access is computed from. See global_root.h. */
#include "lint/global_root.h"

#include "value/instruction.h"

enum { STEPS_MAX = 400, POINTER_BYTES = 8 };

/* The part of an address that a value is: a number, the pointer of a root, or not known. */
enum link_kind { LINK_NUMBER, LINK_ROOT, LINK_UNKNOWN };

struct link {
    enum link_kind kind;
    struct global_root root;
};

struct finding {
    struct smem_tracing *uses; /* its step counter and its marks are used */
    const struct lint *lint;
    struct global_accesses list;
};

static const struct link number = {.kind = LINK_NUMBER};
static const struct link unknown = {.kind = LINK_UNKNOWN};

static struct link root_trace(struct finding *f, struct value v);

bool global_roots_same(const struct global_root *a, const struct global_root *b)
{
    return a->known && b->known && a->base == b->base && a->offset == b->offset;
}

static struct link root_at(uint32_t base, int64_t offset)
{
    return (struct link){LINK_ROOT, {true, base, offset}};
}

/* ---- from values ---- */

static struct link sum_links(struct link a, struct link b)
{
    if (a.kind == LINK_NUMBER) return b;
    return b.kind == LINK_NUMBER ? a : unknown;
}

/* The value is one of the two, for example in selp. */
static struct link either_link(struct link a, struct link b)
{
    if (a.kind == LINK_NUMBER && b.kind == LINK_NUMBER) return number;
    bool both = a.kind == LINK_ROOT && b.kind == LINK_ROOT;
    return both && global_roots_same(&a.root, &b.root) ? a : unknown;
}

/* A register that is loaded by ld.param.v2.b64 {a, b}, [parameter]. */
static struct link trace_list(const struct finding *f, uint32_t instr, reg_id reg)
{
    const struct lint *lint = f->lint;
    const struct instr *at = &lint->function->instrs[instr];
    struct value address = value_of_operand(lint->subject, instr, 1);
    if (!str_starts(instruction_opcode(lint->subject, instr), "ld.param")) return number;
    if (value_is_none(address) || value_expr(lint->subject, address)->kind != EXPR_NAME)
        return unknown;
    for (uint32_t u = 0; u < at->use_count && lint->function->uses[at->first_use + u].write; u++)
        if (lint->function->uses[at->first_use + u].reg == reg)
            return root_at(address.base, plus_wrapped(address.offset, (int64_t)u * POINTER_BYTES));
    return unknown;
}

static struct link root_trace_definition(struct finding *f, uint32_t instr, reg_id reg)
{
    const struct lint *lint = f->lint;
    struct str to = instruction_operand(lint->subject, instr, 0);
    if (to.n && to.p[0] == '{') return trace_list(f, instr, reg);
    struct value v = value_computed(lint->subject, instr);
    if (value_is_none(v)) return number;
    const struct expr *e = value_expr(lint->subject, v);
    bool itself = e->kind == EXPR_REG && e->web == reg && e->instr == instr;
    return itself ? number : root_trace(f, v);
}

/* Joins all definitions. A definition that adds a number to the register itself does not change the
 * root. */
static struct link root_trace_register(struct finding *f, reg_id reg)
{
    struct link all = number;
    bool any = false;
    if (f->uses->open[reg]) return number;
    f->uses->open[reg] = true;
    const struct subject *subject = f->lint->subject;
    for (uint32_t u = value_last_write(subject, reg); u != NO_WRITE;
         u = value_write_before(subject, u)) {
        struct link one = root_trace_definition(f, value_write_instr(subject, u), reg);
        bool goes_on = one.kind == LINK_NUMBER;
        if (any && (goes_on || all.kind == LINK_NUMBER))
            all = goes_on ? all : one;
        else
            all = any ? either_link(all, one) : one;
        any = true;
    }
    f->uses->open[reg] = false;
    return all;
}

/* The distance of two pointers with one root is a number. */
static struct link difference_link(struct link a, struct link b)
{
    if (b.kind != LINK_ROOT) return a;
    bool both = a.kind == LINK_ROOT && global_roots_same(&a.root, &b.root);
    return both ? number : unknown;
}

/* mad and sub add a number to one operand; a mask rounds a pointer. */
static struct link root_trace_operation(struct finding *f, const struct expr *e)
{
    if (e->spelling == SPELLING_AND) return root_trace(f, e->a[0]);
    if (e->spelling >= SPELLING_MAPPED) return number;
    struct str opcode = f->lint->subject->spelled[e->spelling]->opcode;
    if (str_starts(opcode, "mad.")) return root_trace(f, e->a[2]);
    if (str_starts(opcode, "sub."))
        return difference_link(root_trace(f, e->a[0]), root_trace(f, e->a[1]));
    return number;
}

static struct link root_trace(struct finding *f, struct value v)
{
    lint_spend(f->lint, 1);
    if (value_is_none(v) || ++f->uses->steps > STEPS_MAX) return unknown;
    if (!v.base) return number;
    const struct expr e = *value_expr(f->lint->subject, v);
    switch (e.kind) {
    case EXPR_NAME:
        return value_is_variable(f->lint->subject, v) ? root_at(v.base, INT64_MIN) : number;
    case EXPR_PARAMETER: return root_at(e.a[0].base, e.a[0].offset);
    case EXPR_SUM: return sum_links(root_trace(f, e.a[0]), root_trace(f, e.a[1]));
    case EXPR_SELECT: return either_link(root_trace(f, e.a[0]), root_trace(f, e.a[1]));
    case EXPR_OP: return root_trace_operation(f, &e);
    case EXPR_REG: return root_trace_register(f, e.web);
    case EXPR_LOADED: return unknown;
    default: return number;
    }
}

/* ---- accesses ---- */

struct value global_address_of(const struct lint *lint, uint32_t instr, uint32_t operand)
{
    const struct function *f = lint->function;
    const struct operand *of = &f->operands[f->instrs[instr].first_operand + operand];
    struct value v = value_of_operand(lint->subject, instr, operand);
    bool list = value_is_none(v) && of->use_count > 1;
    return list ? value_of(lint->subject, f->uses[of->first_use].reg) : v;
}

static void add_global_access(struct finding *f, uint32_t instr, enum global_kind kind,
                              uint32_t operand)
{
    struct str text = instruction_operand(f->lint->subject, instr, operand);
    if (!text.n || text.p[0] != '[') return;
    f->uses->steps = 0;
    struct link link = root_trace(f, global_address_of(f->lint, instr, operand));
    bool names = instruction_has(f->lint->subject, instr, ".global") || kind == GLOBAL_COPY;
    bool variable = link.root.offset == INT64_MIN;
    if (link.kind != LINK_ROOT || (variable && !names)) link.root.known = false;
    if (link.root.known || names)
        vec_push(&f->list, (struct global_access){instr, kind, link.root});
}

static void add_global_copy(struct finding *f, uint32_t instr, struct str opcode)
{
    bool stores = instruction_opcode_has(opcode, ".global.shared::cta");
    bool loads = instruction_opcode_has(opcode, ".shared::cluster.global") ||
                 instruction_opcode_has(opcode, ".shared::cta.global");
    if (stores) add_global_access(f, instr, GLOBAL_WRITE, 0);
    if (loads && !stores) add_global_access(f, instr, GLOBAL_COPY, 1);
}

static bool is_elsewhere(const struct lint *lint, uint32_t instr)
{
    static const char *const others[] = {
        ".shared", ".shared::cta",  ".shared::cluster", ".local", ".param",
        ".const",  ".param::entry", ".param::func",     ".async", ".bulk"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (instruction_has(lint->subject, instr, others[i])) return true;
    return false;
}

static void add_global_accesses(struct finding *f, uint32_t instr)
{
    struct str base = instruction_base(f->lint->subject, instr);
    struct str opcode = instruction_opcode(f->lint->subject, instr);
    if (str_starts(opcode, "cp.async.bulk.") || str_starts(opcode, "cp.reduce.async.bulk."))
        add_global_copy(f, instr, opcode);
    else if (str_starts(opcode, "cp.async.c"))
        add_global_access(f, instr, GLOBAL_COPY, 1);
    else if (is_elsewhere(f->lint, instr))
        return;
    else if (str_is(base, "ld"))
        add_global_access(
            f, instr,
            instruction_has(f->lint->subject, instr, ".nc") ? GLOBAL_LOAD_NC : GLOBAL_LOAD, 1);
    else if (str_is(base, "st") || str_is(base, "red"))
        add_global_access(f, instr, GLOBAL_WRITE, 0);
    else if (str_is(base, "atom"))
        add_global_access(f, instr, GLOBAL_WRITE, 1);
}

struct global_accesses global_accesses_find(struct lint *lint)
{
    smem_origins_begin(lint);
    struct finding f = {.uses = lint->tracing, .lint = lint};
    for (uint32_t n = 0; n < lint->subject->acting_count; n++)
        add_global_accesses(&f, lint->subject->acting[n]);
    return f.list;
}
