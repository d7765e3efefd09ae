/* Reads a body once, in order: its statements, then the blocks that they make. See body.h. */
#include "check/model/body.h"

#include "base/work.h"
#include "check/model/assume.h"
#include "check/model/connect.h"
#include "check/model/directive.h"
#include "check/model/instruction.h"

static void read_statement(struct program *program, const struct statement *statement,
                           struct span *label, bool *leads, bool deleted)
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
        instruction_add(program, statement, *leads, deleted);
        *leads = false;
        break;
    case STATEMENT_BAD:
    case STATEMENT_END:
        program_give_up(program, statement->span.start, "a statement that cannot be read");
        break;
    case STATEMENT_CLOSE:
    case STATEMENT_EMPTY: break;
    }
}

/* Running off the end of a body is leaving the function. */
static void add_end(struct program *program, uint32_t at)
{
    struct program_instruction made = {.span = {at, at},
                                       .effect = CHECK_EFFECT_RET,
                                       .leads = true,
                                       .flags = CHECK_EFFECT_NO_RESULT,
                                       .detail = PROGRAM_NONE};
    made.writes = made.reads = made.end = program->registers.count;
    made.work = program->touches.count;
    vec_push(&program->instructions, made);
}

/* The first site of function number index or a later one. */
static uint32_t first_site(const struct outline *outline, uint32_t index)
{
    uint32_t low = 0, high = outline->sites.count;
    while (low < high) {
        uint32_t mid = low + (high - low) / 2;
        if (outline->sites.at[mid].function < index)
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

void body_read(struct program *program, struct str text, const struct outline *outline,
               struct opcode_memo *opcodes, uint32_t index, uint32_t assume)
{
    /* In the order of PROGRAM_PROXY_FULL and so on. */
    static const char *const spellings[] = {"", ".global", ".shared::cta", ".shared::cluster"};
    const struct outline_function *function = &outline->functions.at[index];
    *program = (struct program){.text = text,
                                .is_entry = function->is_entry,
                                .assume = assume,
                                .all_reads = !(assume & CHECK_REGISTER_DEPENDENCY)};
    program->opcodes = opcodes;
    program->has_clocks = outline->has_clocks;
    scope_init(&program->scope, &program->arena, (function->whole.end - function->body) / 16);
    for (size_t i = 0; i < sizeof spellings / sizeof *spellings; i++)
        intern_add(&program->spellings, 0, str_from(spellings[i]));
    uint32_t site = first_site(outline, index), pos = function->body;
    struct span label = {0, 0};
    bool leads = true;
    struct statement_memo memo = {0};
    while (!program->strange) {
        work_spend(1);
        pos = token_skip(text, pos);
        uint32_t end = leads ? 0 : instruction_add_usual(program, pos);
        if (end) {
            pos = end;
            continue;
        }
        struct statement statement = statement_next(text, pos, &memo);
        bool is_site = site < outline->sites.count &&
                       outline->sites.at[site].span.start == statement.span.start;
        bool deleted = is_site && outline->sites.at[site].deleted;
        read_statement(program, &statement, &label, &leads, deleted);
        site += is_site;
        pos = statement.span.end;
        if (statement.kind == STATEMENT_CLOSE && !scope_close(&program->scope)) break;
    }
    vec_free(&memo.braces);
    add_end(program, pos ? pos - 1 : 0);
    program->register_count = program->scope.register_count;
    if (!program->strange) connect_blocks(program);
}
