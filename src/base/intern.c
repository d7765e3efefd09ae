/* Which number has this name? An open-addressing hash table (FNV-1a, linear probing). */
#include "base/intern.h"

#include "base/mem.h"
#include "base/work.h"

struct intern_slot {
    struct str name;
    uint32_t key, id; /* id + 1; 0 marks an empty slot */
};

static uint32_t hash(uint32_t key, struct str name)
{
    uint32_t h = 2166136261u ^ key * 2654435761u;
    for (size_t i = 0; i < name.n; i++) h = (h ^ (unsigned char)name.p[i]) * 16777619u;
    return h ^ h >> 15;
}

static struct intern_slot *probe(const struct intern *table, uint32_t key, struct str name)
{
    work_spend(1);
    uint32_t i = hash(key, name) & (table->cap - 1);
    while (table->slots[i].id &&
           !(table->slots[i].key == key && str_eq(table->slots[i].name, name)))
        i = (i + 1) & (table->cap - 1);
    return &table->slots[i];
}

static void grow(struct intern *table)
{
    struct intern bigger = {.cap = table->cap ? table->cap * 2 : 64, .count = table->count};
    bigger.slots = mem_zalloc(bigger.cap, sizeof *bigger.slots);
    for (uint32_t i = 0; i < table->cap; i++)
        if (table->slots[i].id)
            *probe(&bigger, table->slots[i].key, table->slots[i].name) = table->slots[i];
    mem_free(table->slots);
    *table = bigger;
}

uint32_t intern_add(struct intern *table, uint32_t key, struct str name)
{
    if (table->count >= table->cap / 2) grow(table);
    struct intern_slot *slot = probe(table, key, name);
    if (!slot->id) *slot = (struct intern_slot){name, key, ++table->count};
    return slot->id - 1;
}

uint32_t intern_find(const struct intern *table, uint32_t key, struct str name)
{
    if (!table->cap) return INTERN_NONE;
    const struct intern_slot *slot = probe(table, key, name);
    return slot->id ? slot->id - 1 : INTERN_NONE;
}

void intern_free(struct intern *table)
{
    mem_free(table->slots);
    *table = (struct intern){0};
}
