/* Finds the loads whose value a store needs. For each register it keeps the last load that its
 * value comes from. It keeps none if a store has used this value, or if the value is uncertain:
 * after a label or branch, or after a guarded write. See value.h. */
#include "check/model/value.h"

/* Returns the load whose value is in the register and was not stored yet, or PROGRAM_NONE. reg must
 * be below load_in.count. */
static uint32_t load_in(const struct program *program, uint32_t reg)
{
    const struct program_values *values = &program->values;
    uint32_t load = values->load_in.at[reg];
    if (load == PROGRAM_NONE || load < values->first) return PROGRAM_NONE;
    return program->instructions.at[load].stored == PROGRAM_NONE ? load : PROGRAM_NONE;
}

/* Makes load_in have all registers up to reg. */
static void add_registers(struct program_values *values, uint32_t reg)
{
    uint32_t known = values->load_in.count, count = reg + 1 - known;
    vec_reserve(&values->load_in, count);
    memset(values->load_in.at + known, 0xff, count * sizeof *values->load_in.at);
    values->load_in.count += count;
}

static inline void set_load(struct program *program, uint32_t reg, uint32_t load)
{
    struct program_values *values = &program->values;
    if (values->load_in.count <= reg) add_registers(values, reg);
    values->load_in.at[reg] = load;
}

/* What a statement does with the values that it reads: for a store, the instruction number at which
 * the search for their loads ends; otherwise NONE, and the last load that the values come from. */
struct reading {
    uint32_t store, load;
};

/* Reads one register, which must be below load_in.count; other registers have no value of a
 * load. */
static inline void pass_register(struct program *program, uint32_t reg, struct reading *reading)
{
    uint32_t load = load_in(program, reg);
    if (load == PROGRAM_NONE) return;
    if (reading->store != PROGRAM_NONE) {
        program->instructions.at[load].stored = reading->store;
        program->values.pending--;
    } else if (reading->load == PROGRAM_NONE || load > reading->load) {
        reading->load = load;
    }
}

static void pass_operands(struct program *program, const struct program_instruction *made,
                          const struct operands *operands, struct reading *reading)
{
    for (uint32_t i = 0; i < operands->count; i++)
        for (uint32_t n = operands->at[i].first; n < operands->at[i].end; n++)
            if (operands->names[n] < program->values.load_in.count &&
                !instruction_writes(made, operands, i))
                pass_register(program, operands->names[n], reading);
}

/* Reads the registers in the text from pos to its `;`. Returns false if the text cannot be read. */
static bool pass_text(struct program *program, uint32_t pos, struct reading *reading)
{
    struct str text = program->text;
    while (pos < text.n && text.p[pos] != ';') {
        if (text.p[pos] == ',' || text.p[pos] == ' ') {
            pos++;
            if (pos < text.n && text.p[pos] == ' ') pos++;
            continue;
        }
        bool may_be = token_class_at(text, pos, TOKEN_CLASS_LETTER) || text.p[pos] == '%';
        uint32_t reg =
            may_be ? scope_register_in_range(&program->scope, text, pos, &pos) : PROGRAM_NONE;
        if (reg == PROGRAM_NONE) {
            struct token token = token_next(text, pos);
            pos = token.span.end;
            if (token.kind == TOKEN_BAD) return false;
            if (token_is(text, token, ';')) return true;
            if (token.kind != TOKEN_NAME) continue;
            struct str name = token_text(text, token.span);
            if (scope_is_alias(&program->scope, name)) return false;
            reg = scope_register_met(&program->scope, name);
        }
        if (reg < program->values.load_in.count) pass_register(program, reg, reading);
    }
    return pos < text.n;
}

bool value_follow_usual(struct program *program, uint32_t pos, const uint32_t *results,
                        uint32_t count)
{
    struct reading reading = {PROGRAM_NONE, PROGRAM_NONE};
    if (!pass_text(program, pos, &reading)) return false;
    for (uint32_t i = 0; i < count; i++) set_load(program, results[i], reading.load);
    return true;
}

void value_follow(struct program *program, const struct program_instruction *made, uint32_t number,
                  bool stores, const struct operands *operands)
{
    struct program_values *values = &program->values;
    bool loads = made->effect == CHECK_EFFECT_LD && !made->guarded;
    if (!values->pending && !loads) return;
    struct reading reading = {stores && !made->guarded ? number : PROGRAM_NONE, PROGRAM_NONE};
    pass_operands(program, made, operands, &reading);
    if (!pass_text(program, operands->end, &reading)) {
        value_forget(program);
        return;
    }
    uint32_t value = reading.load;
    if (loads) {
        if (!values->pending) values->first = number;
        values->pending++;
        value = number;
    }
    if (made->guarded) value = PROGRAM_NONE;
    for (uint32_t i = 0; i < operands->count; i++) {
        if (!instruction_writes(made, operands, i)) continue;
        for (uint32_t n = operands->at[i].first; n < operands->at[i].end; n++)
            set_load(program, operands->names[n], value);
    }
}

void value_forget(struct program *program)
{
    program->values.pending = 0;
}
