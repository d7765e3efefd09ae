/* Finds the register hazards of removed waits (ISA 9.7.16.6.4.5): a write of a register that an
 * access still uses, where BEFORE had waited for the access. The register is loaded by it, or is
 * its source or address. Updates are unions over registers, so plain bit sets are exact. See
 * hazard.h. */
#include "check/model/hazard.h"

#include "base/work.h"
#include "check/model/assume.h"

static const uint64_t SETS_BYTES_MAX = 1ull << 28;

bool hazard_is_access(const struct program_instruction *at)
{
    return at->effect == CHECK_EFFECT_LD || at->effect == CHECK_EFFECT_ST;
}

static bool hazard_is_wait(const struct program_instruction *at)
{
    return at->effect == CHECK_EFFECT_WAIT_LD || at->effect == CHECK_EFFECT_WAIT_ST;
}

/* Returns the entry of a register that an access names, and adds it if needed. */
static struct hazard_use *hazard_use_of(struct hazard *hazard, uint32_t reg)
{
    if (!hazard->use_of[reg]) {
        hazard->use_of[reg] = hazard->uses.count;
        vec_push(&hazard->uses, (struct hazard_use){PROGRAM_NONE, PROGRAM_NONE, false});
    }
    return &hazard->uses.at[hazard->use_of[reg]];
}

static void number_registers(struct hazard *hazard, const struct program *program)
{
    uint32_t lds = 0, sts = 0;
    for (uint32_t i = 0; i < program->instructions.count; i++) {
        const struct program_instruction *at = &program->instructions.at[i];
        if (!hazard_is_access(at)) continue;
        bool ld = at->effect == CHECK_EFFECT_LD;
        for (uint32_t r = at->writes; r < at->end; r++) {
            struct hazard_use *use = hazard_use_of(hazard, program->registers.at[r]);
            uint32_t *slot = ld ? &use->ld : &use->st;
            if (*slot == PROGRAM_NONE) *slot = ld ? lds++ : sts++;
            use->loaded |= ld && r < at->reads;
        }
    }
    hazard->ld_words = lds / 64 + 1;
    hazard->words = hazard->ld_words + sts / 64 + 1;
}

/* Whether this instruction uses a numbered register in a way that matters. */
static bool touches_numbered(const struct hazard *hazard, const struct program *program,
                             const struct program_instruction *at)
{
    uint32_t end = hazard->reads_too ? at->end : at->reads;
    for (uint32_t r = at->writes; r < end; r++)
        if (hazard->use_of[program->registers.at[r]]) return true;
    return false;
}

/* Adds the touches [from, end) of numbered registers to points. */
static void find_touches(struct hazard *hazard, uint32_t from, uint32_t end)
{
    const struct program_touch *touches = hazard->program->touches.at;
    const uint32_t *use_of = hazard->use_of;
    for (uint32_t t = from; t < end; t++)
        if (use_of[touches[t].reg]) vec_push(&hazard->points, PROGRAM_TOUCH | t);
}

static void find_points(struct hazard *hazard, const struct program *program)
{
    hazard->first_point = mem_zalloc((size_t)program->blocks.count + 1, sizeof(uint32_t));
    for (uint32_t b = 0; b < program->blocks.count; b++) {
        const struct flow_block *block = &program->blocks.at[b];
        for (uint32_t i = block->start; i < block->end; i++) {
            const struct program_instruction *at = &program->instructions.at[i];
            if (hazard_is_access(at) || hazard_is_wait(at) || touches_numbered(hazard, program, at))
                vec_push(&hazard->points, i);
            find_touches(hazard, program_touches(program, i), program_touches(program, i + 1));
        }
        hazard->first_point[b + 1] = hazard->points.count;
    }
}

bool hazard_prepare(struct hazard *hazard, const struct program *program, uint32_t assume)
{
    *hazard =
        (struct hazard){.program = program, .reads_too = !(assume & CHECK_REGISTER_DEPENDENCY)};
    bool any = false;
    for (uint32_t i = 0; i < program->instructions.count; i++)
        any |= program->instructions.at[i].deleted && hazard_is_wait(&program->instructions.at[i]);
    if (!any) return true;
    hazard->use_of = mem_zalloc(program->register_count, sizeof *hazard->use_of);
    vec_push(&hazard->uses, (struct hazard_use){PROGRAM_NONE, PROGRAM_NONE, false});
    number_registers(hazard, program);
    if ((uint64_t)program->blocks.count * hazard->words * 16 > SETS_BYTES_MAX) return false;
    find_points(hazard, program);
    hazard->fading = mem_zalloc(2 * (size_t)hazard->words, sizeof *hazard->fading);
    memset(hazard->fading, 0xff, hazard->words * sizeof *hazard->fading);
    return true;
}

void hazard_free(struct hazard *hazard)
{
    mem_free(hazard->use_of);
    mem_free(hazard->first_point);
    mem_free(hazard->fading);
    vec_free(&hazard->uses);
    vec_free(&hazard->points);
}

/* The two sets at one point. */
struct sets {
    uint64_t *pending, *risk;
};

static bool hazard_has_bit(const uint64_t *set, uint32_t bit)
{
    return set[bit / 64] >> bit % 64 & 1;
}

static uint32_t st_bit(const struct hazard *hazard, uint32_t number)
{
    return hazard->ld_words * 64 + number;
}

uint32_t hazard_bit(const struct hazard *hazard, bool ld, uint32_t reg)
{
    const struct hazard_use *use = &hazard->uses.at[hazard->use_of[reg]];
    return ld ? use->ld : st_bit(hazard, use->st);
}

const struct program_instruction *hazard_instruction(const struct hazard *hazard, uint32_t point)
{
    return point & PROGRAM_TOUCH ? NULL : &hazard->program->instructions.at[point];
}

/* Returns the bit at risk that a write (writes true) or read of the register must not meet. */
static uint32_t refused_bit(const struct hazard *hazard, uint32_t reg, bool writes,
                            const uint64_t *risk)
{
    const struct hazard_use *use = &hazard->uses.at[hazard->use_of[reg]];
    /* A read matters only for a loaded register. */
    bool counts = writes || use->loaded;
    if (counts && use->ld != PROGRAM_NONE && hazard_has_bit(risk, use->ld)) return use->ld;
    if (writes && use->st != PROGRAM_NONE && hazard_has_bit(risk, st_bit(hazard, use->st)))
        return st_bit(hazard, use->st);
    return PROGRAM_NONE;
}

uint32_t hazard_refused(const struct hazard *hazard, uint32_t point, const uint64_t *risk)
{
    const struct program *program = hazard->program;
    const struct program_instruction *at = hazard_instruction(hazard, point);
    if (!at) {
        const struct program_touch *touch = &program->touches.at[point & ~PROGRAM_TOUCH];
        return refused_bit(hazard, touch->reg, !touch->reads, risk);
    }
    uint32_t end = hazard->reads_too ? at->end : at->reads, bit = PROGRAM_NONE;
    for (uint32_t r = at->writes; r < end && bit == PROGRAM_NONE; r++)
        bit = refused_bit(hazard, program->registers.at[r], r < at->reads, risk);
    return bit;
}

static void at_wait(const struct hazard *hazard, const struct program_instruction *at,
                    struct sets sets)
{
    bool ld = at->effect == CHECK_EFFECT_WAIT_LD;
    uint32_t from = ld ? 0 : hazard->ld_words, to = ld ? hazard->ld_words : hazard->words;
    /* A guarded wait may not execute. */
    if (at->guarded) return;
    work_spend(to - from);
    for (uint32_t w = from; w < to; w++) {
        sets.risk[w] = at->deleted ? sets.risk[w] | sets.pending[w] : 0;
        sets.pending[w] = 0;
    }
}

static void at_access(const struct hazard *hazard, const struct program_instruction *at,
                      struct sets sets)
{
    bool ld = at->effect == CHECK_EFFECT_LD;
    for (uint32_t r = at->writes; r < at->end; r++) {
        uint32_t bit = hazard_bit(hazard, ld, hazard->program->registers.at[r]);
        sets.pending[bit / 64] |= 1ull << bit % 64;
    }
}

static void hazard_enter(void *of, uint64_t *set)
{
    (void)of, (void)set; /* at the entry, nothing is in flight that this function waits for */
}

static bool hazard_pass(void *of, uint32_t block, uint64_t *set)
{
    struct hazard *hazard = of;
    struct sets sets = {set, set + hazard->words};
    work_spend(hazard->first_point[block + 1] - hazard->first_point[block] + hazard->words);
    bool risks = !flow_is_empty(sets.risk, hazard->words);
    for (uint32_t p = hazard->first_point[block]; p < hazard->first_point[block + 1]; p++) {
        hazard->observer = hazard->points.at[p];
        if (risks) hazard->bit = hazard_refused(hazard, hazard->observer, sets.risk);
        if (risks && hazard->bit != PROGRAM_NONE) return false;
        const struct program_instruction *at = hazard_instruction(hazard, hazard->observer);
        if (!at) continue;
        if (hazard_is_wait(at)) {
            at_wait(hazard, at, sets);
            risks = !flow_is_empty(sets.risk, hazard->words);
        }
        if (hazard_is_access(at)) at_access(hazard, at, sets);
    }
    return true;
}

struct flow hazard_flow(struct hazard *hazard)
{
    return (struct flow){.blocks = hazard->program->blocks.at,
                         .succs = hazard->program->succs.at,
                         .block_count = hazard->program->blocks.count,
                         .words = 2 * hazard->words,
                         .of = hazard,
                         .enter = hazard_enter,
                         .pass = hazard_pass,
                         .fading = hazard->fading};
}
