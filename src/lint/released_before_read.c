/* The code released-before-read: an arrive releases a stage or an accumulator, and the same thread
 * loads from it afterwards. */
#include "base/intern.h"
#include "base/intervals.h"
#include "lint/arrive_for_commit.h"
#include "lint/bulk_slot.h"
#include "lint/commit_early.h"
#include "lint/handover.h"
#include "lint/op_neighbours.h"
#include "lint/otherwise.h"
#include "lint/peer.h"
#include "lint/readers.h"
#include "lint/smem_place.h"
#include "lint/walk.h"
#include "value/condition_pairs.h"
#include "value/expr.h"
#include "value/instruction.h"

/* The bulk copies to shared memory, by the bytes that they fill. */
struct copies {
    bool known;
    struct intern keys; /* of key_of_origin */
    struct intervals filled;
    struct item_list near; /* indices in handovers->at: what was found last */
};

/* One arrive, and what a thread that waits for it may overwrite. */
struct asking {
    const struct handover *arrive;
    struct handover
        own; /* the arrive, as if its mbarrier were in the own CTA: all CTAs run the same code */
    struct barrier_use own_use;
    struct bulk_slot slot;      /* the slot of its mbarrier */
    struct handover_list waits; /* certainly for it */
    struct copies copies;
    uint32_t over; /* result: the overwriting instruction */
};

/* ---- the overwriting thread ---- */

static bool waits_for(const struct lint *lint, const struct asking *ask, uint32_t writer)
{
    const struct handovers *all = lint->handovers;
    if (!handover_other_thread(lint, ask->arrive->instr, writer) &&
        !handover_other_thread(lint, writer, ask->arrive->instr))
        return false;
    for (uint32_t w = 0; w < ask->waits.count; w++)
        if (handover_reaches(lint, all->at[ask->waits.at[w]].instr, writer)) return true;
    return false;
}

static bool are_columns_overwritten(struct asking *ask, const struct lint *lint, uint32_t instr)
{
    const struct tensor_op *read = handover_op(lint, instr);
    struct op_list near = read ? op_neighbours(lint, read) : (struct op_list){NULL, 0};
    for (uint32_t i = 0; i < near.count; i++) {
        const struct tensor_op *op = &lint->handovers->ops[near.at[i]];
        if (!handover_conflict(lint, read, op) || !waits_for(lint, ask, op->instr)) continue;
        if (otherwise_ordered(lint, instr, op->instr, ask->arrive)) continue;
        ask->over = op->instr;
        return true;
    }
    return false;
}

/* The term is the rank of the CTA in its cluster, or a multiple of it. */
static bool is_rank(const struct lint *lint, uint32_t base)
{
    const struct expr *e = value_expr(lint->subject, (struct value){base, 0});
    if (e->kind == EXPR_PRODUCT) e = value_expr(lint->subject, e->a[0]);
    return e->kind == EXPR_NAME &&
           str_starts(value_name(lint->subject, e->web), "%cluster_ctarank");
}

/* Removes the ranks: with multicast each CTA copies its slice of the stage to all CTAs, so the
 * copies together start where no rank is added. */
static uint32_t drop_ranks(const struct lint *lint, uint32_t *terms, uint32_t count)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; i++)
        if (!is_rank(lint, terms[i])) terms[kept++] = terms[i];
    return kept;
}

/* How many bytes from its first one on the copy fills for certain: those of a bulk copy, or the
 * distance to the next stage of a ring. */
static int64_t filled_bytes(const struct lint *lint, uint32_t copy)
{
    uint32_t terms[EXPR_TERMS_MAX];
    struct value to = value_of_operand(lint->subject, copy, 0);
    int64_t bytes = bulk_bytes(lint, copy);
    if (bytes >= 0) return bytes;
    if (value_is_none(to)) return 1;
    uint32_t count = exprs_terms(values_exprs(lint->subject), to.base, terms);
    for (uint32_t i = 0; i < count; i++) {
        const struct expr *e = value_expr(lint->subject, (struct value){terms[i], 0});
        if (!e->fixed) return e->kind == EXPR_PRODUCT ? e->a[1].offset : 1;
    }
    return 1;
}

/* The read begins within that many bytes after `from`, except for terms that depend only on the
 * thread: the threads read side by side from there. */
static bool reads_from(const struct lint *lint, struct value read, struct value from, int64_t bytes,
                       bool multicast)
{
    uint32_t x[EXPR_TERMS_MAX], y[EXPR_TERMS_MAX];
    lint_spend(lint, EXPR_TERMS_MAX);
    uint32_t x_count = exprs_terms(values_exprs(lint->subject), read.base, x);
    uint32_t y_count = exprs_terms(values_exprs(lint->subject), from.base, y);
    if (multicast) y_count = drop_ranks(lint, y, y_count);
    for (uint32_t i = 0; i < x_count; i++) {
        uint32_t k = 0;
        while (k < y_count && y[k] != x[i]) k++;
        if (k < y_count)
            y[k] = y[--y_count];
        else if (!value_expr(lint->subject, (struct value){x[i], 0})->of_thread)
            return false;
    }
    int64_t ahead = minus_wrapped(read.offset, from.offset);
    return !y_count && ahead >= 0 && ahead < bytes;
}

/* The address without an xor that only swizzles within a row of 128 bytes, such as x ^ 32. */
static struct value without_swizzle(const struct lint *lint, struct value v)
{
    enum { ROW = 128 };
    const struct expr *e = value_is_none(v) || !v.base ? NULL : value_expr(lint->subject, v);
    if (!e || e->kind != EXPR_OP || e->spelling >= SPELLING_MAPPED) return v;
    if (!str_starts(lint->subject->spelled[e->spelling]->opcode, "xor.b32")) return v;
    struct value by = e->a[0].base ? e->a[1] : e->a[0], of = e->a[0].base ? e->a[0] : e->a[1];
    if (by.base || by.offset < 0 || by.offset >= ROW) return v;
    of.offset = plus_wrapped(of.offset, v.offset);
    return of;
}

/* The address, or its fixed part if a loop changes it; VALUE_NONE: not known. */
static struct value read_origin_of(const struct lint *lint, uint32_t instr, uint32_t operand,
                                   bool *changes)
{
    struct value v = without_swizzle(lint, value_of_operand(lint->subject, instr, operand));
    *changes = !value_is_none(v) && !value_is_fixed(lint->subject, v);
    bool part;
    return *changes ? value_fixed_part(lint->subject, v, &part) : v;
}

/* As read_origin_of; but if a loop changes the address, known only if the arrive is for the same
 * stage of a ring. */
static struct value fixed_origin_of(const struct asking *ask, const struct lint *lint,
                                    uint32_t instr, uint32_t operand)
{
    bool changes;
    struct value v = read_origin_of(lint, instr, operand, &changes);
    return changes && (ask->slot.fixed || !ask->slot.index) ? VALUE_NONE : v;
}

/* ---- the copies ---- */

/* The terms of an address that are equal for a copy and a read for which reads_from is true: all
 * but those of the thread and the ranks. */
struct origin_key {
    uint32_t terms[EXPR_TERMS_MAX];
};

static struct origin_key key_of_origin(const struct lint *lint, struct value v)
{
    uint32_t terms[EXPR_TERMS_MAX], kept = 0;
    struct origin_key key = {{0}};
    uint32_t count = exprs_terms(values_exprs(lint->subject), v.base, terms);
    count = drop_ranks(lint, terms, count);
    for (uint32_t i = 0; i < count; i++) {
        if (value_expr(lint->subject, (struct value){terms[i], 0})->of_thread) continue;
        uint32_t k = kept++;
        for (; k > 0 && key.terms[k - 1] > terms[i]; k--) key.terms[k] = key.terms[k - 1];
        key.terms[k] = terms[i];
    }
    return key;
}

static bool is_bulk_copy(const struct handover *h)
{
    return h->channel == CHANNEL_MBARRIER && h->use->kind == BARRIER_COPY;
}

/* Sets keys and filled. */
static void sort_copies(const struct lint *lint, struct copies *copies)
{
    const struct handovers *all = lint->handovers;
    struct interval_list list = {0};
    lint_spend(lint, all->count);
    for (uint32_t i = 0; i < all->count; i++) {
        bool changes;
        if (!is_bulk_copy(&all->at[i])) continue;
        struct value filled = read_origin_of(lint, all->at[i].instr, 0, &changes);
        int64_t bytes = filled_bytes(lint, all->at[i].instr), end;
        if (value_is_none(filled) || bytes <= 0) continue;
        if (__builtin_add_overflow(filled.offset, bytes, &end)) end = INT64_MAX;
        const struct origin_key key = key_of_origin(lint, filled);
        char *kept = arena_copy(lint->arena, (const char *)&key, sizeof key);
        uint32_t number = intern_add(&copies->keys, 0, (struct str){kept, sizeof key});
        vec_push(&list, ((struct interval){number, i, filled.offset, end}));
    }
    copies->filled = intervals_sort(lint->arena, &list);
    copies->known = true;
    vec_free(&list);
}

/* The copies that may fill where the read begins: indices in handovers->at, ascending. */
static const struct item_list *copies_near(const struct lint *lint, struct copies *copies,
                                           struct value read)
{
    const struct origin_key key = key_of_origin(lint, read);
    if (!copies->known) sort_copies(lint, copies);
    uint32_t number = intern_find(&copies->keys, 0, (struct str){(const char *)&key, sizeof key});
    copies->near.count = 0;
    if (number != INTERN_NONE)
        intervals_find(&copies->filled, number, read.offset, plus_wrapped(read.offset, 1),
                       &copies->near);
    items_sort(&copies->near, 0);
    lint_spend(lint, copies->near.count + 1);
    return &copies->near;
}

static void copies_end(struct copies *copies)
{
    intern_free(&copies->keys);
    vec_free(&copies->near);
}

/* ---- what is copied over ---- */

static bool reads_shared(const struct lint *lint, uint32_t instr)
{
    struct str base = instruction_base(lint->subject, instr);
    bool loads = str_is(base, "ld") || str_is(base, "ldmatrix");
    return loads && instruction_has(lint->subject, instr, ".shared");
}

/* The operand that is the address from which the instruction reads shared memory. */
static uint32_t source_operand(const struct lint *lint, uint32_t instr)
{
    return bulk_is_store(lint, instr) ? instruction_last_address(lint->subject, instr) : 1;
}

/* The instruction reads shared memory that a bulk copy writes. The first operand of a bulk copy is
 * its destination. */
static bool is_copied_over(struct asking *ask, const struct lint *lint, uint32_t instr)
{
    const struct handovers *all = lint->handovers;
    uint32_t source = source_operand(lint, instr);
    if (!reads_shared(lint, instr) && !bulk_is_store(lint, instr)) return false;
    struct value read = fixed_origin_of(ask, lint, instr, source);
    struct value address = without_swizzle(lint, value_of_operand(lint->subject, instr, source));
    struct bulk_slot slot = value_is_none(address) ? bulk_slot_of(lint, instr, source)
                                                   : bulk_slot_of_value(lint, address);
    if (value_is_none(read) || !bulk_slots_same(&slot, &ask->slot)) return false;
    const struct item_list *near = copies_near(lint, &ask->copies, read);
    for (uint32_t i = 0; i < near->count; i++) {
        const struct handover *h = &all->at[near->at[i]];
        struct value filled = fixed_origin_of(ask, lint, h->instr, 0);
        bool all_of_it = instruction_has(lint->subject, h->instr, ".multicast::cluster");
        int64_t bytes = filled_bytes(lint, h->instr);
        if (value_is_none(filled) || !reads_from(lint, read, filled, bytes, all_of_it)) continue;
        if (!waits_for(lint, ask, h->instr)) continue;
        ask->over = h->instr;
        return true;
    }
    return false;
}

/* ---- the reading thread ---- */

static enum walk_does look_for_read(void *context, const struct lint *lint, uint32_t instr,
                                    unsigned *state)
{
    struct asking *ask = context;
    enum effect effect = lint_effect(lint, instr);
    (void)state;
    if (lint->function->instrs[instr].opcode->writes && !readers_have_result(lint, instr) &&
        (effect == EFFECT_ASYNC_LD || effect == EFFECT_MEMORY || effect == EFFECT_MEET_MEMORY))
        return WALK_ON;
    if (effect == EFFECT_ASYNC_LD)
        return are_columns_overwritten(ask, lint, instr) ? WALK_FOUND : WALK_ON;
    if (effect == EFFECT_RELEASE_MEMORY && !bulk_is_store(lint, instr)) return WALK_ON;
    if (effect == EFFECT_MEMORY || effect == EFFECT_MEET_MEMORY ||
        effect == EFFECT_RELEASE_MEMORY || reads_shared(lint, instr))
        return is_copied_over(ask, lint, instr) ? WALK_FOUND : WALK_ON;
    return WALK_END; /* the thread may have acquired the stage again */
}

enum {
    INTEREST = WALK_SHARED_MEMORY | 1 << EFFECT_MEET_MEMORY | 1 << EFFECT_RELEASE_MEMORY |
               1 << EFFECT_BOTH_MEMORY | 1 << EFFECT_ASYNC_LD | 1 << EFFECT_ACQUIRE_BARRIER |
               1 << EFFECT_ACQUIRE_MEMORY | 1 << EFFECT_BOTH_BARRIER | 1 << EFFECT_CALL
};

/* The load is under a branch that no loop repeats. The other thread may take the same branch and
 * have nothing more to write. */
static bool is_last_round(const struct lint *lint, const struct walk_path *path)
{
    if (handover_reaches(lint, path->found, path->instrs[0])) return false;
    for (uint32_t i = 1; i + 1 < path->count; i++)
        if (lint->cfg->blocks[lint->cfg->block_of[path->instrs[i]]].succ_count > 1) return true;
    return false;
}

/* The instruction that reads the counter for the value of the register, which is computed from it
 * by instructions that only compute; NO_INSTR: not found. */
static uint32_t read_of_counter(const struct lint *lint, uint32_t web, uint32_t counter,
                                uint32_t depth)
{
    enum { DEPTH_MAX = 6 };
    const struct function *f = lint->function;
    uint32_t computed, found = NO_INSTR;
    if (depth == DEPTH_MAX || value_definitions(lint->subject, web, &computed) != 1)
        return NO_INSTR;
    const struct use *use = &f->uses[f->instrs[computed].first_use];
    lint_spend(lint, 1);
    if (lint_effect(lint, computed) != EFFECT_REGISTER) return NO_INSTR;
    for (uint32_t u = 0; u < f->instrs[computed].use_count && found == NO_INSTR; u++)
        if (!use[u].write)
            found = use[u].reg == counter ? computed
                                          : read_of_counter(lint, use[u].reg, counter, depth + 1);
    return found;
}

/* The counter of the ring advances after it was read for the address of the instruction, so the
 * address is of the slot before. */
static bool is_of_slot_before(const struct lint *lint, uint32_t instr, uint32_t counter)
{
    const struct subject *subject = lint->subject;
    uint32_t web = value_operand_web(subject, instr, instruction_first_address(subject, instr));
    if (counter == REG_NONE || web == REG_NONE || web == counter) return false;
    uint32_t read = read_of_counter(lint, web, counter, 0);
    for (uint32_t write = value_last_write(subject, counter); read < instr && write != NO_WRITE;
         write = value_write_before(subject, write)) {
        uint32_t at = value_write_instr(subject, write);
        lint_spend(lint, 1);
        if (read < at && at < instr && handover_reaches(lint, read, at) &&
            handover_reaches(lint, at, instr))
            return true;
    }
    return false;
}

static struct bulk_slot slot_of(const struct lint *lint, uint32_t arrive)
{
    uint32_t n = instruction_first_address(lint->subject, arrive),
             count = lint->function->instrs[arrive].operand_count;
    return n < count ? bulk_slot_of(lint, arrive, n) : (struct bulk_slot){.fixed = true};
}

static void set_own(struct asking *ask, const struct lint *lint)
{
    ask->own = *ask->arrive;
    if (ask->arrive->use->remote && peer_as_own(lint, ask->arrive->instr, &ask->own_use))
        ask->own.use = &ask->own_use, ask->slot = bulk_slot_of_value(lint, ask->own_use.address);
}

/* Some instruction may overwrite what is read. */
static bool has_overwriting(const struct lint *lint)
{
    const struct barriers *all = lint->subject->barriers;
    const struct handovers *handovers = lint->handovers;
    for (uint32_t i = 0; i < all->count; i++)
        if (all->uses[i].kind == BARRIER_COPY) return true;
    for (uint32_t i = 0; i < handovers->op_count; i++)
        if (lint_effect(lint, handovers->ops[i].instr) != EFFECT_ASYNC_LD) return true;
    return false;
}

static bool is_arrive(const struct handover *h)
{
    return h->channel == CHANNEL_MBARRIER && h->use->kind == BARRIER_ARRIVE;
}

/* Sets what the search needs about ask->arrive. Returns false if no wait is certainly for it. */
static bool begin_arrive(struct asking *ask, const struct lint *lint)
{
    ask->slot = slot_of(lint, ask->arrive->instr);
    set_own(ask, lint);
    if (is_of_slot_before(lint, ask->arrive->instr, ask->slot.web))
        ask->slot = (struct bulk_slot){.web = REG_NONE};
    ask->waits =
        ask->own.use->remote ? (struct handover_list){0} : handover_waits_at(lint, ask->own.use);
    return ask->waits.count;
}

static void released_before_read_find(struct lint *lint)
{
    const struct handovers *all = lint->handovers;
    struct asking ask = {.arrive = NULL};
    if (!has_overwriting(lint)) return;
    commit_early_of_stage(lint, &lint_released_before_read);
    for (uint32_t a = 0; a < all->count; a++) {
        struct walk_path path;
        ask.arrive = &all->at[a];
        if (!is_arrive(ask.arrive) || !begin_arrive(&ask, lint)) continue;
        if (!walk_find(lint, ask.arrive->instr, 0, INTEREST, look_for_read, &ask, &path)) continue;
        if (is_last_round(lint, &path)) continue;
        bool tensor = lint_effect(lint, path.found) == EFFECT_ASYNC_LD;
        lint_report(lint, (struct hazard){&lint_released_before_read, LINT_WARNING,
                                          ask.arrive->instr, path.found,
                                          tensor ? "this arrive releases the accumulator before %s "
                                                   "loads it[: another thread overwrites it]"
                                                 : "this arrive releases the stage before %s reads "
                                                   "it[: another thread refills it]",
                                          "arrive after the load, and after its tcgen05.wait::ld",
                                          path.instrs, path.count, NULL});
    }
    copies_end(&ask.copies);
    arrive_for_commit_report(lint, &lint_released_before_read, false);
}

const struct lint_code lint_released_before_read = {
    .id = "released-before-read",
    .section = "9.7.16.6.4.4",
    .summary = "a stage or an accumulator is released before the releasing thread has read it",
    .sentence = "the producer threads that issue the asynchronous `tcgen05` "
                "instructions must explicitly wait for the instructions’ completion before "
                "synchronizing with the consumer threads.",
    .risk = "the load or mma reads the data of the next round",
    .explanation =
        "Broken:  mbarrier.try_wait [full]; mbarrier.arrive [empty]; tcgen05.ld; tcgen05.wait::ld\n"
        "Right:   mbarrier.try_wait [full]; tcgen05.ld; tcgen05.wait::ld; mbarrier.arrive [empty]\n"
        "\n"
        "Reported if another thread waits for that mbarrier and then has an mma, cp or st on "
        "columns that provably overlap those of the load, or a bulk copy to where the load from "
        "shared memory or the bulk store reads, without a wait of its thread before. Also an "
        "arrive in "
        "place of a tcgen05.commit, or a flag in memory: behind an mma or cp of the same thread "
        "that reads a stage, if nothing else signals that mbarrier (except its commits in other "
        "rounds, if it counts one arrival) or writes the flag, and the thread that waits for it, "
        "perhaps in another CTA, then refills the stage, before any wait for a commit; and a "
        "tcgen05.commit that another mma or cp of its group follows, which reads the same stage.\n"
        "\n"
        "Not reported: a load after another wait or barrier, which may have acquired the stage "
        "again; an overwriting thread that also waits for a later signal of the loading thread; "
        "addresses that vary in a loop, except a stage of a ring in shared memory whose number is "
        "that of the mbarrier. A load before the arrive with no wait is another finding: "
        "published-incomplete.",
    .find = released_before_read_find,
};
