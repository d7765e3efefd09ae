/* The rule proxy-idle, proved forwards: a set of spellings a path may lack, joined by union. See
 * proxy.h. */
#include "check/proxy.h"

static const uint64_t ALL_MISSING = ~0ull;

static bool is_proxy(const struct program_instruction *at)
{
    return at->effect == EFFECT_BOTH && at->detail != PROGRAM_NONE;
}

bool proxy_prepare(struct proxy *proxy, const struct program *program)
{
    *proxy = (struct proxy){0};
    for (uint32_t i = 0; i < program->instructions.count; i++)
        proxy->used |= program->instructions.at[i].deleted && is_proxy(&program->instructions.at[i]);
    if (!proxy->used) return true;
    if (program->spelling_count > 64) return false;
    proxy->missing = mem_zalloc(program->blocks.count, sizeof *proxy->missing);
    proxy->reached = mem_zalloc(program->blocks.count, sizeof *proxy->reached);
    return true;
}

void proxy_free(struct proxy *proxy)
{
    mem_free(proxy->missing);
    mem_free(proxy->reached);
}

/* The one without suffix is wider than those that name a state space, but not than those that
 * name a direction and a scope: they acquire or release, too. */
static bool is_narrower(const struct program *program, const struct program_instruction *at)
{
    struct str text = token_text(program->text, at->span);
    for (size_t i = 0; i + 7 < text.n; i++)
        if (!memcmp(text.p + i, "async::", 7)) return false;
    return true;
}

/* What is missing behind an instruction. */
static uint64_t step(const struct program_instruction *at, uint64_t missing)
{
    if (at->deleted) return missing; /* it is not there */
    if (is_proxy(at)) return at->guarded ? ALL_MISSING : ALL_MISSING & ~(1ull << at->detail);
    return at->flags & EFFECT_PURE ? missing : ALL_MISSING;
}

/* Sends missing through block b; the deleted fence that nothing covers, NONE when all are. */
static uint32_t through(const struct program *program, uint32_t b, uint64_t *missing)
{
    const struct program_block *block = &program->blocks.at[b];
    for (uint32_t i = block->start; i < block->end; i++) {
        const struct program_instruction *at = &program->instructions.at[i];
        if (is_proxy(at) && at->deleted) {
            bool equal = !(*missing >> at->detail & 1);
            bool wider = !(*missing & 1) && is_narrower(program, at);
            if (!equal && !wider) return i;
        }
        *missing = step(at, *missing);
    }
    return PROGRAM_NONE;
}

bool proxy_solve(struct proxy *proxy, const struct program *program, uint32_t *fault)
{
    if (!proxy->used) return true;
    proxy->missing[0] = ALL_MISSING;
    proxy->reached[0] = true;
    bool changed = true;
    while (changed) {
        changed = false;
        for (uint32_t b = 0; b < program->blocks.count; b++) {
            if (!proxy->reached[b]) continue;
            const struct program_block *block = &program->blocks.at[b];
            uint64_t missing = proxy->missing[b];
            *fault = through(program, b, &missing);
            if (*fault != PROGRAM_NONE) return false;
            for (uint32_t s = block->succ_start; s < block->succ_end; s++) {
                uint32_t succ = program->succs.at[s];
                if (proxy->reached[succ] && !(missing & ~proxy->missing[succ])) continue;
                proxy->missing[succ] |= missing;
                proxy->reached[succ] = changed = true;
            }
        }
    }
    return true;
}

bool proxy_holds(const struct proxy *proxy, const struct program *program)
{
    if (!proxy->used) return true;
    bool fine = proxy->reached[0] && proxy->missing[0] == ALL_MISSING;
    for (uint32_t b = 0; fine && b < program->blocks.count; b++) {
        if (!proxy->reached[b]) continue;
        const struct program_block *block = &program->blocks.at[b];
        uint64_t missing = proxy->missing[b];
        fine = through(program, b, &missing) == PROGRAM_NONE;
        for (uint32_t s = block->succ_start; fine && s < block->succ_end; s++) {
            uint32_t succ = program->succs.at[s];
            fine = proxy->reached[succ] && !(missing & ~proxy->missing[succ]);
        }
    }
    return fine;
}
