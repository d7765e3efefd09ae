/* Finds the guaranteed orders that ptxas kept before a removal and not after it. See judge.h. */
#include "judge.h"

#include <stdio.h>
#include <stdlib.h>

enum { MOST_WORDS = 6 };

/* The places of an operation: more than one if ptxas peels the first iteration of a spin loop or
 * splits a fence; not matched if it unrolls a loop. */
struct found {
    uint32_t at[MOST_WORDS], count;
};

struct side_by_side {
    const struct body *body;
    struct flow flow;
    struct found found[MOST_LINES]; /* for each statement */
    uint8_t *outstanding;           /* at each word, for the current pair */
};

static bool is_word_of(const struct statement *statement, struct word word)
{
    const struct operation *op = statement->op;
    return op && operation_has_word(op, word_opcode(word)) &&
           (word_modifiers(word) & op->mask) == op->value &&
           (!op->offset || word_offset(word) == statement->number);
}

static void match(struct side_by_side *side, const struct body *body, const struct code *code)
{
    side->body = body;
    flow_build(&side->flow, code);
    side->outstanding = must(calloc(code->count + 1, 1));
    for (uint32_t s = 0; s < body->count; s++) {
        struct found *found = &side->found[s];
        found->count = 0;
        for (uint32_t i = 0; i < code->count && body->at[s].op; i++)
            if (is_word_of(&body->at[s], code->words[i]) && found->count++ < MOST_WORDS)
                found->at[found->count - 1] = i;
        if (found->count > MOST_WORDS) found->count = 0;
    }
}

static void unmatch(struct side_by_side *side)
{
    flow_free(&side->flow);
    free(side->outstanding);
}

enum answer { NO, YES, UNKNOWN };

static enum answer is_complete(struct side_by_side *side, uint32_t x, uint32_t y, bool around)
{
    flow_outstanding(&side->flow, x, side->outstanding);
    return side->outstanding[y] & (around ? OUTSTANDING_AROUND : OUTSTANDING) ? NO : YES;
}

static enum answer is_before(struct side_by_side *side, uint32_t x, uint32_t y)
{
    if (flow_before(&side->flow, x, y)) return YES;
    return flow_before(&side->flow, y, x) ? NO : UNKNOWN;
}

/* The answer for all words of the two, if they agree. */
static enum answer is_kept(struct side_by_side *side, const struct pair *pair)
{
    const struct found *first = &side->found[pair->first], *second = &side->found[pair->second];
    enum answer all = UNKNOWN;
    for (uint32_t i = 0; i < first->count; i++)
        for (uint32_t k = 0; k < second->count; k++) {
            enum answer one = pair->completes
                                  ? is_complete(side, first->at[i], second->at[k], pair->around)
                                  : is_before(side, first->at[i], second->at[k]);
            if (one == UNKNOWN || (all != UNKNOWN && one != all)) return UNKNOWN;
            all = one;
        }
    return all;
}

/* For a completion, only compare an order that remains: a reversed order is one finding, not two.
 */
static bool is_turned(struct side_by_side *side, const struct pair *pair)
{
    struct pair order = *pair;
    order.completes = false;
    return !pair->around && is_kept(side, &order) == NO;
}

/* The one of the two that is not found, on either side; the first if both are not. */
static uint16_t unmatched_of(const struct pair *pair, const struct side_by_side *before,
                             const struct side_by_side *after)
{
    bool second = !before->found[pair->second].count || !after->found[pair->second].count;
    bool first = !before->found[pair->first].count || !after->found[pair->first].count;
    return second && !first ? pair->second : pair->first;
}

static void add_finding(struct verdict *verdict, enum finding_kind kind, const struct body *body,
                        const struct pair *pair, uint16_t first)
{
    struct finding finding = {.kind = kind,
                              .elsewhere = !pair->thinned,
                              .deleted = body->at[pair->guarantor].op,
                              .first = body->at[first].op,
                              .second = body->at[pair->second].op};
    vec_push(&verdict->found, finding);
}

static void judge_pair(const struct pair *pair, struct side_by_side *before,
                       struct side_by_side *after, struct verdict *verdict)
{
    /* The order of two iterations cannot be lost while both are in the loop. */
    if (!pair->completes && (pair->around || pair->first == pair->second)) return;
    enum answer was = is_kept(before, pair), is = is_kept(after, pair);
    verdict->pairs++;
    verdict->gone += pair->gone;
    verdict->never += pair->gone && was == NO && is != UNKNOWN;
    verdict->kept += pair->gone && was == YES && is == YES;
    if (was == UNKNOWN || is == UNKNOWN) {
        verdict->unmatched++;
        add_finding(verdict, UNMATCHED, before->body, pair, unmatched_of(pair, before, after));
    }
    if (was != YES || is != NO || (pair->completes && is_turned(after, pair))) return;
    enum finding_kind lost = pair->completes ? LOST_COMPLETION : LOST_ORDER;
    enum finding_kind curious = pair->completes ? CURIOUS_COMPLETION : CURIOUS_ORDER;
    add_finding(verdict, pair->gone ? lost : curious, before->body, pair, pair->first);
}

void judge(const struct body *body, const struct pairs *pairs, const struct code *before,
           const struct code *after, struct verdict *verdict)
{
    struct side_by_side was, is;
    match(&was, body, before);
    match(&is, body, after);
    for (uint32_t i = 0; i < pairs->count; i++) judge_pair(&pairs->at[i], &was, &is, verdict);
    unmatch(&was);
    unmatch(&is);
}

void finding_name(const struct finding *finding, char *name, size_t size)
{
    static const char *const what[FINDING_KINDS] = {
        [LOST_ORDER] = "turned round",
        [LOST_COMPLETION] = "not complete",
        [CURIOUS_ORDER] = "turned round, though guaranteed",
        [CURIOUS_COMPLETION] = "not complete, though guaranteed"};
    if (finding->kind == UNMATCHED)
        snprintf(name, size, "unmatched: %s", operation_name(finding->first).text);
    else
        snprintf(name, size, "%s: %s then %s %s%s", operation_name(finding->deleted).text,
                 operation_name(finding->first).text, operation_name(finding->second).text,
                 what[finding->kind], finding->elsewhere ? ", by a deletion elsewhere" : "");
}

void print_words(const struct body *body, const struct code *code)
{
    for (uint32_t i = 0; i < code->count; i++)
        for (uint32_t s = 0; s < body->count; s++)
            if (is_word_of(&body->at[s], code->words[i]))
                printf("#     %04x %016llx %016llx %s\n", i * 16,
                       (unsigned long long)code->words[i].low,
                       (unsigned long long)code->words[i].high,
                       operation_name(body->at[s].op).text);
}
