/* Places in a document as an editor counts them. */
#ifndef PTXOPT_LSP_POSITION_H
#define PTXOPT_LSP_POSITION_H

#include "base/str.h"
#include "base/vec.h"
#include "text/span.h"

/* The unit of columns: a byte of UTF-8, or a unit of UTF-16. */
enum encoding { ENCODING_UTF16, ENCODING_UTF8 };

/* A place in a text. Both members count from 0. */
struct position {
    uint32_t line, character;
};

/* The offset at which each line begins. Zero-initialised by the caller, filled by position_index,
 * freed with vec_free. */
struct line_starts VEC(uint32_t);

/* Appends the starts of all lines. A line ends at LF, CR, or CR LF. The text has at most SOURCE_MAX
 * bytes. */
void position_index(struct line_starts *lines, struct str text);

struct position position_of(const struct line_starts *lines, struct str text,
                            enum encoding encoding, uint32_t offset);

/* The offset of a place. A place after the end of a line, or of the text, counts as that end; a
 * place within a character counts as its beginning. */
uint32_t position_offset(const struct line_starts *lines, struct str text, enum encoding encoding,
                         struct position position);

#endif
