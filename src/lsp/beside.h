/* Finds the PTX beside a CUDA source: k.ptx in the folder of k.cu. Include jansson.h
 * before it. */
#ifndef PTXOPT_LSP_BESIDE_H
#define PTXOPT_LSP_BESIDE_H

#include "lsp/session.h"

/* Whether a file that PTX names (.file) has the name of the document at uri; folders are not
 * compared, since the PTX has them as the compiler saw them. */
bool beside_names(const char *uri, const char *file);

/* The PTX of that source, if it is open in the editor; else NULL. */
struct document *beside_find(const struct session *session, const struct document *source);

/* Fills *ptx, zero before, with the PTX from the disk; false where there is none, or it is larger
 * than limit bytes. Free with document_free in either case. */
bool beside_read(const struct document *source, size_t limit, struct document *ptx);

/* Marks the open sources of that PTX stale, since there is news about them. */
void beside_forget(const struct session *session, const struct document *ptx);

#endif
