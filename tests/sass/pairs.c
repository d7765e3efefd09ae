/* Finds the orders that the text of a kernel guarantees, by the words of PTX ISA 9.7.16.6.3,
 *
 *   [before]  "An asynchronous tcgen05 operation prior to a tcgen05.fence::before_thread_sync is
 *             ordered before all subsequent tcgen05 and the execution ordering operations."
 *   [after]   "An asynchronous tcgen05 operation subsequent to a tcgen05.fence::after_thread_sync
 *             is ordered after all the prior tcgen05 and the execution ordering operations."
 *
 * and of tcgen05.wait, 9.7.16.8.5,
 *
 *   [wait]    "Instruction tcgen05.wait::ld causes the executing thread to block until all prior
 *             tcgen05.ld operations issued by the executing thread have completed", and the same of
 *             tcgen05.wait::st: everything after the wait comes after their completion.
 *
 * Execution ordering operations are what 9.7.16.6.3 calls "morally strong ld/st/atom instructions,
 * mbarrier instruction, barrier instructions and so on"; here everything in the vocabulary that is
 * neither weak nor tcgen05. A commit counts as asynchronous after a fence::after ("The instruction
 * tcgen05.commit is an asynchronous instruction", 9.7.16.12.1), not before a fence::before: its
 * arrival comes when what it tracks is complete, so the time of its issue is not observable. Its
 * own implicit fence does not count as a guarantee: a commit is never removed, so no order is lost
 * with it.
 *
 * Not compared are pairs that are ordered without a fence in every version of the text (9.7.16.6.2
 * and the operands that 9.4 names), and two loads, whose order is not observable. If a load or
 * store and another one touch no common column (9.7.16.2.3 has the shapes; all begin at %t, which
 * no statement writes), it is not observable whether the first is complete when the second begins:
 * for these only the order is compared.
 *
 * Follows each path through the program, loops up to three times, with one value for each
 * predicate: a guarded fence orders only on the paths on which it runs. */
#include "body.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_ROUNDS = 2, MOST_EVENTS = 400, MOST_WAYS = 4096 };

struct event {
    uint16_t statement;
    uint16_t rounds; /* back edges taken before it */
};

struct walk {
    const struct body *body;
    struct pairs *pairs;
    struct event events[MOST_EVENTS];
    uint32_t rounds[MOST_LINES]; /* for the branch back */
    uint32_t ways;
    uint32_t taken; /* values of the predicates, as bits */
    bool fits;
};

static bool starts(const struct operation *op, const char *prefix)
{
    return !strncmp(op->ptx, prefix, strlen(prefix));
}

static bool has(const struct operation *op, const char *operand)
{
    return strstr(op->ptx, operand);
}

static bool same_opcode(const struct operation *a, const struct operation *b)
{
    size_t length = strcspn(a->ptx, " ");
    return length == strcspn(b->ptx, " ") && !strncmp(a->ptx, b->ptx, length);
}

/* The accumulator of each mma is %t; a scale, and A in tensor memory, are at %t2. */
static bool is_pipelined(const struct operation *a, const struct operation *b)
{
    static const char first_in_memory[] = "[%t2], %d1";
    bool first_mma = starts(a, "tcgen05.mma"), second_mma = starts(b, "tcgen05.mma");
    bool first_shift = starts(a, "tcgen05.shift"), second_shift = starts(b, "tcgen05.shift");
    if (first_mma && second_mma) return same_opcode(a, b) && !has(b, first_in_memory);
    if (starts(a, "tcgen05.cp") && second_mma) return has(a, "[%t2]") && has(b, "[%t2]");
    if (first_shift && second_mma) return has(a, "[%t2]") && has(b, first_in_memory);
    if (first_mma && second_shift) return has(a, first_in_memory) && has(b, "[%t2]");
    return first_shift && has(b, ".4x256b");
}

bool pair_is_excused(const struct operation *a, const struct operation *b)
{
    if (a->kind == KIND_LD && b->kind == KIND_LD) return true;
    if (a->kind == KIND_PIPE && b->kind == KIND_COMMIT) return true; /* it tracks the other */
    return a->kind == KIND_PIPE && b->kind == KIND_PIPE && is_pipelined(a, b);
}

/* The number of columns from %t+# on that a load or store touches; 0 if the text does not show it.
 */
static uint32_t columns_of(const struct operation *op)
{
    static const struct {
        const char *shape;
        uint32_t columns;
    } shapes[] = {{".32x32b.x", 1}, {".16x64b.x", 2}, {".16x256b.x", 8}};
    if (op->kind != KIND_LD && op->kind != KIND_ST) return 0;
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        const char *at = strstr(op->ptx, shapes[i].shape);
        if (!at) continue;
        uint32_t number = (uint32_t)strtoul(at + strlen(shapes[i].shape), NULL, 10);
        return number * shapes[i].columns * (has(op, "pack::16b") ? 2 : 1);
    }
    return 0;
}

static bool are_apart(const struct statement *a, const struct statement *b)
{
    uint32_t of_a = columns_of(a->op), of_b = columns_of(b->op);
    if (!of_a || !of_b) return false;
    return a->number + of_a <= b->number || b->number + of_b <= a->number;
}

static bool is_judged(const struct statement *statement)
{
    return statement->op && statement->op->word && statement->op->kind <= KIND_ORDER &&
           !statement->deleted;
}

/* The sentence by which `between` orders the two, if any. */
static bool orders(enum kind between, enum kind first, enum kind second)
{
    bool waits = (between == KIND_WAIT_LD && first == KIND_LD) ||
                 (between == KIND_WAIT_ST && first == KIND_ST);
    bool before = between == KIND_BEFORE && kind_is_async(first);
    bool after = between == KIND_AFTER && (kind_is_async(second) || second == KIND_COMMIT);
    return waits || before || after;
}

static bool completes(enum kind between)
{
    return between == KIND_WAIT_LD || between == KIND_WAIT_ST;
}

static void add_pair(struct pairs *pairs, struct pair pair)
{
    for (uint32_t i = 0; i < pairs->count; i++) {
        struct pair *old = &pairs->at[i];
        if (old->first != pair.first || old->second != pair.second || old->around != pair.around ||
            old->completes != pair.completes)
            continue;
        bool thinned = old->thinned || pair.thinned;
        if (pair.gone && !old->gone) *old = pair;
        old->thinned = thinned;
        return;
    }
    vec_push(pairs, pair);
}

/* The instructions between events i and j, once for the order and once for the completion. */
static void look_between(struct walk *walk, uint32_t i, uint32_t j, bool completion)
{
    const struct statement *at = walk->body->at;
    uint16_t first = walk->events[i].statement, second = walk->events[j].statement;
    bool said = false, left = false;
    struct pair pair = {.first = first, .second = second, .completes = completion};
    for (uint32_t k = i + 1; k < j; k++) {
        const struct statement *between = &at[walk->events[k].statement];
        pair.thinned |= between->deleted;
        if (!between->op || (completion && !completes(between->op->kind)) ||
            !orders(between->op->kind, at[first].op->kind, at[second].op->kind))
            continue;
        if (!said || between->deleted) pair.guarantor = walk->events[k].statement;
        said = true;
        left |= !between->deleted;
    }
    pair.gone = said && !left;
    pair.around = walk->events[i].rounds != walk->events[j].rounds;
    if (said) add_pair(walk->pairs, pair);
}

static void collect(struct walk *walk, uint32_t count)
{
    const struct statement *at = walk->body->at;
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t j = i + 1; j < count && is_judged(&at[walk->events[i].statement]); j++) {
            const struct statement *first = &at[walk->events[i].statement];
            const struct statement *second = &at[walk->events[j].statement];
            if (!is_judged(second) || pair_is_excused(first->op, second->op)) continue;
            look_between(walk, i, j, false);
            bool waited = first->op->kind == KIND_LD || first->op->kind == KIND_ST;
            if (waited && !are_apart(first, second)) look_between(walk, i, j, true);
        }
}

static void walk_on(struct walk *walk, uint32_t at, uint32_t count, uint16_t rounds);

static void take_branch(struct walk *walk, uint32_t at, uint32_t count, uint16_t rounds)
{
    uint32_t target = (uint32_t)walk->body->at[at].target;
    bool back = target <= at;
    if (back && walk->rounds[at] == MOST_ROUNDS) return;
    walk->rounds[at] += back;
    walk_on(walk, target, count, (uint16_t)(rounds + back));
    walk->rounds[at] -= back;
}

static void walk_on(struct walk *walk, uint32_t at, uint32_t count, uint16_t rounds)
{
    const struct body *body = walk->body;
    for (; at < body->count && walk->fits; at++) {
        const struct statement *statement = &body->at[at];
        bool guarded = statement->guard >= 0;
        bool runs = !guarded || (walk->taken >> statement->guard & 1) != statement->negated;
        if (statement->branches && statement->guard == FREE_PREDICATE) {
            take_branch(walk, at, count, rounds);
            continue;
        }
        if (!runs) continue;
        if (statement->branches) {
            take_branch(walk, at, count, rounds);
            return;
        }
        if (!statement->op) continue;
        walk->fits &= count < MOST_EVENTS;
        if (walk->fits) walk->events[count++] = (struct event){(uint16_t)at, rounds};
    }
    walk->fits &= ++walk->ways <= MOST_WAYS;
    if (walk->fits) collect(walk, count);
}

bool pairs_of(const struct body *body, struct pairs *pairs)
{
    static struct walk walk;
    pairs->count = 0;
    if (body->predicates > 6) return false;
    memset(&walk, 0, sizeof walk);
    walk.body = body;
    walk.pairs = pairs;
    walk.fits = true;
    for (; walk.taken < 1u << body->predicates && walk.fits; walk.taken++) walk_on(&walk, 0, 0, 0);
    return walk.fits;
}
