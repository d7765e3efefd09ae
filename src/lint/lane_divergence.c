/* Finds branches on data of the lanes around .aligned instructions. See lane_divergence.h. */
#include "lint/lane_divergence.h"

#include "base/vec.h"
#include "flow/dominators.h"
#include "value/condition_pairs.h"
#include "value/conditions.h"
#include "value/instruction.h"
#include "value/values.h"

/* How a value may differ among the lanes of a warp: computed from the number of the thread, or
 * loaded from an address that differs. */
enum { NUMBER = 1, DATA = 2 };

/* Whether a register is the result of a comparison of floating-point numbers. */
enum floats { FLOATS_UNKNOWN, NO_FLOATS, FLOATS };

struct lane_data {
    struct lint *lint;
    uint8_t *differs;           /* by register, if it is met: bits NUMBER and DATA */
    uint8_t *kinds;             /* by spelling: enum kind */
    bool *met;                  /* by register: it is in a slice */
    struct VEC(uint32_t) slice; /* the registers from which the one that is asked about is computed,
                                   and which are in no slice before */
    uint32_t *joins; /* by block: the next block that each path from it enters; cfg->count: the end
                        of the function, or no path leads there */
    uint32_t *aligned;      /* by block: its first .aligned instruction; NO_INSTR: none */
    uint32_t *between;      /* by block: 1 + the last branch from which mark_between reached it */
    struct region *regions; /* by block: of the branch at its end, if it was examined */
    uint8_t *floats;        /* by register: enum floats */
    struct VEC(uint32_t) open;
};

/* What control reaches from a branch before the lanes join. */
struct region {
    bool known, again; /* again: the branch itself */
    uint32_t first;    /* the first .aligned instruction; NO_INSTR: none */
};

/* ---- which registers differ ---- */

/* The constant by which the instruction shifts, or with which it combines; -1: not known. */
static int64_t constant_of(const struct lint *lint, uint32_t instr)
{
    struct value v = value_computed(lint->subject, instr);
    const struct expr *e = value_is_none(v) ? NULL : value_expr(lint->subject, v);
    bool known = e && e->kind == EXPR_OP && !e->a[1].base && !value_is_none(e->a[1]);
    return known ? e->a[1].offset : -1;
}

/* What the instruction does with values that differ among lanes. */
enum kind {
    KIND_UNKNOWN,
    KIND_PLAIN, /* computes from values of its own lane alone */
    KIND_LOAD,
    KIND_SELECT,
    KIND_SHIFT, /* to the right */
    KIND_AND,
    KIND_OTHER, /* what the lanes have in common, or not understood */
};

static enum kind kind_of_opcode(struct str opcode, struct str base)
{
    static const char *const plain[] = {"mov", "add", "sub", "mul", "mad", "fma",  "min",
                                        "max", "neg", "abs", "cvt", "shl", "setp", "or",
                                        "xor", "not", "ex2", "lg2", "rcp", "sqrt", NULL};
    if (memmem(opcode.p, opcode.n, ".hi", 3)) return KIND_OTHER; /* a division by a constant */
    for (uint32_t i = 0; plain[i]; i++)
        if (str_is(base, plain[i])) return KIND_PLAIN;
    if (str_is(base, "ld")) return KIND_LOAD;
    if (str_is(base, "selp")) return KIND_SELECT;
    if (str_is(base, "shr")) return KIND_SHIFT;
    return str_is(base, "and") ? KIND_AND : KIND_OTHER;
}

/* The kind is found once for each spelling. */
static enum kind kind_of(const struct lane_data *d, uint32_t instr)
{
    const struct subject *subject = d->lint->subject;
    struct spelled *spelled = instruction_spelled(subject, instr);
    if (!spelled) return KIND_OTHER;
    uint8_t *kind = &d->kinds[subject->function->instrs[instr].spelling];
    if (*kind == KIND_UNKNOWN) *kind = (uint8_t)kind_of_opcode(spelled->opcode, spelled->base);
    return *kind;
}

/* The instruction does not take from the number of the thread what the lanes of a warp have in
 * common, such as the number of the warp. */
static bool keeps_difference(const struct lane_data *d, uint32_t instr)
{
    enum kind kind = kind_of(d, instr);
    if (kind != KIND_SHIFT && kind != KIND_AND) return kind != KIND_OTHER;
    int64_t by = constant_of(d->lint, instr);
    return kind == KIND_SHIFT ? by >= 0 && by < 5 : by < 0 || by % WARP;
}

/* How the results of the instruction differ, as far as is known by now. selp mostly takes one of
 * two values that all lanes share, for a role. */
static uint8_t results_of(const struct lane_data *d, uint32_t instr)
{
    const struct lint *lint = d->lint;
    const struct function *f = lint->function;
    const struct instr *at = &f->instrs[instr];
    struct value v = value_computed(lint->subject, instr);
    const struct expr *e = value_is_none(v) ? NULL : value_expr(lint->subject, v);
    uint8_t how = 0;
    lint_spend(lint, 1);
    if (e && e->spread == SPREAD_SAME) return 0;
    if (e && e->spread == SPREAD_LANES && e->kind != EXPR_ELECTED) return NUMBER;
    if (!keeps_difference(d, instr)) return 0;
    for (uint32_t u = at->first_use; u < at->first_use + at->use_count; u++)
        if (!f->uses[u].write) how |= d->differs[f->uses[u].reg];
    if (kind_of(d, instr) == KIND_LOAD) return how ? DATA : 0;
    return kind_of(d, instr) == KIND_SELECT ? how & DATA : how;
}

/* Adds the registers that the instruction reads to the slice. */
static void add_read_registers(struct lane_data *d, uint32_t instr)
{
    const struct function *f = d->lint->function;
    const struct instr *at = &f->instrs[instr];
    if (!keeps_difference(d, instr)) return;
    for (uint32_t u = at->first_use; u < at->first_use + at->use_count; u++) {
        uint32_t web = f->uses[u].reg;
        if (f->uses[u].write || d->met[web]) continue;
        d->met[web] = true;
        vec_push(&d->slice, web);
    }
}

/* How the register differs. A register that no instruction writes does not. */
static uint8_t differs_how(struct lane_data *d, uint32_t web)
{
    const struct subject *subject = d->lint->subject;
    bool more = !d->met[web];
    if (!more) return d->differs[web];
    d->slice.count = 0;
    d->met[web] = true;
    vec_push(&d->slice, web);
    for (uint32_t n = 0; n < d->slice.count; n++)
        for (uint32_t u = value_last_write(subject, d->slice.at[n]); u != NO_WRITE;
             u = value_write_before(subject, u))
            add_read_registers(d, value_write_instr(subject, u));
    while (more) {
        more = false;
        for (uint32_t n = d->slice.count; n-- > 0;) {
            uint8_t *differs = &d->differs[d->slice.at[n]], before = *differs;
            for (uint32_t u = value_last_write(subject, d->slice.at[n]); u != NO_WRITE;
                 u = value_write_before(subject, u))
                *differs |= results_of(d, value_write_instr(subject, u));
            more |= *differs != before;
        }
    }
    return d->differs[web];
}

/* The register is computed from a value that each lane loads by its own number, which
 * d->differs must tell already. Each of the registers has one write: of several writes one may give
 * what shfl.sync takes from one lane. */
static bool is_loaded_by_number(const struct lane_data *d, uint32_t web, uint32_t depth)
{
    const struct lint *lint = d->lint;
    const struct function *f = lint->function;
    uint32_t write = value_last_write(lint->subject, web);
    if (!depth || write == NO_WRITE || !(d->differs[web] & DATA) ||
        value_write_before(lint->subject, write) != NO_WRITE)
        return false;
    uint32_t instr = value_write_instr(lint->subject, write);
    const struct instr *at = &f->instrs[instr];
    uint8_t how = 0;
    lint_spend(lint, 1);
    for (uint32_t u = at->first_use; u < at->first_use + at->use_count; u++) {
        if (f->uses[u].write) continue;
        how |= d->differs[f->uses[u].reg];
        if (kind_of(d, instr) != KIND_LOAD && is_loaded_by_number(d, f->uses[u].reg, depth - 1))
            return true;
    }
    return kind_of(d, instr) == KIND_LOAD && how == NUMBER;
}

/* ---- what only some lanes execute ---- */

/* Sets what is known of blocks before any branch is examined. */
static void find_lane_joins(struct lane_data *d)
{
    const struct cfg *cfg = d->lint->cfg;
    lint_spend(d->lint, cfg->count);
    d->joins = arena_room(d->lint->arena, cfg->count, sizeof *d->joins);
    d->between = arena_alloc(d->lint->arena, cfg->count, sizeof *d->between);
    d->regions = arena_alloc(d->lint->arena, cfg->count, sizeof *d->regions);
    dominators_find_joins(cfg, d->joins);
}

/* Returns whether control reaches nothing from block `to` before its join that a walk from block
 * `from` must see: the region of `to` is known, and `from` is not in it. If each were in the region
 * of the other, they would have one join, and `to` would be in its own region. */
static bool may_jump(const struct lane_data *d, uint32_t from, uint32_t to)
{
    return d->regions[to].known && (d->joins[to] != d->joins[from] || !d->regions[to].again);
}

/* Marks the blocks that control reaches from the end of `from` before the lanes join. jump: passes
 * over regions that are known. */
static struct region mark_between(struct lane_data *d, uint32_t from, bool jump)
{
    const struct cfg *cfg = d->lint->cfg;
    struct region region = {true, false, NO_INSTR};
    vec_push(&d->open, from);
    while (d->open.count) {
        uint32_t at = d->open.at[--d->open.count];
        const struct block *block = &cfg->blocks[at];
        bool over = jump && at != from && may_jump(d, from, at);
        const uint32_t *next = over ? &d->joins[at] : &cfg->succs[block->first_succ];
        lint_spend(d->lint, 1);
        if (over && d->regions[at].first < region.first) region.first = d->regions[at].first;
        for (uint32_t s = 0; s < (over ? 1 : block->succ_count); s++) {
            uint32_t to = next[s];
            if (to == d->joins[from] || to == cfg->count || d->between[to] == from + 1) continue;
            d->between[to] = from + 1;
            if (d->aligned[to] < region.first) region.first = d->aligned[to];
            vec_push(&d->open, to);
        }
    }
    region.again = d->between[from] == from + 1;
    return d->regions[from] = region;
}

bool lane_divergence_is_aligned(const struct lint *lint, uint32_t instr)
{
    if (instruction_has(lint->subject, instr, ".aligned")) return true;
    return str_is(instruction_base(lint->subject, instr), "bar") &&
           !instruction_has(lint->subject, instr, ".warp");
}

static bool compares_floats(const struct lint *lint, uint32_t web)
{
    for (uint32_t u = value_last_write(lint->subject, web); u != NO_WRITE;
         u = value_write_before(lint->subject, u)) {
        struct str o = instruction_opcode(lint->subject, value_write_instr(lint->subject, u));
        lint_spend(lint, 1);
        if (str_starts(o, "setp.") && memmem(o.p, o.n, ".f", 2)) return true;
    }
    return false;
}

/* The register is the result of a comparison of floating-point numbers, which are data of the lane
 * and not a role. Many branches may ask about one register. */
static bool is_of_float(struct lane_data *d, uint32_t web)
{
    uint8_t *floats = &d->floats[web];
    if (*floats == FLOATS_UNKNOWN) *floats = compares_floats(d->lint, web) ? FLOATS : NO_FLOATS;
    return *floats == FLOATS;
}

/* Threads that reach the branch do not execute the instruction, on either side. The conditions of
 * the branch itself include its guard. */
static bool is_of_other_threads(const struct lint *lint, uint32_t branch, uint32_t instr)
{
    uint32_t i = lint->cfg->blocks[lint->cfg->block_of[branch]].first;
    while (i < branch && lint->function->instrs[i].guard != REG_NONE) i++;
    return i < branch && condition_pairs_exclude(lint->subject, i, instr);
}

/* What check_branch asks about: tensor: a tcgen05 instruction alone. */
static bool lane_divergence_asks_for(const struct lint *lint, uint32_t branch, bool tensor,
                                     uint32_t i)
{
    if (tensor && !str_is(instruction_base(lint->subject, i), "tcgen05")) return false;
    return !is_of_other_threads(lint, branch, i);
}

/* Returns the first such .aligned instruction in the region of the branch; NO_INSTR if there is
 * none. first: the first one of all threads. */
static uint32_t first_asked_for(struct lane_data *d, uint32_t branch, bool tensor, uint32_t first)
{
    const struct lint *lint = d->lint;
    uint32_t from = lint->cfg->block_of[branch];
    if (first == NO_INSTR || lane_divergence_asks_for(lint, branch, tensor, first)) return first;
    mark_between(d, from, false);
    for (uint32_t n = 0; n < lint->subject->acting_count; n++) {
        uint32_t i = lint->subject->acting[n];
        if (d->between[lint->cfg->block_of[i]] == from + 1 && lane_divergence_is_aligned(lint, i) &&
            lane_divergence_asks_for(lint, branch, tensor, i))
            return i;
    }
    return NO_INSTR;
}

/* What the guard of a branch compares with a number that differs among the lanes. */
enum bound {
    NO_BOUND,    /* another one than these */
    BOUND_TILE,  /* a bound that the lanes have in common and that is not a constant; a loop changes
                    the number: the rows of a tile with their count */
    BOUND_COUNT, /* a count from memory or a parameter, which need not be a multiple of WARP; each
                    lane has its own row */
};

/* The value contains a number from memory, or a parameter of an entry. */
static bool is_given(const struct lint *lint, struct value v)
{
    const struct expr e = *value_expr(lint->subject, v);
    if (e.kind == EXPR_LOADED || e.kind == EXPR_PARAMETER) return true;
    if (e.kind == EXPR_NAME || e.kind == EXPR_REG || e.kind == EXPR_ALLOCATED) return false;
    for (int i = 0; i < 3; i++)
        if (e.a[i].base && is_given(lint, e.a[i])) return true;
    return false;
}

static enum bound bound_of(const struct lint *lint, uint32_t branch)
{
    struct value guard = value_of_guard(lint->subject, branch);
    if (value_is_none(guard)) return NO_BOUND;
    const struct expr *e = value_expr(lint->subject, guard);
    if (e->kind != EXPR_LT_S && e->kind != EXPR_LT_U) return NO_BOUND;
    const struct expr *a = value_expr(lint->subject, e->a[0]);
    const struct expr *b = value_expr(lint->subject, e->a[1]);
    const struct expr *row = a->spread == SPREAD_SAME ? b : a, *bound = row == a ? b : a;
    if (!e->a[0].base || !e->a[1].base || row->spread == SPREAD_SAME ||
        bound->spread != SPREAD_SAME)
        return NO_BOUND;
    if (!row->fixed) return BOUND_TILE;
    struct value part = value_without_multiples(lint->subject, e->a[row == a], WARP);
    return is_given(lint, part) ? BOUND_COUNT : NO_BOUND;
}

/* False if the region of the branch at the end of the block is small, and it has no .aligned
 * instruction or, unless the branch is on floating-point numbers or compares a row, not the
 * branch itself: then the branch is not reported, and which registers differ need not be known. */
static bool may_be_reported(const struct lane_data *d, uint32_t from, bool of_float)
{
    enum { BLOCKS_MAX = 16 };
    const struct cfg *cfg = d->lint->cfg;
    uint32_t blocks[BLOCKS_MAX] = {from}, count = 1;
    bool aligned = false, again = false;
    for (uint32_t n = 0; n < count; n++) {
        const struct block *block = &cfg->blocks[blocks[n]];
        for (uint32_t s = 0; s < block->succ_count; s++) {
            uint32_t to = cfg->succs[block->first_succ + s], known = 0;
            if (to == d->joins[from] || to == cfg->count) continue;
            aligned |= d->aligned[to] != NO_INSTR;
            again |= to == from;
            while (known < count && blocks[known] != to) known++;
            if (known < count) continue;
            if (count == BLOCKS_MAX) return true;
            blocks[count++] = to;
        }
    }
    lint_spend(d->lint, count);
    return aligned &&
           (of_float || again || bound_of(d->lint, cfg->blocks[from].end - 1) != NO_BOUND);
}

static void check_branch(struct lane_data *d, const struct lint_code *code, uint32_t branch)
{
    enum { STEPS_MAX = 8 };
    struct lint *lint = d->lint;
    uint32_t b = lint->cfg->block_of[branch];
    reg_id guard = lint->function->instrs[branch].guard;
    if (guard == REG_NONE || !conditions_reach(lint->subject, b)) return;
    bool of_float = is_of_float(d, guard);
    if (!may_be_reported(d, b, of_float)) return;
    uint8_t how = differs_how(d, guard);
    bool asks = how == NUMBER || of_float || is_loaded_by_number(d, guard, STEPS_MAX);
    if (!how || !asks) return;
    struct region region = mark_between(d, b, true);
    /* The number of the thread and integers from memory mostly select a role. In a loop around a
     * tcgen05 instruction they decide how many rounds the lane takes. A count that they are
     * compared with is of rows, not of warps. */
    enum bound bound = how == NUMBER ? bound_of(lint, branch) : NO_BOUND;
    bool tensor = how == NUMBER ? bound != BOUND_TILE : !of_float;
    if (tensor && !region.again && bound != BOUND_COUNT) return;
    uint32_t at = first_asked_for(d, branch, tensor, region.first);
    if (at == NO_INSTR || lint_has_reported(lint, code, at)) return;
    lint_report(lint, (struct hazard){code, LINT_WARNING, at, branch,
                                      "only some lanes of the warp may reach this: they branch "
                                      "at %s[ on values of their own]",
                                      "branch on a value that is the same in the whole warp, "
                                      "such as the result of vote.sync or redux.sync",
                                      NULL, 0, NULL});
}

/* Returns whether there is one. */
static bool find_aligned(struct lane_data *d)
{
    const struct lint *lint = d->lint;
    bool any = false;
    d->aligned = arena_room(lint->arena, lint->cfg->count, sizeof *d->aligned);
    memset(d->aligned, 0xff, lint->cfg->count * sizeof *d->aligned);
    for (uint32_t n = lint->subject->acting_count; n-- > 0;) {
        uint32_t i = lint->subject->acting[n];
        if (!lane_divergence_is_aligned(lint, i)) continue;
        d->aligned[lint->cfg->block_of[i]] = i;
        any = true;
    }
    return any;
}

void lane_divergence_report(struct lint *lint, const struct lint_code *code)
{
    struct lane_data d = {.lint = lint};
    const struct function *f = lint->function;
    if (!find_aligned(&d)) return;
    d.differs = arena_alloc(lint->arena, f->reg_count, sizeof *d.differs);
    d.kinds = arena_alloc(lint->arena, lint->function->spelling_count, sizeof *d.kinds);
    find_lane_joins(&d);
    d.floats = arena_alloc(lint->arena, f->reg_count, sizeof *d.floats);
    d.met = arena_alloc(lint->arena, f->reg_count, sizeof *d.met);
    /* Inner branches mostly come later in the text. */
    for (uint32_t b = lint->cfg->count; b-- > 0;) {
        const struct block *block = &lint->cfg->blocks[b];
        if (block->succ_count == 2 && block->end > block->first)
            check_branch(&d, code, block->end - 1);
    }
    vec_free(&d.slice);
    vec_free(&d.open);
}
