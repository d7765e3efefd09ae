/* Stores the data of a body, and why there is no verdict. See program.h. */
#include "check/model/program.h"

void program_give_up(struct program *program, uint32_t at, const char *why)
{
    if (program->strange) return;
    program->strange = why;
    program->strange_at = at;
}

struct span program_span(const struct program *program, uint32_t number)
{
    if (!(number & PROGRAM_TOUCH)) return program->instructions.at[number].span;
    uint32_t start = program->touches.at[number & ~PROGRAM_TOUCH].at;
    return statement_next(program->text, start, NULL).span;
}

void program_free(struct program *program)
{
    vec_free(&program->values.registers);
    vec_free(&program->values.loads);
    vec_free(&program->values.rests);
    vec_free(&program->values.holders);
    vec_free(&program->values.written);
    vec_free(&program->sites);
    vec_free(&program->instructions);
    vec_free(&program->touches);
    vec_free(&program->registers);
    vec_free(&program->pipes);
    vec_free(&program->blocks);
    vec_free(&program->succs);
    scope_free(&program->scope);
    intern_free(&program->operands);
    intern_free(&program->spellings);
    vec_free(&program->jumps);
    vec_free(&program->suspects);
    vec_free(&program->tables);
    vec_free(&program->names);
    arena_free(&program->arena);
}
