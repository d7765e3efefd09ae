/* What do the statements of this body do? Reads a body once, in order; of ordinary instructions
 * only the registers they write. See program.h. */
#include "check/model/program.h"

#include "check/check.h"

enum { MODIFIERS_MAX = 512, OPERANDS_MAX = 24 };

void program_give_up(struct program *program, uint32_t at, const char *why)
{
    if (program->strange) return;
    program->strange = why;
    program->strange_at = at;
}

/* The modifiers joined into buffer, with blanks and comments left out. */
static struct str join_modifiers(struct program *program, uint32_t *pos, char *buffer)
{
    size_t n = 0;
    for (;;) {
        struct token token = token_next(program->text, *pos);
        if (token.kind != TOKEN_DOT) break;
        struct str word = token_text(program->text, token.span);
        if (n + word.n > MODIFIERS_MAX) {
            program_give_up(program, *pos, "an opcode too long to read");
            break;
        }
        memcpy(buffer + n, word.p, word.n);
        n += word.n;
        *pos = token.span.end;
    }
    return (struct str){buffer, n};
}

/* One operand, as far as it matters here. */
struct operand {
    struct str canon; /* registers by number, everything else as written */
    bool is_address;
    uint32_t first, end; /* its registers in names */
};

struct operands {
    struct operand at[OPERANDS_MAX];
    uint32_t count;
    uint32_t names[256];
    uint32_t name_count;
    char canon[2048];
    size_t canon_len;
};

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

static uint32_t read_register(struct program *program, struct span span)
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
        uint32_t number = read_register(program, token.span);
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

/* Splits the operands up to `;`, or up to the first comma when one is enough. */
static bool read_operands(struct program *program, uint32_t pos, bool first_only,
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

static void push_names(struct program *program, const struct operands *operands,
                       const struct operand *operand)
{
    for (uint32_t i = operand->first; i < operand->end; i++)
        vec_push(&program->registers, operands->names[i]);
}

static bool is_result(const struct program_instruction *made, const struct operands *operands,
                      uint32_t i)
{
    if (made->flags & CHECK_EFFECT_ALL_RESULTS) return true;
    if (operands->at[i].is_address || made->flags & CHECK_EFFECT_NO_RESULT) return false;
    return i == 0 || (i == 1 && made->flags & CHECK_EFFECT_TWO_RESULTS);
}

static void push_registers(struct program *program, struct program_instruction *made,
                           const struct operands *operands)
{
    made->writes = program->registers.count;
    for (uint32_t i = 0; i < operands->count; i++)
        if (is_result(made, operands, i)) push_names(program, operands, &operands->at[i]);
    made->reads = program->registers.count;
    for (uint32_t i = 0; i < operands->count; i++)
        if (!is_result(made, operands, i)) push_names(program, operands, &operands->at[i]);
    if (made->guarded && program->all_reads) vec_push(&program->registers, made->guard);
    made->end = program->registers.count;
}

static uint32_t canon_number(struct program *program, struct str canon)
{
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

/* The modifiers without .collector…, which only say what the hardware may cache. */
static uint32_t form_number(struct program *program, struct str modifiers)
{
    char buffer[MODIFIERS_MAX];
    size_t n = 0;
    for (size_t at = 0; at < modifiers.n;) {
        size_t end = at + 1;
        while (end < modifiers.n && modifiers.p[end] != '.') end++;
        struct str word = {modifiers.p + at, end - at};
        if (!str_starts(word, ".collector::")) {
            memcpy(buffer + n, word.p, word.n);
            n += word.n;
        }
        at = end;
    }
    return canon_number(program, (struct str){buffer, n});
}

/* Which operand of an mma is in tensor memory where; one that no form has makes it strange. */
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

static void add_pipe(struct program *program, struct program_instruction *made,
                     struct str modifiers, const struct operands *operands)
{
    struct program_pipe pipe = {.effect = made->effect,
                                .form = form_number(program, modifiers),
                                .is_4x256b = check_effect_has(modifiers, ".4x256b"),
                                .place = PROGRAM_NONE,
                                .a = PROGRAM_NONE,
                                .metadata = PROGRAM_NONE,
                                .descriptor = PROGRAM_NONE,
                                .scales = {PROGRAM_NONE, PROGRAM_NONE}};
    uint32_t idesc = check_effect_has(modifiers, ".sp") ? 4 : 3;
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

/* What a commit tracks, and what pairs with what, goes by the cta_group: one a function. */
static void note_group(struct program *program, const struct program_instruction *made,
                       struct str modifiers)
{
    bool one = check_effect_has(modifiers, ".cta_group::1"),
         two = check_effect_has(modifiers, ".cta_group::2");
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

static void add_jump(struct program *program, struct program_instruction *made,
                     struct str modifiers, uint32_t pos)
{
    bool indexed = made->effect == CHECK_EFFECT_INDEXED;
    struct token token = token_next(program->text, pos);
    if (indexed) {
        if (!check_effect_has(modifiers, ".idx"))
            program_give_up(program, pos, "an indirect branch");
        token = token_next(program->text, token.span.end);
        if (token_is(program->text, token, ',')) token = token_next(program->text, token.span.end);
    }
    struct token last = token_next(program->text, token.span.end);
    if (token.kind != TOKEN_NAME || !token_is(program->text, last, ';'))
        program_give_up(program, pos, "a branch whose target cannot be read");
    made->detail = program->jumps.count;
    vec_push(&program->jumps,
             (struct program_jump){scope_current(&program->scope), token.span, indexed});
}

/* fence.proxy.async* by its suffix. */
static uint32_t spelling_number(struct program *program, struct str modifiers)
{
    size_t n = strlen(".proxy.async");
    struct str suffix = {modifiers.p + n, modifiers.n - n};
    char *kept = arena_copy(program->scope.arena, suffix.p, suffix.n);
    return intern_add(&program->spellings, 0, (struct str){kept, suffix.n});
}

/* An instruction that is not known may be a branch of a later ISA. */
static void add_suspects(struct program *program, const struct statement *statement, uint32_t pos)
{
    while (pos < statement->span.end) {
        struct token token = token_next(program->text, pos);
        pos = token.span.end;
        struct program_jump suspect = {scope_current(&program->scope), token.span, false};
        if (token.kind == TOKEN_NAME) vec_push(&program->suspects, suspect);
    }
}

/* Clocks tell when something happened: reading one takes part in the order of things. */
static bool reads_clock(struct str text)
{
    const char *end = text.p + text.n;
    for (const char *at = text.p; (at = memchr(at, '%', (size_t)(end - at))); at++) {
        struct str rest = {at, (size_t)(end - at)};
        if (str_starts(rest, "%clock") || str_starts(rest, "%globaltimer")) return true;
    }
    return false;
}

/* What the opcode's class comes to here. */
static void settle_effect(struct program *program, struct program_instruction *made)
{
    if (made->effect == CHECK_EFFECT_MEET)
        made->effect = program->assume & CHECK_SYNC_IS_NO_BARRIER ? CHECK_EFFECT_NEUTRAL
                                                                  : CHECK_EFFECT_BOTH_MEMORY;
    if (!reads_clock(token_text(program->text, made->span))) return;
    if (made->effect != CHECK_EFFECT_NEUTRAL && made->effect != CHECK_EFFECT_BOTH_MEMORY)
        program_give_up(program, made->span.start, "a clock as an operand");
    made->effect = CHECK_EFFECT_BOTH_MEMORY;
    made->flags &= (uint8_t)~CHECK_EFFECT_PURE;
}

static void add_instruction(struct program *program, const struct statement *statement, bool leads,
                            bool deleted)
{
    char buffer[MODIFIERS_MAX];
    uint32_t pos = statement->modifiers;
    struct str head = token_text(program->text, statement->head);
    struct str modifiers = join_modifiers(program, &pos, buffer);
    struct check_effect_class kind = check_effect_of(head, modifiers);
    struct program_instruction made = {.span = statement->span,
                                       .effect = kind.effect,
                                       .flags = kind.flags,
                                       .negated = statement->negated,
                                       .leads = leads,
                                       .deleted = deleted,
                                       .detail = PROGRAM_NONE};
    made.guarded = statement->guard.end > statement->guard.start;
    if (made.guarded) made.guard = read_register(program, statement->guard);
    settle_effect(program, &made);
    bool tensor = str_is(head, "tcgen05");
    if (tensor) note_group(program, &made, modifiers);
    if (made.effect == CHECK_EFFECT_STRANGE)
        program_give_up(program, made.span.start, "a tcgen05 instruction not known here");
    if (!check_effect_is_known(head)) add_suspects(program, statement, pos);
    struct operands operands;
    bool first_only = !tensor && !program->all_reads && !(made.flags & CHECK_EFFECT_ALL_RESULTS);
    if (!read_operands(program, pos, first_only, &operands)) {
        program_give_up(program, made.span.start, "an operand that cannot be read");
        return;
    }
    push_registers(program, &made, &operands);
    if (made.effect == CHECK_EFFECT_BRANCH || made.effect == CHECK_EFFECT_INDEXED)
        add_jump(program, &made, modifiers, pos);
    if (is_pipe(&made)) add_pipe(program, &made, modifiers, &operands);
    if (statement_sync(program->text, statement) == SYNC_PROXY)
        made.detail = spelling_number(program, modifiers);
    vec_push(&program->instructions, made);
}

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
    case STATEMENT_DIRECTIVE: program_directive(program, statement, *label); break;
    case STATEMENT_INSTRUCTION:
        add_instruction(program, statement, *leads, deleted);
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

void program_read(struct program *program, struct arena *arena, struct str text,
                  const struct outline *outline, uint32_t index, uint32_t assume)
{
    /* In the order of PROGRAM_PROXY_FULL and so on. */
    static const char *const spellings[] = {"", ".global", ".shared::cta", ".shared::cluster"};
    const struct outline_function *function = &outline->functions.at[index];
    *program = (struct program){.text = text,
                                .is_entry = function->is_entry,
                                .assume = assume,
                                .all_reads = !(assume & CHECK_REGISTER_DEPENDENCY)};
    scope_init(&program->scope, arena);
    for (size_t i = 0; i < sizeof spellings / sizeof *spellings; i++)
        intern_add(&program->spellings, 0, str_from(spellings[i]));
    uint32_t site = first_site(outline, index), pos = function->body;
    struct span label = {0, 0};
    bool leads = true;
    while (!program->strange) {
        struct statement statement = statement_next(text, pos);
        bool is_site = site < outline->sites.count &&
                       outline->sites.at[site].span.start == statement.span.start;
        bool deleted = is_site && outline->sites.at[site].deleted;
        read_statement(program, &statement, &label, &leads, deleted);
        site += is_site;
        pos = statement.span.end;
        if (statement.kind == STATEMENT_CLOSE && !scope_close(&program->scope)) break;
    }
    add_end(program, pos ? pos - 1 : 0);
    program->register_count = program->scope.register_count;
    program->spelling_count = program->spellings.count;
    if (!program->strange) program_connect(program);
}

void program_free(struct program *program)
{
    vec_free(&program->instructions);
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
}
