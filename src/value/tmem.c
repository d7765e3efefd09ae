/* Reads columns from opcodes, addresses and instruction descriptors. See tmem.h. */
#include "value/tmem.h"

#include "value/instruction.h"

enum { LANE_UNIT = 1 << 16, COLUMNS_MAX = 512 };

/* The columns of one repetition of the shape (ISA, "Data Movement Shape"). */
static uint32_t columns_of_shape(struct str opcode)
{
    static const struct {
        const char *shape;
        uint32_t columns;
    } shapes[] = {
        {".32x32b", 1}, {".16x64b", 2}, {".16x128b", 4}, {".16x256b", 8}, {".16x32bx2", 1}};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        if (instruction_opcode_has(opcode, shapes[i].shape)) return shapes[i].columns;
    return 0;
}

/* The number of repetitions: 16 for .x16. */
static uint32_t shape_repetitions(struct str opcode)
{
    for (const char *at = opcode.p; (at = memmem(at, opcode.n - (size_t)(at - opcode.p), ".x", 2));
         at++) {
        uint32_t n = 0;
        for (const char *digit = at + 2;
             digit < opcode.p + opcode.n && *digit >= '0' && *digit <= '9' && n < 1000; digit++)
            n = n * 10 + (uint32_t)(*digit - '0');
        if (n) return n;
    }
    return 1;
}

static bool tmem_add_range(const struct subject *subject, struct tmem_range *range, uint32_t instr,
                           uint32_t operand, enum tmem_access access)
{
    struct value address = value_of_operand(subject, instr, operand);
    if (value_is_none(address)) return false;
    struct value column = value_without_multiples(subject, address, LANE_UNIT);
    *range = (struct tmem_range){.address = address,
                                 .base = {column.base, 0},
                                 .first = column.offset,
                                 .operand = operand,
                                 .all_lanes = subject_effect(subject, instr) >= EFFECT_ASYNC_MMA,
                                 .access = access};
    return true;
}

/* The most columns that are accessed. Packed 16-bit elements come from twice as many columns. The
 * second half of .16x32bx2 begins at the number after the address (ISA 9.7.16.8.3). */
static uint32_t columns_at_most(const struct subject *subject, uint32_t instr, uint32_t address,
                                uint32_t count)
{
    struct str opcode = instruction_opcode(subject, instr);
    if (instruction_opcode_has(opcode, ".pack::16b")) count *= 2;
    if (!instruction_opcode_has(opcode, ".16x32bx2")) return count;
    struct value split = value_of_operand(subject, instr, address + 1);
    bool known = value_is_constant(split) && split.offset >= 0 && split.offset <= COLUMNS_MAX;
    return known ? count + (uint32_t)split.offset : 0;
}

static uint32_t ranges_of_move(const struct subject *subject, uint32_t instr,
                               struct tmem_range *ranges)
{
    bool load = subject_effect(subject, instr) == EFFECT_ASYNC_LD;
    struct str opcode = instruction_opcode(subject, instr);
    uint32_t operand = instruction_first_address(subject, instr);
    if (!tmem_add_range(subject, ranges, instr, operand, load ? TMEM_READS : TMEM_WRITES)) return 0;
    ranges->lanes = instruction_opcode_has(opcode, ".32x32b") ? WARP : WARP / 2;
    ranges->count = columns_of_shape(opcode) * shape_repetitions(opcode);
    ranges->most = columns_at_most(subject, instr, operand, ranges->count);
    return 1;
}

/* The N columns of D: bits 17 to 22 of the instruction descriptor, if it is a constant, contain N
 * >> 3 (ISA, table of the instruction descriptor). The operands are D, A, B and the descriptor. */
static uint32_t columns_of_product(const struct subject *subject, uint32_t instr)
{
    enum { DESCRIPTOR = 3, N_SHIFT = 17, N_MASK = 0x3f, N_UNIT = 8 };
    struct value descriptor = value_of_operand(subject, instr, DESCRIPTOR);
    if (!value_is_constant(descriptor)) return 0;
    return (uint32_t)(descriptor.offset >> N_SHIFT & N_MASK) * N_UNIT;
}

/* The mma writes each of these columns in each CTA of its group: 32-bit elements, 128 rows a CTA,
 * one element in each cell. Elements of an mma with scale factors always have 32 bits. */
static bool is_full_product(const struct subject *subject, uint32_t instr)
{
    enum {
        DESCRIPTOR = 3,
        TYPE_SHIFT = 4,
        F32 = 1,
        S32 = 2,
        M_SHIFT = 24,
        M_MASK = 0x1f,
        M_128 = 8,
        M_256 = 16
    };
    struct value descriptor = value_of_operand(subject, instr, DESCRIPTOR);
    if (!value_is_constant(descriptor) || instruction_has(subject, instr, ".ws")) return false;
    int64_t type = descriptor.offset >> TYPE_SHIFT & 3, m = descriptor.offset >> M_SHIFT & M_MASK;
    bool pair = instruction_has(subject, instr, ".cta_group::2");
    bool wide = type == F32 || type == S32 || instruction_has(subject, instr, ".block_scale");
    return wide && m == (pair ? M_256 : M_128);
}

/* An mma of 64 rows by one CTA uses half of the lanes (ISA, "Data path layout organization"). */
static uint8_t lanes_of_product(const struct subject *subject, uint32_t instr)
{
    enum { DESCRIPTOR = 3, M_SHIFT = 24, M_MASK = 0x1f, M_64 = 4 };
    struct value descriptor = value_of_operand(subject, instr, DESCRIPTOR);
    bool one =
        instruction_has(subject, instr, ".cta_group::1") && !instruction_has(subject, instr, ".ws");
    if (!value_is_constant(descriptor)) return 0;
    return one && (descriptor.offset >> M_SHIFT & M_MASK) == M_64 ? WARP / 2 : WARP;
}

/* D is also read, but the range is listed as written, which says more. */
static uint32_t ranges_of_mma(const struct subject *subject, uint32_t instr,
                              struct tmem_range *ranges)
{
    uint32_t count = 0;
    for (uint32_t n = 0; n < subject->function->instrs[instr].operand_count; n++) {
        struct str text = instruction_operand(subject, instr, n);
        if (count == TMEM_RANGES_MAX || text.p[0] != '[') continue;
        if (!tmem_add_range(subject, &ranges[count], instr, n, n ? TMEM_READS : TMEM_WRITES))
            continue;
        ranges[count].most = n ? 0 : columns_of_product(subject, instr);
        ranges[count].lanes = n > 1 ? WARP : lanes_of_product(subject, instr);
        if (!n && is_full_product(subject, instr)) ranges[count].count = ranges[count].most;
        count++;
    }
    return count;
}

uint32_t tmem_ranges(const struct subject *subject, uint32_t instr, struct tmem_range *ranges)
{
    subject_spend(subject, 1);
    switch (subject_effect(subject, instr)) {
    case EFFECT_ASYNC_LD:
    case EFFECT_ASYNC_ST: return ranges_of_move(subject, instr, ranges);
    case EFFECT_ASYNC_MMA: return ranges_of_mma(subject, instr, ranges);
    case EFFECT_ASYNC_CP:
    case EFFECT_ASYNC_SHIFT:
        if (!tmem_add_range(subject, ranges, instr, 0, TMEM_WRITES)) return 0;
        ranges->lanes = instruction_has(subject, instr, ".4x256b") ? 0 : WARP;
        return 1;
    default: return 0;
    }
}

static bool same_lanes(const struct tmem_range *a, const struct tmem_range *b)
{
    if (a->all_lanes || b->all_lanes) return true;
    return a->address.base == b->address.base &&
           minus_wrapped(a->address.offset, a->first) == minus_wrapped(b->address.offset, b->first);
}

/* Each accesses 16 of each 32 lanes, and not the same. The terms of the address that depend on the
 * warp are multiples of 32 lanes. */
static bool in_other_lanes(const struct subject *subject, const struct tmem_range *a,
                           const struct tmem_range *b)
{
    if (a->lanes != WARP / 2 || b->lanes != WARP / 2) return false;
    struct value x = value_without_multiples(subject, a->address, WARP * LANE_UNIT);
    struct value y = value_without_multiples(subject, b->address, WARP * LANE_UNIT);
    if (value_is_none(x) || value_is_none(y) || x.base != y.base) return false;
    int64_t lanes = minus_wrapped(x.offset, a->first) ^ minus_wrapped(y.offset, b->first);
    return lanes & WARP / 2 * LANE_UNIT;
}

static bool is_difference(const struct subject *subject, const struct expr *e)
{
    return e->kind == EXPR_OP && e->spelling < SPELLING_MAPPED &&
           str_starts(subject->spelled[e->spelling]->opcode, "sub.");
}

static struct value allocated_within(const struct subject *subject, struct value address, int depth)
{
    enum { DEPTH_MAX = 8 };
    const struct expr *e = value_expr(subject, address);
    if (value_is_none(address) || !address.base || depth > DEPTH_MAX) return VALUE_NONE;
    if (e->kind == EXPR_ALLOCATED) return (struct value){address.base, 0};
    if (is_difference(subject, e)) return allocated_within(subject, e->a[0], depth + 1);
    if (e->kind != EXPR_SUM) return VALUE_NONE;
    struct value a = e->a[0], b = e->a[1], found = allocated_within(subject, a, depth + 1);
    return value_is_none(found) ? allocated_within(subject, b, depth + 1) : found;
}

struct value tmem_allocated(const struct subject *subject, struct value address)
{
    return allocated_within(subject, address, 0);
}

bool tmem_overlap(const struct subject *subject, const struct tmem_range *a,
                  const struct tmem_range *b)
{
    if (a->base.base != b->base.base || !value_is_fixed(subject, a->base)) return false;
    int64_t a_end = a->first + (a->count ? a->count : 1);
    int64_t b_end = b->first + (b->count ? b->count : 1);
    return a->first < b_end && b->first < a_end && same_lanes(a, b) &&
           !in_other_lanes(subject, a, b);
}

bool tmem_apart(const struct subject *subject, const struct tmem_range *a,
                const struct tmem_range *b)
{
    subject_spend(subject, 1);
    if (a->base.base != b->base.base || !value_is_fixed(subject, a->base)) return false;
    bool below = a->most && a->first + a->most <= b->first;
    bool above = b->most && b->first + b->most <= a->first;
    return below || above || in_other_lanes(subject, a, b);
}
