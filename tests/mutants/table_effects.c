/* The checker's table of opcodes, with visible rows; linked in place of the library's. */
#include "check/model/effect.c"

#include "tables.h"

static const char *const names[] = {
    "neutral",
    "ld",
    "st",
    "mma",
    "cp",
    "shift",
    "wait-ld",
    "wait-st",
    "before",
    "after",
    "commit",
    "release-barrier",
    "release-memory",
    "acquire-barrier",
    "acquire-memory",
    "both-barrier",
    "both-memory",
    "meet",
    "alloc",
    "call",
    "ret",
    "exit",
    "branch",
    "indexed",
    "strange",
};

static void add(const char *opcode, const char *form, const uint8_t *at, uint8_t effect)
{
    if (*at != effect)
        add_mutant(OF_CHECKER, (struct reach){.word = opcode}, at, &effect, sizeof effect,
                   "check/%s%s: %s is %s", opcode, form, names[*at], names[effect]);
}

/* The weaker effects than a given one, and those that a commit's fence orders. */
static void weaken(const char *opcode, const char *form, const uint8_t *at)
{
    switch (*at) {
    case CHECK_EFFECT_NEUTRAL:
    case CHECK_EFFECT_BRANCH:
    case CHECK_EFFECT_INDEXED:
    case CHECK_EFFECT_STRANGE: return;
    case CHECK_EFFECT_RELEASE_MEMORY: add(opcode, form, at, CHECK_EFFECT_RELEASE_BARRIER); break;
    case CHECK_EFFECT_ACQUIRE_MEMORY: add(opcode, form, at, CHECK_EFFECT_ACQUIRE_BARRIER); break;
    case CHECK_EFFECT_RELEASE_BARRIER:
        add(opcode, form, at, CHECK_EFFECT_RELEASE_MEMORY);
        add(opcode, form, at, CHECK_EFFECT_ACQUIRE_BARRIER);
        break;
    case CHECK_EFFECT_ACQUIRE_BARRIER:
        add(opcode, form, at, CHECK_EFFECT_ACQUIRE_MEMORY);
        add(opcode, form, at, CHECK_EFFECT_RELEASE_BARRIER);
        break;
    case CHECK_EFFECT_BOTH_MEMORY:
        add(opcode, form, at, CHECK_EFFECT_BOTH_BARRIER);
        add(opcode, form, at, CHECK_EFFECT_RELEASE_MEMORY);
        add(opcode, form, at, CHECK_EFFECT_ACQUIRE_MEMORY);
        break;
    case CHECK_EFFECT_BOTH_BARRIER:
        add(opcode, form, at, CHECK_EFFECT_RELEASE_BARRIER);
        add(opcode, form, at, CHECK_EFFECT_ACQUIRE_BARRIER);
        break;
    case CHECK_EFFECT_ALLOC: add(opcode, form, at, CHECK_EFFECT_BOTH_MEMORY); break;
    case CHECK_EFFECT_EXIT: add(opcode, form, at, CHECK_EFFECT_RET); break;
    case CHECK_EFFECT_RET: add(opcode, form, at, CHECK_EFFECT_EXIT); break;
    default: break;
    }
    if (*at >= CHECK_EFFECT_LD && *at <= CHECK_EFFECT_SHIFT)
        for (uint8_t other = CHECK_EFFECT_LD; other <= CHECK_EFFECT_SHIFT; other++)
            add(opcode, form, at, other);
    add(opcode, form, at, CHECK_EFFECT_NEUTRAL);
}

void make_effect_mutants(void)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        weaken(rows[i].head, "", &rows[i].effect);
        uint16_t pure = rows[i].flags | PURE;
        if (!(rows[i].flags & PURE) && rows[i].effect == CHECK_EFFECT_NEUTRAL)
            add_mutant(OF_CHECKER, (struct reach){.word = rows[i].head}, &rows[i].flags, &pure,
                       sizeof pure, "check/%s: touches registers only", rows[i].head);
    }
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        weaken(forms[i].head, forms[i].prefix, &forms[i].effect);
}
