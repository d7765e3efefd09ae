/* Hashes that identify a line when it has moved, as GitHub's code scanning does. */
#ifndef PTXOPT_REPORT_LINE_HASH_H
#define PTXOPT_REPORT_LINE_HASH_H

#include <stdint.h>

#include "base/arena.h"
#include "base/str.h"
#include "base/vec.h"

/* times: how many lines with that value there are up to this one. */
struct line_hash {
    uint64_t value;
    uint32_t times;
};

struct line_hash_list VEC(struct line_hash);

/* Appends the hash of each line of text: of the 100 characters from its first on, without blanks
 * and tabs. As the function hash of github/codeql-action (src/fingerprints.ts) computes it, which
 * ends a line at a lone CR, too. In text that is not UTF-8 the two may differ. */
void line_hashes(struct line_hash_list *list, struct str text);

/* The hash of the line of that number, from 1, as GitHub writes it; "" for one that is not there.
 */
const char *line_hash_text(const struct line_hash_list *list, uint32_t line, struct arena *arena);

#endif
