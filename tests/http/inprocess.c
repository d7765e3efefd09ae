/* The work of the service without the service: THREADS threads optimize FILE for SECONDS; prints
 * runs per second and milliseconds of processor time per run. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

#include "api/ptxopt.h"

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

static double in_seconds(struct timeval time)
{
    return (double)time.tv_sec + (double)time.tv_usec / 1e6;
}

/* The user and system time of all threads. */
static double processor_time(void)
{
    struct rusage used;
    getrusage(RUSAGE_SELF, &used);
    return in_seconds(used.ru_utime) + in_seconds(used.ru_stime);
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
    double begin = now(), begin_used = processor_time();
    for (int i = 0; i < count; i++) pthread_create(&threads[i], NULL, work, NULL);
    for (int i = 0; i < count; i++) pthread_join(threads[i], NULL);
    double took = now() - begin, used = processor_time() - begin_used;
    unsigned done = atomic_load(&runs);
    printf("%.2f %.4f\n", done / took, done ? used * 1e3 / done : 0);
    free(text);
    return 0;
}
