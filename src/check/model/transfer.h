/* The semantics of events as tables: how an event of each kind changes a pair, and which pairs it
 * refuses. */
#ifndef PTXOPT_CHECK_MODEL_TRANSFER_H
#define PTXOPT_CHECK_MODEL_TRANSFER_H

#include "check/model/event.h"

/* The bits of a pair are those registers of one program that can hold the fact in one program and
 * not in the other. They depend on the fact (see layouts in transfer.c). */
enum { TRANSFER_HELD = 16, TRANSFER_STATES = TRANSFER_HELD * TRANSFER_HELD };

/* The pairs that an event creates. */
enum transfer_birth { BIRTH_NONE, BIRTH_FRESH, BIRTH_ANY };

struct transfer_table {
    uint32_t filled;                          /* 1 << kind of each kind that the table has */
    uint8_t next[EVENT_COUNT][TRANSFER_HELD]; /* of one program */
    bool moves[EVENT_COUNT];                  /* next is not the identity */
    uint8_t birth[EVENT_COUNT];               /* enum transfer_birth */
    /* Bits 1 << kind: kinds that may see less, that change a pair, that create one, and all of
     * these. */
    uint32_t seeing, moving, bearing, acting;
    struct monitor_set bad[EVENT_COUNT]; /* pairs with which an observer sees less */
    /* Of a ld or st: pairs with which it sees less of an order that a fence gave. */
    struct monitor_set unordered[EVENT_ST + 1];
};

/* The tables of all facts. They are filled when they are needed, since most removals concern few
 * facts. */
struct transfer_tables {
    uint32_t assume;
    struct transfer_table *of; /* by literal * FACT_COUNT + fact */
};

/* Returns the tables under these assumptions (bits of enum check_assume). Any number of graphs of
 * one thread may use them; the caller frees them with mem_free. */
struct transfer_tables *transfer_tables(uint32_t assume);

/* Returns the table of the fact under the reading, with all of these kinds (1 << kind). It is valid
 * as long as tables. */
const struct transfer_table *transfer_table(const struct transfer_tables *tables, bool literal,
                                            enum monitor_fact fact, uint32_t kinds);

/* Whether the two readings differ for the fact. */
bool transfer_differs(const struct transfer_tables *tables, enum monitor_fact fact);

#endif
