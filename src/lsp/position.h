/* Places in a document as an editor counts them. */
#ifndef PTXOPT_LSP_POSITION_H
#define PTXOPT_LSP_POSITION_H

#include "base/str.h"
#include "base/vec.h"
#include "text/span.h"

/* What a character is: a byte of UTF-8, or a unit of UTF-16. */
enum encoding { ENCODING_UTF16, ENCODING_UTF8 };

/* Both from 0. */
struct position {
    uint32_t line, character;
};

/* Where each line begins. Zero-initialise; position_index fills it, vec_free. */
struct line_starts VEC(uint32_t);

/* A line ends at LF, CR or both. The text is at most SOURCE_MAX bytes. */
void position_index(struct line_starts *lines, struct str text);

struct position position_of(const struct line_starts *lines, struct str text,
                            enum encoding encoding, uint32_t offset);

/* A place after the end of a line, or of the text, is that end; one within a character is
 * its begin. */
uint32_t position_offset(const struct line_starts *lines, struct str text, enum encoding encoding,
                         struct position position);

#endif
