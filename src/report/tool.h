/* Runs a program of a CUDA toolkit that reads a file and writes a file. */
#ifndef PTXOPT_REPORT_TOOL_H
#define PTXOPT_REPORT_TOOL_H

#include <stdint.h>

#include "base/buf.h"
#include "base/str.h"

/* What argv may name its input by, and its output: descriptors of files without names, which vanish
 * however this process ends. */
#define TOOL_INPUT "/dev/fd/3"
#define TOOL_OUTPUT "/dev/fd/4"

/* Where the result comes from: TOOL_OUTPUT, or standard output. All other output is a
 * message. */
enum tool_result { TOOL_WRITES_FILE = 4, TOOL_PRINTS = 1 };

/* How long programs may take, and for how long they have. Zero-initialise; NULL instead is a
 * clock that is not read. Another thread may look while one runs them. */
struct tool_clock {
    uint64_t limit_ns;         /* for all of them together; 0: no end */
    _Atomic uint64_t used_ns;  /* by those that ended */
    _Atomic uint64_t start_ns; /* by base/clock.h, of the one that runs; 0: none does */
    _Atomic uint32_t runs;
};

/* Runs argv, its first word looked up on PATH, and appends its result for input to result
 * and its messages to messages. NULL when it ended well; else one line that says why not, for
 * mem_free, and result is as it was. So it is when the time on the clock is up: the program is
 * ended then, or not begun. */
char *tool_run(char *const *argv, enum tool_result from, struct str input, struct tool_clock *clock,
               struct buf *result, struct buf *messages);

#endif
