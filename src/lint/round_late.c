/* Compares the rounds of two operations by the waits between them. What depends on one or two of
 * the instructions is kept, because an unrolled ring has as many operations, waits and signals as
 * stages. See round_late.h. */
#include "lint/round_late.h"

#include "flow/dominators.h"
#include "lint/bulk_slot.h"
#include "lint/first_round.h"
#include "value/instruction.h"

enum { TREES_MAX = 256, NOT_ASKED = 0, NO, YES };

/* The dominators of the paths from one block. */
struct tree {
    uint32_t from;
    struct dominators dominators;
};

/* A wait, an index in handovers->at, in a list. */
struct passed {
    uint32_t wait;
    struct passed *next;
};

/* Waits: each thread that executes the operation has passed them before, and may pass them again
 * afterwards; and they are for commits alone. They are found when they are asked for. */
struct round_waits {
    uint32_t examined;           /* how many of the waits before the operation were examined */
    struct passed *head, **tail; /* those found */
};

/* For an operation and a signal: those of its waits that each path from the operation to the signal
 * passes. */
struct passed_list {
    uint32_t first; /* 1 + the operation */
    uint32_t signal;
    struct passed *examined;     /* the last one of its waits that was examined; NULL: none */
    struct passed *head, **tail; /* those found */
};

#define NO_BLOCK UINT32_MAX

struct lateness {
    struct tree trees[TREES_MAX];
    uint32_t tree_count, oldest;
    uint32_t *tree_of; /* by block: 1 + the index in trees; 0: none */
    uint8_t **commits; /* by operation, then by handover: whether commits_each; NULL: not asked */
    struct round_waits **waits; /* by instruction; NULL: not asked */
    struct passed_list *passed; /* by hash: the pair that was asked about last */
    uint32_t passed_bits;       /* of the hash */
    /* Chains of blocks, which control enters one after the other; each may also lead to itself. By
     * block: its chain, and its place there. By chain: the block that control enters behind it;
     * NO_BLOCK: one of several, or none. */
    uint32_t *chain_of, *place, *behind_chain;
};

/* The only other block to which control may continue from the block. */
static uint32_t only_next(const struct cfg *cfg, uint32_t block)
{
    uint32_t next = NO_BLOCK;
    for (uint32_t i = 0; i < cfg->blocks[block].succ_count; i++) {
        uint32_t to = cfg->succs[cfg->blocks[block].first_succ + i];
        if (to == block || to == next) continue;
        if (next != NO_BLOCK) return NO_BLOCK;
        next = to;
    }
    return next;
}

static void find_chains(const struct lint *lint, struct lateness *late)
{
    const uint32_t blocks = lint->cfg->count;
    uint32_t count = 0;
    late->behind_chain = arena_room(lint->arena, blocks, sizeof *late->behind_chain);
    late->chain_of = arena_room(lint->arena, blocks, sizeof *late->chain_of);
    late->place = arena_room(lint->arena, blocks, sizeof *late->place);
    for (uint32_t b = 0; b < blocks; b++) late->chain_of[b] = NO_BLOCK;
    for (uint32_t b = 0; b < blocks; b++) {
        uint32_t at = b, place = 0;
        if (late->chain_of[b] != NO_BLOCK) continue;
        for (; at != NO_BLOCK && late->chain_of[at] == NO_BLOCK; at = only_next(lint->cfg, at)) {
            late->chain_of[at] = count;
            late->place[at] = place++;
        }
        late->behind_chain[count++] = at;
    }
}

/* What is kept for the function. */
static struct lateness *lateness_of(const struct lint *lint)
{
    struct handovers *all = lint->handovers;
    if (all->lateness) return all->lateness;
    struct lateness *late = arena_alloc(lint->arena, 1, sizeof *late);
    late->tree_of = arena_alloc(lint->arena, lint->cfg->count, sizeof *late->tree_of);
    late->commits = arena_alloc(lint->arena, all->op_count, sizeof *late->commits);
    late->waits = arena_alloc(lint->arena, lint->function->count, sizeof *late->waits);
    while (late->passed_bits < 24 && 1u << late->passed_bits < 4 * all->count) late->passed_bits++;
    late->passed = arena_alloc(lint->arena, 1u << late->passed_bits, sizeof *late->passed);
    find_chains(lint, late);
    return all->lateness = late;
}

/* ---- paths ---- */

/* block: cfg->count for the beginning of the function. */
static const struct dominators *dominators_from(const struct lint *lint, uint32_t block)
{
    struct lateness *late = lateness_of(lint);
    uint32_t blocks = lint->cfg->count;
    if (block == blocks) return subject_dominators(lint->subject);
    uint32_t *place = &late->tree_of[block];
    if (*place) return &late->trees[*place - 1].dominators;
    struct tree *tree = &late->trees[late->oldest];
    if (late->tree_count < TREES_MAX) {
        late->tree_count++;
        tree->dominators.number = arena_room(lint->arena, blocks, sizeof *tree->dominators.number);
        tree->dominators.size = arena_room(lint->arena, blocks, sizeof *tree->dominators.size);
    } else {
        late->tree_of[tree->from] = 0;
    }
    lint_spend(lint, blocks);
    *place = late->oldest + 1;
    late->oldest = (late->oldest + 1) % TREES_MAX;
    tree->from = block;
    dominators_find(lint->cfg, block, &tree->dominators);
    return &tree->dominators;
}

/* Which of the two blocks control enters first after the end of the first block: NO if that is
 * `blocked`, YES if it is `target` or they are the same; NOT_ASKED if it may be either. */
static int enters_first(const struct lint *lint, uint32_t from, uint32_t target, uint32_t blocked)
{
    enum { CHAINS_MAX = 4 };
    const struct lateness *late = lateness_of(lint);
    uint32_t chain = late->chain_of[from], place = late->place[from] + 1;
    for (int i = 0; i < CHAINS_MAX; i++) {
        uint32_t next = late->behind_chain[chain];
        bool has = late->chain_of[target] == chain && late->place[target] >= place;
        if (late->chain_of[blocked] == chain && late->place[blocked] >= place &&
            !(has && late->place[target] <= late->place[blocked]))
            return NO;
        if (has) return YES;
        if (next == NO_BLOCK) break;
        chain = late->chain_of[next];
        place = late->place[next];
    }
    return NOT_ASKED;
}

bool round_reaches_without(const struct lint *lint, uint32_t from, uint32_t to, uint32_t but)
{
    const uint32_t *block_of = lint->cfg->block_of;
    uint32_t target = block_of[to], blocked = block_of[but];
    uint32_t start = from == NO_INSTR ? lint->cfg->count : block_of[from];
    bool after = start == blocked && but > from;
    lint_spend(lint, 1);
    if (start == target && to > from) return !after || but >= to;
    if (after || (blocked == target && but < to)) return false;
    int first = start == lint->cfg->count ? NOT_ASKED : enters_first(lint, start, target, blocked);
    if (first != NOT_ASKED) return first == YES;
    const struct dominators *dominators = dominators_from(lint, start);
    if (!dominators_reach(dominators, target)) return false;
    return blocked == target || !dominators_have(dominators, blocked, target);
}

/* ---- commits ---- */

/* Each time before a thread commits, it issues the operation once more. */
static bool commits_each(const struct lint *lint, uint32_t op, const struct handover *signal)
{
    const struct instr *a = &lint->function->instrs[op],
                       *b = &lint->function->instrs[signal->instr];
    bool guarded =
        a->guard != REG_NONE && (a->guard != b->guard || a->guard_negated != b->guard_negated);
    return signal->use && signal->use->kind == BARRIER_COMMIT && !guarded &&
           !round_reaches_without(lint, NO_INSTR, signal->instr, op) &&
           !round_reaches_without(lint, signal->instr, signal->instr, op);
}

/* As commits_each, for handover number `signal`; the answers about a tensor operation are kept. */
static bool is_commit_of_each(const struct lint *lint, uint32_t op, uint32_t signal)
{
    const struct handovers *all = lint->handovers;
    const struct tensor_op *of = handover_op(lint, op);
    if (!of) return commits_each(lint, op, &all->at[signal]);
    uint8_t **answers = &lateness_of(lint)->commits[of - all->ops];
    if (!*answers) *answers = arena_alloc(lint->arena, all->count, sizeof **answers);
    uint8_t *answer = &(*answers)[signal];
    if (*answer == NOT_ASKED) *answer = commits_each(lint, op, &all->at[signal]) ? YES : NO;
    return *answer == YES;
}

/* The wait is for commits, and a thread that commits for it has issued the operation each time. */
static bool is_for_commits_of(const struct lint *lint, uint32_t wait, uint32_t op)
{
    const struct handover_list *signals = handover_signals(lint, wait);
    for (uint32_t s = 0; s < signals->count; s++)
        if (!is_commit_of_each(lint, op, signals->at[s])) return false;
    return signals->count;
}

static bool is_for_commits(const struct lint *lint, uint32_t wait)
{
    const struct handover_list *signals = handover_signals(lint, wait);
    for (uint32_t s = 0; s < signals->count; s++) {
        const struct barrier_use *use = lint->handovers->at[signals->at[s]].use;
        if (!use || use->kind != BARRIER_COMMIT) return false;
    }
    return signals->count;
}

/* ---- waits ---- */

/* The wait reaches the operation. */
static bool is_wait_of_round(const struct lint *lint, uint32_t wait, uint32_t first)
{
    const struct handover *h = &lint->handovers->at[wait];
    return h->channel == CHANNEL_MBARRIER && lint->function->instrs[h->instr].guard == REG_NONE &&
           is_for_commits(lint, wait) && handover_reaches(lint, first, h->instr) &&
           !round_reaches_without(lint, NO_INSTR, first, h->instr);
}

static struct round_waits *waits_of_round(const struct lint *lint, uint32_t first)
{
    struct round_waits **waits = &lateness_of(lint)->waits[first];
    if (*waits) return *waits;
    *waits = arena_alloc(lint->arena, 1, sizeof **waits);
    (*waits)->tail = &(*waits)->head;
    return *waits;
}

/* The wait of the operation behind `last`, or the first one; NULL: there is none. */
static struct passed *next_of_round(const struct lint *lint, uint32_t first,
                                    struct round_waits *waits, const struct passed *last)
{
    const struct handover_list *before = handover_waits_before(lint, first);
    struct passed *next = last ? last->next : waits->head;
    if (next) return next;
    while (waits->examined < before->count) {
        uint32_t wait = before->at[waits->examined++];
        if (!is_wait_of_round(lint, wait, first)) continue;
        next = arena_alloc(lint->arena, 1, sizeof *next);
        *next = (struct passed){wait, NULL};
        *waits->tail = next;
        waits->tail = &next->next;
        return next;
    }
    return NULL;
}

/* The next wait of the list; NULL: none. */
static struct passed *next_passed(const struct lint *lint, struct passed_list *list,
                                  struct round_waits *waits, uint32_t signal)
{
    const struct handovers *all = lint->handovers;
    const uint32_t first = list->first - 1;
    struct passed *wait;
    while ((wait = next_of_round(lint, first, waits, list->examined))) {
        list->examined = wait;
        if (round_reaches_without(lint, first, all->at[signal].instr, all->at[wait->wait].instr))
            continue;
        struct passed *found = arena_alloc(lint->arena, 1, sizeof *found);
        *found = (struct passed){wait->wait, NULL};
        *list->tail = found;
        list->tail = &found->next;
        return found;
    }
    return NULL;
}

static struct passed_list *passed_of(const struct lint *lint, uint32_t first, uint32_t signal)
{
    const struct lateness *late = lateness_of(lint);
    uint64_t hash = (first * 0x9e3779b97f4a7c15u) ^ (signal * 0xc2b2ae3d27d4eb4fu);
    struct passed_list *list = &late->passed[hash >> 32 & ((1u << late->passed_bits) - 1)];
    if (list->first == first + 1 && list->signal == signal) return list;
    *list = (struct passed_list){.first = first + 1, .signal = signal};
    list->tail = &list->head;
    return list;
}

bool round_may_be_late(const struct lint *lint, uint32_t first, uint32_t signal)
{
    struct passed_list *list = passed_of(lint, first, signal);
    lint_spend(lint, 1);
    return list->head || next_passed(lint, list, waits_of_round(lint, first), signal);
}

bool round_late(const struct lint *lint, uint32_t first, uint32_t second, uint32_t signal)
{
    struct round_waits *waits = waits_of_round(lint, first);
    struct passed_list *list = passed_of(lint, first, signal);
    struct passed *at = list->head;
    lint_spend(lint, 1);
    for (;; at = at->next) {
        if (!at) at = next_passed(lint, list, waits, signal);
        if (!at) return false;
        if (is_for_commits_of(lint, at->wait, second)) return true;
    }
}

/* The parity of the wait, if a loop changes it; VALUE_NONE: it does not, or is not known. */
static struct value changing_parity(const struct lint *lint, const struct handover *wait)
{
    if (wait->channel != CHANNEL_MBARRIER || wait->use->indexed ||
        !instruction_has(lint->subject, wait->instr, ".parity"))
        return VALUE_NONE;
    struct value parity = value_of_operand(lint->subject, wait->instr, 2);
    bool changes = !value_is_none(parity) && !value_is_fixed(lint->subject, parity);
    return changes ? parity : VALUE_NONE;
}

bool round_before(const struct lint *lint, uint32_t second, const struct handover *but,
                  const struct handover *wait)
{
    const struct handovers *all = lint->handovers;
    struct value parity = changing_parity(lint, wait);
    if (value_is_none(parity) || round_reaches_without(lint, NO_INSTR, wait->instr, second))
        return false;
    const struct handover_list *waits = handover_waits_before(lint, second);
    for (uint32_t w = 0; w < waits->count; w++) {
        const struct handover *own = &all->at[waits->at[w]];
        lint_spend(lint, 1);
        if (handover_meets(lint, but, own) && value_same(changing_parity(lint, own), parity) &&
            !round_reaches_without(lint, NO_INSTR, second, own->instr) &&
            handover_reaches(lint, wait->instr, own->instr))
            return true;
    }
    return false;
}

/* ---- rings ---- */

/* The counter of the ring advances by one slot between two executions of the instruction, and never
 * by more. */
static bool is_one_slot_a_round(const struct lint *lint, struct value address, uint32_t instr)
{
    const struct subject *subject = lint->subject;
    const struct bulk_slot slot = bulk_slot_of_value(lint, address);
    uint32_t steps = 0;
    if (slot.size < 2 || slot.web == REG_NONE) return false;
    for (uint32_t write = value_last_write(subject, slot.web); write != NO_WRITE;
         write = value_write_before(subject, write)) {
        uint32_t at = value_write_instr(subject, write);
        lint_spend(lint, 1);
        if (value_is_constant(value_computed(subject, at)) || !handover_reaches(lint, at, instr))
            continue;
        if (bulk_slot_step(lint, &slot, at) != 1 || round_reaches_without(lint, at, at, instr))
            return false;
        steps++;
    }
    return steps == 1;
}

/* The thread of the signal `but` gives it at most once for each signal for which the wait is. */
static bool is_for_one_signal_a_round(const struct lint *lint, const struct handover *wait,
                                      const struct handover *but)
{
    const struct handovers *all = lint->handovers;
    const struct handover_list *signals = handover_signals(lint, (uint32_t)(wait - all->at));
    for (uint32_t s = 0; s < signals->count; s++) {
        const struct handover *signal = &all->at[signals->at[s]];
        if (handover_likely_others(lint, signal, wait)) continue;
        if (round_reaches_without(lint, but->instr, but->instr, signal->instr)) return false;
    }
    return signals->count;
}

/* The wait is for the signal `but`, and most likely for no other. */
static bool is_only_for(const struct lint *lint, const struct handover *wait,
                        const struct handover *but)
{
    const struct handovers *all = lint->handovers;
    const struct handover_list *signals = handover_signals(lint, (uint32_t)(wait - all->at));
    for (uint32_t s = 0; s < signals->count; s++) {
        const struct handover *signal = &all->at[signals->at[s]];
        if (signal != but && !handover_likely_others(lint, signal, wait)) return false;
    }
    return handover_meets(lint, but, wait);
}

bool round_ring_before(const struct lint *lint, uint32_t second, const struct handover *but,
                       const struct handover *wait)
{
    const struct handovers *all = lint->handovers;
    if (wait->channel != CHANNEL_MBARRIER || !wait->use->indexed || !but->use ||
        but->use->indexed || !first_round_passes(lint, wait->instr) ||
        !is_one_slot_a_round(lint, wait->use->address, second) ||
        !is_for_one_signal_a_round(lint, wait, but))
        return false;
    const struct handover_list *waits = handover_waits_before(lint, second);
    for (uint32_t w = 0; w < waits->count; w++) {
        const struct handover *own = &all->at[waits->at[w]];
        lint_spend(lint, 1);
        if (own->channel == CHANNEL_MBARRIER && is_only_for(lint, own, but) &&
            !round_reaches_without(lint, NO_INSTR, second, own->instr))
            return true;
    }
    return false;
}
