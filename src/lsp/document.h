/* A text that is open in the editor, and what there is to say about it. */
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
    bool is_source;  /* C++ or CUDA: shows the findings of the PTX beside it */
    bool edited;     /* is_source: changed since it was opened or the PTX was last read */
    bool too_large;  /* the text is not kept, and waits for a whole new one */
    bool stale;      /* nothing below is known of this text */
    char *problem;   /* why nothing was found out; NULL: it was */
    struct arena arena;
    struct source source;      /* lines as ptxopt counts them */
    struct line_starts lines;  /* and as the editor does */
    struct review_file review; /* the findings */
};

/* Zero-initialise. Replaces the text; at most limit bytes are kept. */
void document_set(struct document *document, struct str text, size_t limit);

/* Replaces what is from one place to another, as in didChange. */
void document_change(struct document *document, enum encoding encoding, struct position from,
                     struct position to, struct str text, size_t limit);

struct str document_text(const struct document *document);

/* The lines are indexed when first needed. */
struct position document_position(struct document *document, enum encoding encoding,
                                  uint32_t offset);
uint32_t document_offset(struct document *document, enum encoding encoding,
                         struct position position);

/* The text is that of result; sets its analysis. */
void document_learn(struct document *document, const struct ptxopt_result *result);

/* The same where there is no result; takes over problem. */
void document_give_up(struct document *document, char *problem);

/* Where the line, as ptxopt counts from 1, begins after its blanks, and where it ends; offsets. */
struct span document_line(const struct document *document, uint32_t line);

/* The analysis is no longer valid. */
void document_forget(struct document *document);

/* The document itself is the caller's. */
void document_free(struct document *document);

#endif
