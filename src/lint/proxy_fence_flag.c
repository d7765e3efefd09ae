/* Follows a wait for a flag to the bulk copies of what was written before the flag was set.
 *
 *     st.global [data], r; st.release.gpu [flag], 1                              one CTA
 *     ld.acquire.gpu r, [flag]; …; cp.async.bulk.shared::cta.global … [data]     broken: another
 * CTA ld.acquire.gpu r, [flag]; …; fence.proxy.async.global; cp.async.bulk …     right
 *
 * The memory of the store and of the copy, and that of the flag, is compared by the kernel
 * parameter that leads to it. */
#include "lint/proxy_fence_flag.h"

#include "lint/global_root.h"
#include "lint/handover.h"
#include "lint/proxy_fence_global.h"
#include "lint/walk.h"
#include "value/instruction.h"

struct flags {
    struct lint *lint;
    struct global_accesses all;
};

static bool is_flag(const struct handover *h)
{
    return h && h->channel == CHANNEL_FLAG;
}

/* Mostly there is no flag, or no copy of plain global memory, or there is a fence. */
static bool may_lack_fence(const struct lint *lint)
{
    bool waits = false, copies = false;
    for (uint32_t n = 0; n < lint->subject->acting_count; n++) {
        uint32_t i = lint->subject->acting[n];
        const struct handover *h = handover_at(lint, i);
        if (proxy_fence_is_global(lint, i)) return false;
        waits |= is_flag(h) && h->waits;
        copies |= proxy_fence_copies_global(lint, i);
    }
    return waits && copies;
}

static const struct global_access *access_at(const struct flags *f, uint32_t instr)
{
    for (uint32_t i = 0; i < f->all.count; i++)
        if (f->all.at[i].instr == instr) return &f->all.at[i];
    return NULL;
}

/* A thread may store to that memory, and then set the flag of the wait. */
static bool is_handed_over(const struct flags *f, const struct global_access *store,
                           const struct global_access *wait)
{
    for (uint32_t i = 0; i < f->all.count; i++) {
        const struct global_access *signal = &f->all.at[i];
        const struct handover *h = handover_at(f->lint, signal->instr);
        lint_spend(f->lint, 1);
        if (is_flag(h) && h->signals && global_roots_same(&signal->root, &wait->root) &&
            handover_reaches(f->lint, store->instr, signal->instr))
            return true;
    }
    return false;
}

/* The store whose data the copy behind the wait may read; NO_INSTR: none. */
static uint32_t store_for(const struct flags *f, uint32_t copy, const struct global_access *wait)
{
    const struct global_access *from = access_at(f, copy);
    for (uint32_t i = 0; from && i < f->all.count; i++) {
        const struct global_access *store = &f->all.at[i];
        lint_spend(f->lint, 1);
        if (store->kind == GLOBAL_WRITE && global_roots_same(&store->root, &from->root) &&
            str_is(instruction_base(f->lint->subject, store->instr), "st") &&
            !is_flag(handover_at(f->lint, store->instr)) && is_handed_over(f, store, wait))
            return store->instr;
    }
    return NO_INSTR;
}

/* The walk from a wait. */
struct behind_flag {
    struct flags *flags;
    const struct global_access *wait;
};

static enum walk_does look_for_copy(void *context, const struct lint *lint, uint32_t instr,
                                    unsigned *state)
{
    struct behind_flag *behind = context;
    (void)state;
    if (lint_effect(lint, instr) == EFFECT_CALL) return WALK_END;
    if (!proxy_fence_copies_global(lint, instr)) return WALK_ON;
    return store_for(behind->flags, instr, behind->wait) == NO_INSTR ? WALK_ON : WALK_FOUND;
}

static void check_wait(struct flags *f, const struct lint_code *code,
                       const struct global_access *wait)
{
    const uint32_t interest = 1 << EFFECT_RELEASE_MEMORY | 1 << EFFECT_CALL;
    struct behind_flag behind = {f, wait};
    struct walk_path path;
    if (!walk_find(f->lint, wait->instr, 0, interest, look_for_copy, &behind, &path) || path.vague)
        return;
    lint_report(f->lint,
                (struct hazard){.code = code,
                                .level = LINT_WARNING,
                                .at = path.found,
                                .witness = store_for(f, path.found, wait),
                                .says = "no proxy fence is between the write at %s[ through the "
                                        "generic proxy] and this read[ of the same global memory "
                                        "through the asynchronous proxy, behind the wait for a "
                                        "flag]",
                                .fix = "put fence.proxy.async.global between the wait for the flag "
                                       "that is set after %s and this copy",
                                .path = path.instrs,
                                .path_count = path.count});
}

void proxy_fence_flag_find(struct lint *lint, const struct lint_code *code)
{
    struct flags f = {.lint = lint};
    lint_spend(lint, lint->subject->acting_count);
    if (!may_lack_fence(lint)) return;
    f.all = global_accesses_find(lint);
    for (uint32_t i = 0; i < f.all.count; i++) {
        const struct handover *h = handover_at(lint, f.all.at[i].instr);
        if (is_flag(h) && h->waits) check_wait(&f, code, &f.all.at[i]);
    }
    vec_free(&f.all);
}
