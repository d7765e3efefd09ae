/* By its words. See touch.h. */
#include "check/model/touch.h"

/* Does the dotted modifier at of begin with word, which is all of it unless more may follow? */
static bool is_word(struct str modifiers, size_t at, const char *word, bool more)
{
    struct str rest = {modifiers.p + at, modifiers.n - at};
    size_t n = strlen(word);
    if (!str_starts(rest, word)) return false;
    return rest.n == n || rest.p[n] == '.' || (more && rest.p[n] == ':');
}

static uint8_t spared_by_space(struct str modifiers)
{
    unsigned global = 0, shared = 0, other = 0;
    for (size_t at = 0; at < modifiers.n; at++) {
        global += is_word(modifiers, at, ".global", false);
        shared += is_word(modifiers, at, ".shared", true);
        other += is_word(modifiers, at, ".local", false) ||
                 is_word(modifiers, at, ".const", false) || is_word(modifiers, at, ".param", true);
    }
    if (global + shared + other != 1) return 0;
    return (uint8_t)((global ? 0 : CHECK_EFFECT_NO_GLOBAL) | (shared ? 0 : CHECK_EFFECT_NO_SHARED));
}

uint8_t touch_spared(struct str head, struct str modifiers, unsigned effect)
{
    bool access = str_is(head, "ld") || str_is(head, "st");
    if (access && effect == CHECK_EFFECT_NEUTRAL) return spared_by_space(modifiers);
    bool elects = str_is(head, "elect") && str_is(modifiers, ".sync");
    return elects ? CHECK_EFFECT_ELECTION : 0;
}
