/* An external program: copies standard input to standard output through the installed library. */
#include <ptxopt.h>
#include <stdio.h>

int main(void)
{
    static char text[1 << 20];
    size_t size = fread(text, 1, sizeof text, stdin), length;
    struct ptxopt_options *options = ptxopt_options_new();
    if (!options) return 1;
    struct ptxopt_result *result = ptxopt_run(options, "stdin", text, size);
    const char *out = ptxopt_result_text(result, &length);
    int bad = ptxopt_result_status(result) != PTXOPT_OK ||
              fwrite(out, 1, length, stdout) != length || fflush(stdout) != 0;
    ptxopt_result_free(result);
    ptxopt_options_free(options);
    return bad;
}
