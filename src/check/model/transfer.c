/* Builds the tables of what events do to facts. Each section implements update or observation rules
 * of the ordering model (doc/model.md) for one fact in one program; the tables combine two programs
 * to pairs. See transfer.h.
 *
 * Whether the completion of a wait reaches H or not only changes what is observed, and more is
 * required if H is seen. So the tables always require H, which covers both readings.
 *
 * What was received is stored in up to three facts. A fence::before passes FACT_COMPLETED on after
 * a fence::after has taken it over; until then H, which holds it in both programs, passes it on.
 * Without H, a fence::before passes the fact on whether it was taken over or not: FACT_RELAXED was
 * received without causality, FACT_CAUSAL is published without causality. */
#include "check/model/transfer.h"

#include <string.h>

#include "base/mem.h"
#include "check/model/assume.h"

/* The registers of the model, as bits; 0: a register that cannot differ for the fact, or that is
 * not needed. */
struct layout {
    uint8_t c; /* own ld and st: W, TC and H, which a wait adds to alike; received: TC */
    uint8_t o; /* TO */
    uint8_t rc, ro, pc, po, cc, cv;
};

/* I, NC, NO and the H of a received fact, if it has one, are equal in both programs. PC and PO of
 * an ld or st come from TC and TO at an mma that sees TC and TO itself, so AFTER alone never lacks
 * them; no commit replaces them later, so CC and CV are not needed. */
static const struct layout layouts[FACT_COUNT] = {
    [FACT_LD] = {.c = 1, .o = 2, .rc = 4, .ro = 8},
    [FACT_ST] = {.c = 1, .o = 2, .rc = 4, .ro = 8},
    [FACT_PIPE] = {.o = 1, .ro = 2, .cv = 4},
    [FACT_COMPLETED] = {.c = 1, .rc = 2, .pc = 4, .cc = 8},
    [FACT_ORDERED] = {.o = 1, .ro = 2, .po = 4, .cv = 8},
    [FACT_RELAXED] = {.c = 1, .rc = 2, .pc = 4, .cc = 8},
    [FACT_CAUSAL] = {.c = 1, .rc = 2, .pc = 4, .cc = 8},
};

struct reading {
    enum monitor_fact fact;
    struct layout at;
    bool literal, own;
    uint32_t assume;
};

static bool reading_assumes(const struct reading *reading, uint32_t bit)
{
    return (reading->assume & bit) != 0;
}

/* Whether the fact is in NC from the start, so that every fence::before passes it on. */
static bool has_no_causality(const struct reading *reading)
{
    return reading->fact == FACT_RELAXED || reading->fact == FACT_CAUSAL;
}

static bool is_received(const struct reading *reading)
{
    return reading->fact == FACT_COMPLETED || has_no_causality(reading);
}

/* RC += W, TC and, without causality, NC; RO += I_*, TO. In the literal reading also TO += I_*, and
 * TC += NC of what was received without causality, since nothing else orders later operations after
 * it. */
static unsigned transfer_before(const struct reading *reading, unsigned held)
{
    const struct layout *at = &reading->at;
    if (is_received(reading) && reading_assumes(reading, CHECK_NOT_CUMULATIVE)) return held;
    if (held & at->c || has_no_causality(reading)) held |= at->rc;
    if (reading->fact == FACT_RELAXED && reading->literal) held |= at->c;
    if (reading->own || held & at->o) held |= at->ro;
    if (reading->own && reading->literal) held |= at->o;
    return held;
}

/* TC += NC; TO += NO. In the literal reading also TO += I_*. */
static unsigned transfer_after(const struct reading *reading, unsigned held)
{
    const struct layout *at = &reading->at;
    if (!reading->own) return held | at->c | at->o;
    return reading->literal ? held | at->o : held;
}

/* PC += TC; PO += TO. */
static unsigned transfer_pipe(const struct reading *reading, unsigned held)
{
    const struct layout *at = &reading->at;
    if (held & at->c) held |= at->pc;
    if (held & at->o) held |= at->po;
    return held;
}

/* CV += I_pp, PC, PO; CC += PC. */
static unsigned transfer_commit(const struct reading *reading, unsigned held)
{
    const struct layout *at = &reading->at;
    if (!reading_assumes(reading, CHECK_COMMIT_FENCES)) return held;
    if (held & at->pc) held |= at->cc;
    if (held & at->po || reading->fact == FACT_PIPE) held |= at->cv;
    return held;
}

static unsigned transfer_wait(const struct reading *reading, unsigned held)
{
    const struct layout *at = &reading->at;
    return held | at->c | (reading_assumes(reading, CHECK_WAIT_PUBLISHES) ? at->rc : 0);
}

static unsigned transfer_held(const struct reading *reading, unsigned kind, unsigned held)
{
    switch (kind) {
    case EVENT_PIPE: return transfer_pipe(reading, held);
    case EVENT_WAIT_LD: return reading->fact == FACT_LD ? transfer_wait(reading, held) : held;
    case EVENT_WAIT_ST: return reading->fact == FACT_ST ? transfer_wait(reading, held) : held;
    case EVENT_BEFORE: return transfer_before(reading, held);
    case EVENT_AFTER: return transfer_after(reading, held);
    case EVENT_COMMIT: return transfer_commit(reading, held);
    default: return held;
    }
}

/* Whether transfer_held has a case for the kind. */
static bool may_move(unsigned kind)
{
    return kind >= EVENT_PIPE && kind <= EVENT_COMMIT;
}

/* By register: the ways to hold a fact (1 << way) that include this register. */
static const uint16_t holding[TRANSFER_HELD] = {
    0x0000, 0xaaaa, 0xcccc, 0xeeee, 0xf0f0, 0xfafa, 0xfcfc, 0xfefe,
    0xff00, 0xffaa, 0xffcc, 0xffee, 0xfff0, 0xfffa, 0xfffc, 0xfffe,
};

/* Adds all pairs of a way of os (in BEFORE) and a way of rs (in AFTER). */
static void add_pairs(uint64_t *pairs, uint16_t rs, uint16_t os)
{
    /* By four bits, one for each of four ways: all bits of the sixteen pairs of each way. */
    static const uint64_t all[] = {
        0x0000000000000000, 0x000000000000ffff, 0x00000000ffff0000, 0x00000000ffffffff,
        0x0000ffff00000000, 0x0000ffff0000ffff, 0x0000ffffffff0000, 0x0000ffffffffffff,
        0xffff000000000000, 0xffff00000000ffff, 0xffff0000ffff0000, 0xffff0000ffffffff,
        0xffffffff00000000, 0xffffffff0000ffff, 0xffffffffffff0000, 0xffffffffffffffff,
    };
    uint64_t with_each = os * UINT64_C(0x0001000100010001);
    for (unsigned w = 0; w < MONITOR_WORDS / 2; w++) pairs[w] |= all[rs >> 4 * w & 15] & with_each;
}

/* Adds the pairs with which an observer sees less: BEFORE holds the fact in a register of
 * completed, or in a register of either set, and AFTER does not. What is complete is also ordered,
 * so it may replace an order with the same destination. */
static void add_seen_less(uint64_t *pairs, unsigned completed, unsigned ordered)
{
    uint16_t incomplete = (uint16_t)~holding[completed];
    if (completed) add_pairs(pairs, incomplete, holding[completed]);
    if (ordered) add_pairs(pairs, incomplete & (uint16_t)~holding[ordered], holding[ordered]);
}

/* Whether the operation needs no order after the fact: two loads by reads-commute, other loads and
 * stores by the pairs of ISA 9.4. */
static bool async_needs_nothing(const struct reading *reading, unsigned kind)
{
    bool pairs = reading_assumes(reading, CHECK_ISA_9_4_PAIRS);
    if (kind == EVENT_LD && reading->fact == FACT_LD)
        return reading_assumes(reading, CHECK_READS_COMMUTE);
    if (kind == EVENT_LD && reading->fact == FACT_ST) return pairs;
    if (kind == EVENT_ST && reading->fact == FACT_ST) return pairs;
    return kind == EVENT_ST && reading->fact == FACT_LD && pairs;
}

/* TC, TO, H. */
static void async_sees_less(const struct reading *reading, unsigned kind, uint64_t *pairs)
{
    if (async_needs_nothing(reading, kind)) return;
    add_seen_less(pairs, reading->at.c, reading->at.o);
}

/* TO alone, if the earlier operation accesses other columns. Such an order is kept: a thread that
 * learns that the access is complete learns that the earlier operation was executed, and needs to
 * learn nothing else. Completion of the earlier operation is known by its own wait before another
 * thread learns of it. */
static void async_misses_order(const struct reading *reading, unsigned kind, uint64_t *pairs)
{
    const struct layout *at = &reading->at;
    if (async_needs_nothing(reading, kind)) return;
    add_pairs(pairs, (uint16_t)~holding[at->c | at->o], holding[at->o]);
}

/* Adds what ordinary causality publishes: operations that the thread has waited for. */
static void causality_sees_less(const struct reading *reading, uint64_t *pairs)
{
    if (reading->own) add_seen_less(pairs, reading->at.c, 0);
}

/* RC, RO, H. */
static void memory_sees_less(const struct reading *reading, uint64_t *pairs)
{
    add_seen_less(pairs, reading->at.rc, reading->at.ro);
    causality_sees_less(reading, pairs);
}

/* RC or CC, RO or CV, H. */
static void barrier_sees_less(const struct reading *reading, uint64_t *pairs)
{
    const struct layout *at = &reading->at;
    add_seen_less(pairs, at->rc | at->cc, at->ro | at->cv);
    causality_sees_less(reading, pairs);
}

/* For the arrival of the commit: RC or PC, RO or PO, H. For the operations that it tracks, which it
 * completes: TC, TO. Without commit-fences, the arrival may also be seen with RC and RO only. */
static void commit_sees_less(const struct reading *reading, uint64_t *pairs)
{
    const struct layout *at = &reading->at;
    if (reading->fact == FACT_PIPE) return;
    add_seen_less(pairs, at->rc | at->pc, at->ro | at->po);
    add_seen_less(pairs, at->c, at->o);
    if (!reading_assumes(reading, CHECK_COMMIT_FENCES)) add_seen_less(pairs, at->rc, at->ro);
}

/* As a barrier. No later operation of the thread could be ordered. */
static void exit_sees_less(const struct reading *reading, uint64_t *pairs)
{
    if (reading_assumes(reading, CHECK_EXIT_SILENT))
        causality_sees_less(reading, pairs);
    else
        barrier_sees_less(reading, pairs);
}

static void call_sees_less(const struct reading *reading, uint64_t *pairs)
{
    const struct layout *at = &reading->at;
    add_seen_less(pairs, at->c, at->o);
    add_seen_less(pairs, at->rc, at->ro);
    add_seen_less(pairs, at->pc, at->po);
    add_seen_less(pairs, at->cc, at->cv);
}

/* Adds the pairs for observers that need the fact to be passed on, or that must come after it. */
static void passed_sees_less(const struct reading *reading, unsigned kind, uint64_t *pairs)
{
    bool relaxed = reading->fact == FACT_RELAXED;
    switch (kind) {
    case EVENT_LD:
    case EVENT_ST:
    case EVENT_PIPE: add_seen_less(pairs, reading->at.c, 0); break;
    case EVENT_RELAXED_RELEASE_BARRIER: barrier_sees_less(reading, pairs); break;
    case EVENT_RELAXED_RELEASE_MEMORY: memory_sees_less(reading, pairs); break;
    case EVENT_RELEASE_BARRIER:
    case EVENT_ACQUIRE_BARRIER:
    case EVENT_BOTH_BARRIER:
        if (relaxed) barrier_sees_less(reading, pairs);
        break;
    case EVENT_RELEASE_MEMORY:
    case EVENT_ACQUIRE_MEMORY:
    case EVENT_BOTH_MEMORY:
        if (relaxed) memory_sees_less(reading, pairs);
        break;
    case EVENT_COMMIT:
        if (relaxed)
            commit_sees_less(reading, pairs);
        else
            add_seen_less(pairs, reading->at.c, 0);
        break;
    case EVENT_EXIT:
        if (relaxed) exit_sees_less(reading, pairs);
        break;
    case EVENT_CALL:
    case EVENT_RETURN: call_sees_less(reading, pairs); break;
    default: break;
    }
}

/* Adds the pairs with which the observer sees less. */
static void sees_less(const struct reading *reading, unsigned kind, uint64_t *pairs)
{
    if (has_no_causality(reading)) {
        passed_sees_less(reading, kind, pairs);
        return;
    }
    switch (kind) {
    case EVENT_LD:
    case EVENT_ST:
    case EVENT_PIPE: async_sees_less(reading, kind, pairs); break;
    case EVENT_RELEASE_BARRIER:
    case EVENT_ACQUIRE_BARRIER:
    case EVENT_BOTH_BARRIER: barrier_sees_less(reading, pairs); break;
    case EVENT_RELEASE_MEMORY:
    case EVENT_ACQUIRE_MEMORY:
    case EVENT_BOTH_MEMORY: memory_sees_less(reading, pairs); break;
    case EVENT_COMMIT: commit_sees_less(reading, pairs); break;
    /* "Inherently ordered" with the thread's own (9.7.16.6.1): TC or W, H. */
    case EVENT_ALLOC: add_seen_less(pairs, reading->at.c, 0); break;
    case EVENT_CALL:
    case EVENT_RETURN: call_sees_less(reading, pairs); break;
    case EVENT_EXIT: exit_sees_less(reading, pairs); break;
    default: break;
    }
}

/* A received fact counts once, as complete: as merely ordered it would move and be seen in the same
 * way, or less. So FACT_ORDERED is for the releases, commits and allocations of the thread itself,
 * which the next fence::after takes over. */
static enum transfer_birth transfer_birth(enum monitor_fact fact, unsigned kind)
{
    switch (kind) {
    case EVENT_LD: return fact == FACT_LD ? BIRTH_FRESH : BIRTH_NONE;
    case EVENT_ST: return fact == FACT_ST ? BIRTH_FRESH : BIRTH_NONE;
    case EVENT_PIPE: return fact == FACT_PIPE ? BIRTH_FRESH : BIRTH_NONE;
    case EVENT_ACQUIRE_BARRIER:
    case EVENT_ACQUIRE_MEMORY: return fact == FACT_COMPLETED ? BIRTH_FRESH : BIRTH_NONE;
    case EVENT_BOTH_BARRIER:
    case EVENT_BOTH_MEMORY:
        return fact == FACT_COMPLETED || fact == FACT_ORDERED ? BIRTH_FRESH : BIRTH_NONE;
    case EVENT_RECEIPT: return fact == FACT_CAUSAL ? BIRTH_FRESH : BIRTH_NONE;
    case EVENT_RELAXED_RECEIPT:
        return fact == FACT_CAUSAL || fact == FACT_RELAXED ? BIRTH_FRESH : BIRTH_NONE;
    case EVENT_RELEASE_BARRIER:
    case EVENT_RELEASE_MEMORY:
    case EVENT_COMMIT:
    case EVENT_ALLOC: return fact == FACT_ORDERED ? BIRTH_FRESH : BIRTH_NONE;
    case EVENT_CALL: return BIRTH_ANY;
    default: return BIRTH_NONE;
    }
}

/* Fills next. Returns whether it is not the identity. */
static bool fill_next(uint8_t *next, const struct reading *reading, unsigned kind)
{
    static const uint8_t same[TRANSFER_HELD] = {0, 1, 2,  3,  4,  5,  6,  7,
                                                8, 9, 10, 11, 12, 13, 14, 15};
    memcpy(next, same, sizeof same);
    if (!may_move(kind)) return false;
    for (unsigned held = 0; held < TRANSFER_HELD; held++)
        next[held] = (uint8_t)transfer_held(reading, kind, held);
    return memcmp(next, same, sizeof same) != 0;
}

static void fill_kind(struct transfer_table *table, const struct reading *reading, unsigned kind)
{
    const uint32_t bit = 1u << kind;
    uint64_t *bad = table->bad[kind].words;
    memset(bad, 0, sizeof table->bad[kind].words);
    sees_less(reading, kind, bad);
    bool sees = bad[0] | bad[1] | bad[2] | bad[3];
    if (sees) memcpy(bad + MONITOR_WORDS / 2, bad, MONITOR_WORDS / 2 * sizeof *bad);
    table->moves[kind] = fill_next(table->next[kind], reading, kind);
    table->birth[kind] = (uint8_t)transfer_birth(reading->fact, kind);
    if (sees) table->seeing |= bit;
    if (table->moves[kind]) table->moving |= bit;
    if (table->birth[kind] != BIRTH_NONE) table->bearing |= bit;
    table->acting = table->seeing | table->moving | table->bearing;
    if (kind <= EVENT_ST) {
        memset(table->unordered[kind].words, 0, sizeof table->unordered[kind].words);
        async_misses_order(reading, kind, table->unordered[kind].words);
    }
}

struct transfer_tables *transfer_tables(uint32_t assume)
{
    enum { COUNT = 2 * FACT_COUNT };
    struct transfer_tables *tables =
        mem_alloc(sizeof *tables + COUNT * sizeof(struct transfer_table));
    *tables = (struct transfer_tables){assume, (struct transfer_table *)(tables + 1)};
    for (int i = 0; i < COUNT; i++) {
        struct transfer_table *table = &tables->of[i];
        table->filled = table->seeing = table->moving = table->bearing = table->acting = 0;
    }
    return tables;
}

/* The kinds of which the literal reading says something else. */
enum { OF_FENCES = 1 << EVENT_BEFORE | 1 << EVENT_AFTER };

const struct transfer_table *transfer_table(const struct transfer_tables *tables, bool literal,
                                            enum monitor_fact fact, uint32_t kinds)
{
    struct transfer_table *table = &tables->of[literal * FACT_COUNT + (int)fact];
    const struct reading reading = {fact, layouts[fact], literal, fact <= FACT_PIPE,
                                    tables->assume};
    uint32_t missing = kinds & ~table->filled;
    if (missing && literal) {
        *table = *transfer_table(tables, false, fact, kinds | table->filled);
        missing = table->filled & OF_FENCES;
        table->moving &= ~(uint32_t)OF_FENCES;
    }
    for (uint32_t left = missing; left; left &= left - 1)
        fill_kind(table, &reading, (unsigned)__builtin_ctz(left));
    table->filled |= kinds;
    return table;
}

/* The literal reading is one of the fences. */
bool transfer_differs(const struct transfer_tables *tables, enum monitor_fact fact)
{
    const struct transfer_table *plain = transfer_table(tables, false, fact, OF_FENCES),
                                *literal = transfer_table(tables, true, fact, OF_FENCES);
    const size_t n = sizeof *plain->next;
    return memcmp(literal->next[EVENT_BEFORE], plain->next[EVENT_BEFORE], n) != 0 ||
           memcmp(literal->next[EVENT_AFTER], plain->next[EVENT_AFTER], n) != 0;
}
