/* Follows a bulk copy to another CTA to writes to its source.
 *
 *     cp.async.bulk.shared::cluster.shared::cta [peer], [s], n, [its mbarrier]; st.shared [s]
 * broken …; wait for a signal of the peer, which has waited for the data; st.shared [s] right
 *
 * Only the mbarrier of the other CTA shows that the copy is complete. So a barrier of the own CTA
 * orders nothing, and any other wait ends the search. */
#include "lint/bulk_peer_source.h"

#include "lint/peer.h"
#include "value/instruction.h"

struct search {
    struct lint *lint;
    const struct lint_code *code;
    struct smem_places places;
    const struct smem_place *source;
};

static bool writes_source(const struct search *s, uint32_t instr)
{
    uint32_t count;
    const struct smem_place *access = smem_places_of(&s->places, instr, &count);
    for (uint32_t i = 0; i < count; i++) {
        const struct smem_place *write = &access[i];
        bool same = write->writes && !write->moves && smem_places_meet(write, s->source);
        if (same && (!write->lanes || write->lowest == s->source->lowest)) return true;
    }
    return false;
}

static enum walk_does look_for_source(void *context, const struct lint *lint, uint32_t instr,
                                      unsigned *state)
{
    const struct search *s = context;
    const struct handover *h = handover_at(lint, instr);
    (void)state;
    if (lint_effect(lint, instr) == EFFECT_CALL) return WALK_END;
    if (h && h->waits && h->channel != CHANNEL_CTA && h->channel != CHANNEL_WARP) return WALK_END;
    return writes_source(s, instr) ? WALK_FOUND : WALK_ON;
}

static void check_peer_copy(struct search *s)
{
    const uint32_t interest = WALK_HANDOVERS | WALK_SHARED_MEMORY | 1u << EFFECT_MEET_MEMORY;
    struct walk_path path;
    if (!peer_walk(s->lint, s->source->instr, interest, look_for_source, s, &path) || path.vague)
        return;
    lint_report(s->lint,
                (struct hazard){s->code, LINT_WARNING, path.found, s->source->instr,
                                "this writes shared memory that the copy at %s may still read[: "
                                "only the mbarrier in the other CTA shows that it is complete]",
                                "wait for a signal of the CTA that receives the data of %s before "
                                "this write",
                                path.instrs, path.count, NULL});
}

void bulk_peer_source_find(struct lint *lint, const struct lint_code *code)
{
    struct search s = {.lint = lint, .code = code};
    if (!lint->subject->maps) return;
    for (uint32_t n = 0; n < lint->subject->acting_count; n++) {
        uint32_t i = lint->subject->acting[n], count;
        struct str opcode = instruction_opcode(lint->subject, i);
        if (!str_starts(opcode, "cp.async.bulk.shared::cluster.shared::cta")) continue;
        if (!conditions_reach(lint->subject, lint->cfg->block_of[i])) continue;
        s.places = smem_places_find(lint);
        s.source = smem_places_of(&s.places, i, &count);
        while (count && s.source->writes) s.source++, count--;
        if (count && !s.source->moves) check_peer_copy(&s);
    }
}
