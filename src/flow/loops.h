/* Finds the blocks to which control can come back. */
#ifndef PTXOPT_FLOW_LOOPS_H
#define PTXOPT_FLOW_LOOPS_H

#include "flow/cfg.h"

/* Returns, by block: paths lead from the entry to the block, and from it to itself. In arena. */
bool *loops_find(const struct cfg *cfg, struct arena *arena);

/* Returns, by block: a path that enters no block of `without` leads from it to itself. In arena. */
bool *loops_find_without(const struct cfg *cfg, const bool *without, struct arena *arena);

/* The strongly connected components: parts of the graph in which paths lead from each block to each
 * other one. */
struct loops {
    bool *on_cycle;           /* by block: a path leads from it to itself */
    uint32_t *component;      /* by block: the number of its component, at least 1 */
    uint32_t component_count; /* the highest number */
    /* The blocks in the order of their components, ascending in each; by component: the index of
     * its first member, and the end of the last. NULL: see loops_list_members. */
    uint32_t *members, *first;
};

/* Sets *found, for blocks to which no path leads too; its arrays are in arena. A path leads from a
 * block to one of another component only if the number of that component is lower. */
void loops_find_components(const struct cfg *cfg, struct arena *arena, struct loops *found);

/* The same in parts of the graph, one after the other: it needs time for the part only. */
struct loops_search;

/* In arena. */
struct loops_search *loops_search_new(const struct cfg *cfg, struct arena *arena);

/* An edge of the graph counts. */
typedef bool loops_takes(const void *context, uint32_t from, uint32_t to);

/* Sets on_cycle[b] of each block b of the members: a path of edges that count leads from it to
 * itself. No edge that counts may lead out of the members. */
void loops_search_members(struct loops_search *s, const uint32_t *members, uint32_t count,
                          loops_takes *takes, const void *context, bool *on_cycle);

/* Sets members and first, in arena. */
void loops_list_members(const struct cfg *cfg, struct arena *arena, struct loops *loops);

#endif
