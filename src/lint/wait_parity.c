/* Simulates one thread of each warp (interpret.h), and checks the parities for which it waits at
 * each mbarrier. A new mbarrier counts the phase before its first one as complete, with parity 1. A
 * wait for that parity returns at once in the first iteration, which is right for a producer and
 * wrong for a consumer. If a thread waits twice for the same parity although its own signals have
 * begun the next phase in between, the second wait is for the phase that it has already seen. */
#include "lint/wait_parity.h"

#include "base/intern.h"
#include "lint/arrays.h"
#include "lint/execution.h"
#include "lint/handover.h"
#include "lint/mbarriers.h"
#include "lint/ring_rounds.h"
#include "lint/wait_cycle.h"
#include "lint/walk.h"
#include "value/barriers.h"
#include "value/condition_pairs.h"
#include "value/instruction.h"
#include "value/lanes.h"

/* At most this many signals of one array of mbarriers are compared. */
enum { SIGNALS_MAX = 16 };

enum { UNKNOWN_PARITY = 2 };

/* The last wait of the simulated thread for one mbarrier. */
struct seen {
    uint32_t thread;      /* 1 + the number of the thread; 0: it has not waited */
    uint32_t first;       /* index in firsts, or UINT32_MAX */
    uint32_t wait, since; /* since: the number of signals before it */
    uint32_t guesses, choices;
    unsigned parity;
};

/* The first wait of the thread for an mbarrier, with parity 1. */
struct first_wait {
    uint32_t wait;
    bool reads;   /* the thread then accesses shared memory, or issues an mma */
    bool loads;   /* the thread then loads from tensor memory */
    bool stores;  /* after these loads the thread stores to tensor memory */
    bool turns;   /* the thread waits for it again, with parity 0 */
    bool signals; /* the thread itself signals the mbarrier */
    /* The wait that precedes this one; NULL: none, or the thread has loaded from tensor memory
     * since. */
    const struct barrier_use *ahead;
};

/* A signal that the simulated thread gives. */
struct own_signal {
    const struct barrier_use *use;
    struct value barrier; /* VALUE_NONE: unknown */
};

/* Whether a signal at one mbarrier lets the next phase of another one begin: by kinds of
 * mbarriers. A key of intern: no padding. */
struct answer_of {
    uint32_t signal, wait;
};

struct parities {
    struct intern asked_answers;  /* of struct answer_of */
    struct VEC(uint32_t) answers; /* by number there: see wait_parity_answer */
    struct lint *lint;
    const struct lint_code *code;
    uint32_t thread;              /* 1 + the simulated thread */
    struct intern barriers;       /* addresses of mbarriers */
    struct VEC(struct seen) seen; /* by number of the address in barriers */
    struct VEC(struct first_wait) firsts;
    struct VEC(struct own_signal) signals;
    /* By use of an mbarrier: the number of signals of the simulated thread up to the last one by
     * it; 0: none. */
    uint32_t *given;
    bool *asked; /* by use of an mbarrier: a simulated thread has reached this wait */
    bool *said;  /* by use of an mbarrier: it was reported */
    bool *opens; /* by use of an mbarrier: the first wait there is certainly for the first phase */
    uint32_t current;                /* index in firsts of the last wait, or UINT32_MAX */
    const struct barrier_use *ahead; /* the last wait not in firsts; see first_wait */
    struct round_loop loop;          /* for has_one_phase; its lint is NULL: not begun */
};

static const struct lint_words parity_words = {
    "9.7.13.15.16", "An even phase has integer parity 0 and an odd phase has integer parity of 1."};

/* ---- the purpose of an mbarrier ---- */

static bool is_signal(const struct barrier_use *use)
{
    return use->kind == BARRIER_ARRIVE || use->kind == BARRIER_ARRIVE_EXPECT ||
           use->kind == BARRIER_COMMIT || use->kind == BARRIER_COPY;
}

static bool are_likely_same(const struct lint *lint, const struct barrier_use *a,
                            const struct barrier_use *b)
{
    return barriers_same(a, b) || arrays_likely_same(lint, a, b);
}

/* The first arrive.expect_tx, copy or commit to the wait's mbarrier; NULL if there is none, or if a
 * use of another kind may also complete its phases. */
static const struct barrier_use *filler_of(const struct lint *lint, const struct barrier_use *wait)
{
    const struct barriers *all = lint->subject->barriers;
    const struct barrier_use *filler = NULL;
    lint_spend(lint, all->count);
    for (uint32_t i = 0; i < all->count; i++) {
        const struct barrier_use *use = &all->uses[i];
        if (use->kind == BARRIER_INIT || use->kind == BARRIER_INVAL || use->kind == BARRIER_WAIT)
            continue;
        if (!are_likely_same(lint, use, wait)) continue;
        if (use->kind != BARRIER_ARRIVE_EXPECT && use->kind != BARRIER_COPY &&
            use->kind != BARRIER_COMMIT)
            return NULL;
        if (!filler) filler = use;
    }
    return filler;
}

/* Another wait for the mbarrier may come before this one, so this one may be for a later phase. */
static bool may_be_late(const struct lint *lint, const struct barrier_use *wait)
{
    const struct barriers *all = lint->subject->barriers;
    lint_spend(lint, all->count);
    for (uint32_t i = 0; i < all->count; i++) {
        const struct barrier_use *use = &all->uses[i];
        if (use->kind == BARRIER_WAIT && use != wait && !arrays_likely_others(lint, use, wait) &&
            handover_reaches(lint, use->instr, wait->instr))
            return true;
    }
    return false;
}

/* Counts the signal, unless it is at another mbarrier than those before. False: it may be at the
 * same. */
static bool adds_phase(const struct lint *lint, const struct barrier_use *signal,
                       const struct barrier_use **signals, uint32_t *count)
{
    lint_spend(lint, *count);
    if (*count == SIGNALS_MAX) return false;
    for (uint32_t i = 0; i < *count; i++)
        if (signal->indexed || mbarriers_meet(lint, signal, signals[i])) return false;
    signals[(*count)++] = signal;
    return true;
}

/* Each of the mbarriers of the wait has one signal that counts, which is executed once, so that it
 * completes one phase at most: a wait with parity 1 returns at once, or never. */
static bool has_one_phase(struct parities *p, const struct barrier_use *wait)
{
    const struct lint *lint = p->lint;
    const struct barriers *all = lint->subject->barriers;
    const struct barrier_use *signals[SIGNALS_MAX];
    uint32_t count = 0;
    if (!p->loop.lint) round_loop_begin(&p->loop, lint);
    lint_spend(lint, all->count);
    for (uint32_t i = 0; i < all->count; i++) {
        const struct barrier_use *use = &all->uses[i];
        bool signal = use->kind == BARRIER_ARRIVE_EXPECT || use->kind == BARRIER_COMMIT;
        if (use->kind == BARRIER_WAIT || arrays_likely_others(lint, use, wait)) continue;
        if (!ring_rounds_once(lint, &p->loop, use)) return false;
        if (signal && !adds_phase(lint, use, signals, &count)) return false;
    }
    return count > 0;
}

/* ---- whether a signal lets the next phase begin ---- */

struct answering {
    const struct barrier_use *wait;
};

static enum walk_does look_for_answer(void *context, const struct lint *lint, uint32_t instr,
                                      unsigned *state)
{
    const struct answering *a = context;
    const struct barrier_use *use = barriers_at(lint->subject, instr);
    (void)state;
    if (!use) return WALK_ON;
    if (use->kind == BARRIER_WAIT) return WALK_END;
    return is_signal(use) && are_likely_same(lint, use, a->wait) ? WALK_FOUND : WALK_ON;
}

/* Some thread waits for the signal and then signals the wait's mbarrier, with no other wait in
 * between, by the instruction that is returned; NO_INSTR: none does. */
static uint32_t wait_parity_answer(const struct lint *lint, const struct barrier_use *signal,
                                   const struct barrier_use *wait)
{
    const struct barriers *all = lint->subject->barriers;
    const uint32_t uses = 1u << EFFECT_RELEASE_BARRIER | 1u << EFFECT_ACQUIRE_BARRIER |
                          1u << EFFECT_BOTH_BARRIER | 1u << EFFECT_COMMIT | 1u << EFFECT_MEMORY;
    struct answering answering = {wait};
    struct walk_path path;
    if (are_likely_same(lint, signal, wait)) return NO_INSTR;
    lint_spend(lint, all->count);
    for (uint32_t i = 0; i < all->count; i++) {
        const struct barrier_use *other = &all->uses[i];
        if (other->kind != BARRIER_WAIT || !are_likely_same(lint, other, signal)) continue;
        if (walk_find(lint, other->instr, 0, uses, look_for_answer, &answering, &path))
            return path.found;
    }
    return NO_INSTR;
}

/* ---- one thread ---- */

/* The instruction stores. If a store follows the wait, the wait is for memory that the thread may
 * then write, not for data. */
static bool is_store(const struct lint *lint, uint32_t instr)
{
    struct str base = instruction_base(lint->subject, instr);
    return lint_effect(lint, instr) == EFFECT_ASYNC_ST || str_is(base, "stmatrix") ||
           (str_is(base, "st") && instruction_has(lint->subject, instr, ".shared"));
}

/* The number of the operand that is the mbarrier at which the signal arrives. */
static uint32_t signalled_operand(const struct barrier_use *signal)
{
    return signal->kind == BARRIER_COMMIT ? 0 : 1;
}

static uint32_t interest_in_parity(const struct lint *lint, uint32_t instr, const void *context)
{
    (void)context;
    const struct barrier_use *use = barriers_at(lint->subject, instr);
    enum effect effect = lint_effect(lint, instr);
    if (use && use->kind == BARRIER_WAIT) return INTERPRET_MET | 1u << 1 | 1u << 2;
    if (use) return is_signal(use) ? INTERPRET_MET | 1u << signalled_operand(use) : 0;
    if (effect == EFFECT_ASYNC_LD || effect == EFFECT_ASYNC_MMA) return INTERPRET_MET;
    struct str base = instruction_base(lint->subject, instr);
    bool counts = is_store(lint, instr) ||
                  (str_is(base, "ld") && instruction_has(lint->subject, instr, ".shared")) ||
                  str_is(base, "ldmatrix");
    return counts ? INTERPRET_MET : 0;
}

/* The last wait of the simulated thread for the mbarrier; its thread is 0 if there was none. */
static struct seen *last_wait_for(struct parities *p, struct value barrier)
{
    struct str offset = {(const char *)&barrier.offset, sizeof barrier.offset};
    uint32_t number = intern_find(&p->barriers, barrier.base, offset);
    if (number == INTERN_NONE) {
        offset.p = arena_copy(p->lint->arena, offset.p, offset.n);
        number = intern_add(&p->barriers, barrier.base, offset);
        vec_push(&p->seen, (struct seen){0});
    }
    struct seen *seen = &p->seen.at[number];
    if (seen->thread != p->thread) *seen = (struct seen){.first = UINT32_MAX};
    return seen;
}

static void report_repeated(struct parities *p, const struct barrier_use *wait,
                            const struct barrier_use *signal)
{
    lint_report(p->lint,
                (struct hazard){p->code, LINT_WARNING, wait->instr, signal->instr,
                                "this waits for the parity of the round before[, but %s has "
                                "started the next phase since]: it returns at once",
                                "keep the parity between rounds, and flip it each time the thread "
                                "waits for the same mbarrier again",
                                NULL, 0, &parity_words});
}

/* As wait_parity_answer, computed once for each pair of mbarriers. */
static uint32_t answer_once(struct parities *p, const struct barrier_use *signal,
                            const struct barrier_use *wait)
{
    struct answer_of key = {mbarriers_kind(p->lint, signal), mbarriers_kind(p->lint, wait)};
    struct str bytes = {(const char *)&key, sizeof key};
    uint32_t number = intern_find(&p->asked_answers, 0, bytes);
    lint_spend(p->lint, 1);
    if (number != INTERN_NONE) return p->answers.at[number];
    uint32_t answer = wait_parity_answer(p->lint, signal, wait);
    bytes.p = arena_copy(p->lint->arena, bytes.p, bytes.n);
    (void)intern_add(&p->asked_answers, 0, bytes);
    vec_push(&p->answers, answer);
    return answer;
}

/* The simulated thread gives the signal itself, but has not given it since its last wait: it has
 * left the loop that does so. */
static bool is_own_to_give(const struct parities *p, uint32_t instr, const struct seen *last)
{
    const struct barriers *all = p->lint->subject->barriers;
    uint32_t given = p->given[barriers_at(p->lint->subject, instr) - all->uses];
    return given > 0 && given <= last->since;
}

/* The mbarrier is initialised again between the last wait for it, which may be the same
 * instruction, and this one, so its phases start again. */
static bool is_set_up_again(const struct lint *lint, uint32_t last, const struct barrier_use *wait)
{
    const struct barriers *all = lint->subject->barriers;
    lint_spend(lint, all->count);
    for (uint32_t i = 0; i < all->count; i++) {
        const struct barrier_use *use = &all->uses[i];
        if ((use->kind == BARRIER_INIT || use->kind == BARRIER_INVAL) &&
            !arrays_likely_others(lint, use, wait) && handover_reaches(lint, last, use->instr) &&
            handover_reaches(lint, use->instr, wait->instr))
            return true;
    }
    return false;
}

/* The thread may have waited for another phase since the last wait: the simulation has jumped over
 * a wait for the same mbarrier, or another instruction gives the same signal, perhaps in other
 * threads, or the mbarrier becomes a new one. */
static bool may_be_later_phase(const struct parities *p, const struct interpreter *run,
                               const struct seen *last, const struct barrier_use *wait,
                               const struct barrier_use *signal)
{
    const struct lint *lint = p->lint;
    const struct barriers *all = lint->subject->barriers;
    uint32_t first = (uint32_t)(signal - all->uses) + 1;
    /* Those behind the signal first: in an unrolled loop the next one is the same signal. */
    for (uint32_t k = 0; k < all->count; k++) {
        uint32_t i = first + k < all->count ? first + k : first + k - all->count;
        const struct barrier_use *use = &all->uses[i];
        lint_spend(lint, 1);
        if (is_signal(use) && use != signal && use->kind != BARRIER_COPY &&
            !arrays_likely_others(lint, use, signal))
            return true;
        if (use->kind == BARRIER_INVAL && !arrays_likely_others(lint, use, wait)) return true;
        if (use->kind == BARRIER_WAIT && interpret_skipped_at(run, use->instr) > last->choices &&
            !arrays_likely_others(lint, use, wait))
            return true;
    }
    return false;
}

/* The most arrivals that an init of the mbarriers of the signal sets. 0: unknown. */
static int64_t counted_at_most(const struct lint *lint, const struct barrier_use *signal)
{
    const struct barriers *all = lint->subject->barriers;
    int64_t most = 0;
    lint_spend(lint, all->count);
    for (uint32_t i = 0; i < all->count; i++) {
        const struct barrier_use *use = &all->uses[i];
        if (use->kind != BARRIER_INIT || arrays_likely_others(lint, use, signal)) continue;
        int64_t count = mbarriers_counted(lint, use);
        if (!count) return 0;
        if (count > most) most = count;
    }
    return most;
}

/* Several warps wait and signal, and they take turns: which of them does may change from round to
 * round, or the mbarrier of the signal expects fewer arrivals than they have threads there. */
static bool take_turns(const struct lint *lint, uint32_t wait, const struct barrier_use *signal)
{
    const struct subject *subject = lint->subject;
    const struct lanes_shape *shape = &lint->handovers->shape;
    const struct condition_set *set = condition_pairs_set(subject, signal->instr);
    bool sure, surely_waits;
    uint32_t warps = lanes_warps(subject, shape, set, &sure);
    uint32_t waits = lanes_warps(subject, shape, condition_pairs_set(subject, wait), &surely_waits);
    if (sure != surely_waits || !(warps & (warps - 1)) || !(waits & (waits - 1))) return false;
    if (!sure) return true;
    int64_t most = counted_at_most(lint, signal);
    return waits == warps && most && lanes_count(subject, shape, set).least > most;
}

/* The value is 1 or 0, by a predicate. */
static bool is_selected_bit(const struct lint *lint, struct value v)
{
    if (value_is_none(v) || !v.base || v.offset) return false;
    const struct expr *e = value_expr(lint->subject, v);
    return e->kind == EXPR_SELECT && !e->a[0].base && !e->a[1].base &&
           (e->a[0].offset ^ e->a[1].offset) == 1;
}

/* The only mbarrier has a parity that xor flips in some rounds only: where it does not, the thread
 * waits again for a phase that it has seen, on purpose. */
static bool is_flipped_in_some_rounds(const struct lint *lint, const struct barrier_use *wait)
{
    enum { PARITY = 2 };
    const struct subject *subject = lint->subject;
    uint32_t web = value_operand_web(subject, wait->instr, PARITY);
    if (web == REG_NONE || wait->indexed) return false;
    for (uint32_t write = value_last_write(subject, web); write != NO_WRITE;
         write = value_write_before(subject, write)) {
        uint32_t instr = value_write_instr(subject, write);
        lint_spend(lint, 1);
        if (!str_starts(instruction_opcode(subject, instr), "xor.b")) continue;
        if (is_selected_bit(lint, value_of_operand(subject, instr, 1)) ||
            is_selected_bit(lint, value_of_operand(subject, instr, 2)))
            return true;
    }
    return false;
}

/* Reports the wait if it repeats the parity of the last one although the next phase has begun. */
static void compare_with_last(struct parities *p, const struct interpreter *run,
                              const struct seen *last, const struct barrier_use *wait,
                              struct value barrier, unsigned parity)
{
    bool *said = &p->said[wait - p->lint->subject->barriers->uses];
    if (*said || last->parity != parity || parity == UNKNOWN_PARITY) return;
    if (last->guesses != interpret_guesses(run)) return;
    for (uint32_t i = last->since; i < p->signals.count; i++) {
        const struct own_signal *signal = &p->signals.at[i];
        /* the signal is for the next phase of the same mbarrier */
        bool own = value_same(signal->barrier, barrier);
        uint32_t by = own ? NO_INSTR : answer_once(p, signal->use, wait);
        if (!own && (by == NO_INSTR || is_own_to_give(p, by, last))) continue;
        bool elsewhere = last->wait != wait->instr;
        if (elsewhere && !own && wait->indexed) return; /* the signal may be for another element */
        if (elsewhere && may_be_later_phase(p, run, last, wait, signal->use)) return;
        /* other warps may have signalled in rounds in which this thread does not wait */
        if (take_turns(p->lint, wait->instr, signal->use)) return;
        if (!own && take_turns(p->lint, wait->instr, barriers_at(p->lint->subject, by))) return;
        *said = true;
        if (is_flipped_in_some_rounds(p->lint, wait)) return;
        if (is_set_up_again(p->lint, last->wait, wait)) return;
        report_repeated(p, wait, signal->use);
        return;
    }
}

static void note_wait(struct parities *p, struct interpreter *run, const struct barrier_use *wait)
{
    const struct subject *subject = p->lint->subject;
    struct value barrier = interpret_operand(run, wait->instr, 1);
    struct value parity = interpret_operand(run, wait->instr, 2);
    bool known = instruction_has(subject, wait->instr, ".parity") && !value_is_none(parity) &&
                 value_is_constant(parity);
    struct seen now = {p->thread,
                       UINT32_MAX,
                       wait->instr,
                       p->signals.count,
                       interpret_guesses(run),
                       interpret_choices(run),
                       known ? parity.offset & 1 : UNKNOWN_PARITY};
    uint32_t number = (uint32_t)(wait - subject->barriers->uses);
    if (!p->asked[number])
        p->opens[number] = now.parity == 0 && !now.guesses && !interpret_choices(run);
    p->asked[number] = true;
    p->current = UINT32_MAX;
    if (value_is_none(barrier) || !value_is_fixed(subject, barrier)) {
        p->ahead = wait;
        return;
    }
    lint_spend(p->lint, 1);
    struct seen *last = last_wait_for(p, barrier);
    now.first = last->first;
    if (last->thread) {
        compare_with_last(p, run, last, wait, barrier, now.parity);
        if (now.first != UINT32_MAX) p->firsts.at[now.first].turns |= now.parity == 0;
    } else if (now.parity == 1) {
        p->current = now.first = p->firsts.count;
        vec_push(&p->firsts, ((struct first_wait){.wait = wait->instr, .ahead = p->ahead}));
    }
    if (p->current == UINT32_MAX) p->ahead = wait;
    *last = now;
}

static void wait_parity_note_signal(struct parities *p, struct interpreter *run,
                                    const struct barrier_use *use)
{
    struct value barrier = interpret_operand(run, use->instr, signalled_operand(use));
    vec_push(&p->signals, ((struct own_signal){use, barrier}));
    p->given[use - p->lint->subject->barriers->uses] = p->signals.count;
    if (value_is_none(barrier)) {
        lint_spend(p->lint, p->firsts.count);
        for (uint32_t i = 0; i < p->firsts.count; i++) p->firsts.at[i].signals = true;
        return;
    }
    uint32_t first = last_wait_for(p, barrier)->first;
    if (first != UINT32_MAX) p->firsts.at[first].signals = true;
}

static void note_read(const struct parities *p, uint32_t instr)
{
    struct first_wait *first = &p->firsts.at[p->current];
    bool loads = lint_effect(p->lint, instr) == EFFECT_ASYNC_LD;
    first->loads |= loads;
    first->reads |= !loads;
}

static void note_store_of_first(struct parities *p, uint32_t instr)
{
    struct first_wait *first = &p->firsts.at[p->current];
    first->stores |= first->loads && lint_effect(p->lint, instr) == EFFECT_ASYNC_ST;
    p->current = UINT32_MAX;
}

static bool look_at_parity(void *context, struct interpreter *run, uint32_t instr)
{
    struct parities *p = context;
    const struct barrier_use *use = barriers_at(p->lint->subject, instr);
    if (!interpret_certain(run)) return true;
    bool loads = lint_effect(p->lint, instr) == EFFECT_ASYNC_LD;
    if (use && use->kind == BARRIER_WAIT)
        note_wait(p, run, use);
    else if (use)
        wait_parity_note_signal(p, run, use);
    else if (p->current != UINT32_MAX && is_store(p->lint, instr))
        note_store_of_first(p, instr);
    else if (p->current != UINT32_MAX)
        note_read(p, instr);
    if (loads) p->ahead = NULL;
    return true;
}

/* ---- the report ---- */

/* The wait is for data that the thread reads after it, not for memory that the thread may write. A
 * load from tensor memory after this wait may read what the preceding wait was for; if that one is
 * for a commit too, or the thread also stores to tensor memory, this wait may be for memory. */
static bool reads_what_came(const struct lint *lint, const struct first_wait *first,
                            const struct barrier_use *filler)
{
    if (filler->kind != BARRIER_COMMIT) return first->reads;
    const struct barrier_use *other = first->ahead ? filler_of(lint, first->ahead) : NULL;
    if (first->stores && first->ahead) return false;
    return first->loads && (!other || other->kind != BARRIER_COMMIT);
}

static void judge_first(struct parities *p, const struct first_wait *first)
{
    const struct lint *lint = p->lint;
    const struct barrier_use *wait = barriers_at(lint->subject, first->wait);
    bool *said = &p->said[wait - lint->subject->barriers->uses];
    if (*said || first->signals || wait->remote) return;
    if (!first->turns && !has_one_phase(p, wait)) return;
    const struct barrier_use *filler = filler_of(lint, wait);
    if (!filler || !reads_what_came(lint, first, filler) || may_be_late(lint, wait)) return;
    *said = true;
    lint_report(p->lint, (struct hazard){
                             p->code, LINT_WARNING, wait->instr, filler->instr,
                             "this first wait has parity 1[, that of the phase before the first]: "
                             "it returns before any arrival[ at the mbarrier that %s arms]",
                             "begin with parity 0, and flip it each time the thread waits for "
                             "the same mbarrier again",
                             NULL, 0, &parity_words});
}

static bool all_asked(const void *context)
{
    const struct parities *p = context;
    const struct barriers *all = p->lint->subject->barriers;
    for (uint32_t i = 0; i < all->count; i++)
        if (all->uses[i].kind == BARRIER_WAIT && !p->asked[i]) return false;
    return true;
}

static void begin_thread(void *context, uint32_t thread)
{
    struct parities *p = context;
    p->firsts.count = p->signals.count = 0;
    memset(p->given, 0, p->lint->subject->barriers->count * sizeof *p->given);
    p->thread = thread + 1;
    p->current = UINT32_MAX;
    p->ahead = NULL;
}

static void end_thread(void *context, bool followed)
{
    struct parities *p = context;
    for (uint32_t i = 0; i < p->firsts.count; i++)
        if (followed || p->firsts.at[i].turns) judge_first(p, &p->firsts.at[i]);
}

void wait_parity_find(struct lint *lint, const struct lint_code *code)
{
    struct parities p = {.lint = lint, .code = code};
    const struct execution_observer observer = {interest_in_parity, look_at_parity, all_asked,
                                                begin_thread,       end_thread,     &p};
    uint32_t count = lint->subject->barriers->count;
    if (!count) return;
    p.given = arena_alloc(lint->arena, count, sizeof *p.given);
    p.asked = arena_alloc(lint->arena, count, sizeof *p.asked);
    p.opens = arena_alloc(lint->arena, count, sizeof *p.opens);
    p.said = arena_alloc(lint->arena, count, sizeof *p.said);
    execution_observe(lint, &observer);
    wait_cycle_report(lint, code, p.opens);
    if (p.loop.lint) round_loop_end(&p.loop);
    intern_free(&p.barriers);
    intern_free(&p.asked_answers);
    vec_free(&p.answers);
    vec_free(&p.seen);
    vec_free(&p.firsts);
    vec_free(&p.signals);
}
