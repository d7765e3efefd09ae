/* Reads operands as written, with registers replaced by numbers, so that equal text is the same
 * operand. See operand.h. */
#include "check/model/operand.h"

/* Appends text to the last operand. */
static bool canon_add(struct operands *operands, struct str piece)
{
    if (piece.n > sizeof operands->canon - operands->canon_len) return false;
    memcpy(operands->canon + operands->canon_len, piece.p, piece.n);
    operands->canon_len += piece.n;
    operands->at[operands->count - 1].canon.n += piece.n;
    return true;
}

/* Appends a register: a hash, which no token contains, and the bytes of the number. */
static bool canon_register(struct operands *operands, uint32_t number)
{
    char bytes[1 + sizeof number] = {'#'};
    memcpy(bytes + 1, &number, sizeof number);
    return canon_add(operands, (struct str){bytes, sizeof bytes});
}

/* Returns the register of a name that no range has. */
static uint32_t operand_look_up(struct program *program, struct span span)
{
    struct str name = token_text(program->text, span);
    if (scope_is_alias(&program->scope, name))
        program_give_up(program, span.start, "another spelling of a name that a range declares");
    return scope_register(&program->scope, name);
}

/* Returns the register at pos and its end if a range contains its name; otherwise NONE. */
static uint32_t usual_register(const struct program *program, uint32_t pos, uint32_t *end)
{
    return scope_register_in_range(&program->scope, program->text, pos, end);
}

uint32_t operand_register(struct program *program, struct span span)
{
    uint32_t end, usual = usual_register(program, span.start, &end);
    return usual == PROGRAM_NONE ? operand_look_up(program, span) : usual;
}

static void operand_start(struct operands *operands, bool is_address)
{
    struct operand *operand = &operands->at[operands->count++];
    *operand = (struct operand){.canon = {operands->canon + operands->canon_len, 0},
                                .is_address = is_address,
                                .first = operands->name_count,
                                .end = operands->name_count};
}

enum { NAMES_MAX = sizeof((struct operands *)0)->names / sizeof(uint32_t) };

/* Adds a register to the last operand. Returns false if there are too many. */
static inline bool operand_name(struct operands *operands, uint32_t number)
{
    if (operands->name_count == NAMES_MAX) return false;
    operands->names[operands->name_count++] = number;
    operands->at[operands->count - 1].end = operands->name_count;
    return !operands->as_written || canon_register(operands, number);
}

/* Adds the registers that follow in a vector, most of which are in ranges, to the last operand, as
 * many as fit. A comma in a vector has no effect. Returns the offset after them. */
static inline uint32_t take_elements(const struct program *program, uint32_t pos,
                                     struct operands *operands)
{
    struct str text = program->text;
    uint32_t count = operands->name_count;
    while (pos < text.n && text.p[pos] == ',' && count < NAMES_MAX) {
        uint32_t end, at = token_skip_blanks(text, pos + 1);
        uint32_t usual = usual_register(program, at, &end);
        pos = usual == PROGRAM_NONE ? at : end;
        if (usual != PROGRAM_NONE) operands->names[count++] = usual;
    }
    operands->name_count = count;
    operands->at[operands->count - 1].end = count;
    return pos;
}

/* Adds a token to the last operand. Returns false if it does not fit. */
static bool operand_token(struct program *program, struct operands *operands, struct token token)
{
    struct str word = token_text(program->text, token.span);
    if (token.kind == TOKEN_NAME && !str_is(word, "_"))
        return operand_name(operands, operand_look_up(program, token.span));
    return !operands->as_written || canon_add(operands, word);
}

/* Begins a new operand if *fresh. Returns false if there are too many. */
static bool operand_start_fresh(struct operands *operands, bool *fresh, bool is_address)
{
    if (*fresh && operands->count == OPERANDS_MAX) return false;
    if (*fresh) operand_start(operands, is_address);
    *fresh = false;
    return true;
}

/* Returns 1 for an opening bracket, -1 for a closing one, otherwise 0. */
static int bracket(char c)
{
    switch (c) {
    case '[':
    case '{':
    case '(': return 1;
    case ']':
    case '}':
    case ')': return -1;
    default: return 0;
    }
}

bool operands_read(struct program *program, uint32_t pos, enum operands_need need,
                   struct operands *operands)
{
    int depth = 0;
    bool fresh = true, conditional = false;
    struct str text = program->text;
    operands->count = operands->name_count = 0;
    operands->canon_len = 0;
    operands->as_written = need == OPERANDS_AS_WRITTEN;
    for (;;) {
        pos = token_skip(text, pos);
        char c = pos < text.n ? text.p[pos] : '\0';
        unsigned classes = token_classes[(unsigned char)c];
        bool may_be = classes & TOKEN_CLASS_LETTER || c == '%';
        uint32_t usual = may_be ? usual_register(program, pos, &pos) : PROGRAM_NONE;
        if (usual != PROGRAM_NONE) {
            if (!operand_start_fresh(operands, &fresh, false)) return false;
            if (!operand_name(operands, usual)) return false;
            if (depth && !operands->as_written) pos = take_elements(program, pos, operands);
            continue;
        }
        if (!(classes & TOKEN_CLASS_PUNCT)) {
            struct token token = token_next(text, pos);
            operands->end = pos = token.span.end;
            if (token.kind == TOKEN_END || token.kind == TOKEN_BAD) return false;
            if (!operand_start_fresh(operands, &fresh, false)) return false;
            if (!operand_token(program, operands, token)) return false;
            continue;
        }
        operands->end = c == ';' ? pos : pos + 1;
        pos++;
        if (c == ';') return !depth;
        conditional |= c == '?';
        if (c == '@' || (c == ':' && !conditional)) return false;
        if (c == ',' && !depth) {
            if (need == OPERANDS_FIRST) return true;
            fresh = true;
            continue;
        }
        if (!operand_start_fresh(operands, &fresh, c == '[')) return false;
        depth += bracket(c);
        if (depth < 0) return false;
        if (operands->as_written && !canon_add(operands, (struct str){text.p + pos - 1, 1}))
            return false;
    }
}

bool instruction_writes(const struct program_instruction *made, const struct operands *operands,
                        uint32_t i)
{
    if (made->flags & CHECK_EFFECT_ALL_RESULTS) return true;
    if (operands->at[i].is_address || made->flags & CHECK_EFFECT_NO_RESULT) return false;
    return i == 0 || (i == 1 && made->flags & CHECK_EFFECT_TWO_RESULTS);
}
