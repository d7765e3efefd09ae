/* Reads one instruction from its statement: of an ordinary instruction only the registers that it
 * writes; of mma, cp and shift also what pairs depend on; of a branch also its target. See
 * instruction.h. */
#include "check/model/instruction.h"

#include "check/model/assume.h"
#include "check/model/call.h"
#include "check/model/operand.h"
#include "check/model/touch.h"
#include "check/model/value.h"

static void push_names(struct program *program, const struct operands *operands,
                       const struct operand *operand)
{
    uint32_t count = operand->end - operand->first;
    if (!count) return;
    vec_reserve(&program->registers, count);
    memcpy(program->registers.at + program->registers.count, operands->names + operand->first,
           count * sizeof *operands->names);
    program->registers.count += count;
}

static void push_registers(struct program *program, struct program_instruction *made,
                           const struct operands *operands)
{
    made->writes = program->registers.count;
    for (uint32_t i = 0; i < operands->count; i++)
        if (instruction_writes(made, operands, i)) push_names(program, operands, &operands->at[i]);
    made->reads = program->registers.count;
    for (uint32_t i = 0; i < operands->count; i++)
        if (!instruction_writes(made, operands, i)) push_names(program, operands, &operands->at[i]);
    if (made->guarded && program->all_reads) vec_push(&program->registers, made->guard);
    made->end = program->registers.count;
}

static uint32_t canon_number(struct program *program, struct str canon)
{
    uint32_t known = intern_find(&program->operands, 0, canon);
    if (known != INTERN_NONE) return known;
    char *kept = arena_copy(program->scope.arena, canon.p, canon.n);
    return intern_add(&program->operands, 0, (struct str){kept, canon.n});
}

static void pipe_registers(struct program_pipe *pipe, const struct operands *operands,
                           const struct operand *operand)
{
    for (uint32_t i = operand->first; i < operand->end; i++) {
        if (pipe->register_count == PROGRAM_PIPE_REGISTERS) {
            pipe->is_strange = true;
            return;
        }
        pipe->registers[pipe->register_count++] = operands->names[i];
    }
}

/* Records an operand in tensor memory. An operand where no form has one makes the operation
 * strange. */
static void pipe_operand(struct program_pipe *pipe, uint32_t at, uint32_t idesc, uint32_t number)
{
    uint32_t scale = at - idesc - 1;
    if (!at)
        pipe->place = number;
    else if (pipe->effect == CHECK_EFFECT_MMA && at == 1)
        pipe->a = number;
    else if (pipe->effect == CHECK_EFFECT_MMA && at == 3 && idesc == 4)
        pipe->metadata = number;
    else if (pipe->effect == CHECK_EFFECT_MMA && at > idesc && scale < PROGRAM_PIPE_SCALES)
        pipe->scales[scale] = number;
    else
        pipe->is_strange = true;
}

static void instruction_add_pipe(struct program *program, struct program_instruction *made,
                                 const struct opcode *opcode, const struct operands *operands)
{
    struct program_pipe pipe = {.effect = made->effect,
                                .form = canon_number(program, opcode->modifiers),
                                .is_strange = (opcode->kind.words & CHECK_EFFECT_UNPAIRED) != 0,
                                .is_4x256b = (opcode->kind.words & CHECK_EFFECT_4X256B) != 0,
                                .place = PROGRAM_NONE,
                                .a = PROGRAM_NONE,
                                .metadata = PROGRAM_NONE,
                                .descriptor = PROGRAM_NONE,
                                .scales = {PROGRAM_NONE, PROGRAM_NONE}};
    uint32_t idesc = opcode->kind.words & CHECK_EFFECT_SPARSE ? 4 : 3;
    for (uint32_t i = 0; i < operands->count; i++) {
        const struct operand *operand = &operands->at[i];
        bool is_idesc = made->effect == CHECK_EFFECT_MMA && i == idesc && !operand->is_address;
        if (!is_idesc && !operand->is_address) continue;
        uint32_t number = canon_number(program, operand->canon);
        if (is_idesc)
            pipe.descriptor = number;
        else
            pipe_operand(&pipe, i, idesc, number);
        pipe_registers(&pipe, operands, operand);
    }
    if (pipe.place == PROGRAM_NONE) pipe.is_strange = true;
    if (made->effect == CHECK_EFFECT_MMA && pipe.descriptor == PROGRAM_NONE) pipe.is_strange = true;
    made->detail = program->pipes.count;
    vec_push(&program->pipes, pipe);
}

static bool is_pipe(const struct program_instruction *at)
{
    return at->effect == CHECK_EFFECT_MMA || at->effect == CHECK_EFFECT_CP ||
           at->effect == CHECK_EFFECT_SHIFT;
}

/* Records the cta_group. What a commit tracks, and which operations pair, depends on it, so a
 * function may have only one. */
static void note_group(struct program *program, const struct program_instruction *made,
                       unsigned words)
{
    bool one = words & CHECK_EFFECT_GROUP_1, two = words & CHECK_EFFECT_GROUP_2;
    uint32_t at = made->span.start;
    if (!one && !two) {
        if (is_pipe(made) || made->effect == CHECK_EFFECT_COMMIT)
            program_give_up(program, at, "an operation without its cta_group");
        return;
    }
    uint32_t group = two ? 2 : 1;
    if ((one && two) || (program->has_group && program->cta_group != group))
        program_give_up(program, at, "more than one cta_group in a function");
    program->has_group = true;
    program->cta_group = group;
}

static void add_jump(struct program *program, struct program_instruction *made, unsigned words,
                     uint32_t pos)
{
    bool indexed = made->effect == CHECK_EFFECT_INDEXED;
    struct token token = token_next(program->text, pos);
    if (indexed) {
        if (!(words & CHECK_EFFECT_BY_INDEX)) program_give_up(program, pos, "an indirect branch");
        token = token_next(program->text, token.span.end);
        if (token_is(program->text, token, ',')) token = token_next(program->text, token.span.end);
    }
    struct token last = token_next(program->text, token.span.end);
    if (token.kind != TOKEN_NAME || !token_is(program->text, last, ';'))
        program_give_up(program, pos, "a branch whose target cannot be read");
    made->detail = program->jumps.count;
    vec_push(&program->jumps, (struct program_jump){.scope = scope_current(&program->scope),
                                                    .name = token.span,
                                                    .is_table = indexed});
}

/* Returns the number of a fence.proxy.async* by its suffix. */
static uint32_t spelling_number(struct program *program, struct str modifiers)
{
    size_t n = strlen(".proxy.async");
    struct str suffix = {modifiers.p + n, modifiers.n - n};
    char *kept = arena_copy(program->scope.arena, suffix.p, suffix.n);
    return intern_add(&program->spellings, 0, (struct str){kept, suffix.n});
}

/* Records all names in an unknown instruction, which may be a branch of a later ISA. */
static void add_suspects(struct program *program, const struct statement *statement, uint32_t pos)
{
    while (pos < statement->span.end) {
        struct token token = token_next(program->text, pos);
        pos = token.span.end;
        struct program_jump suspect = {.scope = scope_current(&program->scope), .name = token.span};
        if (token.kind == TOKEN_NAME) vec_push(&program->suspects, suspect);
    }
}

/* Adjusts the effect of the opcode to the assumptions and to clocks. */
static void settle_effect(struct program *program, struct program_instruction *made)
{
    if (made->effect == CHECK_EFFECT_MEET)
        made->effect = program->assume & CHECK_SYNC_IS_NO_BARRIER ? CHECK_EFFECT_NEUTRAL
                                                                  : CHECK_EFFECT_BOTH_MEMORY;
    if (made->effect == CHECK_EFFECT_BOTH_MEMORY && !(program->assume & CHECK_SYNC_IS_NO_BARRIER))
        made->flags &= (uint8_t)~CHECK_EFFECT_ELECTION;
    /* Reading a clock makes the time of an operation observable. */
    if (!program->has_clocks) return;
    if (!token_names_clock(token_text(program->text, made->span))) return;
    if (made->effect != CHECK_EFFECT_NEUTRAL && made->effect != CHECK_EFFECT_BOTH_MEMORY)
        program_give_up(program, made->span.start, "a clock as an operand");
    made->effect = CHECK_EFFECT_BOTH_MEMORY;
    made->flags &= (uint8_t) ~(CHECK_EFFECT_PURE | CHECK_EFFECT_ELECTION);
}

/* Adds an instruction that only works on registers and ordinary memory. Only its touches are
 * stored, after the last instruction, in the order of push_registers. */
static void instruction_add_work(struct program *program, const struct program_instruction *made,
                                 const struct operands *operands)
{
    uint32_t at = made->span.start;
    program_last(program)->work_touches |= touch_of(made->flags);
    for (int reads = 0; reads <= program->all_reads; reads++)
        for (uint32_t i = 0; i < operands->count; i++)
            for (uint32_t n = operands->at[i].first; n < operands->at[i].end; n++)
                if (instruction_writes(made, operands, i) == !reads)
                    program_touch(program, at, operands->names[n], made->guarded, reads);
    if (made->guarded && program->all_reads) program_touch(program, at, made->guard, true, true);
}

static bool statement_is_proxy(const struct program *program, const struct statement *statement)
{
    return str_is(token_text(program->text, statement->head), "fence") &&
           statement_sync(program->text, statement) == SYNC_PROXY;
}

static void add_known(struct program *program, const struct statement *statement,
                      struct program_instruction *made, const struct opcode *opcode,
                      const struct operands *operands)
{
    if (made->effect == CHECK_EFFECT_CALL)
        note_group(program, made, call_add(program, made, opcode));
    push_registers(program, made, operands);
    if (made->effect == CHECK_EFFECT_BRANCH || made->effect == CHECK_EFFECT_INDEXED)
        add_jump(program, made, opcode->kind.words, opcode->end);
    if (is_pipe(made)) instruction_add_pipe(program, made, opcode, operands);
    if (statement_is_proxy(program, statement))
        made->detail = spelling_number(program, opcode->modifiers);
    made->work = program->touches.count;
    vec_push(&program->instructions, *made);
}

static void follow_value(struct program *program, const struct program_instruction *made,
                         unsigned words, const struct operands *operands)
{
    value_follow(program, made, program->instructions.count - 1, words, operands);
    if (!program_in_block(program)) value_part(program);
}

/* Reads the operand of a branch if it is a name: that of a label, not of a register. Returns false
 * if it is something else. */
static bool instruction_read_label(const struct program *program, uint32_t pos,
                                   struct operands *operands)
{
    struct token name = token_next(program->text, pos);
    uint32_t end = token_skip(program->text, name.span.end);
    if (name.kind != TOKEN_NAME || end == program->text.n || program->text.p[end] != ';')
        return false;
    operands->count = operands->name_count = 0;
    operands->end = end;
    return !scope_is_alias(&program->scope, token_text(program->text, name.span));
}

/* Reads the operands that matter. Returns false if they cannot be read. */
static bool instruction_read_operands(struct program *program,
                                      const struct program_instruction *made,
                                      const struct opcode *opcode, struct operands *operands)
{
    bool all = program->all_reads || program->follows_values ||
               made->flags & CHECK_EFFECT_ALL_RESULTS || str_is(opcode->head, "tcgen05");
    enum operands_need need = all ? OPERANDS_ALL : OPERANDS_FIRST;
    if (is_pipe(made)) need = OPERANDS_AS_WRITTEN;
    bool jumps = made->effect == CHECK_EFFECT_BRANCH;
    return (jumps && instruction_read_label(program, opcode->end, operands)) ||
           operands_read(program, opcode->end, need, operands);
}

void instruction_add(struct program *program, const struct statement *statement, bool leads,
                     const struct opcode_spelling *met)
{
    char joined[OPCODE_BYTES_MAX];
    struct opcode opcode;
    if (!opcode_read(program->opcodes, program->text, statement, met, joined, &opcode)) {
        program_give_up(program, opcode.end, "an opcode too long to read");
        return;
    }
    unsigned words = opcode.kind.words;
    struct program_instruction made = {.span = statement->span,
                                       .effect = opcode.kind.effect,
                                       .flags = opcode.kind.flags,
                                       .negated = statement->negated,
                                       .receives = words & CHECK_EFFECT_RECEIVES,
                                       .receives_relaxed = words & CHECK_EFFECT_RECEIVES_RELAXED,
                                       .publishes_relaxed = words & CHECK_EFFECT_PUBLISHES_RELAXED,
                                       .early = words & CHECK_EFFECT_EARLY,
                                       .leads = leads,
                                       .detail = PROGRAM_NONE,
                                       .stored = PROGRAM_NONE};
    made.guarded = statement->guard.end > statement->guard.start;
    if (made.guarded) made.guard = operand_register(program, statement->guard);
    settle_effect(program, &made);
    if (str_is(opcode.head, "tcgen05")) note_group(program, &made, words);
    if (made.effect == CHECK_EFFECT_STRANGE)
        program_give_up(program, made.span.start, "a tcgen05 instruction not known here");
    if (made.flags & CHECK_EFFECT_UNKNOWN) add_suspects(program, statement, opcode.end);
    struct operands operands;
    if (leads && program->follows_values) value_part(program);
    if (!instruction_read_operands(program, &made, &opcode, &operands)) {
        program_give_up(program, made.span.start, "an operand that cannot be read");
        return;
    }
    if (made.effect == CHECK_EFFECT_NEUTRAL && !leads && program_in_block(program))
        instruction_add_work(program, &made, &operands);
    else
        add_known(program, statement, &made, &opcode, &operands);
    if (program->follows_values) follow_value(program, &made, words, &operands);
}
