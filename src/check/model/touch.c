/* Decides from the words of an opcode which memory it accesses. See touch.h. */
#include "check/model/touch.h"

/* Whether the modifier is word, or, with more, begins with word. */
static bool modifier_is_word(struct str rest, const char *word, bool more)
{
    size_t n = strlen(word);
    if (!str_starts(rest, word)) return false;
    return rest.n == n || rest.p[n] == '.' || (more && rest.p[n] == ':');
}

enum space { SPACE_NONE, SPACE_GLOBAL, SPACE_SHARED, SPACE_OTHER };

/* Returns the state space that the modifier names. */
static enum space space_of(struct str rest)
{
    switch (rest.n ? *rest.p : 0) {
    case 'g': return modifier_is_word(rest, "global", false) ? SPACE_GLOBAL : SPACE_NONE;
    case 's': return modifier_is_word(rest, "shared", true) ? SPACE_SHARED : SPACE_NONE;
    case 'l': return modifier_is_word(rest, "local", false) ? SPACE_OTHER : SPACE_NONE;
    case 'c': return modifier_is_word(rest, "const", false) ? SPACE_OTHER : SPACE_NONE;
    case 'p': return modifier_is_word(rest, "param", true) ? SPACE_OTHER : SPACE_NONE;
    default: return SPACE_NONE;
    }
}

static uint8_t spared_by_space(struct str modifiers)
{
    enum space named = SPACE_NONE;
    unsigned count = 0;
    for (size_t at = 0; at < modifiers.n; at++) {
        if (modifiers.p[at] != '.') continue;
        enum space space = space_of((struct str){modifiers.p + at + 1, modifiers.n - at - 1});
        if (space == SPACE_NONE) continue;
        named = space;
        count++;
    }
    if (count != 1) return 0;
    return (uint8_t)((named == SPACE_GLOBAL ? 0 : CHECK_EFFECT_NO_GLOBAL) |
                     (named == SPACE_SHARED ? 0 : CHECK_EFFECT_NO_SHARED));
}

uint8_t touch_spared(struct str head, struct str modifiers, unsigned effect)
{
    if (effect == CHECK_EFFECT_NEUTRAL) {
        bool access = head.n == 2 && (str_is(head, "ld") || str_is(head, "st"));
        return access ? spared_by_space(modifiers) : 0;
    }
    bool elects = str_is(head, "elect") && str_is(modifiers, ".sync");
    return elects ? CHECK_EFFECT_ELECTION : 0;
}

/* Whether a modifier is word, or, with more, begins with word. */
static bool has_word(struct str modifiers, const char *word, bool more)
{
    bool found = false;
    for (size_t at = 0; at < modifiers.n && !found; at++)
        found =
            modifiers.p[at] == '.' &&
            modifier_is_word((struct str){modifiers.p + at + 1, modifiers.n - at - 1}, word, more);
    return found;
}

/* Local and parameter memory do not count, because ptxas may keep them in registers. */
bool touch_stores(struct str head, struct str modifiers)
{
    if (str_is(head, "stmatrix")) return true;
    return str_is(head, "st") && !has_word(modifiers, "async", false) &&
           !has_word(modifiers, "bulk", false) && !has_word(modifiers, "local", false) &&
           !has_word(modifiers, "param", true);
}

/* No thread writes to parameters and constants. */
bool touch_loads(struct str head, struct str modifiers)
{
    if (str_is(head, "ld"))
        return !has_word(modifiers, "param", true) && !has_word(modifiers, "const", false);
    return str_is(head, "atom") || str_is(head, "call") || str_is(head, "ldmatrix") ||
           str_is(head, "ldu") || str_is(head, "suld") || str_is(head, "tex") ||
           str_is(head, "tld4");
}
