/* Stores sets of numbers that share their nodes, in a trie with one hash table of nodes. A node is
 * identified by its 64 bits, at every level, so one table serves all levels. */
#include "base/shared_set.h"

#include "base/work.h"

enum { TABLE_MIN = 64, WORD_BITS = 64 };

void shared_sets_init(struct shared_sets *sets, uint32_t members)
{
    *sets = (struct shared_sets){.table_cap = TABLE_MIN};
    for (uint32_t words = members / WORD_BITS; words; words /= 2) sets->levels++;
    sets->table = mem_zalloc(TABLE_MIN, sizeof *sets->table);
    vec_push(&sets->nodes, 0);
}

void shared_sets_free(struct shared_sets *sets)
{
    mem_free(sets->table);
    vec_free(&sets->nodes);
}

/* Returns the entry of the node with these bits, or the empty entry where it belongs. */
static shared_set *find_entry(const struct shared_sets *sets, uint64_t bits)
{
    uint64_t hash = bits * 0x9e3779b97f4a7c15u; /* 2^64 divided by the golden ratio */
    uint32_t at = (uint32_t)(hash >> 32) & (sets->table_cap - 1);
    while (sets->table[at] && sets->nodes.at[sets->table[at]] != bits)
        at = (at + 1) & (sets->table_cap - 1);
    return &sets->table[at];
}

static void grow_table(struct shared_sets *sets)
{
    mem_free(sets->table);
    sets->table_cap *= 2;
    sets->table = mem_zalloc(sets->table_cap, sizeof *sets->table);
    for (uint32_t n = 1; n < sets->nodes.count; n++) *find_entry(sets, sets->nodes.at[n]) = n;
}

static shared_set node_of(struct shared_sets *sets, uint64_t bits)
{
    if (!bits) return 0;
    shared_set *entry = find_entry(sets, bits);
    if (*entry) return *entry;
    *entry = sets->nodes.count;
    vec_push(&sets->nodes, bits);
    if (sets->nodes.count > sets->table_cap / 2) grow_table(sets);
    return sets->nodes.count - 1;
}

static shared_set shared_set_half(const struct shared_sets *sets, shared_set set, unsigned upper)
{
    return (shared_set)(sets->nodes.at[set] >> 32 * upper);
}

static shared_set shared_set_join(struct shared_sets *sets, shared_set lower, shared_set upper)
{
    return node_of(sets, (uint64_t)upper << 32 | lower);
}

static shared_set add_at(struct shared_sets *sets, shared_set set, uint32_t word, uint64_t bits,
                         unsigned level)
{
    if (!level) return node_of(sets, sets->nodes.at[set] | bits);
    shared_set halves[2] = {shared_set_half(sets, set, 0), shared_set_half(sets, set, 1)};
    unsigned upper = word >> (level - 1) & 1;
    halves[upper] = add_at(sets, halves[upper], word, bits, level - 1);
    return shared_set_join(sets, halves[0], halves[1]);
}

shared_set shared_set_add(struct shared_sets *sets, shared_set set, uint32_t word, uint64_t bits)
{
    work_spend(1);
    return add_at(sets, set, word, bits, sets->levels);
}

static shared_set unite_at(struct shared_sets *sets, shared_set a, shared_set b, unsigned level)
{
    if (a == b || !b) return a;
    if (!a) return b;
    work_spend(1);
    if (!level) return node_of(sets, sets->nodes.at[a] | sets->nodes.at[b]);
    shared_set lower =
        unite_at(sets, shared_set_half(sets, a, 0), shared_set_half(sets, b, 0), level - 1);
    return shared_set_join(
        sets, lower,
        unite_at(sets, shared_set_half(sets, a, 1), shared_set_half(sets, b, 1), level - 1));
}

shared_set shared_set_unite(struct shared_sets *sets, shared_set a, shared_set b)
{
    return unite_at(sets, a, b, sets->levels);
}

bool shared_set_has(const struct shared_sets *sets, shared_set set, uint32_t member)
{
    for (unsigned level = sets->levels; level && set; level--)
        set = shared_set_half(sets, set, member / WORD_BITS >> (level - 1) & 1);
    return sets->nodes.at[set] >> member % WORD_BITS & 1;
}
