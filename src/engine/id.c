/* Computes ids by FNV-1a over the text from which a person would recognise the candidate, so that
 * they survive changes elsewhere. */
#include "engine/id.h"

#include "base/intern.h"
#include "base/mem.h"
#include "base/work.h"

enum { NEIGHBOURS = 3, TEXT_MAX = 4096 };
static const uint64_t FNV_PRIME = 1099511628211u;

static uint64_t id_hash_bytes(uint64_t h, const void *bytes, size_t n)
{
    const unsigned char *p = bytes;
    for (; n >= 8; n -= 8, p += 8) {
        h = (h ^ p[0]) * FNV_PRIME;
        h = (h ^ p[1]) * FNV_PRIME;
        h = (h ^ p[2]) * FNV_PRIME;
        h = (h ^ p[3]) * FNV_PRIME;
        h = (h ^ p[4]) * FNV_PRIME;
        h = (h ^ p[5]) * FNV_PRIME;
        h = (h ^ p[6]) * FNV_PRIME;
        h = (h ^ p[7]) * FNV_PRIME;
    }
    for (; n; n--) h = (h ^ *p++) * FNV_PRIME;
    return (h ^ 0xff) * FNV_PRIME;
}

/* Hashes only the beginning of a statement, since a statement of any length may be the neighbour of
 * many sites. */
static uint64_t hash_instr(uint64_t h, const struct view *view, const struct instr *instr)
{
    struct str text = source_slice(view->source, instr->span);
    return id_hash_bytes(h, text.p, text.n < TEXT_MAX ? text.n : TEXT_MAX);
}

/* The first and the last site of a sequence of candidates with no instruction between them. */
struct row {
    uint32_t first, last; /* sites */
};

static void find_rows(struct row *rows, const uint32_t *sites, uint32_t count)
{
    for (uint32_t s = 0; s < count; s++)
        rows[s].first = s && sites[s - 1] + 1 == sites[s] ? rows[s - 1].first : s;
    for (uint32_t s = count; s-- > 0;)
        rows[s].last = s + 1 < count && sites[s + 1] == sites[s] + 1 ? rows[s + 1].last : s;
}

/* The sites of a function, and the sequences that they are in. */
struct surroundings {
    const struct view *view;
    const struct function *function;
    const uint32_t *sites;
    uint32_t count;
    const struct row *rows;
};

/* Whether instruction i is not in the text, but was added to represent a call. */
static bool is_added(const struct surroundings *s, uint32_t i)
{
    return s->function->instrs[i].opcode->traits & OPCODE_CALLED;
}

/* Returns the nearest instruction before i that is not a candidate, or function->count if there is
 * none. *site: the first site that is not before i; updated for the result. */
static uint32_t other_before(const struct surroundings *s, uint32_t i, uint32_t *site)
{
    while (i && is_added(s, i - 1)) i--;
    if (*site && s->sites[*site - 1] + 1 == i) {
        *site = s->rows[*site - 1].first;
        i = s->sites[*site];
    }
    return i ? i - 1 : s->function->count;
}

/* Returns the nearest instruction after i that is not a candidate; function->count if there is
 * none. *site: the first site after i; updated for the result. */
static uint32_t other_behind(const struct surroundings *s, uint32_t i, uint32_t *site)
{
    if (*site < s->count && s->sites[*site] == i + 1) {
        *site = s->rows[*site].last + 1;
        i = s->sites[*site - 1];
    }
    while (i + 1 < s->function->count && is_added(s, i + 1)) i++;
    return i + 1;
}

/* Hashes a site and up to NEIGHBOURS instructions before and after it, the nearest first. name:
 * hash of the name of the function. */
static uint64_t site_fingerprint(uint64_t name, const struct surroundings *s, uint32_t site)
{
    uint64_t h = hash_instr(name, s->view, &s->function->instrs[s->sites[site]]);
    uint32_t at = s->sites[site], before = site, behind = site + 1;
    for (int n = 0; n < NEIGHBOURS && (at = other_before(s, at, &before)) < s->function->count; n++)
        h = hash_instr(h, s->view, &s->function->instrs[at]);
    at = s->sites[site];
    for (int n = 0; n < NEIGHBOURS && (at = other_behind(s, at, &behind)) < s->function->count; n++)
        h = hash_instr(h, s->view, &s->function->instrs[at]);
    return h;
}

uint64_t *id_build(const struct view *view, const struct function *function, const uint32_t *sites,
                   uint32_t count, struct arena *arena)
{
    uint64_t *prints = arena_alloc(arena, count, sizeof *prints);
    uint64_t *ids = arena_alloc(arena, count, sizeof *ids);
    uint32_t *met = arena_alloc(arena, count, sizeof *met); /* count of each fingerprint */
    uint64_t name = id_hash_bytes(14695981039346656037u, function->name.p, function->name.n);
    struct row *rows = mem_alloc(count * sizeof *rows);
    struct intern seen = {0};
    find_rows(rows, sites, count);
    const struct surroundings s = {view, function, sites, count, rows};
    for (uint32_t i = 0; i < count; i++) {
        prints[i] = site_fingerprint(name, &s, i);
        struct str key = {(const char *)&prints[i], sizeof prints[i]};
        uint32_t rank = met[intern_add(&seen, 0, key)]++;
        ids[i] = id_hash_bytes(prints[i], &rank, sizeof rank) & ((1ull << ID_BITS) - 1);
    }
    intern_free(&seen);
    mem_free(rows);
    return ids;
}

uint64_t id_of_word(uint64_t id, const char *word, uint32_t rank)
{
    uint64_t h = id_hash_bytes(id, word, strlen(word));
    return id_hash_bytes(h, &rank, sizeof rank) & ((1ull << ID_BITS) - 1);
}

bool id_is_listed(const uint64_t *ids, uint32_t count, uint64_t id)
{
    for (uint32_t i = 0; i < count; i++)
        if (ids[i] == id) return true;
    return false;
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
