/* Hashes that identify a line after it has moved, as GitHub code scanning computes them. */
#ifndef PTXOPT_REPORT_LINE_HASH_H
#define PTXOPT_REPORT_LINE_HASH_H

#include <stdint.h>

#include "base/arena.h"
#include "base/str.h"
#include "base/vec.h"

/* times: the number of lines with that value up to and including this one. */
struct line_hash {
    uint64_t value;
    uint32_t times;
};

struct line_hash_list VEC(struct line_hash);

/* Appends the hash of each line of text: of the 100 characters from its start on, without blanks
 * and tabs. It is the function hash of github/codeql-action (src/fingerprints.ts), which ends a
 * line also at a lone CR. The two may differ for text that is not UTF-8. */
void line_hashes(struct line_hash_list *list, struct str text);

/* The hash of a line (from 1) as GitHub writes it, in arena; "" if there is no such line. */
const char *line_hash_text(const struct line_hash_list *list, uint32_t line, struct arena *arena);

#endif
