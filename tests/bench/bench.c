/* How fast is the library on this file, and how much memory does it take? One line a file, the best
 * of some runs: MB/s of the parse, the analysis and the whole, the checker's share of the time,
 * peak memory in MB and times the input. --once FILE: one run and nothing printed, for a
 * profiler. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "api/ptxopt.h"

struct figures {
    uint64_t parse_ns, analysis_ns, check_ns, whole_ns;
    size_t peak_bytes;
    uint32_t deleted;
};

static uint64_t now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

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

static struct figures run_once(const char *path, const char *text, size_t len)
{
    struct ptxopt_options *options = ptxopt_options_new();
    uint64_t start = now_ns();
    struct ptxopt_result *result = ptxopt_run(options, path, text, len);
    uint64_t whole = now_ns() - start;
    const struct ptxopt_stats *stats = ptxopt_result_stats(result);
    struct figures f = {stats->parse_ns, stats->analysis_ns, stats->check_ns,
                        whole,           stats->peak_bytes,  stats->deleted};
    if (ptxopt_result_status(result) != PTXOPT_OK) fprintf(stderr, "%s is refused\n", path);
    ptxopt_result_free(result);
    ptxopt_options_free(options);
    return f;
}

/* Bytes in ns as MB/s; 0 for no time. */
static double rate(size_t bytes, uint64_t ns)
{
    return ns ? (double)bytes * 1e3 / (double)ns : 0;
}

static void measure(const char *path, const char *text, size_t len)
{
    struct figures best = run_once(path, text, len);
    uint64_t budget_ns = 2000000000u, spent_ns = best.whole_ns;
    for (int i = 0; i < 20 && spent_ns < budget_ns; i++) {
        struct figures f = run_once(path, text, len);
        spent_ns += f.whole_ns;
        if (f.whole_ns < best.whole_ns) best = f;
    }
    const char *name = strrchr(path, '/');
    double percent = best.whole_ns ? 100.0 / (double)best.whole_ns : 0;
    printf("%-26s %8.1f %8.1f %8.1f %8.1f %7.0f%% %8.1f %6.1f %8u\n", name ? name + 1 : path,
           (double)len / 1e3, rate(len, best.parse_ns), rate(len, best.analysis_ns),
           rate(len, best.whole_ns), (double)best.check_ns * percent, (double)best.peak_bytes / 1e6,
           (double)best.peak_bytes / (double)(len ? len : 1), best.deleted);
}

int main(int argc, char **argv)
{
    bool once = argc > 2 && !strcmp(argv[1], "--once");
    if (argc < 2) return fprintf(stderr, "usage: bench [--once] FILE...\n"), 2;
    if (!once)
        printf("%-26s %8s %8s %8s %8s %8s %8s %6s %8s\n", "", "KB", "parse", "analysis", "whole",
               "check", "peak MB", "times", "deleted");
    for (int i = once ? 2 : 1; i < argc; i++) {
        size_t len = 0;
        char *text = read_file(argv[i], &len);
        if (!text) return perror(argv[i]), 1;
        if (once)
            run_once(argv[i], text, len);
        else
            measure(argv[i], text, len);
        free(text);
    }
    return 0;
}
