/* Compares the mbarrier of a signal with those of all waits. See unwaited.h. */
#include "lint/unwaited.h"

#include "lint/arrays.h"

/* ---- one signal ---- */

enum { MBARRIER_SIZE = 8 };

/* The use, with the address in the own CTA if mapa computed it. */
static struct barrier_use use_as_own(const struct lint *lint, const struct barrier_use *use)
{
    struct barrier_use own = *use;
    if (value_is_none(use->object)) return own;
    const struct expr *e = value_expr(lint->subject, (struct value){use->object.base, 0});
    if (e->kind != EXPR_OP || e->spelling != SPELLING_MAPPED) return own;
    struct value local = e->a[0];
    local.offset = plus_wrapped(local.offset, use->object.offset);
    barriers_set_object(lint->subject, &own, local);
    own.indexed |= use->indexed;
    return own;
}

/* The wait most likely is not for the mbarrier of this use. Two arrays of which one begins at the
 * second element of the other are one array in an unrolled loop. */
static bool is_for_others(const struct lint *lint, const struct barrier_use *own,
                          const struct handover *wait)
{
    if (wait->channel != CHANNEL_MBARRIER) return false;
    struct value a = own->object, b = wait->use->object;
    if (value_is_none(a) || value_is_none(b) || a.base != b.base) return false;
    int64_t apart = minus_wrapped(a.offset, b.offset);
    bool next = apart == MBARRIER_SIZE || apart == -MBARRIER_SIZE;
    if (own->indexed && wait->use->indexed && next) return false;
    return arrays_likely_others(lint, own, wait->use);
}

/* own: use_as_own of the use. */
static bool is_initialised(const struct lint *lint, const struct barrier_use *use,
                           const struct barrier_use *own)
{
    const struct barriers *all = lint->subject->barriers;
    if (value_same(use->object, own->object))
        return barriers_next_init(lint->subject, use, UINT32_MAX) < all->count;
    lint_spend(lint, all->init_count / 8);
    for (uint32_t i = 0; i < all->init_count; i++)
        if (barriers_may_be_same(own, &all->uses[all->inits[i]])) return true;
    return false;
}

const struct barrier_use *unwaited_at(const struct lint *lint, uint32_t signal)
{
    const struct handovers *all = lint->handovers;
    const struct handover *h = &all->at[signal];
    if (h->channel != CHANNEL_MBARRIER || !h->signals || value_is_none(h->use->object)) return NULL;
    const struct barrier_use own = use_as_own(lint, h->use);
    if (!is_initialised(lint, h->use, &own)) return NULL;
    const struct handover_list *waits = handover_waits(lint, signal);
    lint_spend(lint, 1);
    for (uint32_t w = 0; w < waits->count; w++) {
        lint_spend(lint, w % 8 == 0);
        if (!is_for_others(lint, &own, &all->at[waits->at[w]])) return NULL;
    }
    return h->use;
}

/* ---- all mbarriers ---- */

struct unwaited_told unwaited_begin(const struct lint *lint)
{
    uint32_t most = lint->subject->barriers->count;
    return (struct unwaited_told){arena_room(lint->arena, most, sizeof(struct value)), 0};
}

bool unwaited_is_told(const struct lint *lint, const struct unwaited_told *told,
                      const struct barrier_use *use)
{
    lint_spend(lint, told->count);
    for (uint32_t i = 0; i < told->count; i++)
        if (value_same(told->at[i], use->object)) return true;
    return false;
}

void unwaited_tell(struct unwaited_told *told, const struct barrier_use *use)
{
    told->at[told->count++] = use->object;
}
