/* Finds the loads whose values only stores need. Each register knows the last load that its value
 * may come from. A statement that works on registers alone hands values on; a store ends them; all
 * else needs them. What is left in a register at the end of straight-line code must be read
 * nowhere: every read of such a register in the whole body must be one that was followed. What has
 * been stored must not be loaded again in this code: ptxas may leave out both accesses. See
 * value.h. */
#include "check/model/value.h"

enum { OF_NONE = 0 }; /* loads are numbered from 1 */

static struct value_load *value_load(const struct program_values *values, uint32_t load)
{
    return &values->loads.at[load - 1];
}

static inline struct value_register *value_register(struct program_values *values, uint32_t reg)
{
    uint32_t known = values->registers.count;
    if (reg >= known) {
        vec_reserve(&values->registers, reg + 1 - known);
        memset(values->registers.at + known, 0, (reg + 1 - known) * sizeof *values->registers.at);
        values->registers.count = reg + 1;
    }
    return &values->registers.at[reg];
}

/* Returns the load of this straight-line code that the value may come from. */
static inline uint32_t value_in(const struct program_values *values,
                                const struct value_register *reg)
{
    return reg->load > values->first ? reg->load : OF_NONE;
}

/* From now on the two loads are judged together: a value comes from both. */
static void value_join(struct program_values *values, uint32_t a, uint32_t b)
{
    while (a != b) {
        uint32_t low = a < b ? a : b, high = a < b ? b : a;
        struct value_load *load = value_load(values, low);
        a = high;
        b = load->with;
        if (b) continue;
        load->with = b = high;
    }
}

/* How a statement uses the values that it reads. */
enum value_use { USE_NEEDS, USE_HANDS_ON, USE_STORES };

/* flags: of an instruction with this effect and no guard. */
static enum value_use use_of(uint8_t effect, uint8_t flags, bool stores)
{
    if (flags & (CHECK_EFFECT_ALL_RESULTS | CHECK_EFFECT_UNKNOWN)) return USE_NEEDS;
    if (stores) return USE_STORES;
    bool works = effect == CHECK_EFFECT_NEUTRAL && flags & CHECK_EFFECT_PURE;
    return works && !(flags & CHECK_EFFECT_NO_RESULT) ? USE_HANDS_ON : USE_NEEDS;
}

/* Passes the read of a register. Returns the load that its value is handed on from. */
static inline uint32_t value_read(struct program_values *values, uint32_t reg, enum value_use use,
                                  uint32_t number)
{
    struct value_register *at = value_register(values, reg);
    uint32_t load = value_in(values, at);
    if (load == OF_NONE || use == USE_NEEDS) at->reads_left = true;
    if (load == OF_NONE) return OF_NONE;
    if (use == USE_NEEDS) value_load(values, load)->needed = true;
    if (use == USE_STORES) {
        value_load(values, load)->stored = number;
        vec_push(&values->written, load);
    }
    return use == USE_HANDS_ON ? load : OF_NONE;
}

/* As value_read, for one more register of a statement. *value: the load that the values of the
 * registers before come from. */
static inline void value_read_next(struct program_values *values, uint32_t reg, enum value_use use,
                                   uint32_t number, uint32_t *value)
{
    uint32_t load = value_read(values, reg, use, number);
    if (load && *value) value_join(values, *value, load);
    if (load > *value) *value = load;
}

static uint32_t value_read_all(struct program_values *values,
                               const struct program_instruction *made,
                               const struct operands *operands, enum value_use use, uint32_t number)
{
    uint32_t value = OF_NONE;
    if (made->guarded) value_read(values, made->guard, USE_NEEDS, number);
    for (uint32_t i = 0; i < operands->count; i++) {
        bool strange = made->flags & CHECK_EFFECT_ALL_RESULTS;
        if (instruction_writes(made, operands, i) && !strange) continue;
        for (uint32_t n = operands->at[i].first; n < operands->at[i].end; n++)
            value_read_next(values, operands->names[n], use, number, &value);
    }
    return value;
}

static inline void value_write(struct program_values *values, uint32_t reg, uint32_t load)
{
    value_register(values, reg)->load = load;
    if (load) vec_push(&values->holders, reg);
}

/* A result from memory may be any value that was stored before. */
static void value_reload(struct program_values *values, uint8_t flags, unsigned words)
{
    if (!(words & CHECK_EFFECT_LOADS || flags & (CHECK_EFFECT_ALL_RESULTS | CHECK_EFFECT_UNKNOWN)))
        return;
    while (values->written.count)
        value_load(values, values->written.at[--values->written.count])->needed = true;
}

void value_follow(struct program *program, const struct program_instruction *made, uint32_t number,
                  unsigned words, const struct operands *operands)
{
    struct program_values *values = &program->values;
    bool stores = words & CHECK_EFFECT_STORES;
    enum value_use use = made->guarded ? USE_NEEDS : use_of(made->effect, made->flags, stores);
    value_reload(values, made->flags, words);
    uint32_t value = value_read_all(values, made, operands, use, number);
    if (made->guarded) return; /* the results may be those of before */
    if (made->effect == CHECK_EFFECT_LD) {
        vec_push(&values->loads,
                 (struct value_load){.instruction = number, .stored = PROGRAM_NONE});
        value = values->loads.count;
    }
    for (uint32_t i = 0; i < operands->count; i++) {
        if (!instruction_writes(made, operands, i)) continue;
        for (uint32_t n = operands->at[i].first; n < operands->at[i].end; n++)
            value_write(values, operands->names[n], value);
    }
}

/* Reads the token at *pos, which is not of one byte, and moves *pos after it. *reg: the register
 * that it names, or NONE. Returns false if it is not a token of PTX. */
static inline bool take_name(struct program *program, uint32_t *pos, uint32_t *reg)
{
    uint32_t end;
    *reg = scope_register_in_range(&program->scope, program->text, *pos, &end);
    if (*reg != PROGRAM_NONE) {
        *pos = end;
        return true;
    }
    struct token token = token_next(program->text, *pos);
    *pos = token.span.end;
    if (token.kind == TOKEN_NAME) *reg = operand_register(program, token.span);
    return token.kind != TOKEN_BAD;
}

bool value_follow_usual(struct program *program, struct span reads,
                        const struct check_effect_class *kind, const uint32_t *results,
                        uint32_t count)
{
    struct program_values *values = &program->values;
    struct str text = program->text;
    enum value_use use = use_of(kind->effect, kind->flags, kind->words & CHECK_EFFECT_STORES);
    uint32_t number = program->instructions.count - 1, value = OF_NONE, pos = reads.start, reg;
    value_reload(values, kind->flags, kind->words);
    while (pos < reads.end) {
        unsigned classes = token_classes[(unsigned char)text.p[pos]];
        if (classes & (TOKEN_CLASS_PUNCT | TOKEN_CLASS_BLANK)) {
            pos += text.p[pos + 1] == ' ' ? 2 : 1; /* a `;` follows what is read */
        } else if (classes & TOKEN_CLASS_DIGIT) {
            pos = token_number_end(text, pos);
        } else {
            if (!take_name(program, &pos, &reg)) return false;
            if (reg != PROGRAM_NONE) value_read_next(values, reg, use, number, &value);
        }
    }
    for (uint32_t i = 0; i < count; i++) value_write(values, results[i], value);
    return true;
}

void value_part(struct program *program)
{
    struct program_values *values = &program->values;
    for (uint32_t i = 0; i < values->holders.count; i++) {
        uint32_t reg = values->holders.at[i], load = value_in(values, value_register(values, reg));
        if (load) vec_push(&values->rests, (struct value_rest){reg, load});
    }
    values->holders.count = values->written.count = 0;
    values->first = values->loads.count;
}

/* A load that was joined with a later one is needed if that one is, and ends with the last store of
 * either. */
static void settle_joined(struct program_values *values)
{
    for (uint32_t load = values->loads.count; load; load--) {
        struct value_load *at = value_load(values, load);
        if (!at->with) continue;
        const struct value_load *with = value_load(values, at->with);
        at->needed |= with->needed || with->stored == PROGRAM_NONE;
        if (at->stored == PROGRAM_NONE || with->stored > at->stored) at->stored = with->stored;
    }
}

/* The registers of a .func may be read after its end. */
void value_settle(struct program *program)
{
    struct program_values *values = &program->values;
    if (!program->is_entry) return;
    value_part(program);
    for (uint32_t i = 0; i < values->rests.count; i++)
        if (value_register(values, values->rests.at[i].reg)->reads_left)
            value_load(values, values->rests.at[i].load)->needed = true;
    settle_joined(values);
    for (uint32_t i = 0; i < values->loads.count; i++) {
        const struct value_load *load = &values->loads.at[i];
        if (!load->needed) program->instructions.at[load->instruction].stored = load->stored;
    }
}
