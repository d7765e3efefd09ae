/* Lists the reads of a function by register. */
#include "lint/readers.h"

static const struct use *reads_end(const struct function *f, uint32_t instr)
{
    return &f->uses[f->instrs[instr].first_use] + f->instrs[instr].use_count;
}

struct readers *readers_new(const struct lint *lint)
{
    return arena_alloc(lint->arena, 1, sizeof(struct readers));
}

static void list_reads(const struct lint *lint)
{
    const struct function *f = lint->function;
    const struct use *end = f->uses + f->use_count;
    uint32_t *first = arena_alloc(lint->arena, f->reg_count + 2, sizeof *first), *instrs;
    uint32_t total = 0, regs = f->reg_count, count = f->count;
    for (const struct use *use = f->uses; use < end; use++)
        if (!use->write) first[use->reg + 2]++, total++;
    for (uint32_t r = 0; r < regs; r++) first[r + 2] += first[r + 1];
    instrs = arena_room(lint->arena, total, sizeof *instrs);
    for (uint32_t i = 0; i < count; i++) {
        end = reads_end(f, i);
        for (const struct use *use = &f->uses[f->instrs[i].first_use]; use < end; use++)
            if (!use->write) instrs[first[use->reg + 1]++] = i;
    }
    *lint->readers = (struct readers){first, instrs};
}

const struct readers *readers_of(const struct lint *lint)
{
    if (!lint->readers->first) list_reads(lint);
    return lint->readers;
}

static bool is_result(const struct function *f, uint32_t instr, uint32_t reg)
{
    const struct use *use = &f->uses[f->instrs[instr].first_use];
    while (use < reads_end(f, instr) && !(use->write && use->reg == reg)) use++;
    return use < reads_end(f, instr);
}

/* One of the next uses after the instruction reads a result, as in most code. */
static bool is_read_soon(const struct function *f, uint32_t instr)
{
    enum { NEXT = 256 };
    const struct use *use = &f->uses[f->instrs[instr].first_use], *first = reads_end(f, instr);
    uint32_t left = (uint32_t)(f->uses + f->use_count - first), low = UINT32_MAX, high = 0;
    for (; use < first; use++) {
        if (use->write && use->reg < low) low = use->reg;
        if (use->write && use->reg > high) high = use->reg;
    }
    for (use = first; use < first + (left < NEXT ? left : NEXT); use++)
        if (use->reg >= low && use->reg <= high && !use->write && is_result(f, instr, use->reg))
            return true;
    return false;
}

static bool is_read_anywhere(const struct lint *lint, uint32_t reg)
{
    const struct readers *all = readers_of(lint);
    return all->first[reg] < all->first[reg + 1];
}

bool readers_have_result(const struct lint *lint, uint32_t instr)
{
    const struct function *f = lint->function;
    if (is_read_soon(f, instr)) return true;
    for (const struct use *use = &f->uses[f->instrs[instr].first_use]; use < reads_end(f, instr);
         use++)
        if (use->write && is_read_anywhere(lint, use->reg)) return true;
    return false;
}
