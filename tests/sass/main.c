/* Compares machine code (SASS) before and after removals. The judge does not know how the optimizer
 * reasons, only the sentences of the ISA (pairs.c quotes them) and what ptxas does. A text is
 * assembled before and after; an order that the sentences guarantee before, and that ptxas keeps
 * before but not after, is lost.
 *
 *   differential random TABLE FOLDER   the bodies there, whose losses are known (known.c),
 *                                      then random programs (programs.c)
 *   differential grid TABLE FOLDER HELD [all]
 *                                      other such bodies, what one wait holds back, compared
 *                                      with HELD (held.c), the smaller grid (grid.c) or all of it
 *   differential held TABLE            what one wait holds back, printed
 *   differential kept TABLE FOLDER…    cases of tests/never without what must be kept (kept.c)
 *   differential real TABLE FILE…      whole kernels (real.c)
 *
 * TABLE is explained.tsv.
 *
 * PTXAS is the program to call, SASS_FOLDER the folder for its files. */
#include "differential.h"
#include "explained.h"
#include "grid.h"

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
    if (argc < 3) return EXIT_FAILURE;
    explained_read(argv[2]);
    if (!strcmp(argv[1], "real")) return run_real(argv + 3);
    if (!strcmp(argv[1], "random") && argc == 4) {
        run_known(argv[3], pairs_of);
        run_random();
    } else if (!strcmp(argv[1], "grid") && argc > 4) {
        run_known(argv[3], grid_pairs);
        run_held(argv[4]);
        run_grid(argc > 5);
    } else if (!strcmp(argv[1], "kept")) {
        run_kept(argv + 3);
    } else if (!strcmp(argv[1], "held")) {
        run_held(NULL);
    }
    printf("1..%u\n", reported);
    return EXIT_SUCCESS;
}
