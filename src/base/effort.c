/* Moves units of an effort to its credit, some hundred at once. See effort.h. */
#include "base/effort.h"

void effort_draw(struct effort *effort, uint64_t units)
{
    enum { CREDIT = 512 };
    uint64_t credit;
    if (!effort) {
        work_spend(units);
        return;
    }
    if (effort_left(effort) < units) {
        effort->over = true;
        work_leave(WORK_OVER_LIMIT);
    }
    effort->left -= units - effort->credit;
    credit = effort->left < CREDIT ? effort->left : CREDIT;
    work_spend(units - effort->credit + credit);
    effort->left -= credit;
    effort->credit = credit;
}
