/* The words of the reasons, and the search for a site. See verdict.h. */
#include "order/verdict.h"

#include "base/sorted.h"
static const struct {
    const char *word, *clause, *ahead, *need, *summary;
} WORDS[REASON_COUNT] = {[REASON_NONE] = {"none", "nothing needs it", "", "", ""},
#define ROW(name, word, clause, ahead, need, summary, explanation)                                 \
    [REASON_##name] = {word, clause, ahead, need, summary},
                         REASONS(ROW)
#undef ROW
};

uint32_t site_find(const uint32_t *sites, uint32_t count, uint32_t i)
{
    uint32_t low = sorted_find(sites, 0, count, i);
    return low < count && sites[low] == i ? low : NO_WITNESS;
}

const char *reason_word(enum reason reason)
{
    return WORDS[reason].word;
}

const char *reason_clause(enum reason reason, bool ahead)
{
    return ahead && *WORDS[reason].ahead ? WORDS[reason].ahead : WORDS[reason].clause;
}

const char *reason_need(enum reason reason)
{
    return WORDS[reason].need;
}

const char *reason_summary(enum reason reason)
{
    return WORDS[reason].summary;
}
