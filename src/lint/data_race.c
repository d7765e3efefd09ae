/* The code data-race: in one possible execution, two accesses to the same memory that nothing
 * orders. */
#include <stdlib.h>

#include "lint/execution.h"
#include "lint/handover.h"

/* The pairs that are compared in one function: more than twice what any of 831 real kernels needs.
 * Otherwise their number would grow with the square of the accesses to one place. */
enum { COMPARISONS_MAX = 1 << 16 };

struct races {
    struct execution *x;
    uint32_t comparisons; /* so far */
    uint32_t reported;    /* hazards that other codes have reported */
    bool by_fences;       /* only the order of tcgen05 operations is compared */
    bool *said;           /* by instruction: a finding names it */
    bool *of_block;       /* by block: a finding names an instruction of it */
};

static int data_race_compare_places(const void *a, const void *b)
{
    const struct execution_access *x = a, *y = b;
    if (x->tensor != y->tensor) return x->tensor < y->tensor ? -1 : 1;
    if (x->base != y->base) return x->base < y->base ? -1 : 1;
    if (x->first != y->first) return x->first < y->first ? -1 : 1;
    if (x->thread != y->thread) return x->thread < y->thread ? -1 : 1;
    return x->event < y->event ? -1 : x->event > y->event;
}

static bool is_pipe_access(const struct races *r, const struct execution_access *a)
{
    return effect_is_pipe(lint_effect(r->x->lint, a->instr));
}

/* One of them writes, the lanes are the same, and the tensor core or the warp does not order them
 * anyway. */
static bool may_race(const struct races *r, const struct execution_access *a,
                     const struct execution_access *b)
{
    if (!a->writes && !b->writes) return false;
    if (r->by_fences && (!a->tensor || !a->async || !b->async)) return false;
    if (a->tensor && !(a->lanes & b->lanes)) return false;
    /* warps that store the same value */
    if (a->instr == b->instr && a->ends == EXECUTION_BY_THREAD) return false;
    if (a->thread != b->thread) return true;
    return !r->by_fences && is_pipe_access(r, a) != is_pipe_access(r, b);
}

/* The writer has written the place before, and the reader knows of that. */
static bool writes_again(const struct races *r, const struct execution_access *writer,
                         const struct execution_access *reader)
{
    const struct execution_access *all = r->x->accesses.at;
    for (uint32_t i = (uint32_t)(writer - all); i-- > 0;) {
        const struct execution_access *a = &all[i];
        if (a->tensor != writer->tensor || a->base != writer->base || a->first != writer->first)
            return false;
        lint_spend(r->x->lint, 1);
        if (a->writes && a->thread == writer->thread && execution_before(r->x, a, reader))
            return true;
    }
    return false;
}

/* Another code has reported, about an instruction of the same block, that something is not ordered:
 * the race is most likely its result. NO_INSTR: of any block. */
static bool is_explained(const struct races *r, uint32_t instr)
{
    const struct lint_code *const causes[] = {&lint_published_incomplete,
                                              &lint_waits_for_nothing,
                                              &lint_conflict_unordered,
                                              &lint_completion_untracked,
                                              &lint_phase_reuse,
                                              &lint_released_before_read,
                                              &lint_released_for_others,
                                              &lint_bulk_source_reused,
                                              &lint_arrival_count,
                                              &lint_dealloc_too_early,
                                              &lint_dependency_wait_missing};
    const uint32_t *block_of = r->x->lint->cfg->block_of;
    for (uint32_t i = 0; i < r->reported; i++) {
        const struct hazard *h = &r->x->lint->hazards.at[i];
        bool near = instr == NO_INSTR || block_of[h->at] == block_of[instr] ||
                    (h->witness != NO_INSTR && block_of[h->witness] == block_of[instr]);
        for (size_t c = 0; near && h->level != LINT_NOTE && c < sizeof causes / sizeof *causes; c++)
            if (h->code == causes[c]) return true;
    }
    return false;
}

/* The access is a load whose registers nobody reads on that path, which published-incomplete has
 * reported as a note. */
static bool is_unread_load(const struct races *r, const struct execution_access *a)
{
    return lint_effect(r->x->lint, a->instr) == EFFECT_ASYNC_LD &&
           lint_has_named(r->x->lint, &lint_published_incomplete, a->instr);
}

static bool is_freeing(const struct execution_access *a)
{
    return a->tensor && !a->async;
}

static bool is_wait_event(const struct execution_event *event)
{
    return event->kind == EXECUTION_PARITY || event->kind == EXECUTION_OWN_PHASE;
}

static bool is_signal_event(const struct execution_event *event)
{
    return event->kind == EXECUTION_ARRIVE || event->kind == EXECUTION_COMMIT;
}

/* The thread waits for the channel somewhere. */
static bool data_race_waits_for(const struct races *r, uint32_t thread, uint32_t channel)
{
    const struct execution_thread *t = &r->x->threads[thread];
    lint_spend(r->x->lint, t->events.count / 8 + 1);
    for (uint32_t e = 0; e < t->events.count; e++)
        if (is_wait_event(&t->events.at[e]) && t->events.at[e].channel == channel) return true;
    return false;
}

/* The channel through which the thread of the access tells that it is complete. */
static uint32_t channel_behind(const struct races *r, const struct execution_access *a,
                               uint32_t for_thread)
{
    const struct execution_thread *t = &r->x->threads[a->thread];
    uint32_t from = a->ends == EXECUTION_BY_THREAD ? a->done : a->event;
    if (a->ends == EXECUTION_BY_COPY) return r->x->groups.at[a->group].channel;
    for (uint32_t e = from + 1; e < t->events.count; e++)
        if (is_signal_event(&t->events.at[e]) &&
            data_race_waits_for(r, for_thread, t->events.at[e].channel))
            return t->events.at[e].channel;
    return EXECUTION_CHANNELS;
}

/* The last wait of the thread of b, before b, for what a signals, if it returns at once. again: it
 * has waited for that before, so this is not how a producer begins. */
static uint32_t wait_at_once(const struct races *r, const struct execution_access *b,
                             const struct execution_access *a, bool again)
{
    uint32_t found = NO_INSTR;
    const struct execution_thread *t = &r->x->threads[b->thread];
    uint32_t channel = channel_behind(r, a, b->thread);
    for (uint32_t e = b->event; e-- > 0;) {
        const struct execution_event *event = &t->events.at[e];
        if (!is_wait_event(event) || event->channel != channel) continue;
        if (found != NO_INSTR) return found;
        if (!event->at_once) return NO_INSTR;
        found = event->instr;
        if (!again) return found;
    }
    return NO_INSTR;
}

/* The signal of the thread of a from which b knows of that thread, if it is given before a is
 * complete, and the thread does not wait in between, nor signals behind a what b could wait for. */
static uint32_t signal_too_early(const struct races *r, const struct execution_access *a,
                                 const struct execution_access *b)
{
    const struct execution_thread *t = &r->x->threads[a->thread];
    uint32_t known = execution_known(r->x, b, a->thread);
    if (!known || a->thread == b->thread) return NO_INSTR;
    const struct execution_event *signal = &t->events.at[known - 1];
    if (!is_signal_event(signal)) return NO_INSTR;
    for (uint32_t e = known; e < a->event; e++)
        if (is_wait_event(&t->events.at[e])) return NO_INSTR;
    uint32_t behind = channel_behind(r, a, b->thread);
    bool other = behind != EXECUTION_CHANNELS && behind != signal->channel;
    return other && known <= a->event ? NO_INSTR : signal->instr;
}

/* One finding for each access, and for two blocks: their other accesses are too early as well. */
static bool is_said(struct races *r, const struct execution_access *a,
                    const struct execution_access *b)
{
    const uint32_t *block_of = r->x->lint->cfg->block_of;
    bool *first = &r->of_block[block_of[a->instr]], *second = &r->of_block[block_of[b->instr]];
    if (r->said[a->instr] || r->said[b->instr] || (*first && *second)) return true;
    r->said[a->instr] = r->said[b->instr] = *first = *second = true;
    return false;
}

static void report_warning(struct races *r, const struct lint_code *code, uint32_t at,
                           uint32_t witness, const char *says, const char *fix)
{
    lint_report(r->x->lint,
                (struct hazard){code, LINT_WARNING, at, witness, says, fix, NULL, 0, NULL});
}

static void report_race(struct races *r, const struct execution_access *a,
                        const struct execution_access *b)
{
    if (is_said(r, a, b) || is_explained(r, a->instr) || is_explained(r, b->instr)) return;
    if (!is_freeing(a) && !is_freeing(b) && (is_unread_load(r, a) || is_unread_load(r, b))) return;
    const struct execution_access *writer = a->writes ? a : b, *other = a->writes ? b : a;
    bool waited = writer->ends != EXECUTION_BY_THREAD || writer->done != EXECUTION_NEVER;
    bool again = other->writes || (waited && writes_again(r, writer, other));
    const struct execution_access *at = again ? writer : other, *with = again ? other : writer;
    struct hazard h = {&lint_data_race,
                       LINT_WARNING,
                       at->instr,
                       with->instr,
                       NULL,
                       "wait here for a signal that is given when %s is complete",
                       NULL,
                       0,
                       NULL};
    uint32_t early = wait_at_once(r, at, with, false), signal;
    if (early == NO_INSTR) {
        early = wait_at_once(r, with, at, true);
        if (early != NO_INSTR) h.witness = at->instr;
    }
    if (early != NO_INSTR) {
        h.at = early;
        h.says =
            "this wait may return at once[, for a phase that is over before]: so nothing orders "
            "%s";
        h.fix = "wait for the parity of the phase that follows %s";
    } else if ((signal = signal_too_early(r, with, at)) != NO_INSTR) {
        h.at = signal;
        h.says =
            "this signal is given before %s is complete[, and another thread then accesses the "
            "same memory]";
        h.fix = "signal after %s is complete";
    } else {
        h.says = is_freeing(at)  ? "this frees columns that %s may still access"
                 : other->writes ? "this writes what %s writes[, and nothing orders the two]"
                 : again         ? "this overwrites what %s may still read[: no wait of this "
                                   "thread is for a signal that follows that read]"
                                 : "this may read before %s has written[: no wait of this "
                                   "thread is for the completion of that write]";
    }
    if (!is_explained(r, h.at)) lint_report(r->x->lint, h);
}

/* The first signal of the thread from the event `first` on, if it is relaxed and no fence comes
 * before it. */
static uint32_t relaxed_signal_behind(const struct races *r, uint32_t thread, uint32_t first)
{
    const struct execution_thread *t = &r->x->threads[thread];
    for (uint32_t e = first; e < t->events.count; e++) {
        const struct execution_event *event = &t->events.at[e];
        if (event->kind == EXECUTION_BEFORE || event->kind == EXECUTION_FENCE) return NO_INSTR;
        if (is_signal_event(event)) return event->relaxed ? event->instr : NO_INSTR;
    }
    return NO_INSTR;
}

static uint32_t relaxed_wait_before(const struct races *r, const struct execution_access *b)
{
    const struct execution_thread *t = &r->x->threads[b->thread];
    for (uint32_t e = b->event; e-- > 0;) {
        const struct execution_event *event = &t->events.at[e];
        if (event->kind == EXECUTION_AFTER || event->kind == EXECUTION_FENCE) return NO_INSTR;
        if (is_wait_event(event)) return event->relaxed ? event->instr : NO_INSTR;
    }
    return NO_INSTR;
}

/* The two are ordered by signals and waits, but a fence is missing. */
static void report_fence(struct races *r, const struct execution_access *a,
                         const struct execution_access *b)
{
    const struct execution_access *pair[2] = {a, b};
    if (is_said(r, a, b)) return;
    for (int i = 0; i < 2; i++) {
        const struct execution_access *first = pair[i], *second = pair[!i];
        uint32_t from = first->ends == EXECUTION_BY_THREAD ? first->done : first->event;
        uint32_t signal = relaxed_signal_behind(r, first->thread, from + 1);
        uint32_t wait = relaxed_wait_before(r, second);
        if (signal != NO_INSTR) {
            if (!lint_has_reported(r->x->lint, &lint_fence_before_missing, signal))
                report_warning(
                    r, &lint_fence_before_missing, signal, first->instr,
                    "this relaxed arrive does not order %s[, with no fence between the two]",
                    "insert tcgen05.fence::before_thread_sync before this");
            return;
        }
        if (wait != NO_INSTR) {
            if (!lint_has_reported(r->x->lint, &lint_fence_after_missing, second->instr))
                report_warning(r, &lint_fence_after_missing, second->instr, wait,
                               "no tcgen05 fence is between the relaxed wait at %s and this",
                               "insert tcgen05.fence::after_thread_sync before this");
            return;
        }
    }
}

/* Reports the first mbarrier whose phases may overtake a thread that waits. Others may follow from
 * it. */
static void report_overrun(struct races *r)
{
    const struct execution_overrun *o = &r->x->overrun;
    if (o->wait == NO_INSTR || is_explained(r, NO_INSTR)) return;
    report_warning(r, &lint_phase_reuse, o->signal, o->wait,
                   "this may end a phase before %s has returned for the phase before[: that wait "
                   "then needs a third phase]",
                   "wait, before this, for a signal that follows %s");
}

static void compare_with_later(struct races *r, uint32_t i)
{
    const struct execution *x = r->x;
    const struct execution_access *a = &x->accesses.at[i];
    for (uint32_t k = i + 1; k < x->accesses.count; k++) {
        const struct execution_access *b = &x->accesses.at[k];
        if (a->tensor != b->tensor || a->base != b->base || b->first >= a->end) return;
        if (r->comparisons++ == COMPARISONS_MAX) {
            lint_stop_short(x->lint);
            return;
        }
        lint_spend(x->lint, 1);
        if (!execution_has(x, b) || !may_race(r, a, b)) continue;
        if (execution_before(x, a, b) || execution_before(x, b, a)) continue;
        if (r->by_fences)
            report_fence(r, a, b);
        else
            report_race(r, a, b);
    }
}

static void compare_all(struct races *r)
{
    const struct execution *x = r->x;
    for (uint32_t i = 0; i < x->accesses.count && r->comparisons <= COMPARISONS_MAX; i++)
        if (execution_has(x, &x->accesses.at[i])) compare_with_later(r, i);
}

static void data_race_find(struct lint *lint)
{
    if (!lint->function->is_entry) return;
    struct races r = {.x = execution_of(lint), .reported = lint->hazards.count};
    struct execution *x = r.x;
    if (x->unknown || !x->accesses.count) return;
    execution_order(x, false);
    if (x->unknown) return;
    r.said = arena_alloc(lint->arena, lint->function->count + 1, sizeof *r.said);
    r.of_block = arena_alloc(lint->arena, lint->cfg->count + 1, sizeof *r.of_block);
    qsort(x->accesses.at, x->accesses.count, sizeof *x->accesses.at, data_race_compare_places);
    report_overrun(&r);
    compare_all(&r);
    if (x->relaxed) {
        r.by_fences = true;
        execution_order(x, true);
        compare_all(&r);
    }
}

const struct lint_code lint_data_race = {
    .id = "data-race",
    .section = "8.7.1",
    .summary = "two accesses to the same memory that nothing orders in a possible execution",
    .sentence = "Two conflicting memory operations are said to be in a data-race if they are not "
                "related in causality order and they are not morally strong.",
    .risk = "one access uses memory that the other one has changed, or not changed yet",
    .explanation =
        "Broken:  @%p tcgen05.mma [%d], %a, %b, …; mbarrier.arrive [empty];  (the other warp waits "
        "for empty, and copies into %a)\n"
        "Right:   @%p tcgen05.mma [%d], %a, %b, …; tcgen05.commit [empty];\n"
        "\n"
        "Lint simulates the first thread of each warp for some rounds of its loops, and lists its "
        "accesses to shared and tensor memory, signals and waits. Each wait is taken for the least "
        "that it guarantees: if a phase of its parity is already known to be over, it may return "
        "at once. So lint knows for each access which other accesses are certainly complete "
        "before. It reports two accesses, one of which writes, if neither is; at the signal that "
        "is given too early, or at the wait that may return at once, or at the later access. "
        "Conditions that lint does not know are assumed: unknown numbers of iterations are small, "
        "equal numbers are equal in all warps, and other unknown numbers are large. Tensor memory "
        "is compared by lanes and columns; shared memory by the places whose addresses are known. "
        "mma, cp and shift access tensor memory in the order of issue. A copy by cp.async is "
        "complete when its thread has waited for its group, or has passed it on to an mbarrier.\n"
        "If a relaxed arrive or wait has no tcgen05 fence, that is reported as "
        "fence-before-missing "
        "or fence-after-missing; if a phase may end before a thread has returned from its wait for "
        "the phase before, as phase-reuse.\n"
        "Not reported: a race in a block about which another code has reported a missing "
        "order, since it is most likely its result; CTAs of unknown size; signals of other "
        "CTAs; what follows a condition that could be either, a call or a flag; weak loads "
        "and stores of shared memory after the first 64 of the text.",
    .find = data_race_find,
};
