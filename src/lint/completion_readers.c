/* Finds the operations that need another one to be complete. See completion_readers.h. */
#include "lint/completion_readers.h"

#include "base/sorted.h"
#include "lint/op_neighbours.h"
#include "value/condition_pairs.h"

/* The second instruction needs the first operation to be complete, or ordered as in a pipelined
 * pair. */
static bool needs_completion(const struct lint *lint, enum effect first, uint32_t second)
{
    enum effect effect = lint_effect(lint, second);
    if (effect == EFFECT_ASYNC_LD || effect == EFFECT_ASYNC_ST) return true;
    return first == EFFECT_ASYNC_CP && effect == EFFECT_ASYNC_MMA;
}

/* The operations among which the readers of op are. */
struct candidates {
    const struct tensor_op *op;
    bool likely;
    struct op_list near; /* if not likely; otherwise all operations of the function */
    uint32_t count;
};

/* Takes the readers from candidate number `first` on, and then from the beginning up to it. */
static uint32_t take_readers(const struct lint *lint, const struct candidates *among,
                             uint32_t first, const struct tensor_op **readers)
{
    const struct tensor_op *ops = lint->handovers->ops;
    enum effect effect = lint_effect(lint, among->op->instr);
    uint32_t block = UINT32_MAX, found = 0;
    const struct condition_set *of_thread = NULL; /* conditions of the thread of op, of no reader */
    lint_spend(lint, among->count);
    for (uint32_t i = 0; i < among->count && found < COMPLETION_READERS; i++) {
        uint32_t number = first + i < among->count ? first + i : first + i - among->count;
        const struct tensor_op *x = &ops[among->likely ? number : among->near.at[number]];
        if (!needs_completion(lint, effect, x->instr) || lint->cfg->block_of[x->instr] == block)
            continue;
        if (!(among->likely ? handover_likely_conflict(lint, among->op, x)
                            : handover_conflict(lint, among->op, x)))
            continue;
        const struct condition_set *set = condition_pairs_set(lint->subject, x->instr);
        if (set == of_thread) continue;
        if (!handover_other_thread(lint, among->op->instr, x->instr)) {
            of_thread = set;
            continue;
        }
        block = lint->cfg->block_of[x->instr];
        readers[found++] = x;
    }
    return found;
}

uint32_t completion_readers_find(const struct lint *lint, const struct tensor_op *op, bool likely,
                                 const struct tensor_op *readers[COMPLETION_READERS])
{
    const struct handovers *all = lint->handovers;
    uint32_t of = (uint32_t)(op - all->ops);
    bool copies = lint_effect(lint, op->instr) == EFFECT_ASYNC_CP;
    struct candidates among = {op, likely,
                               copies ? op_neighbours(lint, op) : op_neighbours_unpiped(lint, op),
                               all->op_count};
    if (!likely) among.count = among.near.count;
    uint32_t found = take_readers(lint, &among, 0, readers);
    if (found < COMPLETION_READERS) return found;
    uint32_t first = likely ? of : sorted_find(among.near.at, 0, among.count, of);
    return take_readers(lint, &among, first, readers);
}
