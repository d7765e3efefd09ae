/* How far is the work? One line that is drawn over itself. */
#include "cli/progress.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"

enum { WIDTH = 30 };
static const double FIRST = 1, BETWEEN = 0.1; /* seconds */

struct progress progress_begin(size_t total)
{
    struct progress progress = {.wanted = isatty(STDERR_FILENO) == 1, .total = total};
    progress.start_ns = clock_ns();
    return progress;
}

void progress_draw(struct progress *progress, size_t done)
{
    if (!progress->wanted) return;
    double seconds = (double)(clock_ns() - progress->start_ns) / 1e9;
    if (seconds < FIRST || (progress->shown && seconds - progress->drawn < BETWEEN)) return;
    progress->drawn = seconds;
    char bar[WIDTH + 1], line[WIDTH + 80];
    size_t filled = progress->total ? done * WIDTH / progress->total : 0;
    memset(bar, '.', WIDTH);
    memset(bar, '#', filled);
    bar[WIDTH] = '\0';
    int len = snprintf(line, sizeof line, "\r[%s] %zu of %zu files, %.0f s", bar, done,
                       progress->total, seconds);
    (void)file_write_all(STDERR_FILENO, line, (size_t)len);
    progress->shown = true;
}

void progress_clear(struct progress *progress)
{
    static const char erase[] = "\r\033[K";
    if (progress->shown) (void)file_write_all(STDERR_FILENO, erase, sizeof erase - 1);
    progress->shown = false;
}
