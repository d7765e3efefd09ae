/* The semantics as tables: what each letter does to a pair, and which pairs it refuses. */
#ifndef PTXOPT_CHECK_STEP_H
#define PTXOPT_CHECK_STEP_H

#include "check/monitor.h"

/* Registers of one program, for one fact. A wait completes own facts into W, TC and, in the
 * stronger reading, H alike, and nothing else writes W or H for a fact whose copies could
 * differ; so C stands for all three. For a received fact C is TC. I, NC, NO never differ. */
enum {
    HELD_C = 1,  /* W, TC, H: completed */
    HELD_O = 2,  /* TO */
    HELD_RC = 4,
    HELD_RO = 8,
    STEP_STATES = 256
};

struct step_table {
    uint8_t next[LETTER_COUNT][2][STEP_STATES]; /* [deleted][o | r << 4] */
    bool moves[LETTER_COUNT];                   /* next is not the identity */
    struct monitor_set bad[LETTER_COUNT];       /* pairs with which an observer sees less */
};

struct step_tables {
    struct step_table of[2][FACT_COUNT]; /* [literal][fact] */
};

/* What an event of this letter brings into the world. */
enum step_birth { BIRTH_NONE, BIRTH_FRESH, BIRTH_ANY };
enum step_birth step_birth(enum monitor_fact fact, uint8_t letter);

#endif
