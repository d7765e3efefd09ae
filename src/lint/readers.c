/* Lists the reads of a function by register. */
#include "lint/readers.h"

static const struct use *reads_end(const struct function *f, uint32_t instr)
{
    return &f->uses[f->instrs[instr].first_use] + f->instrs[instr].use_count;
}

const struct readers *readers_build(const struct lint *lint)
{
    const struct function *f = lint->function;
    const struct use *end = f->uses + f->use_count;
    struct readers *all = arena_alloc(lint->arena, 1, sizeof *all);
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
    *all = (struct readers){first, instrs};
    return all;
}

bool readers_have_result(const struct lint *lint, uint32_t instr)
{
    const struct function *f = lint->function;
    const struct readers *all = lint->readers;
    for (const struct use *use = &f->uses[f->instrs[instr].first_use]; use < reads_end(f, instr);
         use++)
        if (use->write && all->first[use->reg] < all->first[use->reg + 1]) return true;
    return false;
}
