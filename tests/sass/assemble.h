/* Runs ptxas, and the optimizer over a text of several kernels. */
#ifndef PTXOPT_TESTS_SASS_ASSEMBLE_H
#define PTXOPT_TESTS_SASS_ASSEMBLE_H

#include "base/buf.h"
#include "cubin.h"

/* Runs PTXAS (or ptxas) on the text, in the folder SASS_FOLDER (or .). If ptxas refuses it, prints
 * its messages as comments and returns false. The text names the target. */
bool assemble(const char *text, size_t len, struct cubin *cubin);

/* As in the output of --version, 13.0; 0 if that fails. */
double release_of_ptxas(void);

/* The optimized text, with the same lines (a removal leaves them blank); freed with free. Ends the
 * program if the text is refused, since the test wrote it. */
struct bytes optimized(const struct ptxopt_options *options, struct bytes text);

#endif
