/* Lists the instructions that paths from a place reach, for messages. It repeats for one candidate
 * the search of a scan, and has a limit. */
#ifndef PTXOPT_ORDER_REACH_H
#define PTXOPT_ORDER_REACH_H

#include "order/analysis.h"
#include "order/scan.h"

/* The most instructions and blocks that are visited. */
enum { REACH_MOST = 1024 };

enum reach_next {
    REACH_ON,   /* the path continues */
    REACH_PATH, /* this path ends */
    REACH_ALL,  /* the search ends */
};

/* Called for each instruction that a path reaches, and with SCAN_ENTRY if a backward path reaches
 * the start of the body. Not called for removed instructions and for site. */
typedef enum reach_next reach_visit(void *context, const struct analysis *analysis, uint32_t i);

/* Calls visit for the events on each path from after site (backward: from before site). Each block
 * is visited once, the nearest first. False if the search ended at the limit REACH_MOST. */
bool reach_events(const struct analysis *analysis, uint32_t site, bool backward, reach_visit *visit,
                  void *context);

/* As reach_events, for the instructions that access a register of a tcgen05.ld, forward from the
 * tcgen05.wait::ld at site. */
bool reach_loaded(const struct analysis *analysis, uint32_t site, reach_visit *visit,
                  void *context);

#endif
