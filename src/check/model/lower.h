/* Translates instructions to the events that the monitor follows. */
#ifndef PTXOPT_CHECK_MODEL_LOWER_H
#define PTXOPT_CHECK_MODEL_LOWER_H

#include "check/model/columns.h"
#include "check/model/program.h"
#include "check/model/transfer.h"

/* The graph of a program: its blocks have the same numbers, and the tag of an event is the number
 * of its instruction. */
struct lower {
    struct monitor_graph graph;
    struct VEC(struct monitor_event) events;
    struct VEC(struct flow_block) blocks;
    struct VEC(uint32_t) kinds;
    bool *reached;   /* by block */
    uint32_t *leads; /* by block */
    struct VEC(struct monitor_class) classes, accesses;
    struct columns columns; /* columns of the accesses */
};

/* Why a removal is refused before facts are followed. */
struct lower_fault {
    uint32_t instruction;
    const char *why; /* NULL: it is not refused */
};

/* Sets joined on commits. Returns the first removal that is refused because of its guard or a
 * disabled assumption. */
struct lower_fault lower_join(struct program *program, uint32_t assume);

/* Fills lower, which must be zero. program and tables must outlive it. Release it with
 * lower_free. */
void lower_build(struct lower *lower, const struct program *program, uint32_t assume,
                 const struct transfer_tables *tables);
void lower_free(struct lower *lower);

/* Divides the loads and stores of the graph by columns. Returns false if no columns are known, if
 * there would be too many classes, or if they are divided already. */
bool lower_tell_columns(struct lower *lower, const struct program *program);

#endif
