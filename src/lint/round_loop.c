/* Finds the loop around a block. See round_loop.h. */
#include "lint/round_loop.h"

#include "base/mem.h"
#include "lint/handover.h"
#include "lint/path_condition.h"
#include "value/barriers.h"
#include "value/condition_pairs.h"

void round_loop_begin(struct round_loop *l, const struct lint *lint)
{
    const struct barriers *barriers = lint->subject->barriers;
    uint32_t n = lint->cfg->count;
    *l = (struct round_loop){.lint = lint};
    l->loops = handover_loops(lint);
    l->in_any = l->loops->on_cycle;
    l->blocks = mem_zalloc(n, sizeof *l->blocks);
    l->within = mem_zalloc(n, sizeof *l->within);
    l->reached = mem_zalloc(n, sizeof *l->reached);
    l->other = mem_zalloc(n, sizeof *l->other);
    l->waits = mem_zalloc(n, sizeof *l->waits);
    l->open = mem_zalloc(n + 1, sizeof *l->open);
    l->inner = mem_zalloc(n, sizeof *l->inner);
    l->left_out = mem_zalloc(n, sizeof *l->left_out);
    l->taken = mem_zalloc(n, sizeof *l->taken);
    l->edge = mem_zalloc(n, sizeof *l->edge);
    l->order = mem_zalloc(n, sizeof *l->order);
    for (uint32_t i = 0; i < barriers->count; i++)
        l->waits[lint->cfg->block_of[barriers->uses[i].instr]] |=
            barriers->uses[i].kind == BARRIER_WAIT;
}

void round_loop_end(struct round_loop *l)
{
    mem_free(l->blocks);
    mem_free(l->within);
    mem_free(l->reached);
    mem_free(l->other);
    mem_free(l->waits);
    mem_free(l->open);
    mem_free(l->inner);
    mem_free(l->left_out);
    mem_free(l->taken);
    mem_free(l->edge);
    mem_free(l->order);
}

/* ---- paths ---- */

void round_loop_clear(const struct round_loop *l, bool *reached)
{
    lint_spend(l->lint, l->lint->cfg->count / 16);
    memset(reached, 0, l->lint->cfg->count * sizeof *reached);
}

void round_loop_reach(struct round_loop *l, uint32_t from, bool back, const bool *within,
                      bool *reached)
{
    const struct cfg *cfg = l->lint->cfg;
    uint32_t count = 0;
    l->open[count++] = from;
    while (count) {
        uint32_t at = l->open[--count];
        const struct block *block = &cfg->blocks[at];
        lint_spend(l->lint, 1);
        uint32_t edges = back ? block->pred_count : block->succ_count;
        for (uint32_t i = 0; i < edges; i++) {
            uint32_t to =
                back ? cfg->preds[block->first_pred + i] : cfg->succs[block->first_succ + i];
            if (reached[to] || (within && !within[to])) continue;
            if (!conditions_take(l->lint->subject, back ? to : at, back ? at : to)) continue;
            reached[to] = true;
            l->open[count++] = to;
        }
    }
}

/* Control enters the loop there. */
static bool is_entered(const struct round_loop *l, uint32_t b)
{
    const struct block *block = &l->lint->cfg->blocks[b];
    for (uint32_t i = 0; i < block->pred_count; i++)
        if (!l->blocks[l->lint->cfg->preds[block->first_pred + i]]) return true;
    return b == 0;
}

/* Sets the entry of each block among which the loop is. */
static void set_members(const struct round_loop *l, bool *of, bool to)
{
    lint_spend(l->lint, l->member_count / 16);
    for (uint32_t m = 0; m < l->member_count; m++) of[l->members[m]] = to;
}

/* Another loop is found. */
static void forget_loop(struct round_loop *l)
{
    l->inner_known = false;
    l->asked_of = 0;
}

/* Takes the component of the block instead of that of the loop that was found last. */
static void take_component(struct round_loop *l, uint32_t block)
{
    uint32_t component = l->loops->component[block];
    set_members(l, l->blocks, false);
    set_members(l, l->within, false);
    l->members = l->loops->members + l->loops->first[component];
    l->member_count = l->loops->first[component + 1] - l->loops->first[component];
    set_members(l, l->within, true);
    forget_loop(l);
}

static bool stays_within(const void *context, uint32_t from, uint32_t to)
{
    const struct round_loop *l = context;
    return l->within[to] && conditions_take(l->lint->subject, from, to);
}

static void find_inner(struct round_loop *l)
{
    lint_spend(l->lint, l->member_count);
    if (!l->search) l->search = loops_search_new(l->lint->cfg, l->lint->arena);
    loops_search_members(l->search, l->members, l->member_count, stays_within, l, l->inner);
    l->inner_known = true;
}

bool round_loop_find(struct round_loop *l, uint32_t block)
{
    bool found = l->blocks[block];
    if (!found)
        take_component(l, block);
    else if (!l->inner_known)
        find_inner(l);
    while (l->within[block] && (!l->inner_known || l->inner[block])) {
        set_members(l, l->reached, false);
        round_loop_reach(l, block, false, l->within, l->reached);
        if (!l->reached[block]) break;
        set_members(l, l->other, false);
        round_loop_reach(l, block, true, l->within, l->other);
        found = true;
        for (uint32_t m = 0; m < l->member_count; m++) {
            uint32_t b = l->members[m];
            l->blocks[b] = l->reached[b] && l->other[b];
        }
        for (uint32_t m = 0; m < l->member_count; m++) {
            uint32_t b = l->members[m];
            l->within[b] = l->blocks[b] && !is_entered(l, b);
        }
        forget_loop(l);
    }
    return found;
}

bool round_loop_widen(struct round_loop *l)
{
    bool wider = false;
    for (uint32_t m = 0; m < l->member_count; m++) wider |= !l->blocks[l->members[m]];
    set_members(l, l->blocks, true);
    set_members(l, l->within, true);
    forget_loop(l);
    return wider;
}

/* The edge leads back to a wait at the beginning of the loop, which is then tried again. That is
 * not an iteration. */
static bool tries_again(const struct round_loop *l, uint32_t from, uint32_t head)
{
    const struct block *block = &l->lint->cfg->blocks[head], *last = &l->lint->cfg->blocks[from];
    bool waits = false;
    for (uint32_t i = block->first; i < block->end; i++) {
        const struct barrier_use *use = barriers_at(l->lint->subject, i);
        waits |= use && use->kind == BARRIER_WAIT;
    }
    return waits && (from == head || last->end == last->first + 1);
}

/* Under the conditions, a round goes on along edge number `edge` of the block. The answers for the
 * first edges are kept in l->taken. */
static bool is_taken(const struct round_loop *l, const struct condition_set *here, uint32_t from,
                     uint32_t edge)
{
    enum { KEPT = 4, ASKED = 1, YES = ASKED << KEPT };
    uint8_t *kept = &l->taken[from];
    if (edge < KEPT && *kept & (ASKED << edge)) return *kept & (YES << edge);
    uint32_t to = l->lint->cfg->succs[l->lint->cfg->blocks[from].first_succ + edge];
    struct condition_set set = *here;
    bool taken = l->blocks[to] && conditions_on_edge(l->lint->subject, from, to, &set);
    if (edge < KEPT) *kept |= (uint8_t)((taken ? ASKED | YES : ASKED) << edge);
    return taken;
}

/* Finds a round from the head back to it that does not enter the block `but`. Puts its blocks into
 * l->order, the last one first, and returns their number; 0: there is none. */
static uint32_t find_round(const struct round_loop *l, const struct condition_set *here,
                           uint32_t head, uint32_t but)
{
    const struct cfg *cfg = l->lint->cfg;
    uint32_t count = 0, length = 0;
    uint32_t *before = l->edge; /* by block: the one before it on the path */
    set_members(l, l->reached, false);
    l->open[count++] = head;
    while (count) {
        uint32_t from = l->open[--count];
        for (uint32_t i = 0; i < cfg->blocks[from].succ_count; i++) {
            uint32_t to = cfg->succs[cfg->blocks[from].first_succ + i];
            if (l->reached[to] || to == but || !is_taken(l, here, from, i)) continue;
            if (to == head && tries_again(l, from, head)) continue;
            if (to == head) {
                for (uint32_t b = from; b != head; b = before[b]) l->order[length++] = b;
                l->order[length++] = head;
                return length;
            }
            l->reached[to] = true;
            before[to] = from;
            l->open[count++] = to;
        }
    }
    return 0;
}

/* Sets the entries of left_out of the blocks that some round from the head does not execute.
 * Follows one round: a block of it is in all rounds if no way around it is found from the blocks
 * before it. */
static void add_left_out(const struct round_loop *l, const struct condition_set *here,
                         uint32_t head)
{
    const struct cfg *cfg = l->lint->cfg;
    uint32_t *place = l->edge; /* by block: 1 + its place in the round; 0: it is not in it */
    uint32_t length = find_round(l, here, head, cfg->count), far = 0;
    if (!length) return;
    for (uint32_t m = 0; m < l->member_count; m++) place[l->members[m]] = 0;
    for (uint32_t i = 0; i < length; i++) place[l->order[length - 1 - i]] = i + 1;
    for (uint32_t m = 0; m < l->member_count; m++)
        l->left_out[l->members[m]] |= l->blocks[l->members[m]] && !place[l->members[m]];
    set_members(l, l->reached, false);
    for (uint32_t i = 0; i < length; i++) {
        uint32_t count = 0, at = l->order[length - 1 - i];
        l->left_out[at] |= far > i;
        l->open[count++] = at;
        while (count) {
            uint32_t from = l->open[--count];
            for (uint32_t k = 0; k < cfg->blocks[from].succ_count; k++) {
                uint32_t to = cfg->succs[cfg->blocks[from].first_succ + k];
                if (l->reached[to] || !is_taken(l, here, from, k)) continue;
                if (to == head && tries_again(l, from, head)) continue;
                uint32_t next = to == head ? length : place[to] - 1;
                if (place[to]) {
                    far = next > far ? next : far;
                } else {
                    l->reached[to] = true;
                    l->open[count++] = to;
                }
            }
        }
    }
}

static void find_left_out(struct round_loop *l, const struct condition_set *here)
{
    set_members(l, l->left_out, false);
    for (uint32_t m = 0; m < l->member_count; m++) {
        uint32_t head = l->members[m];
        if (!l->blocks[head] || !is_entered(l, head)) continue;
        lint_spend(l->lint, l->member_count);
        add_left_out(l, here, head);
    }
    l->left_out_known = true;
}

/* Some round does not execute the block. */
static bool is_left_out(const struct round_loop *l, const struct condition_set *here,
                        uint32_t block)
{
    for (uint32_t m = 0; m < l->member_count; m++) {
        uint32_t head = l->members[m];
        if (!l->blocks[head] || !is_entered(l, head) || head == block) continue;
        lint_spend(l->lint, l->member_count);
        if (find_round(l, here, head, block)) return true;
    }
    return false;
}

bool round_loop_has_way_around(const struct round_loop *l, uint32_t block)
{
    const struct cfg *cfg = l->lint->cfg;
    for (uint32_t m = 0; m < l->member_count; m++) {
        const struct block *head = &cfg->blocks[l->members[m]];
        const uint32_t *preds = cfg->preds + head->first_pred;
        bool enters = false, around = false;
        if (!l->blocks[l->members[m]]) continue;
        lint_spend(l->lint, head->pred_count);
        for (uint32_t i = 0; i < head->pred_count; i++) {
            enters |= !l->blocks[preds[i]];
            around |=
                l->blocks[preds[i]] && !subject_always_enters(l->lint->subject, block, preds[i]);
        }
        if (enters && around) return true;
    }
    return false;
}

bool round_loop_leaves_out(struct round_loop *l, uint32_t instr)
{
    const struct condition_set *here = condition_pairs_set(l->lint->subject, instr);
    uint32_t number = condition_pairs_number(l->lint->subject, instr) + 1;
    uint32_t block = l->lint->cfg->block_of[instr];
    if (l->asked_of != number) {
        for (uint32_t m = 0; m < l->member_count; m++) l->taken[l->members[m]] = 0;
        l->asked_of = number;
        l->left_out_known = false;
        return is_left_out(l, here, block); /* most conditions are asked about once */
    }
    if (!l->left_out_known) find_left_out(l, here);
    return l->left_out[block];
}

/* The branch by which the path leaves the loop that was found last, or NO_INSTR if it may come to
 * another round before. l->other: the blocks before the start in a round. */
static uint32_t leaves_by(const struct round_loop *l, const struct walk_path *path)
{
    const uint32_t *block_of = l->lint->cfg->block_of;
    for (uint32_t i = 1; i < path->count; i++) {
        uint32_t block = block_of[path->instrs[i]];
        if (!l->blocks[block]) return path->instrs[i - 1];
        if (l->other[block] || is_entered(l, block)) return NO_INSTR;
    }
    return NO_INSTR;
}

/* The registers of the branches that decide whether a round comes to the block. l->other: the
 * blocks from which it does. */
static uint64_t deciders_of(const struct round_loop *l, uint32_t block)
{
    const struct cfg *cfg = l->lint->cfg;
    uint64_t leaves = 0;
    lint_spend(l->lint, cfg->count / 16);
    for (uint32_t b = 0; b < cfg->count; b++) {
        const struct block *from = &cfg->blocks[b];
        const uint32_t *to = &cfg->succs[from->first_succ];
        if (!l->blocks[b] || from->succ_count != 2) continue;
        if ((l->other[to[0]] || to[0] == block) == (l->other[to[1]] || to[1] == block)) continue;
        leaves |= path_condition_leaves(l->lint, value_of_guard(l->lint->subject, from->end - 1));
    }
    return leaves;
}

/* The loop around the start of the path is the one that was found last. */
static bool may_skip_last(struct round_loop *l, const struct walk_path *path)
{
    uint32_t start = l->lint->cfg->block_of[path->instrs[0]];
    round_loop_clear(l, l->other);
    round_loop_reach(l, start, true, l->within, l->other);
    uint32_t last = leaves_by(l, path);
    if (last == NO_INSTR || last == path->instrs[0]) return false;
    uint64_t decide = deciders_of(l, start),
             ends = path_condition_leaves(l->lint, value_of_guard(l->lint->subject, last));
    return decide && ends && !(decide & ends);
}

bool round_loop_may_skip_last(const struct lint *lint, const struct walk_path *path)
{
    struct round_loop l;
    round_loop_begin(&l, lint);
    bool may = round_loop_find(&l, lint->cfg->block_of[path->instrs[0]]) && may_skip_last(&l, path);
    round_loop_end(&l);
    return may;
}

bool round_loop_comes_back(struct round_loop *l, uint32_t block)
{
    if (!l->unwaited) {
        lint_spend(l->lint, l->lint->cfg->count);
        l->unwaited = loops_find_without(l->lint->cfg, l->waits, l->lint->arena);
    }
    return l->unwaited[block];
}
