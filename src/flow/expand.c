/* Copies the arrays of the function, and inserts the instructions that represent calls. See
 * expand.h. */
#include "flow/expand.h"

#include "ptx/stored.h"

/* A call that may be expanded. */
struct expanded {
    const struct callee_summary *summary; /* what the call may do */
    uint32_t at, count; /* at: the call; count: the number of instructions inserted before it */
};

struct expansion {
    const struct function *from;
    struct function *to;
    struct expanded *calls; /* in the order of the text */
    uint32_t call_count, added;
    reg_id guard; /* of all inserted instructions */
};

/* The number of inserted instructions: the events and the branch back, or 0. */
static uint32_t length_of(const struct callee_summary *summary)
{
    uint32_t events = summary ? (uint32_t)__builtin_popcount(summary->effects) : 0;
    return events ? events + 1 : 0;
}

static void find_calls(struct expansion *e, struct callees *callees, struct arena *arena)
{
    const struct function *f = e->from;
    uint32_t count = 0;
    for (uint32_t n = 0; n < f->notable_count; n++)
        count += f->instrs[f->notable[n]].opcode->effect == EFFECT_CALL;
    if (!count || f->unsupported) return;
    e->calls = arena_alloc(arena, count, sizeof *e->calls);
    for (uint32_t n = 0; n < f->notable_count; n++) {
        uint32_t i = f->notable[n];
        if (f->instrs[i].opcode->effect != EFFECT_CALL) continue;
        const struct callee_summary *summary = callees_ask(callees, &f->instrs[i]);
        if (!summary) continue;
        e->calls[e->call_count++] = (struct expanded){summary, i, length_of(summary)};
        e->added += length_of(summary);
    }
}

/* Copies the uses of the function and adds one: a write of `reg`, which represents all registers of
 * the loads and stores of callees. */
static void copy_uses(struct expansion *e, reg_id reg, struct arena *arena)
{
    const struct function *f = e->from;
    e->to->use_count = f->use_count + 1;
    e->to->uses = arena_alloc(arena, e->to->use_count, sizeof *e->to->uses);
    if (f->use_count) memcpy(e->to->uses, f->uses, f->use_count * sizeof *f->uses);
    e->to->uses[f->use_count] = (struct use){reg, true};
}

static void expand_add_event(struct expansion *e, const struct instr *call,
                             const struct opcode *opcode, uint32_t spelling)
{
    enum effect effect = opcode->effect;
    bool accesses = effect == EFFECT_ASYNC_LD || effect == EFFECT_ASYNC_ST;
    e->to->instrs[e->to->count] = (struct instr){.span = call->span,
                                                 .opcode = opcode,
                                                 .first_operand = call->first_operand,
                                                 .first_use = e->from->use_count,
                                                 .use_count = accesses,
                                                 .guard = e->guard,
                                                 .spelling = spelling,
                                                 .scope = call->scope};
    e->to->notable[e->to->notable_count++] = e->to->count++;
}

static void add_events(struct expansion *e, const struct instr *call, uint32_t effects)
{
    uint32_t first = e->to->count;
    for (uint32_t left = effects; left; left &= left - 1)
        expand_add_event(e, call, opcode_called((enum effect)__builtin_ctz(left)), UINT32_MAX);
    if (effects) expand_add_event(e, call, &opcode_called_again, first);
}

/* Sets now[i] to the index of instruction i in the new function; for a call, to the first
 * instruction inserted before it. */
static void copy_instructions(struct expansion *e, uint32_t *now)
{
    const struct function *f = e->from;
    struct function *to = e->to;
    uint32_t next = 0, notable = 0;
    to->count = to->notable_count = 0;
    for (uint32_t i = 0; i < f->count; i++) {
        bool expands = next < e->call_count && e->calls[next].at == i;
        const struct callee_summary *summary = expands ? e->calls[next++].summary : NULL;
        now[i] = to->count;
        if (summary) add_events(e, &f->instrs[i], summary->effects);
        to->instrs[to->count] = f->instrs[i];
        if (summary)
            to->instrs[to->count].opcode =
                opcode_called(summary->touches_memory ? EFFECT_MEMORY : EFFECT_REGISTER);
        if (notable < f->notable_count && f->notable[notable] == i) {
            to->notable[to->notable_count++] = to->count;
            notable++;
        }
        to->count++;
    }
}

static void move_marks(struct expansion *e, const uint32_t *now, struct arena *arena)
{
    const struct function *f = e->from;
    struct function *to = e->to;
    to->labels = arena_alloc(arena, f->label_count, sizeof *to->labels);
    to->locs = arena_alloc(arena, f->loc_count, sizeof *to->locs);
    for (uint32_t i = 0; i < f->label_count; i++) {
        to->labels[i] = f->labels[i];
        to->labels[i].target = now[f->labels[i].target];
    }
    for (uint32_t i = 0; i < f->loc_count; i++) {
        to->locs[i] = f->locs[i];
        to->locs[i].first = now[f->locs[i].first];
    }
    struct stored_list stored = stored_of(f);
    to->search = NULL;
    to->stored = arena_alloc(arena, stored.count, sizeof *to->stored);
    to->stored_count = stored.count;
    for (uint32_t i = 0; i < stored.count; i++)
        to->stored[i] = (struct stored){now[stored.at[i].load], now[stored.at[i].behind]};
}

/* "All tcgen05 instructions within a kernel must specify the same value" (ISA 9.7.16.12.1). */
static void check_groups(struct expansion *e)
{
    uint32_t groups = e->from->cta_group ? 1u << e->from->cta_group : 0;
    for (uint32_t c = 0; c < e->call_count; c++) {
        groups |= e->calls[c].summary->groups;
        if (!(groups & (groups - 1)) || e->to->unsupported) continue;
        e->to->unsupported = "unsupported";
        e->to->unsupported_why =
            "it and the functions that it calls mix .cta_group::1 and .cta_group::2";
        e->to->unsupported_at = e->from->instrs[e->calls[c].at].span.start;
    }
}

const uint32_t *expand_calls(struct function *function, struct callees *callees,
                             struct arena *arena)
{
    struct function from = *function;
    struct expansion e = {.from = &from, .to = function, .guard = function->reg_count};
    find_calls(&e, callees, arena);
    if (!e.call_count) return NULL;
    uint32_t *now = arena_alloc(arena, from.count, sizeof *now);
    function->instrs = arena_alloc(arena, from.count + e.added, sizeof *function->instrs);
    function->notable = arena_alloc(arena, from.notable_count + e.added, sizeof *function->notable);
    function->reg_count += 2;
    copy_uses(&e, e.guard + 1, arena);
    copy_instructions(&e, now);
    move_marks(&e, now, arena);
    check_groups(&e);
    return now;
}
