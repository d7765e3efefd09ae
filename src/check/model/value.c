/* Finds the loads whose value a store needs. Each register names the last load that its value comes
 * from, and nothing where that is stored by now, or not certain: behind a label or branch, and of
 * what a guarded instruction wrote. See value.h. */
#include "check/model/value.h"

/* The load whose value is in the register and has not been stored, or PROGRAM_NONE. */
static uint32_t load_in(const struct program *program, uint32_t reg)
{
    const struct program_values *values = &program->values;
    if (reg >= values->load_in.count) return PROGRAM_NONE;
    uint32_t load = values->load_in.at[reg];
    if (load == PROGRAM_NONE || load < values->first) return PROGRAM_NONE;
    return program->instructions.at[load].stored == PROGRAM_NONE ? load : PROGRAM_NONE;
}

static void set_load(struct program *program, uint32_t reg, uint32_t load)
{
    struct program_values *values = &program->values;
    while (values->load_in.count <= reg) vec_push(&values->load_in, PROGRAM_NONE);
    values->load_in.at[reg] = load;
}

/* Of what it reads; a store ends the search for each load that it needs. */
static uint32_t pass_reads(struct program *program, const struct program_instruction *made,
                           uint32_t number, bool stores, const struct operands *operands)
{
    uint32_t last = PROGRAM_NONE;
    for (uint32_t i = 0; i < operands->count; i++) {
        if (instruction_writes(made, operands, i)) continue;
        for (uint32_t n = operands->at[i].first; n < operands->at[i].end; n++) {
            uint32_t load = load_in(program, operands->names[n]);
            if (load == PROGRAM_NONE) continue;
            if (stores && !made->guarded) {
                program->instructions.at[load].stored = number;
                program->values.pending--;
            } else if (last == PROGRAM_NONE || load > last) {
                last = load;
            }
        }
    }
    return last;
}

void value_follow(struct program *program, const struct program_instruction *made, uint32_t number,
                  bool stores, const struct operands *operands)
{
    struct program_values *values = &program->values;
    bool loads = made->effect == CHECK_EFFECT_LD && !made->guarded;
    if (!values->pending && !loads) return;
    uint32_t value = pass_reads(program, made, number, stores, operands);
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
