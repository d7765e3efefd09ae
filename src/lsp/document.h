/* A text that is open in the editor, and its analysis. */
#ifndef PTXOPT_LSP_DOCUMENT_H
#define PTXOPT_LSP_DOCUMENT_H

#include "base/arena.h"
#include "base/buf.h"
#include "lsp/position.h"
#include "report/model.h"
#include "text/source.h"

struct document {
    char *uri;
    int64_t version;
    struct buf text; /* valid UTF-8 */
    bool is_source;  /* C++ or CUDA: shows the findings of its PTX file */
    bool edited;     /* of a source: changed since it was opened or the PTX was last read */
    bool too_large;  /* the text is not kept; the next whole text replaces it */
    bool stale;      /* the fields below are not known for this text */
    char *problem;   /* why there is no analysis; NULL: there is one */
    struct arena arena;
    struct source source;      /* lines as ptxopt counts them */
    struct line_starts lines;  /* lines as the editor counts them */
    struct review_file review; /* the findings */
};

/* Replaces the text. The document must be zero-initialised or in use. A text of more than limit
 * bytes is not kept. */
void document_set(struct document *document, struct str text, size_t limit);

/* Replaces the text between two places, as in didChange. */
void document_change(struct document *document, enum encoding encoding, struct position from,
                     struct position to, struct str text, size_t limit);

struct str document_text(const struct document *document);

/* Converts between offsets and places. The lines are indexed when first needed. */
struct position document_position(struct document *document, enum encoding encoding,
                                  uint32_t offset);
uint32_t document_offset(struct document *document, enum encoding encoding,
                         struct position position);

/* Stores the analysis of result, which must be of the current text. */
void document_learn(struct document *document, const struct ptxopt_result *result);

/* Stores that there is no analysis, and why. Takes over problem. */
void document_give_up(struct document *document, char *problem);

/* The offsets of the end of the line's leading blanks and of its end. line: from 1, as ptxopt
 * counts. */
struct span document_line(const struct document *document, uint32_t line);

/* Discards the analysis. */
void document_forget(struct document *document);

/* Frees what the document owns, not the struct. */
void document_free(struct document *document);

#endif
