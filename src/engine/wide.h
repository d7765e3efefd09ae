/* The rules once more, on the paths that are left when branches by the same agree. */
#ifndef PTXOPT_ENGINE_WIDE_H
#define PTXOPT_ENGINE_WIDE_H

#include "rules/rule.h"

struct wide;

/* Whether a rule is for that. About what comes before a place, and pairs, fewer paths were not seen
 * to show more. */
bool wide_asks(const struct rule *rule);

/* Whether fewer paths might change the verdict of the rule on a site. Not where the next
 * instructions of the text lead to what prevents it: some thread will execute that. */
bool wide_may_help(const struct analysis *analysis, const struct rule *rule, uint32_t site,
                   struct verdict said);

/* For the program without the removals so far; NULL if no two branches agree, or it would not help.
 * In arena; release with wide_free. */
struct wide *wide_build(const struct analysis *analysis, struct arena *arena);
void wide_free(struct wide *wide);

/* As of struct rule: a site may go when each of its copies may. */
void wide_decide(const struct wide *wide, const struct rule *rule, const uint32_t *sites,
                 uint32_t count, struct verdict *verdicts);

/* Instruction i is removed, or there again. */
void wide_mark(const struct wide *wide, uint32_t i, bool deleted);

#endif
