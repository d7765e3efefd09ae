/* A rule: a question about a candidate, and the words that explain the answer. Rules only propose
 * removals. README.md in this folder has the list, and how to add one. */
#ifndef PTXOPT_RULES_RULE_H
#define PTXOPT_RULES_RULE_H

#include "order/scan.h"

/* The candidates of a rule: bits 1 << effect, and a bit for proxy fences. */
#define CANDIDATE(effect) (1u << (effect))
#define CANDIDATE_PROXY (1u << 31)
#define CANDIDATE_FENCE (CANDIDATE(EFFECT_FENCE_BEFORE) | CANDIDATE(EFFECT_FENCE_AFTER))
#define CANDIDATE_WAIT (CANDIDATE(EFFECT_WAIT_LD) | CANDIDATE(EFFECT_WAIT_ST))

/* The texts are arrays, not pointers, because the public table needs their addresses as
 * constants. */
struct rule {
    char id[20], deletes[72], section[20];
    char summary[112];      /* one line: when it applies */
    char brief[56];         /* completes "15 of 16 wait::ld redundant: " */
    char explanation[1600]; /* before and after, why it is sound, when it declines, what it assumes
                             */
    /* Completes "removed because". The placeholders are: %s the witness; %n what needs the order of
     * the witness; %r the first reader of a loaded register; %o the last operation that was to be
     * ordered; %b the operation after a fence that forms a pair with the witness; %c the commit
     * that publishes them; %a the lines of two accesses to different columns, and the columns.
     * "[part]" is left out if a placeholder in it is not known; "[part|other]" is then replaced by
     * other. What remains must be true of every removal for which a part is left out. */
    char because[288];
    uint32_t candidates;
    uint32_t carried_by; /* the assumption whose section has the sentence of the argument if it is
                            used; 0: always the section of the rule */

    /* Decides about all sites of one kind of candidate at once. sites: in the order of their
     * places, all reachable, and unguarded unless handles_guard is set; some may already be
     * removed, and are judged like the others. verdicts[k]: {REASON_NONE, NO_WITNESS, 0} on entry,
     * the verdict on sites[k] on return. Each verdict is about the removal of this site alone from
     * the present program; the planner checks all removals together. Time: linear in the
     * function. */
    void (*decide)(const struct analysis *analysis, const uint32_t *sites, uint32_t count,
                   struct verdict *verdicts);
    const struct cover_table *asks[12]; /* the tables that it uses, its own first; NULL ends */
    bool handles_guard;
    bool judges_together; /* the verdict on a site depends on the other sites */
    bool looks_back;  /* it looks backwards; the other rules look forward, which is more specific */
    const char *part; /* of the witness in the steps of a removal; NULL: it orders the same */
};

/* X(name) for each rule, in the order in which they are tried. "Overtaken" comes before "idle": of
 * three fences in a row it leaves the last one, "idle" the first. */
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

/* Rules that only advise the author and never remove anything. */
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

/* The rule with that index, in the order of the list. The bit of a rule is 1 << its index. */
const struct rule *rule_at(uint32_t index);

/* The index of the rule with that id; RULE_COUNT: none. */
uint32_t rule_find(struct str id);

/* The bit for the kind of candidate that the instruction is; 0: it is none. */
uint32_t rule_candidate(const struct instr *instr);

/* Runs the rule, and declines removals after which ptxas would keep less order: see
 * order/hold.h. held: that was already found to keep its order if all the sites are removed. */
void rule_decide(const struct rule *rule, const struct analysis *analysis, const uint32_t *sites,
                 uint32_t count, bool held, struct verdict *verdicts);

/* Declines. For the decide functions. */
static inline void rule_decline(struct verdict *verdict, enum reason reason, uint32_t witness)
{
    verdict->reason = reason;
    verdict->witness = witness;
    verdict->stays = false;
}

/* As rule_decline, for good (see struct verdict). */
static inline void rule_decline_for_good(struct verdict *verdict, enum reason reason,
                                         uint32_t witness)
{
    rule_decline(verdict, reason, witness);
    verdict->stays = true;
}

/* True if all of these assumptions are on; they are then added to the verdicts as used. Otherwise
 * declines all. */
bool rule_assumes(const struct analysis *analysis, uint32_t assumptions, uint32_t count,
                  struct verdict *verdicts);

/* Scans with the table for the sites that are not declined yet. An instruction that stops the scan
 * declines the site; one that covers it becomes its witness; without either the site is declined
 * with REASON_NO_COVER. */
void rule_scan(const struct analysis *analysis, const struct cover_table *table,
               const uint32_t *sites, uint32_t count, struct verdict *verdicts);

#endif
