/* Prints the findings of lint for PTX files, one in each line: LINE LEVEL CODE WITNESS_LINE, for
 * each file after its name. With --words before these: the section and the sentences of the ISA
 * that the findings quote. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness.h"

static const char *const levels[] = {[PTXOPT_ERROR] = "error",
                                     [PTXOPT_WARNING] = "warning",
                                     [PTXOPT_REMARK] = "remark",
                                     [PTXOPT_NOTE] = "note"};

static void print_findings(const char *path, bool words)
{
    struct bytes text = file_read(path);
    struct ptxopt_options *options = text.data ? options_of(text) : NULL;
    const struct ptxopt_finding *finding = NULL;
    if (!options) {
        printf("refused: no such file, or its options are wrong\n");
        return;
    }
    ptxopt_options_set_lint(options, true);
    if (!ptxopt_options_set_lint_level(options, PTXOPT_NOTE)) printf("no notes\n");
    struct ptxopt_result *result = ptxopt_run(options, path, text.data, text.len);
    if (ptxopt_result_status(result) != PTXOPT_OK)
        printf("refused: %s\n", ptxopt_result_message(result));
    while ((finding = ptxopt_result_next(result, PTXOPT_HAZARD, finding)))
        if (words)
            printf("%s\t%s\n", finding->isa_section, finding->sentence);
        else
            printf("%u %s %s %u\n", finding->line, levels[finding->level], finding->code,
                   finding->witness_line);
    ptxopt_result_free(result);
    ptxopt_options_free(options);
    free(text.data);
}

int main(int argc, char **argv)
{
    bool words = argc > 1 && strcmp(argv[1], "--words") == 0;
    for (int i = 1 + words; i < argc; i++) {
        if (argc > 2 && !words) printf("# %s\n", argv[i]);
        print_findings(argv[i], words);
    }
    return 0;
}
