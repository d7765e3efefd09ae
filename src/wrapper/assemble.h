/* Runs the real ptxas. */
#ifndef PTXOPT_WRAPPER_ASSEMBLE_H
#define PTXOPT_WRAPPER_ASSEMBLE_H

#include <stdbool.h>

#include "base/buf.h"
#include "wrapper/text.h"

/* One call of the real ptxas. */
struct assembly {
    const char *real; /* path of the real ptxas */
    char **argv;      /* the command line of this process; argv[0] is replaced by real */
    int input;        /* index of the text in argv; negative: none */
    struct text text;
};

/* Replaces this process by ptxas with the original text and command line. Returns only if this
 * fails: the exit status for the process, after a line with the reason on standard error. */
int assemble_as_it_is(const struct assembly *assembly);

/* The output of ptxas that was kept in memory. Freed by messages_print. */
struct messages {
    struct buf out, error;
};

enum assembled {
    ASSEMBLED,
    REFUSED, /* ptxas exited with an error status, and would do so again */
    CUT_OFF, /* ptxas was killed or could not run, or there is no memory: a second run may succeed
              */
};

/* A run of ptxas whose output is kept in memory until it is known whether the run succeeded. */
struct holding {
    const struct assembly *assembly;
    const char *path; /* file that ptxas reads in place of the text; NULL: the text itself */
    int out, error;   /* memory files for standard output and standard error of ptxas */
};

/* Creates the memory files for the output of ptxas. Returns false if that fails. The caller calls
 * holding_end in both cases. */
bool holding_begin(struct holding *holding, const struct assembly *assembly, const char *path);
void holding_end(const struct holding *holding);

/* Replaces a child process by ptxas. Returns only if this fails. */
void holding_become_ptxas(const struct holding *holding);

/* Translates status (of waitpid) of the child that ran ptxas. With ASSEMBLED, *messages has the
 * output of ptxas, in which the path of the text replaces holding->path; otherwise *messages is
 * unchanged. */
enum assembled holding_judge(const struct holding *holding, int status, struct messages *messages);

/* Runs ptxas on the original command line in a child, and keeps its output in memory. Call it after
 * supervise_prepare. */
enum assembled assemble_held(const struct assembly *assembly, struct messages *messages);

/* Prints and frees the messages. Call it after supervise_end, so that SIGPIPE ends this process if
 * the reader has closed the pipe, as it would end ptxas. */
void messages_print(struct messages *messages);

#endif
