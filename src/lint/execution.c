/* Simulates one thread of each warp, and lists what it does. See execution.h. */
#include "lint/execution.h"

#include "base/mem.h"
#include "lint/arrivals.h"
#include "lint/bulk_slot.h"
#include "lint/handover.h"
#include "lint/interpret.h"
#include "lint/smem_origin.h"
#include "value/condition_pairs.h"
#include "value/instruction.h"
#include "value/smem.h"

/* EACH_QUARTER: two bits for each 32 lanes, see execution_access. */
enum { LANE_UNIT = 1 << 16, LANES = 128, EACH_QUARTER = 0x55 };

/* What the current thread has begun at a channel. armed: 1 + its last arrival, if copies were
 * announced for its phase; open: the group of copies for its next arrival; expects: expect_tx has
 * announced copies for the phase of its next arrival. */
struct at_channel {
    uint32_t armed, open;
    bool expects;
};

/* What completes an access: tcgen05.wait::ld or ::st, or the wait for a group of cp.async.bulk or
 * of cp.async without .bulk. */
enum tracking { TRACKED_LD, TRACKED_ST, TRACKED_BULK, TRACKED_COPY, TRACKINGS };

/* An access of the current thread that is not complete yet. */
struct pending {
    uint32_t access;
    uint32_t group; /* its number: how many groups were committed before it */
    enum tracking tracking;
};

struct recorder {
    struct execution *x;
    const struct smem_accesses *smem;
    uint32_t *smem_of; /* by instruction: 1 + the index of its first access in smem; 0: none */
    uint32_t *weight;  /* by instruction: lanes that execute it; 0: not computed yet */
    uint8_t *steps;    /* by instruction: enum step; STEP_NOT_READ: not reached yet */
    struct at_channel at[EXECUTION_CHANNELS];
    struct VEC(struct pending) pending;
    uint32_t current, events_most;
    uint32_t groups[TRACKINGS];                /* groups that the current thread has committed */
    uint32_t stores_end;                       /* see is_recorded: an index in smem */
    const struct execution_observer *observer; /* or NULL */
    uint8_t *asked;                            /* by instruction: bits of enum asker */
    bool records, observes; /* the recorder, and the observer, still follow the current thread */
};

/* Who is interested in an instruction. */
enum asker { ASKER_RECORDER = 1, ASKER_OBSERVER = 2 };

/* ---- operands ---- */

static uint32_t interest_of_barrier(const struct lint *lint, const struct barrier_use *use)
{
    if (use->kind == BARRIER_INVAL) return 0;
    uint32_t bits = interpret_needs(barriers_operand(lint->subject, use->instr, use->kind));
    if (use->kind == BARRIER_WAIT) bits |= 1u << 2;
    if (use->kind == BARRIER_INIT) bits |= 1u << 1;
    return bits;
}

static uint32_t interest_of_ranges(const struct lint *lint, uint32_t instr)
{
    const struct tensor_op *op = handover_op(lint, instr);
    uint32_t bits = 0;
    for (uint32_t i = 0; op && i < op->range_count; i++)
        bits |= interpret_needs(op->ranges[i].operand);
    return bits;
}

/* Weak loads and stores of shared memory are recorded up to a number: to compute their addresses
 * takes most of the time. */
static bool is_recorded(const struct recorder *r, const struct smem_access *access)
{
    return !access->word && (access->async || access < r->smem->at + r->stores_end);
}

static void count_stores(struct recorder *r)
{
    enum { STORES_MAX = 64 };
    uint32_t count = 0;
    while (r->stores_end < r->smem->count && count < STORES_MAX) {
        const struct smem_access *access = &r->smem->at[r->stores_end++];
        count += !access->async && !access->word;
    }
}

/* The accesses to shared memory of the instruction, as bits of operands. */
static uint32_t interest_of_shared(const struct recorder *r, uint32_t instr)
{
    uint32_t bits = 0;
    for (uint32_t i = r->smem_of[instr]; i && i <= r->smem->count; i++) {
        if (r->smem->at[i - 1].instr != instr) break;
        if (is_recorded(r, &r->smem->at[i - 1]))
            bits |= interpret_needs(r->smem->at[i - 1].operand);
    }
    return bits;
}

static bool frees_columns(const struct lint *lint, uint32_t instr)
{
    return str_starts(instruction_opcode(lint->subject, instr), "tcgen05.dealloc");
}

static uint32_t interest_in_execution(const struct lint *lint, uint32_t instr, const void *context)
{
    const struct recorder *r = context;
    const struct barrier_use *use = barriers_at(lint->subject, instr);
    const struct handover *h = handover_at(lint, instr);
    enum effect effect = lint_effect(lint, instr);
    int64_t left;
    uint32_t bits = interest_of_ranges(lint, instr) | interest_of_shared(r, instr);
    if (use) bits |= interest_of_barrier(lint, use);
    if (frees_columns(lint, instr)) bits |= interpret_needs(0);
    if (!use && h && h->channel != CHANNEL_WARP) bits |= interpret_needs(0);
    if (effect == EFFECT_WAIT_LD || effect == EFFECT_WAIT_ST || effect_is_fence(effect) ||
        instruction_is_memory_fence(lint->subject, instr) || group_commits(lint, instr) ||
        group_waits(lint, instr, &left))
        bits |= INTERPRET_MET;
    return bits;
}

/* What interests the recorder or the observer; notes which of them. */
static uint32_t interest_of_both(const struct lint *lint, uint32_t instr, const void *context)
{
    const struct recorder *r = context;
    const struct execution_observer *o = r->observer;
    uint32_t recorded = r->x->unknown ? 0 : interest_in_execution(lint, instr, context);
    uint32_t observed = o ? o->interest(lint, instr, o->context) : 0;
    r->asked[instr] = (uint8_t)((recorded ? ASKER_RECORDER : 0) | (observed ? ASKER_OBSERVER : 0));
    return recorded | observed;
}

/* ---- events ---- */

static struct execution_event new_event(uint32_t instr, uint32_t channel, enum execution_kind kind)
{
    return (struct execution_event){
        .instr = instr, .channel = channel, .group = EXECUTION_NEVER, .kind = (uint8_t)kind};
}

/* Returns the index of the event. */
static uint32_t record_event(struct recorder *r, struct execution_event event)
{
    struct execution_thread *thread = &r->x->threads[r->current];
    vec_push(&thread->events, event);
    return thread->events.count - 1;
}

static uint32_t new_group(struct recorder *r, uint32_t channel)
{
    vec_push(&r->x->groups, ((struct execution_group){channel, EXECUTION_NEVER}));
    return r->x->groups.count - 1;
}

/* EXECUTION_CHANNELS: there are too many, or it is not known. */
static uint32_t channel_of(struct recorder *r, struct value key, uint8_t kind)
{
    struct execution *x = r->x;
    if (value_is_none(key) || !value_is_fixed(x->lint->subject, key)) return EXECUTION_CHANNELS;
    lint_spend(x->lint, x->channel_count / 8 + 1);
    for (uint32_t i = 0; i < x->channel_count; i++)
        if (x->channels[i].kind == kind && value_same(x->channels[i].key, key)) return i;
    if (x->channel_count == EXECUTION_CHANNELS) return EXECUTION_CHANNELS;
    x->channels[x->channel_count] = (struct execution_channel){.key = key, .kind = kind};
    return x->channel_count++;
}

static uint32_t lanes_at(struct recorder *r, uint32_t instr)
{
    const struct lint *lint = r->x->lint;
    if (r->weight[instr]) return r->weight[instr];
    if (condition_pairs_one_lane(lint->subject, instr)) return r->weight[instr] = 1;
    uint32_t lanes = lanes_count(lint->subject, &lint->handovers->shape,
                                 condition_pairs_set(lint->subject, instr))
                         .lanes;
    return r->weight[instr] = lanes ? lanes : WARP;
}

/* ---- accesses ---- */

/* Sets what is the same for all accesses of the instruction. */
static struct execution_access begin_access(const struct recorder *r, uint32_t instr,
                                            uint32_t event)
{
    return (struct execution_access){.thread = r->current,
                                     .event = event,
                                     .instr = instr,
                                     .ends = EXECUTION_BY_THREAD,
                                     .done = event,
                                     .group = EXECUTION_NEVER};
}

static void record_pending(struct recorder *r, enum tracking tracking)
{
    struct pending pending = {r->x->accesses.count - 1, r->groups[tracking], tracking};
    r->x->accesses.at[pending.access].done = EXECUTION_NEVER;
    vec_push(&r->pending, pending);
}

/* Sets the columns and lanes. */
static bool place_tensor(const struct recorder *r, const struct interpreter *run,
                         const struct tmem_range *range, struct execution_access *access)
{
    const struct subject *subject = r->x->lint->subject;
    struct value v = interpret_operand(run, access->instr, range->operand);
    if (value_is_none(v) || !value_is_fixed(subject, v)) return false;
    struct value column = value_without_multiples(subject, v, LANE_UNIT);
    bool every = range->all_lanes && range->lanes != WARP / 2;
    if (value_is_none(column) || (column.base != v.base && !every)) return false;
    access->base = column.base;
    access->first = column.offset;
    access->end = plus_wrapped(column.offset, range->count ? range->count : 1);
    int64_t lane = minus_wrapped(v.offset, column.offset) / LANE_UNIT & (LANES - 1);
    int quarter = range->lanes == WARP / 2 ? 1 << (lane / (WARP / 2) & 1) : 3;
    if (range->all_lanes)
        access->lanes = (uint8_t)(quarter * EACH_QUARTER);
    else
        access->lanes = (uint8_t)(quarter << (lane / WARP * 2));
    return true;
}

static void record_tensor(struct recorder *r, const struct interpreter *run, uint32_t instr,
                          uint32_t event)
{
    const struct tensor_op *op = handover_op(r->x->lint, instr);
    enum effect effect = lint_effect(r->x->lint, instr);
    for (uint32_t i = 0; op && i < op->range_count; i++) {
        struct execution_access access = begin_access(r, instr, event);
        access.tensor = access.async = true;
        access.writes = op->ranges[i].access == TMEM_WRITES;
        if (!place_tensor(r, run, &op->ranges[i], &access)) continue;
        if (effect_is_pipe(effect)) access.ends = EXECUTION_BY_COMMIT;
        vec_push(&r->x->accesses, access);
        if (!effect_is_pipe(effect))
            record_pending(r, effect == EFFECT_ASYNC_LD ? TRACKED_LD : TRACKED_ST);
    }
}

/* A dealloc is a write of all columns that it frees. */
static void record_dealloc(struct recorder *r, const struct interpreter *run, uint32_t instr,
                           uint32_t event)
{
    struct value first = interpret_operand(run, instr, 0);
    struct value count = value_of_operand(r->x->lint->subject, instr, 1);
    if (value_is_none(first) || !value_is_fixed(r->x->lint->subject, first) ||
        !value_is_constant(count))
        return;
    struct execution_access access = begin_access(r, instr, event);
    access.tensor = access.writes = true;
    access.base = first.base;
    access.first = first.offset;
    access.end = plus_wrapped(first.offset, count.offset);
    access.lanes = EACH_QUARTER * 3;
    vec_push(&r->x->accesses, access);
}

static bool place_shared(const struct recorder *r, const struct interpreter *run,
                         const struct smem_access *smem, struct execution_access *access)
{
    const struct lint *lint = r->x->lint;
    struct value v = interpret_operand(run, smem->instr, smem->operand);
    if (value_is_none(v) || !value_is_fixed(lint->subject, v)) return false;
    struct smem_origin o = smem_origin_of_value(lint->tracing, smem->instr, v);
    if (!o.known || !o.base || o.moves || o.lanes || o.around) return false;
    if ((o.shift != 0) != smem->descriptor) return false;
    if (smem->descriptor && o.at > DESCRIPTOR_ADDRESS) o.at &= DESCRIPTOR_ADDRESS;
    access->base = o.base;
    access->first = times_wrapped(o.at, 1 << o.shift);
    access->end = plus_wrapped(access->first, smem->size);
    return true;
}

static void record_shared(struct recorder *r, const struct interpreter *run, uint32_t instr,
                          uint32_t event, uint32_t group)
{
    const struct lint *lint = r->x->lint;
    for (uint32_t i = r->smem_of[instr]; i && i <= r->smem->count; i++) {
        const struct smem_access *smem = &r->smem->at[i - 1];
        if (smem->instr != instr) return;
        struct execution_access access = begin_access(r, instr, event);
        access.writes = smem->writes;
        access.async = smem->async;
        access.group = group;
        if (!is_recorded(r, smem) || !place_shared(r, run, smem, &access)) continue;
        if (group != EXECUTION_NEVER) access.ends = EXECUTION_BY_COPY;
        if (effect_is_pipe(lint_effect(lint, instr))) access.ends = EXECUTION_BY_COMMIT;
        vec_push(&r->x->accesses, access);
        if (bulk_is_store(lint, instr)) record_pending(r, TRACKED_BULK);
        if (copy_is_in_group(lint, instr)) record_pending(r, TRACKED_COPY);
    }
}

static enum tracking tracking_of_groups(const struct lint *lint, uint32_t instr)
{
    struct str opcode = instruction_opcode(lint->subject, instr);
    return str_starts(opcode, "cp.async.bulk.") ? TRACKED_BULK : TRACKED_COPY;
}

/* A wait for accesses of that kind. left: the groups that it leaves pending; -1: it also completes
 * those of no committed group. */
static void complete_pending(struct recorder *r, uint32_t instr, enum tracking tracking,
                             int64_t left)
{
    uint32_t kept = 0;
    uint32_t event = record_event(r, new_event(instr, 0, EXECUTION_NOTHING));
    lint_spend(r->x->lint, r->pending.count / 4 + 1);
    for (uint32_t i = 0; i < r->pending.count; i++) {
        const struct pending *p = &r->pending.at[i];
        if (p->tracking == tracking && (int64_t)r->groups[tracking] - p->group > left)
            r->x->accesses.at[p->access].done = event;
        else
            r->pending.at[kept++] = *p;
    }
    r->pending.count = kept;
}

/* ---- signals and waits ---- */

static void record_init(struct recorder *r, const struct interpreter *run, uint32_t instr,
                        uint32_t channel)
{
    struct value counts = interpret_operand(run, instr, 1);
    struct execution_channel *c = &r->x->channels[channel];
    bool known = value_is_constant(counts) && counts.offset > 0;
    c->opaque |= !known || c->counts;
    c->counts = known ? counts.offset : 0;
}

/* The phase that the thread has announced also waits for the copy, so its arrival comes after the
 * copy. */
static void record_copy(struct recorder *r, const struct interpreter *run, uint32_t instr,
                        uint32_t channel)
{
    struct execution_thread *thread = &r->x->threads[r->current];
    struct at_channel *at = &r->at[channel];
    struct execution_event arrival = {.group = EXECUTION_NEVER};
    if (at->armed) {
        arrival = thread->events.at[at->armed - 1];
        thread->events.at[at->armed - 1].kind = EXECUTION_NOTHING;
    } else if (at->open == EXECUTION_NEVER) {
        at->open = new_group(r, channel);
    }
    uint32_t group = at->armed ? arrival.group : at->open;
    uint32_t event = record_event(r, new_event(instr, channel, EXECUTION_ACCESS));
    record_shared(r, run, instr, event, group);
    if (at->armed) at->armed = record_event(r, arrival) + 1;
}

static void record_arrival(struct recorder *r, const struct barrier_use *use, uint32_t channel)
{
    struct at_channel *at = &r->at[channel];
    int64_t each = arrivals_of_thread(r->x->lint, use);
    bool expects = at->expects || use->kind == BARRIER_ARRIVE_EXPECT;
    bool commits = use->kind == BARRIER_COMMIT;
    struct execution_event event =
        new_event(use->instr, channel, commits ? EXECUTION_COMMIT : EXECUTION_ARRIVE);
    if (each <= 0 || each > UINT16_MAX) {
        r->x->channels[channel].opaque = true;
        return;
    }
    event.relaxed = !commits && instruction_has(r->x->lint->subject, use->instr, ".relaxed");
    r->x->relaxed |= event.relaxed;
    event.weight = commits ? 1 : lanes_at(r, use->instr) * (uint32_t)each;
    event.group = at->open;
    if (expects && event.group == EXECUTION_NEVER) event.group = new_group(r, channel);
    uint32_t index = record_event(r, event);
    at->armed = expects ? index + 1 : 0;
    at->open = EXECUTION_NEVER;
    at->expects = false;
}

static bool record_wait(struct recorder *r, const struct interpreter *run, uint32_t instr,
                        uint32_t channel)
{
    struct value parity = interpret_operand(run, instr, 2);
    struct execution_event event = new_event(instr, channel, EXECUTION_OWN_PHASE);
    event.relaxed = instruction_has(r->x->lint->subject, instr, ".relaxed");
    r->x->relaxed |= event.relaxed;
    r->at[channel].armed = 0;
    if (instruction_has(r->x->lint->subject, instr, ".parity")) {
        if (!value_is_constant(parity)) return false;
        event.kind = EXECUTION_PARITY;
        event.parity = parity.offset & 1;
    }
    (void)record_event(r, event);
    return true;
}

/* False: the simulation of the thread ends. */
static bool record_use(struct recorder *r, const struct interpreter *run,
                       const struct barrier_use *use)
{
    const struct subject *subject = r->x->lint->subject;
    struct value key =
        interpret_operand(run, use->instr, barriers_operand(subject, use->instr, use->kind));
    uint32_t channel = channel_of(r, key, CHANNEL_MBARRIER);
    bool certain = interpret_certain(run), known = channel < EXECUTION_CHANNELS && !use->remote;
    if (use->kind == BARRIER_WAIT)
        return known && certain && record_wait(r, run, use->instr, channel);
    if (!known) {
        r->x->unknown = true;
        return false;
    }
    if (use->kind == BARRIER_ASYNC_ARRIVE) complete_pending(r, use->instr, TRACKED_COPY, -1);
    if (!certain || use->kind == BARRIER_ASYNC_ARRIVE) {
        r->x->channels[channel].opaque = true;
        return true;
    }
    switch (use->kind) {
    case BARRIER_INIT: record_init(r, run, use->instr, channel); break;
    case BARRIER_COPY: record_copy(r, run, use->instr, channel); break;
    case BARRIER_EXPECT:
        r->at[channel].armed = 0;
        r->at[channel].expects = true;
        break;
    default: record_arrival(r, use, channel); break;
    }
    return true;
}

/* bar, barrier and barrier.cluster. */
static bool record_barrier(struct recorder *r, const struct interpreter *run,
                           const struct handover *h)
{
    const struct lint *lint = r->x->lint;
    int64_t all = (int64_t)r->x->thread_count * WARP;
    bool cluster = h->channel == CHANNEL_CLUSTER;
    if ((h->channel != CHANNEL_CTA && !cluster) || !interpret_certain(run) ||
        instruction_has(lint->subject, h->instr, ".red"))
        return false;
    struct value key = cluster ? exprs_constant(0) : interpret_operand(run, h->instr, 0);
    uint32_t channel = channel_of(r, key, h->channel);
    if (channel == EXECUTION_CHANNELS) return false;
    struct execution_channel *c = &r->x->channels[channel];
    if (!cluster && lint->function->instrs[h->instr].operand_count > 1) {
        struct value counts = value_of_operand(lint->subject, h->instr, 1);
        if (!value_is_constant(counts)) return false;
        all = counts.offset;
    }
    c->opaque |= c->counts && c->counts != all;
    c->counts = all;
    struct execution_event arrival = new_event(h->instr, channel, EXECUTION_ARRIVE);
    arrival.weight = WARP;
    if (h->signals) (void)record_event(r, arrival);
    if (h->waits) (void)record_event(r, new_event(h->instr, channel, EXECUTION_OWN_PHASE));
    return true;
}

/* ---- one thread ---- */

/* Strong accesses do not race with each other. */
static bool is_weak(const struct lint *lint, uint32_t instr)
{
    const struct handover *h = handover_at(lint, instr);
    struct str base = instruction_base(lint->subject, instr);
    return (!h || h->channel == CHANNEL_WARP) && !str_is(base, "atom") && !str_is(base, "red") &&
           !instruction_has(lint->subject, instr, ".volatile") &&
           !instruction_has(lint->subject, instr, ".relaxed");
}

static void record_access(struct recorder *r, const struct interpreter *run, uint32_t instr)
{
    uint32_t event = record_event(r, new_event(instr, 0, EXECUTION_ACCESS));
    record_tensor(r, run, instr, event);
    if (frees_columns(r->x->lint, instr)) record_dealloc(r, run, instr, event);
    record_shared(r, run, instr, event, EXECUTION_NEVER);
}

static void record_fence(struct recorder *r, uint32_t instr, enum effect effect)
{
    enum execution_kind kind = effect == EFFECT_FENCE_BEFORE  ? EXECUTION_BEFORE
                               : effect == EFFECT_FENCE_AFTER ? EXECUTION_AFTER
                                                              : EXECUTION_FENCE;
    (void)record_event(r, new_event(instr, 0, kind));
}

/* What is recorded of an instruction. STEP_END: nothing is known behind it. */
enum step {
    STEP_NOT_READ,
    STEP_USE,
    STEP_TENSOR_WAIT,
    STEP_FENCE,
    STEP_BARRIER,
    STEP_END,
    STEP_GROUP_WAIT,
    STEP_GROUP_COMMIT,
    STEP_ACCESS,
    STEP_STRONG
};

static enum step execution_step_of(const struct lint *lint, uint32_t instr)
{
    const struct handover *h = handover_at(lint, instr);
    int64_t left;
    enum effect effect = lint_effect(lint, instr);
    if (barriers_at(lint->subject, instr)) return STEP_USE;
    if (effect == EFFECT_WAIT_LD || effect == EFFECT_WAIT_ST) return STEP_TENSOR_WAIT;
    if (effect_is_fence(effect) || instruction_is_memory_fence(lint->subject, instr))
        return STEP_FENCE;
    if (h && h->channel != CHANNEL_WARP && h->channel != CHANNEL_FLAG) return STEP_BARRIER;
    if (h && h->channel == CHANNEL_FLAG && h->waits) return STEP_END;
    if (group_waits(lint, instr, &left)) return STEP_GROUP_WAIT;
    if (group_commits(lint, instr)) return STEP_GROUP_COMMIT;
    return is_weak(lint, instr) ? STEP_ACCESS : STEP_STRONG;
}

static bool record_step(struct recorder *r, struct interpreter *run, uint32_t instr)
{
    const struct lint *lint = r->x->lint;
    int64_t left;
    enum effect effect = lint_effect(lint, instr);
    if (!r->steps[instr]) r->steps[instr] = (uint8_t)execution_step_of(lint, instr);
    switch ((enum step)r->steps[instr]) {
    case STEP_USE: return record_use(r, run, barriers_at(lint->subject, instr));
    case STEP_BARRIER: return record_barrier(r, run, handover_at(lint, instr));
    case STEP_FENCE: record_fence(r, instr, effect); break;
    case STEP_TENSOR_WAIT:
        complete_pending(r, instr, effect == EFFECT_WAIT_LD ? TRACKED_LD : TRACKED_ST, -1);
        break;
    case STEP_GROUP_WAIT:
        (void)group_waits(lint, instr, &left);
        complete_pending(r, instr, tracking_of_groups(lint, instr), left);
        break;
    case STEP_GROUP_COMMIT:
        if (!interpret_certain(run)) return false; /* the groups cannot be counted */
        r->groups[tracking_of_groups(lint, instr)]++;
        break;
    case STEP_ACCESS:
        if (interpret_certain(run)) record_access(r, run, instr);
        break;
    case STEP_END: return false;
    case STEP_NOT_READ:
    case STEP_STRONG: break;
    }
    return true;
}

/* Threads may go on in different ways behind a branch that the simulation does not know. */
static bool may_record(const struct recorder *r, const struct interpreter *run)
{
    return !interpret_free_choices(run) && !interpret_guesses(run) &&
           r->x->threads[r->current].events.count < r->events_most;
}

static bool look_at_step(void *context, struct interpreter *run, uint32_t instr)
{
    struct recorder *r = context;
    uint8_t asked = r->asked[instr];
    if (r->records && asked & ASKER_RECORDER) {
        r->records = may_record(r, run) && record_step(r, run, instr);
        if (!r->records) interpret_count_apart(run);
    }
    if (r->observes && asked & ASKER_OBSERVER)
        r->observes = r->observer->look(r->observer->context, run, instr);
    return r->records || r->observes;
}

/* The thread does what the other one does, as far as it was followed. */
static bool does_the_same(const struct execution_thread *thread,
                          const struct execution_thread *other)
{
    if (!thread->events.count || !other->copies || other->events.count < thread->events.count)
        return false;
    for (uint32_t e = 0; e < thread->events.count; e++) {
        const struct execution_event *a = &thread->events.at[e], *b = &other->events.at[e];
        if (a->instr != b->instr || a->channel != b->channel) return false;
    }
    return true;
}

/* An access for which no wait follows is taken as complete: a read of its registers may order it,
 * or a wait behind the end of the simulation. Other codes look for waits that are nowhere. But a
 * copy of a thread that was followed to its end stays incomplete. */
static void complete_rest(struct recorder *r, bool followed)
{
    for (uint32_t i = 0; i < r->pending.count; i++) {
        if (followed && r->pending.at[i].tracking == TRACKED_COPY) continue;
        struct execution_access *access = &r->x->accesses.at[r->pending.at[i].access];
        access->done = access->event;
    }
    r->pending.count = 0;
}

static void record_thread(struct recorder *r, struct interpreter *run, uint32_t t)
{
    struct execution *x = r->x;
    struct execution_thread *thread = &x->threads[t];
    const struct execution_observer *o = r->observer;
    r->current = t;
    r->pending.count = 0;
    memset(r->groups, 0, sizeof r->groups);
    for (uint32_t c = 0; c < EXECUTION_CHANNELS; c++)
        r->at[c] = (struct at_channel){0, EXECUTION_NEVER, false};
    thread->copies = 1;
    if (!r->records) interpret_count_apart(run);
    if (r->observes) o->begin(o->context, t * WARP);
    bool observed = r->observes, followed = interpret_thread(run, t * WARP, look_at_step, r);
    if (observed) o->end(o->context, followed);
    complete_rest(r, followed && r->records);
    if (followed || !r->records) return;
    lint_spend(x->lint, (uint64_t)thread->events.count * t / 8);
    for (uint32_t other = 0; other < t; other++)
        if (does_the_same(thread, &x->threads[other])) {
            x->threads[other].copies++;
            thread->copies = 0;
            return;
        }
}

/* Simulates the threads as long as the recorder or the observer still follows them. */
static void record_threads(struct recorder *r, struct interpreter *run)
{
    struct execution *x = r->x;
    const struct execution_observer *o = r->observer;
    for (uint32_t t = 0; t < x->thread_count; t++) {
        r->records = !x->unknown;
        r->observes = o && !o->done(o->context);
        if (!r->records && !r->observes) return;
        record_thread(r, run, t);
    }
}

/* Prepares what the recorder needs to know of the instructions. */
static void prepare_recorder(struct recorder *r)
{
    struct lint *lint = r->x->lint;
    uint32_t n = lint->function->count;
    r->events_most = EXECUTION_EVENTS / r->x->thread_count;
    r->smem = smem_accesses_find(lint->subject);
    r->smem_of = arena_alloc(lint->arena, n + 1, sizeof *r->smem_of);
    r->weight = arena_alloc(lint->arena, n + 1, sizeof *r->weight);
    r->steps = arena_alloc(lint->arena, n + 1, sizeof *r->steps);
    for (uint32_t i = r->smem->count; i-- > 0;) r->smem_of[r->smem->at[i].instr] = i + 1;
    count_stores(r);
    smem_origins_begin(lint);
}

static struct execution *record_execution(struct lint *lint,
                                          const struct execution_observer *observer)
{
    const struct lanes_shape *shape = &lint->handovers->shape;
    struct execution *x = arena_alloc(lint->arena, 1, sizeof *x);
    struct recorder r = {.x = x, .observer = observer};
    x->lint = lint;
    x->thread_count = lanes_warps_at_most(shape);
    x->unknown = x->thread_count < 2 || !(shape->warps || shape->limit) || shape->folded;
    if (x->unknown && !observer) return x;
    if (!x->unknown) prepare_recorder(&r);
    r.asked = arena_alloc(lint->arena, lint->function->count + 1, sizeof *r.asked);
    struct interpreter *run = interpret_begin(lint, interest_of_both, &r);
    interpret_keep_choices(run);
    record_threads(&r, run);
    x->unknown |= interpret_left_open(run); /* a callee may signal and wait */
    for (int behind = 0; behind < 2; behind++) x->gaps[behind] = interpret_find_gaps(run, behind);
    interpret_free(run);
    for (uint32_t c = 0; c < x->channel_count; c++)
        x->channels[c].opaque |= x->channels[c].counts <= 0;
    vec_free(&r.pending);
    return x;
}

void execution_observe(struct lint *lint, const struct execution_observer *observer)
{
    struct execution *x = lint->execution = record_execution(lint, observer);
    if (observer->done(observer->context)) return;
    for (int behind = 0; behind < 2; behind++) interpret_tell_gaps(lint, x->gaps[behind]);
}

struct execution *execution_of(struct lint *lint)
{
    if (!lint->execution) lint->execution = record_execution(lint, NULL);
    interpret_tell_gaps(lint, lint->execution->gaps[false]);
    return lint->execution;
}

void execution_free(struct execution *x)
{
    if (!x) return;
    for (uint32_t t = 0; t < x->thread_count; t++) vec_free(&x->threads[t].events);
    vec_free(&x->accesses);
    vec_free(&x->groups);
    mem_free(x->known);
}
