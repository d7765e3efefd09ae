/* Follows one fact, under one reading, through the events of a function. */
#ifndef PTXOPT_CHECK_MODEL_TRACK_H
#define PTXOPT_CHECK_MODEL_TRACK_H

#include "check/model/flow.h"
#include "check/model/transfer.h"

struct track {
    const struct monitor_graph *graph;
    const struct transfer_table *table;
    enum monitor_fact fact;
    bool literal;
    /* If the fact is divided by class: by class number, whether the class is followed; otherwise
     * NULL. The entry after the last class is for operations of a caller or callee, and for those
     * without a class. */
    struct monitor_classes classes;
    uint8_t *members;
    const struct monitor_class *class; /* it may pair with others; NULL: none that is followed */
    bool pairs_with_all;               /* each event with a class pairs with what is followed */
    uint32_t acting;  /* 1 << kind of each kind of event that may affect the fact */
    uint32_t bearing; /* 1 << kind of each kind of event that may create it; 0: none does */
    bool drops;
    uint64_t dropped[MONITOR_WORDS / 2]; /* pairs that are not followed, see track_drop */
    uint32_t removed; /* 1 << kind of each kind of removed event that changes a pair */
};

/* Returns 1 << kind of each kind of event that a track of the graph needs in its table. */
uint32_t track_kinds(const struct monitor_graph *graph);

/* Returns the classes into which a fact can be divided; count is 0 if it cannot. */
struct monitor_classes track_classes(const struct monitor_graph *graph, enum monitor_fact fact);

/* Prepares a track. class: the class to follow if the fact is divided, otherwise MONITOR_NONE.
 * Release it with track_free. */
void track_prepare(struct track *track, const struct monitor_graph *graph, enum monitor_fact fact,
                   bool literal, uint32_t class);

/* Prepares a track of all these classes together (classes as members), which must pair with
 * none. */
void track_prepare_unpaired(struct track *track, const struct monitor_graph *graph,
                            enum monitor_fact fact, bool literal, const uint8_t *classes);

/* Prepares a track of all classes together, in which each event with a class pairs with all of
 * them. */
void track_prepare_excused(struct track *track, const struct monitor_graph *graph,
                           enum monitor_fact fact, bool literal);

/* The pairs that are equal in both programs and stay equal whatever follows. With such a pair no
 * observer sees less. */
struct track_settled {
    uint64_t pairs[MONITOR_WORDS / 2];
};

/* Returns the settled pairs under this table, which must have all kinds of the graph, if AFTER
 * lacks only events of these kinds (1 << kind each). */
struct track_settled track_settled(const struct transfer_table *table, uint32_t deleted);

/* Leaves out the settled pairs under these deleted kinds from now on and, in blocks from which no
 * path leads to a deleted event that changes a pair, all pairs that are equal in both programs. */
void track_drop(struct track *track, const struct track_settled *settled, uint32_t deleted);

void track_free(struct track *track);

/* Returns the flow over sets of pairs (struct monitor_set) that refuses the first event with which
 * an observer sees less. */
struct flow track_flow(struct track *track);

/* Whether the fact may be there at the entry, in any pair that is equal in both programs. */
bool track_starts_with_any(const struct track *track);

/* Whether event sees less with one of the pairs. */
bool track_refuses(const struct track *track, const struct monitor_event *event,
                   const struct monitor_set *set);

/* track_moves: whether event can change a pair. track_pair: the pair after event, if it executes.
 * track_birth: the pairs that event creates. track_class: the number of the class to which these
 * belong if the fact is divided; NONE if event creates none. */
bool track_moves(const struct track *track, const struct monitor_event *event);
unsigned track_pair(const struct track *track, const struct monitor_event *event, unsigned pair);
enum transfer_birth track_birth(const struct track *track, const struct monitor_event *event);
uint32_t track_class(const struct track *track, const struct monitor_event *event);

#endif
