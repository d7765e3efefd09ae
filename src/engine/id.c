/* Which edit is this, also tomorrow? FNV-1a over what a person would recognise it by. */
#include "engine/id.h"

#include "base/intern.h"
#include "base/work.h"
#include "rules/rule.h"

enum { NEIGHBOURS = 3 };

static uint64_t hash_bytes(uint64_t h, const void *bytes, size_t n)
{
    const unsigned char *p = bytes;
    for (size_t i = 0; i < n; i++) h = (h ^ p[i]) * 1099511628211u;
    return (h ^ 0xff) * 1099511628211u;
}

static uint64_t hash_instr(uint64_t h, const struct view *view, const struct instr *instr)
{
    struct str text = source_slice(view->source, instr->span);
    return hash_bytes(h, text.p, text.n);
}

/* Up to NEIGHBOURS instructions before (step -1) or behind (1) that are no candidates. */
static uint64_t hash_neighbours(uint64_t h, const struct view *view,
                                const struct function *function, uint32_t site, int step)
{
    uint32_t found = 0;
    for (int64_t i = (int64_t)site + step; i >= 0 && i < function->count && found < NEIGHBOURS;
         i += step) {
        const struct instr *instr = &function->instrs[i];
        work_spend(1);
        if (rule_candidate(instr)) continue;
        h = hash_instr(h, view, instr);
        found++;
    }
    return h;
}

static uint64_t fingerprint(const struct view *view, const struct function *function, uint32_t site)
{
    uint64_t h = hash_bytes(14695981039346656037u, function->name.p, function->name.n);
    h = hash_instr(h, view, &function->instrs[site]);
    h = hash_neighbours(h, view, function, site, -1);
    return hash_neighbours(h, view, function, site, 1);
}

uint64_t *id_build(const struct view *view, const struct function *function, const uint32_t *sites,
                   uint32_t count, struct arena *arena)
{
    uint64_t *prints = arena_alloc(arena, count, sizeof *prints);
    uint64_t *ids = arena_alloc(arena, count, sizeof *ids);
    uint32_t *met = arena_alloc(arena, count, sizeof *met); /* times each fingerprint came */
    struct intern seen = {0};
    for (uint32_t i = 0; i < count; i++) {
        prints[i] = fingerprint(view, function, sites[i]);
        struct str key = {(const char *)&prints[i], sizeof prints[i]};
        uint32_t rank = met[intern_add(&seen, 0, key)]++;
        ids[i] = hash_bytes(prints[i], &rank, sizeof rank) & ((1ull << ID_BITS) - 1);
    }
    intern_free(&seen);
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
