/* setmaxnreg must be executed by all warps of a warpgroup: four warps, the first with a number that
 * is a multiple of four. Many kernels have a copy of it in the code of each role, so two
 * instructions with the same opcode and number count as one. */
#include "lint/warpgroup_registers.h"

#include "lint/handover.h"
#include "value/conditions.h"
#include "value/expr.h"
#include "value/instruction.h"
#include "value/lanes.h"

enum { WARPGROUP = 4, SETTINGS_MAX = 32 };

struct setting {
    uint32_t instr;
    uint32_t warps; /* bits: warps that execute it, as far as the conditions depend on the warp's
                       number */
    struct condition_set set;
};

/* Returns false if it is unknown which warps execute the instruction. */
static bool read_setting(const struct lint *lint, const struct lanes_shape *shape, uint32_t instr,
                         struct setting *setting)
{
    bool sure;
    setting->instr = instr;
    setting->set = conditions_of(lint->subject, instr);
    setting->warps = lanes_warps(lint->subject, shape, &setting->set, &sure);
    return sure && conditions_reach(lint->subject, lint->cfg->block_of[instr]);
}

/* Both increase, or both decrease, to the same number of registers. */
static bool is_same_setting(const struct lint *lint, uint32_t a, uint32_t b)
{
    return str_eq(instruction_opcode(lint->subject, a), instruction_opcode(lint->subject, b)) &&
           str_eq(instruction_operand(lint->subject, a, 0),
                  instruction_operand(lint->subject, b, 0));
}

/* The two exclude each other by a condition that is the same for all threads of the CTA. */
static bool are_of_two_launches(const struct lint *lint, const struct setting *a,
                                const struct setting *b)
{
    lint_spend(lint, (uint64_t)a->set.count * b->set.count);
    for (uint32_t i = 0; i < a->set.count; i++)
        for (uint32_t k = 0; k < b->set.count; k++)
            if (a->set.at[i].base == b->set.at[k].base &&
                a->set.at[i].holds != b->set.at[k].holds &&
                value_expr(lint->subject, (struct value){a->set.at[i].base, 0})->of_block)
                return true;
    return false;
}

/* In some warpgroup one warp executes only a, and another warp only b. */
static bool share_warpgroup(const struct setting *a, const struct setting *b)
{
    const uint32_t group = (1u << WARPGROUP) - 1;
    uint32_t only_a = a->warps & ~b->warps, only_b = b->warps & ~a->warps;
    for (uint32_t first = 0; first < 32; first += WARPGROUP)
        if (only_a >> first & group && only_b >> first & group) return true;
    return false;
}

static void report_setting(struct lint *lint, const struct lint_code *code, uint32_t at,
                           uint32_t other)
{
    static const struct lint_words words = {
        "9.7.19.5", "If a `setmaxnreg` instruction is not executed by all warps in the warpgroup, "
                    "then the behavior is undefined."};
    lint_report(lint, (struct hazard){code, LINT_NOTE, at, other,
                                      "other warps of the same warpgroup execute %s instead",
                                      "let all four warps of the warpgroup execute one setmaxnreg, "
                                      "in front of the branch to their roles",
                                      NULL, 0, &words});
}

void warpgroup_registers_report(struct lint *lint, const struct lint_code *code)
{
    const struct function *f = lint->function;
    struct lanes_shape shape = lint->handovers->shape;
    struct setting *settings = NULL;
    uint32_t count = 0;
    lint_spend(lint, f->notable_count);
    for (uint32_t n = 0; f->is_entry && n < f->notable_count; n++) {
        uint32_t i = f->notable[n];
        if (!str_is(instruction_base(lint->subject, i), "setmaxnreg")) continue;
        if (count == SETTINGS_MAX) {
            lint_stop_short(lint);
            break;
        }
        if (!settings) settings = arena_alloc(lint->arena, SETTINGS_MAX, sizeof *settings);
        if (!read_setting(lint, &shape, i, &settings[count])) continue;
        uint32_t k = 0;
        while (k < count && (is_same_setting(lint, settings[k].instr, i) ||
                             !share_warpgroup(&settings[k], &settings[count]) ||
                             are_of_two_launches(lint, &settings[k], &settings[count])))
            k++;
        if (k < count) report_setting(lint, code, i, settings[k].instr);
        count++;
    }
}
