/* What the service does, without the service: THREADS threads optimize FILE for SECONDS; prints
 * runs a second. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "ptxopt.h"

static char *text;
static size_t len;
static double seconds;
static atomic_uint runs;

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static void *work(void *unused)
{
    for (double end = now() + seconds; now() < end; atomic_fetch_add(&runs, 1)) {
        struct ptxopt_options *options = ptxopt_options_new();
        struct ptxopt_result *result = ptxopt_run(options, "input.ptx", text, len);
        ptxopt_result_free(result);
        ptxopt_options_free(options);
    }
    return unused;
}

int main(int argc, char **argv)
{
    enum { MOST = 64, ROOM = 64 << 20 };
    pthread_t threads[MOST];
    FILE *file = argc == 4 ? fopen(argv[1], "rb") : NULL;
    int count = argc == 4 ? atoi(argv[2]) : 0;
    if (!file || count < 1 || count > MOST) {
        fputs("usage: inprocess FILE THREADS SECONDS\n", stderr);
        return 2;
    }
    text = malloc(ROOM);
    len = text ? fread(text, 1, ROOM, file) : 0;
    fclose(file);
    seconds = atof(argv[3]);
    double begin = now();
    for (int i = 0; i < count; i++) pthread_create(&threads[i], NULL, work, NULL);
    for (int i = 0; i < count; i++) pthread_join(threads[i], NULL);
    printf("%.1f\n", atomic_load(&runs) / (now() - begin));
    free(text);
    return 0;
}
