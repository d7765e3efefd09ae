/* Runs a program of a CUDA toolkit that reads a file and writes a file. */
#ifndef PTXOPT_REPORT_TOOL_H
#define PTXOPT_REPORT_TOOL_H

#include <stdint.h>

#include "base/buf.h"
#include "base/str.h"

/* The names that argv can use for its input and output: descriptors of unnamed files, which
 * disappear however this process ends. */
#define TOOL_INPUT "/dev/fd/3"
#define TOOL_OUTPUT "/dev/fd/4"

/* Where the program writes its result: to TOOL_OUTPUT, or to standard output. All other output is
 * messages. */
enum tool_result { TOOL_WRITES_FILE = 4, TOOL_PRINTS = 1 };

/* The time that programs may take together. Zero-initialised by the caller. A NULL pointer in its
 * place means no limit. Another thread may read it while a program runs. */
struct tool_clock {
    uint64_t limit_ns;         /* for all of them together; 0: no limit */
    _Atomic uint64_t used_ns;  /* by those that have ended */
    _Atomic uint64_t start_ns; /* start of the running program, by base/clock.h; 0: none runs */
    _Atomic uint32_t runs;
};

/* Runs argv, whose first word is looked up on PATH, with input. Appends its result to *result and
 * its messages to *messages. Returns NULL on success, otherwise one line that says why not, for
 * mem_free, and *result is unchanged. If the time on the clock is up, the program is killed or not
 * started, which is a failure. */
char *tool_run(char *const *argv, enum tool_result from, struct str input, struct tool_clock *clock,
               struct buf *result, struct buf *messages);

#endif
