/* Implements the pairs of ISA 9.7.16.6.2. See pairing.h. */
#include "check/model/pairing.h"

#include "check/model/assume.h"
#include "check/model/program.h"

static bool is_scale(const struct program_pipe *mma, uint32_t place)
{
    bool found = false;
    for (int i = 0; i < PROGRAM_PIPE_SCALES; i++) found |= mma->scales[i] == place;
    return found;
}

static bool reads_as_input(const struct program_pipe *mma, uint32_t place)
{
    return mma->a == place || mma->metadata == place;
}

/* Whether accumulator (D and C), shape, kind and form are equal. The second mma must read nothing
 * else in tensor memory: it may be where the D of the first mma is, and no ISA version orders
 * that. */
static bool is_same_accumulation(const struct program_pipe *x, const struct program_pipe *y)
{
    bool reads_more = y->a != PROGRAM_NONE || y->metadata != PROGRAM_NONE ||
                      y->scales[0] != PROGRAM_NONE || y->scales[1] != PROGRAM_NONE;
    return !reads_more && x->form == y->form && x->place == y->place &&
           x->descriptor == y->descriptor;
}

/* What the assumptions grant: pairs by scale operands, and the pairs of ISA 9.4. */
struct granted {
    bool by_scales, of_9_4;
};

/* Implements ISA 9.7.16.6.2 as far as every version grants it: into and out of an mma by its A and
 * metadata, never by its D; by its scales only after a cp. ISA 9.4 also grants a cp after an mma.
 * All operations have the same cta_group. */
static bool are_pipelined(const struct program_pipe *x, const struct program_pipe *y,
                          struct granted granted)
{
    if (x->is_strange || y->is_strange) return false;
    if (x->effect == CHECK_EFFECT_MMA && y->effect == CHECK_EFFECT_MMA)
        return is_same_accumulation(x, y);
    if (x->effect == CHECK_EFFECT_MMA) {
        bool row = y->effect == CHECK_EFFECT_SHIFT || granted.of_9_4;
        return row && reads_as_input(x, y->place) && x->place != y->place && !is_scale(x, y->place);
    }
    if (y->effect == CHECK_EFFECT_MMA) {
        if (y->place == x->place) return false;
        if (is_scale(y, x->place)) return x->effect == CHECK_EFFECT_CP && granted.by_scales;
        return reads_as_input(y, x->place);
    }
    return x->effect == CHECK_EFFECT_SHIFT && y->effect == CHECK_EFFECT_CP && y->is_4x256b &&
           x->place == y->place;
}

static bool by_inputs(const void *earlier, const void *later)
{
    return are_pipelined(earlier, later, (struct granted){false, false});
}

static bool by_scales(const void *earlier, const void *later)
{
    return are_pipelined(earlier, later, (struct granted){true, false});
}

static bool by_inputs_of_9_4(const void *earlier, const void *later)
{
    return are_pipelined(earlier, later, (struct granted){false, true});
}

static bool by_scales_of_9_4(const void *earlier, const void *later)
{
    return are_pipelined(earlier, later, (struct granted){true, true});
}

pairing *pairing_under(uint32_t assume)
{
    bool of_9_4 = assume & CHECK_ISA_9_4_PAIRS;
    if (assume & CHECK_SCALES_FOLLOW_CP) return of_9_4 ? by_scales_of_9_4 : by_scales;
    return of_9_4 ? by_inputs_of_9_4 : by_inputs;
}
