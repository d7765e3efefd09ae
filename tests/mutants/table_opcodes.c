/* Mutants of the optimizer's table of opcodes: each row orders less, is another operation, or lacks
 * a trait. */
#include <string.h>

#include "ptx/opcode.h"

#include "tables.h"

/* The base opcode, which every text about the row contains. Stored as long as the program runs. */
static struct reach reach_of(const struct opcode *row)
{
    return (struct reach){.word = must(strndup(row->name, strcspn(row->name, " ")))};
}

static void become(const struct opcode *row, enum effect effect)
{
    if (row->effect != effect)
        add_mutant(OF_OPTIMIZER, reach_of(row), &row->effect, &effect, sizeof effect,
                   "opcode/%s: %s is %s", row->name, effect_name(row->effect), effect_name(effect));
}

/* The weaker effects than a given one, and those that a commit's fence orders. */
static void weaken(const struct opcode *row)
{
    switch (row->effect) {
    case EFFECT_REGISTER: return;
    case EFFECT_RELEASE_MEMORY: become(row, EFFECT_RELEASE_BARRIER); break;
    case EFFECT_ACQUIRE_MEMORY: become(row, EFFECT_ACQUIRE_BARRIER); break;
    case EFFECT_BOTH_MEMORY:
        become(row, EFFECT_BOTH_BARRIER);
        become(row, EFFECT_RELEASE_MEMORY);
        become(row, EFFECT_ACQUIRE_MEMORY);
        break;
    case EFFECT_BOTH_BARRIER:
        become(row, EFFECT_RELEASE_BARRIER);
        become(row, EFFECT_ACQUIRE_BARRIER);
        break;
    case EFFECT_RELEASE_BARRIER: become(row, EFFECT_RELEASE_MEMORY); break;
    case EFFECT_ACQUIRE_BARRIER: become(row, EFFECT_ACQUIRE_MEMORY); break;
    case EFFECT_WAIT_LD: become(row, EFFECT_WAIT_ST); break;
    case EFFECT_WAIT_ST: become(row, EFFECT_WAIT_LD); break;
    case EFFECT_FENCE_BEFORE: become(row, EFFECT_FENCE_AFTER); break;
    case EFFECT_FENCE_AFTER: become(row, EFFECT_FENCE_BEFORE); break;
    case EFFECT_CALL: become(row, EFFECT_BOTH_BARRIER); break;
    case EFFECT_ALLOC: become(row, EFFECT_BOTH_MEMORY); break;
    case EFFECT_MEET_MEMORY: become(row, EFFECT_MEMORY); break;
    default: break;
    }
    if (effect_is_async(row->effect))
        for (enum effect other = EFFECT_ASYNC_LD; other <= EFFECT_ASYNC_SHIFT; other++)
            become(row, other);
    become(row, EFFECT_REGISTER);
    if (effect_is_release(row->effect) || effect_is_acquire(row->effect) ||
        effect_is_both(row->effect))
        become(row, EFFECT_MEMORY);
}

/* Traits that say less of an instruction do not change what is believed about ordering: ASIDE only
 * chooses a witness. */
static void lose_traits(const struct opcode *row)
{
    for (unsigned bit = 1; bit <= OPCODE_ELECTS; bit <<= 1) {
        uint8_t left = (uint8_t)(row->traits & ~bit);
        if (row->traits & bit && bit != OPCODE_ASIDE)
            add_mutant(OF_OPTIMIZER, reach_of(row), &row->traits, &left, sizeof left,
                       "opcode/%s: without trait %u", row->name, bit);
    }
}

void make_opcode_mutants(void)
{
    uint32_t count;
    const struct opcode *rows = opcode_rows(&count);
    for (uint32_t i = 0; i < count; i++) {
        weaken(&rows[i]);
        lose_traits(&rows[i]);
    }
}
