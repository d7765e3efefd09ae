/* Reads opcodes and operands from the text. See instruction.h. */
#include "value/instruction.h"

#include "ptx/digits.h"

static bool instruction_is_blank(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

static struct str instruction_trim(struct str text)
{
    while (text.n && instruction_is_blank(text.p[0])) text.p++, text.n--;
    while (text.n && instruction_is_blank(text.p[text.n - 1])) text.n--;
    return text;
}

bool instruction_defines(const struct subject *subject, uint32_t instr, uint32_t web)
{
    const struct instr *at = &subject->function->instrs[instr];
    for (uint32_t u = 0; u < at->use_count; u++) {
        const struct use *use = &subject->function->uses[at->first_use + u];
        if (use->write && use->reg == web) return true;
    }
    return false;
}

bool instruction_is_barrier(const struct subject *subject, uint32_t instr)
{
    struct str base = instruction_base(subject, instr);
    return str_is(base, "bar") || str_is(base, "barrier");
}

bool instruction_joins_warps(const struct subject *subject, uint32_t instr)
{
    return instruction_is_barrier(subject, instr) && !instruction_has(subject, instr, ".warp");
}

bool instruction_is_trap(const struct subject *subject, uint32_t instr)
{
    return str_is(instruction_base(subject, instr), "trap");
}

bool instruction_is_memory_fence(const struct subject *subject, uint32_t instr)
{
    struct str base = instruction_base(subject, instr);
    bool fence = str_is(base, "fence") || str_is(base, "membar");
    return fence && !instruction_has(subject, instr, ".proxy");
}

uint32_t instruction_first_address(const struct subject *subject, uint32_t instr)
{
    uint32_t n = 0, count = subject->function->instrs[instr].operand_count;
    while (n < count && instruction_begins(subject, instr, n) != '[') n++;
    return n;
}

uint32_t instruction_last_address(const struct subject *subject, uint32_t instr)
{
    uint32_t count = subject->function->instrs[instr].operand_count, n = count;
    while (n && instruction_begins(subject, instr, n - 1) != '[') n--;
    return n ? n - 1 : count;
}

struct str instruction_operand(const struct subject *subject, uint32_t instr, uint32_t n)
{
    const struct instr *at = &subject->function->instrs[instr];
    if (n >= at->operand_count) return (struct str){"", 0};
    return instruction_trim(source_slice(subject->view->source,
                                         subject->function->operands[at->first_operand + n].span));
}

static bool is_word(char ch)
{
    return (ch >= '0' && ch <= '9') || ((ch | 32) >= 'a' && (ch | 32) <= 'z') || ch == '_' ||
           ch == '$' || ch == '%';
}

static bool is_name_or_number(struct str text)
{
    bool sign = text.n && (text.p[0] == '+' || text.p[0] == '-');
    for (size_t i = sign; i < text.n; i++)
        if (!is_word(text.p[i])) return false;
    return text.n > sign && !(sign && instruction_is_name((struct str){text.p + 1, text.n - 1}));
}

bool instruction_is_name(struct str operand)
{
    return !strchr("+-0123456789", operand.p[0]);
}

uint32_t instruction_plain_operands(const struct subject *subject, uint32_t instr,
                                    struct str *operands, uint32_t most)
{
    struct str text = source_slice(subject->view->source, subject->function->instrs[instr].span);
    size_t opcode = instruction_opcode(subject, instr).n;
    if (text.n <= opcode || text.p[text.n - 1] != ';') return 0;
    text = (struct str){text.p + opcode, text.n - 1 - opcode};
    for (uint32_t count = 0; count < most;) {
        const char *comma = memchr(text.p, ',', text.n);
        size_t n = comma ? (size_t)(comma - text.p) : text.n;
        operands[count] = instruction_trim((struct str){text.p, n});
        if (!is_name_or_number(operands[count++])) return 0;
        if (!comma) return count;
        text = (struct str){comma + 1, text.n - n - 1};
    }
    return 0;
}

bool instruction_integer(struct str text, int64_t *number)
{
    uint64_t digits;
    bool minus = text.n && text.p[0] == '-';
    if (text.n && (minus || text.p[0] == '+')) text.p++, text.n--;
    text = instruction_trim(text);
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

/* Reads a number such as "-4", or "true" or "false". */
static bool instruction_read_number(struct str text, int64_t *number)
{
    bool truth = str_is(text, "true");
    *number = truth;
    return truth || str_is(text, "false") || instruction_integer(text, number);
}

/* Reads the number after the register or name in "%r1+16" or "name"; 0 if there is none. */
static bool instruction_read_distance(struct str text, int64_t *number)
{
    size_t n = 0;
    *number = 0;
    while (n < text.n && text.p[n] != '+' && text.p[n] != '-') n++;
    if (n == text.n) return true;
    struct str rest = {text.p + n, text.n - n};
    if (rest.n > 1 && rest.p[0] == '+' && rest.p[1] == '-') rest.p++, rest.n--;
    return instruction_integer(rest, number);
}

struct held_operand instruction_read_operand(const struct subject *subject,
                                             const struct operand *operand)
{
    const struct function *f = subject->function;
    struct held_operand held = {.holding = OPERAND_UNKNOWN};
    if (operand->kind == OPERAND_NAME && operand->use_count == 1) {
        held.begins = subject->view->source->text.p[operand->span.start];
        if (!f->uses[operand->first_use].write) held.holding = OPERAND_REGISTER;
        return held;
    }
    struct str text = instruction_trim(source_slice(subject->view->source, operand->span));
    if (!text.n) return held;
    held.begins = text.p[0];
    held.negated = text.p[0] == '!';
    bool address = text.p[0] == '[';
    if (operand->use_count > 1 || text.p[0] == '{') return held;
    if (address && text.p[text.n - 1] == ']') text.n--;
    if (address || held.negated) text.p++, text.n--;
    if (operand->use_count && f->uses[operand->first_use].write) return held;
    bool number = !operand->use_count;
    if (number ? instruction_read_number(text, &held.number)
               : instruction_read_distance(text, &held.number))
        held.holding = number ? OPERAND_NUMBER : OPERAND_REGISTER;
    return held;
}
