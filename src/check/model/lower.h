/* Translates instructions to the events that the monitor uses. */
#ifndef PTXOPT_CHECK_MODEL_LOWER_H
#define PTXOPT_CHECK_MODEL_LOWER_H

#include "check/model/columns.h"
#include "check/model/program.h"
#include "check/model/transfer.h"

/* A graph over a program's blocks, number by number; event tags are instruction numbers. */
struct lower {
    struct monitor_graph graph;
    struct VEC(struct monitor_event) events;
    struct VEC(struct flow_block) blocks;
    struct VEC(uint32_t) kinds;
    bool *reached; /* by block */
    struct VEC(struct monitor_class) classes, accesses;
    struct columns columns; /* of accesses */
};

/* Why a removal is refused without looking at facts. */
struct lower_fault {
    uint32_t instruction;
    const char *why; /* NULL when there is none */
};

/* Sets joined on commits; names the first guarded or switched-off removal that is refused. */
struct lower_fault lower_join(struct program *program, uint32_t assume);

/* Zero-initialised lower in; borrows from program; release with lower_free. */
void lower_build(struct lower *lower, const struct program *program, uint32_t assume,
                 const struct transfer_tables *tables);
void lower_free(struct lower *lower);

/* Distinguishes loads and stores of the graph by columns; false when none is known, it would be
 * too many classes, or it has been done. */
bool lower_tell_columns(struct lower *lower, const struct program *program);

#endif
