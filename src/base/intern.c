/* Which number has this name? An open-addressing hash table with linear probing. */
#include "base/intern.h"

#include "base/mem.h"
#include "base/work.h"

struct intern_slot {
    const char *name;
    uint32_t length, key, hash;
    uint32_t id; /* id + 1; 0 marks an empty slot */
};

/* n bytes, at most eight, as a number: of more than three the first and the last four. */
static inline uint64_t load(const char *p, size_t n)
{
    uint64_t eight = 0;
    uint32_t first, last;
    if (n == 8) {
        memcpy(&eight, p, 8);
    } else if (n >= 4) {
        memcpy(&first, p, 4);
        memcpy(&last, p + n - 4, 4);
        eight = first | (uint64_t)last << 32;
    } else if (n) {
        eight = (unsigned char)p[0] | (uint64_t)(unsigned char)p[n / 2] << 8 |
                (uint64_t)(unsigned char)p[n - 1] << 16;
    }
    return eight;
}

/* The product has what tells a word in its upper half: the next one, or the end, sees it from
 * below. */
static uint64_t mix(uint64_t h, uint64_t word)
{
    h = (h ^ word) * 0x9e3779b97f4a7c15u;
    return h ^ h >> 32;
}

static uint32_t hash(uint32_t key, struct str name)
{
    uint64_t h = key * UINT64_C(0xd6e8feb86659fd93) + name.n;
    const char *p = name.p;
    size_t left = name.n;
    for (; left > 8; left -= 8, p += 8) h = mix(h, load(p, 8));
    return (uint32_t)(mix(mix(h, load(p, left)), 0) >> 32);
}

/* Words of eight, the last one with what the one before had, too. */
static bool same_bytes(const char *a, const char *b, size_t n)
{
    if (n <= 8) return load(a, n) == load(b, n);
    for (size_t i = 0; i + 8 < n; i += 8)
        if (load(a + i, 8) != load(b + i, 8)) return false;
    return load(a + n - 8, 8) == load(b + n - 8, 8);
}

static bool is_in(const struct intern_slot *slot, uint32_t h, uint32_t key, struct str name)
{
    if (slot->hash != h || slot->key != key || slot->length != name.n) return false;
    return same_bytes(slot->name, name.p, name.n);
}

static struct intern_slot *probe(const struct intern *table, uint32_t h, uint32_t key,
                                 struct str name)
{
    uint32_t i = h & (table->cap - 1);
    work_spend(1);
    while (table->slots[i].id && !is_in(&table->slots[i], h, key, name))
        i = (i + 1) & (table->cap - 1);
    return &table->slots[i];
}

static void grow(struct intern *table)
{
    struct intern bigger = {.cap = table->cap ? table->cap * 2 : 64, .count = table->count};
    bigger.slots = mem_zalloc(bigger.cap, sizeof *bigger.slots);
    for (uint32_t i = 0; i < table->cap; i++) {
        uint32_t at = table->slots[i].hash & (bigger.cap - 1);
        if (!table->slots[i].id) continue;
        while (bigger.slots[at].id) at = (at + 1) & (bigger.cap - 1);
        bigger.slots[at] = table->slots[i];
    }
    mem_free(table->slots);
    *table = bigger;
}

uint32_t intern_add(struct intern *table, uint32_t key, struct str name)
{
    if (table->count >= table->cap / 2) grow(table);
    uint32_t h = hash(key, name);
    struct intern_slot *slot = probe(table, h, key, name);
    if (!slot->id) *slot = (struct intern_slot){name.p, (uint32_t)name.n, key, h, ++table->count};
    return slot->id - 1;
}

uint32_t intern_find(const struct intern *table, uint32_t key, struct str name)
{
    if (!table->cap) return INTERN_NONE;
    const struct intern_slot *slot = probe(table, hash(key, name), key, name);
    return slot->id ? slot->id - 1 : INTERN_NONE;
}

void intern_free(struct intern *table)
{
    mem_free(table->slots);
    *table = (struct intern){0};
}
