/* The semantics as tables: what an event of each kind does to a pair, and which pairs it
 * refuses. */
#ifndef PTXOPT_CHECK_MODEL_TRANSFER_H
#define PTXOPT_CHECK_MODEL_TRANSFER_H

#include "check/model/event.h"

/* The bits of a pair are the registers of one program that can hold the fact in the one and not in
 * the other; which they are depends on the fact (layouts in transfer.c). */
enum { TRANSFER_HELD = 16, TRANSFER_STATES = TRANSFER_HELD * TRANSFER_HELD };

/* What an event brings into the world. */
enum transfer_birth { BIRTH_NONE, BIRTH_FRESH, BIRTH_ANY };

struct transfer_table {
    uint8_t next[EVENT_COUNT][TRANSFER_HELD]; /* in one program */
    bool moves[EVENT_COUNT];                  /* next is not the identity */
    uint8_t birth[EVENT_COUNT];               /* enum transfer_birth */
    uint32_t seeing, moving, bearing, acting; /* kinds that see less, move, are born; any: bits */
    struct monitor_set bad[EVENT_COUNT];      /* pairs with which an observer sees less */
    /* Of a ld or st: those with which it sees less of an order that a fence gave. */
    struct monitor_set unordered[EVENT_ST + 1];
};

struct transfer_tables {
    struct transfer_table of[2][FACT_COUNT]; /* [literal][fact] */
    bool differ[FACT_COUNT];                 /* the two readings of it do */
};

/* The semantics under assumptions (bits of enum check_assume), for any number of graphs; released
 * with mem_free. */
struct transfer_tables *transfer_tables(uint32_t assume);

#endif
