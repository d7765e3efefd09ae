/* Numbers names. An open-addressing hash table with linear probing. */
#include "base/intern.h"

#include "base/mem.h"
#include "base/word.h"
#include "base/work.h"

struct intern_slot {
    const char *name;
    uint32_t length, key, hash;
    uint32_t id; /* id + 1; 0 marks an empty slot */
};

/* The product has the distinguishing bits in its upper half: the next one, or the end, sees it from
 * below. */
static uint64_t mix_word(uint64_t h, uint64_t word)
{
    h = (h ^ word) * WORD_SPREAD;
    return h ^ h >> 32;
}

static uint32_t intern_hash(uint32_t key, struct str name)
{
    uint64_t h = key * UINT64_C(0xd6e8feb86659fd93) + name.n;
    const char *p = name.p;
    size_t left = name.n;
    for (; left > 8; left -= 8, p += 8) h = mix_word(h, word_load(p, 8));
    return (uint32_t)(mix_word(mix_word(h, word_load(p, left)), 0) >> 32);
}

static bool slot_has(const struct intern_slot *slot, uint32_t h, uint32_t key, struct str name)
{
    if (slot->hash != h || slot->key != key || slot->length != name.n) return false;
    return word_same(slot->name, name.p, name.n);
}

static struct intern_slot *intern_probe(const struct intern *table, uint32_t h, uint32_t key,
                                        struct str name)
{
    uint32_t i = h & (table->cap - 1);
    work_spend(1);
    while (table->slots[i].id && !slot_has(&table->slots[i], h, key, name))
        i = (i + 1) & (table->cap - 1);
    return &table->slots[i];
}

static void intern_grow(struct intern *table)
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
    if (table->count >= table->cap / 2) intern_grow(table);
    uint32_t h = intern_hash(key, name);
    struct intern_slot *slot = intern_probe(table, h, key, name);
    if (!slot->id) *slot = (struct intern_slot){name.p, (uint32_t)name.n, key, h, ++table->count};
    return slot->id - 1;
}

uint32_t intern_find(const struct intern *table, uint32_t key, struct str name)
{
    if (!table->cap) return INTERN_NONE;
    const struct intern_slot *slot = intern_probe(table, intern_hash(key, name), key, name);
    return slot->id ? slot->id - 1 : INTERN_NONE;
}

void intern_free(struct intern *table)
{
    mem_free(table->slots);
    *table = (struct intern){0};
}
