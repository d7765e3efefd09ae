/* Finds whether threads reach an arrival together. See arrivals.h. */
#include "lint/arrivals.h"

#include "base/sorted.h"
#include "flow/rounds.h"
#include "lint/cluster_rank.h"
#include "lint/handover.h"
#include "lint/meet.h"
#include "lint/readers.h"
#include "lint/walk.h"
#include "value/condition_pairs.h"
#include "value/conditions.h"
#include "value/instruction.h"
#include "value/values.h"

/* Different instructions of stops. */
#define SEVERAL_STOPS (NO_INSTR - 1)

/* Whether a condition differs between the threads examined. */
enum { NOT_ASKED, SAME_FOR_ALL, DIFFERS };

/* ---- what differs among threads ---- */

static bool is_of_thread(const struct arrivals *a, struct str name)
{
    if (a->of_cluster && (str_starts(name, "%cluster_cta") || str_starts(name, "%ctaid")))
        return true;
    return str_starts(name, "%tid") || str_starts(name, "%lane") || str_is(name, "%warpid");
}

/* The result differs among threads even if the operands are equal. Each CTA has its own shared
 * memory. */
static bool is_source(const struct arrivals *a, uint32_t i)
{
    struct str base = instruction_base(a->lint->subject, i);
    if (a->of_cluster && str_is(base, "ld") && walk_bits(a->lint, i) & WALK_SHARED_MEMORY)
        return true;
    return str_is(base, "elect") || str_is(base, "atom") || str_is(base, "activemask");
}

/* The value depends on something that differs between the threads of a cluster. */
static bool depends_on_cta(const struct arrivals *a, struct value v)
{
    if (value_is_none(v)) return true;
    if (value_is_constant(v) || cluster_rank_alike(a->lint, &a->shape, v)) return false;
    const struct expr e = *value_expr(a->lint->subject, v);
    lint_spend(a->lint, 1);
    switch (e.kind) {
    case EXPR_NAME: return is_of_thread(a, value_name(a->lint->subject, e.web));
    case EXPR_PARAMETER: return false;
    case EXPR_REG: return a->threads->differs[e.web];
    case EXPR_ALLOCATED:
    case EXPR_LOADED:
    case EXPR_ELECTED: return true;
    default: break;
    }
    for (int i = 0; i < 3; i++)
        if (e.a[i].base && depends_on_cta(a, e.a[i])) return true;
    return false;
}

/* The condition differs between the threads examined: some may meet it, and others not. Many blocks
 * have the same conditions, so the answer is kept. */
static bool arrivals_may_differ(struct arrivals *a, uint32_t base)
{
    const struct subject *subject = a->lint->subject;
    if (base >= a->threads->answers.count) {
        uint32_t more = base + 1 - a->threads->answers.count;
        vec_reserve(&a->threads->answers, more);
        memset(a->threads->answers.at + a->threads->answers.count, NOT_ASKED, more);
        a->threads->answers.count += more;
    }
    uint8_t *answer = &a->threads->answers.at[base];
    if (*answer == NOT_ASKED) {
        struct value c = {base, 0};
        bool alike = a->of_cluster ? !depends_on_cta(a, c) : value_expr(subject, c)->of_block;
        bool differs = !alike && condition_truth(subject, &a->threads->set, c) == TRUTH_UNKNOWN;
        *answer = differs ? DIFFERS : SAME_FOR_ALL;
    }
    return *answer == DIFFERS;
}

/* A thread that is examined may fail to meet a condition of the set that differs between threads.
 */
static bool is_for_some(struct arrivals *a, const struct condition_set *set)
{
    for (uint32_t i = 0; i < set->count; i++)
        if (arrivals_may_differ(a, set->at[i].base)) return true;
    return false;
}

/* True if more blocks than before are only for some of the threads. */
static bool find_blocks(struct arrivals *a, uint32_t instr)
{
    const struct lint *lint = a->lint;
    bool changed = false;
    a->threads->answers.count = 0;
    for (uint32_t b = 0; b < lint->cfg->count; b++) {
        const struct condition_set *set = conditions_at(lint->subject, b);
        a->threads->never[b] = !conditions_reach(lint->subject, b) ||
                               condition_pairs_exclude_block(lint->subject, instr, b);
        changed |= !a->threads->some[b] && is_for_some(a, set);
        a->threads->some[b] = is_for_some(a, set);
    }
    return changed;
}

static bool reads_what_differs(const struct lint *lint, const bool *differs, uint32_t i)
{
    const struct instr *instr = &lint->function->instrs[i];
    for (uint32_t u = 0; u < instr->use_count; u++) {
        const struct use *use = &lint->function->uses[instr->first_use + u];
        if (!use->write && differs[use->reg]) return true;
    }
    return instr->guard != REG_NONE && differs[instr->guard];
}

static void mark_web(struct arrivals *a, reg_id reg)
{
    if (a->threads->differs[reg]) return;
    a->threads->differs[reg] = true;
    vec_push(&a->open, reg);
}

static void mark_written(struct arrivals *a, uint32_t i)
{
    const struct instr *instr = &a->lint->function->instrs[i];
    lint_spend(a->lint, 1);
    if (!instr->opcode->writes) return;
    if (a->of_cluster &&
        cluster_rank_alike(a->lint, &a->shape, value_computed(a->lint->subject, i)))
        return;
    for (uint32_t u = 0; u < instr->use_count; u++) {
        const struct use *use = &a->lint->function->uses[instr->first_use + u];
        if (use->write) mark_web(a, use->reg);
    }
}

/* A register that only some of the threads write differs among them, unless it is written at one
 * place only. */
static void mark_some(struct arrivals *a, uint32_t block)
{
    const struct function *f = a->lint->function;
    const struct block *at = &a->lint->cfg->blocks[block];
    lint_spend(a->lint, at->end - at->first);
    for (uint32_t i = at->first; i < at->end && i + 1 < f->count; i++)
        for (uint32_t u = 0; u < f->instrs[i].use_count; u++) {
            const struct use *use = &f->uses[f->instrs[i].first_use + u];
            uint32_t last;
            if (use->write && value_definitions(a->lint->subject, use->reg, &last) > 1)
                mark_web(a, use->reg);
        }
}

static void find_sources(struct arrivals *a)
{
    struct lint *lint = a->lint;
    uint32_t webs = lint->function->reg_count, count = lint->function->count, last;
    if (a->sources) return;
    a->source_webs = arena_alloc(lint->arena, webs, sizeof *a->source_webs);
    a->sources = arena_alloc(lint->arena, count, sizeof *a->sources);
    for (uint32_t r = 0; r < webs; r++)
        if (!value_definitions(lint->subject, r, &last) &&
            is_of_thread(a, value_name(lint->subject, r)))
            a->source_webs[a->source_web_count++] = r;
    for (uint32_t i = 0; i + 1 < count; i++)
        if (is_source(a, i)) a->sources[a->source_count++] = i;
}

static void find_differences(struct arrivals *a)
{
    struct lint *lint = a->lint;
    const uint32_t *block_of = lint->cfg->block_of;
    const struct readers *readers = readers_of(lint);
    find_sources(a);
    memset(a->threads->differs, 0, lint->function->reg_count * sizeof *a->threads->differs);
    for (uint32_t i = 0; i < a->source_web_count; i++) mark_web(a, a->source_webs[i]);
    for (uint32_t b = 0; b < lint->cfg->count; b++)
        if (!a->threads->never[b] && a->threads->some[b]) mark_some(a, b);
    for (uint32_t i = 0; i < a->source_count; i++)
        if (!a->threads->never[block_of[a->sources[i]]]) mark_written(a, a->sources[i]);
    while (a->open.count) {
        reg_id reg = a->open.at[--a->open.count];
        for (uint32_t r = readers->first[reg]; r < readers->first[reg + 1]; r++)
            if (!a->threads->never[block_of[readers->instrs[r]]])
                mark_written(a, readers->instrs[r]);
    }
}

/* ---- in step ---- */

/* The branch jumps over one block in which a thread neither waits nor signals and computes nothing
 * that it may also have from elsewhere. So threads that differ in it come to its target alike. */
static bool skips_little(const struct arrivals *a, uint32_t branch)
{
    const struct cfg *cfg = a->lint->cfg;
    const struct function *f = a->lint->function;
    const struct block *at = &cfg->blocks[cfg->block_of[branch]], *over = at + 1;
    if (!(f->instrs[branch].opcode->traits & OPCODE_BRANCH) || at->succ_count != 2) return false;
    if (branch + 1 != over->first || over->succ_count != 1) return false;
    if (cfg->succs[over->first_succ] != cfg->succs[at->first_succ]) return false;
    for (uint32_t i = over->first; i < over->end; i++) {
        if (handover_at(a->lint, i) || f->instrs[i].opcode->effect == EFFECT_EXIT) return false;
        for (uint32_t u = 0; u < f->instrs[i].use_count; u++) {
            const struct use *use = &f->uses[f->instrs[i].first_use + u];
            uint32_t last;
            if (use->write && value_definitions(a->lint->subject, use->reg, &last) > 1)
                return false;
        }
    }
    return true;
}

static bool is_turn(const struct arrivals *a, uint32_t i)
{
    const struct instr *instr = &a->lint->function->instrs[i];
    bool leaves = instr->opcode->traits & (OPCODE_BRANCH | OPCODE_TABLE_BRANCH) ||
                  instr->opcode->effect == EFFECT_EXIT;
    if (!leaves) return false;
    if (instr->opcode->traits & OPCODE_TABLE_BRANCH)
        return reads_what_differs(a->lint, a->threads->differs, i);
    if (instr->guard == REG_NONE || !a->threads->differs[instr->guard]) return false;
    struct value guard = value_of_guard(a->lint->subject, i);
    return !value_is_fixed(a->lint->subject, guard) && !skips_little(a, i);
}

struct arrivals arrivals_begin(struct lint *lint, const struct lint_code *code)
{
    struct arrivals a = {.lint = lint, .code = code, .shape = lint->handovers->shape};
    return a;
}

/* Some of the threads kept, which are forgotten if there is no more room. */
static struct arrivals_threads *room_for_threads(struct arrivals *a)
{
    const struct lint *lint = a->lint;
    if (a->kept_count == ARRIVALS_KEPT) return &a->kept[a->oldest++ % ARRIVALS_KEPT];
    struct arrivals_threads *threads = &a->kept[a->kept_count++];
    threads->never = arena_room(lint->arena, lint->cfg->count, sizeof *threads->never);
    threads->some = arena_room(lint->arena, lint->cfg->count, sizeof *threads->some);
    threads->differs =
        arena_room(lint->arena, lint->function->reg_count + 1, sizeof *threads->differs);
    uint32_t notable = lint->function->notable_count;
    threads->turns = arena_room(lint->arena, notable, sizeof *threads->turns);
    threads->joined = arena_room(lint->arena, notable, sizeof *threads->joined);
    threads->leads = arena_room(lint->arena, lint->cfg->count, sizeof *threads->leads);
    threads->takers = arena_room(lint->arena, lint->cfg->count + 1, sizeof *threads->takers);
    threads->next_taker =
        arena_room(lint->arena, lint->handovers->count, sizeof *threads->next_taker);
    return threads;
}

/* Computes the state for the threads that reach instr, unless it is kept. */
static void arrivals_follow(struct arrivals *a, uint32_t instr)
{
    struct condition_set set = conditions_of(a->lint->subject, instr);
    for (uint32_t i = 0; i < a->kept_count; i++)
        if (conditions_same(&set, &a->kept[i].set)) {
            a->threads = &a->kept[i];
            return;
        }
    a->threads = room_for_threads(a);
    a->threads->set = set;
    a->threads->turn_count = 0;
    a->threads->known = false;
    memset(a->threads->differs, 0, a->lint->function->reg_count * sizeof *a->threads->differs);
    memset(a->threads->some, 0, a->lint->cfg->count * sizeof *a->threads->some);
    find_blocks(a, instr);
    do find_differences(a);
    while (a->of_cluster && find_blocks(a, instr)); /* conditions depend on registers that differ */
    for (uint32_t n = 0; n < a->lint->function->notable_count; n++) {
        uint32_t i = a->lint->function->notable[n];
        if (!a->threads->never[a->lint->cfg->block_of[i]] && is_turn(a, i))
            a->threads->turns[a->threads->turn_count++] = i;
    }
}

/* Finds the first instruction of each block that is an exit or a barrier of all threads; NO_INSTR:
 * none. On the first call. */
static void find_stops(struct arrivals *a)
{
    const struct lint *lint = a->lint;
    if (a->stops) return;
    a->stops = arena_room(lint->arena, lint->cfg->count, sizeof *a->stops);
    a->seen = arena_alloc(lint->arena, lint->cfg->count, sizeof *a->seen);
    a->ahead = arena_room(lint->arena, lint->cfg->count, sizeof *a->ahead);
    a->first_stop = arena_room(lint->arena, lint->cfg->count, sizeof *a->first_stop);
    a->loops = handover_loops(lint);
    lint_spend(lint, lint->function->count);
    memset(a->stops, -1, lint->cfg->count * sizeof *a->stops);
    for (uint32_t i = lint->function->count; i-- > 0;)
        if (lint_effect(lint, i) == EFFECT_EXIT || meet_kind_of(lint, i) == MEET_CTA)
            a->stops[lint->cfg->block_of[i]] = i;
}

/* A path comes from the turn to instr before it comes to another instruction of stops. */
static bool comes_first_to(struct arrivals *a, uint32_t turn, uint32_t instr)
{
    const struct cfg *cfg = a->lint->cfg;
    uint32_t count = 0, block = cfg->block_of[turn], stop = NO_INSTR;
    a->searches++;
    for (;;) {
        const struct block *at = &cfg->blocks[block];
        for (uint32_t k = 0; stop == NO_INSTR && k < at->succ_count; k++) {
            uint32_t to = cfg->succs[at->first_succ + k];
            if (a->seen[to] != a->searches && !a->threads->never[to]) a->ahead[count++] = to;
            a->seen[to] = a->searches;
        }
        if (!count) return false;
        block = a->ahead[--count];
        lint_spend(a->lint, 1);
        stop = a->stops[block];
        if (cfg->block_of[instr] == block && instr <= stop) return true;
    }
}

/* What leads to the beginning of a block: a turn that is not joined; one that is, and no barrier or
 * exit is in between. LEADS_TURN: such a turn is in the block. */
enum { LEADS_PARTED = 1, LEADS_JOINED = 2, LEADS_TURN = 4 };

/* Two paths come first to these; what both come to first. */
static uint32_t meet_of_stops(uint32_t a, uint32_t b)
{
    if (a == NO_INSTR || a == b) return b;
    return b == NO_INSTR ? a : SEVERAL_STOPS;
}

/* The instruction of stops to which each path from the end of the block comes first. NO_INSTR: no
 * path comes to one. */
static uint32_t first_stop_behind(const struct arrivals *a, uint32_t block)
{
    const struct cfg *cfg = a->lint->cfg;
    uint32_t stop = NO_INSTR;
    for (uint32_t k = 0; k < cfg->blocks[block].succ_count; k++) {
        uint32_t to = cfg->succs[cfg->blocks[block].first_succ + k];
        if (!a->threads->never[to]) stop = meet_of_stops(stop, a->first_stop[to]);
    }
    return stop;
}

/* Sets first_stop: propagates backwards to a fixed point. */
static void find_first_stops(struct arrivals *a)
{
    const struct cfg *cfg = a->lint->cfg;
    struct rounds rounds;
    uint32_t block;
    rounds_init(&rounds, cfg->count, true);
    for (uint32_t b = 0; b < cfg->count; b++) {
        a->first_stop[b] = a->stops[b];
        if (a->stops[b] == NO_INSTR) rounds_want(&rounds, b);
    }
    while (rounds_next(&rounds, &block)) {
        const struct block *at = &cfg->blocks[block];
        uint32_t stop = first_stop_behind(a, block);
        lint_spend(a->lint, at->succ_count + 1);
        if (stop == a->first_stop[block]) continue;
        a->first_stop[block] = stop;
        for (uint32_t i = 0; i < at->pred_count; i++) {
            uint32_t from = cfg->preds[at->first_pred + i];
            if (a->stops[from] == NO_INSTR) rounds_want(&rounds, from);
        }
    }
    rounds_free(&rounds);
}

/* Adds the bit to the blocks behind the block: LEADS_JOINED up to the next instruction of stops. */
static void mark_leads(struct arrivals *a, uint32_t block, uint8_t bit)
{
    const struct cfg *cfg = a->lint->cfg;
    uint32_t count = 0;
    for (;;) {
        const struct block *at = &cfg->blocks[block];
        lint_spend(a->lint, 1);
        for (uint32_t k = 0; k < at->succ_count; k++) {
            uint32_t to = cfg->succs[at->first_succ + k];
            if (a->threads->leads[to] & bit) continue;
            a->threads->leads[to] |= bit;
            if (bit == LEADS_PARTED || a->stops[to] == NO_INSTR) a->ahead[count++] = to;
        }
        if (!count) return;
        block = a->ahead[--count];
    }
}

/* Sets joined and leads. */
static void arrivals_find_joins(struct arrivals *a)
{
    struct arrivals_threads *threads = a->threads;
    const struct lint *lint = a->lint;
    memset(threads->leads, 0, lint->cfg->count * sizeof *threads->leads);
    if (!threads->turn_count) return;
    if (!a->of_cluster) find_first_stops(a);
    for (uint32_t i = 0; i < threads->turn_count; i++) {
        uint32_t block = lint->cfg->block_of[threads->turns[i]];
        uint32_t stop = a->of_cluster ? NO_INSTR : first_stop_behind(a, block);
        threads->joined[i] =
            stop != NO_INSTR && stop != SEVERAL_STOPS && lint_effect(lint, stop) != EFFECT_EXIT &&
            !is_for_some(a, conditions_at(lint->subject, lint->cfg->block_of[stop]));
        threads->leads[block] |= LEADS_TURN;
        mark_leads(a, block, threads->joined[i] ? LEADS_JOINED : LEADS_PARTED);
    }
}

/* Finds the waits on a cycle that only some of the warps execute, or whose operands differ among
 * warps: if one is in a loop with an arrival, the warps take turns. */
static void find_takers(struct arrivals *a)
{
    const struct handovers *all = a->lint->handovers;
    struct arrivals_threads *threads = a->threads;
    memset(threads->takers, 0, (a->loops->component_count + 1) * sizeof *threads->takers);
    lint_spend(a->lint, all->count);
    for (uint32_t i = all->count; i-- > 0;) {
        uint32_t wait = all->at[i].instr, block = a->lint->cfg->block_of[wait];
        if (!a->loops->on_cycle[block] || meet_kind_of(a->lint, wait) == MEET_NOBODY) continue;
        struct condition_set set = conditions_of(a->lint->subject, wait);
        if (!reads_what_differs(a->lint, threads->differs, wait) && !is_for_some(a, &set)) continue;
        uint32_t *first = &threads->takers[a->loops->component[block]];
        threads->next_taker[i] = *first;
        *first = i + 1;
    }
}

static void know_threads(struct arrivals *a)
{
    if (a->threads->known) return;
    find_stops(a);
    arrivals_find_joins(a);
    find_takers(a);
    a->threads->known = true;
}

static bool is_taken_in_turn(const struct arrivals *a, uint32_t instr)
{
    const struct handovers *all = a->lint->handovers;
    uint32_t block = a->lint->cfg->block_of[instr];
    uint32_t next = a->loops->on_cycle[block] ? a->threads->takers[a->loops->component[block]] : 0;
    for (; next; next = a->threads->next_taker[next - 1]) {
        uint32_t wait = all->at[next - 1].instr;
        if (wait != instr && handover_reaches(a->lint, wait, instr) &&
            handover_reaches(a->lint, instr, wait))
            return true;
    }
    return false;
}

/* Threads that differ in a turn do not reach instr alike. The turns right before instr are tried
 * first, because mostly one of them is the reason. */
static bool is_after_turn(struct arrivals *a, uint32_t instr)
{
    const struct arrivals_threads *threads = a->threads;
    uint32_t block = a->lint->cfg->block_of[instr], count = threads->turn_count;
    bool parted = threads->leads[block] & (LEADS_PARTED | LEADS_TURN);
    bool joined = threads->leads[block] & LEADS_JOINED && instr <= a->stops[block];
    if (!parted && !joined) return false;
    uint32_t before = sorted_find(threads->turns, 0, count, instr);
    for (uint32_t k = 1; k <= count; k++) {
        uint32_t i = before >= k ? before - k : before + count - k;
        if (threads->joined[i] ? !joined : !parted) continue;
        if (!handover_reaches(a->lint, threads->turns[i], instr)) continue;
        if (!threads->joined[i] || comes_first_to(a, threads->turns[i], instr)) return true;
    }
    return false;
}

bool arrivals_in_step(struct arrivals *a, uint32_t instr, bool warps)
{
    const struct instr *at = &a->lint->function->instrs[instr];
    arrivals_follow(a, instr);
    for (uint32_t u = 0; u < at->use_count; u++) {
        const struct use *use = &a->lint->function->uses[at->first_use + u];
        if (!use->write && a->threads->differs[use->reg] && use->reg != at->guard) return false;
    }
    if (at->guard != REG_NONE && a->threads->differs[at->guard] &&
        !value_is_fixed(a->lint->subject, value_of_guard(a->lint->subject, instr)))
        return false;
    know_threads(a);
    return !is_after_turn(a, instr) && (!warps || !is_taken_in_turn(a, instr));
}

void arrivals_end(struct arrivals *a)
{
    vec_free(&a->open);
    for (uint32_t i = 0; i < a->kept_count; i++) vec_free(&a->kept[i].answers);
}

struct lanes_number arrivals_number(struct arrivals *a, uint32_t instr)
{
    const struct condition_set *set = condition_pairs_set(a->lint->subject, instr);
    for (uint32_t i = 0; i < a->number_count; i++)
        if (a->numbers[i].set == set) return a->numbers[i].number;
    struct arrivals_numbered new = {set, lanes_count(a->lint->subject, &a->shape, set)};
    a->numbers[a->number_count++ % ARRIVALS_NUMBERED] = new;
    if (a->number_count > ARRIVALS_NUMBERED) a->number_count = ARRIVALS_NUMBERED;
    return new.number;
}
