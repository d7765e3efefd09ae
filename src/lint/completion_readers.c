/* Finds the operations that need another one to be complete. See completion_readers.h. */
#include "lint/completion_readers.h"

#include "base/intern.h"
#include "base/vec.h"
#include "lint/commit_wait.h"
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

/* The readers of operations on the same columns that the same threads execute, as indices of
 * operations that ascend. */
struct reader_list {
    uint32_t *at, count;
    uint32_t *next;  /* by index in at: the next one in another block, or count */
    uint32_t blocks; /* in which they are */
};

/* What decides which operations are readers. A key of intern: no padding. */
struct read_of {
    uint32_t kind, set, effect, likely;
};

struct completion_lists {
    struct intern numbers;                 /* of struct read_of */
    struct VEC(struct reader_list *) list; /* by number */
};

struct completion_lists *completion_lists_new(const struct lint *lint)
{
    return arena_alloc(lint->arena, 1, sizeof(struct completion_lists));
}

void completion_lists_free(struct completion_lists *lists)
{
    intern_free(&lists->numbers);
    vec_free(&lists->list);
}

static bool is_completion_reader(const struct lint *lint, const struct tensor_op *op,
                                 const struct tensor_op *x, bool likely)
{
    return needs_completion(lint, lint_effect(lint, op->instr), x->instr) &&
           (likely ? handover_likely_conflict(lint, op, x) : handover_conflict(lint, op, x)) &&
           handover_other_thread(lint, op->instr, x->instr);
}

static void list_completion_readers(const struct lint *lint, const struct tensor_op *op,
                                    bool likely, struct reader_list *list)
{
    const struct handovers *all = lint->handovers;
    const uint32_t *block_of = lint->cfg->block_of;
    bool copies = lint_effect(lint, op->instr) == EFFECT_ASYNC_CP;
    struct op_list near = copies ? op_neighbours(lint, op) : op_neighbours_unpiped(lint, op);
    uint32_t count = likely ? all->op_count : near.count;
    list->at = arena_room(lint->arena, count, sizeof *list->at);
    lint_spend(lint, count);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t x = likely ? i : near.at[i];
        if (is_completion_reader(lint, op, &all->ops[x], likely)) list->at[list->count++] = x;
    }
    list->next = arena_room(lint->arena, list->count, sizeof *list->next);
    for (uint32_t i = list->count; i-- > 0;) {
        bool last = i + 1 == list->count || block_of[all->ops[list->at[i]].instr] !=
                                                block_of[all->ops[list->at[i + 1]].instr];
        list->next[i] = last ? i + 1 : list->next[i + 1];
        list->blocks += last;
    }
}

static const struct reader_list *completion_list_of(const struct lint *lint,
                                                    struct completion_lists *lists,
                                                    const struct tensor_op *op, bool likely)
{
    struct read_of key = {op_kind(lint, op), condition_pairs_number(lint->subject, op->instr),
                          lint_effect(lint, op->instr), likely};
    struct str bytes = {(const char *)&key, sizeof key};
    uint32_t number = intern_find(&lists->numbers, 0, bytes);
    if (number != INTERN_NONE) return lists->list.at[number];
    struct reader_list *list = arena_alloc(lint->arena, 1, sizeof *list);
    list_completion_readers(lint, op, likely, list);
    bytes.p = arena_copy(lint->arena, bytes.p, bytes.n);
    (void)intern_add(&lists->numbers, 0, bytes);
    vec_push(&lists->list, list);
    return list;
}

/* The index in the list of the first reader at or behind the instruction in the text. */
static uint32_t first_behind_in(const struct lint *lint, const struct reader_list *list,
                                uint32_t instr)
{
    const struct tensor_op *ops = lint->handovers->ops;
    uint32_t low = 0;
    for (uint32_t high = list->count; low < high;) {
        uint32_t middle = low + (high - low) / 2;
        if (ops[list->at[middle]].instr < instr)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The index in the list of the first reader to take, if not all can be taken: one that waits for a
 * commit of the operation itself, if there is one right behind the first wait for it. */
static uint32_t first_to_take(const struct lint *lint, const struct reader_list *list,
                              const struct tensor_op *op)
{
    const struct handovers *all = lint->handovers;
    uint32_t waits[COMMIT_WAITS], count = commit_waits_for(lint, op->instr, waits);
    for (uint32_t k = 0; k < count; k++) {
        uint32_t i = first_behind_in(lint, list, all->at[waits[k]].instr);
        if (i < list->count &&
            commit_wait_before(lint, op->instr, all->ops[list->at[i]].instr) < all->count)
            return i;
    }
    return first_behind_in(lint, list, op->instr);
}

uint32_t completion_readers_find(const struct lint *lint, struct completion_lists *lists,
                                 const struct tensor_op *op, bool likely,
                                 const struct tensor_op *readers[COMPLETION_READERS])
{
    const struct tensor_op *ops = lint->handovers->ops;
    const struct reader_list *list = completion_list_of(lint, lists, op, likely);
    uint32_t found = 0, first = 0, block = UINT32_MAX;
    if (list->blocks >= COMPLETION_READERS) first = first_to_take(lint, list, op);
    for (int from_start = 0; from_start < 2; from_start++) {
        uint32_t i = from_start ? 0 : first, end = from_start ? first : list->count;
        for (; i < end && found < COMPLETION_READERS; i = list->next[i]) {
            const struct tensor_op *x = &ops[list->at[i]];
            if (lint->cfg->block_of[x->instr] == block) continue;
            block = lint->cfg->block_of[x->instr];
            readers[found++] = x;
        }
    }
    lint_spend(lint, found / 4 + 1);
    return found;
}
