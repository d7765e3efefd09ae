/* Checks that every prefix of a text is refused or optimized. prefixes FILE... cuts each file at
 * every byte and runs the library on the prefix: it is accepted, or refused with the text
 * unchanged and a message; nothing else happens. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../harness.h"

/* The violated property of the result for the first len bytes, or NULL. */
static const char *fault(const struct ptxopt_result *result, const char *text, size_t len)
{
    size_t out_len;
    const char *out = ptxopt_result_text(result, &out_len);
    bool same = bytes_equal(out, out_len, text, len);
    if (ptxopt_result_changed(result) == same) return "the changed flag is not true";
    if (ptxopt_result_status(result) == PTXOPT_OK) return NULL;
    if (ptxopt_result_status(result) != PTXOPT_BAD_INPUT) return "a status that there is not";
    if (!same) return "a refused text changed";
    return *ptxopt_result_message(result) ? NULL : "a refusal without a message";
}

static bool every_prefix_holds(const char *path)
{
    struct bytes text = file_read(path);
    struct ptxopt_options *options = ptxopt_options_new();
    ptxopt_options_set_parse(options, PTXOPT_PARSE_TREE);
    const char *wrong = text.data ? NULL : "no such file";
    for (size_t len = 0; !wrong && len <= text.len; len++) {
        /* A copy of that size, so that a sanitizer notices a read beyond it. */
        char *prefix = must(malloc(len ? len : 1));
        memcpy(prefix, text.data, len);
        struct ptxopt_result *result = ptxopt_run(options, path, prefix, len);
        wrong = fault(result, prefix, len);
        if (wrong) printf("# cut at byte %zu: %s\n", len, wrong);
        ptxopt_result_free(result);
        free(prefix);
    }
    ptxopt_options_free(options);
    free(text.data);
    return !wrong;
}

int main(int argc, char **argv)
{
    enter_source_tree();
    for (int i = 1; i < argc; i++)
        printf("%s - %s is refused or optimized wherever it is cut\n",
               every_prefix_holds(argv[i]) ? "ok" : "not ok", argv[i]);
    return EXIT_SUCCESS;
}
