/* Runs the rules on a graph with fewer paths: without those on which branches with the same
 * condition go different ways. */
#ifndef PTXOPT_ENGINE_WIDE_H
#define PTXOPT_ENGINE_WIDE_H

#include "rules/rule.h"

struct wide;

/* Whether a rule may decide more with fewer paths. No case is known for rules that look back and
 * for pairs. */
bool wide_asks(const struct rule *rule);

/* Whether fewer paths might change the verdict of the rule on a site. False if control falls
 * through from the site to the instruction that prevents the removal, since some thread executes
 * that path. */
bool wide_may_help(const struct analysis *analysis, const struct rule *rule, uint32_t site,
                   struct verdict said);

/* Builds the graph for the program without the removals so far. NULL if no two branches have the
 * same condition, or if it would not help. In arena; the caller frees its other memory with
 * wide_free. */
struct wide *wide_build(const struct analysis *analysis, struct arena *arena);
void wide_free(struct wide *wide);

/* As decide of struct rule, on this graph: a site is redundant if each of its copies is. */
void wide_decide(const struct wide *wide, const struct rule *rule, const uint32_t *sites,
                 uint32_t count, struct verdict *verdicts);

/* Marks instruction i as removed, or as present again. */
void wide_mark(const struct wide *wide, uint32_t i, bool deleted);

#endif
