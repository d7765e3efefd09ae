/* A second copy of the checker's table, so that its rows can be walked. See checker_table.h. */
#include "checker_table.h"

#define effect_of checker_table_effect_of
#define effect_has checker_table_effect_has
#define effect_is_known checker_table_effect_is_known
#include "check/effect.c"

const char *checker_class(struct str head, struct str modifiers)
{
    struct effect_class class = effect_of(head, modifiers);
    switch (class.effect) {
    case EFFECT_NEUTRAL: return class.flags & EFFECT_PURE ? "register" : "memory";
    case EFFECT_BRANCH:
    case EFFECT_INDEXED: return class.flags & EFFECT_PURE ? "register" : "memory";
    case EFFECT_LD: return "async-ld";
    case EFFECT_ST: return "async-st";
    case EFFECT_MMA: return "async-mma";
    case EFFECT_CP: return "async-cp";
    case EFFECT_SHIFT: return "async-shift";
    case EFFECT_WAIT_LD: return "wait-ld";
    case EFFECT_WAIT_ST: return "wait-st";
    case EFFECT_BEFORE: return "fence-before";
    case EFFECT_AFTER: return "fence-after";
    case EFFECT_COMMIT: return "commit";
    case EFFECT_RELEASE_BARRIER: return "release-barrier";
    case EFFECT_RELEASE_MEMORY: return "release-memory";
    case EFFECT_ACQUIRE_BARRIER: return "acquire-barrier";
    case EFFECT_ACQUIRE_MEMORY: return "acquire-memory";
    case EFFECT_BOTH_BARRIER: return "both-barrier";
    case EFFECT_BOTH_MEMORY: return "both-memory";
    case EFFECT_MEET: return "memory"; /* under sync-is-no-barrier */
    case EFFECT_ALLOC: return "alloc";
    case EFFECT_CALL: return "call";
    case EFFECT_RET:
    case EFFECT_EXIT: return "exit";
    case EFFECT_STRANGE: return "unsupported";
    default: return "?";
    }
}

uint32_t checker_results(struct str head, struct str modifiers)
{
    uint8_t flags = effect_of(head, modifiers).flags;
    if (flags & EFFECT_ALL_RESULTS) return 255;
    if (flags & EFFECT_NO_RESULT) return 0;
    return flags & EFFECT_TWO_RESULTS ? 2 : 1;
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
