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

/* Finds the branches whose condition an earlier branch may have decided. NULL if there are none, so
 * no path can be left out. In arena; the caller frees its other memory with wide_free. */
struct wide *wide_find(const struct analysis *analysis, struct arena *arena);

/* A site, and the reason why the rule keeps it. */
struct wide_site {
    uint32_t instr;
    enum reason reason;
};

/* Whether fewer paths might change the verdict of the rule on one of these sites, of one kind of
 * candidate. False if for each of them a path that stays possible prevents the removal. Removes
 * sites from the array. */
bool wide_may_help_any(const struct wide *wide, const struct analysis *analysis,
                       const struct rule *rule, struct wide_site *sites, uint32_t count);

/* Builds the graph for the program without the removals so far. False if it would be too large. */
bool wide_build(struct wide *wide, const struct analysis *analysis, struct arena *arena);
void wide_free(struct wide *wide);

/* As decide of struct rule, on this graph: a site is redundant if each of its copies is. */
void wide_decide(const struct wide *wide, const struct rule *rule, const uint32_t *sites,
                 uint32_t count, struct verdict *verdicts);

/* Marks instruction i as removed, or as present again. */
void wide_mark(const struct wide *wide, uint32_t i, bool deleted);

#endif
