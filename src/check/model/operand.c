/* Operands as written, but registers by number: so that equal text is the same operand. See
 * operand.h. */
#include "check/model/operand.h"

static bool canon_add(struct operands *operands, struct str piece)
{
    if (piece.n > sizeof operands->canon - operands->canon_len) return false;
    memcpy(operands->canon + operands->canon_len, piece.p, piece.n);
    operands->canon_len += piece.n;
    return true;
}

static bool canon_register(struct operands *operands, uint32_t number)
{
    char digits[16];
    int n = 0;
    digits[sizeof digits - 1] = '#';
    for (n = 1; number; number /= 10) digits[(int)sizeof digits - ++n] = (char)('0' + number % 10);
    return canon_add(operands, (struct str){digits + (int)sizeof digits - n, (size_t)n});
}

uint32_t operand_register(struct program *program, struct span span)
{
    struct str name = token_text(program->text, span);
    if (scope_is_alias(&program->scope, name))
        program_give_up(program, span.start, "another spelling of a name that a range declares");
    return scope_register(&program->scope, name);
}

/* Adds a token to the last operand; false when it does not fit. */
static bool operand_token(struct program *program, struct operands *operands, struct token token)
{
    struct str word = token_text(program->text, token.span);
    struct operand *operand = &operands->at[operands->count - 1];
    bool fits = true;
    if (token.kind == TOKEN_NAME && !str_is(word, "_")) {
        uint32_t number = operand_register(program, token.span);
        fits = operands->name_count < sizeof operands->names / sizeof *operands->names &&
               canon_register(operands, number);
        if (fits) operands->names[operands->name_count++] = number;
    } else {
        fits = canon_add(operands, word);
    }
    operand->canon.n = (size_t)(operands->canon + operands->canon_len - operand->canon.p);
    operand->end = operands->name_count;
    return fits;
}

static void operand_start(struct operands *operands, bool is_address)
{
    struct operand *operand = &operands->at[operands->count++];
    *operand = (struct operand){.canon = {operands->canon + operands->canon_len, 0},
                                .is_address = is_address,
                                .first = operands->name_count,
                                .end = operands->name_count};
}

bool operands_read(struct program *program, uint32_t pos, bool first_only,
                   struct operands *operands)
{
    int depth = 0;
    bool fresh = true, conditional = false;
    operands->count = operands->name_count = 0;
    operands->canon_len = 0;
    for (;;) {
        struct token token = token_next(program->text, pos);
        pos = token.span.end;
        if (token.kind == TOKEN_END || token.kind == TOKEN_BAD) return false;
        if (token_is(program->text, token, ';')) return !depth;
        conditional |= token_is(program->text, token, '?');
        if (token_is(program->text, token, '@') ||
            (token_is(program->text, token, ':') && !conditional))
            return false;
        if (token_is(program->text, token, ',') && !depth) {
            if (first_only) return true;
            fresh = true;
            continue;
        }
        if (fresh && operands->count == OPERANDS_MAX) return false;
        if (fresh) operand_start(operands, token_is(program->text, token, '['));
        fresh = false;
        if (token.kind == TOKEN_PUNCT) {
            char c = program->text.p[token.span.start];
            depth += (c == '[' || c == '{' || c == '(') - (c == ']' || c == '}' || c == ')');
            if (depth < 0) return false;
        }
        if (!operand_token(program, operands, token)) return false;
    }
}
