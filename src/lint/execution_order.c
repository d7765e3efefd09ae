/* Runs the threads of an execution against each other with vector clocks. See execution.h. */
#include <string.h>

#include "base/mem.h"
#include "lint/execution.h"
#include "lint/handover.h"

/* The phases of a channel: what is known when each is over. */
struct phases {
    struct VEC(uint32_t) known; /* by phase: width numbers */
    struct VEC(uint32_t) who;   /* by phase: the threads that arrived, as bits */
    struct VEC(uint32_t) last;  /* by phase: the instruction of its last arrival */
    uint32_t over;              /* complete phases */
    int64_t arrived;            /* arrivals of the current phase */
};

/* A thread returns from a wait at that event. */
struct passed_wait {
    uint32_t thread, event, channel, phase;
};

struct ordering {
    struct execution *x;
    struct phases *phases; /* by channel */
    uint32_t *piped;       /* by thread: 1 + the event of its last mma, cp or shift; 0: none */
    struct VEC(struct passed_wait) waits;
    /* Of the order by fences, by thread width numbers: what a relaxed arrival of the thread tells,
     * and what relaxed waits have told it since its last fence. */
    uint32_t *published, *told;
    uint32_t *own; /* by thread and channel: 1 + the phase of its last arrival */
};

static uint32_t *known_at_event(const struct execution *x, uint32_t thread, uint32_t event)
{
    return x->known + (size_t)(x->threads[thread].first + event) * x->width;
}

static void join_known(const struct ordering *o, uint32_t *known, const uint32_t *more)
{
    lint_spend(o->x->lint, o->x->width / 16 + 1);
    for (uint32_t i = 0; i < o->x->width; i++)
        if (more[i] > known[i]) known[i] = more[i];
}

/* Begins a phase with what is known of the phases before it. */
static void begin_phase(const struct ordering *o, struct phases *p)
{
    uint32_t width = o->x->width, before = p->known.count;
    vec_reserve(&p->known, width);
    p->known.count += width;
    if (before)
        memcpy(p->known.at + before, p->known.at + before - width, width * sizeof *p->known.at);
    else
        memset(p->known.at, 0, width * sizeof *p->known.at);
    vec_push(&p->who, 0);
    vec_push(&p->last, NO_INSTR);
    p->arrived = 0;
}

/* Each phase is ended by the same threads: otherwise the arrivals may have been counted for another
 * phase than on the machine. */
static void end_phase(struct ordering *o, uint32_t channel, struct phases *p)
{
    uint32_t *known = p->known.at + (size_t)p->over * o->x->width;
    known[2 * o->x->thread_count + channel] = p->over + 1;
    o->x->unknown |= p->over && p->who.at[p->over] != p->who.at[0];
    p->over++;
    begin_phase(o, p);
}

/* A commit is over when the operations of its thread are complete, and so are those of other
 * threads that were issued before the last of these: they are executed in the order of issue. */
static void complete_issued(const struct ordering *o, uint32_t t, uint32_t *at)
{
    uint32_t *complete = at + o->x->thread_count;
    if (o->piped[t]) {
        const uint32_t *issued = known_at_event(o->x, t, o->piped[t] - 1);
        for (uint32_t u = 0; u < o->x->thread_count; u++)
            if (issued[u] > complete[u]) complete[u] = issued[u];
    }
    complete[t] = o->x->threads[t].next + 1;
}

static void arrive(struct ordering *o, uint32_t t, const struct execution_event *event,
                   const uint32_t *known)
{
    struct execution *x = o->x;
    struct phases *p = &o->phases[event->channel];
    const struct execution_channel *channel = &x->channels[event->channel];
    if (channel->opaque) return;
    if (!p->known.count) begin_phase(o, p);
    uint32_t *at = p->known.at + (size_t)p->over * x->width;
    join_known(o, at, o->published && event->relaxed ? o->published + (size_t)t * x->width : known);
    if (event->kind == EXECUTION_COMMIT) complete_issued(o, t, at);
    p->who.at[p->over] |= 1u << t;
    p->last.at[p->over] = event->instr;
    if (event->group != EXECUTION_NEVER) x->groups.at[event->group].phase = p->over;
    o->own[t * o->x->channel_count + event->channel] = p->over + 1;
    p->arrived += (int64_t)event->weight * x->threads[t].copies;
    x->unknown |= p->arrived > channel->counts;
    if (p->arrived >= channel->counts) end_phase(o, event->channel, p);
}

/* False: the phase is not over yet, or never ends. If a phase of the right parity is known to be
 * over, and it is not known that the next one is, the wait may return at once. */
static bool execution_order_pass_wait(struct ordering *o, uint32_t t, struct execution_event *event,
                                      uint32_t *known)
{
    const struct execution *x = o->x;
    struct phases *p = &o->phases[event->channel];
    uint32_t phase = known[2 * x->thread_count + event->channel];
    event->at_once = event->kind == EXECUTION_PARITY && ((phase + 1) & 1) == event->parity;
    if (event->at_once) return true;
    if (event->kind == EXECUTION_OWN_PHASE) {
        uint32_t own = o->own[t * o->x->channel_count + event->channel];
        if (!own) return false;
        phase = own - 1;
    }
    if (x->channels[event->channel].opaque || phase >= p->over) return false;
    uint32_t *learns = o->told && event->relaxed ? o->told + (size_t)t * x->width : known;
    join_known(o, learns, p->known.at + (size_t)phase * x->width);
    /* which phase is over is known, whatever the fence */
    known[2 * x->thread_count + event->channel] = phase + 1;
    if (event->kind == EXECUTION_PARITY)
        vec_push(&o->waits, ((struct passed_wait){t, x->threads[t].next, event->channel, phase}));
    return true;
}

static void pass_fence(const struct ordering *o, uint32_t t, uint8_t kind, uint32_t *known)
{
    size_t at = (size_t)t * o->x->width;
    if (kind == EXECUTION_BEFORE || kind == EXECUTION_FENCE)
        join_known(o, o->published + at, known);
    if (kind == EXECUTION_AFTER || kind == EXECUTION_FENCE) join_known(o, known, o->told + at);
}

/* Executes the events of the thread up to a wait for a phase that is not over. */
static bool run_until_wait(struct ordering *o, uint32_t t)
{
    struct execution_thread *thread = &o->x->threads[t];
    uint32_t first = thread->next;
    for (; thread->next < thread->events.count; thread->next++) {
        struct execution_event *event = &thread->events.at[thread->next];
        uint32_t *known = known_at_event(o->x, t, thread->next);
        lint_spend(o->x->lint, o->x->width / 16 + 1);
        if (thread->next)
            memcpy(known, known_at_event(o->x, t, thread->next - 1), o->x->width * sizeof *known);
        else
            memset(known, 0, o->x->width * sizeof *known);
        bool waits = event->kind == EXECUTION_PARITY || event->kind == EXECUTION_OWN_PHASE;
        if (waits && !execution_order_pass_wait(o, t, event, known)) break;
        known[t] = thread->next + 1;
        if (event->kind == EXECUTION_ACCESS &&
            effect_is_pipe(lint_effect(o->x->lint, event->instr)))
            o->piped[t] = thread->next + 1;
        if (o->told) pass_fence(o, t, event->kind, known);
        if (event->kind == EXECUTION_ARRIVE || event->kind == EXECUTION_COMMIT)
            arrive(o, t, event, known);
    }
    return thread->next > first;
}

/* The thread repeats the wait until it returns true. */
static bool execution_order_is_repeated(const struct lint *lint, uint32_t wait)
{
    const struct cfg *cfg = lint->cfg;
    uint32_t block = cfg->block_of[wait];
    const struct block *at = &cfg->blocks[block];
    for (uint32_t s = 0; s < at->succ_count; s++) {
        uint32_t succ = cfg->succs[at->first_succ + s];
        const struct block *next = &cfg->blocks[succ];
        if (succ == block || (next->succ_count == 1 && cfg->succs[next->first_succ] == block))
            return true;
    }
    return false;
}

static struct execution_overrun find_overrun(const struct ordering *o)
{
    const struct execution *x = o->x;
    for (uint32_t i = 0; i < o->waits.count; i++) {
        const struct passed_wait *w = &o->waits.at[i];
        const struct phases *p = &o->phases[w->channel];
        if (w->phase + 1 >= p->over) continue;
        const uint32_t *known = p->known.at + (size_t)(w->phase + 1) * x->width;
        uint32_t wait = x->threads[w->thread].events.at[w->event].instr;
        lint_spend(x->lint, 1);
        if (known[w->thread] <= w->event && execution_order_is_repeated(x->lint, wait))
            return (struct execution_overrun){wait, p->last.at[w->phase + 1]};
    }
    return (struct execution_overrun){NO_INSTR, NO_INSTR};
}

void execution_order(struct execution *x, bool by_fences)
{
    struct ordering o = {.x = x};
    uint32_t count = 0;
    x->width = 2 * x->thread_count + x->channel_count;
    if (by_fences) {
        o.published = mem_zalloc((size_t)x->thread_count * x->width, sizeof *o.published);
        o.told = mem_zalloc((size_t)x->thread_count * x->width, sizeof *o.told);
    }
    o.phases = mem_zalloc(x->channel_count + 1, sizeof *o.phases);
    o.own = mem_zalloc((size_t)x->channel_count * x->thread_count + 1, sizeof *o.own);
    o.piped = mem_zalloc(x->thread_count, sizeof *o.piped);
    for (uint32_t t = 0; t < x->thread_count; t++) {
        x->threads[t].first = count;
        x->threads[t].next = 0;
        count += x->threads[t].events.count;
    }
    mem_free(x->known);
    x->known = mem_alloc((size_t)(count + 1) * x->width * sizeof *x->known);
    for (bool more = true; more;) {
        more = false;
        for (uint32_t t = 0; t < x->thread_count; t++)
            if (x->threads[t].copies && run_until_wait(&o, t)) more = true;
    }
    x->overrun = find_overrun(&o);
    vec_free(&o.waits);
    for (uint32_t c = 0; c < x->channel_count; c++) {
        vec_free(&o.phases[c].known);
        vec_free(&o.phases[c].last);
        vec_free(&o.phases[c].who);
    }
    mem_free(o.published);
    mem_free(o.told);
    mem_free(o.phases);
    mem_free(o.own);
    mem_free(o.piped);
}

uint32_t execution_known(const struct execution *x, const struct execution_access *b,
                         uint32_t thread)
{
    return known_at_event(x, b->thread, b->event)[thread];
}

bool execution_before(const struct execution *x, const struct execution_access *a,
                      const struct execution_access *b)
{
    const uint32_t *known = known_at_event(x, b->thread, b->event);
    lint_spend(x->lint, 1);
    switch ((enum execution_end)a->ends) {
    case EXECUTION_BY_THREAD: return a->done != EXECUTION_NEVER && known[a->thread] > a->done;
    case EXECUTION_BY_COMMIT:
        /* mma, cp and shift access tensor memory in the order of issue */
        if (a->tensor && b->ends == EXECUTION_BY_COMMIT) return known[a->thread] > a->event;
        return known[x->thread_count + a->thread] > a->event;
    case EXECUTION_BY_COPY: break;
    }
    const struct execution_group *group = &x->groups.at[a->group];
    if (group->phase == EXECUTION_NEVER) return true; /* not known */
    return known[2 * x->thread_count + group->channel] > group->phase;
}
