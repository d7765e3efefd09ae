/* Explains the words of findings and options: rules, reasons, assumptions and codes of lint. */
#ifndef PTXOPT_CLI_EXPLAIN_H
#define PTXOPT_CLI_EXPLAIN_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

enum topic { TOPIC_RULES, TOPIC_REASONS, TOPIC_ASSUMPTIONS, TOPIC_CODES, TOPICS };

/* The words of a topic, in order; NULL after the last. Static. */
const char *explain_word_at(enum topic topic, size_t i);

/* Adds the explanation of a word; for "all", of all words in order. False if the word is unknown:
 * then nothing is added, and error names a similar word and where words are listed. */
bool explain_word(struct buf *out, const char *word, struct buf *error);

#endif
