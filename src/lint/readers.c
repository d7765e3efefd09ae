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

/* One of the next uses after the instruction reads the register, as in most code. */
static bool is_read_soon(const struct function *f, uint32_t instr, uint32_t reg)
{
    enum { NEXT = 16 };
    uint32_t left = (uint32_t)(f->uses + f->use_count - reads_end(f, instr));
    const struct use *use = reads_end(f, instr), *end = use + (left < NEXT ? left : NEXT);
    for (; use < end; use++)
        if (use->reg == reg && !use->write) return true;
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
    for (const struct use *use = &f->uses[f->instrs[instr].first_use]; use < reads_end(f, instr);
         use++)
        if (use->write && (is_read_soon(f, instr, use->reg) || is_read_anywhere(lint, use->reg)))
            return true;
    return false;
}
