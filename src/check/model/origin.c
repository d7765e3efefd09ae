/* Follows a register to the only statement that writes it, and on to the register that this
 * statement reads. A base has one writer, which certainly runs, runs once, and runs before each
 * use; so all uses read the same value. See origin.h. */
#include "check/model/origin.h"

#include "base/work.h"

/* After STEPS_MAX steps the current register is the base; after ORIGINS_WORK_MAX units of searches
 * nothing is known. */
enum { STEPS_MAX = 64, ORIGINS_WORK_MAX = 50000000 };

enum step_kind {
    STEP_OTHER,
    STEP_NUMBER,
    STEP_ADD,
    STEP_SUB,
    STEP_OR,
    STEP_AND,
    STEP_SHL,
    STEP_MUL
};

/* What a statement computes: a number, or a function of a register and a number. */
struct origin_step {
    enum step_kind kind;
    uint32_t source; /* register, or NONE */
    uint32_t number;
};

/* ---- writers ---- */

static void add_writer(struct origins *origins, uint32_t reg, uint32_t at, bool may)
{
    struct origin_writer *writer = &origins->writers[reg];
    if (writer->count < 2) writer->count++;
    writer->at = at;
    writer->may |= may;
}

/* Whether a write may not happen or may happen later: an unknown instruction may not write the
 * registers that it names, and tcgen05.ld writes later than it executes. */
static bool may_write(const struct program_instruction *at)
{
    return at->guarded || at->flags & CHECK_EFFECT_ALL_RESULTS || at->effect == CHECK_EFFECT_LD;
}

static void origins_find_starts(struct origins *origins)
{
    const struct program *program = origins->program;
    uint32_t count = program->instructions.count;
    origins->starts = mem_alloc(count * sizeof *origins->starts);
    memset(origins->starts, 0xff, count * sizeof *origins->starts);
    for (uint32_t b = 0; b < program->blocks.count; b++) {
        const struct flow_block *block = &program->blocks.at[b];
        for (uint32_t i = block->start; i < block->end; i++) origins->starts[i] = block->start;
    }
}

void origins_begin(struct origins *origins, const struct program *program)
{
    uint32_t blocks = program->blocks.count;
    *origins = (struct origins){.program = program, .work_left = ORIGINS_WORK_MAX};
    origins->writers = mem_zalloc(program->register_count, sizeof *origins->writers);
    origins->steps = mem_alloc(program->register_count * sizeof *origins->steps);
    origins->seen = mem_alloc((ORIGINS_PASTS + 1) * (size_t)blocks);
    for (uint32_t i = 0; i < ORIGINS_PASTS; i++)
        origins->pasts[i] =
            (struct origin_past){PROGRAM_NONE, origins->seen + (i + 1) * (size_t)blocks};
    origins_find_starts(origins);
    for (uint32_t i = 0; i < program->instructions.count; i++) {
        const struct program_instruction *at = &program->instructions.at[i];
        for (uint32_t w = at->writes; w < at->reads; w++)
            add_writer(origins, program->registers.at[w], at->span.start, may_write(at));
    }
    for (uint32_t t = 0; t < program->touches.count; t++) {
        const struct program_touch *touch = &program->touches.at[t];
        if (!touch->reads) add_writer(origins, touch->reg, touch->at, touch->guarded);
    }
}

void origins_free(struct origins *origins)
{
    mem_free(origins->writers);
    mem_free(origins->steps);
    mem_free(origins->seen);
    mem_free(origins->starts);
    vec_free(&origins->todo);
}

/* Sets *at to the only statement that writes the register. Returns false if there is no such
 * statement, or if its write may not happen. */
static bool find_writer(const struct origins *origins, uint32_t reg, uint32_t *at)
{
    const struct origin_writer *writer = &origins->writers[reg];
    *at = writer->at;
    return writer->count == 1 && !writer->may;
}

/* ---- paths ---- */

/* Returns the first instruction of the block with offset at; NONE if no block has it. A block is
 * one contiguous part of the text, in the order of execution; blocks of the events of a call have
 * no text. Two blocks begin with the same instruction only if they are copies (split.h). */
static uint32_t block_start_at(const struct origins *origins, uint32_t at)
{
    const struct program *program = origins->program;
    uint32_t low = 0, high = program->instructions.count;
    while (low < high) {
        uint32_t mid = low + (high - low) / 2;
        if (program->instructions.at[mid].span.start <= at)
            low = mid + 1;
        else
            high = mid;
    }
    return low ? origins->starts[low - 1] : PROGRAM_NONE;
}

/* Whether the block begins with the instruction start and is not empty. */
static bool starts_at(const struct program *program, uint32_t block, uint32_t start)
{
    const struct flow_block *of = &program->blocks.at[block];
    return of->start == start && of->end != start;
}

static void origins_find(struct origins *origins, uint8_t *seen, uint32_t block)
{
    if (seen[block]) return;
    seen[block] = 1;
    vec_push(&origins->todo, block);
}

static void find_succs(struct origins *origins, uint8_t *seen, uint32_t block)
{
    const struct program *program = origins->program;
    const struct flow_block *at = &program->blocks.at[block];
    for (uint32_t s = at->succ_start; s < at->succ_end; s++)
        origins_find(origins, seen, program->succs.at[s]);
}

/* Begins a search. Returns false if the limit for all searches is reached. */
static bool begin_search(struct origins *origins, uint8_t *seen)
{
    uint32_t count = origins->program->blocks.count;
    uint64_t cost = (uint64_t)count + origins->program->succs.count;
    if (cost > origins->work_left) return false;
    origins->work_left -= cost;
    work_spend(count);
    memset(seen, 0, count);
    origins->todo.count = 0;
    return true;
}

/* Returns, by block, whether paths from the entry reach it without passing the block that begins
 * with start; NULL if the limit for all searches is reached. */
static const uint8_t *find_past(struct origins *origins, uint32_t start)
{
    const struct program *program = origins->program;
    for (uint32_t i = 0; i < ORIGINS_PASTS; i++)
        if (origins->pasts[i].avoided == start) return origins->pasts[i].seen;
    struct origin_past *past = &origins->pasts[origins->next_past++ % ORIGINS_PASTS];
    past->avoided = PROGRAM_NONE;
    if (!begin_search(origins, past->seen)) return NULL;
    origins_find(origins, past->seen, 0);
    while (origins->todo.count) {
        uint32_t block = origins->todo.at[--origins->todo.count];
        if (!starts_at(program, block, start)) find_succs(origins, past->seen, block);
    }
    past->avoided = start;
    return past->seen;
}

/* Whether all paths from the entry to the statement at use pass the statement at writer. */
static bool comes_first(struct origins *origins, uint32_t writer, uint32_t use)
{
    const struct program *program = origins->program;
    uint32_t from = block_start_at(origins, writer), to = block_start_at(origins, use);
    if (from == PROGRAM_NONE || to == PROGRAM_NONE) return false;
    if (from == to && writer < use) return true;
    const uint8_t *seen = find_past(origins, from);
    if (!seen) return false;
    work_spend(program->blocks.count / 8);
    for (uint32_t b = 0; b < program->blocks.count; b++)
        if (seen[b] && starts_at(program, b, to)) return false;
    return true;
}

/* Whether the statement may run again. A block may have several copies (split.h). */
static bool is_on_cycle(struct origins *origins, struct origin_writer *writer)
{
    const struct program *program = origins->program;
    if (writer->is_known_to_cycle) return writer->cycles;
    if (!begin_search(origins, origins->seen)) return true;
    writer->is_known_to_cycle = true;
    uint32_t start = block_start_at(origins, writer->at);
    for (uint32_t b = 0; b < program->blocks.count; b++)
        if (starts_at(program, b, start)) find_succs(origins, origins->seen, b);
    while (origins->todo.count && !writer->cycles) {
        uint32_t block = origins->todo.at[--origins->todo.count];
        writer->cycles = starts_at(program, block, start);
        find_succs(origins, origins->seen, block);
    }
    return writer->cycles;
}

/* ---- statements ---- */

static const struct {
    const char *head, *modifiers;
    enum step_kind kind;
} forms[] = {
    {"mov", ".b32", STEP_NUMBER}, {"mov", ".u32", STEP_NUMBER}, {"mov", ".s32", STEP_NUMBER},
    {"add", ".u32", STEP_ADD},    {"add", ".s32", STEP_ADD},    {"sub", ".u32", STEP_SUB},
    {"sub", ".s32", STEP_SUB},    {"or", ".b32", STEP_OR},      {"and", ".b32", STEP_AND},
    {"shl", ".b32", STEP_SHL},    {"mul", ".lo.u32", STEP_MUL}, {"mul", ".lo.s32", STEP_MUL},
};

/* Returns the form of an opcode, and sets *pos to the start of its operands. */
static enum step_kind read_form(const struct program *program, const struct statement *statement,
                                uint32_t *pos)
{
    char joined[16];
    size_t length = 0;
    struct token token = token_next(program->text, statement->modifiers);
    *pos = statement->modifiers;
    for (; token.kind == TOKEN_DOT; token = token_next(program->text, *pos)) {
        struct str word = token_text(program->text, token.span);
        if (word.n > sizeof joined - length) return STEP_OTHER;
        memcpy(joined + length, word.p, word.n);
        length += word.n;
        *pos = token.span.end;
    }
    struct str head = token_text(program->text, statement->head);
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        if (str_is(head, forms[i].head) && str_is((struct str){joined, length}, forms[i].modifiers))
            return forms[i].kind;
    return STEP_OTHER;
}

/* Returns the value of a digit in a base up to 16; a value of at least base if c is not a digit. */
static uint32_t digit_value(char c, uint32_t base)
{
    const char *digits = "0123456789abcdef", *found = c ? strchr(digits, c | 0x20) : NULL;
    if (c >= '0' && c <= '9') found = digits + (c - '0');
    return found ? (uint32_t)(found - digits) : base;
}

/* Reads an integer of PTX: 10, 0x0a, 012 or 0b1010, each with or without a U after it. */
static bool read_number(struct str word, uint32_t *number)
{
    uint32_t base = 10;
    uint64_t value = 0;
    if (word.n && word.p[word.n - 1] == 'U') word.n--;
    bool prefixed = word.n > 1 && word.p[0] == '0';
    if (prefixed && (word.p[1] | 0x20) == 'x')
        base = 16, word.p += 2, word.n -= 2;
    else if (prefixed && (word.p[1] | 0x20) == 'b')
        base = 2, word.p += 2, word.n -= 2;
    else if (prefixed)
        base = 8, word.p++, word.n--;
    for (size_t i = 0; i < word.n; i++) {
        uint32_t digit = digit_value(word.p[i], base);
        if (digit >= base) return false;
        value = value * base + digit;
        if (value > UINT32_MAX) return false;
    }
    *number = (uint32_t)value;
    return word.n > 0;
}

bool origin_read_operand(const struct program *program, uint32_t *pos, uint32_t *reg,
                         uint32_t *number)
{
    struct str text = program->text;
    uint32_t at = token_skip(text, *pos);
    *reg = PROGRAM_NONE;
    *number = 0;
    if (token_class_at(text, at, TOKEN_CLASS_LETTER) || (at < text.n && text.p[at] == '%')) {
        *reg = scope_register_everywhere(&program->scope, text, at, pos);
        return *reg != PROGRAM_NONE;
    }
    struct token token = token_next(text, at);
    bool minus = token_is(text, token, '-');
    if (minus) token = token_next(text, token.span.end);
    *pos = token.span.end;
    if (token.kind != TOKEN_NUMBER || !read_number(token_text(text, token.span), number))
        return false;
    if (minus && *number > UINT32_C(1) << 31) return false;
    if (minus) *number = 0 - *number;
    return true;
}

static bool origin_pass_byte(const struct program *program, uint32_t *pos, char punct)
{
    struct token token = token_next(program->text, *pos);
    *pos = token.span.end;
    return token_is(program->text, token, punct);
}

/* Reads the operands `, a;` or `, a, b;` of a step of this kind. */
static struct origin_step origin_read_step_operands(const struct program *program, uint32_t pos,
                                                    enum step_kind kind)
{
    const struct origin_step other = {STEP_OTHER, PROGRAM_NONE, 0};
    uint32_t one, two = PROGRAM_NONE, of_one, of_two = 0;
    if (!origin_pass_byte(program, &pos, ',')) return other;
    if (!origin_read_operand(program, &pos, &one, &of_one)) return other;
    if (kind == STEP_NUMBER) {
        if (!origin_pass_byte(program, &pos, ';')) return other;
        return one == PROGRAM_NONE ? (struct origin_step){STEP_NUMBER, PROGRAM_NONE, of_one}
                                   : (struct origin_step){STEP_ADD, one, 0};
    }
    if (!origin_pass_byte(program, &pos, ',')) return other;
    if (!origin_read_operand(program, &pos, &two, &of_two)) return other;
    if (!origin_pass_byte(program, &pos, ';')) return other;
    if (one == PROGRAM_NONE || two != PROGRAM_NONE) return other;
    if (kind == STEP_SUB) return (struct origin_step){STEP_ADD, one, 0 - of_two};
    return (struct origin_step){kind, one, of_two};
}

/* Returns what the statement at offset at writes to the register. */
static struct origin_step read_step(const struct program *program, uint32_t at, uint32_t reg)
{
    const struct origin_step other = {STEP_OTHER, PROGRAM_NONE, 0};
    struct statement statement = statement_next(program->text, at, NULL);
    uint32_t pos, result, none;
    if (statement.kind != STATEMENT_INSTRUCTION) return other;
    enum step_kind kind = read_form(program, &statement, &pos);
    if (kind == STEP_OTHER) return other;
    if (!origin_read_operand(program, &pos, &result, &none) || result != reg) return other;
    return origin_read_step_operands(program, pos, kind);
}

/* Returns the step of a register. Each statement is read once, since it may be long. */
static struct origin_step step_of(struct origins *origins, uint32_t reg)
{
    struct origin_writer *writer = &origins->writers[reg];
    if (!writer->is_read) origins->steps[reg] = read_step(origins->program, writer->at, reg);
    writer->is_read = true;
    return origins->steps[reg];
}

/* ---- values ---- */

/* Returns the bits that are zero in the result, whatever the register of the step holds. */
static uint32_t zeros_of(struct origin_step step)
{
    switch (step.kind) {
    case STEP_AND: return ~step.number;
    case STEP_SHL: return step.number < 32 ? (UINT32_C(1) << step.number) - 1 : 0;
    case STEP_MUL: return step.number & (step.number - 1) ? 0 : step.number - 1;
    default: return 0;
    }
}

/* Returns the bits that stay zero when number is added: those below the lowest bit that may be set
 * in either. */
static uint32_t zeros_of_sum(uint32_t zeros, uint32_t number)
{
    uint32_t both = zeros & ~number;
    return number ? (both ^ (both + 1)) >> 1 : zeros;
}

static const struct origin unknown = {.is_known = false};

/* Returns the register as its own base, if it has only one value. */
static struct origin origin_of_itself(struct origins *origins, uint32_t reg,
                                      struct origin_step step)
{
    if (is_on_cycle(origins, &origins->writers[reg])) return unknown;
    return (struct origin){true, reg, 0, zeros_of(step)};
}

/* Returns the origin of the result of a step. below: origin of the register that it reads. */
static struct origin origin_behind(struct origins *origins, uint32_t reg, struct origin_step step,
                                   struct origin below)
{
    if (step.kind == STEP_NUMBER)
        return (struct origin){true, PROGRAM_NONE, step.number, ~step.number};
    bool adds = step.kind == STEP_ADD || (step.kind == STEP_OR && !(step.number & ~below.zeros));
    if (!below.is_known || !adds) return origin_of_itself(origins, reg, step);
    uint32_t zeros =
        step.kind == STEP_OR ? below.zeros & ~step.number : zeros_of_sum(below.zeros, step.number);
    return (struct origin){true, below.base, below.number + step.number, zeros};
}

struct origin origins_of(struct origins *origins, uint32_t reg, uint32_t at)
{
    uint32_t chain[STEPS_MAX], count = 0, writer;
    struct origin_step steps[STEPS_MAX];
    while (reg != PROGRAM_NONE && count < STEPS_MAX && find_writer(origins, reg, &writer) &&
           comes_first(origins, writer, at)) {
        chain[count] = reg;
        steps[count] = step_of(origins, reg);
        reg = steps[count++].source;
        at = writer;
    }
    struct origin origin = unknown;
    while (count--) origin = origin_behind(origins, chain[count], steps[count], origin);
    return origin;
}
