/* Which edit is this, also tomorrow? FNV-1a over what a person would recognise it by. */
#include "engine/id.h"

#include "base/intern.h"
#include "base/work.h"
#include "rules/rule.h"

enum { NEIGHBOURS = 3, TEXT_MAX = 4096 };

static uint64_t hash_bytes(uint64_t h, const void *bytes, size_t n)
{
    const unsigned char *p = bytes;
    for (size_t i = 0; i < n; i++) h = (h ^ p[i]) * 1099511628211u;
    return (h ^ 0xff) * 1099511628211u;
}

/* Of a statement of any length, that many sites may have for a neighbour, the beginning counts. */
static uint64_t hash_instr(uint64_t h, const struct view *view, const struct instr *instr)
{
    struct str text = source_slice(view->source, instr->span);
    return hash_bytes(h, text.p, text.n < TEXT_MAX ? text.n : TEXT_MAX);
}

/* The instructions that are no candidates, ascending. */
struct others VEC(uint32_t);

static void find_others(struct others *others, const struct function *function)
{
    work_spend(function->count);
    for (uint32_t i = 0; i < function->count; i++)
        if (!rule_candidate(&function->instrs[i])) vec_push(others, i);
}

/* The site and up to NEIGHBOURS others before and behind it, the nearest first; before of the
 * others are before the site. name is the hash of the function's name. */
static uint64_t fingerprint(uint64_t name, const struct view *view, const struct function *function,
                            uint32_t site, const struct others *others, uint32_t before)
{
    uint64_t h = hash_instr(name, view, &function->instrs[site]);
    for (uint32_t i = before; i && before - i < NEIGHBOURS; i--)
        h = hash_instr(h, view, &function->instrs[others->at[i - 1]]);
    for (uint32_t i = before; i < others->count && i - before < NEIGHBOURS; i++)
        h = hash_instr(h, view, &function->instrs[others->at[i]]);
    return h;
}

uint64_t *id_build(const struct view *view, const struct function *function, const uint32_t *sites,
                   uint32_t count, struct arena *arena)
{
    uint64_t *prints = arena_alloc(arena, count, sizeof *prints);
    uint64_t *ids = arena_alloc(arena, count, sizeof *ids);
    uint32_t *met = arena_alloc(arena, count, sizeof *met); /* times each fingerprint came */
    uint64_t name = hash_bytes(14695981039346656037u, function->name.p, function->name.n);
    struct others others = {0};
    struct intern seen = {0};
    find_others(&others, function);
    for (uint32_t i = 0, before = 0; i < count; i++) {
        while (before < others.count && others.at[before] < sites[i]) before++;
        prints[i] = fingerprint(name, view, function, sites[i], &others, before);
        struct str key = {(const char *)&prints[i], sizeof prints[i]};
        uint32_t rank = met[intern_add(&seen, 0, key)]++;
        ids[i] = hash_bytes(prints[i], &rank, sizeof rank) & ((1ull << ID_BITS) - 1);
    }
    intern_free(&seen);
    vec_free(&others);
    return ids;
}

bool id_parse(const char *text, uint64_t *id)
{
    *id = 0;
    size_t n = 0;
    for (; text[n] && n < ID_DIGITS; n++) {
        char c = text[n];
        bool digit = c >= '0' && c <= '9', letter = c >= 'a' && c <= 'f';
        if (!digit && !letter) return false;
        *id = *id << 4 | (uint64_t)(digit ? c - '0' : c - 'a' + 10);
    }
    return n == ID_DIGITS && !text[n];
}
