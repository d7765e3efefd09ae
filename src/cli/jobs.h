/* Decides the output of each input, and runs all of them. */
#ifndef PTXOPT_CLI_JOBS_H
#define PTXOPT_CLI_JOBS_H

#include <stdbool.h>

#include "base/buf.h"
#include "base/vec.h"
#include "cli/command.h"
#include "cli/inputs.h"
#include "cli/transform.h"

struct job {
    const char *input;
    char *output; /* "-" for standard output; for mem_free */
    bool deep;    /* the output is in a folder that may have to be made */
    size_t size;  /* bytes of the input; 0 where only reading shows them */
    int status;   /* an exit status */
    struct transform transform;
    bool done;
};

/* In the order of the command line. Zero-initialise. */
struct job_list {
    struct job *at;
    uint32_t count, cap;
    struct input_list inputs;
    struct remote *remote; /* NULL: no server is used */
};

/* Finds every output. On false nothing has been written, and error holds one line without its
 * "ptxopt: " and line end. jobs_free in both cases. */
bool jobs_plan(struct job_list *jobs, const struct command *command, struct buf *error);

/* Runs all of them, an error in one notwithstanding, and prints their messages in order, whatever
 * the number of threads. Returns the greatest status. */
int jobs_run(struct job_list *jobs, const struct command *command);

/* Writes the reports on what was run. Returns an exit status; diagnostics are added to
 * messages, whole lines. */
int jobs_report(const struct job_list *jobs, const struct command *command, struct buf *messages);

void jobs_free(struct job_list *jobs);

#endif
