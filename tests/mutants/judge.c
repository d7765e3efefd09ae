/* Runs the cases with this build. `judge FOLDER...` runs the optimizer on the cases below the
 * folders, and prints a line for each case that is not as expected, then one with counts (cases.h).
 * `judge --verdicts` runs the checker on the kernels of tests/check; with --soon it stops at the
 * first difference. `judge --lint FOLDER...` runs lint on the cases below the folders, in their
 * order, and stops at the first that is not as marked. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cases.h"

int main(int argc, char **argv)
{
    if (argc < 2) return fprintf(stderr, "usage: judge [--lint] FOLDER... | --verdicts\n"), 2;
    enter_source_tree();
    struct judged judged;
    if (!strcmp(argv[1], "--verdicts")) {
        verdicts_read();
        judged = verdicts_judge((struct reach){0}, true, argc > 2 && !strcmp(argv[2], "--soon"));
    } else if (!strcmp(argv[1], "--lint")) {
        judged = findings_judge(argv + 2);
    } else {
        texts_read(argv + 1);
        judged = texts_judge((struct reach){0}, true, false);
    }
    printf("cases=%u wrong=%u refused=%u slipped=%u\n", judged.cases, judged.wrong, judged.refused,
           judged.slipped);
    return EXIT_SUCCESS;
}
