/* ptxas, and the optimizer over a text of several kernels. */
#ifndef PTXOPT_TESTS_SASS_ASSEMBLE_H
#define PTXOPT_TESTS_SASS_ASSEMBLE_H

#include "base/buf.h"
#include "cubin.h"

/* Runs PTXAS (or ptxas) in the folder SASS_FOLDER (or .) on the text; false when it is refused,
 * after what it said as comments. The target is the one the text names. */
bool assemble(const char *text, size_t len, struct cubin *cubin);

/* As its --version says, 13.0; 0 when it says nothing. */
double release_of_ptxas(void);

/* The text optimized, with the lines it had (a deletion leaves them blank); freed with free. Ends
 * the program when the text is refused: it is one of the test's own. */
struct bytes optimized(const struct ptxopt_options *options, struct bytes text);

#endif
