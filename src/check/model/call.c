/* Reads the operands of a call, and builds the loop of events that represents it. See call.h. */
#include "check/model/call.h"

#include "check/model/called.h"
#include "check/model/causal.h"

/* Returns the offset after the list in parentheses that begins with first; the offset of first if
 * it is not a parenthesis, 0 if the list has no end. */
static uint32_t call_skip_list(struct str text, struct token first)
{
    if (!token_is(text, first, '(')) return first.span.start;
    for (uint32_t pos = first.span.end;;) {
        struct token token = token_next(text, pos);
        bool fits = token.kind == TOKEN_NAME || token.kind == TOKEN_NUMBER ||
                    token_is(text, token, ',') || token_is(text, token, '-');
        pos = token.span.end;
        if (token_is(text, token, ')')) return pos;
        if (!fits) return 0;
    }
}

struct call_form call_read(struct str text, struct str modifiers, uint32_t pos)
{
    struct call_form form = {{0, 0}, false};
    if (modifiers.n && !str_is(modifiers, ".uni")) return form;
    struct token token = token_next(text, pos);
    form.has_returns = token_is(text, token, '(');
    if (form.has_returns) {
        pos = call_skip_list(text, token);
        struct token comma = token_next(text, pos);
        if (!pos || !token_is(text, comma, ',')) return form;
        token = token_next(text, comma.span.end);
    }
    struct span name = token.span;
    if (token.kind != TOKEN_NAME) return form;
    token = token_next(text, name.end);
    if (token_is(text, token, ',')) {
        struct token first = token_next(text, token.span.end);
        pos = token_is(text, first, '(') ? call_skip_list(text, first) : 0;
        if (!pos) return form;
        token = token_next(text, pos);
    }
    if (token_is(text, token, ';')) form.name = name;
    return form;
}

/* Adds an operation of a callee. Only its kind is known, so it pairs with nothing. */
static uint32_t add_callee_pipe(struct program *program, uint32_t effect)
{
    struct program_pipe pipe = {.effect = effect,
                                .is_strange = true,
                                .form = PROGRAM_NONE,
                                .descriptor = PROGRAM_NONE,
                                .place = PROGRAM_NONE,
                                .a = PROGRAM_NONE,
                                .metadata = PROGRAM_NONE,
                                .scales = {PROGRAM_NONE, PROGRAM_NONE}};
    vec_push(&program->pipes, pipe);
    return program->pipes.count - 1;
}

/* Returns one register that represents all registers of callees. An operation may use it after the
 * callee has written it. */
static uint32_t callees_register(struct program *program)
{
    if (!program->calls_access) program->callees_register = program->scope.register_count++;
    program->calls_access = true;
    return program->callees_register;
}

static void add_callee_event(struct program *program, const struct program_instruction *call,
                             uint32_t effect)
{
    unsigned words = causal_words((struct str){"", 0}, (struct str){"", 0}, effect);
    struct program_instruction event = {.span = call->span,
                                        .effect = (uint8_t)effect,
                                        .flags = CHECK_EFFECT_NO_RESULT,
                                        .guarded = true,
                                        .receives = words & CHECK_EFFECT_RECEIVES,
                                        .receives_relaxed = words & CHECK_EFFECT_RECEIVES_RELAXED,
                                        .publishes_relaxed = words & CHECK_EFFECT_PUBLISHES_RELAXED,
                                        .guard = PROGRAM_NONE,
                                        .detail = PROGRAM_NONE,
                                        .stored = PROGRAM_NONE};
    event.writes = event.reads = event.end = program->registers.count;
    if (effect == CHECK_EFFECT_LD || effect == CHECK_EFFECT_ST) {
        vec_push(&program->registers, callees_register(program));
        event.reads = event.end = program->registers.count;
    }
    event.work = program->touches.count;
    if (effect == CHECK_EFFECT_MMA || effect == CHECK_EFFECT_CP || effect == CHECK_EFFECT_SHIFT)
        event.detail = add_callee_pipe(program, effect);
    vec_push(&program->instructions, event);
}

/* Adds a loop of the events: the branch at the end goes back to the first event, or falls
 * through. */
static void add_loop(struct program *program, const struct program_instruction *call,
                     uint32_t effects)
{
    uint32_t first = program->instructions.count;
    for (uint32_t left = effects; left; left &= left - 1)
        add_callee_event(program, call, (uint32_t)__builtin_ctz(left));
    program->instructions.at[first].leads = true;
    add_callee_event(program, call, CHECK_EFFECT_BRANCH);
    program_last(program)->detail = program->jumps.count;
    vec_push(&program->jumps, (struct program_jump){.is_back = true, .back = first});
}

unsigned call_add(struct program *program, struct program_instruction *made,
                  const struct opcode *opcode)
{
    struct str text = program->text;
    struct call_form form = call_read(text, opcode->modifiers, opcode->end);
    if (!program->ask_called || form.name.start == form.name.end) return 0;
    const struct called_summary *summary =
        program->ask_called(program->called, text, token_text(text, form.name), program->assume);
    if (!summary->is_known) return 0;
    if (summary->effects) add_loop(program, made, summary->effects);
    made->effect = CHECK_EFFECT_NEUTRAL;
    made->early = summary->has_early;
    made->flags = form.has_returns ? 0 : CHECK_EFFECT_NO_RESULT;
    if (!summary->touches_memory) made->flags |= CHECK_EFFECT_PURE;
    return summary->groups;
}
