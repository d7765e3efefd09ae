/* The rule proxy-idle. Without a label between, what precedes in the text precedes on every path.
 * See proxy.h. */
#include "check/model/proxy.h"

/* Spellings as a set. Of more than fit none is ever found covered. */
static uint64_t bit(uint32_t spelling)
{
    return spelling < 64 ? 1ull << spelling : 0;
}

/* It itself, and what it is narrower than. One that names a direction, or a state space that is not
 * known here, is narrower than none. */
static uint64_t covering(uint32_t spelling)
{
    bool narrow = spelling >= PROGRAM_PROXY_NARROW_FIRST && spelling <= PROGRAM_PROXY_NARROW_LAST;
    return bit(spelling) | (narrow ? bit(PROGRAM_PROXY_FULL) : 0);
}

static bool is_proxy(const struct program_instruction *at)
{
    return at->effect == CHECK_EFFECT_BOTH_MEMORY && at->detail != PROGRAM_NONE;
}

uint32_t proxy_uncovered(const struct program *program)
{
    uint64_t before = 0;
    for (uint32_t i = 0; i < program->instructions.count; i++) {
        const struct program_instruction *at = &program->instructions.at[i];
        if (at->leads) before = 0;
        if (at->deleted) {
            if (is_proxy(at) && !(before & covering(at->detail))) return i;
        } else if (!(at->flags & CHECK_EFFECT_PURE)) {
            before = is_proxy(at) && !at->guarded ? bit(at->detail) : 0;
        }
        if (at->before_memory) before = 0;
    }
    return PROGRAM_NONE;
}
