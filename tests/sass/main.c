/* The SASS differential: a judge that knows nothing of how the optimizer reasons, only the ISA's
 * sentences (pairs.c quotes them) and what ptxas does. A text is assembled before and after; an
 * order that the sentences guarantee before, that ptxas keeps before and does not keep after, is
 * lost.
 *
 *   differential FOLDER             the bodies there, of which it is known what they lose
 *                                   (known.c), then random programs (random.c)
 *   differential real TABLE FILE…   whole kernels (real.c)
 *
 * PTXAS is the program to call, SASS_FOLDER where its files go. */
#include "differential.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned reported;

void report(bool fine, const char *format, ...)
{
    va_list args;
    printf("%s %u - ", fine ? "ok" : "not ok", ++reported);
    va_start(args, format);
    vprintf(format, args);
    va_end(args);
    printf("\n");
    fflush(stdout);
}

int main(int argc, char **argv)
{
    if (argc > 2 && !strcmp(argv[1], "real")) return run_real(argv[2], argv + 3);
    if (argc == 2) {
        run_known(argv[1]);
        run_random();
    }
    printf("1..%u\n", reported);
    return argc == 2 ? EXIT_SUCCESS : EXIT_FAILURE;
}
