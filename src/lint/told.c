/* Compares signals and waits of different threads. See told.h. */
#include "lint/told.h"

#include "value/condition_pairs.h"

static bool meets_for_sure(const struct lint *lint, const struct handover *signal,
                           const struct handover *wait)
{
    if (signal->channel == CHANNEL_MBARRIER) return handover_meets(lint, signal, wait);
    return wait->channel == CHANNEL_CTA && wait->waits && signal->instr != wait->instr &&
           value_same(signal->address, wait->address) && !signal->address.base;
}

static bool is_another_thread(const struct lint *lint, uint32_t signal, uint32_t wait)
{
    return condition_pairs_exclude(lint->subject, signal, wait) ||
           handover_other_thread(lint, signal, wait);
}

bool told_for_sure(const struct lint *lint, const struct handover *signal,
                   const struct handover *wait)
{
    return meets_for_sure(lint, signal, wait) &&
           is_another_thread(lint, signal->instr, wait->instr);
}

bool told_to_some(const struct lint *lint, uint32_t signal)
{
    const struct handovers *all = lint->handovers;
    const struct handover *h = &all->at[signal];
    if (!h->signals || (h->channel != CHANNEL_MBARRIER && h->channel != CHANNEL_CTA)) return false;
    const struct handover_list *waits = handover_waits(lint, signal);
    uint32_t w = 0;
    while (w < waits->count && !told_for_sure(lint, h, &all->at[waits->at[w]])) w++;
    lint_spend(lint, w + 1);
    return w < waits->count;
}
