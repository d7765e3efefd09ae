/* Includes a second copy of the checker's table, so that tests can read its rows. See
 * checker_table.h. */
#include "checker_table.h"

#define check_effect_of checker_table_effect_of
#include "check/model/effect.c"

const char *checker_class(struct str head, struct str modifiers)
{
    struct check_effect_class class = check_effect_of(head, modifiers);
    switch (class.effect) {
    case CHECK_EFFECT_NEUTRAL: return class.flags & CHECK_EFFECT_PURE ? "register" : "memory";
    case CHECK_EFFECT_BRANCH:
    case CHECK_EFFECT_INDEXED: return class.flags & CHECK_EFFECT_PURE ? "register" : "memory";
    case CHECK_EFFECT_LD: return "async-ld";
    case CHECK_EFFECT_ST: return "async-st";
    case CHECK_EFFECT_MMA: return "async-mma";
    case CHECK_EFFECT_CP: return "async-cp";
    case CHECK_EFFECT_SHIFT: return "async-shift";
    case CHECK_EFFECT_WAIT_LD: return "wait-ld";
    case CHECK_EFFECT_WAIT_ST: return "wait-st";
    case CHECK_EFFECT_BEFORE: return "fence-before";
    case CHECK_EFFECT_AFTER: return "fence-after";
    case CHECK_EFFECT_COMMIT: return "commit";
    case CHECK_EFFECT_RELEASE_BARRIER: return "release-barrier";
    case CHECK_EFFECT_RELEASE_MEMORY: return "release-memory";
    case CHECK_EFFECT_ACQUIRE_BARRIER: return "acquire-barrier";
    case CHECK_EFFECT_ACQUIRE_MEMORY: return "acquire-memory";
    case CHECK_EFFECT_BOTH_BARRIER: return "both-barrier";
    case CHECK_EFFECT_BOTH_MEMORY: return "both-memory";
    case CHECK_EFFECT_MEET: return "meet-memory";
    case CHECK_EFFECT_ALLOC: return "alloc";
    case CHECK_EFFECT_CALL: return "call";
    case CHECK_EFFECT_RET:
    case CHECK_EFFECT_EXIT: return "exit";
    case CHECK_EFFECT_STRANGE: return "unsupported";
    default: return "?";
    }
}

uint32_t checker_results(struct str head, struct str modifiers)
{
    uint8_t flags = check_effect_of(head, modifiers).flags;
    if (flags & CHECK_EFFECT_ALL_RESULTS) return 255;
    if (flags & CHECK_EFFECT_NO_RESULT) return 0;
    return flags & CHECK_EFFECT_TWO_RESULTS ? 2 : 1;
}

const char *checker_opcode(uint32_t index)
{
    return index < sizeof rows / sizeof *rows ? rows[index].head : NULL;
}

const char *checker_form(uint32_t index, const char **prefix)
{
    if (index >= sizeof forms / sizeof *forms) return NULL;
    *prefix = forms[index].prefix;
    return forms[index].head;
}
