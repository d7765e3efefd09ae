/* ptxopt lsp: the Language Server Protocol 3.17 for editors. */
#ifndef PTXOPT_LSP_LSP_H
#define PTXOPT_LSP_LSP_H

#include "api/ptxopt.h"
#include "base/buf.h"

struct lsp_settings {
    const struct ptxopt_options *options; /* what the client's options are put on top of */
    size_t max_input;                     /* bytes of a document */
    size_t timeout_ms;                    /* of a run; 0: none */
};

/* Talks to one client over two descriptors until it sends exit or closes. Returns an exit status: 0
 * after shutdown and exit, 1 when it closed without, 2 when it cannot be understood or is not
 * listening: then error holds one line without its "ptxopt: ". When out of memory it ends the
 * program (mem.h). */
int lsp_run(const struct lsp_settings *settings, int in, int out, struct buf *error);

#endif
