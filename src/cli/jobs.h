/* Which file goes where, and all of them run. */
#ifndef PTXOPT_CLI_JOBS_H
#define PTXOPT_CLI_JOBS_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/vec.h"
#include "cli/command.h"

struct job {
    const char *input;
    char *output; /* "-" for standard output; for mem_free */
    int status;   /* an exit status */
    struct buf messages;
    bool done;
};

/* In the order of the command line. Zero-initialise. */
struct job_list VEC(struct job);

/* Finds every output. On false nothing has been written, and error holds one line without its
 * "ptxopt: " and line end. jobs_free in both cases. */
bool jobs_plan(struct job_list *jobs, const struct command *command, struct buf *error);

/* Runs all of them, an error in one notwithstanding, and prints their messages in order, whatever
 * the number of threads. Returns the greatest status. */
int jobs_run(struct job_list *jobs, const struct command *command);

void jobs_free(struct job_list *jobs);

#endif
