/* Shared by the fuzz targets. A target is a function of bytes that returns if all properties hold,
 * and ends the process (abort) otherwise. libFuzzer runs targets through entry.c, `make check`
 * through replay.c. */
#ifndef PTXOPT_TESTS_FUZZ_H
#define PTXOPT_TESTS_FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef void fuzz_target(const uint8_t *data, size_t size);
fuzz_target fuzz_parse, fuzz_engine, fuzz_verify;

/* Ends the process with the words if the condition does not hold. */
void fuzz_holds(bool condition, const char *words);

/* The removable statements, found by hand: [start, end) of each `tcgen05.wait…;`, `tcgen05.fence…;`
 * and `fence.proxy.async…;` with its guard. Returns their number, at most most. */
struct fuzz_span {
    size_t start, end;
};
size_t fuzz_sync_statements(const char *text, size_t len, struct fuzz_span *spans, size_t most);

/* Whether `after` is the text `before` without some of those statements, whatever the blanks and
 * comments. Knows comments, strings and words, nothing else of PTX, and shares no code with src/.
 */
bool fuzz_is_thinned(const char *before, size_t before_len, const char *after, size_t after_len);

#endif
