/* What is left of an instruction once the view has gone? */
#include "engine/place.h"

struct plan_place place_of(const struct function *function, uint32_t instr)
{
    if (instr == UINT32_MAX) return (struct plan_place){.is_exit = false};
    const struct instr *at = &function->instrs[instr];
    return (struct plan_place){at->span, at->opcode->effect == EFFECT_EXIT,
                               at->opcode == &opcode_end_of_body};
}
