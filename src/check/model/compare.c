/* Reads the statements that set a predicate by a comparison. See compare.h. */
#include "check/model/compare.h"

static bool compare_add_text(struct compare *compare, struct str piece)
{
    if (piece.n > sizeof compare->text - compare->length) return false;
    memcpy(compare->text + compare->length, piece.p, piece.n);
    compare->length += (uint32_t)piece.n;
    return true;
}

/* Adds the number or register at *pos, and skips it. All scopes are closed already, so the name
 * must mean the same register in all of them. */
static bool compare_add_operand(const struct program *program, struct compare *compare,
                                uint32_t *pos)
{
    struct str text = program->text;
    uint32_t at = token_skip(text, *pos);
    if (token_class_at(text, at, TOKEN_CLASS_LETTER) || (at < text.n && text.p[at] == '%')) {
        uint32_t reg = scope_register_everywhere(&program->scope, text, at, pos);
        if (reg == PROGRAM_NONE) return false;
        compare->registers[compare->count++] = reg;
        return compare_add_text(compare, (struct str){"#", 1}) &&
               compare_add_text(compare, (struct str){(const char *)&reg, sizeof reg});
    }
    struct token token = token_next(text, at);
    bool minus = token_is(text, token, '-');
    if (minus) token = token_next(text, token.span.end);
    *pos = token.span.end;
    return token.kind == TOKEN_NUMBER && compare_add_text(compare, (struct str){"-", minus}) &&
           compare_add_text(compare, token_text(text, token.span));
}

static bool pass_byte(const struct program *program, uint32_t *pos, char punct)
{
    struct token token = token_next(program->text, *pos);
    *pos = token.span.end;
    return token_is(program->text, token, punct);
}

bool compare_read(const struct program *program, uint32_t at, struct compare *compare)
{
    struct str text = program->text;
    struct statement statement = statement_next(text, at, NULL);
    *compare = (struct compare){.length = 0};
    if (!str_is(token_text(text, statement.head), "setp")) return false;
    struct token token = token_next(text, statement.modifiers);
    for (; token.kind == TOKEN_DOT; token = token_next(text, token.span.end))
        if (!compare_add_text(compare, token_text(text, token.span))) return false;
    uint32_t pos = token.span.end;
    return token.kind == TOKEN_NAME && pass_byte(program, &pos, ',') &&
           compare_add_text(compare, (struct str){" ", 1}) &&
           compare_add_operand(program, compare, &pos) && pass_byte(program, &pos, ',') &&
           compare_add_text(compare, (struct str){",", 1}) &&
           compare_add_operand(program, compare, &pos) && pass_byte(program, &pos, ';');
}
