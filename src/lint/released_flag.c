/* Follows stores to global memory to the flag that one thread sets for them.
 *
 *     st.global [data], r; fence.acq_rel.gpu; @thread0 atom.add.acq_rel.gpu [counter], 1     broken
 *     st.global [data], r; fence.acq_rel.gpu; bar.sync 1, 128; @thread0 atom.add …           right
 *
 * The memory of the store and of the load, and that of the flag, is compared by the kernel
 * parameter that leads to it. */
#include "lint/released_flag.h"

#include "lint/global_root.h"
#include "lint/handover.h"
#include "lint/walk.h"
#include "value/condition_pairs.h"
#include "value/instruction.h"
#include "value/lanes.h"

struct released {
    struct lint *lint;
    struct global_accesses all;
    uint32_t flag; /* the instruction that sets it */
};

static bool is_flag_of(const struct lint *lint, uint32_t instr, bool signals)
{
    const struct handover *h = handover_at(lint, instr);
    return h && h->channel == CHANNEL_FLAG && (signals ? h->signals : h->waits);
}

/* One lane of one warp sets the flag, as far as is known. */
static bool is_of_one_thread(const struct lint *lint, uint32_t instr)
{
    uint32_t warps = lanes_warps_at(lint->subject, &lint->handovers->shape, instr);
    return warps && !(warps & (warps - 1)) && condition_pairs_one_lane(lint->subject, instr);
}

/* Other warps than the one that sets the flag execute the store, too. */
static bool is_of_more_warps(const struct released *r, uint32_t store)
{
    const struct subject *subject = r->lint->subject;
    const struct lanes_shape *shape = &r->lint->handovers->shape;
    uint32_t flag = lanes_warps_at(subject, shape, r->flag);
    bool sure;
    uint32_t stores = lanes_warps(subject, shape, condition_pairs_set(subject, store), &sure);
    return sure && stores & flag && stores & ~flag;
}

/* A thread that waits for the flag then reads that memory. */
static bool is_read_behind(const struct released *r, const struct global_root *flag,
                           const struct global_root *stored)
{
    for (uint32_t w = 0; w < r->all.count; w++) {
        const struct global_access *wait = &r->all.at[w];
        if (!is_flag_of(r->lint, wait->instr, false) || !global_roots_same(&wait->root, flag))
            continue;
        lint_spend(r->lint, r->all.count);
        for (uint32_t i = 0; i < r->all.count; i++) {
            const struct global_access *load = &r->all.at[i];
            bool reads = load->kind == GLOBAL_LOAD || load->kind == GLOBAL_COPY;
            if (reads && load != wait && global_roots_same(&load->root, stored) &&
                handover_reaches(r->lint, wait->instr, load->instr))
                return true;
        }
    }
    return false;
}

/* Any synchronisation with other warps may order the stores of these. */
static enum walk_does look_for_flag(void *context, const struct lint *lint, uint32_t instr,
                                    unsigned *state)
{
    const struct released *r = context;
    const struct handover *h = handover_at(lint, instr);
    (void)state;
    if (instr == r->flag) return WALK_FOUND;
    if (lint_effect(lint, instr) == EFFECT_CALL) return WALK_END;
    return h && h->channel != CHANNEL_WARP && h->channel != CHANNEL_FLAG ? WALK_END : WALK_ON;
}

static void check_flag(struct released *r, const struct lint_code *code,
                       const struct global_access *flag)
{
    struct lint *lint = r->lint;
    struct walk_path path;
    r->flag = flag->instr;
    for (uint32_t i = r->all.count; i-- > 0;) {
        const struct global_access *store = &r->all.at[i];
        bool stores = store->kind == GLOBAL_WRITE && store->root.known &&
                      str_is(instruction_base(lint->subject, store->instr), "st") &&
                      !is_flag_of(lint, store->instr, true);
        lint_spend(lint, 1);
        if (!stores || global_roots_same(&store->root, &flag->root)) continue;
        if (!is_of_more_warps(r, store->instr) || !is_read_behind(r, &flag->root, &store->root))
            continue;
        if (!walk_find(lint, store->instr, 0, WALK_HANDOVERS, look_for_flag, r, &path) ||
            path.vague)
            continue;
        lint_report(lint,
                    (struct hazard){code, LINT_WARNING, flag->instr, store->instr,
                                    "one thread sets this flag for all threads that store at %s[: "
                                    "no barrier is in between, so other warps may not have stored "
                                    "yet]",
                                    "write a barrier of all warps that execute %s in front of "
                                    "this, and behind their stores",
                                    path.instrs, path.count, NULL});
        return;
    }
}

void released_flag_find(struct lint *lint, const struct lint_code *code)
{
    const struct handovers *all = lint->handovers;
    struct released r = {.lint = lint};
    bool any = false;
    lint_spend(lint, all->count);
    for (uint32_t i = 0; i < all->count && !any; i++)
        any = all->at[i].channel == CHANNEL_FLAG && all->at[i].signals &&
              is_of_one_thread(lint, all->at[i].instr);
    if (!any) return;
    r.all = global_accesses_find(lint);
    for (uint32_t i = 0; i < r.all.count; i++)
        if (r.all.at[i].root.known && is_flag_of(lint, r.all.at[i].instr, true) &&
            is_of_one_thread(lint, r.all.at[i].instr))
            check_flag(&r, code, &r.all.at[i]);
    vec_free(&r.all);
}
