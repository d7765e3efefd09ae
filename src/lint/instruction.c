/* What does an instruction say in its text? */
#include "lint/instruction.h"

#include "ptx/digits.h"

static bool is_blank(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

static struct str trimmed(struct str text)
{
    while (text.n && is_blank(text.p[0])) text.p++, text.n--;
    while (text.n && is_blank(text.p[text.n - 1])) text.n--;
    return text;
}

static struct str read_opcode(const struct lint *lint, uint32_t instr)
{
    const struct instr *at = &lint->function->instrs[instr];
    struct str text = source_slice(lint->view->source, at->span);
    if (at->guard != REG_NONE) {
        while (text.n && (text.p[0] == '@' || text.p[0] == '!' || is_blank(text.p[0])))
            text.p++, text.n--;
        while (text.n && !is_blank(text.p[0])) text.p++, text.n--;
        text = trimmed(text);
    }
    size_t n = 0;
    while (n < text.n && !is_blank(text.p[n]) && text.p[n] != ';' && text.p[n] != '{') n++;
    return (struct str){text.p, n};
}

struct str *instruction_opcodes(const struct lint *lint)
{
    const struct function *f = lint->function;
    uint32_t most = 0;
    for (uint32_t i = 0; i + 1 < f->count; i++)
        if (f->instrs[i].spelling > most) most = f->instrs[i].spelling;
    struct str *opcodes = arena_alloc(lint->arena, most + 1, sizeof *opcodes);
    for (uint32_t i = 0; i + 1 < f->count; i++)
        if (!opcodes[f->instrs[i].spelling].p)
            opcodes[f->instrs[i].spelling] = read_opcode(lint, i);
    return opcodes;
}

struct str instruction_opcode(const struct lint *lint, uint32_t instr)
{
    const struct instr *at = &lint->function->instrs[instr];
    if (at->opcode == &opcode_end_of_body) return (struct str){"", 0};
    return lint->opcodes[at->spelling];
}

struct str instruction_base(const struct lint *lint, uint32_t instr)
{
    struct str opcode = instruction_opcode(lint, instr);
    const char *dot = memchr(opcode.p, '.', opcode.n);
    return (struct str){opcode.p, dot ? (size_t)(dot - opcode.p) : opcode.n};
}

bool instruction_is_barrier(const struct lint *lint, uint32_t instr)
{
    struct str base = instruction_base(lint, instr);
    return str_is(base, "bar") || str_is(base, "barrier");
}

bool instruction_joins_warps(const struct lint *lint, uint32_t instr)
{
    return instruction_is_barrier(lint, instr) && !instruction_has(lint, instr, ".warp");
}

bool instruction_has(const struct lint *lint, uint32_t instr, const char *modifier)
{
    struct str opcode = instruction_opcode(lint, instr);
    size_t n = strlen(modifier);
    for (size_t i = 0; i + n <= opcode.n; i++) {
        bool ends = i + n == opcode.n || opcode.p[i + n] == '.';
        if (ends && memcmp(opcode.p + i, modifier, n) == 0) return true;
    }
    return false;
}

struct str instruction_operand(const struct lint *lint, uint32_t instr, uint32_t n)
{
    const struct instr *at = &lint->function->instrs[instr];
    if (n >= at->operand_count) return (struct str){"", 0};
    return trimmed(
        source_slice(lint->view->source, lint->function->operands[at->first_operand + n].span));
}

bool instruction_integer(struct str text, int64_t *number)
{
    uint64_t digits;
    bool minus = text.n && text.p[0] == '-';
    if (text.n && (minus || text.p[0] == '+')) text.p++, text.n--;
    text = trimmed(text);
    if (!digits_read_integer(text, &digits)) return false;
    *number = (int64_t)(minus ? 0 - digits : digits);
    return true;
}

bool instruction_is_float(struct str opcode)
{
    size_t last = opcode.n;
    while (last && opcode.p[last - 1] != '.') last--;
    return last < opcode.n && (opcode.p[last] == 'f' || opcode.p[last] == 'b') &&
           (opcode.p[last] == 'f' ||
            str_starts((struct str){opcode.p + last, opcode.n - last}, "bf"));
}

bool instruction_sets_predicate(const struct lint *lint, uint32_t instr)
{
    return str_is(instruction_base(lint, instr), "setp") || instruction_has(lint, instr, ".pred");
}
