/* Finds the row of the opcode effects table for an instruction. See opcode.h. */
#include "ptx/opcode.h"

#include "base/word.h"

const struct opcode opcode_unknown = {"?", EFFECT_BOTH_MEMORY, OPCODE_WRITES_ALL, OPCODE_EARLY, "",
                                      NULL};
static const struct opcode opcode_unsupported = {
    "tcgen05", EFFECT_UNSUPPORTED, OPCODE_WRITES_ALL, OPCODE_TCGEN05, "", NULL};

const struct opcode opcode_clock = {"clock", EFFECT_BOTH_MEMORY, 1, OPCODE_SILENT, "9.7", NULL};

bool opcode_is_clock_by_name(struct str name)
{
    return (name.n >= 6 && memcmp(name.p, "%clock", 6) == 0) ||
           (name.n >= 12 && memcmp(name.p, "%globaltimer", 12) == 0);
}

#define CALL(effect, traits) [effect] = {"call", effect, 0, traits, "9.7.12.5", ""}
#define CALLED(effect) CALL(effect, OPCODE_CALLED)
const struct opcode *opcode_called(enum effect effect)
{
    static const struct opcode rows[EFFECT_COUNT] = {
        CALL(EFFECT_REGISTER, OPCODE_NONE),
        CALL(EFFECT_MEMORY, OPCODE_NONE),
        CALLED(EFFECT_ASYNC_LD),
        CALLED(EFFECT_ASYNC_ST),
        CALLED(EFFECT_ASYNC_MMA),
        CALLED(EFFECT_ASYNC_CP),
        CALLED(EFFECT_ASYNC_SHIFT),
        CALLED(EFFECT_WAIT_LD),
        CALLED(EFFECT_WAIT_ST),
        CALLED(EFFECT_FENCE_BEFORE),
        CALLED(EFFECT_FENCE_AFTER),
        CALLED(EFFECT_COMMIT),
        CALLED(EFFECT_RELEASE_BARRIER),
        CALLED(EFFECT_RELEASE_MEMORY),
        CALLED(EFFECT_ACQUIRE_BARRIER),
        CALL(EFFECT_ACQUIRE_MEMORY, OPCODE_CALLED | OPCODE_EARLY),
        CALLED(EFFECT_BOTH_BARRIER),
        CALL(EFFECT_BOTH_MEMORY, OPCODE_CALLED | OPCODE_EARLY),
        CALLED(EFFECT_MEET_MEMORY),
        CALLED(EFFECT_ALLOC),
    };
    return &rows[effect];
}
#undef CALLED
#undef CALL
const struct opcode opcode_called_again = {
    "call", EFFECT_REGISTER, 0, OPCODE_CALLED | OPCODE_BRANCH, "9.7.12.5", ""};
const struct opcode opcode_end_of_body = {"end of body", EFFECT_EXIT, 0, OPCODE_NONE, "", ""};

/* Whether the mnemonic has the first word of *list, whose words are separated by blanks. If so,
 * moves *list to the next word, or to the end. */
static bool mnemonic_has_listed(const struct mnemonic *mnemonic, const char **list)
{
    for (uint32_t i = 0; i < mnemonic->count; i++) {
        struct str modifier = mnemonic->modifiers[i];
        const char *word = *list;
        if (word[1] != modifier.p[1]) continue; /* both begin with a dot and a letter */
        size_t n = 2;
        while (n < modifier.n && word[n] == modifier.p[n]) n++;
        if (n < modifier.n || (word[n] && word[n] != ' ')) continue;
        *list = word[n] ? &word[n + 1] : &word[n];
        return true;
    }
    return false;
}

bool mnemonic_has(const struct mnemonic *mnemonic, const char *modifier)
{
    struct str wanted = str_from(modifier);
    for (uint32_t i = 0; i < mnemonic->count; i++)
        if (str_eq(mnemonic->modifiers[i], wanted)) return true;
    return false;
}

/* Looks where the first bytes of the modifier occur in the list; each word of a list is longer. */
static bool list_has_modifier(const char *list, struct str modifier)
{
    char begin[] = {modifier.p[0], modifier.p[1], modifier.n > 2 ? modifier.p[2] : '\0', '\0'};
    for (; (list = strstr(list, begin)); list++) {
        size_t n = 0;
        while (n < modifier.n && list[n] == modifier.p[n]) n++;
        if (list[n] == '*' || (n == modifier.n && (list[n] == ' ' || !list[n]))) return true;
    }
    return false;
}

static bool row_matches(const struct opcode *row, const struct mnemonic *mnemonic)
{
    const char *required = row->name + mnemonic->base.n, *left = required;
    if (*left) left++; /* the blank after the base */
    while (*left)
        if (!mnemonic_has_listed(mnemonic, &left)) return false;
    if (!row->allowed) return true;
    for (uint32_t i = 0; i < mnemonic->count; i++)
        if (!(*required && list_has_modifier(required, mnemonic->modifiers[i])) &&
            !list_has_modifier(row->allowed, mnemonic->modifiers[i]))
            return false;
    return true;
}

/* A base opcode with its first letters as a number that is ordered like them. */
struct base {
    struct str text;
    uint64_t mask, key; /* mask: the bytes that the key has, at most eight */
};

static uint64_t base_key(const char *name, uint64_t mask)
{
    return __builtin_bswap64(word_load(name, sizeof mask) & mask);
}

static struct base base_of(struct str text)
{
    struct base base = {text, UINT64_MAX, 0};
    size_t n = text.n < sizeof base.mask ? text.n : sizeof base.mask;
    base.mask >>= 8 * (sizeof base.mask - n);
    base.key = __builtin_bswap64(word_load(text.p, n));
    return base;
}

/* Negative, zero or positive, as the base opcode of row is less than, equal to or greater than
 * base, which is not empty. */
static inline int compare_base(const struct opcode *row, const struct base *base)
{
    uint64_t key = base_key(row->name, base->mask);
    if (key != base->key) return key < base->key ? -1 : 1;
    struct str text = base->text;
    size_t n = text.n < sizeof base->mask ? text.n : sizeof base->mask;
    while (n < text.n && row->name[n] && row->name[n] == text.p[n]) n++;
    unsigned char ours = row->name[n] == ' ' ? '\0' : (unsigned char)row->name[n];
    return ours - (n < text.n ? (unsigned char)text.p[n] : '\0');
}

/* The first row with that base. Rows are sorted by base opcode; rows with the same base are in the
 * order of preference. */
static uint32_t first_row(const struct opcode *rows, uint32_t count, const struct base *base)
{
    uint32_t low = 0, high = count;
    while (low < high) {
        uint32_t mid = low + (high - low) / 2;
        if (compare_base(&rows[mid], base) < 0)
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
    struct base base = base_of(mnemonic->base);
    uint32_t i = first_row(rows, count, &base);
    for (; i < count && compare_base(&rows[i], &base) == 0; i++)
        if (row_matches(&rows[i], mnemonic)) return &rows[i];
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
        [EFFECT_MEET_MEMORY] = "meet-memory",
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

enum memory_space mnemonic_space(const struct mnemonic *m)
{
    enum memory_space named = SPACE_ANY;
    uint32_t count = 0;
    if (!str_is(m->base, "ld") && !str_is(m->base, "st")) return SPACE_ANY;
    for (uint32_t i = 0; i < m->count; i++) {
        struct str word = m->modifiers[i];
        enum memory_space space = str_is(word, ".global")       ? SPACE_GLOBAL
                                  : str_starts(word, ".shared") ? SPACE_SHARED
                                  : str_is(word, ".local")      ? SPACE_PRIVATE
                                  : str_starts(word, ".param")  ? SPACE_PRIVATE
                                  : str_is(word, ".const")      ? SPACE_PRIVATE
                                                                : SPACE_ANY;
        if (space == SPACE_ANY) continue;
        named = space;
        count++;
    }
    return count == 1 ? named : SPACE_ANY;
}
