/* Lists the paths from a place, and what they reach, for messages. It repeats for one candidate
 * what a scan has answered for all of them at once, and looks no farther than that. */
#ifndef PTXOPT_ORDER_REACH_H
#define PTXOPT_ORDER_REACH_H

#include "order/analysis.h"
#include "order/scan.h"

/* The most instructions visited. */
enum { REACH_MOST = 1024 };

enum reach_next {
    REACH_ON,   /* the path continues */
    REACH_PATH, /* it ends here */
    REACH_ALL,  /* and so do all others */
};

/* Called for each instruction in turn, SCAN_ENTRY where a path comes to the start of the
 * body. Removed ones, and site, are not shown. */
typedef enum reach_next reach_visit(void *context, const struct analysis *analysis, uint32_t i);

/* Shows visit the events on each path from after (backward: from before) event site; each block is
 * visited once, the nearest first. False when there were more than REACH_MOST. */
bool reach_events(const struct analysis *analysis, uint32_t site, bool backward, reach_visit *visit,
                  void *context);

/* The same for what touches a register of a tcgen05.ld, forwards from a tcgen05.wait::ld. */
bool reach_loaded(const struct analysis *analysis, uint32_t site, reach_visit *visit,
                  void *context);

#endif
