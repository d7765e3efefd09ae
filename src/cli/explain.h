/* Explains the words of findings and options: rules, reasons to keep, assumptions, codes of
 * lint. */
#ifndef PTXOPT_CLI_EXPLAIN_H
#define PTXOPT_CLI_EXPLAIN_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

enum topic { TOPIC_RULES, TOPIC_REASONS, TOPIC_ASSUMPTIONS, TOPIC_CODES, TOPICS };

/* The words of a topic, in order; NULL after the last. */
const char *explain_word_at(enum topic topic, size_t i);

/* Adds the whole explanation of one word, or, for "all", of each, in order. False, and nothing
 * added, when it is not used; then error says what is near and where they are listed. */
bool explain_word(struct buf *out, const char *word, struct buf *error);

#endif
