/* Section by section the update and observation rules of the ordering model, for one fact in one
 * program at a time; the tables pair them up. See transfer.h.
 *
 * The readings {a wait's completion reaches H or not} differ in observation only, and where H is
 * seen more is asked for; so the tables ask for H always, and both readings are covered. */
#include "check/model/transfer.h"

#include "base/mem.h"
#include "check/model/assume.h"

/* The model's registers as bits; 0 is one that cannot differ for the fact, or need not be kept. */
struct layout {
    uint8_t c; /* own ld and st: W, TC and H, which a wait adds to alike; received: TC */
    uint8_t o; /* TO */
    uint8_t rc, ro, pc, po, cc, cv;
};

/* I, NC, NO and a received fact's H are the same in both programs. An ld's or st's PC and PO come
 * from TC and TO at an mma that sees those itself, so they are never missing in the rewrite alone;
 * and a commit stands for none of them later: no CC, CV. */
static const struct layout layouts[FACT_COUNT] = {
    [FACT_LD] = {.c = 1, .o = 2, .rc = 4, .ro = 8},
    [FACT_ST] = {.c = 1, .o = 2, .rc = 4, .ro = 8},
    [FACT_PIPE] = {.o = 1, .ro = 2, .cv = 4},
    [FACT_COMPLETED] = {.c = 1, .rc = 2, .pc = 4, .cc = 8},
    [FACT_ORDERED] = {.o = 1, .ro = 2, .po = 4, .cv = 8},
};

struct reading {
    enum monitor_fact fact;
    struct layout at;
    bool literal, own;
    uint32_t assume;
};

static bool assumes(const struct reading *reading, uint32_t bit)
{
    return (reading->assume & bit) != 0;
}

/* RC += W, TC; RO += I_*, TO. Literal: TO += I_*. */
static unsigned before(const struct reading *reading, unsigned held)
{
    const struct layout *at = &reading->at;
    if (reading->fact == FACT_COMPLETED && assumes(reading, CHECK_NOT_CUMULATIVE)) return held;
    if (held & at->c) held |= at->rc;
    if (reading->own || held & at->o) held |= at->ro;
    if (reading->own && reading->literal) held |= at->o;
    return held;
}

/* TC += NC; TO += NO. Literal: TO += I_*. */
static unsigned after(const struct reading *reading, unsigned held)
{
    const struct layout *at = &reading->at;
    if (!reading->own) return held | at->c | at->o;
    return reading->literal ? held | at->o : held;
}

/* PC += TC; PO += TO. */
static unsigned pipe(const struct reading *reading, unsigned held)
{
    const struct layout *at = &reading->at;
    if (held & at->c) held |= at->pc;
    if (held & at->o) held |= at->po;
    return held;
}

/* CV += I_pp, PC, PO; CC += PC. */
static unsigned commit(const struct reading *reading, unsigned held)
{
    const struct layout *at = &reading->at;
    if (!assumes(reading, CHECK_COMMIT_FENCES)) return held;
    if (held & at->pc) held |= at->cc;
    if (held & at->po || reading->fact == FACT_PIPE) held |= at->cv;
    return held;
}

static unsigned wait(const struct reading *reading, unsigned held)
{
    const struct layout *at = &reading->at;
    return held | at->c | (assumes(reading, CHECK_WAIT_PUBLISHES) ? at->rc : 0);
}

static unsigned transfer(const struct reading *reading, unsigned kind, unsigned held)
{
    switch (kind) {
    case EVENT_PIPE: return pipe(reading, held);
    case EVENT_WAIT_LD: return reading->fact == FACT_LD ? wait(reading, held) : held;
    case EVENT_WAIT_ST: return reading->fact == FACT_ST ? wait(reading, held) : held;
    case EVENT_BEFORE: return before(reading, held);
    case EVENT_AFTER: return after(reading, held);
    case EVENT_COMMIT: return commit(reading, held);
    default: return held;
    }
}

/* Seen complete in o's registers of completed, or seen at all in either set; less in r's? What is
 * complete is ordered too, so it may stand in for an order of the same destination. */
static bool less(unsigned o, unsigned r, unsigned completed, unsigned ordered)
{
    bool r_completed = r & completed;
    return ((o & completed) && !r_completed) || ((o & ordered) && !(r & ordered) && !r_completed);
}

/* TC, TO, H; but not what the operation forms a pair with, nor an ld another ld. */
static bool async_sees_less(const struct reading *reading, unsigned kind, unsigned o, unsigned r)
{
    bool pairs = assumes(reading, CHECK_ISA_9_4_PAIRS);
    if (kind == EVENT_LD && reading->fact == FACT_LD && assumes(reading, CHECK_READS_COMMUTE))
        return false;
    if (kind == EVENT_LD && reading->fact == FACT_ST && pairs) return false;
    if (kind == EVENT_ST && reading->fact == FACT_ST && pairs) return false;
    if (kind == EVENT_ST && reading->fact == FACT_LD && pairs) return false;
    return less(o, r, reading->at.c, reading->at.o);
}

/* Published by ordinary causality: what the thread has waited for. */
static bool causality_sees_less(const struct reading *reading, unsigned o, unsigned r)
{
    return reading->own && less(o, r, reading->at.c, 0);
}

/* RC, RO, H. */
static bool memory_sees_less(const struct reading *reading, unsigned o, unsigned r)
{
    return less(o, r, reading->at.rc, reading->at.ro) || causality_sees_less(reading, o, r);
}

/* RC or CC, RO or CV, H. */
static bool barrier_sees_less(const struct reading *reading, unsigned o, unsigned r)
{
    const struct layout *at = &reading->at;
    return less(o, r, at->rc | at->cc, at->ro | at->cv) || causality_sees_less(reading, o, r);
}

/* For its arrival RC or PC, RO or PO, H; and TC, TO. What it tracks it completes. Without
 * commit-fences the arrival may also be seen with nothing but RC and RO. */
static bool commit_sees_less(const struct reading *reading, unsigned o, unsigned r)
{
    const struct layout *at = &reading->at;
    if (reading->fact == FACT_PIPE) return false;
    return less(o, r, at->rc | at->pc, at->ro | at->po) || less(o, r, at->c, at->o) ||
           (!assumes(reading, CHECK_COMMIT_FENCES) && less(o, r, at->rc, at->ro));
}

/* As a barrier; no operation of the thread follows that could be ordered. */
static bool exit_sees_less(const struct reading *reading, unsigned o, unsigned r)
{
    if (assumes(reading, CHECK_EXIT_SILENT)) return causality_sees_less(reading, o, r);
    return barrier_sees_less(reading, o, r);
}

static bool call_sees_less(const struct reading *reading, unsigned o, unsigned r)
{
    const struct layout *at = &reading->at;
    return less(o, r, at->c, at->o) || less(o, r, at->rc, at->ro) || less(o, r, at->pc, at->po) ||
           less(o, r, at->cc, at->cv);
}

static bool sees_less(const struct reading *reading, unsigned kind, unsigned o, unsigned r)
{
    switch (kind) {
    case EVENT_LD:
    case EVENT_ST:
    case EVENT_PIPE: return async_sees_less(reading, kind, o, r);
    case EVENT_RELEASE_BARRIER:
    case EVENT_ACQUIRE_BARRIER:
    case EVENT_BOTH_BARRIER: return barrier_sees_less(reading, o, r);
    case EVENT_RELEASE_MEMORY:
    case EVENT_ACQUIRE_MEMORY:
    case EVENT_BOTH_MEMORY: return memory_sees_less(reading, o, r);
    case EVENT_COMMIT: return commit_sees_less(reading, o, r);
    /* "Inherently ordered" with the thread's own (9.7.16.6.1): TC or W, H. */
    case EVENT_ALLOC: return less(o, r, reading->at.c, 0);
    case EVENT_CALL:
    case EVENT_RETURN: return call_sees_less(reading, o, r);
    case EVENT_EXIT: return exit_sees_less(reading, o, r);
    default: return false;
    }
}

static void fill_kind(struct transfer_table *table, const struct reading *reading, unsigned kind)
{
    for (unsigned held = 0; held < TRANSFER_HELD; held++) {
        table->next[kind][held] = (uint8_t)transfer(reading, kind, held);
        if (table->next[kind][held] != held) table->moves[kind] = true;
    }
    for (unsigned pair = 0; pair < TRANSFER_STATES; pair++) {
        unsigned o = pair % TRANSFER_HELD, r = pair / TRANSFER_HELD;
        if (!(o & ~r) || !sees_less(reading, kind, o, r)) continue;
        table->bad[kind].words[pair / 64] |= 1ull << pair % 64;
        table->bad[kind].words[4 + pair / 64] |= 1ull << pair % 64;
    }
}

struct transfer_tables *transfer_tables(uint32_t assume)
{
    struct transfer_tables *tables = mem_zalloc(1, sizeof *tables);
    for (int literal = 0; literal < 2; literal++)
        for (int fact = 0; fact < FACT_COUNT; fact++) {
            struct reading reading = {(enum monitor_fact)fact, layouts[fact], literal,
                                      fact <= FACT_PIPE, assume};
            for (unsigned kind = 0; kind < EVENT_COUNT; kind++)
                fill_kind(&tables->of[literal][fact], &reading, kind);
        }
    return tables;
}

/* What is received counts once, as complete: as merely ordered it would move and be seen in the
 * same way, or less. So ordered are the thread's own releases, commits and allocations, which the
 * next fence::after takes in. */
enum transfer_birth transfer_birth(enum monitor_fact fact, uint8_t kind)
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
    case EVENT_RELEASE_BARRIER:
    case EVENT_RELEASE_MEMORY:
    case EVENT_COMMIT:
    case EVENT_ALLOC: return fact == FACT_ORDERED ? BIRTH_FRESH : BIRTH_NONE;
    case EVENT_CALL: return BIRTH_ANY;
    default: return BIRTH_NONE;
    }
}
