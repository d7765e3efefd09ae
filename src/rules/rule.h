/* What a rule is: a question about one candidate, and the words that explain the answer. Rules only
 * propose; see README.md in this folder for the list and how to add one. */
#ifndef PTXOPT_RULES_RULE_H
#define PTXOPT_RULES_RULE_H

#include "order/scan.h"

/* Which instructions a rule is run on: bits of 1 << effect, and the proxy fences. */
#define CANDIDATE(effect) (1u << (effect))
#define CANDIDATE_PROXY (1u << 31)
#define CANDIDATE_FENCE (CANDIDATE(EFFECT_FENCE_BEFORE) | CANDIDATE(EFFECT_FENCE_AFTER))
#define CANDIDATE_WAIT (CANDIDATE(EFFECT_WAIT_LD) | CANDIDATE(EFFECT_WAIT_ST))

/* The texts are arrays so that their addresses are constants for the public table. */
struct rule {
    char id[20], deletes[72], section[20];
    char summary[112];      /* one line: when */
    char brief[56];         /* finishes "15 of 16 wait::ld redundant: " */
    char explanation[1600]; /* before and after, why it is sound, when it declines, what it assumes
                             */
    /* Finishes "removed because". "%s" is the witness, "%n" is what needs the order of the witness,
     * "%r" is the first reader of a loaded register, "%o" is the last operation that was to be
     * ordered, "%b" is the one after a fence that pairs with the witness, "%c" is the commit
     * that publishes them, "%a" are the lines of two accesses that are apart, and their columns.
     * "[part]" is left out when one of these in it is not known,
     * "[part|other]" has the other then. That must be true of every edit with what is left
     * out. */
    char because[288];
    uint32_t candidates;
    uint32_t carried_by; /* the assumption with the section of the argument where one is used; 0:
                            always the rule's own */

    /* Answers for all sites of one candidate kind at once, in the order of place: verdicts[k],
     * given as {REASON_NONE, NO_WITNESS, 0}, gets the final verdict on sites[k]. A site that
     * is removed already is judged the same. All are reachable, and unguarded unless handles_guard.
     * Every answer is given against the program as it is; what holds of the sites one by one
     * the planner checks again for all of them together. Time: linear in the function. */
    void (*decide)(const struct analysis *analysis, const uint32_t *sites, uint32_t count,
                   struct verdict *verdicts);
    const struct cover_table *asks[12]; /* the tables that it uses, its own first; NULL ends */
    bool handles_guard;
    bool judges_together; /* the verdict on a site depends on the others that it is run on */
    bool looks_back;      /* looks back; the others look ahead, which is more specific */
    const char *part;     /* the witness's among the steps of a removal; NULL: it orders the same */
};

/* The one list: X(name) for each rule, in the order they are tried in. "Overtaken" comes before
 * "idle": of three fences in a row it leaves the last, the other only the first. */
#define REWRITES(X)                                                                                \
    X(wait_idle)                                                                                   \
    X(wait_covered)                                                                                \
    X(before_overtaken)                                                                            \
    X(before_idle)                                                                                 \
    X(before_commit)                                                                               \
    X(after_overtaken)                                                                             \
    X(after_idle)                                                                                  \
    X(pair_fence)                                                                                  \
    X(proxy_idle)                                                                                  \
    X(proxy_overtaken)

/* These advise the author and never remove. */
#define ADVICE(X)                                                                                  \
    X(commit_merge)                                                                                \
    X(pair_completion)                                                                             \
    X(proxy_narrow)

#define DECLARE_RULE(name) extern const struct rule rule_##name;
REWRITES(DECLARE_RULE)
ADVICE(DECLARE_RULE)
#undef DECLARE_RULE

#define COUNT_RULE(name) +1
enum { RULE_REWRITES = 0 REWRITES(COUNT_RULE), RULE_COUNT = RULE_REWRITES ADVICE(COUNT_RULE) };
#undef COUNT_RULE

/* All rules, in the list's order; a rule's bit is 1 << its index. */
const struct rule *rule_at(uint32_t index);

/* The index of a rule id; RULE_COUNT when there is none. */
uint32_t rule_find(struct str id);

/* The bit for the kind of candidate that an instruction is, 0 for none. */
uint32_t rule_candidate(const struct instr *instr);

/* What a rule decides, without the removals after which ptxas would keep less order: see
 * order/hold.h. */
void rule_decide(const struct rule *rule, const struct analysis *analysis, const uint32_t *sites,
                 uint32_t count, struct verdict *verdicts);

/* For the decide functions: a decline. */
static inline void rule_decline(struct verdict *verdict, enum reason reason, uint32_t witness)
{
    verdict->reason = reason;
    verdict->witness = witness;
}

/* True when all of the assumptions hold, and notes them as used; else declines all. */
bool rule_assumes(const struct analysis *analysis, uint32_t assumptions, uint32_t count,
                  struct verdict *verdicts);

/* Scans table for the sites that are not declined yet: what stops it declines; what answers
 * it is the witness; without an answer nothing covers. */
void rule_scan(const struct analysis *analysis, const struct cover_table *table,
               const uint32_t *sites, uint32_t count, struct verdict *verdicts);

#endif
