/* Reads /proc/self. See process_metrics.h. Nothing that is open here allocates: the work around may
 * be left in the middle. */
#include "server/base/process_metrics.h"

#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

struct process_stat {
    unsigned long long user_ticks, system_ticks, start_ticks, virtual_bytes;
    long threads, resident_pages;
};

static bool read_small_file(const char *path, char *text, size_t size)
{
    FILE *file = fopen(path, "r");
    size_t n = file ? fread(text, 1, size - 1, file) : 0;
    if (file) fclose(file);
    text[n] = 0;
    return n;
}

/* proc(5): what follows the name, which may have blanks in it. */
static bool read_stat(struct process_stat *stat)
{
    char text[1024];
    const char *rest =
        read_small_file("/proc/self/stat", text, sizeof text) ? strrchr(text, ')') : NULL;
    return rest &&
           sscanf(rest + 1,
                  " %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %llu %llu %*d %*d %*d %*d %ld "
                  "%*d %llu %llu %ld",
                  &stat->user_ticks, &stat->system_ticks, &stat->threads, &stat->start_ticks,
                  &stat->virtual_bytes, &stat->resident_pages) == 6;
}

/* Seconds since 1970, of so many ticks after the start of the system. */
static double time_of_start(double ticks_s)
{
    struct timespec now, up;
    clock_gettime(CLOCK_REALTIME, &now);
    clock_gettime(CLOCK_BOOTTIME, &up);
    return (double)(now.tv_sec - up.tv_sec) + (double)(now.tv_nsec - up.tv_nsec) / 1e9 + ticks_s;
}

static unsigned count_files(void)
{
    DIR *folder = opendir("/proc/self/fd");
    unsigned count = 0;
    if (!folder) return 0;
    while (readdir(folder)) count++;
    closedir(folder);
    return count > 3 ? count - 3 : 0; /* ".", ".." and the folder itself */
}

static void write_process_metric(struct buf *out, const char *name, const char *type,
                                 const char *help, double value)
{
    buf_printf(out, "# HELP process_%s %s\n# TYPE process_%s %s\nprocess_%s %.17g\n", name, help,
               name, type, name, value);
}

void process_metrics_write(struct buf *out)
{
    struct process_stat stat;
    struct rlimit files;
    double tick = (double)sysconf(_SC_CLK_TCK), page = (double)sysconf(_SC_PAGESIZE);
    unsigned open_files = count_files();
    if (read_stat(&stat)) {
        write_process_metric(out, "cpu_seconds_total", "counter", "Processor time used.",
                             (double)(stat.user_ticks + stat.system_ticks) / tick);
        write_process_metric(out, "resident_memory_bytes", "gauge", "Resident memory.",
                             (double)stat.resident_pages * page);
        write_process_metric(out, "virtual_memory_bytes", "gauge", "Address space.",
                             (double)stat.virtual_bytes);
        write_process_metric(out, "threads", "gauge", "Threads.", (double)stat.threads);
        write_process_metric(out, "start_time_seconds", "gauge", "Start, since 1970.",
                             time_of_start((double)stat.start_ticks / tick));
    }
    if (open_files) write_process_metric(out, "open_fds", "gauge", "Open files.", open_files);
    if (getrlimit(RLIMIT_NOFILE, &files) == 0)
        write_process_metric(out, "max_fds", "gauge", "Files that may be open.",
                             (double)files.rlim_cur);
}
