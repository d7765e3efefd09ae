/* Runs only the library on a file, for a profiler: bench --once FILE... */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/ptxopt.h"

static char *read_file(const char *path, size_t *len)
{
    FILE *file = fopen(path, "rb");
    if (!file || fseek(file, 0, SEEK_END)) return NULL;
    long size = ftell(file);
    if (size < 0) return NULL;
    rewind(file);
    char *text = malloc((size_t)size + 1);
    *len = text ? fread(text, 1, (size_t)size, file) : 0;
    fclose(file);
    return text;
}

static void run_once(const char *path, const char *text, size_t len)
{
    struct ptxopt_options *options = ptxopt_options_new();
    struct ptxopt_result *result = ptxopt_run(options, path, text, len);
    if (ptxopt_result_status(result) != PTXOPT_OK) fprintf(stderr, "%s is refused\n", path);
    ptxopt_result_free(result);
    ptxopt_options_free(options);
}

int main(int argc, char **argv)
{
    if (argc < 3 || strcmp(argv[1], "--once") != 0)
        return fprintf(stderr, "usage: bench --once FILE...\n"), 2;
    for (int i = 2; i < argc; i++) {
        size_t len = 0;
        char *text = read_file(argv[i], &len);
        if (!text) return perror(argv[i]), 1;
        run_once(argv[i], text, len);
        free(text);
    }
    return 0;
}
