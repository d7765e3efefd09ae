/* Lists the reads of a function by register. */
#include "lint/readers.h"

static const struct use *reads_end(const struct function *f, uint32_t instr)
{
    return &f->uses[f->instrs[instr].first_use] + f->instrs[instr].use_count;
}

const struct readers *readers_build(const struct lint *lint)
{
    const struct function *f = lint->function;
    uint32_t total = 0;
    struct readers *all = arena_alloc(lint->arena, 1, sizeof *all);
    all->first = arena_alloc(lint->arena, f->reg_count + 2, sizeof *all->first);
    for (uint32_t u = 0; u < f->use_count; u++)
        if (!f->uses[u].write) all->first[f->uses[u].reg + 2]++, total++;
    for (uint32_t r = 0; r < f->reg_count; r++) all->first[r + 2] += all->first[r + 1];
    all->instrs = arena_room(lint->arena, total, sizeof *all->instrs);
    for (uint32_t i = 0; i < f->count; i++)
        for (const struct use *use = &f->uses[f->instrs[i].first_use]; use < reads_end(f, i); use++)
            if (!use->write) all->instrs[all->first[use->reg + 1]++] = i;
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
