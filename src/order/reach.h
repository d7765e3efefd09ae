/* Lists the paths from a place, and what they reach, for messages. It repeats for one candidate
 * what a scan has answered for all of them at once, and goes no farther than that. */
#ifndef PTXOPT_ORDER_REACH_H
#define PTXOPT_ORDER_REACH_H

#include "order/analysis.h"
#include "order/scan.h"

/* Instructions gone over at the most. */
enum { REACH_MOST = 1024 };

enum reach_next {
    REACH_ON,   /* the path goes on */
    REACH_PATH, /* it ends here */
    REACH_ALL,  /* and so do all others */
};

/* What is asked of each instruction in turn, SCAN_ENTRY where a path comes to the start of the
 * body. Deleted ones, and site, are not shown. */
typedef enum reach_next reach_visit(void *context, const struct analysis *analysis, uint32_t i);

/* Shows visit the events on each path from behind (backward: from before) event site; each block is
 * gone through once, the nearest first. False when there were more than REACH_MOST. */
bool reach_events(const struct analysis *analysis, uint32_t site, bool backward, reach_visit *visit,
                  void *context);

/* The same for what touches a register of a tcgen05.ld, forwards from a tcgen05.wait::ld. */
bool reach_loaded(const struct analysis *analysis, uint32_t site, reach_visit *visit,
                  void *context);

#endif
