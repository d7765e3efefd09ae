/* Which row of the effects table is this instruction? */
#include "ptx/opcode.h"

const struct opcode opcode_unknown = {"?", EFFECT_BOTH_MEMORY, OPCODE_WRITES_ALL, OPCODE_NONE, "",
                                      "*"};
const struct opcode opcode_unsupported = {
    "tcgen05", EFFECT_UNSUPPORTED, OPCODE_WRITES_ALL, OPCODE_TCGEN05, "", "*"};

const struct opcode opcode_clock = {"clock", EFFECT_BOTH_MEMORY, 1, OPCODE_NONE, "9.7", "*"};

bool opcode_is_clock(struct str name)
{
    return (name.n >= 6 && memcmp(name.p, "%clock", 6) == 0) ||
           (name.n >= 12 && memcmp(name.p, "%globaltimer", 12) == 0);
}

const struct opcode opcode_end_of_body = {"end of body", EFFECT_EXIT, 0, OPCODE_NONE, "", ""};

/* Takes the next blank-separated word of *list; an empty one at the end. */
static struct str next_word(const char **list)
{
    while (**list == ' ') ++*list;
    const char *start = *list;
    while (**list && **list != ' ') ++*list;
    return (struct str){start, (size_t)(*list - start)};
}

static bool has(const struct mnemonic *mnemonic, struct str modifier)
{
    for (uint32_t i = 0; i < mnemonic->count; i++)
        if (str_eq(mnemonic->modifiers[i], modifier)) return true;
    return false;
}

bool mnemonic_has(const struct mnemonic *mnemonic, const char *modifier)
{
    return has(mnemonic, str_from(modifier));
}

static bool lists(const char *list, struct str modifier)
{
    for (struct str word; (word = next_word(&list)).n;) {
        if (word.p[word.n - 1] == '*') {
            if (modifier.n >= word.n - 1 && memcmp(modifier.p, word.p, word.n - 1) == 0)
                return true;
        } else if (str_eq(word, modifier)) {
            return true;
        }
    }
    return false;
}

static bool matches(const struct opcode *row, const struct mnemonic *mnemonic)
{
    const char *name = row->name;
    if (!str_eq(next_word(&name), mnemonic->base)) return false;
    const char *required = name;
    for (struct str word; (word = next_word(&name)).n;)
        if (!has(mnemonic, word)) return false;
    for (uint32_t i = 0; i < mnemonic->count; i++)
        if (!lists(required, mnemonic->modifiers[i]) &&
            !lists(row->allowed, mnemonic->modifiers[i]))
            return false;
    return true;
}

/* Rows are sorted by base opcode; the order among rows of one base is the order of preference. */
static uint32_t first_row(const struct opcode *rows, uint32_t count, struct str base)
{
    uint32_t low = 0, high = count;
    while (low < high) {
        uint32_t mid = low + (high - low) / 2;
        const char *name = rows[mid].name;
        struct str word = next_word(&name);
        size_t n = word.n < base.n ? word.n : base.n;
        int order = memcmp(word.p, base.p, n);
        if (order < 0 || (order == 0 && word.n < base.n))
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

const struct opcode *opcode_of_none(struct str base)
{
    return str_is(base, "tcgen05") ? &opcode_unsupported : &opcode_unknown;
}

const struct opcode *opcode_find(const struct mnemonic *mnemonic)
{
    uint32_t count;
    const struct opcode *rows = opcode_rows(&count);
    for (uint32_t i = first_row(rows, count, mnemonic->base); i < count; i++) {
        const char *name = rows[i].name;
        if (!str_eq(next_word(&name), mnemonic->base)) break;
        if (matches(&rows[i], mnemonic)) return &rows[i];
    }
    return opcode_of_none(mnemonic->base);
}

const char *effect_name(enum effect effect)
{
    static const char *const names[EFFECT_COUNT] = {
        [EFFECT_REGISTER] = "register",
        [EFFECT_MEMORY] = "memory",
        [EFFECT_ASYNC_LD] = "async-ld",
        [EFFECT_ASYNC_ST] = "async-st",
        [EFFECT_ASYNC_MMA] = "async-mma",
        [EFFECT_ASYNC_CP] = "async-cp",
        [EFFECT_ASYNC_SHIFT] = "async-shift",
        [EFFECT_WAIT_LD] = "wait-ld",
        [EFFECT_WAIT_ST] = "wait-st",
        [EFFECT_FENCE_BEFORE] = "fence-before",
        [EFFECT_FENCE_AFTER] = "fence-after",
        [EFFECT_COMMIT] = "commit",
        [EFFECT_RELEASE_BARRIER] = "release-barrier",
        [EFFECT_RELEASE_MEMORY] = "release-memory",
        [EFFECT_ACQUIRE_BARRIER] = "acquire-barrier",
        [EFFECT_ACQUIRE_MEMORY] = "acquire-memory",
        [EFFECT_BOTH_BARRIER] = "both-barrier",
        [EFFECT_BOTH_MEMORY] = "both-memory",
        [EFFECT_ALLOC] = "alloc",
        [EFFECT_CALL] = "call",
        [EFFECT_EXIT] = "exit",
        [EFFECT_UNSUPPORTED] = "unsupported",
    };
    return names[effect];
}

enum proxy_fence mnemonic_proxy(const struct mnemonic *m)
{
    if (!str_is(m->base, "fence") || !mnemonic_has(m, ".proxy") || !mnemonic_has(m, ".async"))
        return PROXY_NONE;
    if (m->count == 2) return PROXY_ALL;
    if (m->count != 3) return PROXY_NONE;
    if (mnemonic_has(m, ".global")) return PROXY_GLOBAL;
    if (mnemonic_has(m, ".shared::cta")) return PROXY_SHARED_CTA;
    return mnemonic_has(m, ".shared::cluster") ? PROXY_SHARED_CLUSTER : PROXY_NONE;
}

enum tcgen05_shape mnemonic_shape(const struct mnemonic *m)
{
    if (mnemonic_has(m, ".4x256b")) return SHAPE_4X256B;
    return mnemonic_has(m, ".16x32bx2") ? SHAPE_16X32BX2 : SHAPE_OTHER;
}
