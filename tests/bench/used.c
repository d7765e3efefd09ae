/* Measures a command. Runs it some times and prints the medians of its processor time (user
 * and system, ms), of the time that passed (ms) and of its largest resident set (KB).
 *   used [-n TIMES] [-i STDIN] [-o STDOUT] COMMAND...
 * Status 1 when the command fails, or cannot be started. */
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

enum { MOST = 1000 };

struct cost {
    double cpu_ms[MOST], wall_ms[MOST], peak_kb[MOST];
};

static double now_ms(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e3 + (double)time.tv_nsec / 1e6;
}

static double in_ms(struct timeval time)
{
    return (double)time.tv_sec * 1e3 + (double)time.tv_usec / 1e3;
}

/* posix_spawn shares our memory until the command starts, so the command's figure excludes it. */
static int run_once(char **command, const char *input, const char *output, struct cost *cost, int n)
{
    posix_spawn_file_actions_t actions;
    struct rusage used;
    pid_t child;
    int status;
    posix_spawn_file_actions_init(&actions);
    if (input) posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, input, O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, output, O_WRONLY | O_CREAT | O_TRUNC,
                                     0666);
    double start = now_ms();
    int failure = posix_spawnp(&child, command[0], &actions, NULL, command, environ);
    posix_spawn_file_actions_destroy(&actions);
    if (failure || wait4(child, &status, 0, &used) != child) return 0;
    cost->wall_ms[n] = now_ms() - start;
    cost->cpu_ms[n] = in_ms(used.ru_utime) + in_ms(used.ru_stime);
    cost->peak_kb[n] = (double)used.ru_maxrss;
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *values, int count)
{
    qsort(values, (size_t)count, sizeof *values, by_value);
    return values[count / 2];
}

int main(int argc, char **argv)
{
    static struct cost cost;
    const char *input = NULL, *output = "/dev/null";
    int times = 1, option;
    while ((option = getopt(argc, argv, "+n:i:o:")) != -1) {
        if (option == 'n') times = atoi(optarg);
        if (option == 'i') input = optarg;
        if (option == 'o') output = optarg;
        if (option == '?') return 2;
    }
    if (optind == argc || times < 1 || times > MOST)
        return fputs("usage: used [-n TIMES] [-i STDIN] [-o STDOUT] COMMAND...\n", stderr), 2;
    for (int i = 0; i < times; i++)
        if (!run_once(argv + optind, input, output, &cost, i))
            return fprintf(stderr, "used: %s failed\n", argv[optind]), 1;
    printf("%.3f %.3f %.0f\n", median(cost.cpu_ms, times), median(cost.wall_ms, times),
           median(cost.peak_kb, times));
    return 0;
}
