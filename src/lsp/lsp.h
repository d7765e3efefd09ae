/* Implements ptxopt lsp, the Language Server Protocol 3.17 for editors. */
#ifndef PTXOPT_LSP_LSP_H
#define PTXOPT_LSP_LSP_H

#include "api/ptxopt.h"
#include "base/buf.h"

struct lsp_settings {
    const struct ptxopt_options *options; /* of the command line, to which the client's are added */
    size_t max_input;                     /* bytes of a document */
    size_t timeout_ms;                    /* of a run, in milliseconds; 0: no limit */
};

/* Serves one client over two descriptors until it sends exit or closes the input. Returns an exit
 * status: 0 after shutdown and exit; 1 if the input ended without them; 2 if the input cannot be
 * understood or the client does not read. With status 2, error has one line without the prefix
 * "ptxopt: ". Ends the program if memory runs out (mem.h). */
int lsp_run(const struct lsp_settings *settings, int in, int out, struct buf *error);

#endif
