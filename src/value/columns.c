/* Traces an address to the register from which it is computed, through constant offsets and through
 * registers with a single definition that precedes each use. See columns.h. */
#include "value/columns.h"

#include <stdlib.h>

#include "base/mem.h"
#include "base/sixteen.h"
#include "flow/loops.h"
#include "value/instruction.h"
#include "value/values.h"

enum { DEPTH_MAX = 64, CIRCLE = 512, LANES_MAX = 127, LANE_UNIT = 1 << 16 };

/* A base and a number. held.base is 1 + the register, or 0 for none. zero_bits: this many low bits
 * of the base's value are 0. */
struct chain {
    struct value held;
    uint32_t zero_bits;
    bool known;
};

struct columns {
    struct subject *subject;
    const bool *in_loop;   /* by block */
    uint32_t *definitions; /* by register: number of definitions */
    uint32_t *definition;  /* by register: the last instruction that writes it */
    struct chain *chains;  /* by register: the value of its definition, if it was followed */
    bool *followed;        /* by register */
    bool registers_outside;
};

static const struct chain UNKNOWN = {.known = false};

struct columns *columns_build(struct subject *subject)
{
    const struct function *f = subject->function;
    struct columns *c = arena_alloc(subject->arena, 1, sizeof *c);
    c->subject = subject;
    c->in_loop = loops_find(subject->cfg, subject->arena);
    c->definitions = arena_alloc(subject->arena, f->reg_count + 1, sizeof *c->definitions);
    c->definition = arena_alloc(subject->arena, f->reg_count + 1, sizeof *c->definition);
    c->chains = arena_room(subject->arena, f->reg_count + 1, sizeof *c->chains);
    c->followed = arena_alloc(subject->arena, f->reg_count + 1, sizeof *c->followed);
    c->registers_outside = view_declares_registers(subject->view, f->span);
    for (uint32_t i = 0; i + 1 < f->count; i++)
        for (uint32_t u = 0; u < f->instrs[i].use_count; u++) {
            const struct use *use = &f->uses[f->instrs[i].first_use + u];
            if (!use->write) continue;
            c->definitions[use->reg]++;
            c->definition[use->reg] = i;
        }
    return c;
}

/* ---- registers with one value ---- */

/* The register has one definition, which certainly runs before instruction `use`. */
static bool is_written_before(struct columns *c, reg_id reg, uint32_t use)
{
    const uint32_t *block_of = c->subject->cfg->block_of;
    uint32_t at = c->definition[reg];
    if (c->definitions[reg] != 1 || c->subject->function->instrs[at].guard != REG_NONE)
        return false;
    if (block_of[at] == block_of[use]) return at < use;
    return subject_always_enters(c->subject, block_of[at], block_of[use]);
}

/* ---- addresses from constants ---- */

static struct chain chain_at_register(struct columns *c, reg_id reg, uint32_t use, uint32_t depth);

/* The operand is a name or a number or, in brackets, one of these or their sum. Anything else, such
 * as a comment, an element of a vector or a second result, must not be read as part of a sum. */
static bool is_plain_operand(struct str text)
{
    bool address = text.n > 1 && text.p[0] == '[' && text.p[text.n - 1] == ']';
    if (address) text.p++, text.n -= 2;
    for (size_t i = 0; i < text.n; i++) {
        char ch = text.p[i];
        bool sign = ch == '+' || ch == '-', blank = ch == ' ' || ch == '\t';
        bool word = (ch >= '0' && ch <= '9') || ((ch | 32) >= 'a' && (ch | 32) <= 'z') ||
                    ch == '_' || ch == '$' || ch == '%';
        if (!word && !(blank && address) && !(sign && (address || i == 0))) return false;
    }
    return text.n > 0;
}

/* The address of an access: a register, a number, or their sum. */
static struct chain chain_at_address(struct columns *c, uint32_t instr, uint32_t n)
{
    const struct subject *subject = c->subject;
    const struct function *f = subject->function;
    if (!is_plain_operand(instruction_operand(subject, instr, n))) return UNKNOWN;
    reg_id reg = value_operand_web(subject, instr, n);
    struct chain chain = {.zero_bits = 32, .known = true};
    if (reg != REG_NONE) chain = chain_at_register(c, reg, instr, 0);
    if (!chain.known) return UNKNOWN;
    struct held_operand operand =
        instruction_read_operand(subject, &f->operands[f->instrs[instr].first_operand + n]);
    chain.held = value_of_held(&operand, chain.held);
    return value_is_none(chain.held) ? UNKNOWN : chain;
}

/* The definition of a register: its result and its operands. */
struct definition {
    uint32_t instr, count;
    struct str opcode, operands[3];
    const struct use *uses; /* for operands that are names, in their order; NULL: not known */
};

static struct definition read_definition(const struct columns *c, reg_id reg)
{
    const struct function *f = c->subject->function;
    struct definition d = {.instr = c->definition[reg]};
    const struct instr *at = &f->instrs[d.instr];
    uint32_t names = 0;
    subject_read_spelled(c->subject, d.instr);
    d.opcode = instruction_opcode(c->subject, d.instr);
    d.count = instruction_plain_operands(c->subject, d.instr, d.operands, 3);
    for (uint32_t n = 0; n < d.count; n++) names += instruction_is_name(d.operands[n]);
    d.uses = names == at->use_count ? &f->uses[at->first_use] : NULL;
    return d;
}

/* The value of operand n after the result, a register or a number. */
static struct chain chain_at_operand(struct columns *c, const struct definition *d, uint32_t n,
                                     uint32_t depth)
{
    struct chain chain = {.zero_bits = 32, .known = true};
    if (!instruction_is_name(d->operands[n]))
        return instruction_integer(d->operands[n], &chain.held.offset) ? chain : UNKNOWN;
    uint32_t before = 0;
    for (uint32_t i = 0; i < n; i++) before += instruction_is_name(d->operands[i]);
    if (!d->uses || d->uses[before].write) return UNKNOWN;
    return chain_at_register(c, d->uses[before].reg, d->instr, depth);
}

static bool columns_opcode_is(struct str opcode, const char *const *names)
{
    for (; *names; names++)
        if (str_is(opcode, *names)) return true;
    return false;
}

/* The result of a + b, a - b or a | b (how), where b is a number. */
static struct chain chain_of_two(struct columns *c, const struct definition *d, char how,
                                 uint32_t depth)
{
    struct chain a = chain_at_operand(c, d, 1, depth);
    struct chain b = chain_at_operand(c, d, 2, depth);
    if (!a.known || !b.known || b.held.base) return UNKNOWN;
    struct chain sum = a;
    uint32_t x = (uint32_t)a.held.offset, y = (uint32_t)b.held.offset;
    bool below = sum.zero_bits >= 32 || !(y >> sum.zero_bits);
    if (how == '|' && (!below || x & y)) return UNKNOWN;
    sum.held.offset = (int64_t)(how == '-' ? x - y : x + y);
    return sum;
}

/* The number of low bits that are 0 in the result. */
static uint32_t zero_bits_of(const struct definition *d)
{
    static const char *const products[] = {"mul.lo.s32", "mul.lo.u32", NULL};
    bool shift = str_is(d->opcode, "shl.b32"), bits = str_is(d->opcode, "and.b32");
    int64_t number;
    if (d->count != 3) return 0;
    if (!shift && !bits && !columns_opcode_is(d->opcode, products)) return 0;
    if (!instruction_integer(d->operands[2], &number)) return 0;
    if (shift) return number < 0 || number > 31 ? 0 : (uint32_t)number;
    return (uint32_t)number ? (uint32_t)__builtin_ctz((uint32_t)number) : 0;
}

static struct chain chain_of_definition(struct columns *c, const struct definition *d,
                                        uint32_t depth)
{
    static const char *const moves[] = {"mov.b32", "mov.u32", "mov.s32", NULL};
    static const char *const adds[] = {"add.s32", "add.u32", NULL};
    static const char *const subs[] = {"sub.s32", "sub.u32", NULL};
    if (d->count == 2 && columns_opcode_is(d->opcode, moves))
        return chain_at_operand(c, d, 1, depth);
    if (d->count != 3) return UNKNOWN;
    if (columns_opcode_is(d->opcode, adds)) return chain_of_two(c, d, '+', depth);
    if (columns_opcode_is(d->opcode, subs)) return chain_of_two(c, d, '-', depth);
    if (str_is(d->opcode, "or.b32")) return chain_of_two(c, d, '|', depth);
    return UNKNOWN;
}

/* The value that the only definition of the register writes. */
static struct chain chain_written(struct columns *c, reg_id reg, uint32_t depth)
{
    struct definition d = read_definition(c, reg);
    struct chain chain = chain_of_definition(c, &d, depth + 1);
    if (chain.known) return chain;
    if (c->in_loop[c->subject->cfg->block_of[d.instr]]) return UNKNOWN;
    return (struct chain){{reg + 1, 0}, zero_bits_of(&d), true};
}

/* The value of the register where instruction `use` reads it. Each definition is traced only once,
 * because otherwise a sum of a register with itself would double the work at each step of a
 * chain. */
static struct chain chain_at_register(struct columns *c, reg_id reg, uint32_t use, uint32_t depth)
{
    if (depth == DEPTH_MAX || !is_written_before(c, reg, use)) return UNKNOWN;
    if (!c->followed[reg]) c->chains[reg] = chain_written(c, reg, depth);
    c->followed[reg] = true;
    return c->chains[reg];
}

/* ---- extents ---- */

/* The number after .x; 0: not a valid one. */
static uint32_t repetitions_of(const struct subject *subject, uint32_t instr)
{
    static const char *const numbers[] = {".x1",  ".x2",  ".x4",  ".x8",
                                          ".x16", ".x32", ".x64", ".x128"};
    for (uint32_t n = 0; n < sizeof numbers / sizeof *numbers; n++)
        if (instruction_has(subject, instr, numbers[n])) return 1u << n;
    return 0;
}

/* The length of the vector that is loaded or stored: the number of elements in its text, including
 * numbers. */
static uint32_t vector_length(const struct subject *subject, uint32_t instr, uint32_t operand)
{
    struct str text = instruction_operand(subject, instr, operand);
    if (text.n < 2 || text.p[0] != '{' || text.p[text.n - 1] != '}') return 0;
    return 1 + sixteen_count(text, ',');
}

/* The most columns that are accessed from the address on; 0: not known. */
static uint32_t extent_of(const struct subject *subject, uint32_t instr, uint32_t address)
{
    static const struct {
        const char *shape;
        uint32_t columns, registers;
    } shapes[] = {{".32x32b", 1, 1},
                  {".16x64b", 2, 1},
                  {".16x128b", 4, 2},
                  {".16x256b", 8, 4},
                  {".16x32bx2", 1, 1}};
    const struct instr *at = &subject->function->instrs[instr];
    bool load = at->opcode->effect == EFFECT_ASYNC_LD;
    bool halves = instruction_has(subject, instr, ".16x32bx2");
    uint32_t n = repetitions_of(subject, instr), operands = 2 + halves;
    if (!n || at->operand_count != operands || instruction_has(subject, instr, ".red")) return 0;
    uint32_t length = vector_length(subject, instr, load ? 0 : operands - 1), columns = 0;
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++)
        if (instruction_has(subject, instr, shapes[s].shape) && length == n * shapes[s].registers)
            columns = n * shapes[s].columns;
    if (instruction_has(subject, instr, load ? ".pack::16b" : ".unpack::16b")) columns *= 2;
    if (!halves || !columns) return columns;
    int64_t split;
    struct str text = instruction_operand(subject, instr, address + 1);
    if (!instruction_integer(text, &split) || split < 0 || split >= CIRCLE) return 0;
    return columns + (uint32_t)split;
}

struct column_range columns_touched(struct columns *c, uint32_t instr)
{
    struct column_range range = {.count = 0};
    const struct instr *at = &c->subject->function->instrs[instr];
    uint32_t address = at->opcode->effect == EFFECT_ASYNC_LD;
    if (c->registers_outside || at->opcode->writes > 1 || address >= at->operand_count)
        return range;
    struct str text = instruction_operand(c->subject, instr, address);
    if (!text.n || text.p[0] != '[') return range;
    subject_read_spelled(c->subject, instr);
    struct chain chain = chain_at_address(c, instr, address);
    if (!chain.known) return range;
    range.base = chain.held.base;
    range.offset = chain.held.offset;
    range.count = extent_of(c->subject, instr, address);
    return range;
}

bool columns_apart(const struct column_range *a, const struct column_range *b)
{
    if (!a->count || !b->count || a->base != b->base) return false;
    int64_t between = (int32_t)((uint32_t)b->offset - (uint32_t)a->offset);
    int64_t column = (int16_t)(uint16_t)between, lane = (between - column) / LANE_UNIT;
    if (labs(lane) > LANES_MAX || labs(column) >= CIRCLE) return false;
    uint32_t along = (uint32_t)column % CIRCLE;
    return a->count <= along && along + b->count <= CIRCLE;
}
