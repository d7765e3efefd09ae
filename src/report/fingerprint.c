/* Computes the fingerprint of a finding: two 64-bit FNV-1a hashes with different seeds. See
 * fingerprint.h. */
#include "report/fingerprint.h"

#include <inttypes.h>
#include <stdio.h>

static const uint64_t PRIME = 1099511628211u, SEED = 14695981039346656037u;

static uint64_t fingerprint_hash_bytes(uint64_t h, struct str bytes)
{
    for (size_t i = 0; i < bytes.n; i++) h = (h ^ (unsigned char)bytes.p[i]) * PRIME;
    return (h ^ 0xff) * PRIME;
}

static uint64_t hash_string(uint64_t h, const char *text)
{
    return fingerprint_hash_bytes(h, str_from(text));
}

static void print_fingerprint(const uint64_t pair[2], char digits[FINGERPRINT_DIGITS + 1])
{
    snprintf(digits, FINGERPRINT_DIGITS + 1, "%016" PRIx64 "%016" PRIx64, pair[0], pair[1]);
}

void fingerprint_text(struct str text, char digits[FINGERPRINT_DIGITS + 1])
{
    print_fingerprint(
        (uint64_t[]){fingerprint_hash_bytes(SEED, text), fingerprint_hash_bytes(~SEED, text)},
        digits);
}

static uint64_t hash_item(uint64_t h, const struct review_file *file,
                          const struct review_item *item)
{
    h = hash_string(hash_string(h, file->place), review_kind_word(item->finding.kind));
    if (*item->finding.id) return hash_string(h, item->finding.id);
    return hash_string(
        hash_string(hash_string(hash_string(h, item->finding.code), item->finding.function),
                    item->finding.text),
        item->finding.message);
}

void fingerprint_add(struct fingerprints *all, const struct review_file *file,
                     const struct review_item *item, char text[FINGERPRINT_DIGITS + 1])
{
    uint64_t pair[2] = {hash_item(SEED, file, item), hash_item(~SEED, file, item)};
    const char *key = arena_copy(&all->arena, (const char *)pair, sizeof pair);
    uint32_t index = intern_add(&all->seen, 0, (struct str){key, sizeof pair});
    if (index == all->times.count) vec_push(&all->times, 0);
    uint32_t times = all->times.at[index]++;
    if (times) {
        pair[0] = (pair[0] ^ times) * PRIME;
        pair[1] = (pair[1] ^ times) * PRIME;
    }
    print_fingerprint(pair, text);
}

void fingerprints_free(struct fingerprints *all)
{
    intern_free(&all->seen);
    vec_free(&all->times);
    arena_free(&all->arena);
}
