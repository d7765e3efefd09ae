/* Section by section the update and observation rules of the ordering model, for one fact in one
 * program at a time; the tables pair them up. See step.h.
 *
 * The readings {a wait's completion reaches H or not} differ in observation only, and where H is
 * seen more is asked for; so the tables ask for H always, and both readings are covered. */
#include "check/step.h"

#include "check/check.h"

struct reading {
    enum monitor_fact fact;
    bool literal, own;
    uint32_t assume;
};

static bool assumes(const struct reading *reading, uint32_t bit)
{
    return (reading->assume & bit) != 0;
}

/* fence::before: RC += W, TC; RO += I_*, TO. Literal: TO += I_*. */
static unsigned before(const struct reading *reading, unsigned held)
{
    if (!reading->own && assumes(reading, CHECK_NOT_CUMULATIVE)) return held;
    if (held & HELD_C) held |= HELD_RC;
    if (reading->own || held & HELD_O) held |= HELD_RO;
    if (reading->own && reading->literal) held |= HELD_O;
    return held;
}

/* fence::after: TC += NC; TO += NO. Literal: TO += I_*. */
static unsigned after(const struct reading *reading, unsigned held)
{
    if (reading->fact == FACT_COMPLETED) return held | HELD_C;
    if (reading->fact == FACT_ORDERED || reading->literal) return held | HELD_O;
    return held;
}

/* RC += W, TC; RO += I_pp, TO: a before fence for what it tracks, with no Literal part. */
static unsigned commit(const struct reading *reading, unsigned held)
{
    if (!assumes(reading, CHECK_COMMIT_FENCES)) return held;
    if (!reading->own && assumes(reading, CHECK_NOT_CUMULATIVE)) return held;
    if (held & HELD_C) held |= HELD_RC;
    if (held & HELD_O || reading->fact == FACT_PIPE) held |= HELD_RO;
    return held;
}

static unsigned wait(const struct reading *reading, unsigned held)
{
    held |= HELD_C;
    return assumes(reading, CHECK_WAIT_PUBLISHES) ? held | HELD_RC : held;
}

static unsigned step(const struct reading *reading, unsigned letter, unsigned held)
{
    switch (letter) {
    case LETTER_WAIT_LD: return reading->fact == FACT_LD ? wait(reading, held) : held;
    case LETTER_WAIT_ST: return reading->fact == FACT_ST ? wait(reading, held) : held;
    case LETTER_BEFORE: return before(reading, held);
    case LETTER_AFTER: return after(reading, held);
    case LETTER_COMMIT: return commit(reading, held);
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

static bool async_sees_less(const struct reading *reading, unsigned letter, unsigned o, unsigned r)
{
    bool pairs = assumes(reading, CHECK_ISA_9_4_PAIRS);
    if (letter == LETTER_LD && reading->fact == FACT_LD && assumes(reading, CHECK_READS_COMMUTE))
        return false;
    if (letter == LETTER_LD && reading->fact == FACT_ST && pairs) return false;
    if (letter == LETTER_ST && reading->fact == FACT_ST && pairs) return false;
    if (letter == LETTER_ST && reading->fact == FACT_LD && pairs) return false;
    return less(o, r, HELD_C, HELD_O);
}

static bool release_sees_less(const struct reading *reading, unsigned o, unsigned r)
{
    return less(o, r, HELD_RC, HELD_RO) || (reading->own && less(o, r, HELD_C, 0));
}

/* The commit's own arrival publishes W, TC, RC and TO, RO together, and completes what it tracks.
 * An un-waited ld or st is neither tracked nor fenced. */
static bool commit_sees_less(const struct reading *reading, unsigned o, unsigned r)
{
    if (reading->fact == FACT_PIPE) return false;
    bool forwards = reading->own || !assumes(reading, CHECK_NOT_CUMULATIVE);
    if (less(o, r, HELD_RC | (forwards ? HELD_C : 0u), HELD_RO | (forwards ? HELD_O : 0u)))
        return true;
    return !assumes(reading, CHECK_COMMIT_FENCES) && less(o, r, HELD_RC, HELD_RO);
}

/* No asynchronous operation of this thread follows, so TO does not matter any more. */
static bool exit_sees_less(const struct reading *reading, unsigned o, unsigned r)
{
    if (assumes(reading, CHECK_EXIT_SILENT)) return reading->own && less(o, r, HELD_C, 0);
    return less(o, r, HELD_RC, HELD_RO) || less(o, r, HELD_C, 0);
}

/* "Synchronous [instructions] are inherently ordered with respect to other tcgen05 operations"
 * (9.7.16.6.1): the thread's own are before it anyway, and only their completion can be missed. */
static bool allocation_sees_less(const struct reading *reading, unsigned o, unsigned r)
{
    return less(o, r, HELD_C, reading->own ? 0 : HELD_O) || less(o, r, HELD_RC, HELD_RO);
}

static bool sees_less(const struct reading *reading, unsigned letter, unsigned o, unsigned r)
{
    switch (letter) {
    case LETTER_LD:
    case LETTER_ST:
    case LETTER_PIPE: return async_sees_less(reading, letter, o, r);
    case LETTER_RELEASE_BARRIER:
    case LETTER_RELEASE_MEMORY:
    case LETTER_BOTH_BARRIER:
    case LETTER_BOTH_MEMORY: return release_sees_less(reading, o, r);
    case LETTER_COMMIT: return commit_sees_less(reading, o, r);
    case LETTER_ALLOC: return allocation_sees_less(reading, o, r);
    case LETTER_CALL:
    case LETTER_RETURN: return less(o, r, HELD_C, HELD_O) || less(o, r, HELD_RC, HELD_RO);
    case LETTER_EXIT: return exit_sees_less(reading, o, r);
    default: return false;
    }
}

static void fill_letter(struct step_table *table, const struct reading *reading, unsigned letter)
{
    unsigned next[16];
    for (unsigned held = 0; held < 16; held++) {
        next[held] = step(reading, letter, held);
        if (next[held] != held) table->moves[letter] = true;
    }
    for (unsigned pair = 0; pair < STEP_STATES; pair++) {
        unsigned o = pair & 15, r = pair >> 4;
        table->next[letter][0][pair] = (uint8_t)(next[o] | next[r] << 4);
        table->next[letter][1][pair] = (uint8_t)(next[o] | r << 4);
        if (o == r || !sees_less(reading, letter, o, r)) continue;
        table->bad[letter].words[pair / 64] |= 1ull << pair % 64;
        table->bad[letter].words[4 + pair / 64] |= 1ull << pair % 64;
    }
}

static void fill(struct step_table *table, const struct reading *reading)
{
    for (unsigned letter = 0; letter < LETTER_COUNT; letter++) fill_letter(table, reading, letter);
}

struct step_tables *monitor_tables(uint32_t assume)
{
    struct step_tables *tables = mem_zalloc(1, sizeof *tables);
    for (int literal = 0; literal < 2; literal++)
        for (int fact = 0; fact < FACT_COUNT; fact++) {
            struct reading reading = {(enum monitor_fact)fact, literal, fact <= FACT_PIPE, assume};
            fill(&tables->of[literal][fact], &reading);
        }
    return tables;
}

enum step_birth step_birth(enum monitor_fact fact, uint8_t letter)
{
    bool received = fact == FACT_COMPLETED || fact == FACT_ORDERED;
    switch (letter) {
    case LETTER_LD: return fact == FACT_LD ? BIRTH_FRESH : BIRTH_NONE;
    case LETTER_ST: return fact == FACT_ST ? BIRTH_FRESH : BIRTH_NONE;
    case LETTER_PIPE: return fact == FACT_PIPE ? BIRTH_FRESH : BIRTH_NONE;
    case LETTER_ACQUIRE_BARRIER:
    case LETTER_ACQUIRE_MEMORY:
    case LETTER_BOTH_BARRIER:
    case LETTER_BOTH_MEMORY:
    case LETTER_ALLOC: return received ? BIRTH_FRESH : BIRTH_NONE;
    case LETTER_CALL: return BIRTH_ANY;
    default: return BIRTH_NONE;
    }
}
