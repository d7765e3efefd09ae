/* Runs a program of a CUDA toolkit on a file, whose result is a file, too. */
#ifndef PTXOPT_REPORT_TOOL_H
#define PTXOPT_REPORT_TOOL_H

#include "base/buf.h"
#include "base/str.h"

/* What argv may name its input by, and its output: descriptors of files without names, which vanish
 * however this process ends. */
#define TOOL_INPUT "/dev/fd/3"
#define TOOL_OUTPUT "/dev/fd/4"

/* Where the result comes from: TOOL_OUTPUT, or standard output. What is not the result is a
 * message. */
enum tool_result { TOOL_WRITES_FILE = 4, TOOL_PRINTS = 1 };

/* Runs argv, whose first word is looked for on PATH, and appends what it makes of input to result
 * and what it says to messages. NULL when it ended well; else one line that says why not, for
 * mem_free, and result is as it was. */
char *tool_run(char *const *argv, enum tool_result from, struct str input, struct buf *result,
               struct buf *messages);

#endif
