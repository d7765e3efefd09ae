/* Numbers names with an open-addressing hash table that uses linear probing. */
#include "base/intern.h"

#include "base/mem.h"
#include "base/word.h"
#include "base/work.h"

struct intern_name {
    const char *at;
    uint32_t length, key, hash;
};

/* A product depends on all input bits only in its upper half. The shift copies this half to the
 * lower one, where the next multiplication or the final result uses it. */
static uint64_t mix_word(uint64_t h, uint64_t word)
{
    h = (h ^ word) * WORD_SPREAD;
    return h ^ h >> 32;
}

/* The last word may overlap the one before it. */
static inline uint32_t intern_hash(uint32_t key, struct str name)
{
    uint64_t h = key * UINT64_C(0xd6e8feb86659fd93) + name.n, last;
    if (name.n <= 8) {
        last = word_load(name.p, name.n);
    } else {
        for (size_t i = 0; i + 8 < name.n; i += 8) h = mix_word(h, word_load(name.p + i, 8));
        last = word_load(name.p + name.n - 8, 8);
    }
    return (uint32_t)(mix_word(mix_word(h, last), 0) >> 32);
}

static inline bool intern_is_name(const struct intern_name *known, uint32_t h, uint32_t key,
                                  struct str name)
{
    if (known->hash != h || known->key != key || known->length != name.n) return false;
    return word_same(known->at, name.p, name.n);
}

/* Returns the slot of the name, or the empty slot where it belongs. */
static inline uint32_t *intern_probe(const struct intern *table, uint32_t h, uint32_t key,
                                     struct str name)
{
    uint32_t i = h & (table->cap - 1);
    work_spend(1);
    while (table->slots[i] && !intern_is_name(&table->names[table->slots[i] - 1], h, key, name))
        i = (i + 1) & (table->cap - 1);
    return &table->slots[i];
}

static void intern_grow(struct intern *table)
{
    table->cap = table->cap ? table->cap * 2 : 64;
    table->names = mem_realloc(table->names, table->cap / 2 * sizeof *table->names);
    mem_free(table->slots);
    table->slots = mem_zalloc(table->cap, sizeof *table->slots);
    for (uint32_t number = 0; number < table->count; number++) {
        uint32_t at = table->names[number].hash & (table->cap - 1);
        while (table->slots[at]) at = (at + 1) & (table->cap - 1);
        table->slots[at] = number + 1;
    }
}

uint32_t intern_add(struct intern *table, uint32_t key, struct str name)
{
    if (table->count >= table->cap / 2) intern_grow(table);
    uint32_t h = intern_hash(key, name);
    uint32_t *slot = intern_probe(table, h, key, name);
    if (!*slot) {
        table->names[table->count] = (struct intern_name){name.p, (uint32_t)name.n, key, h};
        *slot = ++table->count;
    }
    return *slot - 1;
}

uint32_t intern_find(const struct intern *table, uint32_t key, struct str name)
{
    if (!table->cap) return INTERN_NONE;
    uint32_t slot = *intern_probe(table, intern_hash(key, name), key, name);
    return slot ? slot - 1 : INTERN_NONE;
}

void intern_free(struct intern *table)
{
    mem_free(table->names);
    mem_free(table->slots);
    *table = (struct intern){0};
}

void intern_list(const struct intern *table, const uint32_t *numbers, uint32_t count,
                 uint32_t *first, uint32_t *next)
{
    uint32_t *last = mem_alloc((table->count + 1) * sizeof *last);
    for (uint32_t n = 0; n < table->count; n++) last[n] = count;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t number = numbers[i];
        first[i] = next[i] = count;
        if (number == INTERN_NONE) continue;
        uint32_t before = last[number];
        first[i] = before == count ? i : first[before];
        if (before != count) next[before] = i;
        last[number] = i;
    }
    mem_free(last);
}
