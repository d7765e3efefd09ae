/* Reads the directives of a body: declarations of registers, and target lists of indexed branches.
 * See directive.h. */
#include "check/model/directive.h"

enum { RANGE_MAX = 1 << 20, NESTED_RANGE_MAX = 1024 };

/* Reads `<N>` and sets pos after it. Returns N; 0 if there is none. */
static uint32_t read_range(struct program *program, uint32_t *pos)
{
    struct token token = token_next(program->text, *pos);
    if (!token_is(program->text, token, '<')) return 0;
    token = token_next(program->text, token.span.end);
    struct str digits = token_text(program->text, token.span);
    /* A number with a leading 0 is octal, or not a number. */
    uint32_t count = digits.n && digits.p[0] == '0' ? RANGE_MAX + 1 : 0;
    for (size_t i = 0; i < digits.n && count <= RANGE_MAX; i++)
        count = digits.p[i] >= '0' && digits.p[i] <= '9'
                    ? count * 10 + (uint32_t)(digits.p[i] - '0')
                    : RANGE_MAX + 1;
    token = token_next(program->text, token.span.end);
    if (!token_is(program->text, token, '>') || !count || count > RANGE_MAX)
        program_give_up(program, *pos, "a range of names that cannot be read");
    *pos = token.span.end;
    return count > RANGE_MAX ? 0 : count;
}

static void declare_registers(struct program *program, const struct statement *statement)
{
    /* Registers of the function itself need no declaration here: only a nested declaration hides
     * another register. */
    bool outermost = program->scope.open.count <= 1;
    for (uint32_t pos = statement->modifiers; pos < statement->span.end && !program->strange;) {
        struct token token = token_next(program->text, pos);
        pos = token.span.end;
        if (token.kind != TOKEN_NAME) continue;
        struct str name = token_text(program->text, token.span);
        uint32_t count = read_range(program, &pos);
        if (outermost) scope_number_range(&program->scope, name, count);
        if (!count)
            scope_declare(&program->scope, name);
        else if (!outermost && count > NESTED_RANGE_MAX)
            program_give_up(program, pos, "a long range of names in a nested block");
        else if (!scope_declare_range(&program->scope, name, outermost ? 0 : count))
            program_give_up(program, pos, "a range of names that ends in a digit");
        if (program->scope.register_count > PROGRAM_REGISTERS_DECLARED)
            program_give_up(program, pos, "too many registers");
    }
}

/* Stores `name: .branchtargets L1, L<4>;` as a table with this label. */
static void declare_table(struct program *program, const struct statement *statement,
                          struct span label)
{
    struct program_table table = {.scope = scope_current(&program->scope),
                                  .first = program->names.count};
    for (uint32_t pos = statement->modifiers; pos < statement->span.end;) {
        struct token token = token_next(program->text, pos);
        pos = token.span.end;
        if (token.kind != TOKEN_NAME) continue;
        struct str name = token_text(program->text, token.span);
        uint32_t count = read_range(program, &pos);
        if (!count) vec_push(&program->names, name);
        if (count > NESTED_RANGE_MAX) {
            program_give_up(program, pos, "a long range of labels");
            return;
        }
        for (uint32_t i = 0; i < count; i++) {
            char *one = arena_printf(program->scope.arena, "%.*s%u", (int)name.n, name.p, i);
            vec_push(&program->names, str_from(one));
        }
    }
    table.count = program->names.count - table.first;
    /* The blank keeps names of tables apart from labels of code. */
    struct str name = token_text(program->text, label);
    char *key = arena_printf(program->scope.arena, " %.*s", (int)name.n, name.p);
    scope_label(&program->scope, str_from(key), program->tables.count);
    vec_push(&program->tables, table);
}

void directive_read(struct program *program, const struct statement *statement, struct span label)
{
    struct str word = token_text(program->text, statement->head);
    if (str_is(word, ".reg")) declare_registers(program, statement);
    if (str_is(word, ".branchtargets")) declare_table(program, statement, label);
}
