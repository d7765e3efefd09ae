/* Translates effects to events, and assigns mma, cp and shift to pairing classes. See lower.h. */
#include "check/model/lower.h"

#include "base/work.h"
#include "check/model/assume.h"
#include "check/model/pairing.h"

/* Limit for the number of classes times the number of events and blocks that each class is followed
 * through. */
enum { COLUMNS_WORK_MAX = 20000000 };

/* Whether the touches after instruction i write reg. */
static bool work_writes(const struct program *program, uint32_t i, uint32_t reg)
{
    uint32_t end = program_touches(program, i + 1);
    for (uint32_t t = program_touches(program, i); t < end; t++) {
        work_spend(1);
        if (program->touches.at[t].reg == reg && !program->touches.at[t].reads) return true;
    }
    return false;
}

/* Whether the instruction may write reg; a call writes its results. */
static bool writes_register(const struct program *program, const struct program_instruction *at,
                            uint32_t reg)
{
    for (uint32_t w = at->writes; w < at->reads; w++)
        if (program->registers.at[w] == reg) return true;
    return false;
}

/* Returns the commit that executes exactly when the removed `@p fence::before` number i does, and
 * that follows it with only neutral work between them; NONE if there is none. */
static uint32_t commit_of_fence(const struct program *program, uint32_t i)
{
    const struct program_instruction *fence = &program->instructions.at[i];
    for (uint32_t j = i + 1; j < program->instructions.count; j++) {
        const struct program_instruction *at = &program->instructions.at[j];
        work_spend(1);
        if (work_writes(program, j - 1, fence->guard)) break;
        if (at->leads) break;
        if (at->effect == CHECK_EFFECT_COMMIT)
            return at->guarded && at->guard == fence->guard && at->negated == fence->negated &&
                           !at->joined
                       ? j
                       : PROGRAM_NONE;
        if (at->effect != CHECK_EFFECT_NEUTRAL || writes_register(program, at, fence->guard)) break;
    }
    return PROGRAM_NONE;
}

struct lower_fault lower_join(struct program *program, uint32_t assume)
{
    for (uint32_t i = 0; i < program->instructions.count; i++) {
        const struct program_instruction *at = &program->instructions.at[i];
        if (!at->deleted) continue;
        bool is_wait = at->effect == CHECK_EFFECT_WAIT_LD || at->effect == CHECK_EFFECT_WAIT_ST;
        if (is_wait && !(assume & CHECK_SYNC_IS_NO_BARRIER))
            return (struct lower_fault){i, "a wait may be a barrier of its warp"};
        if (!at->guarded) continue;
        uint32_t commit =
            at->effect == CHECK_EFFECT_BEFORE ? commit_of_fence(program, i) : PROGRAM_NONE;
        if (commit == PROGRAM_NONE)
            return (struct lower_fault){i, "it is guarded, and no commit under the same guard "
                                           "follows"};
        program->instructions.at[commit].joined = true;
    }
    return (struct lower_fault){0, NULL};
}

static uint8_t event_kind(const struct program *program, const struct program_instruction *at)
{
    switch (at->effect) {
    case CHECK_EFFECT_LD: return EVENT_LD;
    case CHECK_EFFECT_ST: return EVENT_ST;
    case CHECK_EFFECT_MMA:
    case CHECK_EFFECT_CP:
    case CHECK_EFFECT_SHIFT: return EVENT_PIPE;
    case CHECK_EFFECT_WAIT_LD: return EVENT_WAIT_LD;
    case CHECK_EFFECT_WAIT_ST: return EVENT_WAIT_ST;
    case CHECK_EFFECT_BEFORE: return EVENT_BEFORE;
    case CHECK_EFFECT_AFTER: return EVENT_AFTER;
    case CHECK_EFFECT_COMMIT: return EVENT_COMMIT;
    case CHECK_EFFECT_RELEASE_BARRIER: return EVENT_RELEASE_BARRIER;
    case CHECK_EFFECT_RELEASE_MEMORY: return EVENT_RELEASE_MEMORY;
    case CHECK_EFFECT_ACQUIRE_BARRIER: return EVENT_ACQUIRE_BARRIER;
    case CHECK_EFFECT_ACQUIRE_MEMORY: return EVENT_ACQUIRE_MEMORY;
    case CHECK_EFFECT_BOTH_BARRIER: return EVENT_BOTH_BARRIER;
    case CHECK_EFFECT_BOTH_MEMORY: return EVENT_BOTH_MEMORY;
    case CHECK_EFFECT_ALLOC: return EVENT_ALLOC;
    case CHECK_EFFECT_CALL: return EVENT_CALL;
    case CHECK_EFFECT_RET: return program->is_entry ? EVENT_EXIT : EVENT_RETURN;
    case CHECK_EFFECT_EXIT: return EVENT_EXIT;
    case CHECK_EFFECT_STRANGE: return EVENT_CALL;
    default: return EVENT_COUNT;
    }
}

/* Returns the class of an mma, cp or shift; equal ones have the same class. */
static uint32_t pipe_class(struct lower *lower, struct intern *keys,
                           const struct program_pipe *pipe)
{
    uint32_t number = intern_add(keys, 0, (struct str){(const char *)pipe, sizeof *pipe});
    if (number < lower->classes.count) return number;
    vec_push(&lower->classes, (struct monitor_class){pipe->registers, pipe->register_count, pipe});
    return number;
}

static void add_writes(struct lower *lower, const struct program *program, const uint8_t *watched,
                       uint32_t i)
{
    const struct program_instruction *at = &program->instructions.at[i];
    for (uint32_t w = at->writes; w < at->reads; w++)
        if (watched[program->registers.at[w]])
            vec_push(&lower->events, (struct monitor_event){.kind = EVENT_WRITE,
                                                            .guarded = at->guarded,
                                                            .detail = program->registers.at[w],
                                                            .tag = i});
}

/* Adds the writes of watched registers in the touches after instruction i. */
static void lower_add_work(struct lower *lower, const struct program *program,
                           const uint8_t *watched, uint32_t i)
{
    const struct program_touch *touches = program->touches.at;
    uint32_t end = program_touches(program, i + 1);
    for (uint32_t t = program_touches(program, i); t < end; t++) {
        const struct program_touch *touch = &touches[t];
        if (watched[touch->reg] && !touch->reads)
            vec_push(&lower->events, (struct monitor_event){.kind = EVENT_WRITE,
                                                            .guarded = touch->guarded,
                                                            .detail = touch->reg,
                                                            .tag = i});
    }
}

/* Adds an additional event of this kind for instruction i, in both programs. */
static void add_beside(struct lower *lower, const struct program *program, uint8_t kind, uint32_t i)
{
    vec_push(&lower->events, (struct monitor_event){.kind = kind,
                                                    .guarded = program->instructions.at[i].guarded,
                                                    .detail = MONITOR_NONE,
                                                    .tag = i});
}

static bool is_barrier(uint8_t kind)
{
    return kind == EVENT_RELEASE_BARRIER || kind == EVENT_BOTH_BARRIER;
}

/* Which partners of the thread, in other threads, may use a barrier without causality: those that
 * arrive, those that wait. */
enum { PARTNER_ARRIVES = 1, PARTNER_WAITS = 2, PARTNER_ANY = 3 };

/* Other threads run the same body; a caller or an unknown callee may do anything. */
static unsigned relaxed_partners(const struct program *program)
{
    unsigned partners = program->is_entry ? 0 : PARTNER_ANY;
    for (uint32_t i = 0; i < program->instructions.count; i++) {
        const struct program_instruction *at = &program->instructions.at[i];
        uint8_t kind = event_kind(program, at);
        if (kind == EVENT_CALL) partners = PARTNER_ANY;
        if (kind == EVENT_RELEASE_BARRIER || kind == EVENT_BOTH_BARRIER)
            partners |= at->publishes_relaxed ? PARTNER_ARRIVES : 0;
        if (kind == EVENT_ACQUIRE_BARRIER) partners |= at->receives_relaxed ? PARTNER_WAITS : 0;
    }
    return partners;
}

static void lower_add_event(struct lower *lower, const struct program *program,
                            const uint32_t *classes, unsigned partners, uint32_t i)
{
    const struct program_instruction *at = &program->instructions.at[i];
    uint8_t kind = event_kind(program, at);
    if (kind == EVENT_COUNT) return;
    bool told =
        at->publishes_relaxed || (kind == EVENT_RELEASE_BARRIER && partners & PARTNER_WAITS);
    bool learnt =
        at->receives_relaxed || (kind == EVENT_ACQUIRE_BARRIER && partners & PARTNER_ARRIVES);
    /* A removed proxy fence has the same event in both programs, since the fence that replaces it
     * publishes the same. */
    struct monitor_event event = {.kind = kind,
                                  .deleted = at->deleted,
                                  .guarded = at->guarded,
                                  .joined = at->joined,
                                  .detail = MONITOR_NONE,
                                  .tag = i};
    if (kind == EVENT_PIPE) event.detail = classes[at->detail];
    if (told)
        add_beside(lower, program,
                   is_barrier(kind) ? EVENT_RELAXED_RELEASE_BARRIER : EVENT_RELAXED_RELEASE_MEMORY,
                   i);
    vec_push(&lower->events, event);
    if (at->receives) add_beside(lower, program, learnt ? EVENT_RELAXED_RECEIPT : EVENT_RECEIPT, i);
}

static void add_blocks(struct lower *lower, const struct program *program, const uint8_t *watched,
                       const uint32_t *classes)
{
    unsigned partners = relaxed_partners(program);
    for (uint32_t b = 0; b < program->blocks.count; b++) {
        const struct flow_block *block = &program->blocks.at[b];
        struct flow_block made = {.start = lower->events.count,
                                  .succ_start = block->succ_start,
                                  .succ_end = block->succ_end};
        for (uint32_t i = block->start; i < block->end; i++) {
            lower_add_event(lower, program, classes, partners, i);
            add_writes(lower, program, watched, i);
            lower_add_work(lower, program, watched, i);
        }
        made.end = lower->events.count;
        uint32_t kinds = 0;
        for (uint32_t i = made.start; i < made.end; i++) {
            const struct monitor_event *event = &lower->events.at[i];
            kinds |= 1u << event->kind;
            lower->leads[b] |= (uint32_t)event->deleted << event->kind;
        }
        vec_push(&lower->blocks, made);
        vec_push(&lower->kinds, kinds);
        lower->graph.all_kinds |= kinds;
    }
}

void lower_build(struct lower *lower, const struct program *program, uint32_t assume,
                 const struct transfer_tables *tables)
{
    uint8_t *watched = mem_zalloc(program->register_count, 1);
    uint32_t *classes = mem_zalloc(program->pipes.count, sizeof *classes);
    struct intern keys = {0};
    for (uint32_t i = 0; i < program->pipes.count; i++) {
        const struct program_pipe *pipe = &program->pipes.at[i];
        classes[i] = pipe_class(lower, &keys, pipe);
        for (uint32_t r = 0; r < pipe->register_count; r++) watched[pipe->registers[r]] = 1;
    }
    lower->leads = mem_zalloc(program->blocks.count, sizeof *lower->leads);
    add_blocks(lower, program, watched, classes);
    lower->reached = flow_find_reached(lower->blocks.at, program->succs.at, lower->blocks.count);
    flow_spread_back(lower->blocks.at, program->succs.at, lower->blocks.count, lower->leads);
    intern_free(&keys);
    mem_free(classes);
    mem_free(watched);
    lower->graph = (struct monitor_graph){
        .events = lower->events.at,
        .blocks = lower->blocks.at,
        .succs = program->succs.at,
        .kinds = lower->kinds.at,
        .all_kinds = lower->graph.all_kinds,
        .reached = lower->reached,
        .leads = lower->leads,
        .event_count = lower->events.count,
        .block_count = lower->blocks.count,
        .is_entry = program->is_entry,
        .pipes = {lower->classes.at, lower->classes.count, pairing_under(assume)},
        .tables = tables,
    };
}

/* Sets the class of each access: that of its columns, or NONE if they are not known. */
static void number_accesses(struct lower *lower)
{
    for (uint32_t i = 0; i < lower->events.count; i++) {
        struct monitor_event *event = &lower->events.at[i];
        if (event->kind != EVENT_LD && event->kind != EVENT_ST) continue;
        uint32_t range = lower->columns.of[event->tag];
        event->detail = range == PROGRAM_NONE ? MONITOR_NONE : range;
    }
}

bool lower_tell_columns(struct lower *lower, const struct program *program)
{
    if (lower->columns.of) return false;
    columns_find(&lower->columns, program);
    uint32_t count = lower->columns.ranges.count;
    uint64_t work = ((uint64_t)count + 1) * ((uint64_t)lower->events.count + lower->blocks.count);
    if (!count || work > COLUMNS_WORK_MAX) return false;
    for (uint32_t i = 0; i < count; i++)
        vec_push(&lower->accesses, (struct monitor_class){NULL, 0, &lower->columns.ranges.at[i]});
    number_accesses(lower);
    lower->graph.accesses = (struct monitor_classes){lower->accesses.at, count, columns_are_apart};
    return true;
}

void lower_free(struct lower *lower)
{
    vec_free(&lower->events);
    vec_free(&lower->blocks);
    vec_free(&lower->kinds);
    mem_free(lower->reached);
    mem_free(lower->leads);
    vec_free(&lower->classes);
    vec_free(&lower->accesses);
    columns_free(&lower->columns);
}
