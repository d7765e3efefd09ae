/* Reads a body once, in order: its statements, then its basic blocks. See body.h. */
#include "check/model/body.h"

#include "base/work.h"
#include "check/model/assume.h"
#include "check/model/connect.h"
#include "check/model/directive.h"
#include "check/model/instruction.h"
#include "check/model/touch.h"
#include "check/model/value.h"

static void read_statement(struct program *program, const struct statement *statement,
                           const struct opcode_spelling *met, struct span *label, bool *leads)
{
    switch (statement->kind) {
    case STATEMENT_OPEN:
        if (!scope_open(&program->scope))
            program_give_up(program, statement->span.start, "blocks nested too deep");
        break;
    case STATEMENT_LABEL:
        *label = statement->head;
        *leads = true;
        scope_label(&program->scope, token_text(program->text, statement->head),
                    program->instructions.count);
        break;
    case STATEMENT_DIRECTIVE: directive_read(program, statement, *label); break;
    case STATEMENT_INSTRUCTION:
        instruction_add(program, statement, *leads, met);
        *leads = false;
        break;
    case STATEMENT_BAD:
    case STATEMENT_END:
        program_give_up(program, statement->span.start, "a statement that cannot be read");
        break;
    case STATEMENT_CLOSE: scope_close(&program->scope); break;
    case STATEMENT_EMPTY: break;
    }
}

/* The end of a body without a ret leaves the function. */
static void add_end(struct program *program, uint32_t at)
{
    struct program_instruction made = {.span = {at, at},
                                       .effect = CHECK_EFFECT_RET,
                                       .leads = true,
                                       .flags = CHECK_EFFECT_NO_RESULT,
                                       .detail = PROGRAM_NONE,
                                       .stored = PROGRAM_NONE};
    made.writes = made.reads = made.end = program->registers.count;
    made.work = program->touches.count;
    vec_push(&program->instructions, made);
}

void body_begin(struct body_text *of, struct str text)
{
    enum { BYTES_A_REGISTER = 16 };
    of->opcodes = opcode_memo_new();
    of->text = text;
    of->has_clocks = token_names_clock(text);
    of->room = (uint32_t)(text.n / BYTES_A_REGISTER);
}

void body_release(struct body_text *of)
{
    mem_free(of->opcodes);
}

static void begin_program(struct program *program, struct body_text *of,
                          const struct outline_function *function, uint32_t assume,
                          bool follows_values)
{
    /* In the order of PROGRAM_PROXY_FULL and the following constants. */
    static const char *const spellings[] = {"", ".global", ".shared::cta", ".shared::cluster"};
    *program = (struct program){.text = of->text,
                                .is_entry = function->is_entry,
                                .assume = assume,
                                .all_reads = !(assume & CHECK_REGISTER_DEPENDENCY),
                                .follows_values = follows_values};
    program->opcodes = of->opcodes;
    program->ask_called = of->ask_called;
    program->called = &of->called;
    program->has_clocks = of->has_clocks;
    scope_init(&program->scope, &program->arena, &of->room);
    for (size_t i = 0; i < sizeof spellings / sizeof *spellings; i++)
        intern_add(&program->spellings, 0, str_from(spellings[i]));
}

/* Registers that a statement writes, in order. */
enum { RESULTS_MAX = 8 };
struct results {
    uint32_t of[RESULTS_MAX], count;
};

/* Returns the register whose name is at *at, and moves *at after it; PROGRAM_NONE if there is none,
 * or if the name may be another spelling of one in a range. */
static inline uint32_t read_result(struct program *program, uint32_t *at)
{
    struct str text = program->text;
    if (*at >= text.n) return PROGRAM_NONE;
    bool marked = text.p[*at] == '%';
    if (!marked && !token_class_at(text, *at, TOKEN_CLASS_LETTER)) return PROGRAM_NONE;
    uint32_t start = *at, result = scope_register_in_range(&program->scope, text, start, at);
    if (result != PROGRAM_NONE) return result;
    *at = token_word_end(text, start + 1);
    struct str name = {text.p + start, *at - start};
    bool is_none = name.n == 1 && (marked || *name.p == '_');
    if (is_none || scope_is_alias(&program->scope, name)) return PROGRAM_NONE;
    return scope_register(&program->scope, name);
}

/* Reads a register, or several in braces. Returns the offset after them; 0 if there is anything
 * else. */
static inline uint32_t read_results(struct program *program, uint32_t at, struct results *results)
{
    struct str text = program->text;
    bool many = at < text.n && text.p[at] == '{';
    for (at += many; results->count < RESULTS_MAX; at = token_skip_blanks(text, at + 1)) {
        uint32_t result = read_result(program, &at);
        if (result == PROGRAM_NONE) return 0;
        results->of[results->count++] = result;
        if (!many) return at;
        at = token_skip_blanks(text, at);
        if (at < text.n && text.p[at] == '}') return at + 1;
        if (at >= text.n || text.p[at] != ',') return 0;
    }
    return 0;
}

/* Returns the offset after `[register]` or `[register+number]`, with a register of a range; 0 if
 * there is anything else. */
static inline uint32_t pass_address(const struct program *program, uint32_t at)
{
    struct str text = program->text;
    if (at >= text.n || text.p[at] != '[') return 0;
    if (scope_register_in_range(&program->scope, text, at + 1, &at) == PROGRAM_NONE) return 0;
    if (at < text.n && text.p[at] == '+')
        for (at++; token_class_at(text, at, TOKEN_CLASS_DIGIT);) at++;
    return at < text.n && text.p[at] == ']' ? at + 1 : 0;
}

/* Adds the instruction at pos if it is of the most common kind: it writes registers, or only the
 * memory at an address, has no other effect on registers or on ordering, and is in the middle of a
 * block. Returns the offset after it. Otherwise returns 0, and the caller must use statement_next
 * and instruction_add. met: result of opcode_met or opcode_learn. */
static inline uint32_t add_usual(struct program *program, uint32_t pos,
                                 const struct opcode_spelling *met)
{
    const uint8_t usual = CHECK_EFFECT_PURE | CHECK_EFFECT_NO_GLOBAL | CHECK_EFFECT_NO_SHARED |
                          CHECK_EFFECT_NO_RESULT;
    struct str text = program->text;
    struct results results = {.count = 0};
    if (!met || met->kind.effect != CHECK_EFFECT_NEUTRAL || met->kind.flags & ~usual) return 0;
    uint32_t behind = token_skip_blanks(text, pos + met->length);
    behind = met->kind.flags & CHECK_EFFECT_NO_RESULT ? pass_address(program, behind)
                                                      : read_results(program, behind, &results);
    if (!behind) return 0;
    uint32_t end = statement_plain_stop(text, behind);
    if (end == text.n || (end > behind && text.p[behind] != ',')) return 0;
    if (program->follows_values) {
        struct span reads = {results.count ? behind : pos + met->length, end};
        if (!value_follow_usual(program, reads, &met->kind, results.of, results.count)) return 0;
    }
    program_last(program)->work_touches |= touch_of(met->kind.flags);
    for (uint32_t i = 0; i < results.count; i++)
        program_touch(program, pos, results.of[i], false, false);
    return end + 1;
}

/* Reads all statements up to the closing brace of the body, and all sites. The model is built as
 * far as the statements are understood. */
static uint32_t read_statements(struct program *program, uint32_t pos)
{
    struct span label = {0, 0};
    bool leads = true, may_be_usual = false;
    struct statement_memo memo = {0};
    for (uint32_t depth = 1; depth;) {
        work_spend(1);
        uint32_t start = token_skip_line(program->text, pos);
        const struct opcode_spelling *met = opcode_met(program->opcodes, program->text, start);
        if (!met && may_be_usual) met = opcode_learn(program->opcodes, program->text, start);
        uint32_t end = may_be_usual ? add_usual(program, start, met) : 0;
        if (end) {
            pos = end;
            continue;
        }
        struct statement statement = statement_next(program->text, start, &memo);
        if (statement_sync(program->text, &statement) != SYNC_NONE)
            vec_push(&program->sites, (struct statement_site){.span = statement.span, .gap = pos});
        if (!program->strange) read_statement(program, &statement, met, &label, &leads);
        may_be_usual =
            !leads && !program->has_clocks && !program->all_reads && program_in_block(program);
        if (statement.kind == STATEMENT_END) break;
        if (statement.kind == STATEMENT_OPEN) depth++;
        if (statement.kind == STATEMENT_CLOSE) depth--;
        pos = statement.span.end;
    }
    vec_free(&memo.braces);
    return pos;
}

uint32_t body_read(struct program *program, struct body_text *of,
                   const struct outline_function *function, uint32_t assume, bool follows_values)
{
    begin_program(program, of, function, assume, follows_values);
    uint32_t end = read_statements(program, function->body);
    program->body = (struct span){function->body, end};
    add_end(program, end - 1);
    program->register_count = program->scope.register_count;
    if (!program->strange && follows_values) value_settle(program);
    if (!program->strange) connect_blocks(program);
    return end;
}

void body_delete(struct program *program, const struct statement_sites *sites)
{
    uint32_t i = 0;
    for (uint32_t s = 0; s < sites->count; s++) {
        while (program->instructions.at[i].span.start < sites->at[s].span.start) i++;
        program->instructions.at[i].deleted = sites->at[s].deleted;
    }
}
