/* Executes one thread with the values of its registers. See interpret.h. */
#include "lint/interpret.h"

#include "base/sorted.h"
#include "lint/decisions.h"
#include "lint/handover.h"
#include "lint/relevance.h"
#include "value/barriers.h"
#include "value/compute.h"
#include "value/condition_pairs.h"
#include "value/instruction.h"

/* ROUNDS_INSIDE, ROUNDS_OUTSIDE, ROUNDS_KEPT (with interpret_keep_choices): the most iterations of
 * a loop whose exit condition is unknown. A loop is inside another one if the branch is reachable
 * again after the exit. STEPS_LEAST: the steps of all threads, in addition to two for each
 * instruction. A thread that reaches nothing before others may use REPEATED_LEAST and one in
 * REPEATED of these, so that four warps of one role do not use up the steps of the other roles. */
enum {
    ROUNDS_INSIDE = 3,
    ROUNDS_OUTSIDE = 12,
    ROUNDS_KEPT = 9,
    STEPS_LEAST = 1700,
    REPEATED_LEAST = 80,
    REPEATED = 32
};

/* An operand that a writer reads. */
struct argument {
    uint32_t place; /* of its web */
    struct held_operand operand;
};

enum result { RESULT_FIXED, RESULT_COPIED, RESULT_COMPUTED };

/* A stop that writes a web that matters. Its text is read when a thread first executes it. */
struct writer {
    uint8_t result;    /* enum result */
    uint8_t count;     /* of arguments */
    uint32_t place;    /* of the only web that it writes; PLACE_UNKNOWN: it writes several */
    struct value last; /* RESULT_FIXED: the result, or VALUE_NONE; RESULT_COMPUTED: the last one */
    const struct arithmetic *how;
    struct argument at[ARGUMENTS_MAX]; /* RESULT_COPIED: at[0] is the result */
    bool computed;                     /* RESULT_COMPUTED: last is the result for `of` */
    struct value of[ARGUMENTS_MAX];    /* what the registers of the arguments held */
};

/* An instruction with a mark (relevance.h). */
struct stop {
    uint32_t instr;
    uint32_t guard;  /* the place of its guard */
    uint32_t writer; /* 1 + an index in writers; 0: not read yet */
    uint8_t marks;   /* enum relevance_mark */
    bool negated;
    bool turns;   /* loops are iterated for it, see is_turn_of_loop */
    bool seen[2]; /* some thread has reached it, see behind */
};

struct interpreter {
    const struct lint *lint;
    uint32_t thread;
    struct relevance relevance;
    struct VEC(struct stop) stops;
    struct VEC(struct writer) writers;
    uint32_t *first;    /* by block, and one more: the index of its first entry in stops */
    struct value *held; /* by place: its current value */
    /* the instructions for which loops are iterated, see is_turn_of_loop */
    struct VEC(uint32_t) turns;
    uint8_t *sides;       /* by block: enum side, of the branch at its end */
    uint32_t *skipped_at; /* by index in turns: interpret_skipped_at */
    uint32_t *rounds; /* by block: how many times in a row the simulation stayed in the loop at its
                         branch */
    struct decisions decisions;
    uint32_t guesses, choices;
    bool idle; /* the last branch without a known condition ends a loop in which nothing is waited
                  for, so the simulation has left it at once */
    bool skips_turn;      /* that branch skips a wait, see turns */
    bool goes_on;         /* it stays in a loop that its other side leaves for ever */
    uint32_t as_if_large; /* of the choices: those that are not free, see interpret_free_choices */
    uint32_t skipped_first, skipped_end; /* the instructions that the last choice skipped:
                                            [skipped_first, skipped_end) */
    bool behind; /* interpret_count_apart was called for the current thread. It selects in arrays
                    of two what belongs to the part of a thread before that call, or behind it */
    uint32_t steps, left[2]; /* of that part of the current thread; left for all threads */
    uint32_t repeats;        /* the steps of a thread that does only what earlier ones have done */
    bool certain, news;      /* news: the current thread has reached a stop first */
    /* steps: a thread used all of them; call: it reached a call, or a table of branches whose index
     * is unknown */
    struct interpret_gaps gaps[2];
    bool left_open; /* interpret_left_open */
};

/* ---- stops ---- */

/* Loops are iterated for these instructions: the thread waits, or ends a group of bulk copies. */
static bool is_turn_of_loop(const struct lint *lint, uint32_t i)
{
    const struct barrier_use *use = barriers_at(lint->subject, i);
    enum effect effect = lint_effect(lint, i);
    return use ? use->kind == BARRIER_WAIT : !effect_is_async(effect) && effect != EFFECT_MEMORY;
}

uint32_t interpret_skipped_at(const struct interpreter *run, uint32_t wait)
{
    return run->skipped_at[sorted_find(run->turns.at, 0, run->turns.count, wait)];
}

static bool has_turn_between(const struct interpreter *run, uint32_t first, uint32_t last)
{
    uint32_t at = sorted_find(run->turns.at, 0, run->turns.count, first);
    return at < run->turns.count && run->turns.at[at] <= last;
}

static uint32_t place_of_web(const struct interpreter *run, uint32_t web)
{
    return web == REG_NONE ? PLACE_UNKNOWN : run->relevance.place_of[web];
}

static uint32_t place_of_guard(const struct interpreter *run, const struct instr *instr)
{
    return instr->guard == REG_NONE ? PLACE_TRUE : run->relevance.place_of[instr->guard];
}

/* Fills in stops, first and turns. */
static void find_stops_of_run(struct interpreter *run)
{
    const struct lint *lint = run->lint;
    const struct relevance *r = &run->relevance;
    uint32_t block = 0, count = lint->function->count;
    vec_reserve(&run->stops, r->marked + 1);
    for (uint32_t i = relevance_next(r, 0, count); i < count; i = relevance_next(r, i + 1, count)) {
        const struct instr *instr = &lint->function->instrs[i];
        bool turns = r->marks[i] & RELEVANT_ASKED && is_turn_of_loop(lint, i);
        while (block <= lint->cfg->block_of[i]) run->first[block++] = run->stops.count;
        if (turns) vec_push(&run->turns, i);
        run->stops.at[run->stops.count++] = (struct stop){.instr = i,
                                                          .guard = place_of_guard(run, instr),
                                                          .marks = r->marks[i],
                                                          .negated = instr->guard_negated,
                                                          .turns = turns};
    }
    while (block <= lint->cfg->count) run->first[block++] = run->stops.count;
}

/* ---- registers ---- */

static void begin_registers(struct interpreter *run)
{
    const struct relevance *r = &run->relevance;
    struct value *held = run->held;
    for (uint32_t place = 0; place < r->places; place++) held[place] = VALUE_NONE;
    held[PLACE_TRUE] = exprs_constant(1);
    for (uint32_t i = 0; i < r->sources.count; i++) {
        const struct source_web *source = &r->sources.at[i];
        held[source->place] = source->counts ? exprs_constant(run->thread) : source->held;
    }
}

static struct value held_of_web(const struct interpreter *run, uint32_t web)
{
    return run->held[place_of_web(run, web)];
}

struct value interpret_operand(const struct interpreter *run, uint32_t instr, uint32_t n)
{
    const struct subject *subject = run->lint->subject;
    uint32_t web = value_operand_web(subject, instr, n);
    return value_of_operand_holding(subject, instr, n, held_of_web(run, web));
}

uint32_t interpret_guesses(const struct interpreter *run)
{
    return run->guesses;
}

bool interpret_certain(const struct interpreter *run)
{
    return run->certain;
}

uint32_t interpret_choices(const struct interpreter *run)
{
    return run->choices;
}

uint32_t interpret_free_choices(const struct interpreter *run)
{
    return run->choices - run->as_if_large;
}

/* 1: an instruction with that guard is executed; 0: it is not; VALUE_NONE: unknown. */
static struct value guard_now(const struct interpreter *run, uint32_t place, bool negated)
{
    struct value v = run->held[place];
    return negated ? exprs_not(v) : v;
}

static struct argument read_argument(const struct interpreter *run, uint32_t i, uint32_t n)
{
    const struct subject *subject = run->lint->subject;
    uint32_t web = value_operand_web(subject, i, n);
    return (struct argument){place_of_web(run, web), instruction_held(subject, i, n)};
}

/* The place of the only web that the instruction writes; PLACE_UNKNOWN if it writes several. */
static uint32_t place_of_only(const struct interpreter *run, uint32_t i)
{
    const struct function *f = run->lint->function;
    const struct use *first = &f->uses[f->instrs[i].first_use];
    uint32_t web = REG_NONE;
    for (const struct use *use = first; use < first + f->instrs[i].use_count; use++) {
        if (!use->write) continue;
        if (web != REG_NONE) return PLACE_UNKNOWN;
        web = use->reg;
    }
    return place_of_web(run, web);
}

static struct writer read_writer(const struct interpreter *run, uint32_t i)
{
    const struct subject *subject = run->lint->subject;
    const struct barrier_use *use = barriers_at(subject, i);
    struct writer writer = {
        .place = place_of_only(run, i), .last = exprs_constant(1), .how = compute_read(subject, i)};
    if (use && use->kind == BARRIER_WAIT) return writer;
    switch ((enum operation)writer.how->operation) {
    case OPERATION_ELECT: return writer;
    case OPERATION_SHUFFLE:
        writer.result = RESULT_COPIED;
        writer.at[0] = read_argument(run, i, 1);
        return writer;
    case OPERATION_LOAD:
        writer.last = value_computed(subject, i);
        if (!value_is_fixed(subject, writer.last)) writer.last = VALUE_NONE;
        return writer;
    default: break;
    }
    writer.last = VALUE_NONE;
    if (!relevance_is_computed(run->lint, i)) return writer;
    writer.result = RESULT_COMPUTED;
    writer.count = (uint8_t)(run->lint->function->instrs[i].operand_count - 1);
    for (uint32_t n = 0; n < writer.count; n++) writer.at[n] = read_argument(run, i, n + 1);
    return writer;
}

/* The result for what the arguments hold now; writer->of: that. */
static struct value compute_now(const struct interpreter *run, const struct writer *writer,
                                uint32_t i)
{
    const struct subject *subject = run->lint->subject;
    struct value arguments[ARGUMENTS_MAX];
    for (uint32_t n = 0; n < writer->count; n++) {
        arguments[n] = value_of_held(&writer->at[n].operand, writer->of[n]);
        if (value_is_none(arguments[n])) return VALUE_NONE;
    }
    return compute_by(values_exprs(subject), subject, i, writer->how, arguments, writer->count);
}

/* The result of the writer, whose arguments mostly hold the same as the last time. */
static struct value result_now(const struct interpreter *run, struct writer *writer, uint32_t i)
{
    bool same = writer->computed;
    if (writer->result == RESULT_FIXED) return writer->last;
    if (writer->result == RESULT_COPIED)
        return value_of_held(&writer->at[0].operand, run->held[writer->at[0].place]);
    for (uint32_t n = 0; n < writer->count; n++) {
        struct value held = run->held[writer->at[n].place];
        same = same && held.base == writer->of[n].base && held.offset == writer->of[n].offset;
        writer->of[n] = held;
    }
    if (!same) writer->last = compute_now(run, writer, i);
    writer->computed = true;
    return writer->last;
}

/* Sets each web that the instruction writes; v: its result. */
static void write_each(struct interpreter *run, uint32_t i, struct value v, bool only)
{
    const struct subject *subject = run->lint->subject;
    const struct function *f = run->lint->function;
    const struct use *first = &f->uses[f->instrs[i].first_use];
    for (const struct use *use = first; use < first + f->instrs[i].use_count; use++) {
        bool opposite = false;
        uint32_t place = use->write ? run->relevance.place_of[use->reg] : PLACE_UNKNOWN;
        if (place == PLACE_UNKNOWN) continue;
        bool its = only || value_is_computed(subject, i, use->reg, &opposite);
        run->held[place] = !its ? VALUE_NONE : opposite ? exprs_not(v) : v;
    }
}

/* Updates the webs that matter. If it is uncertain that the instruction is executed, their values
 * become unknown. */
static void write_registers(struct interpreter *run, struct stop *stop, bool certain)
{
    if (!certain) {
        write_each(run, stop->instr, VALUE_NONE, true);
        return;
    }
    if (!stop->writer) {
        vec_push(&run->writers, read_writer(run, stop->instr));
        stop->writer = run->writers.count;
    }
    struct writer *writer = &run->writers.at[stop->writer - 1];
    struct value v = decisions_value(&run->decisions, result_now(run, writer, stop->instr));
    if (writer->place == PLACE_UNKNOWN)
        write_each(run, stop->instr, v, false);
    else
        run->held[writer->place] = v;
}

/* ---- control flow ---- */

/* What is known of a branch: which sides lead back to it. */
enum side { SIDES_KNOWN = 1, SIDE_TAKEN = 2, SIDE_FALLS = 4 };

/* A side that the guard of the branch excludes for ever leads back only where choices are kept: the
 * other users then see that side skipped. */
static bool leads_back(const struct interpreter *run, uint32_t from, uint32_t branch)
{
    const struct cfg *cfg = run->lint->cfg;
    uint32_t first = cfg->blocks[from].first, block = cfg->block_of[branch];
    if (from == block) return true;
    if (!run->decisions.kept) return handover_reaches(run->lint, first, branch);
    return behind_follows(handover_behind(run->lint), cfg, first, branch) &&
           !condition_pairs_exclude_block(run->lint->subject, first, block);
}

static uint8_t sides_back(struct interpreter *run, uint32_t branch, const uint32_t *succs)
{
    uint8_t *sides = &run->sides[run->lint->cfg->block_of[branch]];
    if (!*sides)
        *sides = (uint8_t)(SIDES_KNOWN | (leads_back(run, succs[0], branch) ? SIDE_TAKEN : 0) |
                           (leads_back(run, succs[1], branch) ? SIDE_FALLS : 0));
    return *sides;
}

/* Notes the instructions that the branch skips: if taken, those before its target; if not, those
 * from its target to the place where both sides join. */
static void note_skipped(struct interpreter *run, uint32_t branch, const uint32_t *succs,
                         bool taken)
{
    const struct cfg *cfg = run->lint->cfg;
    const struct block *target = &cfg->blocks[succs[0]], *ahead = target - 1;
    run->skipped_first = run->skipped_end = taken ? branch + 1 : target->first;
    if (taken) run->skipped_end = target->first;
    if (taken || ahead->succ_count != 1) return;
    uint32_t join = cfg->blocks[cfg->succs[ahead->first_succ]].first;
    if (join > target->first) run->skipped_end = join;
}

static void note_skipped_turns(struct interpreter *run)
{
    uint32_t at = sorted_find(run->turns.at, 0, run->turns.count, run->skipped_first);
    for (; at < run->turns.count && run->turns.at[at] < run->skipped_end; at++) {
        lint_spend(run->lint, 1);
        run->skipped_at[at] = run->choices;
    }
}

/* Chooses the side that enters the loop or stays in it, for a limited number of iterations. */
static uint32_t guess_successor(struct interpreter *run, uint32_t branch, const uint32_t *succs)
{
    uint32_t block = run->lint->cfg->block_of[branch];
    uint8_t sides = sides_back(run, branch, succs);
    bool back = succs[0] <= block, taken = sides & SIDE_TAKEN, falls = sides & SIDE_FALLS;
    uint32_t stay = back || (taken && !falls) ? 0 : 1, most = ROUNDS_OUTSIDE;
    bool inside = stay ? taken : falls;
    if (run->decisions.kept) most = ROUNDS_KEPT;
    if (inside) most = ROUNDS_INSIDE;
    run->idle = back && !has_turn_between(run, run->lint->cfg->blocks[succs[0]].first, branch);
    if (run->idle) most = 1;
    bool stays = ++run->rounds[block] < most;
    bool leaves_all = taken != falls; /* one side leaves the outermost loop */
    run->goes_on = !back && leaves_all && stays;
    run->choices += !back && !(run->decisions.kept && run->goes_on);
    if (!stays) run->rounds[block] = 0;
    if (!stays) run->guesses += inside;
    uint32_t succ = stays ? stay : !stay;
    if (!back) note_skipped(run, branch, succs, !succ);
    run->skips_turn = !back && taken == falls && run->skipped_end > run->skipped_first &&
                      has_turn_between(run, run->skipped_first, run->skipped_end - 1);
    if (!back && taken == falls) note_skipped_turns(run);
    return succ;
}

/* Replaces the values that a decision has fixed. */
static void apply_decisions(struct interpreter *run)
{
    for (uint32_t place = PLACE_FIRST; place < run->relevance.places; place++)
        run->held[place] = decisions_value(&run->decisions, run->held[place]);
}

static bool compares_order(const struct subject *subject, struct value condition)
{
    uint8_t kind = value_expr(subject, condition)->kind;
    return kind == EXPR_LT_S || kind == EXPR_LT_U;
}

static uint32_t successor_of(struct interpreter *run, uint32_t branch, const uint32_t *succs)
{
    const struct subject *subject = run->lint->subject;
    const struct instr *instr = &run->lint->function->instrs[branch];
    struct value v = guard_now(run, place_of_guard(run, instr), instr->guard_negated);
    bool holds, compares, kept = run->decisions.kept;
    if (value_is_none(v)) return guess_successor(run, branch, succs);
    if (value_is_constant(v)) return v.offset & 1 ? 0 : 1;
    bool fixed = value_is_fixed(subject, v);
    if (fixed && decisions_find(&run->decisions, v.base, &holds))
        return holds == !(v.offset & 1) ? 0 : 1;
    uint32_t choices = run->choices, guesses = run->guesses;
    uint32_t succ = guess_successor(run, branch, succs);
    holds = (succ == 0) == !(v.offset & 1);
    bool large = decisions_for_large(subject, v, &compares) == holds && compares;
    bool goes_on = !kept && run->goes_on && compares_order(subject, v);
    if (goes_on || (fixed && large && !(kept && run->skips_turn)))
        run->as_if_large += run->choices - choices;
    if (!fixed || !decisions_add(&run->decisions, v.base, holds)) return succ;
    if ((kept && run->idle) || !decisions_choose(&run->decisions, subject)) return succ;
    apply_decisions(run);
    if (!kept) return succ;
    /* The loop ends after a number of iterations that is known from here on. */
    run->guesses = guesses;
    if (!large) run->as_if_large += run->choices - choices;
    return succ;
}

/* The target that the index selects; UINT32_MAX if the simulation does not know it. succs: of the
 * block of the branch. */
static uint32_t target_of_table(struct interpreter *run, uint32_t branch, const uint32_t *succs)
{
    const struct instr *instr = &run->lint->function->instrs[branch];
    const struct block *table = &run->lint->cfg->blocks[succs[0]];
    struct value guard = guard_now(run, place_of_guard(run, instr), instr->guard_negated);
    struct value index = interpret_operand(run, branch, 0);
    bool known = !value_is_none(guard) && value_is_constant(guard);
    if (known && !(guard.offset & 1)) return succs[1];
    if (known && !value_is_none(index) && value_is_constant(index) && index.offset >= 0 &&
        index.offset < table->succ_count)
        return run->lint->cfg->succs[table->first_succ + index.offset];
    run->gaps[run->behind].call = true;
    return UINT32_MAX;
}

/* Returns the block in which the thread continues. UINT32_MAX: the thread has ended, or the
 * simulation cannot follow it. */
static uint32_t block_behind(struct interpreter *run, uint32_t at)
{
    const struct cfg *cfg = run->lint->cfg;
    const struct block *block = &cfg->blocks[at];
    const uint32_t *succs = cfg->succs + block->first_succ;
    if (!block->succ_count || block->first == block->end) return UINT32_MAX;
    const struct instr *last = &run->lint->function->instrs[block->end - 1];
    if (last->opcode->traits & OPCODE_TABLE_BRANCH)
        return target_of_table(run, block->end - 1, succs);
    if (block->succ_count == 1 || last->guard == REG_NONE) return succs[0];
    if (!(last->opcode->traits & OPCODE_BRANCH)) return succs[block->succ_count - 1];
    return succs[successor_of(run, block->end - 1, succs)];
}

/* The thread goes on behind a call or an exit. known: its guard is true. */
static bool passes_end(struct interpreter *run, const struct stop *stop, bool known)
{
    if (!(stop->marks & RELEVANT_CALLS) && !(stop->marks & RELEVANT_TRAPS && known)) return !known;
    run->gaps[run->behind].call |= (stop->marks & RELEVANT_CALLS) != 0;
    run->left_open |= !run->behind;
    return false;
}

/* Executes the instruction of a stop. False if the thread ends there, cannot be followed, or look
 * has returned false. */
static bool step(struct interpreter *run, struct stop *stop, interpret_look *look, void *context)
{
    bool known = true;
    run->steps++;
    if (!stop->seen[run->behind]) {
        run->news |= !stop->seen[false];
        stop->seen[run->behind] = true;
    }
    if (stop->guard != PLACE_TRUE) {
        struct value guard = guard_now(run, stop->guard, stop->negated);
        known = value_is_constant(guard);
        if (known && !(guard.offset & 1)) return true;
    }
    if (stop->marks & (RELEVANT_CALLS | RELEVANT_TRAPS | RELEVANT_EXITS))
        return passes_end(run, stop, known);
    run->certain = known;
    if (stop->marks & RELEVANT_ASKED && !look(context, run, stop->instr)) return false;
    if (stop->marks & RELEVANT_WRITES) write_registers(run, stop, known);
    return true;
}

static bool run_thread(struct interpreter *run, interpret_look *look, void *context)
{
    uint32_t block = 0;
    while (block != UINT32_MAX && run->steps++ < run->left[run->behind] / 2) {
        if (!run->news && run->steps > run->repeats) return false;
        lint_spend(run->lint, 40 * (run->first[block + 1] - run->first[block]) + 1);
        for (uint32_t s = run->first[block]; s < run->first[block + 1]; s++)
            if (!step(run, &run->stops.at[s], look, context)) return true;
        block = block_behind(run, block);
    }
    run->gaps[run->behind].steps |= block != UINT32_MAX;
    return block == UINT32_MAX;
}

struct interpreter *interpret_begin(struct lint *lint, interpret_interest *interest,
                                    const void *context)
{
    struct interpreter *run = arena_alloc(lint->arena, 1, sizeof *run);
    run->lint = lint;
    run->first = mem_alloc((lint->cfg->count + 2) * sizeof *run->first);
    run->rounds = mem_zalloc(lint->cfg->count + 1, sizeof *run->rounds);
    run->sides = mem_zalloc(lint->cfg->count + 1, sizeof *run->sides);
    run->left[false] = run->left[true] = STEPS_LEAST + 2 * lint->function->count;
    run->repeats = REPEATED_LEAST + run->left[false] / REPEATED;
    relevance_find(&run->relevance, lint, interest, context);
    find_stops_of_run(run);
    run->held = mem_alloc(run->relevance.places * sizeof *run->held);
    run->skipped_at = mem_zalloc(run->turns.count + 1, sizeof *run->skipped_at);
    vec_reserve(&run->writers, run->stops.count);
    return run;
}

/* Some instruction for which loops are iterated was not reached by any thread. */
static bool leaves_unseen(const struct interpreter *run)
{
    for (uint32_t i = 0; i < run->stops.count; i++)
        if (run->stops.at[i].turns && !run->stops.at[i].seen[false]) return true;
    return false;
}

void interpret_tell_gaps(const struct lint *lint, struct interpret_gaps gaps)
{
    if (gaps.steps) lint_stop_short(lint);
    if (gaps.call) lint_stop_at_call(lint);
}

struct interpret_gaps interpret_find_gaps(const struct interpreter *run, bool behind)
{
    struct interpret_gaps gaps = run->gaps[behind];
    bool unseen = (gaps.steps || gaps.call) && leaves_unseen(run);
    return unseen ? gaps : (struct interpret_gaps){false, false};
}

void interpret_end(struct interpreter *run)
{
    interpret_tell_gaps(run->lint, interpret_find_gaps(run, false));
    interpret_free(run);
}

void interpret_free(struct interpreter *run)
{
    relevance_free(&run->relevance);
    vec_free(&run->stops);
    vec_free(&run->writers);
    mem_free(run->first);
    mem_free(run->held);
    vec_free(&run->turns);
    mem_free(run->skipped_at);
    mem_free(run->rounds);
    mem_free(run->sides);
}

bool interpret_left_open(const struct interpreter *run)
{
    return run->left_open;
}

void interpret_keep_choices(struct interpreter *run)
{
    run->decisions.kept = true;
}

/* Subtracts the steps of the current thread from those of all threads. */
static void spend_steps(struct interpreter *run)
{
    uint32_t *left = &run->left[run->behind];
    *left -= run->steps < *left ? run->steps : *left;
    run->steps = 0;
}

void interpret_count_apart(struct interpreter *run)
{
    spend_steps(run);
    run->behind = true;
}

bool interpret_thread(struct interpreter *run, uint32_t thread, interpret_look *look, void *context)
{
    run->thread = thread;
    decisions_begin(&run->decisions, run->lint->subject);
    run->guesses = run->choices = 0;
    run->as_if_large = run->steps = 0;
    memset(run->rounds, 0, run->lint->cfg->count * sizeof *run->rounds);
    memset(run->skipped_at, 0, run->turns.count * sizeof *run->skipped_at);
    begin_registers(run);
    run->news = false;
    bool followed = run_thread(run, look, context);
    spend_steps(run);
    run->behind = false;
    return followed;
}
