/* A graph of the monitor's letters on standard output, as comments. */
#ifndef PTXOPT_TESTS_MODEL_PRINT_H
#define PTXOPT_TESTS_MODEL_PRINT_H

#include <stdio.h>

#include "check/prove/monitor.h"

static inline void print_event(const struct monitor_event *event, bool joins)
{
    static const char *const words[EVENT_COUNT] = {"ld",
                                                   "st",
                                                   "mma",
                                                   "wait::ld",
                                                   "wait::st",
                                                   "before",
                                                   "after",
                                                   "commit",
                                                   "arrive",
                                                   "red",
                                                   "try_wait",
                                                   "ld.relaxed",
                                                   "bar.sync",
                                                   "atom",
                                                   "receipt",
                                                   "relaxed-receipt",
                                                   "relaxed-release",
                                                   "relaxed-release-memory",
                                                   "alloc",
                                                   "call",
                                                   "ret",
                                                   "exit",
                                                   "write"};
    printf(" %s%s%s", event->guarded ? "@p " : "", event->deleted ? "-" : "", words[event->kind]);
    if (event->detail != MONITOR_NONE) printf(" %u", event->detail);
    printf("%s", joins ? " and" : ";");
}

/* One line for each block; `-` is before a removed event. */
static inline void print_graph(const struct monitor_graph *graph)
{
    for (uint32_t b = 0; b < graph->block_count; b++) {
        const struct flow_block *block = &graph->blocks[b];
        printf("#   block %u:", b);
        for (uint32_t i = block->start; i < block->end; i++)
            print_event(&graph->events[i], i + 1 < block->end && graph->events[i + 1].joined);
        printf(" to");
        for (uint32_t e = block->succ_start; e < block->succ_end; e++)
            printf(" %u", graph->succs[e]);
        printf("\n");
    }
}

/* The first few programs on which two judges differ. */
static inline void print_first(const struct monitor_graph *graph, bool allowed)
{
    static int printed;
    if (++printed > 12) return;
    printf("# %s:\n", allowed ? "allowed, but somebody sees less" : "refused for nothing");
    print_graph(graph);
}

#endif
