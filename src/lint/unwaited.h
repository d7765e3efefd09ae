/* Decides whether some thread may wait for a signal. */
#ifndef PTXOPT_LINT_UNWAITED_H
#define PTXOPT_LINT_UNWAITED_H

#include "lint/handover.h"

/* The mbarrier of a signal: NULL unless most likely no thread waits for it, because the waits of
 * the function are for others. The function must initialise the mbarrier: otherwise it is perhaps
 * only a part of a kernel. signal: index in handovers->at. */
const struct barrier_use *unwaited_at(const struct lint *lint, uint32_t signal);

/* Of a function in which nobody waits for many mbarriers, only so many signals are examined. */
enum { UNWAITED_MAX = 16 };

/* The mbarriers for which a code has reported something: one finding for each is enough. */
struct unwaited_told {
    struct value *at; /* in lint->arena */
    uint32_t count;
};

struct unwaited_told unwaited_begin(const struct lint *lint);
bool unwaited_is_told(const struct lint *lint, const struct unwaited_told *told,
                      const struct barrier_use *use);
void unwaited_tell(struct unwaited_told *told, const struct barrier_use *use);

#endif
