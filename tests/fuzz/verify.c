/* fuzz_verify: two texts -> check_run and check_certificate. "BEFORE \f AFTER" is two texts as they
 * are; "D", eight bytes and a text is that text and the same without the statements that the bytes
 * name, with one other byte changed if the last one says so. The properties: a proof exists only if
 * nothing but synchronisation was removed; a text is proven against itself; the certificate of a
 * proof is accepted, and one of something else or a damaged one does no harm. */
#include <stdlib.h>
#include <string.h>

#include "check/check.h"

#include "fuzz.h"

enum { HEAD = 9, STATEMENTS = 48 };

static void check_pair(const struct check_options *options, struct str before, struct str after,
                       size_t salt)
{
    struct arena arena = {0};
    struct check_options asked = *options;
    struct check_result result, again;
    asked.certificate = salt % 4 == 0; /* it takes as long as ten proofs */
    check_run(&asked, before, after, &arena, &result);
    bool same = before.n == after.n && (!before.n || memcmp(before.p, after.p, before.n) == 0);
    fuzz_holds(!same || result.verdict == CHECK_PROVEN, "a text against itself is proven");
    if (result.verdict == CHECK_PROVEN) {
        fuzz_holds(fuzz_is_thinned(before.p, before.n, after.p, after.n),
                   "a proof is of nothing but deleted synchronisation");
    } else {
        fuzz_holds(*result.message != '\0', "what is not proven has a message");
    }
    if (asked.certificate && result.verdict == CHECK_PROVEN) {
        check_certificate(options, before, after, result.certificate, &arena, &again);
        fuzz_holds(again.verdict == CHECK_PROVEN, again.message);
        char *damaged = arena_copy(&arena, result.certificate.p, result.certificate.n);
        if (result.certificate.n) damaged[salt % result.certificate.n] ^= (char)(1 + salt % 7);
        check_certificate(options, before, after, (struct str){damaged, result.certificate.n},
                          &arena, &again);
        check_certificate(options, before, after,
                          (struct str){damaged, salt % (result.certificate.n + 1)}, &arena, &again);
    } else if (asked.certificate) {
        check_certificate(options, before, after, before, &arena, &again);
        fuzz_holds(again.verdict != CHECK_PROVEN,
                   "no certificate makes a proof of what is refused");
    }
    arena_free(&arena);
}

static char *copy(const char *text, size_t len)
{
    char *made = malloc(len + 1);
    if (!made) exit(EXIT_FAILURE);
    if (len) memcpy(made, text, len);
    made[len] = '\0';
    return made;
}

/* text without the statements whose bit is set, which become blanks. */
static void check_thinned(const uint8_t *head, const char *text, size_t len,
                          const struct check_options *options)
{
    struct fuzz_span spans[STATEMENTS];
    size_t count = fuzz_sync_statements(text, len, spans, STATEMENTS);
    char *after = copy(text, len);
    for (size_t i = 0; i < count; i++)
        if (head[1 + i / 8] >> i % 8 & 1)
            for (size_t p = spans[i].start; p < spans[i].end; p++)
                if (after[p] != '\n' && after[p] != '\r') after[p] = ' ';
    size_t salt = (size_t)head[7] << 8 | head[8];
    if (len && head[8] & 1) after[salt % len] ^= (char)(1 + salt % 31);
    check_pair(options, (struct str){text, len}, (struct str){after, len}, salt);
    free(after);
}

void fuzz_verify(const uint8_t *data, size_t size)
{
    struct check_options options = {0};
    const uint8_t *cut = size ? memchr(data, '\f', size) : NULL;
    if (size >= HEAD && data[0] == 'D') {
        if (data[7] & 1)
            options.assume = (uint32_t)data[7] >> 1;
        else
            options.deny = (uint32_t)data[7] >> 1;
        check_thinned(data, (const char *)data + HEAD, size - HEAD, &options);
    } else if (cut) {
        struct str before = {(const char *)data, (size_t)(cut - data)};
        struct str after = {(const char *)cut + 1, size - before.n - 1};
        check_pair(&options, before, after, size);
    } else {
        uint8_t each[HEAD] = {'D'};
        for (size_t i = 0; i < STATEMENTS; i++) {
            memset(each + 1, 0, 6);
            each[1 + i / 8] = (uint8_t)(1u << i % 8);
            check_thinned(each, (const char *)data, size, &options);
            if (i >= 3) break;
        }
    }
}
