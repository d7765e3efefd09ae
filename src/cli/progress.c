/* Draws the progress of the run as one line, which overwrites itself. See progress.h. */
#include "cli/progress.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"

enum { WIDTH = 30 };
static const double FIRST = 1, BETWEEN = 0.1; /* seconds */
static const double MB = 1e6;

struct progress progress_begin(bool wanted, struct amount total)
{
    struct progress progress = {.wanted = wanted && isatty(STDERR_FILENO) == 1, .total = total};
    progress.start_ns = clock_ns();
    return progress;
}

/* Prints ", ptxas at work for 12 s, run 3", where 3 counts the runs for this file; nothing if none
 * runs. */
static void print_tool(char *text, size_t size, const struct tool_clock *clock)
{
    uint64_t start = clock->start_ns, now = clock_ns();
    text[0] = '\0';
    if (start && now > start)
        snprintf(text, size, ", ptxas at work for %.0f s, run %u", (double)(now - start) / 1e9,
                 (unsigned)clock->runs + 1);
}

/* Prints "[#####.........] 1.5 of 40.2 MB, 3 of 17 files, 4 s". What is not known is left out. */
static int print_line(char *line, size_t size, const struct progress *progress, struct amount done,
                      const struct tool_clock *clock, double seconds)
{
    struct amount total = progress->total;
    double part = total.bytes ? (double)done.bytes / (double)total.bytes
                              : (double)done.files / (double)total.files;
    char bar[WIDTH + 1], bytes[60] = "", tool[60];
    memset(bar, '.', WIDTH);
    memset(bar, '#', (size_t)(part * WIDTH));
    bar[WIDTH] = '\0';
    if (total.bytes)
        snprintf(bytes, sizeof bytes, "%.1f of %.1f MB, ", (double)done.bytes / MB,
                 (double)total.bytes / MB);
    print_tool(tool, sizeof tool, clock);
    return snprintf(line, size, "\r[%s] %s%zu of %zu files, %.0f s%s\033[K", bar, bytes, done.files,
                    total.files, seconds, tool);
}

static double seconds_of(const struct progress *progress)
{
    return (double)(clock_ns() - progress->start_ns) / 1e9;
}

bool progress_is_due(const struct progress *progress)
{
    if (!progress->wanted) return false;
    double seconds = seconds_of(progress);
    return seconds >= FIRST && !(progress->shown && seconds - progress->drawn < BETWEEN);
}

void progress_draw(struct progress *progress, struct amount done, const struct tool_clock *clock)
{
    double seconds = progress->drawn = seconds_of(progress);
    char line[WIDTH + 240];
    int len = print_line(line, sizeof line, progress, done, clock, seconds);
    (void)file_write_all(STDERR_FILENO, line, (size_t)len);
    progress->shown = true;
}

void progress_clear(struct progress *progress)
{
    static const char erase[] = "\r\033[K";
    if (progress->shown) (void)file_write_all(STDERR_FILENO, erase, sizeof erase - 1);
    progress->shown = false;
}
