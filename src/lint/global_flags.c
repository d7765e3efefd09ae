/* Numbers the roots of accesses to global memory, and finds their roles. See global_flags.h. */
#include "lint/global_flags.h"

#include "lint/handover.h"
#include "value/instruction.h"

static uint8_t role_of(const struct lint *lint, const struct global_access *access)
{
    const struct handover *h = handover_at(lint, access->instr);
    bool flag = h && h->channel == CHANNEL_FLAG;
    if (flag) return (uint8_t)((h->signals ? GLOBAL_SIGNALS : 0) | (h->waits ? GLOBAL_WAITS : 0));
    if (access->kind == GLOBAL_LOAD || access->kind == GLOBAL_COPY) return GLOBAL_READS;
    bool stores = access->kind == GLOBAL_WRITE &&
                  str_is(instruction_base(lint->subject, access->instr), "st");
    return stores ? GLOBAL_STORES : 0;
}

static uint32_t number_of_root(struct global_root *roots, uint32_t *count,
                               const struct global_root *root)
{
    uint32_t r = 0;
    if (!root->known) return NO_ROOT;
    while (r < *count && !global_roots_same(&roots[r], root)) r++;
    if (r < *count) return r;
    if (*count == GLOBAL_ROOTS_MAX) return NO_ROOT;
    roots[(*count)++] = *root;
    return r;
}

struct global_flags global_flags_find(struct lint *lint)
{
    struct global_flags f = {.lint = lint, .all = global_accesses_find(lint)};
    struct global_root roots[GLOBAL_ROOTS_MAX];
    f.roles = arena_alloc(lint->arena, f.all.count, sizeof *f.roles);
    f.root_of = arena_room(lint->arena, f.all.count, sizeof *f.root_of);
    lint_spend(lint, f.all.count);
    for (uint32_t i = 0; i < f.all.count; i++) {
        f.roles[i] = role_of(lint, &f.all.at[i]);
        f.root_of[i] = number_of_root(roots, &f.roots, &f.all.at[i].root);
        if (f.root_of[i] != NO_ROOT) f.roles_at[f.root_of[i]] |= f.roles[i];
    }
    return f;
}

void global_flags_free(struct global_flags *f)
{
    vec_free(&f->all);
}

uint32_t global_flags_at(const struct global_flags *f, uint32_t instr)
{
    uint32_t low = 0, high = f->all.count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (f->all.at[middle].instr < instr)
            low = middle + 1;
        else
            high = middle;
    }
    return low < f->all.count && f->all.at[low].instr == instr ? low : f->all.count;
}

static bool is_such(const struct global_flags *f, uint32_t i, uint32_t root, enum global_role role)
{
    return f->root_of[i] == root && f->roles[i] & role;
}

/* Of the accesses in one block, the first one leads to all that the others lead to, and to the last
 * one leads all that leads to the others. */
bool global_flags_follow(const struct global_flags *f, uint32_t from, enum global_role first,
                         uint32_t to, enum global_role then)
{
    enum { TRIES_MAX = 256 };
    const uint32_t *block_of = f->lint->cfg->block_of;
    uint32_t tries = 0, before = UINT32_MAX;
    if (!(f->roles_at[from] & first) || !(f->roles_at[to] & then)) return false;
    for (uint32_t i = 0; i < f->all.count; i++) {
        if (!is_such(f, i, from, first) || block_of[f->all.at[i].instr] == before) continue;
        before = block_of[f->all.at[i].instr];
        uint32_t behind = UINT32_MAX;
        lint_spend(f->lint, f->all.count / 8 + 1);
        for (uint32_t k = f->all.count; k-- > 0;) {
            if (!is_such(f, k, to, then) || block_of[f->all.at[k].instr] == behind) continue;
            behind = block_of[f->all.at[k].instr];
            if (tries++ == TRIES_MAX) return false;
            if (k != i && handover_reaches(f->lint, f->all.at[i].instr, f->all.at[k].instr))
                return true;
        }
    }
    return false;
}
