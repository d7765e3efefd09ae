/* The semantics as tables: what each letter does to a pair, and which pairs it refuses. */
#ifndef PTXOPT_CHECK_STEP_H
#define PTXOPT_CHECK_STEP_H

#include "check/monitor.h"

/* The bits of a pair are the registers of one program that can hold the fact in the one and not in
 * the other; which they are depends on the fact (layouts in step.c). */
enum { STEP_HELD = 16, STEP_STATES = STEP_HELD * STEP_HELD };

struct step_table {
    uint8_t next[LETTER_COUNT][STEP_HELD]; /* in one program */
    bool moves[LETTER_COUNT];              /* next is not the identity */
    struct monitor_set bad[LETTER_COUNT];  /* pairs with which an observer sees less */
};

struct step_tables {
    struct step_table of[2][FACT_COUNT]; /* [literal][fact] */
};

/* What an event of this letter brings into the world. */
enum step_birth { BIRTH_NONE, BIRTH_FRESH, BIRTH_ANY };
enum step_birth step_birth(enum monitor_fact fact, uint8_t letter);

#endif
