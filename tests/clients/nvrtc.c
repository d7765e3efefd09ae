/* doc/adopt.md, "NVRTC and the driver", as a program: CUDA from argv[1] through NVRTC and
 * libptxopt; what cuModuleLoadData would get goes to standard output. Needs no GPU. argv[2...] are
 * NVRTC's options. */
#include <nvrtc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/ptxopt.h"

static char *read_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    char *text = calloc(1, 1 << 20);
    if (!file || !text || !fread(text, 1, (1 << 20) - 1, file)) exit(1);
    fclose(file);
    return text;
}

int main(int argc, char **argv)
{
    nvrtcProgram program;
    size_t size, len;
    char *source = read_file(argv[1]);
    if (nvrtcCreateProgram(&program, source, argv[1], 0, NULL, NULL) != NVRTC_SUCCESS ||
        nvrtcCompileProgram(program, argc - 2, (const char *const *)argv + 2) != NVRTC_SUCCESS ||
        nvrtcGetPTXSize(program, &size) != NVRTC_SUCCESS)
        return 1;
    char *ptx = calloc(1, size);
    if (!ptx || nvrtcGetPTX(program, ptx) != NVRTC_SUCCESS) return 1;
    struct ptxopt_options *options = ptxopt_options_new();
    struct ptxopt_result *result = ptxopt_run(options, "kernel", ptx, strlen(ptx));
    const char *better = ptxopt_result_text(result, &len);
    fputs(better, stdout);
    fprintf(stderr, "%zu deleted\n", ptxopt_result_count(result, PTXOPT_DELETED));
    ptxopt_result_free(result);
    ptxopt_options_free(options);
    nvrtcDestroyProgram(&program);
    free(ptx);
    free(source);
    return 0;
}
