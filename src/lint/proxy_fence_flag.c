/* Follows a wait for a flag to the bulk copies of what was written before the flag was set.
 *
 *     st.global [data], r; st.release.gpu [flag], 1                            (one CTA)
 *     ld.acquire.gpu r, [flag]; cp.async.bulk.shared::cta.global … [data]      broken (another CTA)
 *     ld.acquire.gpu r, [flag]; fence.proxy.async.global; cp.async.bulk …      right
 */
#include "lint/proxy_fence_flag.h"

#include "lint/global_flags.h"
#include "lint/handover.h"
#include "lint/proxy_kinds.h"
#include "lint/walk.h"

/* Mostly there is no flag, or no copy of plain global memory, or there is a fence. */
static bool may_lack_fence(const struct lint *lint)
{
    bool waits = false, copies = false;
    lint_spend(lint, lint->subject->acting_count);
    for (uint32_t n = 0; n < lint->subject->acting_count; n++) {
        uint32_t i = lint->subject->acting[n];
        const struct handover *h = handover_at(lint, i);
        if (proxy_fence_is_global(lint, i)) return false;
        waits |= h && h->channel == CHANNEL_FLAG && h->waits;
        copies |= proxy_fence_copies_global(lint, i);
    }
    return waits && copies;
}

/* The walks from the waits for one flag. */
struct behind_flag {
    const struct global_flags *flags;
    bool handed[GLOBAL_ROOTS_MAX]; /* by root: it is stored to before the flag is set */
};

static enum walk_does look_for_global_copy(void *context, const struct lint *lint, uint32_t instr,
                                           unsigned *state)
{
    const struct behind_flag *behind = context;
    (void)state;
    if (lint_effect(lint, instr) == EFFECT_CALL) return WALK_END;
    if (!proxy_fence_copies_global(lint, instr)) return WALK_ON;
    uint32_t at = global_flags_at(behind->flags, instr);
    uint32_t root = at < behind->flags->all.count ? behind->flags->root_of[at] : NO_ROOT;
    return root != NO_ROOT && behind->handed[root] ? WALK_FOUND : WALK_ON;
}

/* The first store to what the copy reads. */
static uint32_t store_for(const struct global_flags *f, uint32_t copy)
{
    uint32_t root = f->root_of[global_flags_at(f, copy)], i = 0;
    while (f->root_of[i] != root || !(f->roles[i] & GLOBAL_STORES)) i++;
    return f->all.at[i].instr;
}

static void check_flag(const struct global_flags *f, const struct lint_code *code, uint32_t flag)
{
    struct lint *lint = f->lint;
    struct behind_flag behind = {f, {false}};
    struct walk_question question = {1 << EFFECT_RELEASE_MEMORY | 1 << EFFECT_CALL,
                                     look_for_global_copy, &behind, NULL};
    bool any = false;
    for (uint32_t r = 0; r < f->roots; r++)
        any |= behind.handed[r] = global_flags_follow(f, r, GLOBAL_STORES, flag, GLOBAL_SIGNALS) &&
                                  global_flags_follow(f, flag, GLOBAL_WAITS, r, GLOBAL_READS);
    for (uint32_t i = 0; any && i < f->all.count; i++) {
        struct walk_path path;
        if (f->root_of[i] != flag || !(f->roles[i] & GLOBAL_WAITS)) continue;
        if (!walk_question_find(lint, &question, f->all.at[i].instr, 0, &path) || path.vague)
            continue;
        lint_report(lint, (struct hazard){.code = code,
                                          .level = LINT_WARNING,
                                          .at = path.found,
                                          .witness = store_for(f, path.found),
                                          .says = "no proxy fence is between the write at %s[ "
                                                  "through the generic proxy] and this read[ of "
                                                  "the same global memory through the asynchronous "
                                                  "proxy, behind the wait for a flag]",
                                          .fix = "put fence.proxy.async.global between the wait "
                                                 "for the flag that is set after %s and this copy",
                                          .path = path.instrs,
                                          .path_count = path.count});
    }
    walk_question_end(lint, &question);
}

void proxy_fence_flag_find(struct lint *lint, const struct lint_code *code)
{
    if (!may_lack_fence(lint)) return;
    struct global_flags f = global_flags_find(lint);
    for (uint32_t r = 0; r < f.roots; r++) check_flag(&f, code, r);
    global_flags_free(&f);
}
