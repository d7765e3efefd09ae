/* Checks that a kept proxy fence replaces each removed one. A proxy fence orders what comes before
 * it and what comes after it. So another fence, before or after the removed one, replaces it if no
 * instruction between the two needs to be on one side. A state says, for one path and one spelling
 * of the fence:
 *
 *   fenced   a kept fence that replaces this spelling has executed, and since then no instruction
 *            that such a fence would have to follow
 *   owed     a removed fence was not fenced: a kept one must execute before any instruction that
 *            must follow such a fence
 *
 * See proxy.h. */
#include "check/model/proxy.h"

#include "base/work.h"
#include "check/model/touch.h"

enum { FENCED = 1, OWED = 2, STATES = PROXY_STATES };

/* ---- instructions ---- */

static bool is_proxy_fence(const struct program_instruction *at)
{
    return at->effect == CHECK_EFFECT_BOTH_MEMORY && at->detail != PROGRAM_NONE;
}

static bool is_narrow(uint32_t spelling)
{
    return spelling >= PROGRAM_PROXY_NARROW_FIRST && spelling <= PROGRAM_PROXY_NARROW_LAST;
}

/* Whether a fence of this spelling replaces one of the other: the same one, or a narrower one. A
 * fence with a direction, or with an unknown state space, is neither wider nor narrower than
 * another. */
static bool fence_covers(uint32_t spelling, uint32_t other)
{
    return spelling == other || (spelling == PROGRAM_PROXY_FULL && is_narrow(other));
}

/* Returns the memory (enum touch) that the fence is about. */
static unsigned fence_memory(uint32_t spelling)
{
    if (spelling == PROGRAM_PROXY_FULL) return TOUCH_GLOBAL | TOUCH_SHARED;
    if (spelling == PROGRAM_PROXY_NARROW_FIRST) return TOUCH_GLOBAL;
    return is_narrow(spelling) ? TOUCH_SHARED : TOUCH_ANYTHING;
}

/* Whether the instruction only works on registers, or accesses memory that the fence is not about:
 * the fence does not order it. */
static bool is_apart_from_fence(const struct program_instruction *at, uint32_t spelling)
{
    bool neutral = at->effect == CHECK_EFFECT_NEUTRAL || at->effect == CHECK_EFFECT_BRANCH ||
                   at->effect == CHECK_EFFECT_INDEXED;
    return neutral && !(touch_of(at->flags) & fence_memory(spelling));
}

/* Whether it is an election, which observes no memory: it may be between a fence and a later fence
 * that replaces it. An access to tensor memory may not: ptxas keeps it before what follows the
 * later fence. */
static bool is_election(const struct program_instruction *at, uint32_t spelling)
{
    return at->effect == CHECK_EFFECT_BOTH_MEMORY &&
           (at->flags & CHECK_EFFECT_ELECTION) == CHECK_EFFECT_ELECTION &&
           (spelling == PROGRAM_PROXY_FULL || is_narrow(spelling));
}

/* ---- states ---- */

static unsigned proxy_add_state(unsigned states, unsigned state)
{
    return states | 1u << state;
}

/* Changes the states by a kept instruction. Returns false if the instruction needs an owed
 * fence. */
static bool pass_kept(const struct program_instruction *at, uint32_t spelling, unsigned *states)
{
    bool fences = is_proxy_fence(at) && !at->guarded && fence_covers(at->detail, spelling);
    bool apart = is_apart_from_fence(at, spelling), stays = apart || is_election(at, spelling);
    unsigned behind = 0;
    for (unsigned state = 0; state < STATES; state++) {
        if (!(*states >> state & 1)) continue;
        if (fences)
            behind = proxy_add_state(behind, FENCED);
        else if (state & OWED && !apart)
            return false;
        else
            behind = proxy_add_state(behind, stays ? state : state & ~(unsigned)FENCED);
    }
    *states = behind;
    return true;
}

/* Returns the states after a removed fence of the spelling. */
static unsigned mark_fence_owed(unsigned states)
{
    unsigned behind = 0;
    for (unsigned state = 0; state < STATES; state++)
        if (states >> state & 1)
            behind = proxy_add_state(behind, state & FENCED ? state : state | OWED);
    return behind;
}

/* Changes the states of one spelling by an instruction and its touches. */
static bool proxy_pass_states(const struct program_instruction *at, uint32_t spelling,
                              unsigned *states)
{
    if (!at->deleted && !pass_kept(at, spelling, states)) return false;
    if (at->deleted && is_proxy_fence(at) && at->detail == spelling)
        *states = mark_fence_owed(*states);
    if (!(at->work_touches & fence_memory(spelling))) return true;
    const struct program_instruction access = {.effect = CHECK_EFFECT_NEUTRAL};
    return pass_kept(&access, spelling, states);
}

/* ---- the flow ---- */

static void proxy_enter(void *of, uint64_t *set)
{
    const struct proxy *proxy = of;
    for (uint32_t left = proxy->deleted; left; left &= left - 1)
        *set |= 1ull << STATES * __builtin_ctz(left);
}

static bool proxy_pass_instruction(struct proxy *proxy, const struct program_instruction *at,
                                   uint64_t *set)
{
    const uint64_t all = (1u << STATES) - 1;
    for (uint32_t left = proxy->deleted; left; left &= left - 1) {
        proxy->spelling = (uint32_t)__builtin_ctz(left);
        uint32_t shift = STATES * proxy->spelling;
        unsigned states = (unsigned)(*set >> shift & all);
        if (!proxy_pass_states(at, proxy->spelling, &states)) return false;
        *set = (*set & ~(all << shift)) | (uint64_t)states << shift;
    }
    return true;
}

/* Refuses every removal if there are more spellings than bits. */
static bool proxy_pass(void *of, uint32_t block, uint64_t *set)
{
    struct proxy *proxy = of;
    if (proxy->too_many) return false;
    const struct flow_block *from = &proxy->program->blocks.at[block];
    work_spend(from->end - from->start);
    for (uint32_t i = from->start; i < from->end; i++) {
        proxy->observer = i;
        if (!proxy_pass_instruction(proxy, &proxy->program->instructions.at[i], set)) return false;
    }
    return true;
}

void proxy_prepare(struct proxy *proxy, const struct program *program)
{
    proxy->program = program;
    for (uint32_t i = 0; i < program->instructions.count; i++) {
        const struct program_instruction *at = &program->instructions.at[i];
        if (!at->deleted || !is_proxy_fence(at)) continue;
        if (at->detail < PROXY_SPELLINGS)
            proxy->deleted |= 1u << at->detail;
        else if (!proxy->too_many)
            proxy->spelling = at->detail, proxy->too_many = true;
    }
}

/* Of all spellings: the states in which no fence is owed. Only a removed fence becomes owed. */
static const uint64_t settled_states = UINT64_C(0x3333333333333333);

struct flow proxy_flow(struct proxy *proxy)
{
    return (struct flow){.blocks = proxy->program->blocks.at,
                         .succs = proxy->program->succs.at,
                         .block_count = proxy->program->blocks.count,
                         .words = proxy_is_asked(proxy) ? 1 : 0,
                         .of = proxy,
                         .enter = proxy_enter,
                         .pass = proxy_pass,
                         .fading = &settled_states};
}

uint32_t proxy_culprit(const struct proxy *proxy)
{
    const struct program *program = proxy->program;
    uint32_t first = PROGRAM_NONE, nearest = PROGRAM_NONE;
    for (uint32_t i = 0; i < program->instructions.count; i++) {
        const struct program_instruction *at = &program->instructions.at[i];
        if (!at->deleted || !is_proxy_fence(at) || at->detail != proxy->spelling) continue;
        if (first == PROGRAM_NONE) first = i;
        if (i <= proxy->observer) nearest = i;
    }
    return nearest == PROGRAM_NONE ? first : nearest;
}
