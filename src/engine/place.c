/* Reduces an instruction to its place in the text. */
#include "engine/place.h"

struct plan_place plan_place_of(const struct function *function, uint32_t instr)
{
    if (instr == UINT32_MAX) return (struct plan_place){.is_exit = false};
    const struct instr *at = &function->instrs[instr];
    return (struct plan_place){at->span, at->opcode->effect == EFFECT_EXIT,
                               at->opcode == &opcode_end_of_body};
}
