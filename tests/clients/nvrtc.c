/* "NVRTC and the driver" of doc/adopt.md as a program: CUDA from argv[1] through NVRTC, libptxopt
 * and nvJitLink. The text that nvJitLink or cuModuleLoadData gets is written to standard output,
 * the cubin to argv[2]. Needs no GPU. argv[3...] are options of NVRTC; with -dlto nvJitLink first
 * makes PTX of LTO IR. */
#include <nvJitLink.h>
#include <nvrtc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/ptxopt.h"

#define ARCHITECTURE "sm_100a"

static void require(int is_fine, const char *what)
{
    if (is_fine) return;
    fprintf(stderr, "%s failed\n", what);
    exit(1);
}

static void *make_room(size_t size)
{
    void *room = calloc(1, size + 1);
    require(room != NULL, "calloc");
    return room;
}

static char *read_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    char *text = make_room(1 << 20);
    require(file && fread(text, 1, (1 << 20) - 1, file), path);
    fclose(file);
    return text;
}

/* PTX, or with is_lto LTO IR of *size bytes. */
static char *compile(const char *path, int count, const char *const *options, int is_lto,
                     size_t *size)
{
    nvrtcProgram program;
    char *source = read_file(path);
    require(nvrtcCreateProgram(&program, source, path, 0, NULL, NULL) == NVRTC_SUCCESS &&
                nvrtcCompileProgram(program, count, options) == NVRTC_SUCCESS,
            "NVRTC");
    require((is_lto ? nvrtcGetLTOIRSize : nvrtcGetPTXSize)(program, size) == NVRTC_SUCCESS, "size");
    char *text = make_room(*size);
    require((is_lto ? nvrtcGetLTOIR : nvrtcGetPTX)(program, text) == NVRTC_SUCCESS, "NVRTC");
    nvrtcDestroyProgram(&program);
    free(source);
    return text;
}

static nvJitLinkHandle link_input(nvJitLinkInputType type, const char *input, size_t size,
                                  unsigned count, const char **options)
{
    nvJitLinkHandle linker;
    require(nvJitLinkCreate(&linker, count, options) == NVJITLINK_SUCCESS &&
                nvJitLinkAddData(linker, type, input, size, "kernel") == NVJITLINK_SUCCESS &&
                nvJitLinkComplete(linker) == NVJITLINK_SUCCESS,
            "nvJitLink");
    return linker;
}

static char *link_to_ptx(const char *code, size_t size)
{
    const char *options[] = {"-arch=" ARCHITECTURE, "-lto", "-ptx"};
    nvJitLinkHandle linker = link_input(NVJITLINK_INPUT_LTOIR, code, size, 3, options);
    require(nvJitLinkGetLinkedPtxSize(linker, &size) == NVJITLINK_SUCCESS, "size");
    char *ptx = make_room(size);
    require(nvJitLinkGetLinkedPtx(linker, ptx) == NVJITLINK_SUCCESS, "nvJitLink");
    nvJitLinkDestroy(&linker);
    return ptx;
}

static void write_cubin(const char *path, const char *ptx, size_t len)
{
    size_t size;
    const char *options[] = {"-arch=" ARCHITECTURE};
    nvJitLinkHandle linker = link_input(NVJITLINK_INPUT_PTX, ptx, len, 1, options);
    require(nvJitLinkGetLinkedCubinSize(linker, &size) == NVJITLINK_SUCCESS, "size");
    char *cubin = make_room(size);
    FILE *file = fopen(path, "wb");
    require(nvJitLinkGetLinkedCubin(linker, cubin) == NVJITLINK_SUCCESS && file &&
                fwrite(cubin, 1, size, file) == size && fclose(file) == 0,
            path);
    nvJitLinkDestroy(&linker);
    free(cubin);
}

int main(int argc, char **argv)
{
    size_t size, len;
    int is_lto = 0;
    require(argc > 2, "argv");
    for (int i = 3; i < argc; i++) is_lto |= strcmp(argv[i], "-dlto") == 0;
    char *ptx = compile(argv[1], argc - 3, (const char *const *)argv + 3, is_lto, &size);
    if (is_lto) {
        char *code = ptx;
        ptx = link_to_ptx(code, size);
        free(code);
    }
    struct ptxopt_options *options = ptxopt_options_new();
    struct ptxopt_result *result = ptxopt_run(options, "kernel", ptx, strlen(ptx));
    const char *better = ptxopt_result_text(result, &len);
    fputs(better, stdout);
    fprintf(stderr, "%zu deleted\n", ptxopt_result_count(result, PTXOPT_DELETED));
    write_cubin(argv[2], better, len);
    ptxopt_result_free(result);
    ptxopt_options_free(options);
    free(ptx);
    return 0;
}
