/* The words of reasons by their number. */
#include "order/verdict.h"

static const struct {
    const char *word, *clause, *ahead, *need;
} WORDS[REASON_COUNT] = {[REASON_NONE] = {"none", "nothing needs it", "", ""},
#define ROW(name, word, clause, ahead, need, summary, explanation)                                 \
    [REASON_##name] = {word, clause, ahead, need},
                         REASONS(ROW)
#undef ROW
};

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
