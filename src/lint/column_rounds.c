/* Simulates one thread of each warp, and lists its waits, signals and operations. Signal number n
 * of a thread at an mbarrier is for phase n. So the lists tell what a thread knows at an operation:
 * how far each other thread has come, and which of its commits are complete. See column_rounds.h.
 */
#include "lint/column_rounds.h"

#include "base/mem.h"
#include "base/vec.h"
#include "lint/handover.h"
#include "lint/interpret.h"
#include "lint/op_neighbours.h"
#include "value/condition_pairs.h"
#include "value/instruction.h"
#include "value/lanes.h"

enum { PAIRS_MAX = 16, CHANNELS_MAX = 64, EVENTS_MAX = 4096, THREADS_MAX = 32 };

/* A store or copy, and an mma of another thread that reads what it writes. */
struct column_pair {
    const struct tensor_op *write, *mma;
};

enum event_kind { EVENT_WAIT, EVENT_SIGNAL, EVENT_COMMIT, EVENT_OP };

struct event {
    uint32_t instr, channel; /* channel: index in channels, except of EVENT_OP */
    int32_t phase;           /* of EVENT_WAIT; -1: it returns at once */
    uint8_t kind;            /* enum event_kind */
};

/* An mbarrier, or a barrier of the CTA. */
struct round_channel {
    struct value key;
    uint8_t kind;   /* enum channel */
    bool opaque;    /* it is not known which signals end which phase */
    int64_t counts; /* arrivals that end a phase; 0: not known yet */
};

/* What one thread does at one channel. */
struct at_channel {
    bool waited;
    int32_t phase;             /* of the last wait */
    uint32_t lanes;            /* of the thread's warp that signal */
    struct VEC(uint32_t) ends; /* by phase: the last event of the thread that the phase waits for */
};

struct simulated {
    struct VEC(struct event) events;
    bool left_out; /* it does what another thread does */
    uint32_t next; /* the first event that is not executed yet */
};

struct column_rounds {
    struct lint *lint;
    const struct lint_code *code;
    struct column_pair pairs[PAIRS_MAX];
    uint32_t pair_count;
    bool *of_pair; /* by instruction */
    struct round_channel channels[CHANNELS_MAX];
    uint32_t channel_count, event_count, thread_count, current;
    bool unknown; /* some signal is at an unknown channel: nothing is known */
    struct simulated threads[THREADS_MAX];
    struct at_channel *at; /* by thread and channel */
    /* by event of all threads: for each thread how many of its events are known to be executed, and
     * how many to be complete */
    uint32_t *known;
};

/* ---- pairs ---- */

/* In its loop the thread of the write waits for some thread, but never for that of the mma. */
static bool waits_for_third(const struct lint *lint, const struct column_pair *pair)
{
    const struct handovers *all = lint->handovers;
    const struct handover_list *waits = handover_waits_before(lint, pair->write->instr);
    bool some = false;
    for (uint32_t w = 0; w < waits->count; w++) {
        const struct handover *wait = &all->at[waits->at[w]];
        if (wait->channel == CHANNEL_WARP ||
            !handover_reaches(lint, pair->write->instr, wait->instr))
            continue;
        if (wait->channel != CHANNEL_MBARRIER) return false;
        some = true;
        if (handover_waits_behind(lint, pair->mma->instr, waits->at[w])) return false;
    }
    return some;
}

static void find_column_pairs(struct column_rounds *s)
{
    const struct lint *lint = s->lint;
    const struct handovers *all = lint->handovers;
    for (uint32_t i = 0; i < all->op_count; i++) {
        struct column_pair pair = {.write = &all->ops[i]};
        uint32_t write = pair.write->instr;
        enum effect effect = lint_effect(lint, write);
        if ((effect != EFFECT_ASYNC_ST && effect != EFFECT_ASYNC_CP) ||
            !handover_reaches(lint, write, write))
            continue;
        struct op_list near = op_neighbours(lint, pair.write);
        lint_spend(lint, near.count);
        for (uint32_t n = 0; n < near.count && s->pair_count < PAIRS_MAX; n++) {
            pair.mma = &all->ops[near.at[n]];
            uint32_t mma = pair.mma->instr;
            if (lint_effect(lint, mma) != EFFECT_ASYNC_MMA ||
                !handover_reads_written(lint, pair.mma, pair.write) ||
                !handover_reaches(lint, mma, mma) || !handover_other_thread(lint, mma, write) ||
                !waits_for_third(lint, &pair))
                continue;
            s->pairs[s->pair_count++] = pair;
            s->of_pair[write] = s->of_pair[mma] = true;
        }
    }
}

/* ---- the events of one thread ---- */

static bool matters(const struct barrier_use *use)
{
    return use->kind != BARRIER_EXPECT && use->kind != BARRIER_INVAL;
}

static uint32_t interest_in_columns(const struct lint *lint, uint32_t instr)
{
    const struct barrier_use *use = barriers_at(lint->subject, instr);
    const struct tensor_op *op = handover_op(lint, instr);
    const struct handover *h = handover_at(lint, instr);
    if (op) return INTERPRET_MET;
    if (!use) return h && h->channel != CHANNEL_WARP ? INTERPRET_MET : 0;
    if (!matters(use)) return 0;
    uint32_t bits = interpret_needs(barriers_operand(lint->subject, instr, use->kind));
    if (use->kind == BARRIER_WAIT) bits |= 1u << 2;
    if (use->kind == BARRIER_INIT) bits |= 1u << 1;
    return bits;
}

/* CHANNELS_MAX: there are too many, or it is not known. */
static uint32_t number_of_channel(struct column_rounds *s, struct value key, uint8_t kind)
{
    if (value_is_none(key) || !value_is_fixed(s->lint->subject, key)) return CHANNELS_MAX;
    lint_spend(s->lint, s->channel_count / 8 + 1);
    for (uint32_t i = 0; i < s->channel_count; i++)
        if (s->channels[i].kind == kind && value_same(s->channels[i].key, key)) return i;
    if (s->channel_count == CHANNELS_MAX) return CHANNELS_MAX;
    s->channels[s->channel_count] = (struct round_channel){.key = key, .kind = kind};
    return s->channel_count++;
}

static struct at_channel *at_channel_of(struct column_rounds *s, uint32_t thread, uint32_t channel)
{
    return &s->at[thread * CHANNELS_MAX + channel];
}

/* Returns the number of events of the current thread so far. */
static uint32_t add_event(struct column_rounds *s, struct event event)
{
    struct simulated *thread = &s->threads[s->current];
    vec_push(&thread->events, event);
    s->event_count++;
    return thread->events.count;
}

static void add_signal(struct column_rounds *s, uint32_t instr, uint32_t channel, bool commit)
{
    struct at_channel *at = at_channel_of(s, s->current, channel);
    uint32_t lanes = condition_pairs_one_lane(s->lint->subject, instr) ? 1 : WARP;
    at->lanes = lanes > at->lanes ? lanes : at->lanes;
    uint32_t count =
        add_event(s, (struct event){instr, channel, 0, commit ? EVENT_COMMIT : EVENT_SIGNAL});
    vec_push(&at->ends, count - 1);
}

/* The phase of the last arrival of the thread also waits for the copy. */
static void add_round_copy(struct column_rounds *s, uint32_t instr, uint32_t channel)
{
    struct at_channel *at = at_channel_of(s, s->current, channel);
    if (!at->ends.count) {
        s->channels[channel].opaque = true;
        return;
    }
    uint32_t count = add_event(s, (struct event){instr, channel, 0, EVENT_SIGNAL});
    at->ends.at[at->ends.count - 1] = count - 1;
}

/* False if the phase is not known. */
static bool add_parity_wait(struct column_rounds *s, const struct interpreter *run, uint32_t instr,
                            uint32_t channel)
{
    struct at_channel *at = at_channel_of(s, s->current, channel);
    struct value parity = interpret_operand(run, instr, 2);
    if (!instruction_has(s->lint->subject, instr, ".parity") || value_is_none(parity) ||
        !value_is_constant(parity))
        return false;
    int32_t before = at->waited ? at->phase : -2;
    int32_t phase = before + 1;
    if ((phase & 1) != (parity.offset & 1)) phase++;
    if (at->waited && phase != before + 1) return false;
    at->waited = true;
    at->phase = phase;
    (void)add_event(s, (struct event){instr, channel, phase, EVENT_WAIT});
    return true;
}

/* Each execution is a phase, in which all threads meet that execute the barrier. */
static bool add_barrier(struct column_rounds *s, const struct handover *h)
{
    bool cta = h->channel == CHANNEL_CTA && !h->numbers;
    struct value key = cta ? h->address : exprs_constant(0);
    uint32_t channel = number_of_channel(s, key, h->channel);
    if ((!cta && h->channel != CHANNEL_CLUSTER) || channel == CHANNELS_MAX) return false;
    if (h->signals) add_signal(s, h->instr, channel, false);
    struct at_channel *at = at_channel_of(s, s->current, channel);
    if (h->waits)
        (void)add_event(s,
                        (struct event){h->instr, channel, (int32_t)at->ends.count - 1, EVENT_WAIT});
    return true;
}

static void note_count(struct column_rounds *s, const struct interpreter *run, uint32_t instr,
                       uint32_t channel)
{
    struct value counts = interpret_operand(run, instr, 1);
    struct round_channel *c = &s->channels[channel];
    bool known = !value_is_none(counts) && value_is_constant(counts);
    c->opaque |= !known || (c->counts && c->counts != counts.offset);
    c->counts = known ? counts.offset : 0;
}

static bool add_use(struct column_rounds *s, const struct interpreter *run,
                    const struct barrier_use *use)
{
    struct value key = interpret_operand(run, use->instr,
                                         barriers_operand(s->lint->subject, use->instr, use->kind));
    uint32_t channel = number_of_channel(s, key, CHANNEL_MBARRIER);
    if (use->kind == BARRIER_WAIT)
        return channel < CHANNELS_MAX && interpret_certain(run) &&
               add_parity_wait(s, run, use->instr, channel);
    if (channel == CHANNELS_MAX || use->remote) {
        s->unknown = true;
        return false;
    }
    if (!interpret_certain(run) || use->kind == BARRIER_ASYNC_ARRIVE) {
        s->channels[channel].opaque = true;
        return true;
    }
    switch (use->kind) {
    case BARRIER_INIT: note_count(s, run, use->instr, channel); return true;
    case BARRIER_COPY: add_round_copy(s, use->instr, channel); return true;
    default: add_signal(s, use->instr, channel, use->kind == BARRIER_COMMIT); return true;
    }
}

static bool look_at_event(void *context, struct interpreter *run, uint32_t instr)
{
    struct column_rounds *s = context;
    const struct barrier_use *use = barriers_at(s->lint->subject, instr);
    const struct handover *h = handover_at(s->lint, instr);
    /* Threads may go on in different ways behind a branch that the simulation does not know. */
    if (interpret_free_choices(run) || interpret_guesses(run)) return false;
    if (s->event_count >= EVENTS_MAX) return false;
    if (use) return add_use(s, run, use);
    if (h) return !h->waits && h->channel == CHANNEL_FLAG ? true : add_barrier(s, h);
    if (s->of_pair[instr] && interpret_certain(run))
        (void)add_event(s, (struct event){instr, 0, 0, EVENT_OP});
    return true;
}

/* ---- all threads ---- */

/* The arrivals of all threads that signal do not make up a phase. A thread that is left out signals
 * as another one. */
static void mark_opaque(struct column_rounds *s)
{
    bool left_out = false;
    for (uint32_t t = 0; t < s->thread_count; t++) left_out |= s->threads[t].left_out;
    for (uint32_t c = 0; c < s->channel_count; c++) {
        int64_t lanes = 0;
        if (s->channels[c].kind != CHANNEL_MBARRIER) continue;
        for (uint32_t t = 0; t < s->thread_count; t++)
            if (!s->threads[t].left_out) lanes += at_channel_of(s, t, c)->lanes;
        bool part = left_out && lanes && lanes % WARP == 0 && s->channels[c].counts % lanes == 0;
        s->channels[c].opaque |= !lanes || (lanes != s->channels[c].counts && !part);
    }
}

static uint32_t *known_at(const struct column_rounds *s, uint32_t thread, uint32_t event)
{
    for (uint32_t t = 0; t < thread; t++) event += s->threads[t].events.count;
    return s->known + (size_t)event * 2 * s->thread_count;
}

static void learn_from(const struct column_rounds *s, uint32_t *known, const uint32_t *more)
{
    lint_spend(s->lint, s->thread_count / 4 + 1);
    for (uint32_t i = 0; i < 2 * s->thread_count; i++)
        if (more[i] > known[i]) known[i] = more[i];
}

/* Adds what all threads knew that ended the phase. False: it is not over yet, or never ends. */
static bool learn_at_wait(struct column_rounds *s, const struct event *wait, uint32_t *known)
{
    bool some = false;
    if (wait->phase < 0) return true;
    if (s->channels[wait->channel].opaque) return false;
    for (uint32_t t = 0; t < s->thread_count; t++) {
        const struct at_channel *at = at_channel_of(s, t, wait->channel);
        if (s->threads[t].left_out || !at->ends.count) continue;
        some = true;
        if ((uint32_t)wait->phase >= at->ends.count ||
            at->ends.at[wait->phase] >= s->threads[t].next)
            return false;
    }
    for (uint32_t t = 0; t < s->thread_count; t++) {
        const struct at_channel *at = at_channel_of(s, t, wait->channel);
        if (s->threads[t].left_out || !at->ends.count) continue;
        uint32_t end = at->ends.at[wait->phase], *complete = &known[s->thread_count + t];
        learn_from(s, known, known_at(s, t, end));
        bool commit = s->threads[t].events.at[end].kind == EVENT_COMMIT;
        if (commit && *complete < end + 1) *complete = end + 1;
    }
    return some;
}

/* Executes the events of the thread up to a wait for a phase that is not over. */
static bool advance(struct column_rounds *s, uint32_t t)
{
    struct simulated *thread = &s->threads[t];
    uint32_t first = thread->next;
    for (; thread->next < thread->events.count; thread->next++) {
        const struct event *event = &thread->events.at[thread->next];
        uint32_t *known = known_at(s, t, thread->next);
        if (thread->next)
            memcpy(known, known_at(s, t, thread->next - 1), 2 * s->thread_count * sizeof *known);
        if (event->kind == EVENT_WAIT && !learn_at_wait(s, event, known)) break;
        known[t] = thread->next + 1;
        lint_spend(s->lint, 4);
    }
    return thread->next > first;
}

/* ---- the comparison ---- */

/* The write is in a later round than one that the mma knows of, it does not know that the mma is
 * complete, and the mma does not know of it. */
static bool are_unordered(const struct column_rounds *s, uint32_t writer, uint32_t write,
                          uint32_t reader, uint32_t mma)
{
    const struct simulated *w = &s->threads[writer];
    const uint32_t *at_write = known_at(s, writer, write), *at_mma = known_at(s, reader, mma);
    bool earlier = false;
    lint_spend(s->lint, 4);
    if (at_write[s->thread_count + reader] > mma || at_mma[writer] > write) return false;
    for (uint32_t e = 0; e < write && !earlier; e++)
        earlier = w->events.at[e].instr == w->events.at[write].instr && at_mma[writer] > e;
    return earlier;
}

static bool is_unordered_pair(const struct column_rounds *s, const struct column_pair *pair)
{
    for (uint32_t a = 0; a < s->thread_count; a++)
        for (uint32_t i = 0; i < s->threads[a].next; i++) {
            if (s->threads[a].events.at[i].instr != pair->write->instr) continue;
            lint_spend(s->lint, s->event_count / 8 + 1);
            for (uint32_t b = 0; b < s->thread_count; b++)
                for (uint32_t k = 0; b != a && k < s->threads[b].next; k++)
                    if (s->threads[b].events.at[k].instr == pair->mma->instr &&
                        are_unordered(s, a, i, b, k))
                        return true;
        }
    return false;
}

static void report_pairs(struct column_rounds *s)
{
    struct lint *lint = s->lint;
    uint32_t said = UINT32_MAX; /* a block */
    for (uint32_t i = 0; i < s->pair_count; i++) {
        uint32_t write = s->pairs[i].write->instr, mma = s->pairs[i].mma->instr;
        if (lint->cfg->block_of[write] == said || !is_unordered_pair(s, &s->pairs[i])) continue;
        said = lint->cfg->block_of[write];
        lint_report(lint, (struct hazard){s->code, LINT_WARNING, write, mma,
                                          "this overwrites what %s may still read[ in the round "
                                          "before: what this thread waits for does not tell of "
                                          "that round]",
                                          "wait here for a commit after %s of the round before",
                                          NULL, 0, NULL});
    }
}

static void simulate_threads(struct column_rounds *s)
{
    struct interpreter *run = interpret_begin(s->lint, interest_in_columns);
    for (s->current = 0; s->current < s->thread_count; s->current++) {
        bool followed = interpret_thread(run, s->current * WARP, look_at_event, s);
        s->threads[s->current].left_out = !followed;
    }
    interpret_end(run);
}

static void compare_threads(struct column_rounds *s)
{
    mark_opaque(s);
    s->known = mem_zalloc((size_t)(s->event_count + 1) * 2 * s->thread_count, sizeof *s->known);
    for (bool more = true; more;) {
        more = false;
        for (uint32_t t = 0; t < s->thread_count; t++)
            if (!s->threads[t].left_out && advance(s, t)) more = true;
    }
    report_pairs(s);
    mem_free(s->known);
}

void column_rounds_report(struct lint *lint, const struct lint_code *code)
{
    struct column_rounds *s = arena_alloc(lint->arena, 1, sizeof *s);
    if (!handover_of_several_threads(lint) || !lint_has_effect(lint, EFFECT_ASYNC_MMA)) return;
    *s = (struct column_rounds){.lint = lint, .code = code};
    s->of_pair = arena_alloc(lint->arena, lint->function->count + 1, sizeof *s->of_pair);
    find_column_pairs(s);
    if (!s->pair_count) return;
    s->thread_count = lanes_warps_at_most(&lint->handovers->shape);
    if (s->thread_count > THREADS_MAX) s->thread_count = THREADS_MAX;
    s->at = mem_zalloc((size_t)THREADS_MAX * CHANNELS_MAX, sizeof *s->at);
    simulate_threads(s);
    if (!s->unknown) compare_threads(s);
    for (uint32_t i = 0; i < THREADS_MAX * CHANNELS_MAX; i++) vec_free(&s->at[i].ends);
    for (uint32_t t = 0; t < s->thread_count; t++) vec_free(&s->threads[t].events);
    mem_free(s->at);
}
