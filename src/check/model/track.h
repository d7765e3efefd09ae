/* Follows one fact, under one reading, through events. */
#ifndef PTXOPT_CHECK_MODEL_TRACK_H
#define PTXOPT_CHECK_MODEL_TRACK_H

#include "check/model/flow.h"
#include "check/model/transfer.h"

struct track {
    const struct monitor_graph *graph;
    const struct transfer_table *table;
    enum monitor_fact fact;
    bool literal;
    /* Distinguished by class: its class, and those it pairs with; NULL when it is not. By number;
     * the one after the last is of a caller or callee, and of what has no class. */
    struct monitor_classes classes;
    uint8_t *members, *pairs;
    const struct monitor_class *class; /* the registers that end the pairing; NULL: none */
    uint32_t acting;                   /* kinds of events that may concern it, a bit each */
    bool drops;
    uint64_t dropped[MONITOR_WORDS / 2]; /* pairs that are not followed: see track_drop_settled */
};

/* The classes by which a fact can be distinguished; none when it cannot. */
struct monitor_classes track_classes(const struct monitor_graph *graph, enum monitor_fact fact);

/* class: of the fact, when that distinguishes it; else MONITOR_NONE. Release with track_free. */
void track_prepare(struct track *track, const struct monitor_graph *graph, enum monitor_fact fact,
                   bool literal, uint32_t class);

/* Of all these classes (by number, as members), which pair with none. */
void track_prepare_unpaired(struct track *track, const struct monitor_graph *graph,
                            enum monitor_fact fact, bool literal, const uint8_t *classes);

/* Follows no pairs that are equal in both programs, and stay so whatever happens: where the rewrite
 * lacks only events of these kinds, a bit each. No observer sees less with them. */
void track_drop_settled(struct track *track, uint32_t deleted);

void track_free(struct track *track);

/* Sets of pairs (struct monitor_set); refuses the first with which an observer sees less. */
struct flow track_flow(struct track *track);

/* Whether the fact may be there at the entry, in any pair that is equal in both programs. */
bool track_starts_with_any(const struct track *track);

/* True when event sees less with one of the pairs. */
bool track_refuses(const struct track *track, const struct monitor_event *event,
                   const struct monitor_set *set);

/* Whether event can change a pair; the pair after it, when it runs; what it brings into the
 * world. */
bool track_moves(const struct track *track, const struct monitor_event *event);
unsigned track_pair(const struct track *track, const struct monitor_event *event, unsigned pair);
enum transfer_birth track_birth(const struct track *track, const struct monitor_event *event);

#endif
