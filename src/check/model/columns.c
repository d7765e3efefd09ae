/* Finds the columns that a load or store of tensor memory accesses, from its address and the length
 * of its vector (ISA 9.7.16.2.3, 9.7.16.8.1 to 9.7.16.8.4). Lanes are ignored: two accesses may
 * always share a lane. See columns.h. */
#include "check/model/columns.h"

#include "base/intern.h"
#include "base/sixteen.h"
#include "check/model/origin.h"
#include "check/model/program.h"

enum {
    COLUMNS = 512, /* of tensor memory; addresses wrap around after the last column */
    LANES = 128,
    LANE = 65536, /* value of one lane in an address */
    REPEATS_MAX = 128
};

/* An access as it is spelled. */
struct access {
    bool is_store, is_packed, has_halves;
    uint32_t repeats;      /* N of .xN */
    uint32_t per_repeat;   /* registers of one lane for each repeat */
    uint32_t per_register; /* columns for each register */
};

/* A register of each lane covers one column if the shape uses 32 lanes of the warp, and two columns
 * if it uses 16. */
static const struct {
    const char *word;
    uint32_t per_repeat, per_register;
    bool has_halves;
} shapes[] = {
    {".32x32b", 1, 1, false},  {".16x64b", 1, 2, false},  {".16x128b", 2, 2, false},
    {".16x256b", 4, 2, false}, {".16x32bx2", 1, 1, true},
};

/* Returns N of .xN, a power of two; 0 if word is something else. */
static uint32_t read_repeats(struct str word)
{
    uint32_t number = 0;
    if (word.n < 3 || word.n > 5 || word.p[1] != 'x' || word.p[2] == '0') return 0;
    for (size_t i = 2; i < word.n; i++) {
        if (word.p[i] < '0' || word.p[i] > '9') return 0;
        number = number * 10 + (uint32_t)(word.p[i] - '0');
    }
    return number <= REPEATS_MAX && !(number & (number - 1)) ? number : 0;
}

/* Reads one word of the opcode. Returns false if it is unknown or repeated. */
static bool columns_read_word(struct access *access, struct str word)
{
    if (str_is(word, ".sync") || str_is(word, ".aligned") || str_is(word, ".b32")) return true;
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        if (!str_is(word, shapes[i].word)) continue;
        if (access->per_repeat) return false;
        access->per_repeat = shapes[i].per_repeat;
        access->per_register = shapes[i].per_register;
        access->has_halves = shapes[i].has_halves;
        return true;
    }
    if (!access->repeats && (access->repeats = read_repeats(word))) return true;
    if (!str_is(word, access->is_store ? ".unpack::16b" : ".pack::16b")) return false;
    access->is_packed = true;
    return true;
}

/* Reads the opcode, and sets *pos to the start of the operands. Returns false if it is not a known
 * ld or st. */
static bool columns_read_access(const struct program *program, const struct statement *statement,
                                struct access *access, uint32_t *pos)
{
    struct str text = program->text;
    *access = (struct access){.repeats = 0};
    if (!str_is(token_text(text, statement->head), "tcgen05")) return false;
    struct token token = token_next(text, statement->modifiers);
    struct str word = token_text(text, token.span);
    access->is_store = str_is(word, ".st");
    if (!access->is_store && !str_is(word, ".ld")) return false;
    for (*pos = token.span.end;; *pos = token.span.end) {
        token = token_next(text, *pos);
        if (token.kind != TOKEN_DOT) break;
        if (!columns_read_word(access, token_text(text, token.span))) return false;
    }
    return access->repeats && access->per_repeat;
}

static bool columns_pass_byte(const struct program *program, uint32_t *pos, char punct)
{
    uint32_t at = token_skip(program->text, *pos);
    if (at >= program->text.n || program->text.p[at] != punct) return false;
    *pos = at + 1;
    return true;
}

/* Skips the vector at *pos if it is written in the most common form: in braces, with count
 * elements, and without comments. */
static bool pass_usual_vector(struct str text, uint32_t *pos, uint32_t count)
{
    uint32_t at = token_skip(text, *pos);
    if (at >= text.n || text.p[at] != '{') return false;
    uint32_t stop = token_stop(text, ++at);
    if (stop >= text.n || text.p[stop] != '}') return false;
    if (1 + sixteen_count((struct str){text.p + at, stop - at}, ',') != count) return false;
    *pos = stop + 1;
    return true;
}

/* Skips the vector or register at *pos. registers: the number of registers that the instruction was
 * found to have there. Returns the number of elements; 0 if it is not clear. */
static uint32_t pass_vector(const struct program *program, uint32_t *pos, uint32_t registers)
{
    if (pass_usual_vector(program->text, pos, registers)) return registers;
    uint32_t count = 0;
    bool is_list = columns_pass_byte(program, pos, '{');
    do {
        *pos = token_skip(program->text, *pos);
        if (scope_register_in_range(&program->scope, program->text, *pos, pos) == PROGRAM_NONE) {
            struct token token = token_next(program->text, *pos);
            if (token.kind != TOKEN_NAME && token.kind != TOKEN_NUMBER) return 0;
            *pos = token.span.end;
        }
        count++;
    } while (is_list && columns_pass_byte(program, pos, ','));
    return is_list && !columns_pass_byte(program, pos, '}') ? 0 : count;
}

/* An address operand as it is written. */
struct address {
    uint32_t reg, number;
};

/* Reads `[register]`, `[register+number]` or `[number]`. */
static bool read_address(const struct program *program, uint32_t *pos, struct address *address)
{
    uint32_t none;
    if (!columns_pass_byte(program, pos, '[')) return false;
    if (!origin_read_operand(program, pos, &address->reg, &address->number)) return false;
    if (address->reg != PROGRAM_NONE && columns_pass_byte(program, pos, '+')) {
        if (!origin_read_operand(program, pos, &none, &address->number)) return false;
        if (none != PROGRAM_NONE) return false;
    }
    return columns_pass_byte(program, pos, ']');
}

/* Reads `, S` after the address: the distance in columns of the second half. */
static bool read_halves(const struct program *program, uint32_t *pos, uint32_t *columns)
{
    uint32_t reg;
    return columns_pass_byte(program, pos, ',') &&
           origin_read_operand(program, pos, &reg, columns) && reg == PROGRAM_NONE &&
           *columns < COLUMNS;
}

/* Reads the operands of the instruction. Returns the number of columns from the address on; 0 if it
 * is not known. */
static uint32_t columns_read_extent(const struct program *program,
                                    const struct program_instruction *at,
                                    const struct access *access, uint32_t pos,
                                    struct address *address)
{
    uint32_t registers = 0, offset = 0;
    if (!access->is_store) {
        registers = pass_vector(program, &pos, at->reads - at->writes);
        if (!columns_pass_byte(program, &pos, ',')) return 0;
    }
    if (!read_address(program, &pos, address)) return 0;
    if (access->has_halves && !read_halves(program, &pos, &offset)) return 0;
    if (access->is_store) {
        if (!columns_pass_byte(program, &pos, ',')) return 0;
        registers =
            pass_vector(program, &pos, at->end - at->reads - (address->reg != PROGRAM_NONE));
    }
    if (!columns_pass_byte(program, &pos, ';')) return 0;
    if (registers != access->repeats * access->per_repeat || registers > REPEATS_MAX) return 0;
    return offset + registers * access->per_register * (access->is_packed ? 2 : 1);
}

/* Finds the range of the access. Returns false if it is not known. */
static bool columns_read_range(struct origins *origins, const struct program_instruction *at,
                               struct columns_range *range)
{
    const struct program *program = origins->program;
    struct statement statement = statement_next(program->text, at->span.start, NULL);
    struct access access;
    struct address address;
    uint32_t pos;
    if (!columns_read_access(program, &statement, &access, &pos)) return false;
    *range = (struct columns_range){PROGRAM_NONE, 0,
                                    columns_read_extent(program, at, &access, pos, &address)};
    if (!range->count) return false;
    range->number = address.number;
    if (address.reg == PROGRAM_NONE) return true;
    struct origin origin = origins_of(origins, address.reg, at->span.start);
    range->base = origin.base;
    range->number += origin.number;
    return origin.is_known;
}

void columns_find(struct columns *columns, const struct program *program)
{
    struct origins origins;
    struct intern numbers = {0};
    struct arena arena = {0};
    uint32_t count = program->instructions.count;
    columns->of = mem_alloc(count * sizeof *columns->of);
    origins_begin(&origins, program);
    for (uint32_t i = 0; i < count; i++) {
        const struct program_instruction *at = &program->instructions.at[i];
        struct columns_range range;
        columns->of[i] = PROGRAM_NONE;
        if (at->effect != CHECK_EFFECT_LD && at->effect != CHECK_EFFECT_ST) continue;
        if (!columns_read_range(&origins, at, &range)) continue;
        char *key = arena_copy(&arena, (const char *)&range, sizeof range);
        columns->of[i] = intern_add(&numbers, 0, (struct str){key, sizeof range});
        if (columns->of[i] == columns->ranges.count) vec_push(&columns->ranges, range);
    }
    origins_free(&origins);
    intern_free(&numbers);
    arena_free(&arena);
}

void columns_free(struct columns *columns)
{
    vec_free(&columns->ranges);
    mem_free(columns->of);
}

/* The value of base is unknown, but both addresses are in the same memory. So the difference of
 * their columns is that of the addresses, even if the sum carries into the lanes. */
bool columns_are_apart(const void *one, const void *other)
{
    const struct columns_range *x = one, *y = other;
    if (x->base != y->base) return false;
    int64_t distance = (int32_t)(y->number - x->number), columns = (int16_t)distance;
    int64_t lanes = (distance - columns) / LANE;
    if (lanes <= -LANES || lanes >= LANES) return false;
    if (columns <= -COLUMNS || columns >= COLUMNS) return false;
    uint32_t behind = (uint32_t)(columns + COLUMNS) % COLUMNS;
    return x->count <= behind && behind + y->count <= COLUMNS;
}
