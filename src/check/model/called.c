/* Summarises what called functions may do. It reads bodies as body.h does, callees first. The
 * summary of a recursive function, or of one with an unknown callee, is unknown. See called.h. */
#include "check/model/called.h"

#include "check/model/assume.h"
#include "check/model/body.h"
#include "check/model/call.h"

enum { EVENTS = (1u << (CHECK_EFFECT_ALLOC + 1)) - (1u << CHECK_EFFECT_LD) };

enum progress { PROGRESS_NONE, PROGRESS_OPEN, PROGRESS_DONE };

struct known {
    struct called_summary summary;
    enum progress progress;
    uint32_t next, end; /* callees.at[next …) still have to be examined */
};

struct called {
    struct module module;
    struct body_text *bodies; /* NULL until a body is read */
    /* By function number in the module: without and with sync-is-no-barrier, the only assumption
     * that changes a summary. */
    struct VEC(struct known) both[2];
    struct VEC(uint32_t) callees;
    struct VEC(uint32_t) open; /* bodies in progress, the innermost last */
    uint32_t assume;           /* of the current query */
};

static struct known *known_of(struct called *called, uint32_t number)
{
    return &called->both[!!(called->assume & CHECK_SYNC_IS_NO_BARRIER)].at[number];
}

static const struct called_summary unknown = {.is_known = false};

/* passed: see struct module. */
static struct called *called_begin(struct str text, struct span passed)
{
    struct called *called = mem_zalloc(1, sizeof *called);
    called->module.text = text;
    called->module.passed = passed;
    module_read(&called->module);
    for (uint32_t i = 0; i < called->module.functions.count; i++) {
        vec_push(&called->both[0], (struct known){.progress = PROGRESS_NONE});
        vec_push(&called->both[1], (struct known){.progress = PROGRESS_NONE});
    }
    return called;
}

void called_free(struct called *called)
{
    if (!called) return;
    module_free(&called->module);
    vec_free(&called->both[0]);
    vec_free(&called->both[1]);
    vec_free(&called->callees);
    vec_free(&called->open);
    if (called->bodies) body_release(called->bodies);
    mem_free(called->bodies);
    mem_free(called);
}

/* Adds the callees that the call names. Returns false if they are unknown. */
static bool add_callee(struct called *called, const struct program *program,
                       const struct program_instruction *at)
{
    char joined[OPCODE_BYTES_MAX];
    struct opcode opcode;
    struct statement statement = statement_next(program->text, at->span.start, NULL);
    bool fits = opcode_read(program->opcodes, program->text, &statement, NULL, joined, &opcode);
    if (!fits) return false;
    struct call_form form = call_read(program->text, opcode.modifiers, opcode.end);
    uint32_t number = module_find(&called->module, token_text(program->text, form.name));
    if (number != INTERN_NONE) vec_push(&called->callees, number);
    return number != INTERN_NONE;
}

/* Adds one instruction to the summary. Returns false if the summary becomes unknown. */
static bool summarize_instruction(struct called *called, struct called_summary *summary,
                                  const struct program *program,
                                  const struct program_instruction *at)
{
    uint32_t bit = 1u << at->effect & EVENTS;
    summary->effects |= bit;
    summary->touches_memory |= bit || at->work_touches;
    if (at->effect == CHECK_EFFECT_NEUTRAL)
        summary->touches_memory |= !(at->flags & CHECK_EFFECT_PURE);
    if (at->effect == CHECK_EFFECT_CALL) return add_callee(called, program, at);
    summary->has_early |= at->early;
    return at->effect != CHECK_EFFECT_EXIT &&
           !(at->flags & (CHECK_EFFECT_UNKNOWN | CHECK_EFFECT_STOPS));
}

/* Reads a body and summarises it without its callees. */
static void called_read_body(struct called *called, uint32_t number)
{
    struct known *known = known_of(called, number);
    struct called_summary *summary = &known->summary;
    struct program program;
    body_read(&program, called->bodies, &called->module.functions.at[number].at, called->assume,
              false);
    *known = (struct known){.progress = PROGRESS_OPEN, .next = called->callees.count};
    summary->is_known = !program.strange;
    if (program.has_group)
        summary->groups = program.cta_group == 2 ? CHECK_EFFECT_GROUP_2 : CHECK_EFFECT_GROUP_1;
    for (uint32_t i = 0; summary->is_known && i < program.instructions.count; i++)
        summary->is_known =
            summarize_instruction(called, summary, &program, &program.instructions.at[i]);
    if (!summary->is_known) called->callees.count = known->next;
    known->end = called->callees.count;
    program_free(&program);
}

static void summary_unite(struct called_summary *into, const struct called_summary *more)
{
    into->effects |= more->effects;
    into->groups |= more->groups;
    into->touches_memory |= more->touches_memory;
    into->has_early |= more->has_early;
    into->is_known &= more->is_known;
}

/* Continues the innermost body with its next callee, or finishes it. */
static void called_advance(struct called *called)
{
    struct known *known = known_of(called, called->open.at[called->open.count - 1]);
    if (known->next == known->end || !known->summary.is_known) {
        known->progress = PROGRESS_DONE;
        called->open.count--;
        return;
    }
    uint32_t number = called->callees.at[known->next];
    const struct known *callee = known_of(called, number);
    if (callee->progress == PROGRESS_NONE) {
        vec_push(&called->open, number);
        called_read_body(called, number);
        return;
    }
    /* A callee in progress waits for this body: the call is recursive. */
    summary_unite(&known->summary, callee->progress == PROGRESS_DONE ? &callee->summary : &unknown);
    known->next++;
}

bool called_shares_registers(struct called **kept, struct str text, struct span body)
{
    if (!*kept) *kept = called_begin(text, body);
    return (*kept)->module.has_registers;
}

const struct called_summary *called_ask(struct called **kept, struct str text, struct str name,
                                        uint32_t assume)
{
    if (!*kept) *kept = called_begin(text, (struct span){0, 0});
    struct called *called = *kept;
    uint32_t number = module_find(&called->module, name);
    if (number == INTERN_NONE) return &unknown;
    if (!called->bodies) {
        called->bodies = mem_zalloc(1, sizeof *called->bodies);
        body_begin(called->bodies, text);
    }
    called->assume = assume;
    if (known_of(called, number)->progress == PROGRESS_NONE) {
        vec_push(&called->open, number);
        called_read_body(called, number);
    }
    while (called->open.count) called_advance(called);
    return &known_of(called, number)->summary;
}
