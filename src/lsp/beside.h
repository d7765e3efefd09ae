/* Finds the PTX file of a CUDA source: k.ptx in the folder of k.cu. Include jansson.h before this
 * header. */
#ifndef PTXOPT_LSP_BESIDE_H
#define PTXOPT_LSP_BESIDE_H

#include "lsp/session.h"

/* True if a file that the PTX names in .file has the same name as the document at uri. Folders are
 * not compared, because the PTX has them as the compiler saw them. */
bool beside_names(const char *uri, const char *file);

/* The PTX document of that source if it is open in the editor; otherwise NULL. */
struct document *beside_find(const struct session *session, const struct document *source);

/* Reads the PTX file from the disk into *ptx, which must be zero. False if there is none, or if it
 * is larger than limit bytes. The caller calls document_free in either case. */
bool beside_read(const struct document *source, size_t limit, struct document *ptx);

/* Marks the open sources of that PTX as stale, because its findings have changed. */
void beside_forget(const struct session *session, const struct document *ptx);

#endif
