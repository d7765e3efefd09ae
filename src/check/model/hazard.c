/* Register hazards of a wait that is gone (ISA 9.7.16.6.4.5): a loaded register, or a source or
 * address of an un-waited access, written where the original had waited. A union problem over
 * registers, so plain bit sets are exact. See hazard.h. */
#include "check/model/hazard.h"

#include "base/work.h"
#include "check/model/assume.h"

static const uint64_t SETS_BYTES_MAX = 1ull << 28;

bool hazard_is_access(const struct program_instruction *at)
{
    return at->effect == CHECK_EFFECT_LD || at->effect == CHECK_EFFECT_ST;
}

static bool is_wait(const struct program_instruction *at)
{
    return at->effect == CHECK_EFFECT_WAIT_LD || at->effect == CHECK_EFFECT_WAIT_ST;
}

static void number_registers(struct hazard *hazard, const struct program *program)
{
    uint32_t lds = 0, sts = 0;
    for (uint32_t i = 0; i < program->instructions.count; i++) {
        const struct program_instruction *at = &program->instructions.at[i];
        if (!hazard_is_access(at)) continue;
        bool ld = at->effect == CHECK_EFFECT_LD;
        uint32_t *number = ld ? hazard->ld_number : hazard->st_number;
        for (uint32_t r = at->writes; r < at->end; r++) {
            uint32_t *slot = &number[program->registers.at[r]];
            if (*slot == PROGRAM_NONE) *slot = ld ? lds++ : sts++;
            hazard->loaded[program->registers.at[r]] |= ld && r < at->reads;
        }
    }
    hazard->ld_words = lds / 64 + 1;
    hazard->words = hazard->ld_words + sts / 64 + 1;
}

/* Does this instruction touch a numbered register in a way that counts? */
static bool touches(const struct hazard *hazard, const struct program *program,
                    const struct program_instruction *at)
{
    uint32_t end = hazard->reads_too ? at->end : at->reads;
    for (uint32_t r = at->writes; r < end; r++) {
        uint32_t reg = program->registers.at[r];
        if (hazard->ld_number[reg] != PROGRAM_NONE || hazard->st_number[reg] != PROGRAM_NONE)
            return true;
    }
    return false;
}

static void find_points(struct hazard *hazard, const struct program *program)
{
    hazard->first_point = mem_zalloc((size_t)program->blocks.count + 1, sizeof(uint32_t));
    for (uint32_t b = 0; b < program->blocks.count; b++) {
        const struct flow_block *block = &program->blocks.at[b];
        for (uint32_t i = block->start; i < block->end; i++) {
            const struct program_instruction *at = &program->instructions.at[i];
            if (hazard_is_access(at) || is_wait(at) || touches(hazard, program, at))
                vec_push(&hazard->points, i);
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
        any |= program->instructions.at[i].deleted && is_wait(&program->instructions.at[i]);
    if (!any) return true;
    hazard->loaded = mem_zalloc(program->register_count, 1);
    hazard->ld_number = mem_alloc(program->register_count * sizeof(uint32_t));
    hazard->st_number = mem_alloc(program->register_count * sizeof(uint32_t));
    for (uint32_t r = 0; r < program->register_count; r++)
        hazard->ld_number[r] = hazard->st_number[r] = PROGRAM_NONE;
    number_registers(hazard, program);
    if ((uint64_t)program->blocks.count * hazard->words * 16 > SETS_BYTES_MAX) return false;
    find_points(hazard, program);
    return true;
}

void hazard_free(struct hazard *hazard)
{
    mem_free(hazard->loaded);
    mem_free(hazard->ld_number);
    mem_free(hazard->st_number);
    mem_free(hazard->first_point);
    vec_free(&hazard->points);
}

/* The two sets at one place. */
struct sets {
    uint64_t *pending, *risk;
};

static bool has(const uint64_t *set, uint32_t bit)
{
    return set[bit / 64] >> bit % 64 & 1;
}

static uint32_t st_bit(const struct hazard *hazard, uint32_t number)
{
    return hazard->ld_words * 64 + number;
}

uint32_t hazard_bit(const struct hazard *hazard, bool ld, uint32_t reg)
{
    return ld ? hazard->ld_number[reg] : st_bit(hazard, hazard->st_number[reg]);
}

uint32_t hazard_refused(const struct hazard *hazard, const struct program_instruction *at,
                        const uint64_t *risk)
{
    const struct program *program = hazard->program;
    uint32_t end = hazard->reads_too ? at->end : at->reads;
    for (uint32_t r = at->writes; r < end; r++) {
        uint32_t reg = program->registers.at[r], ld = hazard->ld_number[reg];
        uint32_t st = hazard->st_number[reg];
        /* Only a read of a loaded register can come too early. */
        bool counts = r < at->reads || hazard->loaded[reg];
        if (counts && ld != PROGRAM_NONE && has(risk, ld)) return ld;
        if (r < at->reads && st != PROGRAM_NONE && has(risk, st_bit(hazard, st)))
            return st_bit(hazard, st);
    }
    return PROGRAM_NONE;
}

static void at_wait(const struct hazard *hazard, const struct program_instruction *at,
                    struct sets sets)
{
    bool ld = at->effect == CHECK_EFFECT_WAIT_LD;
    uint32_t from = ld ? 0 : hazard->ld_words, to = ld ? hazard->ld_words : hazard->words;
    /* A guarded wait may not run. */
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

static void enter(void *of, uint64_t *set)
{
    (void)of, (void)set; /* nothing is in flight that this function waits for */
}

static bool pass(void *of, uint32_t block, uint64_t *set)
{
    struct hazard *hazard = of;
    struct sets sets = {set, set + hazard->words};
    work_spend(hazard->first_point[block + 1] - hazard->first_point[block] + hazard->words);
    for (uint32_t p = hazard->first_point[block]; p < hazard->first_point[block + 1]; p++) {
        uint32_t i = hazard->points.at[p];
        const struct program_instruction *at = &hazard->program->instructions.at[i];
        hazard->observer = i;
        hazard->bit = hazard_refused(hazard, at, sets.risk);
        if (hazard->bit != PROGRAM_NONE) return false;
        if (is_wait(at)) at_wait(hazard, at, sets);
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
                         .enter = enter,
                         .pass = pass};
}
