/* Follows stores to global memory to the flag that one thread sets for them.
 *
 *     st.global [data], r; fence.acq_rel.gpu; @thread0 atom.add.acq_rel.gpu [counter], 1     broken
 *     st.global [data], r; fence.acq_rel.gpu; bar.sync 1, 128; @thread0 atom.add …           right
 */
#include "lint/released_flag.h"

#include "lint/global_flags.h"
#include "lint/handover.h"
#include "lint/walk.h"
#include "value/condition_pairs.h"
#include "value/lanes.h"

/* The walks from stores to flags of one root. */
struct before_flag {
    const struct global_flags *flags;
    uint32_t flag;
};

/* One lane of one warp sets the flag, as far as is known. */
static bool is_of_one_thread(const struct lint *lint, uint32_t instr)
{
    uint32_t warps = lanes_warps_at(lint->subject, &lint->handovers->shape, instr);
    return warps && !(warps & (warps - 1)) && condition_pairs_one_lane(lint->subject, instr);
}

/* The warp that sets the flag stores, and so do others. */
static bool is_of_more_warps(const struct lint *lint, uint32_t store, uint32_t flag)
{
    const struct lanes_shape *shape = &lint->handovers->shape;
    uint32_t sets = lanes_warps_at(lint->subject, shape, flag);
    bool sure;
    uint32_t stores =
        lanes_warps(lint->subject, shape, condition_pairs_set(lint->subject, store), &sure);
    return sure && stores & sets && stores & ~sets;
}

/* Any synchronisation with other warps may order the stores of these. */
static enum walk_does look_for_counter(void *context, const struct lint *lint, uint32_t instr,
                                       unsigned *state)
{
    const struct before_flag *before = context;
    const struct handover *h = handover_at(lint, instr);
    (void)state;
    if (lint_effect(lint, instr) == EFFECT_CALL) return WALK_END;
    if (!h || h->channel == CHANNEL_WARP) return WALK_ON;
    if (h->channel != CHANNEL_FLAG) return WALK_END;
    uint32_t at = global_flags_at(before->flags, instr);
    bool sets = at < before->flags->all.count && before->flags->root_of[at] == before->flag &&
                before->flags->roles[at] & GLOBAL_SIGNALS;
    return sets && is_of_one_thread(lint, instr) ? WALK_FOUND : WALK_ON;
}

/* Stores of one block to the same root meet the same flags: the last one is followed. */
static bool is_last_of_block(const struct global_flags *f, uint32_t i)
{
    const uint32_t *block_of = f->lint->cfg->block_of;
    for (uint32_t k = i + 1; k < f->all.count && f->roles[k] == GLOBAL_STORES; k++)
        if (f->root_of[k] == f->root_of[i])
            return block_of[f->all.at[k].instr] != block_of[f->all.at[i].instr];
    return true;
}

static void follow_stores(const struct global_flags *f, const struct lint_code *code, uint32_t flag,
                          const bool *read)
{
    struct lint *lint = f->lint;
    struct before_flag before = {f, flag};
    struct walk_question question = {WALK_HANDOVERS, look_for_counter, &before, NULL};
    for (uint32_t i = f->all.count; i-- > 0;) {
        struct walk_path path;
        uint32_t store = f->all.at[i].instr;
        if (f->root_of[i] == NO_ROOT || !read[f->root_of[i]]) continue;
        if (!(f->roles[i] & GLOBAL_STORES) || !is_last_of_block(f, i)) continue;
        if (!walk_question_find(lint, &question, store, 0, &path) || path.vague) continue;
        if (!is_of_more_warps(lint, store, path.found)) continue;
        lint_report(lint,
                    (struct hazard){code, LINT_WARNING, path.found, store,
                                    "one thread sets this flag for all threads that store at %s[: "
                                    "no barrier is in between, so other warps may not have stored "
                                    "yet]",
                                    "write a barrier of all warps that execute %s in front of "
                                    "this, and behind their stores",
                                    path.instrs, path.count, NULL});
    }
    walk_question_end(lint, &question);
}

void released_flag_find(struct lint *lint, const struct lint_code *code)
{
    const struct handovers *all = lint->handovers;
    bool any = false;
    lint_spend(lint, all->count);
    for (uint32_t i = 0; i < all->count && !any; i++)
        any = all->at[i].channel == CHANNEL_FLAG && all->at[i].signals &&
              is_of_one_thread(lint, all->at[i].instr);
    if (!any) return;
    struct global_flags f = global_flags_find(lint);
    for (uint32_t flag = 0; flag < f.roots; flag++) {
        bool read[GLOBAL_ROOTS_MAX] = {false}, some = false;
        for (uint32_t r = 0; r < f.roots; r++)
            some |= read[r] = r != flag &&
                              global_flags_follow(&f, flag, GLOBAL_WAITS, r, GLOBAL_READS) &&
                              global_flags_follow(&f, r, GLOBAL_STORES, flag, GLOBAL_SIGNALS);
        if (some) follow_stores(&f, code, flag, read);
    }
    global_flags_free(&f);
}
