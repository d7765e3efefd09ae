/* Finds releases. See releases.h. */
#include "lint/releases.h"

#include "value/instruction.h"
#include "value/values.h"

/* The last operand, the value that is stored, is a constant, as in st.relaxed [flag], 1. */
static bool says_a_constant(const struct lint *lint, uint32_t instr)
{
    uint32_t count = lint->function->instrs[instr].operand_count;
    if (count < 2 || instruction_is_float(instruction_opcode(lint->subject, instr))) return false;
    struct value said = value_of_operand(lint->subject, instr, count - 1);
    return value_is_constant(said);
}

static bool is_flag_store(const struct lint *lint, uint32_t instr)
{
    struct str base = instruction_base(lint->subject, instr);
    bool store = str_is(base, "st"), reduces = str_is(base, "red") || str_is(base, "atom");
    if ((!store && !reduces) || instruction_has(lint->subject, instr, ".async") ||
        instruction_has(lint->subject, instr, ".bulk"))
        return false;
    bool releases = instruction_has(lint->subject, instr, ".release") ||
                    instruction_has(lint->subject, instr, ".acq_rel");
    bool strong = instruction_has(lint->subject, instr, ".relaxed") ||
                  instruction_has(lint->subject, instr, ".volatile");
    return releases || ((reduces || strong) && says_a_constant(lint, instr));
}

enum release_kind release_of(const struct lint *lint, uint32_t instr)
{
    switch (lint_effect(lint, instr)) {
    case EFFECT_RELEASE_BARRIER:
        return instruction_has(lint->subject, instr, ".expect_tx") ? RELEASE_NONE : RELEASE_ARRIVE;
    case EFFECT_BOTH_BARRIER:
        return instruction_joins_warps(lint->subject, instr) ? RELEASE_BARRIER : RELEASE_NONE;
    case EFFECT_RELEASE_MEMORY:
    case EFFECT_BOTH_MEMORY: return is_flag_store(lint, instr) ? RELEASE_FLAG : RELEASE_NONE;
    default: return RELEASE_NONE;
    }
}
