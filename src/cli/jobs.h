/* Decides the output of each input, and runs all inputs. */
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
    char *output; /* "-": standard output; for mem_free */
    bool deep;    /* folders of the output may have to be created */
    size_t size;  /* bytes of the input; 0 if only reading shows its size */
    int status;   /* exit status */
    struct transform transform;
    bool done;
};

/* In the order of the command line. Zero-initialised by the caller. */
struct job_list {
    struct job *at;
    uint32_t count, cap;
    struct input_list inputs;
    struct remote *remote; /* NULL: no server is used */
};

/* Decides all outputs. On false, nothing has been written, and error has one line without the
 * prefix "ptxopt: " and without a line end. The caller calls jobs_free in both cases. */
bool jobs_plan(struct job_list *jobs, const struct command *command, struct buf *error);

/* Runs all jobs, also after an error in one, and prints their messages in order, whatever the
 * number of threads. Returns the highest exit status. */
int jobs_run(struct job_list *jobs, const struct command *command);

/* Writes the reports on what was run. Returns an exit status. Messages are added as whole lines. */
int jobs_report(const struct job_list *jobs, const struct command *command, struct buf *messages);

void jobs_free(struct job_list *jobs);

#endif
